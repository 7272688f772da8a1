//! Proof numbers: the least number of leaves that must be proven or disproven to prove or disprove
//! a node.
//!
//! Allis, van der Meulen & van den Herik, "Proof-Number Search", Artificial Intelligence 1994
//! \[AMH94\].
//!
//! ```text
//! OR node:   pn = min of pn_c     dn = sum of dn_c     descend into the smallest pn_c
//! AND node:  pn = sum of pn_c     dn = min of dn_c     descend into the smallest dn_c
//! leaf:      (1, 1), or by mobility (1, c) at an OR leaf and (c, 1) at an AND leaf with c moves
//! ```
//!
//! Paper -> here: (proof number, disproof number) -> [`PnDn`]; infinity -> [`INFINITY`].
//!
//! Invariant: proven is (0, infinity), disproven is (infinity, 0); both numbers of an open node lie
//! strictly between. Sums saturate one below infinity: in a graph they count leaves once for every
//! path and double from ply to ply.
//!
//! Differs from the paper: nothing. [`PnDn::chance`] is ours: 1 to 16 leaves, untuned.

use super::info::{Info, NodeKind, Status};
use crate::ProofNumbers;

/// Impossible.
pub const INFINITY: u32 = u32::MAX;

/// The proof number and the disproof number of a node.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct PnDn {
    /// Leaves to prove before the node is proven.
    pub pn: u32,
    /// Leaves to disprove before the node is disproven.
    pub dn: u32,
}

impl PnDn {
    /// The numbers as (of the player whose choice the node is, of the opponent).
    #[inline]
    fn seen_at(self, kind: NodeKind) -> (u32, u32) {
        match kind {
            NodeKind::Or => (self.pn, self.dn),
            NodeKind::And => (self.dn, self.pn),
        }
    }

    #[inline]
    fn from_view(kind: NodeKind, (own, other): (u32, u32)) -> PnDn {
        match kind {
            NodeKind::Or => PnDn { pn: own, dn: other },
            NodeKind::And => PnDn { pn: other, dn: own },
        }
    }
}

impl Info for PnDn {
    fn solved(proven: bool) -> PnDn {
        if proven { PnDn { pn: 0, dn: INFINITY } } else { PnDn { pn: INFINITY, dn: 0 } }
    }

    fn unit() -> PnDn {
        PnDn { pn: 1, dn: 1 }
    }

    #[inline]
    fn mobility(kind: NodeKind, c: usize) -> PnDn {
        PnDn::from_view(kind, (1, (c as u32).clamp(1, INFINITY - 1)))
    }

    fn chance(p: f64) -> PnDn {
        let leaves = |chance: f64| 1 + (15.0 * (1.0 - chance.clamp(0.0, 1.0))).round() as u32;
        PnDn { pn: leaves(p), dn: leaves(1.0 - p) }
    }

    #[inline]
    fn combine(kind: NodeKind, children: impl Iterator<Item = PnDn>) -> PnDn {
        // 65 535 children of less than 2^32 each cannot overflow 64 bits.
        let (mut min, mut sum, mut max) = (INFINITY, 0_u64, 0);
        for child in children {
            let (own, other) = child.seen_at(kind);
            min = min.min(own);
            sum += u64::from(other);
            max = max.max(other);
        }
        let sum = if max == INFINITY { INFINITY } else { sum.min(u64::from(INFINITY - 1)) as u32 };
        PnDn::from_view(kind, (min, sum))
    }

    #[inline]
    fn before(kind: NodeKind, a: PnDn, b: PnDn) -> bool {
        a.seen_at(kind).0 < b.seen_at(kind).0
    }

    #[inline]
    fn status(self) -> Status {
        match self {
            PnDn { pn: 0, .. } => Status::Proven,
            PnDn { dn: 0, .. } => Status::Disproven,
            _ => Status::Open,
        }
    }

    fn is_valid(self) -> bool {
        let inside = |n: u32| (1..INFINITY).contains(&n);
        [PnDn::solved(true), PnDn::solved(false)].contains(&self) || inside(self.pn) && inside(self.dn)
    }

    #[inline]
    fn shown(self) -> ProofNumbers {
        let finite = |number: u32| (number < INFINITY).then_some(u64::from(number));
        ProofNumbers::Pn { proof: finite(self.pn), disproof: finite(self.dn) }
    }

    fn to_bits(self) -> u64 {
        u64::from(self.pn) << 32 | u64::from(self.dn)
    }

    #[inline]
    fn from_bits(bits: u64) -> PnDn {
        PnDn { pn: (bits >> 32) as u32, dn: bits as u32 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use NodeKind::{And, Or};

    fn pd(pn: u32, dn: u32) -> PnDn {
        PnDn { pn, dn }
    }

    /// Sums and minima by hand.
    #[test]
    fn sums_and_minima() {
        let children = [pd(1, 5), pd(3, 2), PnDn::solved(false)];
        assert_eq!(PnDn::combine(Or, children.into_iter()), pd(1, 7));
        assert_eq!(PnDn::combine(And, [pd(1, 5), pd(3, 2), PnDn::solved(true)].into_iter()), pd(4, 2));
        assert_eq!(PnDn::combine(And, children.into_iter()), PnDn::solved(false));
        assert_eq!(PnDn::combine(Or, [PnDn::solved(true), pd(2, 2)].into_iter()), PnDn::solved(true));
        assert_eq!(PnDn::combine(And, [PnDn::solved(true); 3].into_iter()), PnDn::solved(true));
        assert_eq!(PnDn::combine(Or, [PnDn::solved(false); 3].into_iter()), PnDn::solved(false));
        assert!(PnDn::before(Or, pd(1, 9), pd(2, 1)) && PnDn::before(And, pd(9, 1), pd(1, 2)));
        assert_eq!((PnDn::mobility(Or, 7), PnDn::mobility(And, 7)), (pd(1, 7), pd(7, 1)));
    }

    /// Sums near the end of the range stay below infinity, so that an open node stays open.
    #[test]
    fn sums_saturate_below_infinity() {
        let huge = pd(INFINITY - 1, INFINITY - 1);
        for kind in [Or, And] {
            let sum = PnDn::combine(kind, [huge; 60_000].into_iter());
            assert_eq!(sum, huge);
            assert_eq!(sum.status(), Status::Open);
            // Wrapping would give exactly 0 here.
            let wraps = [pd(1 << 31, 1 << 31), pd(1 << 31, 1 << 31)];
            assert_eq!(PnDn::combine(kind, wraps.into_iter()).status(), Status::Open);
            assert_eq!(PnDn::mobility(kind, usize::MAX).status(), Status::Open);
        }
        assert!(PnDn::before(Or, huge, PnDn::solved(false)) && PnDn::before(And, huge, PnDn::solved(true)));
    }

    #[test]
    fn chances_are_open() {
        for p in [f64::NEG_INFINITY, -1.0, 0.0, 0.3, 1.0, 2.0] {
            assert_eq!(PnDn::chance(p).status(), Status::Open, "{p}");
        }
        assert_eq!((PnDn::chance(1.0), PnDn::chance(0.0)), (pd(1, 16), pd(16, 1)));
    }
}
