//! Protocols by which programs talk to each other.
//!
//! [`gtp`] is the Go Text Protocol, version 2: proofplay as an engine for front ends such as Sabaki and
//! GoGui, and other programs as players of our games. [`json`] is a protocol of our own, for programs of
//! any language.
#![forbid(unsafe_code)]

pub mod gtp;
pub mod input;
pub mod json;
mod system;

pub use system::end_all;
