//! What all front ends share: which position is meant, records with undo, players and the game
//! between them, sessions of a person with the computer, clocks, budgets, answers as sentences and as
//! JSON, amounts as text.
//!
//! The command line is a thin layer above this; a page, a protocol or a binding is another one.
#![forbid(unsafe_code)]

pub mod amounts;
pub mod answer;
pub mod auto;
pub mod batch;
pub mod budget;
pub mod certificate;
pub mod clock;
pub mod estimate;
pub mod game;
pub mod job;
pub mod json;
pub mod level;
pub mod person;
pub mod picture;
pub mod player;
pub mod points;
pub mod question;
pub mod record;
pub mod request;
pub mod resign;
pub mod review;
pub mod session;
pub mod setup;
pub mod sgf;
pub mod text;
pub mod touched;
pub mod words;
