//! Cannon (David E. Whitcher, 2003): take the enemy's town.
//!
//! ```text
//! 10  . . . . . W . . . .      B is First and moves up. In their first turn the players put their
//!  9  w . w . w . w . w .      towns on their back rows, not on a corner: Td1. Then soldiers move:
//!  8  w . w . w . w . w .      d4-e5  one point forward or diagonally forward to an empty point;
//!  7  w . w . w . w . w .      d4xe5  captures a soldier or town one point forward, diagonally
//!  6  . . . . . . . . . .             forward or sideways;
//!  5  . . . . . . . . . .      d6rd4  retreats two points backward, straight or diagonally, both
//!  4  . b . b . b . b . b             empty, if an enemy soldier is on one of the eight points around.
//!  3  . b . b . b . b . b      Three own soldiers in a row in any of 8 directions are a cannon:
//!  2  . b . b . b . b . b      d2sd5  the rear one slides to the empty point before the front one;
//!  1  . . . B . . . . . .      d4*d6  a shot: the point before the front one is empty, the enemy piece
//!     a b c d e f g h i j             on the next point, or on the one after it if the next is empty
//!                                     too, is removed.
//! ```
//!
//! Taking the town wins at once; a player without a move has lost. The third occurrence of a
//! position with the same player to move is a draw; see [`ReversibleMoves`] for what is remembered.
//! `corners=yes` allows towns on corners, `overshoot=yes` lets a shot at the third point pass over
//! a piece on the second, `mate=yes` forbids moves after which the opponent could take the mover's
//! town. The board is 10x10.

mod hints;
mod notation;
mod pieces;
mod playout;
#[cfg(test)]
mod tests;

/// What kind of move it is follows from the distance and from what is on the point it goes to.
/// Towns are put where both points are the same.
pub use crate::board::Step;
use crate::board::text::bad_parameters;
use crate::board::{Packing, ReversibleMoves, Word, ends};
use pieces::{BOARD, CORNERS, POINTS, Pieces, SIZE, back_row, mirrored};
use playout::Groups;
use proofplay_core::{Family, GameVisitor, Key, Player, Position, Rng, Score, TextError, zobrist};

/// The parameters.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Setup {
    /// Towns may be on corners.
    pub corners: bool,
    /// Shots may pass over a piece on the second point.
    pub overshoot: bool,
    /// No move may leave the own town where it can be taken.
    pub mate: bool,
}

impl Setup {
    /// Reads `corners=yes|no`, `overshoot=yes|no` and `mate=yes|no` in any order, separated by
    /// commas; each is `no` by default.
    pub fn parse(parameters: &str) -> Result<Setup, TextError> {
        let (mut setup, mut named) = (Setup::default(), Vec::new());
        for option in parameters.split(',').filter(|_| !parameters.is_empty()) {
            let wrong = || {
                bad_parameters(
                    parameters,
                    "the options are corners=yes|no, overshoot=yes|no and mate=yes|no, each once",
                )
            };
            let (name, choice) = option.split_once('=').ok_or_else(wrong)?;
            let field = match name {
                "corners" => &mut setup.corners,
                "overshoot" => &mut setup.overshoot,
                "mate" => &mut setup.mate,
                _ => return Err(wrong()),
            };
            *field = match choice {
                "yes" => true,
                "no" => false,
                _ => return Err(wrong()),
            };
            if named.contains(&name) {
                return Err(wrong());
            }
            named.push(name);
        }
        Ok(setup)
    }
}

impl Family for Setup {
    const NAME: &str = "cannon";
    const PARAMETERS: &str = "[corners=yes|no][,overshoot=yes|no][,mate=yes|no], default no each";
    const EXAMPLE: &str = "";
    const RULES: &str =
        "soldiers step, capture and retreat, three in a row shoot; taking the enemy's town wins";
    const FULL_RULES: &str = include_str!("../rules/cannon.md");
    const LINE: &str = "Td1 Te10";
    const VARIED: &[&str] = &["corners=yes,overshoot=yes", "mate=yes"];

    fn build<V: GameVisitor>(parameters: &str, visitor: V) -> Result<V::Out, TextError> {
        Ok(visitor.visit(Cannon::new(Setup::parse(parameters)?)))
    }
}

/// The game.
#[derive(Clone, Debug)]
pub struct Cannon {
    setup: Setup,
}

/// How many reversible moves a position remembers.
const REMEMBERED: usize = 128;

/// A position: 336 bytes, most of them history.
///
/// [`Position::key`] is that of pieces and mover alone, though the value may depend on the history.
/// Therefore [`Position::repeats`] is true, and searches with tables refuse the game. Equality and
/// hash include the history.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Board {
    pieces: Pieces,
    mover: Player,
    setup: Setup,
    /// A town is taken, or this position occurs for the third time. A player who cannot move has
    /// lost, too, but that is not stored.
    end: Option<Score>,
    /// The moves without capture since the last capture or town.
    history: ReversibleMoves<REMEMBERED>,
}

impl Board {
    /// Where the mover may put the town; nothing if that is done.
    #[inline]
    fn sites(&self) -> u128 {
        if self.pieces.towns[self.mover.index()] != 0 {
            return 0;
        }
        let row = back_row(self.mover) & self.pieces.empty();
        if self.setup.corners { row } else { row & !CORNERS }
    }

    /// All moves of the mover, those that `mate` forbids included.
    #[inline]
    fn groups(&self) -> Groups {
        let mut groups = Groups::default();
        groups.collect(self);
        groups
    }

    /// Whether `mate` allows a move.
    #[inline]
    fn is_allowed(&self, mv: Step) -> bool {
        if !self.setup.mate {
            return true;
        }
        let (mut pieces, (from, to)) = (self.pieces, ends(mv));
        pieces.play(self.mover, from, to);
        !pieces.can_take_town(!self.mover, self.setup.overshoot)
    }

    /// The moves of the mover.
    #[inline]
    fn each_move(&self) -> impl Iterator<Item = Step> {
        self.groups().into_moves().filter(|&mv| self.is_allowed(mv))
    }

    /// Whether the mover has a move.
    #[inline]
    fn can_move(&self) -> bool {
        !self.setup.mate && self.pieces.can_step(self.mover) || self.each_move().next().is_some()
    }

    /// Plays a move. Only with `check` is a third occurrence of the position noticed.
    #[inline]
    fn apply(&mut self, mv: Step, check: impl FnOnce() -> bool) {
        let ((from, to), mover) = (ends(mv), self.mover);
        let irreversible = from == to || self.pieces.of(!mover).has(to);
        let had_town = self.pieces.towns[(!mover).index()] != 0;
        self.pieces.play(mover, from, to);
        self.mover = !mover;
        if irreversible {
            self.history.clear();
            if had_town && self.pieces.towns[(!mover).index()] == 0 {
                self.end = Some(Score::win_of(mover));
            }
            return;
        }
        self.history.push(from as u8, to as u8);
        if check() && self.history.recurrences::<u128>() >= 2 {
            self.end = Some(Score::DRAW);
        }
    }
}

/// Numbers of positions have a bit for each point of the board.
const PACKING: Packing = Packing { rest: 1, cells: SIZE * SIZE };

/// Soldiers and towns, by player and point.
static SOLDIERS: [[Key; 128]; 2] = [zobrist(60), zobrist(61)];
static TOWNS: [[Key; 128]; 2] = [zobrist(62), zobrist(63)];
static SECOND_MOVES: Key = zobrist::<1>(64)[0];

impl Position for Board {
    type Move = Step;

    #[inline]
    fn turn(&self) -> Player {
        self.mover
    }

    #[inline]
    fn outcome(&self) -> Option<Score> {
        self.end.or_else(|| (!self.can_move()).then(|| Score::win_of(!self.mover)))
    }

    #[inline]
    fn moves(&self, out: &mut Vec<Step>) {
        out.extend(self.each_move());
    }

    #[inline]
    fn play(&mut self, mv: Step) {
        debug_assert!(self.end.is_none(), "the game is over");
        debug_assert!(self.each_move().any(|legal| legal == mv));
        self.apply(mv, || true);
    }

    fn key(&self) -> Key {
        let keys = |set: u128, keys: &[Key; 128]| set.cells().fold(0, |key, at| key ^ keys[at as usize]);
        let turn = if self.mover == Player::Second { SECOND_MOVES } else { 0 };
        [0, 1].into_iter().fold(turn, |key, player| {
            key ^ keys(self.pieces.soldiers[player], &SOLDIERS[player])
                ^ keys(self.pieces.towns[player], &TOWNS[player])
        })
    }

    #[inline]
    fn key_after(&self, key: Key, mv: Step) -> Key {
        let (from, to) = ends(mv);
        let (own, enemy) = (self.mover.index(), (!self.mover).index());
        let key = key ^ SECOND_MOVES;
        if from == to {
            return key ^ TOWNS[own][to as usize];
        }
        let moved = SOLDIERS[own][from as usize] ^ SOLDIERS[own][to as usize];
        let gone = if self.pieces.soldiers[enemy].has(to) {
            SOLDIERS[enemy][to as usize]
        } else if self.pieces.towns[enemy].has(to) {
            TOWNS[enemy][to as usize]
        } else {
            return key ^ moved;
        };
        if pieces::distance(from, to) > 1 { key ^ gone } else { key ^ gone ^ moved }
    }

    /// The mover, the pieces, and by piece whether it is of Second and whether it is a town: up to 13 pieces.
    fn packed(&self) -> Option<u128> {
        let dense =
            |set: u128| set.cells().map(pieces::place).fold(0, |set, (c, r)| set | 1 << (r * SIZE + c));
        let Pieces { soldiers: [first, second], towns: [town, other_town] } = self.pieces;
        let (second, towns) = (second | other_town, town | other_town);
        PACKING.pack(self.mover.index() as u32, dense(first | town | second), [dense(second), dense(towns)])
    }

    fn unpacked(&self, number: u128) -> Self {
        let (mover, occupied, [second, towns]) = PACKING.unpack(number);
        let points = |set: u128| {
            set.cells().fold(0, |set, cell| set | u128::bit(pieces::point(cell % SIZE, cell / SIZE)))
        };
        let sides = [occupied ^ second, second];
        Board {
            pieces: Pieces {
                soldiers: sides.map(|side| points(side & !towns)),
                towns: sides.map(|side| points(side & towns)),
            },
            mover: Player::BOTH[mover as usize],
            end: None,
            history: ReversibleMoves::default(),
            ..*self
        }
    }

    fn has_repeated(&self) -> bool {
        self.history.has_repeated()
    }

    /// From and to.
    #[inline]
    fn slots(&self) -> usize {
        POINTS * POINTS
    }

    #[inline]
    fn slot(&self, mv: Step) -> usize {
        let (from, to) = ends(mv);
        from as usize * POINTS + to as usize
    }

    #[inline]
    fn count_moves(&self, _: &mut Vec<Step>) -> usize {
        if self.setup.mate { self.each_move().count() } else { self.groups().count() as usize }
    }

    #[inline]
    fn random_move(&self, rng: &mut Rng, buf: &mut Vec<Step>) -> Step {
        Groups::default().draw(self, rng, buf).expect("a game that is not over has a move")
    }

    #[inline]
    fn playout(&mut self, rng: &mut Rng, buf: &mut Vec<Step>, trace: &mut impl FnMut(Player, Step)) -> Score {
        playout::playout(self, rng, buf, trace)
    }

    /// Up and down are different, left and right are not.
    #[inline]
    fn symmetries(&self) -> usize {
        2
    }

    fn transformed(&self, symmetry: usize) -> Self {
        if symmetry == 0 {
            return self.clone();
        }
        let image = |set: u128| set.cells().fold(0, |image, at| image | u128::bit(mirrored(at)));
        let Pieces { soldiers, towns } = self.pieces;
        Board {
            pieces: Pieces { soldiers: soldiers.map(image), towns: towns.map(image) },
            history: self.history.transformed(mirrored),
            ..*self
        }
    }
}

/// Every other column, and three rows each.
fn first_soldiers() -> [u128; 2] {
    let of = |columns: u32, row: u32| {
        let points = (row..row + 3).flat_map(|r| (columns..pieces::SIZE).step_by(2).map(move |c| (c, r)));
        points.fold(0, |set, (c, r)| set | u128::bit(pieces::point(c, r)))
    };
    let soldiers = [of(1, 1), of(0, 6)];
    debug_assert!((soldiers[0] | soldiers[1]) & !BOARD == 0);
    soldiers
}
