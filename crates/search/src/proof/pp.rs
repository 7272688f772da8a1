//! Product propagation: a proof search guided by the chance that a position is won.
//!
//! Saffidine & Cazenave, "Developments on Product Propagation", CG 2013 \[SC13\], Tables 1 and 2.
//!
//! ```text
//! OR node:   p = 1 - product over children of (1 - p_c)      descend into the largest p_c
//! AND node:  p =     product over children of p_c            descend into the smallest p_c
//! leaf:      1/2, or by mobility 1 - 1/2^c at an OR leaf and 1/2^c at an AND leaf with c moves
//! ```
//!
//! Paper -> here: PPN(n), the number of a node -> [`Pp`]; Max and Min nodes -> OR and AND nodes.
//!
//! Invariant: `p == 1` exactly when proven, `p == 0` exactly when disproven. An open node stays
//! inside [[`TINY`], 1 - [`EPS`]]: a product that underflows, or rounds to 1, proves nothing.
//!
//! Differs from the paper: only in these ends, which the paper does not mention.

use super::info::{Info, NodeKind, Status};
use crate::ProofNumbers;

/// The least chance of an open node: the smallest positive normal number.
pub const TINY: f64 = f64::MIN_POSITIVE;

/// What the greatest chance of an open node lacks to 1: the largest number below 1 is 1 - 2^-53.
pub const EPS: f64 = f64::EPSILON / 2.0;

/// The product propagation number of a node.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Pp(
    /// The chance p that the node is proven, as if children were independent.
    pub f64,
);

impl Pp {
    /// An open node's number, whatever rounding did to it.
    #[inline]
    #[allow(clippy::manual_clamp, reason = "max and min also turn `not a number` into a number")]
    fn open(p: f64) -> Pp {
        Pp(p.max(TINY).min(1.0 - EPS))
    }
}

impl Info for Pp {
    fn solved(proven: bool) -> Pp {
        Pp(if proven { 1.0 } else { 0.0 })
    }

    fn unit() -> Pp {
        Pp(0.5)
    }

    #[inline]
    fn mobility(kind: NodeKind, c: usize) -> Pp {
        // 1 / 2^c by its exponent: exact, and without a library's pow.
        let q = if c < 1022 { f64::from_bits((1023 - c as u64) << 52) } else { TINY };
        Pp::open(match kind {
            NodeKind::Or => 1.0 - q,
            NodeKind::And => q,
        })
    }

    fn chance(p: f64) -> Pp {
        Pp::open(p)
    }

    #[inline]
    fn combine(kind: NodeKind, children: impl Iterator<Item = Pp>) -> Pp {
        match kind {
            NodeKind::Or => {
                let (mut product, mut best) = (1.0, 0.0_f64);
                for Pp(p) in children {
                    product *= 1.0 - p;
                    best = best.max(p);
                }
                // `best` decides what is certain, whatever the product is.
                if best == 0.0 || best == 1.0 { Pp(best) } else { Pp::open(1.0 - product) }
            }
            NodeKind::And => {
                let (mut product, mut worst) = (1.0, 1.0_f64);
                for Pp(p) in children {
                    product *= p;
                    worst = worst.min(p);
                }
                if worst == 0.0 || worst == 1.0 { Pp(worst) } else { Pp::open(product) }
            }
        }
    }

    #[inline]
    fn before(kind: NodeKind, Pp(a): Pp, Pp(b): Pp) -> bool {
        match kind {
            NodeKind::Or => a > b,
            NodeKind::And => a < b,
        }
    }

    #[inline]
    fn status(self) -> Status {
        if self.0 == 1.0 {
            Status::Proven
        } else if self.0 == 0.0 {
            Status::Disproven
        } else {
            Status::Open
        }
    }

    fn is_valid(self) -> bool {
        self.status().is_solved() || self == Pp::open(self.0)
    }

    #[inline]
    fn shown(self) -> ProofNumbers {
        ProofNumbers::Pp(self.0)
    }

    fn to_bits(self) -> u64 {
        self.0.to_bits()
    }

    #[inline]
    fn from_bits(bits: u64) -> Pp {
        Pp(f64::from_bits(bits))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use NodeKind::{And, Or};

    fn of(kind: NodeKind, children: &[f64]) -> f64 {
        Pp::combine(kind, children.iter().map(|&p| Pp(p))).0
    }

    #[test]
    fn products_by_hand() {
        assert_eq!(of(Or, &[0.5, 0.25]), 0.625);
        assert_eq!(of(And, &[0.5, 0.25]), 0.125);
        assert_eq!((of(Or, &[0.5, 1.0]), of(Or, &[0.0, 0.0])), (1.0, 0.0));
        assert_eq!((of(And, &[0.5, 0.0]), of(And, &[1.0, 1.0])), (0.0, 1.0));
        assert_eq!((of(Or, &[0.0, 0.5]), of(And, &[1.0, 0.5])), (0.5, 0.5));
        assert_eq!((Pp::mobility(Or, 3), Pp::mobility(And, 3)), (Pp(0.875), Pp(0.125)));
        assert!(Pp::before(Or, Pp(0.6), Pp(0.4)) && Pp::before(And, Pp(0.4), Pp(0.6)));
    }

    /// Hundreds of children, chains of products and high mobility: the plain formula rounds to 0 or 1.
    #[test]
    fn rounding_and_underflow_never_prove() {
        let open = |p: f64| assert_eq!(Pp(p).status(), Status::Open, "{p}");
        assert_eq!([0.5; 2000].iter().product::<f64>(), 0.0, "the plain product does underflow");
        open(of(And, &[0.5; 2000]));
        open(of(Or, &[0.5; 2000]));
        open(of(Or, &[0.5; 54]));
        open(of(And, &[TINY, TINY]));
        open(of(Or, &[1.0 - EPS, 1.0 - EPS]));
        open(of(Or, &[TINY, 0.0]));
        open(of(And, &[1.0 - EPS, 1.0]));
        let mut p = 0.5;
        for i in 0..5000 {
            p = of(if i % 2 == 0 { And } else { Or }, &[p, p, 0.5]);
            open(p);
        }
        for c in [1, 53, 54, 1000, 1021, 1022, 1074, 5000, usize::MAX] {
            open(Pp::mobility(Or, c).0);
            open(Pp::mobility(And, c).0);
        }
        for p in [f64::NAN, f64::NEG_INFINITY, -1.0, 0.0, 1.0, 2.0] {
            open(Pp::chance(p).0);
        }
        assert!(Pp::before(Or, Pp(TINY), Pp(0.0)) && Pp::before(And, Pp(1.0 - EPS), Pp(1.0)));
    }
}
