//! A player is a search, perhaps with its own version of the game, or a foreign program.
//!
//! ```text
//! mcts:c=0.5                             a search
//! alphabeta:depth=4@loa:8x8,eval=2000    … that thinks in this game
//! gtp:gnugo --mode gtp                   a program that speaks the Go Text Protocol
//! gtp(GNU Go, 3.8):gnugo --mode gtp      … that must have this name and version
//! ```
//!
//! Once a program was asked who it is, its text has its name and its version. So the plan of a match
//! has them, and results of several versions never mix. In the same way a network gets the digest of
//! its file: `mcts:leaf=net:FILE#DIGEST`.

use crate::{LabError, Pace};
use proofplay_net::full_name;
use proofplay_protocol::gtp::client::Program;
use proofplay_protocol::gtp::foreign::Identity;
use proofplay_search::{SearchError, SearchSpec, SpecError};
use std::fmt;
use std::str::FromStr;

/// Who plays.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum Contender {
    /// A search.
    Search {
        /// How it searches.
        spec: SearchSpec,
        /// The game it thinks in, if not the one that is played: one with the same rules and other
        /// hints.
        thinks_in: Option<String>,
    },
    /// A foreign program.
    Foreign {
        /// How it is started.
        program: Program,
        /// Who it is, if that is known.
        identity: Option<Identity>,
    },
}

/// Why a player cannot be read.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ContenderError {
    /// There is no such search.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// This is no program.
    #[error("{0}")]
    Program(String),
}

impl Contender {
    /// The same player in the game of this name, where `auto` means one of the others: one that makes
    /// simulations if these are what limits it.
    pub fn for_game(self, name: &str, pace: &Pace) -> Contender {
        match self {
            Contender::Search { spec, thinks_in } => {
                let must_simulate = pace.playouts.is_some() && pace.nodes.is_none() && pace.time.is_none();
                let spec = spec.for_game(thinks_in.as_deref().unwrap_or(name), must_simulate);
                Contender::Search { spec, thinks_in }
            }
            foreign => foreign,
        }
    }

    /// The same player; a network that it names has the digest of its file behind it from then on.
    pub(crate) fn with_digest(self) -> Result<Contender, LabError> {
        let Contender::Search { spec, thinks_in } = self else { return Ok(self) };
        let Some(name) = spec.network() else { return Ok(Contender::Search { spec, thinks_in }) };
        let full = full_name(name).map_err(|error| SearchError::Network(error.to_string()))?;
        let setting = |name: &str| format!("leaf=net:{name}");
        let text = spec.to_string().replacen(&setting(name), &setting(&full), 1);
        let spec = text.parse().map_err(|error: SpecError| LabError::Plan(error.to_string()))?;
        Ok(Contender::Search { spec, thinks_in })
    }

    /// How it searches, if it is a search.
    pub fn spec(&self) -> Option<&SearchSpec> {
        if let Contender::Search { spec, .. } = self { Some(spec) } else { None }
    }

    /// Whether it is a foreign program.
    pub fn is_foreign(&self) -> bool {
        self.spec().is_none()
    }

    /// Whether it limits its thinking about a move.
    pub fn limits_itself(&self) -> bool {
        self.spec().is_none_or(SearchSpec::limits_itself)
    }

    /// Whether it makes simulations that we can count.
    pub fn counts_simulations(&self) -> bool {
        self.spec().is_some_and(SearchSpec::counts_simulations)
    }
}

/// What stands for a program in the text of a player: the same without what would end it there.
pub(crate) fn plain(identity: Identity) -> Identity {
    let replaced = |text: &str, comma: &str| text.replace('(', "[").replace(')', "]").replace(',', comma);
    Identity { name: replaced(&identity.name, ","), version: replaced(&identity.version, ";") }
}

impl FromStr for Contender {
    type Err = ContenderError;

    fn from_str(text: &str) -> Result<Contender, ContenderError> {
        let program = |text: &str| text.parse().map_err(ContenderError::Program);
        if let Some(command) = text.strip_prefix("gtp:") {
            return Ok(Contender::Foreign { program: program(command)?, identity: None });
        }
        if let Some(rest) = text.strip_prefix("gtp(") {
            let named = rest.split_once("):");
            let named = named.and_then(|(who, command)| Some((who.rsplit_once(", ")?, command)));
            let ((name, version), command) = named.ok_or_else(|| {
                ContenderError::Program(format!(
                    "`{text}`: expected gtp:COMMAND or gtp(NAME, VERSION):COMMAND"
                ))
            })?;
            let identity = Identity { name: name.to_owned(), version: version.to_owned() };
            return Ok(Contender::Foreign { program: program(command)?, identity: Some(identity) });
        }
        let (spec, thinks_in) = match text.split_once('@') {
            Some((spec, game)) => (spec, Some(game.to_owned())),
            None => (text, None),
        };
        Ok(Contender::Search { spec: spec.parse()?, thinks_in })
    }
}

impl fmt::Display for Contender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Contender::Search { spec, thinks_in } => {
                spec.fmt(f)?;
                thinks_in.iter().try_for_each(|game| write!(f, "@{game}"))
            }
            Contender::Foreign { program, identity: None } => write!(f, "gtp:{program}"),
            Contender::Foreign { program, identity: Some(Identity { name, version }) } => {
                write!(f, "gtp({name}, {version}):{program}")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A network is known by what is in its file: another one of the same name is another player, and does
    /// not continue the games of the first.
    #[test]
    fn networks_have_digests() {
        use proofplay_net::{About, Net, NetFile, formats::own, model::Style};
        let path = std::env::temp_dir().join(format!("proofplay-digest-{}", std::process::id()));
        let name = path.to_str().unwrap();
        let write = |seed| {
            let net = Net::random(Style::Post { board: [3, 3], moves: 9 }, 4, 1, 8, seed);
            let about = About { encoder: "board".into(), ..About::default() };
            std::fs::write(&path, own::write(&NetFile { net, about })).unwrap();
            // Clocks of file systems are coarse.
            let now = std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1000 + seed);
            std::fs::File::options().write(true).open(&path).unwrap().set_modified(now).unwrap();
        };
        let named = |text: &str| text.parse::<Contender>().unwrap().with_digest();
        let player = format!("mcts:leaf=net:{name},batch=2@tictactoe");
        write(1);
        let one = named(&player).unwrap().to_string();
        assert!(
            one.starts_with(&format!("mcts:leaf=net:{name}#")) && one.ends_with(",batch=2@tictactoe"),
            "{one}"
        );
        assert_eq!(named(&one).unwrap().to_string(), one);
        write(2);
        assert_ne!(named(&player).unwrap().to_string(), one);
        let error = named(&one).unwrap_err().to_string();
        assert!(error.contains("another network"), "{error}");
        std::fs::remove_file(&path).unwrap();
        assert!(named(&player).unwrap_err().to_string().contains(name));
        assert_eq!(named("mcts:c=0.5").unwrap().to_string(), "mcts:c=0.5");
    }

    #[test]
    fn texts() {
        for text in [
            "mcts:c=0.5",
            "alphabeta:depth=4@loa:8x8,eval=2000",
            "gtp:gnugo --mode gtp",
            "gtp(GNU Go, 3.8):gnugo --mode gtp",
            "gtp(a, b, [c], 1;2):'my engine' x@y",
            "gtp(, ):x",
        ] {
            assert_eq!(text.parse::<Contender>().unwrap().to_string(), text);
        }
        let error = |text: &str| text.parse::<Contender>().unwrap_err().to_string();
        assert!(error("gtp:").contains("expected the command line"), "{}", error("gtp:"));
        assert!(error("gtp(x):y").contains("gtp(NAME, VERSION):COMMAND"), "{}", error("gtp(x):y"));
        assert!(error("gnugo").contains("gnugo"));
        let odd = Identity { name: "My, (own)".to_owned(), version: "1,2)".to_owned() };
        let text =
            Contender::Foreign { program: "x".parse().unwrap(), identity: Some(plain(odd)) }.to_string();
        assert_eq!(text, "gtp(My, [own], 1;2]):x");
        assert_eq!(text.parse::<Contender>().unwrap().to_string(), text);
    }
}
