//! Games from rule sheets in the Game Description Language (GDL-I, KIF form).
//!
//! [`Sheet::read`] reads and checks the rules.
#![forbid(unsafe_code)]

mod check;
mod components;
mod evaluate;
mod facts;
mod flaw;
mod game;
mod ground;
mod interpreter;
mod join;
mod latched;
mod network;
mod position;
mod reader;
mod rules;
mod scoring;
mod sheet;
mod shipped;
mod tables;
mod terms;
#[cfg(test)]
mod tests;
mod translate;
mod view;

pub use flaw::{Flaw, Source, Span};
pub use game::SheetGame;
pub use position::SheetPosition;
pub use scoring::Fault;
pub use sheet::Sheet;
pub use shipped::{SHIPPED, Shipped};
