//! The players of one game: searches of ours, and foreign programs, which are started for each game
//! anew, so that nothing of an earlier game, and no fault, lives on.

use crate::contender::plain;
use crate::{Contender, LabError, Pace, Terms};
use proofplay_core::Score;
use proofplay_front::clock::{Clock, TimeControl};
use proofplay_front::game::Loss;
use proofplay_front::player::{Player, Searcher};
use proofplay_front::record::Record;
use proofplay_front::resign::Resigning;
use proofplay_protocol::gtp::client::Fault;
use proofplay_protocol::gtp::foreign::{Foreign, Identity, Unfit};
use proofplay_protocol::gtp::{score_without, vertex};
use proofplay_registry::game;
use proofplay_search::{Limits, Resources};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A player at the board.
pub(crate) enum Seat {
    Search(Box<Resigning>),
    Foreign(Foreign),
}

impl Seat {
    /// A search with what it may use, and random numbers that follow from the seed.
    pub fn search(player: &Contender, pace: &Pace, terms: &Terms, seed: &[u64]) -> Option<Seat> {
        let Contender::Search { spec, thinks_in } = player else { return None };
        let simulations = if player.limits_itself() { None } else { pace.playouts };
        let limits = Limits { simulations, nodes: pace.nodes, ..Limits::default() };
        let resources = Resources { memory: pace.memory, ..Resources::default() };
        let search = Searcher::new(spec.clone(), resources)
            .thinking_in(thinks_in.as_deref())
            .limited_by(limits)
            .seeded(seed);
        Some(Seat::Search(Box::new(Resigning::new(search, terms.resign))))
    }

    /// A program that is started for this game; one that does not start has lost it. `None` after a
    /// stop.
    pub fn foreign(
        player: &Contender,
        pace: &Pace,
        record: &Record,
        stop: &Arc<AtomicBool>,
    ) -> Result<Option<Seat>, LabError> {
        match start(player, pace.time, record, stop) {
            Ok((foreign, _)) => Ok(Some(Seat::Foreign(foreign))),
            Err(Unfit::Fault(Fault::Stopped)) => Ok(None),
            Err(Unfit::Fault(fault)) => Ok(Some(Seat::Foreign(Foreign::lost(Loss::from(fault))))),
            Err(unfit) => Err(LabError::Plan(format!("`{player}`: {unfit}"))),
        }
    }

    /// The player.
    pub fn player(&mut self) -> &mut dyn Player {
        match self {
            Seat::Search(search) => search.as_mut(),
            Seat::Foreign(program) => program,
        }
    }
}

/// The clock of a player. A foreign program must look at the clock itself, and has a margin.
pub(crate) fn clock(player: &Contender, pace: &Pace, terms: &Terms) -> Option<Clock> {
    let clock = Clock::new(pace.time?);
    Some(if player.is_foreign() { clock.strict(terms.margin()) } else { clock })
}

/// Starts a program, which must be the one that it was when the match was planned.
fn start(
    player: &Contender,
    time: Option<TimeControl>,
    record: &Record,
    stop: &Arc<AtomicBool>,
) -> Result<(Foreign, Identity), Unfit> {
    let Contender::Foreign { program, identity } = player else {
        return Err(Unfit::Cannot("it is a search".to_owned()));
    };
    let (foreign, found) = Foreign::start(program, record, time, stop)?;
    let found = plain(found);
    match identity {
        Some(planned) if *planned != found => Err(Unfit::Cannot(format!(
            "it answers as {} {}: expected {} {}",
            found.name, found.version, planned.name, planned.version
        ))),
        _ => Ok((foreign, found)),
    }
}

/// The same player; a foreign program is started once to see that it can play, and has its name and
/// version from then on.
pub(crate) fn introduced(
    player: &Contender,
    name: &str,
    time: Option<TimeControl>,
    stop: &Arc<AtomicBool>,
) -> Result<Contender, LabError> {
    let Contender::Foreign { program, .. } = player else { return Ok(player.clone()) };
    let record = Record::new(game(name)?.start());
    let (_, identity) =
        start(player, time, &record, stop).map_err(|unfit| LabError::Plan(format!("`{player}`: {unfit}")))?;
    Ok(Contender::Foreign { program: program.clone(), identity: Some(identity) })
}

/// The stones that are dead at the end of a game of Go, and the score without them: if the foreign
/// programs that say which stones are dead agree, these are; otherwise the board counts as it stands.
pub(crate) fn settled(seats: &mut [&mut Seat], record: &Record) -> Option<(Vec<String>, Score)> {
    let (pos, passes) = (record.now(), record.plies.iter().rev().take_while(|ply| ply.mv == "pass").count());
    if !vertex::is_go(pos) || passes < 2 || pos.game().contains("seki=") {
        return None;
    }
    let mut opinions = Vec::new();
    for seat in seats {
        if let Seat::Foreign(program) = seat {
            opinions.extend(program.dead(record));
        }
    }
    let dead = opinions.first()?;
    if dead.is_empty() || opinions.iter().any(|other| other != dead) {
        return None;
    }
    Some((dead.clone(), score_without(pos, dead).ok()?))
}
