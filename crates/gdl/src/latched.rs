//! Bounds that follow from goals which can no longer be reached.

use crate::position::SheetPosition;
use crate::tables::{Engine, Scratch, Tables};
use proofplay_core::{Bounds, Facts, Position};
use std::cell::RefCell;
use std::sync::Arc;

/// The facts of a game on a network.
#[derive(Debug)]
pub(crate) struct Latched(pub Arc<Tables>);

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

impl Facts<SheetPosition> for Latched {
    fn bounds(&self, pos: &SheetPosition) -> Bounds {
        let Engine::Network(network) = &self.0.engine else { return pos.range() };
        let (bits, phase) = pos.state.bits();
        SCRATCH.with_borrow_mut(|scratch| network.reachable(&self.0.scoring, bits, phase, scratch))
    }
}
