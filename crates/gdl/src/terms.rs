//! Terms without variables, each stored once: equal terms have equal numbers.

use crate::rules::{Names, Sym};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// The number of a term.
pub(crate) type TermId = u32;

/// A table from numbers to something, by a hash that is quick and the same in every run.
pub(crate) type Map<K, V> = HashMap<K, V, BuildHasherDefault<Quick>>;

/// Mixes words by multiplication.
#[derive(Clone, Default, Debug)]
pub(crate) struct Quick(u64);

impl Hasher for Quick {
    #[inline]
    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 29
    }
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        bytes.chunks(4).for_each(|part| {
            let mut word = [0; 4];
            word[..part.len()].copy_from_slice(part);
            self.write_u32(u32::from_le_bytes(word));
        });
    }
    #[inline]
    fn write_u32(&mut self, word: u32) {
        self.0 = (self.0.rotate_left(23) ^ u64::from(word)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
    #[inline]
    fn write_usize(&mut self, word: usize) {
        self.write_u32(word as u32);
    }
}

/// Words of a term when it is written out.
const LONGEST: u32 = 1_000;

/// All terms that were met.
#[derive(Clone, Debug, Default)]
pub(crate) struct Terms {
    /// The symbol and the arguments of each term, one behind the other; `starts` has where each begins.
    words: Vec<u32>,
    starts: Vec<u32>,
    /// The number of words of each term when it is written out.
    sizes: Vec<u32>,
    /// Whether a term was made that is too long to be written: what makes such terms is stopped.
    pub oversized: bool,
    index: Map<Box<[u32]>, TermId>,
    buffer: Vec<u32>,
}

impl Terms {
    /// The term with this symbol and these arguments.
    pub fn make(&mut self, sym: Sym, args: &[TermId]) -> TermId {
        self.buffer.clear();
        self.buffer.push(sym.0);
        self.buffer.extend_from_slice(args);
        if let Some(&id) = self.index.get(&self.buffer[..]) {
            self.oversized |= self.sizes[id as usize] > LONGEST;
            return id;
        }
        let id = self.starts.len() as TermId;
        let inner = args.iter().fold(1_u32, |sum, &arg| sum.saturating_add(self.sizes[arg as usize]));
        self.sizes.push(inner);
        self.oversized |= inner > LONGEST;
        self.starts.push(self.words.len() as u32);
        self.words.extend_from_slice(&self.buffer);
        self.index.insert(self.buffer.as_slice().into(), id);
        id
    }

    /// The term if it was met.
    pub fn find(&self, words: &[u32]) -> Option<TermId> {
        self.index.get(words).copied()
    }

    /// The symbol of a term, then its arguments.
    #[inline]
    pub fn words(&self, id: TermId) -> &[u32] {
        let end = self.starts.get(id as usize + 1).map_or(self.words.len(), |&end| end as usize);
        &self.words[self.starts[id as usize] as usize..end]
    }

    #[inline]
    pub fn sym(&self, id: TermId) -> Sym {
        Sym(self.words[self.starts[id as usize] as usize])
    }

    #[inline]
    pub fn args(&self, id: TermId) -> &[TermId] {
        &self.words(id)[1..]
    }

    pub fn len(&self) -> usize {
        self.starts.len()
    }

    /// The term as in a sheet.
    pub fn text(&self, names: &Names, id: TermId) -> String {
        let mut text = String::new();
        self.write(names, id, &mut text);
        text
    }

    fn write(&self, names: &Names, id: TermId, text: &mut String) {
        let args = self.args(id);
        if !args.is_empty() {
            text.push('(');
        }
        text.push_str(names.word(self.sym(id)));
        for &arg in args {
            text.push(' ');
            self.write(names, arg, text);
        }
        if !args.is_empty() {
            text.push(')');
        }
    }
}
