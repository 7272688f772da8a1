//! The loop: descend, expand, estimate, back up.

use super::leaders::Leaders;
use super::leaf::{End, Request, Scratch, shallow};
use super::reward::{Rewards, Simulation};
use super::select::{Parent, Plain, Shortlist, scaled};
use super::tree::{Fields, Id, Node, ROOT, Room, Units};
use super::{Backup, Leaf, Playout, Proof, Run, Step};
use crate::Observer;
use crate::limits::Watch;
use proofplay_core::{Bounds, Move, Player, Position, Rng, Score};

/// A thread's part of a search.
pub(super) struct Worker<'a, P: Position> {
    run: &'a Run<'a, P>,
    rng: Rng,
    rewards: Rewards,
    scratch: Scratch<P>,
    path: Vec<Step>,
    room: Room,
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
    /// Whether anything may have been learnt.
    new: bool,
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

impl<P: Position> Drop for Worker<'_, P> {
    fn drop(&mut self) {
        self.run.search.tree.give_back(&mut self.room);
    }
}

impl<'a, P: Position> Worker<'a, P> {
    pub(super) fn new(run: &'a Run<'a, P>, number: usize) -> Self {
        let search = run.search;
        let slots = if search.config.selection.rave > 0.0 { search.pos.slots() } else { 0 };
        Worker {
            run,
            rng: Rng::from_parts(&[search.seed, search.searches, number as u64]),
            rewards: Rewards::new(search.config.reward, search.pos.turn(), run.most),
            scratch: Scratch::default(),
            path: Vec::new(),
            room: Room::default(),
            amaf: Amaf::new(slots),
            priors: Vec::new(),
            stays: slots == 0
                && search.config.hybrids.backup == 0
                && search.config.backup == Backup::default(),
            plain: Plain::new(search.config.selection, search.config.proof),
            shortlist: Shortlist::default(),
            leaders: Leaders::default(),
            waiting: Vec::new(),
            paths: Vec::new(),
        }
    }

    /// Simulates until everything is solved or a limit is reached.
    pub(super) fn run<const SHARED: bool>(
        &mut self,
        watch: &mut Watch,
        mut observer: Option<&mut Observer<P::Move>>,
    ) {
        const PORTION: u64 = 64;
        /// So many simulations in a row that end at finished games or proven nodes: nothing is left to be found, as when
        /// a solver of wins and losses has seen the whole of a drawn game.
        const EXHAUSTED: u64 = 100_000;
        /// So many lines of play come with a report of progress.
        const LINES: usize = 32;
        let (run, mut done, mut stale, mut seen) = (self.run, 0, 0, 0);
        if run.search.pos.outcome().is_some() {
            return;
        }
        let most_nodes = watch.limits().nodes;
        let batch = if let Leaf::Evaluate { batch } = run.search.config.leaf { u64::from(batch) } else { 1 };
        loop {
            run.recycle(seen);
            let portion = run.take(PORTION.max(batch));
            let mut left = portion;
            let recycled = run.recycled.read().expect("no thread panics while it recycles");
            if *recycled != seen {
                // The room and all numbers of nodes were of the old tree.
                (seen, self.room) = (*recycled, Room::default());
                self.leaders.forget();
            }
            while left > 0 {
                let too_large = most_nodes.is_some_and(|most| run.search.made() >= most);
                let ended =
                    too_large || stale >= EXHAUSTED || run.is_solved() || (SHARED && run.is_finished());
                if ended || watch.is_over(done, None) {
                    run.finish();
                    run.give_back(left);
                    return;
                }
                let (simulations, new) = match run.search.config.leaf {
                    Leaf::Playout(playout) => self.simulate::<SHARED>(&playout, left),
                    Leaf::Evaluate { .. } => self.simulate_together::<SHARED>(batch.min(left)),
                };
                stale = if new { 0 } else { stale + simulations };
                done += simulations;
                left -= simulations;
            }
            drop(recycled);
            if portion < PORTION.max(batch) {
                run.give_back(PORTION.max(batch) - portion);
                return;
            }
            if let Some(observer) = &mut observer
                && watch.report_due()
            {
                // Nobody may recycle the tree while it is looked at.
                let recycled = run.recycled.read().expect("no thread panics while it recycles");
                let report = run.search.report(run.simulations(), watch, LINES);
                drop(recycled);
                observer(&report);
                watch.reported();
            }
        }
    }

    /// One simulation, or in a shared tree up to `most`; how many, and whether they may have taught anything, be it a number.
    ///
    /// What threads share most costs them most: each change of a node near the root takes its cache line away from all
    /// others. So a thread that has come to a node with many visits stays below it for a few simulations, and then tells
    /// the nodes above of all of them at once.
    fn simulate<const SHARED: bool>(&mut self, playout: &Playout, most: u64) -> (u64, bool) {
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
        (held.visits, held.new)
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
        held.new |= changed || matches!(stop, Stop::Leaf);
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

    /// So many simulations whose leaves are evaluated together; whether they may have taught anything. A leaf gets its
    /// children, with their priors, when its value comes back.
    fn simulate_together<const SHARED: bool>(&mut self, simulations: u64) -> (u64, bool) {
        let search = self.run.search;
        let mut new = false;
        for _ in 0..simulations {
            let mut pos = search.pos.clone();
            self.path.clear();
            let (stop, changed) = self.descend::<SHARED>(&mut pos, ROOT);
            match stop {
                Stop::Known(score) => {
                    let in_tree = self.path.len() as u32 - 1;
                    self.amaf.now = self.amaf.now.wrapping_add(1);
                    let reward = self.reward_of(&pos, self.scaled(score), score.winner(), in_tree);
                    self.back_up::<SHARED>(reward, changed, 0);
                    new |= changed;
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
            return (simulations, new);
        }
        let mut waiting = std::mem::take(&mut self.waiting);
        search.evaluator.evaluate(&mut waiting);
        for (request, path) in waiting.drain(..).zip(std::mem::take(&mut self.paths)) {
            self.path = path;
            self.amaf.now = self.amaf.now.wrapping_add(1);
            let Step { id, .. } = self.path[self.path.len() - 1];
            self.scratch.moves.clear();
            self.scratch.moves.extend(&request.moves);
            self.priors.clone_from(&request.priors);
            let bounds = search.tree.node(id).bounds();
            let changed = self.make_children::<SHARED>(&request.pos, id, bounds).unwrap_or(false);
            self.back_up::<SHARED>(f64::from(request.value), changed, 0);
        }
        self.waiting = waiting;
        (simulations, true)
    }

    fn scaled(&self, score: Score) -> f64 {
        f64::from(scaled(score.0, self.run.range))
    }

    fn reward_of(&mut self, end: &P, r: f64, winner: Option<Player>, moves: u32) -> f64 {
        let q = if self.rewards.wants_quality() && winner.is_some() && end.outcome().is_some() {
            f64::from(self.run.search.knowledge.quality(end))
        } else {
            0.5
        };
        self.rewards.of(Simulation { r, winner, d: f64::from(moves), q })
    }

    /// Goes down from node `id`, which ends up in the path after what is there, to a leaf, a finished game or a proven node,
    /// and gives a leaf children when it is due. The second result tells whether the bounds of the last node have changed.
    fn descend<const SHARED: bool>(&mut self, pos: &mut P, mut id: Id) -> (Stop, bool) {
        let search = self.run.search;
        let (tree, proof, range) = (&search.tree, search.config.proof, self.run.range);
        loop {
            let (node, mover) = (tree.node(id), pos.turn());
            let (mut visits, mut bounds) = node.seen();
            self.path.push(Step { id, mover });
            if id != ROOT {
                if SHARED {
                    // Virtual loss for whoever chose to come here.
                    let chooser = self.path[self.path.len() - 2].mover;
                    node.add::<true>(1, virtual_loss(chooser));
                }
                if proof.is_done(bounds) {
                    return (Stop::Known(settled(bounds)), false);
                }
            }
            let (mut first, mut children) = tree.children(id);
            if children.is_empty() {
                if let Some(stop) = self.arrive::<SHARED>(pos, id, visits, bounds) {
                    return stop;
                }
                (visits, bounds) = node.seen();
                (first, children) = tree.children(id);
            }
            if self.run.all_moves && id == ROOT {
                bounds = range;
            }
            let parent = Parent { mover, visits, bounds, range };
            let chosen = if visits < search.config.selection.threshold {
                self.pick_by_playout(pos, first, children, parent)
            } else if let Some(plain) = &self.plain {
                if id == ROOT && Shortlist::is_for(children.len()) {
                    self.shortlist.pick(plain, children, parent)
                } else if Leaders::are_for(children.len(), visits) {
                    self.leaders.pick(plain, id, children, parent)
                } else {
                    plain.pick(children, parent)
                }
            } else {
                search.config.selection.pick(tree, first, children, parent, proof)
            };
            let Some(i) = chosen else {
                // Everything below is settled: other threads were faster, or the playout policy chose a lost child.
                let changed = self.refresh::<SHARED>(self.path.len() - 1);
                let known = node.bounds();
                let loss = range.seen_by(mover).pess.seen_by(mover);
                return (Stop::Known(if proof.is_done(known) { settled(known) } else { loss }), changed);
            };
            pos.play(P::Move::from_code(children[i].code()));
            id = first + i as Id;
        }
    }

    /// At a leaf: the game may be over, or the leaf stays one, or it gets children and the descent goes on (`None`).
    fn arrive<const SHARED: bool>(
        &mut self,
        pos: &P,
        id: Id,
        visits: u32,
        bounds: Bounds,
    ) -> Option<(Stop, bool)> {
        let search = self.run.search;
        let (node, config, proof) = (search.tree.node(id), &search.config, search.config.proof);
        if let Some(score) = pos.outcome() {
            let exact = proof.coarsen(Bounds::exact(score), bounds);
            return Some((Stop::Known(score), node.tighten::<SHARED>(exact)));
        }
        let too_early = visits < config.growth.after && id != ROOT;
        if too_early || matches!(config.leaf, Leaf::Evaluate { .. }) {
            return Some((Stop::Leaf, false));
        }
        // What the game knows for certain; the root needs its children all the same.
        let known = config.knowledge && proof != Proof::None && id != ROOT && {
            let certain = proof.coarsen(bounds.tighten(pos.certain()), bounds);
            node.tighten::<SHARED>(certain)
        };
        if known && proof.is_done(node.bounds()) {
            return Some((Stop::Known(settled(node.bounds())), true));
        }
        let Some(grown) = self.expand::<SHARED>(pos, id, node.bounds()) else {
            return Some((Stop::Leaf, known));
        };
        let found = known || grown;
        if found && proof.is_done(node.bounds()) && (id != ROOT || !self.run.all_moves) {
            return Some((Stop::Known(settled(node.bounds())), true));
        }
        if found {
            // What has changed without being done goes up at once, before the descent goes on.
            self.climb::<SHARED>(self.path.len() - 1);
        }
        None
    }

    /// The child that the playout policy takes, as long as a node has few visits. A solver of wins and losses may come upon
    /// a lost one and stop there (`None`); otherwise settled children are left to the formula.
    fn pick_by_playout(&mut self, pos: &P, first: Id, children: &[Node], parent: Parent) -> Option<usize> {
        let search = self.run.search;
        let proof = search.config.proof;
        let playout =
            if let Leaf::Playout(playout) = search.config.leaf { playout } else { Playout::default() };
        let mv = playout.choose(pos, &*search.knowledge, &mut self.rng, &mut self.scratch);
        let i = children.iter().position(|child| child.code() == mv.code());
        // A move that has no child is one that others make superfluous.
        let Some(i) = i else {
            return search.config.selection.pick(&search.tree, first, children, parent, proof);
        };
        if !proof.cuts(children[i].bounds(), parent.bounds, parent.mover) {
            Some(i)
        } else if proof == Proof::WinLoss {
            None
        } else {
            search.config.selection.pick(&search.tree, first, children, parent, proof)
        }
    }

    /// Gives a leaf its children in random order. Returns whether its bounds have changed by that; `None` if it stays a leaf.
    fn expand<const SHARED: bool>(&mut self, pos: &P, id: Id, bounds: Bounds) -> Option<bool> {
        self.scratch.moves.clear();
        let moves = &mut self.scratch.moves;
        if self.run.search.config.knowledge && id != ROOT {
            pos.admissible(moves);
        }
        if moves.is_empty() {
            // Also where the game knows the value, but the proof rule cannot say it.
            pos.moves(moves);
        }
        for i in (1..moves.len()).rev() {
            moves.swap(i, self.rng.below(i as u32 + 1) as usize);
        }
        if self.run.search.tree.has_priors() {
            self.priors.clear();
            self.priors.resize(moves.len(), 1.0);
            self.run.search.knowledge.priors(pos, moves, &mut self.priors);
        }
        self.make_children::<SHARED>(pos, id, bounds)
    }

    /// Makes the children of a leaf for the moves in `scratch` with the priors in `priors`.
    fn make_children<const SHARED: bool>(&mut self, pos: &P, id: Id, bounds: Bounds) -> Option<bool> {
        let search = self.run.search;
        let (tree, config, proof) = (&search.tree, &search.config, search.config.proof);
        let (range, mover, moves) = (pos.range(), pos.turn(), &self.scratch.moves);
        let look = proof != Proof::None && (config.growth.all || proof == Proof::WinLoss);
        let wins = |b: Bounds| b.seen_by(mover).pess.0 > 0;
        let fill = |i: usize| {
            let mv = moves[i];
            let end = if look { pos.after(mv).outcome() } else { None };
            let exact = end.map_or(range, |score| proof.coarsen(Bounds::exact(score), range));
            // One node a simulation: of all children only an immediate win is looked for.
            (mv.code(), if config.growth.all || wins(exact) { exact } else { range })
        };
        if !tree.expand::<SHARED>(&mut self.room, id, moves.len(), fill) {
            return None;
        }
        let (first, children) = tree.children(id);
        if tree.has_priors() {
            for (i, &prior) in self.priors.iter().enumerate() {
                tree.set_prior(first + i as Id, prior);
            }
        }
        if proof == Proof::None {
            return Some(false);
        }
        if config.hybrids.select > 0 {
            self.look_ahead::<SHARED>(pos, id, config.hybrids.select);
        }
        let certain = Bounds::minimax(mover, children.iter().map(Fields::bounds));
        let certain = proof.coarsen(bounds.tighten(certain), bounds);
        Some(tree.node(id).tighten::<SHARED>(certain))
    }

    /// The reward of a playout from a leaf.
    fn estimate(&mut self, pos: &mut P, playout: &Playout, in_tree: u32) -> f64 {
        let search = self.run.search;
        let (amaf, root, mut moves) = (&mut self.amaf, &search.pos, in_tree);
        let mut trace = |player, mv| {
            moves += 1;
            if amaf.slots > 0 {
                amaf.stamp(player, root.slot(mv));
            }
        };
        match playout.run(pos, &*search.knowledge, &mut self.rng, &mut self.scratch, &mut trace) {
            End::Over(score) => self.reward_of(pos, self.scaled(score), score.winner(), moves),
            End::Stopped(winner) => {
                let r = winner.map_or(0.0, |player| f64::from(Score::win_of(player).0));
                self.reward_of(pos, r, winner, moves)
            }
        }
    }

    /// Recomputes the bounds of the nodes above `path[below]` until nothing changes; whether anything did.
    fn climb<const SHARED: bool>(&mut self, below: usize) -> bool {
        let mut any = false;
        for i in (0..below).rev() {
            if !self.refresh::<SHARED>(i) {
                break;
            }
            any = true;
        }
        any
    }

    /// Recomputes the bounds of `path[i]` from its children; whether they have changed.
    fn refresh<const SHARED: bool>(&self, i: usize) -> bool {
        let (tree, proof) = (&self.run.search.tree, self.run.search.config.proof);
        let Step { id, mover } = self.path[i];
        let node = tree.node(id);
        let bounds = node.bounds();
        let certain = Bounds::minimax(mover, tree.children(id).1.iter().map(Fields::bounds));
        node.tighten::<SHARED>(proof.coarsen(bounds.tighten(certain), bounds))
    }

    /// Adds the reward to every node of the path from the leaf up to `path[top]`, and what became certain; whether the bounds
    /// of the last one have changed.
    fn back_up<const SHARED: bool>(&mut self, mut reward: f64, mut changed: bool, top: usize) -> bool {
        let search = self.run.search;
        let (tree, config) = (&search.tree, &search.config);
        let mut units = Units::of(reward);
        for i in (top..self.path.len()).rev() {
            let Step { id, mover } = self.path[i];
            let node = tree.node(id);
            if changed && i + 1 < self.path.len() {
                changed = self.refresh::<SHARED>(i);
                if config.hybrids.backup > 0 && !config.proof.is_done(node.bounds()) {
                    changed |= self.search_back::<SHARED>(i);
                }
            }
            let mut own = units;
            if config.backup.clamp || config.backup.proven {
                let bounds = node.bounds();
                let [pess, opti] = [bounds.pess, bounds.opti].map(|score| self.scaled(score));
                if config.backup.proven && config.proof.is_done(bounds) {
                    reward = self.scaled(settled(bounds));
                    units = Units::of(reward);
                    own = units;
                } else if config.backup.clamp {
                    own = Units::of(reward.clamp(pess, opti));
                }
            }
            if SHARED && i > 0 {
                node.add::<true>(0, own + virtual_loss(!self.path[i - 1].mover));
            } else {
                node.add::<SHARED>(1, own);
            }
            if self.amaf.slots > 0 {
                self.back_up_amaf::<SHARED>(i, mover, units);
            }
        }
        changed
    }

    /// A minimax search of `depth` moves from a node, which tells the children what it finds.
    fn look_ahead<const SHARED: bool>(&mut self, pos: &P, id: Id, depth: u32) {
        let (tree, proof) = (&self.run.search.tree, self.run.search.config.proof);
        self.scratch.moves.clear();
        for child in tree.children(id).1 {
            let bounds = child.bounds();
            let next = pos.after(P::Move::from_code(child.code()));
            let certain = bounds.tighten(shallow(&next, depth - 1, &mut self.scratch.moves));
            child.tighten::<SHARED>(proof.coarsen(certain, bounds));
        }
    }

    /// MCTS-MB: a minimax search from `path[i]`, below which a child has just been settled.
    fn search_back<const SHARED: bool>(&mut self, i: usize) -> bool {
        let search = self.run.search;
        let mut pos = search.pos.clone();
        for step in &self.path[1..=i] {
            pos.play(P::Move::from_code(search.tree.node(step.id).code()));
        }
        self.look_ahead::<SHARED>(&pos, self.path[i].id, search.config.hybrids.backup);
        self.refresh::<SHARED>(i)
    }

    /// All moves as first: the children of `path[i]` whose move the same player has played later on.
    fn back_up_amaf<const SHARED: bool>(&mut self, i: usize, mover: Player, reward: Units) {
        let search = self.run.search;
        if let Some(next) = self.path.get(i + 1) {
            let mv = P::Move::from_code(search.tree.node(next.id).code());
            self.amaf.stamp(mover, search.pos.slot(mv));
        }
        let (first, children) = search.tree.children(self.path[i].id);
        for (c, child) in children.iter().enumerate() {
            if self.amaf.was_played(mover, search.pos.slot(P::Move::from_code(child.code()))) {
                search.tree.add_amaf::<SHARED>(first + c as Id, reward);
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
