//! The loop: descend, expand, estimate, back up.

mod backup;
mod descent;

use super::leaders::Leaders;
use super::leaf::{End, Request, Scratch};
use super::reward::{Rewards, Simulation};
use super::select::{Plain, scaled};
use super::shortlist::Shortlist;
use super::tree::{Fields, ROOT, Room, Units};
use super::{Backup, Leaf, Part, Playout, Step};
use crate::watch::Watch;
use crate::{Halt, Observer};
use proofplay_core::{Bounds, Move, Player, Position, Rng, Score};

/// A thread's part of a search.
pub(super) struct Worker<'a, P: Position> {
    run: &'a Part<'a, P>,
    watch: Watch,
    rng: Rng,
    rewards: Rewards,
    scratch: Scratch<P>,
    path: Vec<Step>,
    room: Room,
    /// The next expansion would make more nodes than are allowed.
    spent: bool,
    amaf: Amaf,
    priors: Vec<f32>,
    /// The settings allow that a node hears of several simulations at once.
    stays: bool,
    /// The selection formula, if it is plain.
    plain: Option<Plain>,
    shortlist: Shortlist,
    leaders: Leaders,
    /// Leaves that wait for their evaluation, and the paths to them.
    waiting: Vec<Request<P>>,
    paths: Vec<Vec<Step>>,
}

/// Where a descent ended.
enum Stop {
    /// At a value that needs no estimate.
    Known(Score),
    /// At a leaf.
    Leaf,
}

/// What the nodes above the one where a thread stays have not heard of yet.
#[derive(Default)]
struct Held {
    visits: u64,
    reward: Units,
    /// Whether something became certain.
    certain: bool,
    /// Whether a leaf was estimated.
    estimated: bool,
}

/// Which moves were played below a node, by player and slot: stamped with the number of the simulation.
#[derive(Default)]
struct Amaf {
    slots: usize,
    stamps: Vec<u32>,
    now: u32,
}

impl Amaf {
    fn new(slots: usize) -> Amaf {
        Amaf { slots, stamps: vec![0; 2 * slots], now: 0 }
    }

    #[inline]
    fn stamp(&mut self, player: Player, slot: usize) {
        self.stamps[player.index() * self.slots + slot] = self.now;
    }

    #[inline]
    fn was_played(&self, player: Player, slot: usize) -> bool {
        self.stamps[player.index() * self.slots + slot] == self.now
    }
}

impl<'a, P: Position> Worker<'a, P> {
    pub(super) fn new(run: &'a Part<'a, P>, watch: Watch, number: usize) -> Self {
        let search = run.search;
        let slots = if search.config.selection.rave > 0.0 { search.pos.slots() } else { 0 };
        Worker {
            run,
            watch,
            rng: Rng::from_parts(&[search.seed, search.searches, number as u64]),
            rewards: Rewards::new(search.config.reward, search.pos.turn(), run.most),
            scratch: Scratch::default(),
            path: Vec::new(),
            room: Room::default(),
            spent: false,
            amaf: Amaf::new(slots),
            priors: Vec::new(),
            stays: slots == 0
                && search.config.hybrids.backup == 0
                && search.config.backup == Backup::default(),
            plain: match search.custom.formula {
                Some(_) => None,
                None => Plain::new(search.config.selection, search.config.proof),
            },
            shortlist: Shortlist::default(),
            leaders: Leaders::default(),
            waiting: Vec::new(),
            paths: Vec::new(),
        }
    }

    /// Simulates until everything is solved or a limit is reached.
    pub(super) fn run<const SHARED: bool>(&mut self, mut observer: Option<&mut Observer<P::Move>>) {
        const PORTION: u64 = 64;
        /// So many simulations in a row that teach nothing: nothing is left to be found, as when a solver of wins and losses
        /// has seen the whole of a drawn game.
        const EXHAUSTED: u64 = 100_000;
        /// So many lines of play come with a report of progress.
        const LINES: usize = 32;
        let (run, mut stale, mut seen) = (self.run, 0, 0);
        if run.search.pos.outcome().is_some() {
            return;
        }
        let (tree, most_nodes) = (&run.search.tree, self.watch.limits().nodes);
        let batch = if let Leaf::Evaluate { batch } = run.search.config.leaf { u64::from(batch) } else { 1 };
        let whole = PORTION.max(batch);
        loop {
            run.recycle(seen, self.watch.stop());
            let portion = run.take(whole);
            let mut left = portion;
            let recycled = run.recycled.read().expect("no thread panics while it recycles");
            if recycled.0 != seen {
                // The room and all numbers of nodes were of the old tree.
                (seen, self.room) = (recycled.0, Room::default());
                self.leaders.forget();
            }
            while left > 0 {
                if most_nodes.is_some() {
                    tree.count(&mut self.room);
                }
                let too_large = most_nodes.is_some_and(|most| run.search.made() >= most);
                let ended = too_large
                    || self.spent
                    || stale >= EXHAUSTED
                    || run.is_solved()
                    || (SHARED && run.is_finished());
                if ended || self.watch.step(0) {
                    run.finish(match stale {
                        EXHAUSTED.. if run.is_stuck() => Halt::Memory,
                        EXHAUSTED.. => Halt::Exhausted,
                        _ => Halt::Limit,
                    });
                    run.give_back(left);
                    tree.give_back(&mut self.room);
                    return;
                }
                let made = self.room.made();
                let held = match run.search.config.leaf {
                    Leaf::Playout(playout) => self.simulate::<SHARED>(&playout, left),
                    Leaf::Evaluate { .. } => self.simulate_together::<SHARED>(batch.min(left)),
                };
                let new = held.certain || self.room.made() > made || held.estimated && !run.is_stuck();
                stale = if new { 0 } else { stale + held.visits };
                self.watch.step(held.visits);
                left -= held.visits;
            }
            if portion < whole {
                run.give_back(whole - portion);
                tree.give_back(&mut self.room);
                return;
            }
            tree.count(&mut self.room);
            drop(recycled);
            if let Some(observer) = &mut observer
                && self.watch.report_due()
            {
                // Nobody may recycle the tree while it is looked at.
                let recycled = run.recycled.read().expect("no thread panics while it recycles");
                let report = run.search.report(run.simulations(), &self.watch, LINES);
                observer(&report, run.search);
                drop(recycled);
                self.watch.reported();
            }
        }
    }

    /// One simulation, or in a shared tree up to `most`; what came of them.
    ///
    /// What threads share most costs them most: each change of a node near the root takes its cache line away from all
    /// others. So a thread that has come to a node with many visits stays below it for a few simulations, and then tells
    /// the nodes above of all of them at once.
    fn simulate<const SHARED: bool>(&mut self, playout: &Playout, most: u64) -> Held {
        /// So many visits that a few more make no difference to what the formula chooses above.
        const MANY: u32 = 1024;
        const STAY: u64 = 8;
        let search = self.run.search;
        let tree = &search.tree;
        self.path.clear();
        let mut held = Held::default();
        let mut pos = search.pos.clone();
        let arrival = self.descend::<SHARED>(&mut pos, ROOT);
        let many = |step: &Step| tree.node(step.id).visits() >= MANY;
        let top = if SHARED && self.stays { self.path.iter().rposition(many).unwrap_or(0) } else { 0 };
        self.complete::<SHARED>(&mut pos, arrival, playout, top, &mut held);
        if top > 0 {
            let mut start = search.pos.clone();
            for step in &self.path[1..=top] {
                start.play(P::Move::from_code(tree.node(step.id).code()));
            }
            let id = self.path[top].id;
            while held.visits < STAY.min(most) && !search.config.proof.is_done(tree.node(id).bounds()) {
                self.path.truncate(top);
                pos.clone_from(&start);
                let arrival = self.descend::<SHARED>(&mut pos, id);
                self.complete::<SHARED>(&mut pos, arrival, playout, top, &mut held);
            }
            for i in 0..top {
                // All but the root have counted the first of these visits as a loss.
                let (counted, loss) =
                    if i > 0 { (1, virtual_loss(!self.path[i - 1].mover)) } else { (0, Units::default()) };
                tree.node(self.path[i].id).add::<true>(held.visits as u32 - counted, held.reward + loss);
            }
        }
        held
    }

    /// Estimates where a descent has ended and backs that up to `path[top]`; `held` keeps it for the nodes above.
    fn complete<const SHARED: bool>(
        &mut self,
        pos: &mut P,
        (stop, changed): (Stop, bool),
        playout: &Playout,
        top: usize,
        held: &mut Held,
    ) {
        let in_tree = self.path.len() as u32 - 1;
        held.certain |= changed;
        held.estimated |= matches!(stop, Stop::Leaf);
        self.amaf.now = self.amaf.now.wrapping_add(1);
        let reward = match stop {
            Stop::Known(score) => self.reward_of(pos, self.scaled(score), score.winner(), in_tree),
            Stop::Leaf => self.estimate(pos, playout, in_tree),
        };
        let changed = self.back_up::<SHARED>(reward, changed, top);
        held.visits += 1;
        if top > 0 {
            held.reward = held.reward + Units::of(reward);
            if changed {
                self.climb::<SHARED>(top);
            }
        }
    }

    /// So many simulations whose leaves are evaluated together, or fewer if the search must end. A leaf gets its children, with
    /// their priors, when its value comes back.
    fn simulate_together<const SHARED: bool>(&mut self, simulations: u64) -> Held {
        let search = self.run.search;
        let mut held = Held::default();
        while held.visits < simulations && (held.visits == 0 || !self.watch.step(1)) {
            held.visits += 1;
            let mut pos = search.pos.clone();
            self.path.clear();
            let (stop, changed) = self.descend::<SHARED>(&mut pos, ROOT);
            match stop {
                Stop::Known(score) => {
                    let in_tree = self.path.len() as u32 - 1;
                    self.amaf.now = self.amaf.now.wrapping_add(1);
                    let reward = self.reward_of(&pos, self.scaled(score), score.winner(), in_tree);
                    self.back_up::<SHARED>(reward, changed, 0);
                    held.certain |= changed;
                }
                Stop::Leaf => {
                    let mut moves = Vec::new();
                    pos.moves(&mut moves);
                    let priors = vec![1.0; moves.len()];
                    self.waiting.push(Request { pos, moves, value: 0.0, priors });
                    self.paths.push(std::mem::take(&mut self.path));
                }
            }
        }
        if self.waiting.is_empty() {
            return held;
        }
        held.estimated = true;
        let mut waiting = std::mem::take(&mut self.waiting);
        search.evaluator.evaluate(&mut waiting);
        for (request, path) in waiting.drain(..).zip(std::mem::take(&mut self.paths)) {
            self.path = path;
            self.amaf.now = self.amaf.now.wrapping_add(1);
            let Step { id, .. } = self.path[self.path.len() - 1];
            self.scratch.moves.clear();
            self.scratch.moves.extend(&request.moves);
            self.priors.clone_from(&request.priors);
            if search.tree.has_priors() {
                search.fill_priors(&request.pos, &request.moves, true, &mut self.priors);
            }
            let bounds = search.tree.node(id).bounds();
            let changed = self.make_children::<SHARED>(&request.pos, id, bounds).unwrap_or(false);
            self.back_up::<SHARED>(f64::from(request.value), changed, 0);
            held.certain |= changed;
        }
        self.waiting = waiting;
        held
    }

    fn scaled(&self, score: Score) -> f64 {
        f64::from(scaled(score.0, self.run.range))
    }

    fn reward_of(&mut self, end: &P, r: f64, winner: Option<Player>, moves: u32) -> f64 {
        let custom = self.run.search.custom.reward.as_ref();
        let q = if (self.rewards.wants_quality() || custom.is_some())
            && winner.is_some()
            && end.outcome().is_some()
        {
            f64::from(self.run.search.extras.hints.quality(end))
        } else {
            0.5
        };
        let simulation = Simulation { r, winner, d: f64::from(moves), q };
        match custom {
            Some(rule) => rule.reward(&simulation),
            None => self.rewards.of(simulation),
        }
    }

    /// The reward of a playout from a leaf.
    fn estimate(&mut self, pos: &mut P, playout: &Playout, in_tree: u32) -> f64 {
        let search = self.run.search;
        let Worker { amaf, watch, rng, scratch, rewards, .. } = self;
        let listens = amaf.slots > 0 || rewards.wants_length() || search.custom.reward.is_some();
        let policy = search.policy.map(|policy| (policy, listens));
        let (root, mut moves) = (&search.pos, in_tree);
        let mut trace = |player, mv| {
            moves += 1;
            if amaf.slots > 0 {
                amaf.stamp(player, root.slot(mv));
            }
        };
        let is_over = &mut || watch.step(1);
        match playout.run(pos, (&*search.extras.hints, policy), rng, scratch, is_over, &mut trace) {
            End::Over(score) => self.reward_of(pos, self.scaled(score), score.winner(), moves),
            End::Stopped(winner) => {
                let r = winner.map_or(0.0, |player| f64::from(Score::win_of(player).0));
                self.reward_of(pos, r, winner, moves)
            }
        }
    }
}

/// What a visit counts while its result is not known: a loss of the player who chose it.
#[inline]
fn virtual_loss(chooser: Player) -> Units {
    Units::of(f64::from(Score::win_of(!chooser).0))
}

/// The value of a node that is done: exact, or at least on which side of a draw it is.
#[inline]
fn settled(bounds: Bounds) -> Score {
    if bounds.pess.0 > 0 { bounds.pess } else { bounds.opti }
}
