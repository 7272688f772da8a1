//! The settings of a Monte-Carlo tree search as one table.

use super::config::{Backup, Config, Growth, Hybrids};
use super::final_move::FinalMove;
use super::leaf::{Cutoff, Draw, Leaf, Playout};
use super::proof::{Intervals, Proof};
use super::reward::{Bonus, Reward};
use super::select::{Explore, Selection};
use crate::Resources;
use crate::settings::{Pairs, Setting, SpecError, Values, interned, row};

/// All settings, flat, whether they have an effect or not: what a spec is read into and printed
/// from.
pub(crate) struct Flat {
    proof: &'static str,
    cut: bool,
    gamma: f32,
    delta: f32,
    fade: f32,
    relative: bool,
    facts: bool,
    select: &'static str,
    c: f32,
    fpu: f32,
    reduce: f32,
    rave: f32,
    w: f32,
    t: u32,
    leaf: &'static str,
    moves: u32,
    cutoff: &'static str,
    check: u32,
    stop: f32,
    batch: u32,
    mr: u32,
    rb: (Option<f64>, &'static str),
    rb_a: (Option<f64>, &'static str),
    qb: (Option<f64>, &'static str),
    qb_a: (Option<f64>, &'static str),
    final_move: &'static str,
    a: f64,
    expand: &'static str,
    after: u32,
    full: &'static str,
    clamp: bool,
    proven: bool,
    ms: u32,
    mb: u32,
    playouts: u64,
    threads: usize,
}

const PROOFS: &[&str] = &["bounds", "solver", "exact", "none"];
const SELECTIONS: &[(&str, Explore)] =
    &[("uct", Explore::Log), ("root", Explore::Root), ("sum", Explore::Sum), ("puct", Explore::Puct)];
const CUTOFFS: &[&str] = &["draw", "evaluate"];
const SELECTION_NAMES: &[&str] = &["uct", "root", "sum", "puct"];
const DRAWS: &[(&str, Draw)] = &[
    ("playout", Draw::Usual),
    ("uniform", Draw::Uniform),
    ("staged", Draw::Staged),
    ("eyes", Draw::Eyes),
    ("weighted", Draw::Weighted),
];
const LEAVES: &[&str] = &["playout", "uniform", "staged", "eyes", "weighted", "evaluate"];
const NET: &str = "net";
const MANY: u64 = 1_000_000;

/// The settings, in the order in which they are printed.
pub(crate) const SETTINGS: &[Setting<Flat>] = &[
    row!(
        "proof",
        proof,
        Values::Words(PROOFS),
        "what is kept as certain: intervals, wins and losses, exact values, nothing"
    ),
    row!(
        "cut",
        cut,
        Values::Switch,
        "leave out children that cannot be better than what is certain (proof=bounds)"
    ),
    row!(
        "gamma",
        gamma,
        Values::Real(-1e6..=1e6),
        "weight of a child's lower bound in the selection (proof=bounds)"
    ),
    row!(
        "delta",
        delta,
        Values::Real(-1e6..=1e6),
        "weight of a child's upper bound in the selection (proof=bounds)"
    ),
    row!(
        "fade",
        fade,
        Values::Real(0.0..=1e9),
        "both weights fade with this many visits; 0: never (proof=bounds)"
    ),
    row!("relative", relative, Values::Switch, "both weights count from the parent's bounds (proof=bounds)"),
    row!("facts", facts, Values::Switch, "use what the game knows for certain, and only moves that suffice"),
    row!("select", select, Values::Words(SELECTION_NAMES), "the selection formula"),
    row!("c", c, Values::Real(0.0..=1e6), "its constant"),
    row!("fpu", fpu, Values::Real(-1e6..=f64::INFINITY), "the value of a child without visits"),
    row!(
        "reduce",
        reduce,
        Values::Real(0.0..=1e3),
        "R: a child without visits has the mean of the others less R sqrt(sum of their priors); 0: fpu \
        (select=puct)"
    ),
    row!("rave", rave, Values::Real(0.0..=1e9), "constant K of RAVE; 0: off"),
    row!("w", w, Values::Real(0.0..=1e6), "weight W of progressive bias; 0: off"),
    row!("t", t, Values::Whole(0..=MANY), "below this many visits the playout policy selects"),
    row!(
        "leaf",
        leaf,
        Values::WordsOrFile(LEAVES, NET),
        "what estimates a leaf: the usual playout of the game, uniform moves, a policy of \
        the game (staged: Amazons, eyes: Go), moves by the game's weights, the evaluation function, a \
        network"
    ),
    row!("moves", moves, Values::Whole(0..=MANY), "a playout is cut off after this many moves; 0: never"),
    row!(
        "cutoff",
        cutoff,
        Values::Words(CUTOFFS),
        "what it is worth then: a draw, or what the evaluation function says (MCTS-E)"
    ),
    row!(
        "check",
        check,
        Values::Whole(0..=MANY),
        "ask the evaluation function every this many moves; 0: never"
    ),
    row!("stop", stop, Values::Real(0.0..=1.0), "beyond this evaluation a playout counts as won"),
    row!(
        "batch",
        batch,
        Values::Whole(1..=65_536),
        "leaves that are evaluated together (leaf=evaluate, net)"
    ),
    row!("mr", mr, Values::Whole(0..=20), "depth of a minimax search at every move of a playout; 0: off"),
    row!("rb", rb, Values::WordOrReal("off", 0.0..=1e3), "steepness k of the Relative Bonus"),
    row!("rb_a", rb_a, Values::WordOrReal("online", 0.0..=1e3), "size a of the Relative Bonus"),
    row!("qb", qb, Values::WordOrReal("off", 0.0..=1e3), "steepness k of the Qualitative Bonus"),
    row!("qb_a", qb_a, Values::WordOrReal("online", 0.0..=1e3), "size a of the Qualitative Bonus"),
    row!(
        "final",
        final_move,
        Values::Words(&["visits", "value", "secure"]),
        "the move to play: most visits, largest mean, \
        largest v + a / sqrt(n)"
    ),
    row!("a", a, Values::Real(-1e6..=1e6), "a of final=secure"),
    row!(
        "expand",
        expand,
        Values::Words(&["all", "one"]),
        "look at all children at once, or one a simulation"
    ),
    row!("after", after, Values::Whole(0..=MANY), "a leaf gets children after this many visits"),
    row!(
        "full",
        full,
        Values::Words(&["recycle", "stay"]),
        "when memory is full, nodes that are done or seldom visited lose \
        their children, or leaves stay leaves"
    ),
    row!("clamp", clamp, Values::Switch, "rewards are clamped to what is certain at every node"),
    row!("proven", proven, Values::Switch, "from a proven node on its value goes up"),
    row!("ms", ms, Values::Whole(0..=20), "depth of a minimax search when a leaf gets children; 0: off"),
    row!("mb", mb, Values::Whole(0..=20), "depth of a minimax search when a child is lost; 0: off"),
    row!(
        "playouts",
        playouts,
        Values::Whole(0..=u64::MAX),
        "simulations, unless the command says otherwise; 0: no limit"
    ),
    row!(
        "threads",
        threads,
        Values::Whole(0..=Resources::MOST_THREADS as u64),
        "threads, if more than the command says"
    ),
];

impl From<&Config> for Flat {
    fn from(config: &Config) -> Flat {
        let intervals = match config.proof {
            Proof::Bounds(intervals) => intervals,
            _ => Intervals::default(),
        };
        let (playout, batch, evaluates) = match config.leaf {
            Leaf::Playout(playout) => (playout, 1, None),
            Leaf::Evaluate { batch, net } => (Playout::default(), batch, Some(net)),
        };
        let leaf = match evaluates {
            Some(net) => net.map_or("evaluate", |file| {
                interned(&format!("{NET}:{file}"), usize::MAX).expect("there is room for all")
            }),
            None => DRAWS.iter().find(|draw| draw.1 == playout.draw).map_or("playout", |draw| draw.0),
        };
        let s = config.selection;
        let k = |bonus: Option<Bonus>| (bonus.map(|bonus| bonus.k), "off");
        let a = |bonus: Option<Bonus>| (bonus.and_then(|bonus| bonus.a), "online");
        Flat {
            proof: config.proof.name(),
            cut: intervals.cut,
            gamma: intervals.gamma,
            delta: intervals.delta,
            fade: intervals.fade,
            relative: intervals.relative,
            facts: config.facts,
            select: SELECTIONS.iter().find(|name| name.1 == s.explore).map_or("uct", |name| name.0),
            c: s.c,
            fpu: s.fpu,
            reduce: s.reduce,
            rave: s.rave,
            w: s.bias,
            t: s.threshold,
            leaf,
            moves: playout.most_moves,
            cutoff: CUTOFFS[playout.cutoff as usize],
            check: playout.check_every,
            stop: playout.check_value,
            batch,
            mr: playout.look_ahead,
            rb: k(config.reward.relative),
            rb_a: a(config.reward.relative),
            qb: k(config.reward.qualitative),
            qb_a: a(config.reward.qualitative),
            final_move: config.final_move.name(),
            a: if let FinalMove::Secure { a } = config.final_move { a } else { FinalMove::SAFE },
            expand: if config.growth.all { "all" } else { "one" },
            after: config.growth.after,
            full: if config.growth.recycle { "recycle" } else { "stay" },
            clamp: config.backup.clamp,
            proven: config.backup.proven,
            ms: config.hybrids.select,
            mb: config.hybrids.backup,
            playouts: config.playouts,
            threads: config.threads,
        }
    }
}

impl Flat {
    /// The configuration, unless settings contradict each other.
    fn build(&self, pairs: &Pairs) -> Result<Config, SpecError> {
        let intervals = Intervals {
            cut: self.cut,
            gamma: self.gamma,
            delta: self.delta,
            fade: self.fade,
            relative: self.relative,
        };
        let proof = match self.proof {
            "none" => Proof::None,
            "solver" => Proof::WinLoss,
            "exact" => Proof::Exact,
            _ => Proof::Bounds(intervals),
        };
        if !matches!(proof, Proof::Bounds(_)) && intervals != Intervals::default() {
            return Err(pairs.error("cut, gamma, delta, fade and relative need proof=bounds"));
        }
        let explore =
            SELECTIONS.iter().find(|name| name.0 == self.select).map_or(Explore::Log, |name| name.1);
        let (c, fpu, reduce, rave, bias, threshold) =
            (self.c, self.fpu, self.reduce, self.rave, self.w, self.t);
        let selection = Selection { explore, c, fpu, reduce, rave, bias, threshold };
        if reduce > 0.0 && (explore != Explore::Puct || fpu != f32::INFINITY) {
            return Err(
                pairs.error("reduce needs select=puct, whose priors it sums, and takes the place of fpu")
            );
        }
        let final_move = match self.final_move {
            "visits" => FinalMove::Visits,
            "value" => FinalMove::Value,
            _ => FinalMove::Secure { a: self.a },
        };
        Ok(Config {
            selection,
            facts: self.facts,
            leaf: self.leaf(pairs)?,
            proof,
            reward: Reward {
                relative: bonus(pairs, ["rb", "rb_a"], self.rb.0, self.rb_a.0)?,
                qualitative: bonus(pairs, ["qb", "qb_a"], self.qb.0, self.qb_a.0)?,
            },
            final_move,
            growth: Growth { after: self.after, all: self.expand == "all", recycle: self.full == "recycle" },
            backup: Backup { clamp: self.clamp, proven: self.proven },
            hybrids: Hybrids { select: self.ms, backup: self.mb },
            playouts: self.playouts,
            threads: self.threads,
        })
    }

    fn leaf(&self, pairs: &Pairs) -> Result<Leaf, SpecError> {
        let playout = Playout {
            draw: DRAWS.iter().find(|draw| draw.0 == self.leaf).map_or(Draw::Usual, |draw| draw.1),
            most_moves: self.moves,
            cutoff: if self.cutoff == CUTOFFS[1] { Cutoff::Evaluate } else { Cutoff::Draw },
            check_every: self.check,
            check_value: self.stop,
            look_ahead: self.mr,
        };
        if playout.cutoff == Cutoff::Evaluate && self.moves == 0 {
            return Err(pairs.error("cutoff=evaluate needs moves=N, after which a playout is cut off"));
        }
        let net = self.leaf.strip_prefix(NET).and_then(|rest| rest.strip_prefix(':'));
        if net.is_some() || self.leaf == "evaluate" {
            if !playout.is_plain() || self.t > 0 {
                let why = "moves, check, stop, mr and t need playouts, but evaluations of leaves play none";
                return Err(pairs.error(why));
            }
            return Ok(Leaf::Evaluate { batch: self.batch, net });
        }
        if matches!(playout.draw, Draw::Staged | Draw::Eyes) && !playout.is_plain() {
            let why = "plays to the end: moves, check, stop and mr need playout, uniform or weighted";
            return Err(pairs.error(format!("leaf={} {why}", self.leaf)));
        }
        if self.batch > 1 {
            return Err(pairs.error("batch needs leaf=evaluate or leaf=net:FILE"));
        }
        Ok(Leaf::Playout(playout))
    }
}

/// A bonus of steepness k and size a.
fn bonus(
    pairs: &Pairs,
    [k_key, a_key]: [&str; 2],
    k: Option<f64>,
    a: Option<f64>,
) -> Result<Option<Bonus>, SpecError> {
    match k {
        None if a.is_some() => {
            Err(pairs.error(format!("`{a_key}` needs `{k_key}`, the steepness of the bonus")))
        }
        k => Ok(k.map(|k| Bonus { a, k })),
    }
}

impl Config {
    /// Reads settings, starting from `self` as the defaults.
    pub(crate) fn read(&self, pairs: &Pairs) -> Result<Config, SpecError> {
        let mut flat = Flat::from(self);
        pairs.apply(SETTINGS, &mut flat)?;
        flat.build(pairs)
    }
}
