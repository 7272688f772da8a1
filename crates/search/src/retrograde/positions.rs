//! Positions numbered in the order in which they were found, and the way from a position to its number.
//!
//! Each is kept whole, or as its [`Position::packed`] number, and compared whole: no two positions are taken for one. The table
//! that finds them has open addressing with linear probing, four bytes an entry, at most three quarters in use.

use proofplay_core::{Position, mix};

/// An entry of the table that is not in use.
const NONE: u32 = u32::MAX;
/// Entries of the smallest table.
const SMALLEST: usize = 64;

/// A set of positions, numbered from 0.
pub struct Positions<P> {
    kept: Kept<P>,
    table: Vec<u32>,
}

/// The positions by number.
enum Kept<P> {
    /// Of a game that never repeats positions and does not pack them.
    Whole(Vec<P>),
    /// The lower and the upper half of packed positions; no upper halves while all are 0.
    Packed { low: Vec<u64>, high: Vec<u64>, sample: P },
}

/// Why a position cannot be kept: it repeats, and its history cannot be left aside.
#[derive(Debug)]
pub struct NoNumber;

/// A position as it is compared.
enum Name<'a, P> {
    Whole(&'a P),
    Packed(u128),
}

impl<P: Position> Positions<P> {
    /// No positions of the game of `sample`.
    pub fn new(sample: &P) -> Result<Self, NoNumber> {
        let kept = match sample.packed() {
            Some(_) => Kept::Packed { low: Vec::new(), high: Vec::new(), sample: sample.clone() },
            None if sample.repeats() => return Err(NoNumber),
            None => Kept::Whole(Vec::new()),
        };
        Ok(Positions { kept, table: vec![NONE; SMALLEST] })
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        match &self.kept {
            Kept::Whole(all) => all.len(),
            Kept::Packed { low, .. } => low.len(),
        }
    }

    /// Bytes, the table included.
    pub fn bytes(&self) -> usize {
        let kept = match &self.kept {
            Kept::Whole(all) => all.capacity() * size_of::<P>(),
            Kept::Packed { low, high, .. } => (low.capacity() + high.capacity()) * size_of::<u64>(),
        };
        kept + self.table.capacity() * size_of::<u32>()
    }

    /// A position by its number, with an empty history.
    pub fn get(&self, number: u32) -> P {
        match &self.kept {
            Kept::Whole(all) => all[number as usize].clone(),
            Kept::Packed { sample, .. } => sample.unpacked(self.code(number)),
        }
    }

    /// Whether positions are packed.
    pub fn is_packed(&self) -> bool {
        matches!(self.kept, Kept::Packed { .. })
    }

    /// The packed position with this number.
    pub fn code(&self, number: u32) -> u128 {
        let Kept::Packed { low, high, .. } = &self.kept else { unreachable!("positions are whole") };
        let upper = high.get(number as usize).copied().unwrap_or(0);
        u128::from(low[number as usize]) | u128::from(upper) << 64
    }

    fn name<'a>(&self, pos: &'a P) -> Result<Name<'a, P>, NoNumber> {
        match self.kept {
            Kept::Whole(_) => Ok(Name::Whole(pos)),
            Kept::Packed { .. } => pos.packed().map(Name::Packed).ok_or(NoNumber),
        }
    }

    /// Where the search for a position with this hash begins.
    fn home(&self, hash: u64) -> usize {
        ((u128::from(hash) * self.table.len() as u128) >> 64) as usize
    }

    fn hash(name: &Name<P>) -> u64 {
        match name {
            Name::Whole(pos) => pos.key() as u64,
            Name::Packed(code) => mix(*code) as u64,
        }
    }

    fn is(&self, number: u32, name: &Name<P>) -> bool {
        match (&self.kept, name) {
            (Kept::Whole(all), Name::Whole(pos)) => all[number as usize] == **pos,
            (_, Name::Packed(code)) => self.code(number) == *code,
            _ => unreachable!("positions are kept in one way"),
        }
    }

    /// The entry of a position, or the empty one where it would be.
    fn entry(&self, name: &Name<P>) -> usize {
        let mut at = self.home(Self::hash(name));
        while self.table[at] != NONE && !self.is(self.table[at], name) {
            at = if at + 1 == self.table.len() { 0 } else { at + 1 };
        }
        at
    }

    /// The number of a position, if it is there.
    pub fn find(&self, pos: &P) -> Option<u32> {
        let name = self.name(pos).ok()?;
        Some(self.table[self.entry(&name)]).filter(|&number| number != NONE)
    }

    /// The number of a position, which is added unless it is there.
    pub fn add(&mut self, pos: &P) -> Result<u32, NoNumber> {
        let name = self.name(pos)?;
        let mut at = self.entry(&name);
        if self.table[at] != NONE {
            return Ok(self.table[at]);
        }
        let number = self.len();
        if 4 * (number + 1) > 3 * self.table.len() {
            self.widen();
            at = self.entry(&name);
        }
        self.table[at] = number as u32;
        match (&mut self.kept, name) {
            (Kept::Packed { low, high, .. }, Name::Packed(code)) => {
                let upper = (code >> 64) as u64;
                if upper != 0 && high.is_empty() {
                    high.resize(low.len(), 0);
                }
                if upper != 0 || !high.is_empty() {
                    push(high, upper);
                }
                push(low, code as u64);
            }
            (Kept::Whole(all), Name::Whole(pos)) => push(all, pos.clone()),
            _ => unreachable!("positions are kept in one way"),
        }
        Ok(number as u32)
    }

    /// Makes the table half as large again. The old one is freed first, so that there are never both.
    fn widen(&mut self) {
        let size = self.table.len() * 3 / 2;
        self.table = Vec::new();
        self.table = vec![NONE; size];
        for number in 0..self.len() as u32 {
            let hash = match &self.kept {
                Kept::Whole(all) => Self::hash(&Name::Whole(&all[number as usize])),
                Kept::Packed { .. } => Self::hash(&Name::Packed(self.code(number))),
            };
            let mut at = self.home(hash);
            while self.table[at] != NONE {
                at = if at + 1 == size { 0 } else { at + 1 };
            }
            self.table[at] = number;
        }
    }
}

/// Adds an element to a long list, which grows by a quarter: doubling would take too much memory.
pub fn push<T>(list: &mut Vec<T>, element: T) {
    if list.len() == list.capacity() {
        list.reserve_exact(list.len() / 4 + SMALLEST);
    }
    list.push(element);
}
