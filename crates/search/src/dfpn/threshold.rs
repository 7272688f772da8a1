//! How long a depth-first search stays below a child: until a best-first search would go elsewhere.
//!
//! *Proof numbers* (Nagai 2002 \[Nag02\], with the 1 + ε trick of Pawlewicz & Lew 2007 \[PL07\]).
//! At an OR node with thresholds (pn, dn), c the child with the least proof number and d the next:
//!
//! ```text
//! pn_c = min(pn, (1 + ε) pn(d) + 1)        dn_c = dn - (sum of the disproof numbers of the others)
//! ```
//!
//! *Product propagation* has one number a node, which may rise or fall: a node has an interval
//! (low, high) inside which its ancestors would choose it again. At an OR node, with c the child of
//! the largest p and d the next, and q = product over the others of (1 - p):
//!
//! ```text
//! p(c) > 1 - (1 + ε)(1 - p(d))                            else d is chosen instead
//! 1 - (1 - low) / q < p(c) < 1 - (1 - high) / q           else the node leaves its own interval
//! ```
//!
//! At an AND node the same with p and 1 - p exchanged. (Only named as a personal communication in
//! \[SC13\]; worked out here.)
//!
//! Rounding may make an interval empty. The search therefore always tries a child once before it
//! tests its own thresholds: each visit makes progress, and the search ends.

use crate::proof::{Info, NodeKind, PnDn, Pp};

/// ε: a child is left only when another is better by this share, since switching back and forth
/// costs more than it gains.
const EPSILON: f64 = 0.25;
const EPSILON_SHIFT: u32 = 2;

/// Numbers with thresholds.
pub trait Threshold: Info {
    /// The thresholds of a node.
    type Bound: Copy + std::fmt::Debug;
    /// Those of the root: never passed by an open node.
    const NONE: Self::Bound;

    /// Whether the node is to be left.
    fn passes(self, bound: Self::Bound) -> bool;

    /// The thresholds of `child`, which the node's choice falls on, `second` being the next choice.
    fn below(
        kind: NodeKind,
        node: Self,
        bound: Self::Bound,
        child: Self,
        second: Option<Self>,
    ) -> Self::Bound;
}

impl Threshold for PnDn {
    type Bound = PnDn;
    const NONE: PnDn = PnDn { pn: u32::MAX, dn: u32::MAX };

    #[inline]
    fn passes(self, bound: PnDn) -> bool {
        self.pn >= bound.pn || self.dn >= bound.dn
    }

    #[inline]
    fn below(kind: NodeKind, node: PnDn, bound: PnDn, child: PnDn, second: Option<PnDn>) -> PnDn {
        let flip = |n: PnDn| if kind == NodeKind::Or { n } else { PnDn { pn: n.dn, dn: n.pn } };
        let [node, bound, child] = [node, bound, child].map(flip);
        let next = second.map_or(u32::MAX, |second| flip(second).pn);
        let pn = bound.pn.min(next.saturating_add(next >> EPSILON_SHIFT).saturating_add(1));
        let dn = if bound.dn == u32::MAX { u32::MAX } else { bound.dn - node.dn.min(bound.dn) + child.dn };
        flip(PnDn { pn, dn })
    }
}

impl Threshold for Pp {
    /// The lower and the upper end.
    type Bound = (f64, f64);
    const NONE: (f64, f64) = (0.0, 1.0);

    #[inline]
    fn passes(self, (low, high): (f64, f64)) -> bool {
        self.0 <= low || self.0 >= high
    }

    #[inline]
    fn below(
        kind: NodeKind,
        Pp(node): Pp,
        (low, high): (f64, f64),
        Pp(child): Pp,
        second: Option<Pp>,
    ) -> (f64, f64) {
        // At an AND node everything in terms of 1 - p would lose digits; there products are of p
        // itself.
        match kind {
            NodeKind::Or => {
                let q = (1.0 - node) / (1.0 - child);
                let leave = second.map_or(0.0, |Pp(p)| 1.0 - (1.0 + EPSILON) * (1.0 - p));
                (leave.max(1.0 - (1.0 - low) / q).max(0.0), (1.0 - (1.0 - high) / q).min(1.0))
            }
            NodeKind::And => {
                let q = node / child;
                let leave = second.map_or(1.0, |Pp(p)| (1.0 + EPSILON) * p);
                ((low / q).max(0.0), leave.min(high / q).min(1.0))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use NodeKind::{And, Or};

    fn pd(pn: u32, dn: u32) -> PnDn {
        PnDn { pn, dn }
    }

    /// By hand: two children (4, 3) and (8, 2) of an OR node (4, 5) with thresholds (9, 20) and
    /// (20, 20).
    #[test]
    fn proof_numbers() {
        assert_eq!(PnDn::below(Or, pd(4, 5), pd(9, 20), pd(4, 3), Some(pd(8, 2))), pd(9, 18));
        assert_eq!(PnDn::below(Or, pd(4, 5), pd(20, 20), pd(4, 3), Some(pd(8, 2))), pd(11, 18));
        assert_eq!(PnDn::below(And, pd(5, 4), pd(20, 20), pd(3, 4), Some(pd(2, 8))), pd(18, 11));
        assert_eq!(PnDn::below(Or, pd(4, 5), PnDn::NONE, pd(4, 5), None), PnDn::NONE);
        assert!(!pd(4, 5).passes(pd(5, 6)) && pd(5, 5).passes(pd(5, 6)) && pd(4, 6).passes(pd(5, 6)));
    }

    /// By hand: children 1/2 and 1/4 of an OR node are 5/8; it leaves (1/2, 7/8) when the first
    /// passes 1/3 or 5/6, and the second is as good at 1 - 5/4 * 3/4 = 1/16. An AND node mirrors
    /// it.
    #[test]
    fn products() {
        let near = |(a, b): (f64, f64), (c, d): (f64, f64)| (a - c).abs() < 1e-12 && (b - d).abs() < 1e-12;
        let or = Pp::below(Or, Pp(5.0 / 8.0), (0.5, 7.0 / 8.0), Pp(0.5), Some(Pp(0.25)));
        assert!(near(or, (1.0 / 3.0, 5.0 / 6.0)), "{or:?}");
        let or = Pp::below(Or, Pp(5.0 / 8.0), Pp::NONE, Pp(0.5), Some(Pp(0.25)));
        assert!(near(or, (1.0 / 16.0, 1.0)), "{or:?}");
        let and = Pp::below(And, Pp(3.0 / 8.0), (1.0 / 8.0, 0.5), Pp(0.5), Some(Pp(0.75)));
        assert!(near(and, (1.0 / 6.0, 2.0 / 3.0)), "{and:?}");
        let and = Pp::below(And, Pp(3.0 / 8.0), Pp::NONE, Pp(0.5), Some(Pp(0.75)));
        assert!(near(and, (0.0, 15.0 / 16.0)), "{and:?}");
        assert!(!Pp(0.5).passes(Pp::NONE) && Pp(0.5).passes((0.5, 1.0)) && Pp(0.5).passes((0.0, 0.5)));
    }
}
