//! What is known about the root and its moves: the part of a checkpoint that all solvers share.

use super::{Flaw, In, Out};
use crate::Report;
use proofplay_core::{Bounds, Move, Position, Score};
use std::io;

impl Out {
    /// Writes bounds.
    pub(crate) fn bounds(&mut self, Bounds { pess, opti }: Bounds) -> io::Result<()> {
        self.i16(pess.0)?;
        self.i16(opti.0)
    }
}

impl In {
    /// Reads bounds that lie within others.
    pub(crate) fn bounds(&mut self, range: Bounds) -> Result<Bounds, Flaw> {
        let bounds = Bounds { pess: Score(self.i16()?), opti: Score(self.i16()?) };
        if bounds.pess > bounds.opti || !range.encloses(bounds) {
            return Err(Flaw::Nonsense("a value is out of range"));
        }
        Ok(bounds)
    }
}

/// Writes the identity of the position.
pub(crate) fn save_root<P: Position>(pos: &P, out: &mut Out) -> io::Result<()> {
    out.u128(pos.key())
}

/// Refuses the state of another position, or of the same one under other keys.
pub(crate) fn load_root<P: Position>(pos: &P, from: &mut In) -> Result<(), Flaw> {
    let same = from.u128()? == pos.key();
    same.then_some(()).ok_or(Flaw::Nonsense("it is about another position"))
}

const NO_MOVE: u32 = u32::MAX;

/// Writes what is known about the root and its moves.
pub(crate) fn save_progress<P: Position>(pos: &P, report: &Report<P::Move>, out: &mut Out) -> io::Result<()> {
    save_root(pos, out)?;
    out.bounds(report.bounds)?;
    let best = report.moves.iter().position(|m| Some(m.mv) == report.best);
    out.u32(best.map_or(NO_MOVE, |best| best as u32))?;
    out.u32(report.moves.len() as u32)?;
    for known in &report.moves {
        out.bounds(known.bounds)?;
        out.u32(known.pv.len() as u32)?;
        for mv in &known.pv {
            out.u32(mv.code())?;
        }
    }
    Ok(())
}

/// Reads it back into a report that has all moves already.
pub(crate) fn load_progress<P: Position>(
    pos: &P,
    report: &mut Report<P::Move>,
    from: &mut In,
) -> Result<(), Flaw> {
    load_root(pos, from)?;
    // The rules alone show some of it, such as moves that end the game.
    let known = |by_rules: Bounds, from: &mut In| {
        let saved = from.bounds(pos.range())?;
        let fits = by_rules.encloses(saved);
        if fits { Ok(saved) } else { Err(Flaw::Nonsense("what is certain contradicts the rules")) }
    };
    report.bounds = known(report.bounds, from)?;
    let best = from.u32()?;
    if from.u32()? as usize != report.moves.len() {
        return Err(Flaw::Nonsense("the position has another number of moves"));
    }
    for about in &mut report.moves {
        about.bounds = known(about.bounds, from)?;
        let (length, mut now, mut line, mut legal) = (from.u32()?, pos.clone(), Vec::new(), Vec::new());
        for _ in 0..length {
            legal.clear();
            if now.outcome().is_none() {
                now.moves(&mut legal);
            }
            let code = from.u32()?;
            let mv = legal.iter().copied().find(|mv| mv.code() == code);
            let mv = mv.ok_or(Flaw::Nonsense("a move is not legal"))?;
            line.push(mv);
            now.play(mv);
        }
        if line.first() != Some(&about.mv) {
            return Err(Flaw::Nonsense("the moves come in another order"));
        }
        about.pv = line;
    }
    let by_moves = Bounds::minimax(pos.turn(), report.moves.iter().map(|m| m.bounds));
    if by_moves.pess > report.bounds.opti || by_moves.opti < report.bounds.pess {
        return Err(Flaw::Nonsense("what is certain contradicts itself"));
    }
    if best != NO_MOVE {
        let best = report.moves.get(best as usize).ok_or(Flaw::Nonsense("there is no such best move"))?;
        (report.best, report.pv) = (Some(best.mv), best.pv.clone());
    }
    Ok(())
}
