//! The parameters of Go: the size of the board, komi, suicide; or the race of a seki.

use super::Go;
use crate::board::U384;
use crate::board::text::{self, bad_parameters};
use proofplay_core::{Family, GameVisitor, TextError};

/// The longest side of a board.
pub const LONGEST: u32 = 19;

/// The rows of the board of a race.
const RACE_ROWS: u32 = 9;

/// The parameters.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    /// Columns.
    pub cols: u32,
    /// Rows.
    pub rows: u32,
    /// Points for the second player, in half points.
    pub komi: i16,
    /// Whether a move may leave its own group without liberty, which is then taken off.
    pub suicide: bool,
    /// The outside liberties of the two strings if captures decide; see [`Setup::race`].
    pub race: Option<[u32; 2]>,
}

impl Setup {
    /// The usual small board without komi.
    pub const STANDARD: Setup = Setup { cols: 9, rows: 9, komi: 0, suicide: false, race: None };

    /// Reads `CxR`, then `,komi=K` and `,suicide=yes` if wanted, or `seki=A,B`; nothing at all
    /// means 9x9.
    pub fn parse(parameters: &str) -> Result<Setup, TextError> {
        if parameters.is_empty() {
            return Ok(Setup::STANDARD);
        }
        let wrong = |expected: String| bad_parameters(parameters, expected);
        if let Some(liberties) = parameters.strip_prefix("seki=") {
            let pair = liberties
                .split_once(',')
                .and_then(|(first, second)| text::number(first, LONGEST).zip(text::number(second, LONGEST)));
            return pair.map(|(first, second)| Setup::race(first, second)).ok_or_else(|| {
                wrong(format!("a race is seki=A,B, the outside liberties, each from 0 to {LONGEST}"))
            });
        }
        let mut parts = parameters.split(',');
        let (cols, rows) = text::sides(parts.next().unwrap_or_default(), LONGEST)?;
        let (mut setup, mut named) = (Setup { cols, rows, ..Setup::STANDARD }, Vec::new());
        for part in parts {
            let (name, value) = part.split_once('=').unwrap_or((part, ""));
            match (name, value) {
                _ if named.contains(&name) => return Err(wrong(format!("`{name}` is given twice"))),
                ("komi", komi) => {
                    setup.komi = half_points(komi).ok_or_else(|| {
                        wrong(format!("komi is at most {} points, whole or half ones, e.g. 7.5", MOST / 2))
                    })?;
                }
                ("suicide", "yes") => setup.suicide = true,
                ("suicide", "no") => setup.suicide = false,
                _ => {
                    return Err(wrong(format!(
                        "after the size `komi=K` and `suicide=yes` may follow, not `{part}`"
                    )));
                }
            }
            named.push(name);
        }
        Ok(setup)
    }

    /// The race of two strings with these outside liberties and two shared ones, on a real board
    /// \[CS10\].
    ///
    /// # Panics
    /// If that is more than a side is long.
    pub fn race(first: u32, second: u32) -> Setup {
        assert!(first.max(second) <= LONGEST, "{first} and {second} liberties do not fit");
        let cols = first.max(second).max(3);
        Setup { cols, rows: RACE_ROWS, race: Some([first, second]), ..Setup::STANDARD }
    }

    /// The position at the start of a race as text: from the top a living wall of W, the string of
    /// B with its outside liberties above and the shared ones below, the string of W with its own,
    /// a living wall of B.
    pub(super) fn race_text(self, [first, second]: [u32; 2]) -> String {
        let row = |letter: char, open: &dyn Fn(u32) -> bool| -> String {
            (0..self.cols).map(|column| if open(column) { '.' } else { letter }).collect()
        };
        let ends = |column| column == 0 || column + 1 == self.cols;
        let full = |_| false;
        let ranks = [
            row('w', &ends),
            row('w', &full),
            row('b', &|column| column < first),
            row('b', &full),
            row('b', &ends),
            row('w', &full),
            row('w', &|column| column < second),
            row('b', &full),
            row('b', &ends),
        ];
        format!("{} b", ranks.join("/"))
    }

    /// A cell of each of the two strings that race, B's first.
    pub(super) fn targets(self) -> Option<[u16; 2]> {
        self.race.map(|_| [5, 3].map(|row| (row * self.cols) as u16))
    }

    /// How many cells the board has.
    pub fn cells(self) -> u32 {
        self.cols * self.rows
    }

    /// The name of the game with these parameters.
    pub fn name(self) -> String {
        if let Some([first, second]) = self.race {
            return format!("go:seki={first},{second}");
        }
        let komi = if self.komi == 0 { String::new() } else { format!(",komi={}", points(self.komi)) };
        format!("go:{}x{}{komi}{}", self.cols, self.rows, if self.suicide { ",suicide=yes" } else { "" })
    }
}

impl Family for Setup {
    const NAME: &str = "go";
    const PARAMETERS: &str = "CxR[,komi=K][,suicide=yes] or seki=A,B, default 9x9";
    const EXAMPLE: &str = "9x9";
    const RULES: &str =
        "surround empty cells and enemy stones; no board may come again; the larger area wins";
    const FULL_RULES: &str = include_str!("../rules/go.md");
    const LINE: &str = "e5 c3 g7";
    const SMALL: &[&str] = &["1x2", "2x1,komi=0.5", "3x1"];
    const VARIED: &[&str] = &[
        "1x1",
        "3x3,komi=-1.5,suicide=yes",
        "9x9,komi=7.5",
        "13x13",
        "19x19",
        "seki=0,0",
        "seki=2,3",
        "seki=19,19",
    ];

    fn build<V: GameVisitor>(parameters: &str, visitor: V) -> Result<V::Out, TextError> {
        let setup = Setup::parse(parameters)?;
        Ok(match setup.cells() {
            0..=64 => visitor.visit(Go::<u64>::new(setup)),
            65..=128 => visitor.visit(Go::<u128>::new(setup)),
            _ => visitor.visit(Go::<U384>::new(setup)),
        })
    }
}

/// The largest komi: all cells of the largest board.
const MOST: i16 = 2 * (LONGEST * LONGEST) as i16;

/// Reads whole or half points, `7`, `7.5`, `-0.5`, as a number of half points; zeros may follow, as
/// in `6.50`.
pub fn half_points(text: &str) -> Option<i16> {
    let (sign, digits) = text.strip_prefix('-').map_or((1, text), |rest| (-1, rest));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
    let half = match fraction.trim_end_matches('0') {
        "" if !fraction.is_empty() => 0,
        "5" => 1,
        _ => return None,
    };
    let points = 2 * text::number(whole, (MOST / 2) as u32)? as i16 + half;
    (points <= MOST).then_some(sign * points)
}

/// A number of half points as text.
pub fn points(halves: i16) -> String {
    let sign = if halves < 0 { "-" } else { "" };
    format!("{sign}{}{}", halves.abs() / 2, if halves % 2 == 0 { "" } else { ".5" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters() {
        assert_eq!(Setup::parse(""), Ok(Setup::STANDARD));
        for name in ["9x9", "2x3,komi=7.5", "19x19,komi=-0.5,suicide=yes", "1x1", "5x5,komi=361", "seki=3,4"]
        {
            assert_eq!(Setup::parse(name).unwrap().name(), format!("go:{name}"));
        }
        assert_eq!(Setup::parse("3x3,suicide=no,komi=6.50").unwrap().name(), "go:3x3,komi=6.5");
        for bad in [
            "0x3",
            "20x3",
            "3",
            "3x3,",
            "3x3,komi",
            "3x3,komi=",
            "3x3,komi=.5",
            "3x3,komi=7.",
            "3x3,komi=7.25",
            "3x3,komi=362",
            "3x3,komi=361.5",
            "3x3,komi=1e1",
            "3x3,komi=+1",
            "3x3,komi=1,komi=1",
            "3x3,suicide",
            "3x3,ko=simple",
            "seki=",
            "seki=3",
            "seki=3,20",
            "seki=3,4,2",
            "seki=3,4,komi=1",
        ] {
            assert!(Setup::parse(bad).is_err(), "{bad}");
        }
    }

    /// The example of the rules.
    #[test]
    fn the_board_of_a_race() {
        let text = Setup::race(3, 4).race_text([3, 4]);
        assert_eq!(text, ".ww./wwww/...b/bbbb/.bb./wwww/..../bbbb/.bb. b");
    }
}
