//! What can be checked of positions without names and pictures.

use crate::{Key, Move, Player, Position, Rng, Score, guard, perft};
use std::cell::Cell;
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet, VecDeque};
use std::rc::Rc;

/// This many moves are visited from the start, and a tenth of them from a random position of each
/// game.
const LOOKED_AT: usize = 20_000;
/// This many moves are listed to find some that take others back.
const LISTED: usize = 200_000;
/// Where positions can repeat, random games are abandoned after this many moves.
const LONG_GAME: usize = 10_000;
/// A playout of this many moves counts as endless.
const ENDLESS: usize = 1_000_000;
/// The bits of a key that every table compares; of the others some only choose a place.
const COMPARED: Key = !0 << 64 | 0xff00;

/// Checks everything from `start` on; `also` is called with the positions of random games.
pub fn check<P: Position>(start: &P, games: usize, rng: &mut Rng, also: &mut impl FnMut(&P)) {
    let mut met = Met::new();
    let root = met.meet(start.clone());
    met.explore(root, LOOKED_AT, rng);
    met.take_back(root, rng);
    met.check_acyclic();
    for _ in 0..games {
        let line = met.play(root, rng, also);
        let somewhere = line[rng.below(line.len() as u32) as usize];
        met.explore(somewhere, LOOKED_AT / 10, rng);
        met.take_back(somewhere, rng);
    }
    met.check_acyclic();
}

/// All positions met so far, by number, and what is known of the moves between them.
pub struct Met<P: Position> {
    all: Vec<Rc<P>>,
    numbers: HashMap<Rc<P>, usize>,
    /// Positions that are not over by the bits of their keys that tables compare.
    keys: HashMap<Key, usize>,
    /// The moves of positions that were looked at, and where they lead.
    ways: Vec<Vec<(P::Move, usize)>>,
    /// The codes of moves.
    codes: HashMap<P::Move, u32>,
}

impl<P: Position> Met<P> {
    /// No positions yet.
    pub fn new() -> Self {
        Met {
            all: Vec::new(),
            numbers: HashMap::new(),
            keys: HashMap::new(),
            ways: Vec::new(),
            codes: HashMap::new(),
        }
    }

    /// The number of a position. A new one is compared with all others.
    pub fn meet(&mut self, pos: P) -> usize {
        let key = pos.key();
        if let Some(&known) = self.numbers.get(&pos) {
            let same = self.all[known].key() == key;
            assert!(
                same,
                "{pos:?}: equal positions have two keys: `key()` may depend only on what `==` compares"
            );
            return known;
        }
        let (number, range) = (self.all.len(), pos.range());
        assert!(range.pess <= range.opti, "{pos:?}: `range()` is upside down: {range}");
        if let Some(score) = pos.outcome() {
            let inside = range.contains(score);
            assert!(
                inside,
                "{pos:?}: `range()` says {range}, but the game can end with {score}: override `range()`"
            );
        } else {
            match self.keys.entry(key & COMPARED) {
                Entry::Vacant(place) => _ = place.insert(number),
                Entry::Occupied(known) => check_keys(&*self.all[*known.get()], &pos),
            }
        }
        let pos = Rc::new(pos);
        self.numbers.insert(Rc::clone(&pos), number);
        self.all.push(pos);
        self.ways.push(Vec::new());
        number
    }

    /// Checks the moves of a position and adds the positions after them, unless that was done
    /// before.
    fn look(&mut self, number: usize, rng: &mut Rng) {
        let pos = Rc::clone(&self.all[number]);
        if pos.outcome().is_some() || !self.ways[number].is_empty() {
            return;
        }
        let (moves, key, range) = (checked_moves(&*pos, rng), pos.key(), pos.range());
        for mv in moves {
            let (code, first) = (mv.code(), *self.codes.entry(mv).or_insert_with(|| mv.code()));
            assert_eq!(
                code, first,
                "{pos:?}, move {mv:?}: its `code()` changes: checkpoints hold codes, so it may only depend on the move"
            );
            let (mut played, next) = (P::clone(&pos), pos.after(mv));
            played.play(mv);
            assert_eq!(played, next, "{pos:?}, move {mv:?}: `after()` leads elsewhere than `play()`");
            let known = pos.key_after(key, mv);
            assert_eq!(
                known,
                next.key(),
                "{pos:?}, move {mv:?}: `key_after()` is not the `key()` after the move"
            );
            let grown = next.range();
            assert!(
                range.encloses(grown),
                "{pos:?}, move {mv:?}: `range()` grows from {range} to {grown}: it may only shrink"
            );
            // Searches ask the root about the moves of all positions below it.
            let (here, at_root) = (pos.slot(mv), self.all[0].slot(mv));
            assert!(
                pos.slots() == 0 || here == at_root,
                "{pos:?}, move {mv:?}: its `slot()` is {here}, at the start {at_root}: it may only depend on the move"
            );
            let to = self.meet(next);
            self.ways[number].push((mv, to));
        }
    }

    /// Visits positions from `start` on until `most` moves were visited: in turn the oldest one,
    /// which finds all that is near, and the newest one, which leads to the ends of games.
    fn explore(&mut self, start: usize, most: usize, rng: &mut Rng) {
        let (mut open, mut seen) = (VecDeque::from([start]), HashSet::from([start]));
        let (mut looked_at, mut newest) = (0, false);
        while looked_at < most
            && let Some(number) = if newest { open.pop_back() } else { open.pop_front() }
        {
            self.look(number, rng);
            looked_at += self.ways[number].len();
            open.extend(self.ways[number].iter().map(|way| way.1).filter(|&to| seen.insert(to)));
            newest = !newest;
        }
    }

    /// Looks for two moves that the next two take back, as pieces do that move back and forth:
    /// random games with many other moves rarely contain such a cycle. A move is taken back by the
    /// same move again, or by one that it has made legal.
    fn take_back(&mut self, number: usize, rng: &mut Rng) {
        let pos = Rc::clone(&self.all[number]);
        if pos.repeats() || pos.outcome().is_some() {
            return;
        }
        let listed = Cell::new(0);
        let legal = |pos: &P| {
            let mut moves = Vec::new();
            if pos.outcome().is_none() {
                pos.moves(&mut moves);
            }
            listed.set(listed.get() + moves.len());
            moves
        };
        let backs = |pos: &P, made: P::Move, before: &HashSet<P::Move>| {
            legal(pos).into_iter().filter(|mv| *mv == made || !before.contains(mv)).collect::<Vec<_>>()
        };
        let moves = legal(&pos);
        let before: HashSet<_> = moves.iter().copied().collect();
        let first = rng.below(moves.len() as u32) as usize;
        for &mv in moves[first..].iter().chain(&moves[..first]) {
            let one = pos.after(mv);
            let listed_replies = legal(&one);
            let replies: HashSet<_> = listed_replies.iter().copied().collect();
            for reply in listed_replies {
                let two = one.after(reply);
                for third in backs(&two, mv, &before).into_iter().map(|mv| two.after(mv)) {
                    if backs(&third, reply, &replies).into_iter().any(|mv| third.after(mv) == *pos) {
                        for next in [P::clone(&pos), one, two, third] {
                            let number = self.meet(next);
                            self.look(number, rng);
                        }
                        return;
                    }
                }
                if listed.get() >= LISTED {
                    return;
                }
            }
        }
    }

    /// Plays a random game and checks all its positions, whose numbers it returns; `also` is called
    /// with each.
    pub fn play(&mut self, start: usize, rng: &mut Rng, also: &mut impl FnMut(&P)) -> Vec<usize> {
        let mut line = vec![start];
        let mut number = start;
        loop {
            let pos = Rc::clone(&self.all[number]);
            check_symmetry(&*pos);
            if pos.outcome().is_none() {
                self.look(number, rng);
                check_playouts(&*pos, rng);
                check_number(&*pos);
            }
            also(&pos);
            if pos.outcome().is_some() || pos.repeats() && line.len() > LONG_GAME {
                return line;
            }
            if !pos.repeats() && line.len() > guard::MOST_PLIES {
                self.check_acyclic();
                let most = guard::MOST_PLIES;
                panic!("{pos:?}: a game of more than {most} plies is too deep for searches that recurse");
            }
            let mv = pos.random_move(rng, &mut Vec::new());
            let way = self.ways[number].iter().find(|way| way.0 == mv);
            number =
                way.unwrap_or_else(|| panic!("{pos:?}: `random_move()` gave {mv:?}, which is not legal")).1;
            line.push(number);
        }
    }

    /// Checks that no line of play among the visited moves repeats a position, unless positions can
    /// repeat.
    pub fn check_acyclic(&self) {
        #[derive(Copy, Clone, PartialEq)]
        enum State {
            New,
            OnPath,
            Done,
        }
        let mut states = vec![if self.all[0].repeats() { State::Done } else { State::New }; self.all.len()];
        for start in 0..states.len() {
            let mut path = Vec::new();
            if states[start] == State::New {
                states[start] = State::OnPath;
                path.push((start, 0));
            }
            while let Some((number, next)) = path.last_mut() {
                let Some(&(_, to)) = self.ways[*number].get(*next) else {
                    states[*number] = State::Done;
                    path.pop();
                    continue;
                };
                *next += 1;
                if states[to] == State::New {
                    states[to] = State::OnPath;
                    path.push((to, 0));
                } else if states[to] == State::OnPath {
                    let circle = path.iter().skip_while(|step| step.0 != to);
                    let moves: Vec<_> = circle.map(|&(from, next)| self.ways[from][next - 1].0).collect();
                    panic!(
                        "{:?}: comes again after the moves {moves:?}, but `repeats()` is false",
                        self.all[to]
                    );
                }
            }
        }
    }
}

/// Checks two positions that are not over and whose keys agree in the bits that tables compare.
fn check_keys<P: Position>(a: &P, b: &P) {
    let both = || format!("{a:?} and {b:?}");
    assert!(
        a != b,
        "{}: equal positions have two hashes: `Hash` may depend only on what `==` compares",
        both()
    );
    let (key, other) = (a.key(), b.key());
    assert!(
        key == other,
        "{}: the keys {key:#x} and {other:#x} differ too little for tables: make `key()` with `zobrist` or `mix`",
        both()
    );
    assert!(
        a.turn() == b.turn(),
        "{}: the same key, but another mover: `key()` must depend on `turn()`",
        both()
    );
    assert!(a.repeats(), "{}: the same key: `key()` must depend on all that `==` compares", both());
    let (mut moves, mut others) = (Vec::new(), Vec::new());
    a.moves(&mut moves);
    b.moves(&mut others);
    assert!(moves == others, "{}: the same key, but other moves: `key()` must depend on them", both());
}

/// The moves of a position that is not over, after checks of everything that lists, counts or draws
/// them.
fn checked_moves<P: Position>(pos: &P, rng: &mut Rng) -> Vec<P::Move> {
    let mut moves = Vec::new();
    pos.moves(&mut moves);
    assert!(
        !moves.is_empty(),
        "{pos:?}: `moves()` gives none, but `outcome()` says that the game is not over"
    );
    // The caller's list may hold moves already: here the same one twice, which no list of moves
    // has.
    let mut list = vec![moves[0]; 2];
    pos.moves(&mut list);
    assert!(list.starts_with(&[moves[0]; 2]), "{pos:?}: `moves()` must append");
    assert_eq!(list[2..], moves, "{pos:?}: the order of `moves()` changes");
    let unique: HashSet<_> = moves.iter().collect();
    assert_eq!(unique.len(), moves.len(), "{pos:?}: `moves()` gives a move twice: {moves:?}");
    let before = list.clone();
    assert_eq!(
        pos.count_moves(&mut list),
        moves.len(),
        "{pos:?}: `count_moves()` is wrong, there are {moves:?}"
    );
    assert_eq!(list, before, "{pos:?}: `count_moves()` must leave the list as it was");
    let drawn = pos.random_move(rng, &mut list);
    assert!(moves.contains(&drawn), "{pos:?}: `random_move()` gave {drawn:?}, which is not legal");
    assert_eq!(list, before, "{pos:?}: `random_move()` must leave the list as it was");
    for &mv in &moves {
        let back = P::Move::from_code(mv.code());
        assert_eq!(back, mv, "{pos:?}: `Move::from_code` makes another move of the code of {mv:?}");
        let (slot, slots) = (pos.slot(mv), pos.slots());
        assert!(slots == 0 || slot < slots, "{pos:?}: the `slot()` of {mv:?} is {slot}, there are {slots}");
    }
    moves
}

/// Checks the number of a position that is not over, if it has one: whatever does not depend on the history can be read back. So
/// positions whose keys differ have different numbers.
fn check_number<P: Position>(pos: &P) {
    assert!(
        pos.repeats() || !pos.has_repeated(),
        "{pos:?}: `has_repeated()` is true, but `repeats()` is false"
    );
    let Some(number) = pos.packed() else { return };
    let plain = pos.unpacked(number);
    assert!(pos.repeats() || plain == *pos, "{pos:?}: `unpacked()` makes {plain:?} of its number");
    assert_eq!(plain.outcome(), None, "{pos:?}: `unpacked()` makes a position of its number that is over");
    assert_eq!(plain.packed(), Some(number), "{pos:?}: `unpacked()` makes a position with another number");
    assert_eq!(plain.turn(), pos.turn(), "{pos:?}: `unpacked()` makes a position with another mover");
    assert_eq!(plain.key(), pos.key(), "{pos:?}: `unpacked()` makes a position with another `key()`");
    assert!(!plain.has_repeated(), "{pos:?}: `unpacked()` makes a position with a history");
    let (mut moves, mut others) = (Vec::new(), Vec::new());
    pos.moves(&mut moves);
    plain.moves(&mut others);
    assert_eq!(others, moves, "{pos:?}: `unpacked()` makes a position with other moves");
    for mv in moves {
        let (next, end) = (plain.after(mv), pos.after(mv).outcome());
        assert!(
            next.outcome() == end || next.outcome().is_none() && end == Some(Score::DRAW),
            "{pos:?}, move {mv:?}: it ends with {end:?}, without the history with {:?}: the history may only make draws",
            next.outcome()
        );
    }
}

fn check_symmetry<P: Position>(pos: &P) {
    assert_eq!(pos.transformed(0), *pos, "{pos:?}: `transformed(0)` is another position");
    let canonical = pos.canonical();
    let key = pos.canonical_key(pos.key());
    assert_eq!(key, canonical.key(), "{pos:?}: `canonical_key()` is not the key of `canonical()`");
    for symmetry in 0..pos.symmetries() {
        let image = pos.transformed(symmetry);
        let what = format_args!("`transformed({symmetry})`");
        if !pos.repeats() {
            assert_eq!(image.canonical(), canonical, "{pos:?}: {what} has another `canonical()`");
        } else {
            // A board that is its own mirror image may have a history that is not.
            let key = image.canonical().key();
            assert_eq!(key, canonical.key(), "{pos:?}: {what} has another canonical key");
        }
        assert_eq!(image.outcome(), pos.outcome(), "{pos:?}: {what} has another outcome");
        if pos.outcome().is_none() {
            assert_eq!(image.turn(), pos.turn(), "{pos:?}: {what} has another mover");
            assert_eq!(perft(&image, 2), perft(pos, 2), "{pos:?}: {what} has other moves");
        }
    }
}

fn check_playouts<P: Position>(pos: &P, rng: &mut Rng) {
    check_playout(pos, "playout()", |end, buf, trace| end.playout(rng, buf, &mut |who, mv| trace(who, mv)));
}

/// Replays what a playout from `pos` has done.
pub fn check_playout<P: Position>(
    pos: &P,
    name: &str,
    playout: impl FnOnce(&mut P, &mut Vec<P::Move>, &mut dyn FnMut(Player, P::Move)) -> Score,
) {
    let (mut end, mut line, mut buf) = (pos.clone(), Vec::new(), Vec::new());
    let score = playout(&mut end, &mut buf, &mut |mover, mv| {
        line.push((mover, mv));
        assert!(
            line.len() < ENDLESS,
            "{pos:?}: `{name}` has made {ENDLESS} moves and goes on: does the game end?"
        );
    });
    assert!(buf.is_empty(), "{pos:?}: `{name}` must leave the list as it was");
    let mut replayed = pos.clone();
    for (mover, mv) in line {
        assert_eq!(replayed.outcome(), None, "{pos:?}: `{name}` goes on after the end, at {replayed:?}");
        assert_eq!(replayed.turn(), mover, "{pos:?}: `{name}` names the wrong mover at {replayed:?}");
        replayed.moves(&mut buf);
        assert!(buf.contains(&mv), "{pos:?}: `{name}` plays {mv:?} at {replayed:?}, which is not legal");
        buf.clear();
        replayed.play(mv);
    }
    assert_eq!(replayed, end, "{pos:?}: `{name}` ends elsewhere than its moves lead");
    assert_eq!(end.outcome(), Some(score), "{pos:?}: `{name}` returns the wrong score");
}
