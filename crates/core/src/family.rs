//! Games that share a name, and what a list of games says about them.

use crate::{Game, TextError};

/// The games of one name, told apart by the parameters behind it: all that a list of games needs to know.
///
/// ```
/// use proofplay_core::{Family, Game, GameVisitor, TextError};
/// # use proofplay_core::{Key, Own, Player, Position, Score, mix};
/// # #[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
/// # struct Heap(u8);
/// # impl Position for Heap {
/// #     type Move = u8;
/// #     fn turn(&self) -> Player { Player::First }
/// #     fn outcome(&self) -> Option<Score> { (self.0 == 0).then_some(Score::WIN) }
/// #     fn moves(&self, out: &mut Vec<u8>) { out.push(1) }
/// #     fn play(&mut self, taken: u8) { self.0 -= taken }
/// #     fn key(&self) -> Key { mix(self.0.into()) }
/// # }
/// /// One heap of matches.
/// struct Matches;
///
/// impl Family for Matches {
///     const NAME: &str = "matches";
///     const PARAMETERS: &str = "N";
///     const EXAMPLE: &str = "7";
///     const RULES: &str = "take a match; who takes the last one wins";
///     const SMALL: &[&str] = &["1", "5"];
///
///     fn build<V: GameVisitor>(parameters: &str, visitor: V) -> Result<V::Out, TextError> {
///         let heap = parameters.parse().map(Heap);
///         let heap = heap.map_err(|_| TextError::new("parameters", parameters, "a number up to 255"))?;
///         Ok(visitor.visit(Own::new(&Self::written(parameters), heap)))
///     }
/// }
/// assert_eq!(Matches::written("7"), "matches:7");
/// ```
pub trait Family {
    /// The name.
    const NAME: &'static str;
    /// The form of the parameters, `CxR[,rows=N], default 8x8`; empty if there are none.
    const PARAMETERS: &'static str;
    /// The parameters of a game to try.
    const EXAMPLE: &'static str;
    /// The rules in one line.
    const RULES: &'static str;
    /// All of the rules, the notation and the parameters, as Markdown with the headings Moves, Positions, Parameters and Examples;
    /// empty if there is no such text.
    const FULL_RULES: &'static str = "";
    /// Moves from the start of the example, separated by blanks, to a position that is worth a picture.
    const LINE: &'static str = "";
    /// The parameters of boards that every search solves in a moment; tests solve all of them. Only games whose positions can
    /// repeat may have none.
    const SMALL: &'static [&'static str] = &[];
    /// The parameters of boards that people play, if the example is another one; benchmarks measure them.
    const STANDARD: &'static [&'static str] = &[];
    /// The parameters of boards that go other ways through the code: the smallest, the largest, each option, each type of position.
    const VARIED: &'static [&'static str] = &[];

    /// Makes the game with these parameters, in whatever type suits them, and shows it to the visitor.
    fn build<V: GameVisitor>(parameters: &str, visitor: V) -> Result<V::Out, TextError>;

    /// The name with parameters.
    fn written(parameters: &str) -> String {
        let colon = if parameters.is_empty() { "" } else { ":" };
        format!("{}{colon}{parameters}", Self::NAME)
    }
}

/// Is shown a game of whatever type.
pub trait GameVisitor {
    /// What it makes of the game.
    type Out;
    /// Looks at the game.
    fn visit<G: Game>(self, game: G) -> Self::Out;
}

/// Is shown families of games, one after the other.
pub trait FamilyVisitor {
    /// Looks at a family.
    fn visit<F: Family>(&mut self);
}
