//! The file: lines of text, then the two strategies, each compressed, then a checksum.
//!
//! ```text
//! proofplay-certificate 1
//! game: connect4:5x5
//! from: start
//! moves: 3 3
//! position: ...../...../...../..o../..x.. x
//! walk: graph
//! at-least: 0 strategy 5731 812
//! at-most: +1 rules
//! (an empty line, 812 bytes, 4 bytes of checksum)
//! ```
//!
//! That is version 1. Two others have one more line after `walk`: in version 2 `ends: counted`, lines
//! of play end where a count decides; in version 3 `within: 9`, plies are counted. In version 4 it is
//! `walk: ranks`: positions that can repeat are merged.

use crate::claim::Claim;
use crate::line_end::Ends;
use crate::walk::Shape;
use flate2::Crc;
use proofplay_core::{Line, Score};
use std::fmt;
use std::str::FromStr;

const MAGIC: &str = "proofplay-certificate";
const START: &str = "start";
const CHECKSUM: usize = 4;
/// The lines of text have at most this many bytes, which bounds the memory of readers.
const HEAD: usize = 1 << 20;

/// What a claim rests on.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Evidence<'a> {
    /// No end of the game is worse for the owner.
    Rules,
    /// The compressed choices of the owner, and the number of positions walked.
    Strategy {
        /// Positions walked.
        positions: u64,
        /// A zlib stream of numbers.
        data: &'a [u8],
    },
}

/// A certificate as it is read or about to be written. Nothing in it has been checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Certificate<'a> {
    /// The line of play that leads to the position.
    pub line: Line,
    /// The position as text.
    pub position: String,
    /// What the strategies walk.
    pub shape: Shape,
    /// The plies after which the game is over, if they are counted.
    pub within: Option<u16>,
    /// Where their lines end.
    pub ends: Ends,
    /// The two claims, at least and at most, and what they rest on.
    pub halves: [(Claim, Evidence<'a>); 2],
    /// Whether the checksum is that of the file.
    pub intact: bool,
}

/// A file that is no certificate, or not a whole one.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FormatError {
    /// It does not begin as a certificate does.
    #[error("not a certificate: its first line must be `{MAGIC}` and a version, 1 to 4")]
    Foreign,
    /// Another version of the format.
    #[error("a certificate of version `{0}`; this program reads versions 1 to 4")]
    Version(String),
    /// A line of the head that cannot be read.
    #[error("line {number}: expected `{expected}`")]
    Line {
        /// From 1.
        number: usize,
        /// What should be there.
        expected: &'static str,
    },
    /// Lines of text without end.
    #[error("the lines of text have more than {HEAD} bytes")]
    Head,
    /// Fewer or more bytes than the head says.
    #[error("the data should have {said} bytes and have {found}")]
    Length {
        /// By the head.
        said: u64,
        /// In the file.
        found: u64,
    },
}

fn checksum(bytes: &[u8]) -> [u8; CHECKSUM] {
    let mut crc = Crc::new();
    crc.update(bytes);
    crc.sum().to_le_bytes()
}

/// Reads the head line by line.
struct Lines<'a> {
    rest: &'a [u8],
    number: usize,
    /// What the file has beyond the longest head.
    beyond: usize,
}

impl<'a> Lines<'a> {
    /// The next line, if it is text and ends.
    fn next(&mut self) -> Option<&'a str> {
        self.number += 1;
        let end = self.rest.iter().position(|&byte| byte == b'\n')?;
        let (line, rest) = (&self.rest[..end], &self.rest[end + 1..]);
        self.rest = rest;
        std::str::from_utf8(line).ok()
    }

    /// The text after `key`, read by `read`.
    fn field<T>(
        &mut self,
        key: &str,
        expected: &'static str,
        read: impl FnOnce(&'a str) -> Option<T>,
    ) -> Result<T, FormatError> {
        let text = self.next().and_then(|line| line.strip_prefix(key));
        text.and_then(read).ok_or(match self.beyond > 0 && !self.rest.contains(&b'\n') {
            true => FormatError::Head,
            false => FormatError::Line { number: self.number, expected },
        })
    }
}

/// A number, if it is in the form that we write.
fn number<T: FromStr + ToString>(text: &str) -> Option<T> {
    text.parse().ok().filter(|number: &T| number.to_string() == text)
}

/// A score and, unless the claim rests on the rules, the numbers of positions and bytes.
fn claim(text: &str) -> Option<(Score, Option<(u64, usize)>)> {
    let mut words = text.split(' ');
    let word = words.next()?;
    let score = word.parse().ok().filter(|&score| score > i16::MIN).map(Score);
    let score = score.filter(|score| score.to_string() == word)?;
    let size = match words.next()? {
        "rules" => None,
        "strategy" => Some((number(words.next()?)?, number(words.next()?)?)),
        _ => return None,
    };
    words.next().is_none().then_some((score, size))
}

impl<'a> Certificate<'a> {
    /// Whether a file that begins with these bytes, few or many, may be a certificate.
    pub fn expect_beginning(bytes: &[u8]) -> Result<(), FormatError> {
        let ours = [MAGIC.as_bytes(), b" "].concat();
        if ours.starts_with(bytes) || bytes.starts_with(&ours) { Ok(()) } else { Err(FormatError::Foreign) }
    }

    /// Reads a file.
    pub fn parse(bytes: &'a [u8]) -> Result<Certificate<'a>, FormatError> {
        let (rest, beyond) = bytes.split_at(bytes.len().min(HEAD));
        let mut lines = Lines { rest, number: 0, beyond: beyond.len() };
        let first = lines.next().and_then(|line| line.strip_prefix(MAGIC)?.strip_prefix(' '));
        let plain = &[Shape::Graph, Shape::Tree][..];
        let (ends, counts, shapes) = match first.ok_or(FormatError::Foreign)? {
            "1" => (Ends::Rules, false, plain),
            "2" => (Ends::Counted, false, plain),
            "3" => (Ends::Rules, true, plain),
            "4" => (Ends::Rules, false, &[Shape::Ranks][..]),
            other => return Err(FormatError::Version(other.to_owned())),
        };
        let game = lines.field("game: ", "game: NAME", |text| Some(text.to_owned()))?;
        let from = lines.field("from: ", "from: start, or a position", |text| {
            Some((text != START).then(|| text.to_owned()))
        })?;
        let moves = lines.field("moves:", "moves: MOVE MOVE …", |text| {
            let moves = text.strip_prefix(' ').map(|text| text.split(' ').map(str::to_owned).collect());
            if text.is_empty() { Some(Vec::new()) } else { moves }
        })?;
        let position = lines.field("position: ", "position: TEXT", |text| Some(text.to_owned()))?;
        let expected = if shapes == plain { "walk: graph, or walk: tree" } else { "walk: ranks" };
        let shape = lines.field("walk: ", expected, |text| {
            shapes.iter().copied().find(|shape| shape.to_string() == text)
        })?;
        if ends == Ends::Counted {
            lines.field("ends: ", "ends: counted", |text| (text == ends.to_string()).then_some(()))?;
        }
        let within = counts.then(|| lines.field("within: ", "within: PLIES", number)).transpose()?;
        let form = "SCORE rules, or SCORE strategy POSITIONS BYTES, behind at-least: and at-most:";
        let at_least = lines.field("at-least: ", form, claim)?;
        let at_most = lines.field("at-most: ", form, claim)?;
        lines.field("", "an empty line", |text| text.is_empty().then_some(()))?;
        let length = |size: Option<(u64, usize)>| size.map_or(0, |size| size.1);
        let said = (length(at_least.1) as u64).saturating_add(length(at_most.1) as u64);
        let said = said.saturating_add(CHECKSUM as u64);
        let data = &bytes[bytes.len() - lines.beyond - lines.rest.len()..];
        if data.len() as u64 != said {
            return Err(FormatError::Length { said, found: data.len() as u64 });
        }
        let (first, rest) = data.split_at(length(at_least.1));
        let (second, sum) = rest.split_at(length(at_most.1));
        let evidence = |size: Option<(u64, usize)>, data| match size {
            None => Evidence::Rules,
            Some((positions, _)) => Evidence::Strategy { positions, data },
        };
        Ok(Certificate {
            line: Line { game, from, moves },
            position,
            shape,
            within,
            ends,
            halves: [
                (Claim::at_least(at_least.0).with_plies(within), evidence(at_least.1, first)),
                (Claim::at_most(at_most.0).with_plies(within), evidence(at_most.1, second)),
            ],
            intact: checksum(&bytes[..bytes.len() - CHECKSUM]) == sum,
        })
    }

    /// The file, with its checksum. `None` if a text is not a single line, or the lines are too
    /// long.
    pub fn to_bytes(&self) -> Option<Vec<u8>> {
        let head = self.to_string();
        let lines = if [1, 4].contains(&self.version()) { 9 } else { 10 };
        if head.matches('\n').count() != lines || head.contains('\r') || head.len() > HEAD {
            return None;
        }
        let mut bytes = head.into_bytes();
        for (_, evidence) in &self.halves {
            if let Evidence::Strategy { data, .. } = evidence {
                bytes.extend_from_slice(data);
            }
        }
        let sum = checksum(&bytes);
        bytes.extend_from_slice(&sum);
        Some(bytes)
    }
}

impl Certificate<'_> {
    fn version(&self) -> u32 {
        match (self.shape, self.ends, self.within) {
            (Shape::Ranks, ..) => 4,
            (_, _, Some(_)) => 3,
            (_, Ends::Counted, None) => 2,
            (_, Ends::Rules, None) => 1,
        }
    }
}

impl fmt::Display for Certificate<'_> {
    /// The lines of text.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{MAGIC} {}\ngame: {}", self.version(), self.line.game)?;
        writeln!(f, "from: {}", self.line.from.as_deref().unwrap_or(START))?;
        f.write_str("moves:")?;
        for mv in &self.line.moves {
            write!(f, " {mv}")?;
        }
        writeln!(f, "\nposition: {}\nwalk: {}", self.position, self.shape)?;
        match (self.within, self.ends) {
            (Some(plies), _) => writeln!(f, "within: {plies}")?,
            (None, Ends::Counted) => writeln!(f, "ends: {}", self.ends)?,
            (None, Ends::Rules) => {}
        }
        for (key, (claim, evidence)) in ["at-least", "at-most"].iter().zip(&self.halves) {
            write!(f, "{key}: {}", claim.score)?;
            match evidence {
                Evidence::Rules => writeln!(f, " rules")?,
                Evidence::Strategy { positions, data } => {
                    writeln!(f, " strategy {positions} {}", data.len())?
                }
            }
        }
        writeln!(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example<'a>() -> Certificate<'a> {
        Certificate {
            line: Line::start("connect4:5x5").then("3 3"),
            position: "x".to_owned(),
            shape: Shape::Graph,
            within: None,
            ends: Ends::Rules,
            halves: [
                (Claim::at_least(Score(-7)), Evidence::Strategy { positions: 12, data: b"\n\n\nabc" }),
                (Claim::at_most(Score::WIN), Evidence::Rules),
            ],
            intact: true,
        }
    }

    fn counting<'a>(plies: u16) -> Certificate<'a> {
        let (within, mut halves) = (Some(plies), example().halves);
        halves.iter_mut().for_each(|half| half.0 = half.0.with_plies(within));
        Certificate { within, halves, ..example() }
    }

    #[test]
    fn files_read_back() {
        let file = example().to_bytes().unwrap();
        assert_eq!(Certificate::parse(&file), Ok(example()));
        let mut from = example();
        from.line = Line { from: Some("... x".to_owned()), ..Line::start("connect4:5x5") };
        from.halves[1].1 = Evidence::Strategy { positions: 0, data: &[] };
        assert_eq!(Certificate::parse(&from.to_bytes().unwrap()), Ok(from));
        let counted = Certificate { ends: Ends::Counted, ..example() };
        assert_eq!(Certificate::parse(&counted.to_bytes().unwrap()), Ok(counted));
        let plies = counting(9);
        assert_eq!(Certificate::parse(&plies.to_bytes().unwrap()), Ok(plies));
        let ranks = Certificate { shape: Shape::Ranks, ..example() };
        assert_eq!(Certificate::parse(&ranks.to_bytes().unwrap()), Ok(ranks));
        let two_lines = Certificate { line: Line::start("written:(+\n-)"), ..example() };
        assert_eq!(two_lines.to_bytes(), None);
    }

    #[test]
    fn every_missing_byte_and_every_flipped_bit_is_noticed() {
        let counted = Certificate { ends: Ends::Counted, ..example() };
        let ranks = Certificate { shape: Shape::Ranks, ..example() };
        for file in [example(), counted, counting(9), ranks] {
            let file = file.to_bytes().unwrap();
            for length in 0..file.len() {
                assert!(Certificate::parse(&file[..length]).is_err(), "{length} bytes");
            }
            for bit in 0..8 * file.len() {
                let mut bad = file.clone();
                bad[bit / 8] ^= 1 << (bit % 8);
                assert!(!Certificate::parse(&bad).is_ok_and(|c| c.intact), "bit {bit}");
            }
            let more = [&file[..], b"x"].concat();
            assert!(matches!(Certificate::parse(&more), Err(FormatError::Length { .. })));
        }
    }

    #[test]
    fn a_few_bytes_tell_a_certificate_from_others() {
        let file = example().to_bytes().unwrap();
        for length in 0..file.len() {
            assert_eq!(Certificate::expect_beginning(&file[..length]), Ok(()), "{length} bytes");
        }
        for other in [&b"\0"[..], b"p\n", b"proofplay-checkpoint 1\n", b"proofplay-certificate\n"] {
            assert_eq!(Certificate::expect_beginning(other), Err(FormatError::Foreign));
        }
    }

    #[test]
    fn errors_name_the_line() {
        let error = |text: &str| Certificate::parse(text.as_bytes()).unwrap_err().to_string();
        assert!(error("hello\n").contains("not a certificate"));
        assert!(error("").contains("not a certificate"));
        assert!(error("proofplay-certificate 5\n").contains("version `5`"));
        let head = "game: y:2\nfrom: start\nmoves:\nposition: x\nwalk: graph\n";
        let fourth = error(&format!("proofplay-certificate 4\n{head}at-least: 0 rules\n"));
        assert_eq!(fourth, "line 6: expected `walk: ranks`");
        let first =
            error("proofplay-certificate 1\ngame: y\nfrom: start\nmoves:\nposition: x\nwalk: ranks\n");
        assert_eq!(first, "line 6: expected `walk: graph, or walk: tree`");
        let second = |rest: &str| error(&format!("proofplay-certificate 2\n{head}{rest}"));
        assert_eq!(second("at-least: 0 rules\n"), "line 7: expected `ends: counted`");
        assert_eq!(second("ends: rules\n"), "line 7: expected `ends: counted`");
        assert!(error(&format!("proofplay-certificate 1\n{head}ends: counted\n")).starts_with("line 7: "));
        for within in ["ends: counted", "within: -1", "within: 01", "within: +1", "within: 65536", "within: "]
        {
            let third = error(&format!("proofplay-certificate 3\n{head}{within}\n"));
            assert_eq!(third, "line 7: expected `within: PLIES`", "{within}");
        }
        assert_eq!(
            error("proofplay-certificate 1\ngame: y:2\nto: start\n"),
            "line 3: expected `from: start, or a position`"
        );
        // One way to write a number.
        let claimed = |claims: &str| error(&format!("proofplay-certificate 1\n{head}{claims}"));
        for score in ["1", "+0", "-0", "00", "+01", "-01", " 0", "+-1", "0x1", "+32768", "-32768", "٣", ""] {
            assert!(claimed(&format!("at-least: {score} rules\n")).starts_with("line 7: "), "{score}");
            let second = format!("at-least: -1 rules\nat-most: {score} rules\n");
            assert!(claimed(&second).starts_with("line 8: "), "{score}");
        }
        for sizes in ["+1 2", "01 2", "1 +2", "1 02", "1  2", "1 2 ", "1", "1 2 3", "-1 2", "x 2"] {
            assert!(claimed(&format!("at-least: 0 strategy {sizes}\n")).starts_with("line 7: "), "{sizes}");
        }
        let huge = "proofplay-certificate 1\ngame: y\nfrom: start\nmoves:\nposition: x\nwalk: tree\nat-least: 0 strategy 1 \
                    18446744073709551615\nat-most: 0 strategy 1 18446744073709551615\n\n";
        assert!(error(huge).contains("bytes"));
        let long = |length: usize| format!("proofplay-certificate 1\ngame: {}\n", "x".repeat(length));
        assert_eq!(Certificate::parse(long(1 << 20).as_bytes()), Err(FormatError::Head));
        assert!(error(&long(1 << 19)).starts_with("line 3: "));
        let long = Certificate { position: "x".repeat(1 << 20), ..example() };
        assert_eq!(long.to_bytes(), None);
    }
}
