//! The loop: descend, expand, estimate, back up.

mod backup;
mod batch;
mod descent;
mod estimate;
mod expand;
mod stay;

use super::leaders::Leaders;
use super::leaf::{Request, Scratch};
use super::reward::Rewards;
use super::select::{Plain, scaled};
use super::shortlist::Shortlist;
use super::tree::{Id, Room, Units};
use super::{Backup, Leaf, Part, Playout, Step};
use crate::watch::Watch;
use crate::{Halt, Observer};
use proofplay_core::{Bounds, Player, Position, Rng, Score};

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
    /// Leaves that wait for their evaluation, the paths to them, and whether facts have changed their
    /// bounds.
    waiting: Vec<Request<P>>,
    paths: Vec<(Vec<Step>, bool)>,
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

/// Which moves were played below a node, by player and slot: stamped with the number of the
/// simulation.
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
        /// This many simulations in a row that teach nothing: nothing is left to be found, as when a
        /// solver of wins and losses has seen the whole of a drawn game.
        const EXHAUSTED: u64 = 100_000;
        /// This many lines of play come with a report of progress.
        const LINES: usize = 32;
        let (run, mut stale, mut seen) = (self.run, 0, 0);
        if run.search.pos.outcome().is_some() {
            return;
        }
        let (tree, most_nodes) = (&run.search.tree, self.watch.limits().nodes);
        let batch =
            if let Leaf::Evaluate { batch, .. } = run.search.config.leaf { u64::from(batch) } else { 1 };
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
                    Leaf::Playout(playout) => self.simulate_some::<SHARED>(&playout, left),
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

    /// One simulation, in four phases. It starts at node `from` and adds its reward to the nodes up
    /// to `path[top]`; `held` collects it for those above. Without a `top` it is where the thread
    /// would stay. Returns `top`.
    fn simulate<const SHARED: bool>(
        &mut self,
        pos: &mut P,
        from: Id,
        playout: &Playout,
        top: Option<usize>,
        held: &mut Held,
    ) -> usize {
        self.enter::<SHARED>(from, pos.turn());
        let (stop, changed) = loop {
            let arrival = self.descend::<SHARED>(pos);
            if let Stop::Known(_) = arrival.0 {
                break arrival;
            }
            if let Some(arrival) = self.expand::<SHARED>(pos) {
                break arrival;
            }
        };
        let reward = self.estimate(pos, &stop, playout);
        let top = top.unwrap_or_else(|| self.place_to_stay::<SHARED>());
        let changed_top = self.back_up::<SHARED>(reward, changed, top);

        held.visits += 1;
        held.certain |= changed;
        held.estimated |= matches!(stop, Stop::Leaf);
        if top > 0 {
            held.reward = held.reward + Units::of(reward);
            if changed_top {
                self.climb::<SHARED>(top);
            }
        }
        top
    }

    fn scaled(&self, score: Score) -> f64 {
        match self.run.search.config.leaf.counts_wins() {
            true => f64::from(score.0.signum()),
            false => f64::from(scaled(score.0, self.run.range)),
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
