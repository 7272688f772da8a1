//! The settings of a Monte-Carlo tree search as plain data.

use super::final_move::FinalMove;
use super::leaf::{Draw, Leaf, Playout};
use super::proof::{Intervals, Proof};
use super::reward::{Bonus, Reward};
use super::select::{Explore, Selection};
use crate::Resources;
use crate::settings::{Settings, SpecError};
use std::fmt::Write;

/// Everything a Monte-Carlo tree search can be told, but for its limits.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Config {
    /// Which child.
    pub selection: Selection,
    /// What the game holds for certain is used, and only moves that suffice are followed below the root.
    pub facts: bool,
    /// What a leaf is worth.
    pub leaf: Leaf,
    /// What is kept as certain.
    pub proof: Proof,
    /// What a simulation is worth.
    pub reward: Reward,
    /// What is played in the end.
    pub final_move: FinalMove,
    /// How the tree grows.
    pub growth: Growth,
    /// What goes up.
    pub backup: Backup,
    /// Shallow minimax searches in the tree.
    pub hybrids: Hybrids,
    /// Simulations to run if the limits do not say; 0: as the limits say.
    pub playouts: u64,
    /// Threads to use if more than the limits say.
    pub threads: usize,
}

/// How the tree grows.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Growth {
    /// A leaf gets children at a visit after so many earlier ones.
    pub after: u32,
    /// All children are looked at when they are made: ends of the game are known at once. Otherwise a child is looked at
    /// when a simulation first gets there, one node a simulation.
    pub all: bool,
    /// When memory is full, nodes that are done or seldom visited lose their children to make room; otherwise leaves stay
    /// leaves.
    pub recycle: bool,
}

/// What goes up beside the plain reward. All off in the papers.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Backup {
    /// Rewards are clamped to what is certain at every node. (Future work of \[CS10\].)
    pub clamp: bool,
    /// From a proven node on, its value goes up instead of the simulation's reward.
    pub proven: bool,
}

/// Baselines: MCTS-minimax hybrids of Baier & Winands \[BW15\]; see also `Playout::look_ahead`.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Hybrids {
    /// Depth of a minimax search when a leaf gets its children (MCTS-MS); 0: none.
    pub select: u32,
    /// Depth of a minimax search when a child turns out lost but the node is not proven (MCTS-MB); 0: none.
    pub backup: u32,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            selection: Selection {
                explore: Explore::Log,
                c: 0.7,
                fpu: f32::INFINITY,
                rave: 0.0,
                bias: 0.0,
                threshold: 0,
            },
            facts: false,
            leaf: Leaf::Playout(Playout::default()),
            proof: Proof::Bounds(Intervals::default()),
            reward: Reward::default(),
            final_move: FinalMove::Visits,
            growth: Growth { after: 1, all: true, recycle: true },
            backup: Backup::default(),
            hybrids: Hybrids::default(),
            playouts: 0,
            threads: 0,
        }
    }
}

const EXPLORE: &[(&str, Explore)] =
    &[("uct", Explore::Log), ("root", Explore::Root), ("sum", Explore::Sum), ("puct", Explore::Puct)];

impl Config {
    /// Reads the settings of `mcts:…`, starting from `self` as the defaults.
    pub fn read(self, settings: &mut Settings) -> Result<Config, SpecError> {
        let old = self;
        let intervals = match old.proof {
            Proof::Bounds(intervals) => intervals,
            _ => Intervals::default(),
        };
        let intervals = Intervals {
            cut: settings.switch("cut", intervals.cut)?,
            gamma: settings.number("gamma", intervals.gamma, -1e6..=1e6)?,
            delta: settings.number("delta", intervals.delta, -1e6..=1e6)?,
            fade: settings.number("fade", intervals.fade, 0.0..=1e9)?,
            relative: settings.switch("relative", intervals.relative)?,
        };
        let old_name = old.proof.name();
        let proof = match settings.word("proof", old_name, &["none", "solver", "exact", "bounds"])? {
            "none" => Proof::None,
            "solver" => Proof::WinLoss,
            "exact" => Proof::Exact,
            _ => Proof::Bounds(intervals),
        };
        if !matches!(proof, Proof::Bounds(_)) && intervals != Intervals::default() {
            return Err(settings.error("cut, gamma, delta, fade and relative need proof=bounds"));
        }
        let facts = settings.facts(old.facts)?;
        let explore = old.selection.explore;
        let names: Vec<&str> = EXPLORE.iter().map(|e| e.0).collect();
        let old_name = EXPLORE.iter().find(|e| e.1 == explore).map_or("uct", |e| e.0);
        let explore = settings.word("select", old_name, &names)?;
        let selection = Selection {
            explore: EXPLORE.iter().find(|e| e.0 == explore).map_or(Explore::Log, |e| e.1),
            c: settings.number("c", old.selection.c, 0.0..=1e6)?,
            fpu: settings.number("fpu", old.selection.fpu, -1e6..=f32::INFINITY)?,
            rave: settings.number("rave", old.selection.rave, 0.0..=1e9)?,
            bias: settings.number("w", old.selection.bias, 0.0..=1e6)?,
            threshold: settings.number("t", old.selection.threshold, 0..=1_000_000)?,
        };
        let old_playout = match old.leaf {
            Leaf::Playout(playout) => playout,
            Leaf::Evaluate { .. } => Playout::default(),
        };
        let leaf_name = leaf_name(old.leaf);
        let leaf_name = settings.word(
            "leaf",
            leaf_name,
            &["playout", "uniform", "staged", "eyes", "weighted", "evaluate"],
        )?;
        let playout = Playout {
            draw: match leaf_name {
                "weighted" => Draw::Weighted,
                "staged" => Draw::Staged,
                "eyes" => Draw::Eyes,
                "uniform" => Draw::Uniform,
                _ => Draw::Usual,
            },
            most_moves: settings.number("moves", old_playout.most_moves, 0..=1_000_000)?,
            check_every: settings.number("check", old_playout.check_every, 0..=1_000_000)?,
            check_value: settings.number("stop", old_playout.check_value, 0.0..=1.0)?,
            look_ahead: settings.number("mr", old_playout.look_ahead, 0..=20)?,
        };
        if leaf_name == "evaluate" && (!playout.is_plain() || selection.threshold > 0) {
            return Err(
                settings.error("moves, check, stop, mr and t need playouts, but leaf=evaluate plays none")
            );
        }
        if ["staged", "eyes"].contains(&leaf_name) && !playout.is_plain() {
            let why = "plays to the end: moves, check, stop and mr need playout, uniform or weighted";
            return Err(settings.error(format!("leaf={leaf_name} {why}")));
        }
        let batch = if let Leaf::Evaluate { batch } = old.leaf { batch } else { 1 };
        let batch = settings.number("batch", batch, 1..=65_536)?;
        if leaf_name != "evaluate" && batch > 1 {
            return Err(settings.error("batch needs leaf=evaluate"));
        }
        let leaf = if leaf_name == "evaluate" { Leaf::Evaluate { batch } } else { Leaf::Playout(playout) };
        let reward = Reward {
            relative: bonus(settings, ["rb", "rb_a"], old.reward.relative)?,
            qualitative: bonus(settings, ["qb", "qb_a"], old.reward.qualitative)?,
        };
        let secure = match old.final_move {
            FinalMove::Secure { a } => a,
            _ => FinalMove::SAFE,
        };
        let secure = settings.number("a", secure, -1e6..=1e6)?;
        let final_move =
            match settings.word("final", old.final_move.name(), &["visits", "value", "secure"])? {
                "visits" => FinalMove::Visits,
                "value" => FinalMove::Value,
                _ => FinalMove::Secure { a: secure },
            };
        let full = if old.growth.recycle { "recycle" } else { "stay" };
        let full = settings.word("full", full, &["recycle", "stay"])?;
        let expand = settings.word("expand", if old.growth.all { "all" } else { "one" }, &["one", "all"])?;
        Ok(Config {
            selection,
            facts,
            leaf,
            proof,
            reward,
            final_move,
            growth: Growth {
                after: settings.number("after", old.growth.after, 0..=1_000_000)?,
                all: expand == "all",
                recycle: full == "recycle",
            },
            backup: Backup {
                clamp: settings.switch("clamp", old.backup.clamp)?,
                proven: settings.switch("proven", old.backup.proven)?,
            },
            hybrids: Hybrids {
                select: settings.number("ms", old.hybrids.select, 0..=20)?,
                backup: settings.number("mb", old.hybrids.backup, 0..=20)?,
            },
            playouts: settings.number("playouts", old.playouts, 0..=u64::MAX)?,
            threads: settings.number("threads", old.threads, 0..=Resources::MOST_THREADS)?,
        })
    }

    /// The settings that differ from `base`, as `key=value,…`, in a fixed order.
    pub fn differences(&self, base: &Config) -> String {
        let mut out = String::new();
        let mut say = |key: &str, value: String, old: String| {
            if value != old {
                let comma = if out.is_empty() { "" } else { "," };
                let _ = write!(out, "{comma}{key}={value}");
            }
        };
        for ((key, value), (_, old)) in self.pairs().into_iter().zip(base.pairs()) {
            say(key, value, old);
        }
        out
    }

    /// Every setting as text.
    fn pairs(&self) -> Vec<(&'static str, String)> {
        let intervals = match self.proof {
            Proof::Bounds(intervals) => intervals,
            _ => Intervals::default(),
        };
        let playout = if let Leaf::Playout(playout) = self.leaf { playout } else { Playout::default() };
        let batch = if let Leaf::Evaluate { batch } = self.leaf { batch } else { 1 };
        let on = |switch: bool| if switch { "on" } else { "off" }.to_owned();
        let s = &self.selection;
        let explore = EXPLORE.iter().find(|e| e.1 == s.explore).map_or("", |e| e.0);
        let bonus = |b: Option<Bonus>| b.map_or("off".to_owned(), |b| b.k.to_string());
        let bonus_a = |b: Option<Bonus>| b.and_then(|b| b.a).map_or("online".to_owned(), |a| a.to_string());
        let secure = if let FinalMove::Secure { a } = self.final_move { a } else { FinalMove::SAFE };
        vec![
            ("proof", self.proof.name().to_owned()),
            ("cut", on(intervals.cut)),
            ("gamma", intervals.gamma.to_string()),
            ("delta", intervals.delta.to_string()),
            ("fade", intervals.fade.to_string()),
            ("relative", on(intervals.relative)),
            ("facts", on(self.facts)),
            ("select", explore.to_owned()),
            ("c", s.c.to_string()),
            ("fpu", s.fpu.to_string()),
            ("rave", s.rave.to_string()),
            ("w", s.bias.to_string()),
            ("t", s.threshold.to_string()),
            ("leaf", leaf_name(self.leaf).to_owned()),
            ("moves", playout.most_moves.to_string()),
            ("check", playout.check_every.to_string()),
            ("stop", playout.check_value.to_string()),
            ("batch", batch.to_string()),
            ("mr", playout.look_ahead.to_string()),
            ("rb", bonus(self.reward.relative)),
            ("rb_a", bonus_a(self.reward.relative)),
            ("qb", bonus(self.reward.qualitative)),
            ("qb_a", bonus_a(self.reward.qualitative)),
            ("final", self.final_move.name().to_owned()),
            ("a", secure.to_string()),
            ("expand", if self.growth.all { "all" } else { "one" }.to_owned()),
            ("after", self.growth.after.to_string()),
            ("full", if self.growth.recycle { "recycle" } else { "stay" }.to_owned()),
            ("clamp", on(self.backup.clamp)),
            ("proven", on(self.backup.proven)),
            ("ms", self.hybrids.select.to_string()),
            ("mb", self.hybrids.backup.to_string()),
            ("playouts", self.playouts.to_string()),
            ("threads", self.threads.to_string()),
        ]
    }
}

/// Reads a bonus: the steepness k under the first key (`off`: none), the size a under the second (`online`: a').
fn bonus(
    settings: &mut Settings,
    [k_key, a_key]: [&'static str; 2],
    old: Option<Bonus>,
) -> Result<Option<Bonus>, SpecError> {
    let a = match settings.take(a_key) {
        None => old.and_then(|bonus| bonus.a),
        Some("online") => None,
        Some(text) => Some(settings.parse(a_key, text, 0.0..=1e3)?),
    };
    let k = match settings.take(k_key) {
        None => old.map(|bonus| bonus.k),
        Some("off") => None,
        Some(text) => Some(settings.parse(k_key, text, 0.0..=1e3)?),
    };
    match k {
        None if a.is_some() => {
            Err(settings.error(format!("`{a_key}` needs `{k_key}`, the steepness of the bonus")))
        }
        k => Ok(k.map(|k| Bonus { a, k })),
    }
}
/// The word for a leaf policy in a spec.
fn leaf_name(leaf: Leaf) -> &'static str {
    match leaf {
        Leaf::Evaluate { .. } => "evaluate",
        Leaf::Playout(playout) => match playout.draw {
            Draw::Usual => "playout",
            Draw::Uniform => "uniform",
            Draw::Staged => "staged",
            Draw::Eyes => "eyes",
            Draw::Weighted => "weighted",
        },
    }
}
