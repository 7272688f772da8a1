//! One toy game, and what the checks say of it when it breaks a promise.

use super::{check_extras, check_position, positions};
use crate::{Bounds, Extras, Facts, Hints, Key, Move, Player, Position, Rng, Score, mix};
use std::hash::{Hash, Hasher};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Take one or two from one of two piles; taking the last one wins. `flaw` breaks one promise.
#[derive(Clone, Debug)]
struct Piles<const REPEATS: bool> {
    left: [u16; 2],
    mover: Player,
    flaw: &'static str,
    /// Moves made so far, which should not matter.
    made: u32,
}

/// From which pile, and how many.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
struct Take(u8, u8);

/// Stands for a move that is never legal, and whose code is wrong.
const WRONG: Take = Take(9, 9);
/// Stands for putting one back on the first pile.
const PUT_BACK: Take = Take(0, 0);

impl Move for Take {
    fn code(self) -> u32 {
        u32::from(self.0 * 10 + self.1)
    }
    fn from_code(code: u32) -> Take {
        // No flaw takes three, but one.
        Take(code as u8 / 10, (code as u8 % 10).min(2))
    }
}

impl<const REPEATS: bool> PartialEq for Piles<REPEATS> {
    fn eq(&self, other: &Self) -> bool {
        (self.left, self.mover) == (other.left, other.mover)
    }
}
impl<const REPEATS: bool> Eq for Piles<REPEATS> {}

impl<const REPEATS: bool> Hash for Piles<REPEATS> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.left, self.mover).hash(state);
        if self.flaw == "hash" {
            self.made.hash(state);
        }
    }
}

impl<const REPEATS: bool> Piles<REPEATS> {
    fn has(&self, flaw: &str) -> bool {
        self.flaw == flaw
    }

    fn legal(&self) -> Vec<Take> {
        let all = [Take(0, 1), Take(0, 2), Take(0, 3), Take(1, 1), Take(1, 2)];
        let most = |pile: u8| self.left[usize::from(pile)].min(if self.has("codes") { 3 } else { 2 });
        let mut moves: Vec<Take> =
            all.into_iter().filter(|&Take(pile, taken)| u16::from(taken) <= most(pile)).collect();
        let put_back = match self.flaw {
            "repeats" => self.left == [1, 1],
            // The last one is never taken.
            "never ends" => {
                moves.retain(|take| u16::from(take.1) < self.left[0] + self.left[1]);
                self.left[0] + self.left[1] == 1
            }
            _ => false,
        };
        moves.extend(put_back.then_some(PUT_BACK));
        moves
    }

    fn run(&mut self, flaw: &str, buf: &mut Vec<Take>, trace: &mut impl FnMut(Player, Take)) -> Score {
        let begin = self.clone();
        while self.outcome().is_none() {
            let mv = self.legal()[0];
            let (wrong_mover, wrong_move) = (flaw == "playout mover", flaw == "playout move");
            trace(if wrong_mover { !self.mover } else { self.mover }, if wrong_move { WRONG } else { mv });
            self.play(mv);
        }
        match flaw {
            "playout list" => buf.push(WRONG),
            "playout end" => *self = begin.clone(),
            "playout on" => trace(self.mover, Take(0, 1)),
            _ => (),
        }
        let score = Score::win_of(!self.mover);
        if flaw == "playout score" { -score } else { score }
    }
}

impl<const REPEATS: bool> Position for Piles<REPEATS> {
    type Move = Take;
    fn packed(&self) -> Option<u128> {
        let mover = if self.has("number without the mover") { 0 } else { self.mover.index() as u128 };
        Some(u128::from(self.left[0]) << 17 | u128::from(self.left[1]) << 1 | mover)
    }
    fn unpacked(&self, number: u128) -> Self {
        let lost = u16::from(self.has("unpacked"));
        let left = [(number >> 17) as u16, ((number >> 1) as u16 & 0x7fff).saturating_sub(lost)];
        Piles { left, mover: Player::BOTH[(number & 1) as usize], ..self.clone() }
    }
    fn has_repeated(&self) -> bool {
        self.has("has_repeated")
    }
    fn repeats(&self) -> bool {
        REPEATS
    }

    fn turn(&self) -> Player {
        self.mover
    }
    fn outcome(&self) -> Option<Score> {
        let score = if self.has("range") { Score(5) } else { Score::win_of(!self.mover) };
        (self.left == [0, 0]).then_some(score)
    }
    fn moves(&self, out: &mut Vec<Take>) {
        static CALLS: AtomicUsize = AtomicUsize::new(0);
        let mut moves = self.legal();
        match self.flaw {
            "no move" if self.left == [0, 1] => moves.clear(),
            "append" => out.clear(),
            "twice" => moves.push(moves[0]),
            "order" if moves.len() > 1 => moves.rotate_left(CALLS.fetch_add(1, Relaxed) % 2),
            _ => (),
        }
        out.extend(moves);
    }
    fn play(&mut self, Take(pile, taken): Take) {
        let pile = &mut self.left[usize::from(pile)];
        *pile = if taken == 0 { *pile + 1 } else { *pile - u16::from(taken) };
        self.mover = !self.mover;
        self.made += 1;
    }
    fn key(&self) -> Key {
        let [a, b] = self.left.map(Key::from);
        let whole = a | b << 16 | (self.mover.index() as Key) << 32;
        match self.flaw {
            "key without the mover" => mix(a | b << 16),
            "key without a pile" => mix(a | (self.mover.index() as Key) << 32),
            "key with too much" => mix(whole | Key::from(self.made) << 64),
            "key not mixed" => whole,
            _ => mix(whole),
        }
    }
    fn key_after(&self, _: Key, mv: Take) -> Key {
        let key = self.after(mv).key();
        if self.has("key_after") && mv.1 == 2 { key ^ 1 } else { key }
    }
    fn after(&self, mv: Take) -> Self {
        let mut next = self.clone();
        next.play(mv);
        if self.has("after") && mv.1 == 2 {
            next.mover = !next.mover;
        }
        next
    }
    fn range(&self) -> Bounds {
        match self.flaw {
            "range upside down" => Bounds { pess: Score(1), opti: Score(-1) },
            "range grows" if self.left[0] == 0 => Bounds::new(Score(-2), Score(2)),
            _ => Bounds::WDL,
        }
    }
    fn slots(&self) -> usize {
        if self.has("slots") { 12 } else { 14 }
    }
    fn slot(&self, mv: Take) -> usize {
        let looks = if self.has("slot looks") { usize::from(self.left[0] % 2) } else { 0 };
        mv.code() as usize ^ looks
    }
    fn count_moves(&self, buf: &mut Vec<Take>) -> usize {
        if self.has("count_moves list") {
            buf.push(WRONG);
        }
        self.legal().len() + usize::from(self.has("count_moves"))
    }
    fn random_move(&self, rng: &mut Rng, buf: &mut Vec<Take>) -> Take {
        if self.has("random_move list") {
            buf.push(WRONG);
        }
        let legal = self.legal();
        if self.has("random_move") { WRONG } else { legal[rng.below(legal.len() as u32) as usize] }
    }
    fn playout(&mut self, _: &mut Rng, buf: &mut Vec<Take>, trace: &mut impl FnMut(Player, Take)) -> Score {
        self.run(self.flaw, buf, trace)
    }
    fn symmetries(&self) -> usize {
        2
    }
    fn transformed(&self, symmetry: usize) -> Self {
        let (mut image, [a, b]) = (self.clone(), self.left);
        match self.flaw {
            "identity" => image.left = [b, a],
            "image" if symmetry == 1 => image.left = [b + 1, a],
            _ if symmetry == 1 => image.left = [b, a],
            _ => (),
        }
        image
    }
    fn canonical_key(&self, key: Key) -> Key {
        if self.has("canonical_key") { key } else { self.canonical().key() }
    }
}

/// What piles claim to know.
struct PileFacts;

impl<const REPEATS: bool> Facts<Piles<REPEATS>> for PileFacts {
    fn bounds(&self, pos: &Piles<REPEATS>) -> Bounds {
        if pos.has("bounds") { Bounds::exact(Score(2)) } else { Bounds::WDL }
    }
    fn counts(&self) -> bool {
        !REPEATS
    }
    fn counted(&self, pos: &Piles<REPEATS>, _: Player) -> Option<Score> {
        pos.has("counted").then_some(Score(2))
    }
    fn enough(&self, pos: &Piles<REPEATS>, out: &mut Vec<Take>) -> Bounds {
        let (flaw, legal) = (pos.flaw, pos.legal());
        if flaw == "enough appends" {
            out.clear();
        }
        match flaw {
            "enough none" => (),
            "enough legal" => out.push(WRONG),
            "enough order" => out.extend(legal.iter().rev()),
            _ => out.extend(&legal),
        }
        if flaw == "enough bounds" { Bounds::exact(Score(2)) } else { Bounds::WDL }
    }
}

/// What piles guess: nothing good.
struct PileHints(&'static str);

impl<const REPEATS: bool> Hints<Piles<REPEATS>> for PileHints {
    fn value(&self, _: &Piles<REPEATS>) -> f32 {
        if self.0 == "value" { 2.0 } else { 1.0 }
    }
    fn weights(&self, _: &Piles<REPEATS>, _: &[Take], out: &mut [f32]) {
        out[0] = if self.0 == "weights" { 0.0 } else { 7.0 };
    }
    fn quality(&self, _: &Piles<REPEATS>) -> f32 {
        if self.0 == "quality" { 1.0 } else { 0.9 }
    }
    fn policies(&self) -> &'static [&'static str] {
        &["own"]
    }
    fn usual_policy(&self) -> Option<&'static str> {
        Some(if self.0 == "usual" { "other" } else { "own" })
    }
    fn playout(
        &self,
        _: &'static str,
        pos: &mut Piles<REPEATS>,
        rng: &mut Rng,
        buf: &mut Vec<Take>,
        trace: Option<&mut dyn FnMut(Player, Take)>,
    ) -> Score {
        match trace {
            Some(trace) => {
                let score = pos.playout(rng, buf, &mut |player, mv| trace(player, mv));
                if self.0 == "policy" { -score } else { score }
            }
            None => pos.playout(rng, buf, &mut |_, _| ()),
        }
    }
}

/// The message of the checks, "" if they pass.
fn verdict<const REPEATS: bool>(flaw: &'static str, left: [u16; 2]) -> String {
    let start = Piles::<REPEATS> { left, mover: Player::First, flaw, made: 0 };
    let extras = Extras { facts: Some(Arc::new(PileFacts)), hints: Arc::new(PileHints(flaw)) };
    let extras = AssertUnwindSafe(extras);
    let check = || {
        check_position(&start, 5, 1);
        let mut rng = Rng::new(2);
        positions::check(&start, 1, &mut Rng::new(1), &mut |pos| check_extras(&extras, pos, &mut rng));
    };
    match catch_unwind(check) {
        Ok(()) => String::new(),
        Err(panic) => *panic.downcast().expect("the message is made from parts"),
    }
}

#[test]
fn a_sound_game_passes() {
    for left in [[0, 0], [1, 0], [3, 4], [20, 30], [400, 400]] {
        assert_eq!(verdict::<false>("", left), "");
        assert_eq!(verdict::<true>("", left), "");
    }
    assert_eq!(verdict::<true>("repeats", [3, 4]), "", "it says so");
    // Nothing to find: each move changes both whose turn it is and the number of ones.
    assert_eq!(verdict::<false>("key without the mover", [1, 1]), "");
}

#[test]
fn each_flaw_is_named_with_what_to_repair() {
    let flaws = [
        ("range", "`range()` says [-1, +1], but the game can end with +5: override `range()`"),
        ("range upside down", "`range()` is upside down: [+1, -1]"),
        ("range grows", "`range()` grows from [-1, +1] to [-2, +2]: it may only shrink"),
        ("key without the mover", "the same key, but another mover: `key()` must depend on `turn()`"),
        ("key without a pile", "the same key: `key()` must depend on all that `==` compares"),
        ("key with too much", "equal positions have two keys"),
        ("key not mixed", "differ too little for tables: make `key()` with `zobrist` or `mix`"),
        ("hash", "equal positions have two hashes"),
        ("key_after", "`key_after()` is not the `key()` after the move"),
        ("after", "`after()` leads elsewhere than `play()`"),
        ("repeats", "but `repeats()` is false"),
        ("never ends", "but `repeats()` is false"),
        ("no move", "`moves()` gives none, but `outcome()` says that the game is not over"),
        ("append", "`moves()` must append"),
        ("twice", "`moves()` gives a move twice"),
        ("order", "the order of `moves()` changes"),
        ("codes", "`Move::from_code` makes another move of the code of Take(0, 3)"),
        ("slots", "the `slot()` of Take(1, 2) is 12, there are 12"),
        ("slot looks", "it may only depend on the move"),
        ("count_moves", "`count_moves()` is wrong"),
        ("count_moves list", "`count_moves()` must leave the list as it was"),
        ("random_move", "`random_move()` gave Take(9, 9), which is not legal"),
        ("random_move list", "`random_move()` must leave the list as it was"),
        ("bounds", "`Facts::bounds` says [+2, +2], `range()` only [-1, +1]"),
        ("counted", "`Facts::counted` says Some(Score(2)), `range()` [-1, +1]"),
        ("enough appends", "`Facts::enough` must append"),
        ("enough none", "`Facts::enough` gives no move and [-1, +1]"),
        ("enough legal", "`Facts::enough` gives [Take(9, 9)], not some of"),
        ("enough order", "in that order"),
        ("enough bounds", "`Facts::enough` says [+2, +2], `range()` only [-1, +1]"),
        ("value", "`Hints::value` is 2, not in [-1, 1]"),
        ("weights", "`Hints::weights` must be positive"),
        ("quality", "`quality()` is 1, not in (0, 1)"),
        ("usual", "the usual policy is not one of [\"own\"]"),
        ("policy", "`own` plays otherwise when it is traced"),
        ("identity", "`transformed(0)` is another position"),
        ("image", "`transformed(1)` has another"),
        ("canonical_key", "`canonical_key()` is not the key of `canonical()`"),
        ("number without the mover", "`unpacked()` makes"),
        ("unpacked", "`unpacked()` makes"),
        ("has_repeated", "`has_repeated()` is true, but `repeats()` is false"),
        ("playout list", "`playout()` must leave the list as it was"),
        ("playout mover", "`playout()` names the wrong mover"),
        ("playout move", "`playout()` plays Take(9, 9)"),
        ("playout on", "`playout()` goes on after the end"),
        ("playout end", "`playout()` ends elsewhere than its moves lead"),
        ("playout score", "`playout()` returns the wrong score"),
    ];
    for (flaw, expected) in flaws {
        // A small game that is known completely, and a large one.
        for left in [[3, 4], [40, 60]] {
            let text = verdict::<false>(flaw, left);
            assert!(text.contains(expected), "{flaw}, {left:?}: {text}");
        }
    }
    let honest = [
        ("counted", "`Facts::counted` says something, but `counts()` is false"),
        ("key without the mover", "`key()` must depend on `turn()`"),
        ("key without a pile", "the same key, but other moves: `key()` must depend on them"),
        ("never ends", "`playout()` has made 1000000 moves and goes on: does the game end?"),
    ];
    for (flaw, expected) in honest {
        let text = verdict::<true>(flaw, [3, 4]);
        assert!(text.contains(expected), "{flaw}: {text}");
    }
}

#[test]
fn games_too_long_for_searches_are_refused() {
    let text = verdict::<false>("", [2000, 0]);
    assert!(text.contains("a game of more than 1000 plies is too deep for searches that recurse"), "{text}");
}

/// Fifty counters that go up, and a king of each player that moves back and forth, so that one of
/// many moves can be taken back. With `ups_first`, counters come first among the moves.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Kings {
    counters: [u8; 50],
    kings: [u8; 2],
    mover: Player,
    ups_first: bool,
}

impl Position for Kings {
    type Move = u8;
    fn repeats(&self) -> bool {
        false
    }

    fn turn(&self) -> Player {
        self.mover
    }
    fn outcome(&self) -> Option<Score> {
        (self.counters == [3; 50]).then_some(Score::DRAW)
    }
    fn moves(&self, out: &mut Vec<u8>) {
        let ups = (0..50).filter(|&i| self.counters[usize::from(i)] < 3);
        let steps = (50..52).filter(|&to| to != 50 + self.kings[self.mover.index()]);
        if self.ups_first { out.extend(ups.chain(steps)) } else { out.extend(steps.chain(ups)) }
    }
    fn play(&mut self, mv: u8) {
        match mv {
            50.. => self.kings[self.mover.index()] = mv - 50,
            _ => self.counters[usize::from(mv)] += 1,
        }
        self.mover = !self.mover;
    }
    fn key(&self) -> Key {
        let key = |key, &byte: &u8| mix(key ^ Key::from(byte) << 64 ^ 1);
        let kings = self.kings.iter().fold(self.mover.index() as Key, key);
        self.counters.iter().fold(kings, key)
    }
}

#[test]
fn rare_repetitions_are_found() {
    for (seed, ups_first) in [(1, false), (2, false), (1, true), (2, true)] {
        let start = Kings { counters: [0; 50], kings: [0; 2], mover: Player::First, ups_first };
        let panic = catch_unwind(|| check_position(&start, 0, seed)).expect_err("positions repeat");
        let text: String = *panic.downcast().expect("the message is made from parts");
        assert!(text.contains("but `repeats()` is false"), "seed {seed}: {text}");
    }
}

/// A move whose code counts how often it was asked for.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
struct Drifting(u8);

impl Move for Drifting {
    fn code(self) -> u32 {
        static ASKED: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
        ASKED.fetch_add(1, std::sync::atomic::Ordering::Relaxed) << 8 | u32::from(self.0)
    }
    fn from_code(code: u32) -> Drifting {
        Drifting(code as u8)
    }
}

#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
struct Countdown(u8);

impl Position for Countdown {
    type Move = Drifting;
    fn turn(&self) -> Player {
        Player::First
    }
    fn outcome(&self) -> Option<Score> {
        (self.0 == 0).then_some(Score::WIN)
    }
    fn moves(&self, out: &mut Vec<Drifting>) {
        out.push(Drifting(1));
    }
    fn play(&mut self, mv: Drifting) {
        self.0 -= mv.0;
    }
    fn key(&self) -> Key {
        crate::mix(self.0.into())
    }
    fn repeats(&self) -> bool {
        false
    }
}

#[test]
#[should_panic(expected = "its `code()` changes")]
fn codes_that_drift() {
    check_position(&Countdown(3), 1, 1);
}
