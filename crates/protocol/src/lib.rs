//! Protocols by which programs talk to each other.
//!
//! [`gtp`] is the Go Text Protocol, version 2: proofplay as an engine for front ends such as Sabaki and
//! GoGui, and other programs as players of our games.
#![forbid(unsafe_code)]

pub mod gtp;
pub mod input;
mod system;

pub use system::end_all;
