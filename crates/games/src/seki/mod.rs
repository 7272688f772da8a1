//! Seki: a capturing race between two strings of Go with shared liberties.
//!
//! ```text
//!     . O O .      Max (First, X) and Min (O) have a string each, here with 3 and 4 outside liberties and
//!     O O O O      2 shared ones: seki:3,4. A string without liberty is captured, and its player loses.
//!     . . . X      m1 m2 m3: fill an own liberty; illegal when it is the last
//!     X X X X
//!     . X X .      s1 s2: fill a shared liberty; illegal when it is the last own one and does not capture
//!     O O O O
//!     . . . .      o1 o2 o3 o4: fill an outside liberty of the opponent; always legal
//!     X X X X
//!     . X X .      pass: always legal; two passes in a row end the game as a draw
//! ```
//!
//! Cazenave & Saffidine, "Score Bounded Monte-Carlo Tree Search", CG 2010 \[CS10\], section 5.1.
//! Captures are made before the mover's own liberties are counted. Points keep their numbers all
//! game long; `o2` of Max is `m2` of Min. A filled point stays filled and a single pass is
//! remembered, so positions do not repeat: three times the number of filled points plus the passes
//! in a row grows with every move.
//!
//! Parameters: `A,B` or `A,B,S`, each from 0 to 20, with at least one liberty for either string.
//!
//! A position text has three ranks: the outside liberties of Max, the shared ones, those of Min;
//! `.` is open and `#` filled. After them the side to move, `max` or `min`, and the passes in a
//! row, 0 to 2 (0 may be left out): the start of seki:3,4 is `.../../.... max 0`. A rank without
//! points is empty: `.//. max 0`.

use crate::board::Word;
use crate::board::text::{self, bad_parameters, bad_position};
use proofplay_core::{
    Cell, Family, Game, GameVisitor, Key, Player, Position, Rng, Score, TextError, View, zobrist,
};

/// The most points of one kind.
pub const LARGEST: u32 = 20;

/// The parameters: how many liberties there are.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    /// Outside liberties of Max.
    pub max: u32,
    /// Outside liberties of Min.
    pub min: u32,
    /// Liberties of both.
    pub shared: u32,
}

impl Setup {
    /// Reads `A,B` or `A,B,S`.
    pub fn parse(parameters: &str) -> Result<Setup, TextError> {
        let counts: Option<Vec<u32>> =
            parameters.split(',').map(|count| text::number(count, LARGEST)).collect();
        let setup = match counts.as_deref() {
            Some(&[max, min]) => Setup { max, min, shared: 2 },
            Some(&[max, min, shared]) => Setup { max, min, shared },
            _ => {
                let form = format!(
                    "the liberties are A,B or A,B,S for Max, Min and both, each from 0 to {LARGEST}, e.g. 3,4"
                );
                return Err(bad_parameters(parameters, form));
            }
        };
        if setup.max + setup.shared == 0 || setup.min + setup.shared == 0 {
            return Err(bad_parameters(parameters, "each string needs a liberty, its own or a shared one"));
        }
        Ok(setup)
    }

    /// How many points of each kind there are.
    fn counts(self) -> [u32; 3] {
        [self.max, self.shared, self.min]
    }
}

impl Family for Setup {
    const NAME: &str = "seki";
    const PARAMETERS: &str = "A,B[,S], default S = 2";
    const EXAMPLE: &str = "3,4";
    const RULES: &str = "two strings with A and B own and S shared liberties: capture or live together";
    const FULL_RULES: &str = include_str!("../rules/seki.md");
    const SMALL: &[&str] = &["1,1", "1,2,1", "2,2", "3,2", "2,2,4"];
    const VARIED: &[&str] = &["1,1,0", "3,3,3", "0,0,1", "20,20,20"];

    fn build<V: GameVisitor>(parameters: &str, visitor: V) -> Result<V::Out, TextError> {
        Ok(visitor.visit(Seki::new(Setup::parse(parameters)?)))
    }
}

/// The game with its parameters.
#[derive(Clone, Debug)]
pub struct Seki {
    setup: Setup,
}

/// A position: 16 bytes.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Race {
    /// The open points: 20 bits each for the outside liberties of Max, the shared ones, those of
    /// Min. The mover's string has lost when none of its bits is left; the string of the last mover
    /// always has one, or has captured.
    open: u64,
    mover: Player,
    /// Passes in a row: 2 when the game was drawn.
    passes: u8,
}

/// The number of a point (its bit), or [`PASS`].
pub type Point = u8;

/// The move that fills nothing.
pub const PASS: Point = 3 * LARGEST as Point;

/// The kinds of points, in the order of their bits: outside liberties of Max, shared liberties,
/// those of Min.
const SHARED: usize = 1;

/// The bits of `count` points of one kind, lowest first.
const fn points(kind: usize, count: u32) -> u64 {
    ((1 << count) - 1) << (kind as u32 * LARGEST)
}

/// The kind of a player's outside liberties.
#[inline]
const fn outside(player: Player) -> usize {
    2 * player.index()
}

impl Race {
    /// The open points of one kind.
    #[inline]
    fn open(&self, kind: usize) -> u64 {
        self.open & points(kind, LARGEST)
    }

    /// How many liberties the player's string has.
    #[inline]
    fn liberties(&self, player: Player) -> u32 {
        (self.open(outside(player)) | self.open(SHARED)).count()
    }

    /// The points that the mover may fill: those of the opponent, those both share, the mover's own.
    #[inline]
    fn legal(&self) -> [u64; 3] {
        let theirs = self.open(outside(!self.mover));
        match (self.liberties(self.mover), self.liberties(!self.mover)) {
            // The last own liberty may only be filled to capture, so it is a shared one.
            (1, 1) => [theirs, self.open(SHARED), 0],
            (1, _) => [theirs, 0, 0],
            _ => [theirs, self.open(SHARED), self.open(outside(self.mover))],
        }
    }
}

static OPEN: [Key; PASS as usize] = zobrist(21);
static SECOND_MOVES: Key = zobrist::<1>(22)[0];
static PASSES: [Key; 3] = [0, zobrist::<1>(23)[0], zobrist::<1>(24)[0]];

impl Position for Race {
    type Move = Point;
    fn repeats(&self) -> bool {
        false
    }

    #[inline]
    fn turn(&self) -> Player {
        self.mover
    }

    #[inline]
    fn outcome(&self) -> Option<Score> {
        if self.liberties(self.mover) == 0 {
            Some(Score::win_of(!self.mover))
        } else {
            (self.passes == 2).then_some(Score::DRAW)
        }
    }

    /// In the order o, s, m, pass.
    #[inline]
    fn moves(&self, out: &mut Vec<Point>) {
        for kind in self.legal() {
            out.extend(kind.cells().map(|point| point as Point));
        }
        out.push(PASS);
    }

    #[inline]
    fn play(&mut self, mv: Point) {
        if mv == PASS {
            self.passes += 1;
        } else {
            debug_assert!(self.legal().iter().any(|kind| kind.has(mv.into())), "point {mv} is not legal");
            self.open ^= u64::bit(mv.into());
            self.passes = 0;
        }
        self.mover = !self.mover;
    }

    fn key(&self) -> Key {
        let points = self.open.cells().fold(0, |key, point| key ^ OPEN[point as usize]);
        let turn = if self.mover == Player::Second { SECOND_MOVES } else { 0 };
        points ^ turn ^ PASSES[usize::from(self.passes)]
    }

    #[inline]
    fn key_after(&self, key: Key, mv: Point) -> Key {
        let passes = usize::from(self.passes);
        let change = if mv == PASS { PASSES[passes + 1] } else { OPEN[usize::from(mv)] };
        key ^ SECOND_MOVES ^ PASSES[passes] ^ change
    }

    #[inline]
    fn slots(&self) -> usize {
        usize::from(PASS) + 1
    }

    #[inline]
    fn slot(&self, mv: Point) -> usize {
        usize::from(mv)
    }

    #[inline]
    fn count_moves(&self, _: &mut Vec<Point>) -> usize {
        self.legal().iter().map(|kind| kind.count() as usize).sum::<usize>() + 1
    }

    #[inline]
    fn random_move(&self, rng: &mut Rng, _: &mut Vec<Point>) -> Point {
        let points = self.legal().into_iter().fold(0, |points, kind| points | kind);
        let n = rng.below(points.count() + 1);
        if n == points.count() { PASS } else { points.nth(n) as Point }
    }

    /// Points of one kind are interchangeable: the lowest ones stay open. These symmetries are too
    /// many to be listed by [`Position::transformed`].
    #[inline]
    fn canonical(&self) -> Self {
        let open = (0..3).fold(0, |open, kind| open | points(kind, self.open(kind).count()));
        Race { open, ..*self }
    }

    #[inline]
    fn canonical_key(&self, _: Key) -> Key {
        self.canonical().key()
    }
}

impl Seki {
    /// The game with these parameters.
    ///
    /// # Panics
    /// If a string has no liberty or a kind of points has more than [`LARGEST`].
    pub fn new(setup: Setup) -> Self {
        let Setup { max, min, shared } = setup;
        assert!(max.max(min).max(shared) <= LARGEST, "{setup:?}: too many liberties");
        assert!(max + shared > 0 && min + shared > 0, "{setup:?}: a string without liberty");
        Seki { setup }
    }

    /// The name of a point as `mover` sees it.
    fn point_name(&self, mover: Player, point: u32) -> String {
        let (kind, number) = ((point / LARGEST) as usize, point % LARGEST + 1);
        let letter = match kind {
            SHARED => 's',
            _ if kind == outside(mover) => 'm',
            _ => 'o',
        };
        format!("{letter}{number}")
    }

    /// Which liberty of its kind lies on a column of the picture: the first columns hold the
    /// liberties, but the last shared one lies at the right end, as on the board of the paper.
    fn liberty(&self, kind: usize, column: u32, width: u32) -> Option<u32> {
        let count = self.setup.counts()[kind];
        let at_the_end = u32::from(kind == SHARED && count > 0);
        let number = if column < count - at_the_end {
            column
        } else if column + at_the_end == width {
            count - 1
        } else {
            return None;
        };
        Some(kind as u32 * LARGEST + number)
    }
}

const SIDES: [&str; 2] = ["max", "min"];

impl Game for Seki {
    type Pos = Race;

    fn name(&self) -> String {
        let Setup { max, min, shared } = self.setup;
        if shared == 2 { format!("seki:{max},{min}") } else { format!("seki:{max},{min},{shared}") }
    }

    fn start(&self) -> Race {
        let counts = self.setup.counts();
        let open = (0..3).fold(0, |open, kind| open | points(kind, counts[kind]));
        Race { open, mover: Player::First, passes: 0 }
    }

    fn parse(&self, text: &str) -> Result<Race, TextError> {
        let widths = self.setup.counts().map(|count| count as usize);
        let read = text::position(text, &widths, ".#", SIDES)?.at_most(2, text)?;
        let mut pos = self.start();
        for (kind, rank) in read.ranks.iter().enumerate() {
            for (n, _) in rank.iter().enumerate().filter(|(_, letter)| **letter == '#') {
                pos.open ^= u64::bit(kind as u32 * LARGEST + n as u32);
            }
        }
        pos.mover = if read.fields[0] == SIDES[0] { Player::First } else { Player::Second };
        if let Some(passes) = read.fields.get(1) {
            let passes = text::number(passes, 2);
            pos.passes = passes.ok_or_else(|| bad_position(text, "the passes in a row are 0, 1 or 2"))? as u8;
        }
        let [mine, theirs] = [pos.mover, !pos.mover].map(|player| pos.liberties(player));
        let wrong = if pos.open == self.start().open && pos.mover.index() != usize::from(pos.passes % 2) {
            "Max moves first"
        } else if theirs == 0 && mine > 0 {
            "the side that has just moved has no liberty"
        } else if theirs == 0 && self.setup.shared == 0 {
            "both strings have no liberty, and none was shared"
        } else if mine == 0 && pos.passes > 0 {
            "nobody can pass after a capture"
        } else {
            return Ok(pos);
        };
        Err(bad_position(text, wrong))
    }

    fn show(&self, pos: &Race) -> String {
        let counts = self.setup.counts();
        let letter = |point| if pos.open.has(point) { '.' } else { '#' };
        let rank = |kind: usize| (0..counts[kind]).map(|n| letter(kind as u32 * LARGEST + n)).collect();
        text::show((0..3).map(rank), &format!("{} {}", SIDES[pos.mover.index()], pos.passes))
    }

    fn show_move(&self, pos: &Race, mv: Point) -> String {
        if mv == PASS { "pass".to_owned() } else { self.point_name(pos.mover, mv.into()) }
    }

    fn has_fixed_texts(&self) -> bool {
        true
    }

    fn side(&self, player: Player) -> &'static str {
        ["Max", "Min"][player.index()]
    }

    /// The board of the paper. Who filled a point is not stored, so it is shown as `#`; captured
    /// stones stay.
    fn view(&self, pos: &Race) -> View {
        let width = self.setup.counts().into_iter().fold(3, u32::max);
        let mut view = View { named: true, ..View::default() };
        for y in 0..9 {
            // From the bottom: a wall of Max with two eyes, Min's string below the shared points,
            // the same mirrored.
            let (player, kind) = match y {
                0 | 1 => (Player::First, None),
                2 => (Player::Second, Some(outside(Player::Second))),
                3 => (Player::Second, None),
                4 => (Player::First, Some(SHARED)),
                5 => (Player::First, None),
                6 => (Player::First, Some(outside(Player::First))),
                _ => (Player::Second, None),
            };
            for column in 0..width {
                let eye = (y == 0 || y == 8) && (column == 0 || column + 1 == width);
                let point = kind.and_then(|kind| self.liberty(kind, column, width));
                let (symbol, owner) = match point {
                    Some(point) if pos.open.has(point) => ('.', None),
                    Some(_) => ('#', None),
                    None if eye => ('.', None),
                    None => (['X', 'O'][player.index()], Some(player)),
                };
                let name = point.map_or(String::new(), |point| self.point_name(pos.mover, point));
                view.cells.push(Cell { name, x: 2 * column as i16, y, symbol, owner });
            }
        }
        let [max, shared, min] = [0, 1, 2].map(|kind| pos.open(kind).count());
        view.notes.push(format!("open liberties: Max {max}, Min {min}, shared {shared}"));
        if pos.passes > 0 {
            view.notes.push(format!("passes in a row: {}", pos.passes));
        }
        if pos.liberties(pos.mover) == 0 {
            view.notes.push(format!("the string of {} is captured", self.side(pos.mover)));
        }
        view
    }
}

#[cfg(test)]
mod tests;
