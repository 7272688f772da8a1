//! The propositional network: a sheet without variables, as formulas that are updated by what changes.

pub(crate) mod build;
pub(crate) mod dag;
pub(crate) mod effects;
pub(crate) mod latch;
pub(crate) mod layout;
pub(crate) mod phases;
pub(crate) mod prove;
pub(crate) mod rank;
pub(crate) mod run;
