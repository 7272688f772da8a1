//! The players of one game: searches of ours, and foreign programs, which are started for each game
//! anew, so that nothing of an earlier game, and no fault, lives on.

use crate::contender::plain;
use crate::{Contender, LabError, Pace, Terms, system};
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
use proofplay_search::{Limits, Resources, SearchSpec};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// A player at the board.
pub(crate) enum Seat {
    Search(Box<Resigning>),
    Foreign(Foreign),
}

impl Seat {
    /// A search with what it may use, and random numbers that follow from the seed.
    pub fn search(player: &Contender, pace: &Pace, terms: &Terms, seed: &[u64]) -> Option<Seat> {
        let Contender::Search { spec, thinks_in } = player else { return None };
        let limits = limits(player, spec, pace);
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
        (pace, terms): (&Pace, &Terms),
        record: &Record,
        stop: &Arc<AtomicBool>,
    ) -> Result<Option<Seat>, LabError> {
        match start(player, (pace.time, terms), record, stop) {
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

/// What a search may use for a move. A time for each move is processor time where one thread uses it, so
/// that what else runs on the machine is no matter. By all other clocks time passes for everybody.
fn limits(player: &Contender, spec: &SearchSpec, pace: &Pace) -> Limits {
    let simulations = if player.limits_itself() { None } else { pace.playouts };
    let is_per_move = pace.time.is_some_and(|time| time.per_move().is_some());
    let clock = (is_per_move && spec.threads() <= 1).then_some(system::used as fn() -> Duration);
    Limits { simulations, nodes: pace.nodes, clock, ..Limits::default() }
}

/// The clock of a player. A foreign program must look at the clock itself, and has a margin.
pub(crate) fn clock(player: &Contender, pace: &Pace, terms: &Terms) -> Option<Clock> {
    let clock = Clock::new(pace.time?);
    Some(if player.is_foreign() { clock.strict(terms.margin()) } else { clock })
}

/// Starts a program, which must be the one that it was when the match was planned.
fn start(
    player: &Contender,
    (time, terms): (Option<TimeControl>, &Terms),
    record: &Record,
    stop: &Arc<AtomicBool>,
) -> Result<(Foreign, Identity), Unfit> {
    let Contender::Foreign { program, identity } = player else {
        return Err(Unfit::Cannot("it is a search".to_owned()));
    };
    let (foreign, found) = Foreign::start(program, record, time, terms.start_up(), stop)?;
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
/// version from then on, a network its digest.
pub(crate) fn introduced(
    player: &Contender,
    name: &str,
    conditions: (Option<TimeControl>, &Terms),
    stop: &Arc<AtomicBool>,
) -> Result<Contender, LabError> {
    let Contender::Foreign { program, .. } = player else { return player.clone().with_digest() };
    let record = Record::new(game(name)?.start());
    let (_, identity) = start(player, conditions, &record, stop).map_err(|unfit| {
        let slow =
            matches!(&unfit, Unfit::Fault(Fault::Silent { command, .. }) if command == "protocol_version");
        let more = if slow { "; give it more time to start with --start-up" } else { "" };
        LabError::Plan(format!("`{player}`: {unfit}{more}"))
    })?;
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Only a time for each move of one thread can be counted on the processor.
    #[test]
    fn processor_time_counts_where_it_can() {
        let counts = |player: &str, time: &str| {
            let player: Contender = player.parse().unwrap();
            let time = Some(time.parse().unwrap());
            let pace = Pace { playouts: None, nodes: None, time, memory: 1 << 20 };
            limits(&player, player.spec().unwrap(), &pace).clock.is_some()
        };
        assert!(counts("mcts", "1s/move") && counts("alphabeta:deepen=on", "1s/move"));
        assert!(!counts("mcts:threads=2", "1s/move") && !counts("mcts", "1m+1s"));
    }
}
