//! How the fields of a plan are written as JSON. A store finds an experiment by the text of its plan,
//! so this text must never change.

use proofplay_core::Line;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

/// A value that has a text: a search, a player, openings.
pub(crate) mod text {
    use super::*;
    use std::fmt::Display;
    use std::str::FromStr;

    pub fn serialize<T: Display, S: Serializer>(value: &T, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(value)
    }

    pub fn deserialize<'de, T, D>(from: D) -> Result<T, D::Error>
    where
        T: FromStr<Err: Display>,
        D: Deserializer<'de>,
    {
        String::deserialize(from)?.parse().map_err(D::Error::custom)
    }
}

/// A time as seconds.
pub(crate) mod seconds {
    use super::*;
    use std::time::Duration;

    pub fn serialize<S: Serializer>(time: &Option<Duration>, to: S) -> Result<S::Ok, S::Error> {
        time.map(|time| time.as_secs_f64()).serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Duration>, D::Error> {
        let seconds = Option::<f64>::deserialize(from)?;
        seconds.map(Duration::try_from_secs_f64).transpose().map_err(D::Error::custom)
    }
}

/// The time of a match: seconds for each move, or the text of another clock.
pub(crate) mod time_control {
    use super::*;
    use proofplay_front::clock::TimeControl;
    use std::time::Duration;

    /// How it is written.
    #[derive(Serialize, Deserialize)]
    #[serde(untagged)]
    enum Written {
        Seconds(f64),
        Text(String),
    }

    pub fn serialize<S: Serializer>(time: &Option<TimeControl>, to: S) -> Result<S::Ok, S::Error> {
        let written = time.map(|time| match time {
            TimeControl::PerMove(time) => Written::Seconds(time.as_secs_f64()),
            clock => Written::Text(clock.to_string()),
        });
        written.serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<TimeControl>, D::Error> {
        Ok(match Option::<Written>::deserialize(from)? {
            None => None,
            Some(Written::Text(text)) => Some(text.parse().map_err(D::Error::custom)?),
            Some(Written::Seconds(seconds)) => {
                let time = Duration::try_from_secs_f64(seconds).map_err(D::Error::custom)?;
                Some(TimeControl::PerMove(time))
            }
        })
    }
}

/// A line of play as three fields.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Line")]
pub(crate) struct LineFields {
    game: String,
    #[serde(rename = "position")]
    from: Option<String>,
    #[serde(with = "words")]
    moves: Vec<String>,
}

/// Words with a blank between them.
mod words {
    use super::*;

    pub fn serialize<S: Serializer>(words: &[String], to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&words.join(" "))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<String>, D::Error> {
        Ok(String::deserialize(from)?.split_whitespace().map(str::to_owned).collect())
    }
}

#[cfg(test)]
mod tests {
    use crate::papers::{Experiment, Scale, tables};
    use crate::{Match, Race, Solve, Study};

    /// Texts of existing stores: an experiment whose plan is written differently would not be found
    /// there.
    #[test]
    fn plans_are_written_as_ever() {
        fn same<S: Study>(text: &str) {
            let study: S = serde_json::from_str(text).unwrap();
            assert_eq!(study.plan().to_string(), text);
        }
        same::<Match>(
            r#"{"game":"loa:8x8","a":"mcts:c=0.5,playouts=10","b":"alphabeta:depth=3@loa:8x8,eval=2000","playouts":100,"nodes":null,"time_s":0.1,"memory":4194304,"openings":"random:2","seed":7,"most_plies":200}"#,
        );
        same::<Match>(
            r#"{"game":"connect4:7x6","a":"mcts","b":"mcts","playouts":null,"nodes":5,"time_s":null,"memory":1,"openings":"4 4; 1","seed":1,"most_plies":9}"#,
        );
        same::<Match>(
            r#"{"game":"connect4:7x6","a":"mcts","b":"mcts","playouts":null,"nodes":null,"time_s":"1m+5s","memory":1,"openings":"none","seed":1,"most_plies":9}"#,
        );
        same::<Match>(
            r#"{"game":"go:9x9","a":"gtp(GNU Go, 3.8):gnugo --mode gtp","b":"mcts","playouts":null,"nodes":null,"time_s":1.0,"memory":1,"openings":"none","seed":1,"most_plies":9,"b_pace":{"playouts":7,"nodes":null,"time_s":null,"memory":1},"time_margin_s":0.5,"resign":"below=5,moves=3","ended_by_proof":true}"#,
        );
        same::<Solve>(
            r#"{"game":"tictactoe","position":".../o../x.x o","moves":"a3 b3","algorithm":"mcts:proof=exact,c=0.23,after=0","all_moves":true,"playouts":1000000,"nodes":null,"time_s":null,"memory":1073741824,"threads":1,"seed":1}"#,
        );
        same::<Solve>(
            r#"{"game":"nogo:4x4","position":null,"moves":"","algorithm":"alphabeta","all_moves":false,"playouts":null,"nodes":7,"time_s":2.5,"memory":1,"threads":2,"seed":3}"#,
        );
        same::<Race>(
            r#"{"game":"y:6","positions":{"random":4,"seed":1},"contestants":[["pp:init=eval",null],["mcts:c=0.4",5000]],"processor_s":2.0,"memory":1073741824}"#,
        );
        same::<Race>(
            r#"{"game":"loa:8x8","positions":["one","two"],"contestants":[["mcts",1]],"processor_s":null,"memory":1}"#,
        );
    }

    #[test]
    fn plans_are_read_back() {
        fn back<S: Study + Clone + PartialEq + std::fmt::Debug>(study: &S) {
            assert_eq!(&serde_json::from_value::<S>(study.plan()).unwrap(), study);
        }
        for table in [Scale::Quick, Scale::PAPER].into_iter().flat_map(tables) {
            for planned in &table.experiments {
                match &planned.experiment {
                    Experiment::Solve(study) => back(study.as_ref()),
                    Experiment::Match(study) => back(study.as_ref()),
                    Experiment::Race(study) => back(study),
                    Experiment::Course(study) => back(study.as_ref()),
                    Experiment::Known(_) | Experiment::Missing(_) => {}
                }
            }
        }
        let wrong = |text: &str| serde_json::from_str::<Race>(text).unwrap_err().to_string();
        let race =
            r#"{"game":"y:6","positions":[],"contestants":[["mtcs",null]],"processor_s":null,"memory":1}"#;
        assert!(wrong(race).contains("mtcs"), "{}", wrong(race));
        let race = r#"{"game":"y:6","positions":[],"contestants":[],"processor_s":-1,"memory":1}"#;
        assert!(wrong(race).contains("negative"), "{}", wrong(race));
    }
}
