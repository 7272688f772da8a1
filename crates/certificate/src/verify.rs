//! Checks a certificate with nothing but the rules of the game.

use crate::claim::Claim;
use crate::file::{Certificate, Evidence};
use crate::line_end::LineEnds;
use crate::number::{self, NumberError};
use crate::position_set::Seen;
use crate::walk::{Fault, Shape, Walk, Walked};
use flate2::bufread::ZlibDecoder;
use proofplay_core::{Bounds, Game, Position, TextError};
use std::fmt;

/// What a certificate was found to prove.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Checked {
    /// The value lies in here.
    pub bounds: Bounds,
    /// If there is a number: the winner can end the game within so many plies, and the loser can
    /// make it last as long.
    pub within: Option<u16>,
    /// What was walked, both strategies together.
    pub walked: Walked,
    /// The longest line of play of both strategies.
    pub longest: Vec<String>,
}

/// Why a certificate was not accepted.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// It proves nothing.
    #[error("certificate refused: {0}")]
    Refused(Refusal),
    /// There are more positions than memory allows, which is this many.
    #[error("the certificate has more than the {0} positions that fit into the memory that may be used")]
    Memory(u64),
    /// `watch` returned `false`.
    #[error("stopped before all was checked")]
    Stopped,
}

// Not as a source: printing an error with its sources would repeat it.
impl From<Refusal> for VerifyError {
    fn from(refusal: Refusal) -> VerifyError {
        VerifyError::Refused(refusal)
    }
}

/// What is wrong with a certificate.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// It is for another game.
    #[error("it is for the game `{0}`")]
    Game(String),
    /// The position or a move to it cannot be read.
    #[error("{0}")]
    Line(TextError),
    /// The position that the moves begin at is not written as the game writes it.
    #[error("`from: {said}` should be `from: {plain}`")]
    From {
        /// By the certificate.
        said: String,
        /// By the game.
        plain: String,
    },
    /// The moves lead elsewhere.
    #[error("the moves lead to `{found}`, not to `{said}`")]
    Position {
        /// By the certificate.
        said: String,
        /// By the rules.
        found: String,
    },
    /// The strategy leaves out what this game needs, or walks more than it needs.
    #[error("a strategy of this game is walked as a {0}")]
    Shape(Shape),
    /// Nothing can be counted in this game.
    #[error("there is no count for this game")]
    NoCount,
    /// A win where histories are left aside, but count.
    #[error(
        "{0} is not proven without the history: a position has occurred twice before, and comes as a draw the next time"
    )]
    History(Claim),
    /// Plies are counted, but nobody wins by a known score.
    #[error("plies are counted only where somebody wins by a known score")]
    Plies,
    /// A claim about plies without a strategy.
    #[error("{0} needs a strategy")]
    NoStrategy(Claim),
    /// No game ends with this score.
    #[error("{0}: scores of this game are from {low} to {high}", low = .1.pess, high = .1.opti)]
    Range(Claim, Bounds),
    /// The claim says `rules`, but does not follow from them.
    #[error("the rules alone do not prove {0}")]
    Rules(Claim),
    /// The claim has a strategy, but follows from the rules.
    #[error("{0} follows from the rules and has no strategy")]
    NoNeed(Claim),
    /// The claims contradict each other.
    #[error("no value is {0} and {1}")]
    Contradiction(Claim, Claim),
    /// A strategy fails.
    #[error("{place}: {fault}")]
    Strategy {
        /// Where.
        place: Place,
        /// Why.
        fault: Fault<ChoiceError>,
    },
    /// Choices are left when all positions have been walked.
    #[error("{0}: data are left over at the end")]
    LeftOver(Claim),
    /// The number of positions is not the one in the head.
    #[error("{claim}: there are {found} positions, not {said}")]
    Count {
        /// The half.
        claim: Claim,
        /// By the head.
        said: u64,
        /// By the walk.
        found: u64,
    },
    /// Some byte was changed that nothing else depends on.
    #[error("the checksum does not fit: the file was changed")]
    Checksum,
}

/// A place in a strategy.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// Whose strategy.
    pub claim: Claim,
    /// The moves from the position of the certificate.
    pub line: Vec<String>,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, ply {}", self.claim, self.line.len())?;
        if self.line.is_empty() { Ok(()) } else { write!(f, ", after `{}`", self.line.join(" ")) }
    }
}

/// Why a choice of the owner cannot be taken.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ChoiceError {
    /// No number can be read.
    #[error("{0}")]
    Number(#[from] NumberError),
    /// The number is not below the number of moves.
    #[error("move number {number} does not exist, {legal} moves are legal (counted from 0)")]
    NoSuchMove {
        /// In the data.
        number: u32,
        /// By the rules.
        legal: usize,
    },
}

/// Checks everything in a certificate, with about `memory` bytes for positions. `watch` is called
/// with the progress of each half and stops the check by returning `false`.
///
/// # Panics
/// If a game ends with a score outside [`Position::range`].
pub fn verify<G: Game>(
    game: &G,
    certificate: &Certificate,
    memory: usize,
    mut watch: impl FnMut(&Walked) -> bool,
) -> Result<Checked, VerifyError> {
    if game.id() != certificate.line.game {
        return Err(Refusal::Game(certificate.line.game.clone()).into());
    }
    if let Some(said) = &certificate.line.from {
        let plain = game.show(&game.parse(said).map_err(Refusal::Line)?);
        if plain != *said {
            return Err(Refusal::From { said: said.clone(), plain }.into());
        }
    }
    let root = certificate.line.position(game).map_err(Refusal::Line)?;
    let found = game.show(&root);
    if found != certificate.position {
        return Err(Refusal::Position { said: certificate.position.clone(), found }.into());
    }
    let (start, shape) = (game.start(), certificate.shape);
    if !shape.suits(&start) {
        return Err(Refusal::Shape(Shape::of(&start)).into());
    }
    let ends = LineEnds::new(game, certificate.ends).ok_or(Refusal::NoCount)?;
    let [(at_least, _), (at_most, _)] = certificate.halves;
    if at_least.score > at_most.score {
        return Err(Refusal::Contradiction(at_least, at_most).into());
    }
    let within = certificate.within;
    if within.is_some() && (at_least.score != at_most.score || at_least.score.winner().is_none()) {
        return Err(Refusal::Plies.into());
    }
    let by_rules = game.start().range();
    let (mut total, mut longest) = (Walked::default(), Vec::new());
    for ((claim, evidence), worst) in certificate.halves.into_iter().zip([by_rules.pess, by_rules.opti]) {
        match evidence {
            _ if !by_rules.contains(claim.score) => return Err(Refusal::Range(claim, by_rules).into()),
            Evidence::Rules if within.is_some() => return Err(Refusal::NoStrategy(claim).into()),
            Evidence::Rules if claim.score == worst => {}
            Evidence::Rules => return Err(Refusal::Rules(claim).into()),
            Evidence::Strategy { .. } if claim.score == worst && within.is_none() => {
                return Err(Refusal::NoNeed(claim).into());
            }
            Evidence::Strategy { .. } if !shape.proves(&root, claim) => {
                return Err(Refusal::History(claim).into());
            }
            Evidence::Strategy { positions, data } => {
                let walk = Walk::new(game, claim, shape, &ends, memory);
                let (walked, line) = verify_half(walk, &root, claim, data, &mut watch)?;
                if walked.positions != positions {
                    let (said, found) = (positions, walked.positions);
                    return Err(Refusal::Count { claim, said, found }.into());
                }
                total = [total, walked].into_iter().sum();
                if line.len() > longest.len() {
                    longest = line;
                }
            }
        }
    }
    // Last, since any other error is more specific.
    if !certificate.intact {
        return Err(Refusal::Checksum.into());
    }
    let bounds = Bounds::new(at_least.score, at_most.score);
    Ok(Checked { bounds, within, walked: total, longest })
}

fn verify_half<G: Game>(
    mut walk: Walk<G>,
    root: &G::Pos,
    claim: Claim,
    data: &[u8],
    watch: &mut dyn FnMut(&Walked) -> bool,
) -> Result<(Walked, Vec<String>), VerifyError> {
    let mut numbers = std::io::BufReader::new(ZlibDecoder::new(data));
    let mut choose = |_: &G::Pos, _: usize, moves: &[_], _: &Seen<_>| {
        let (number, legal) = (number::take(&mut numbers)?, moves.len());
        let chosen = usize::try_from(number).ok().filter(|&chosen| chosen < legal);
        chosen.ok_or(ChoiceError::NoSuchMove { number, legal })
    };
    let walked = walk.run(root, &mut choose, watch).map_err(|fault| match fault {
        Fault::Memory(positions) => VerifyError::Memory(positions),
        Fault::Stopped => VerifyError::Stopped,
        fault => Refusal::Strategy { place: Place { claim, line: walk.line() }, fault }.into(),
    })?;
    match number::take_byte(&mut numbers) {
        Ok(None) if numbers.get_ref().total_in() == data.len() as u64 => {
            Ok((walked, walk.longest_line(root)))
        }
        Ok(_) => Err(Refusal::LeftOver(claim).into()),
        Err(error) => {
            let place = Place { claim, line: Vec::new() };
            Err(Refusal::Strategy { place, fault: Fault::Choice(error.into()) }.into())
        }
    }
}
