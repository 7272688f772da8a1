//! How often moves of a category are played where one is legal: the transition probabilities of
//! Winands, Björnsson & Saito \[WBS08\], formula 2.
//!
//! ```text
//! P_c = n_played(c) / n_available(c)
//! ```
//!
//! Both count positions. The shipped counts are from games of our own player; the head of
//! `categories.txt` has the command that made them.

use super::categories::{CATEGORIES, name_of};
use proofplay_core::TextError;
use std::collections::HashMap;
use std::sync::LazyLock;

/// The least probability: what was never played may still be tried. Untuned.
const LEAST: f32 = 1e-3;

/// P_c of every category.
#[derive(Clone, PartialEq, Debug)]
pub struct Transitions(Vec<f32>);

impl Transitions {
    /// The shipped table.
    pub fn shipped() -> &'static Transitions {
        static SHIPPED: LazyLock<Transitions> = LazyLock::new(|| {
            Transitions::parse(include_str!("categories.txt")).expect("the shipped table is well written")
        });
        &SHIPPED
    }

    /// Reads a table as `proofplay learn` writes it: a line `CATEGORY PLAYED AVAILABLE` for each
    /// category that was available, and remarks after `#`. Other categories get the mean
    /// probability.
    pub fn parse(text: &str) -> Result<Transitions, TextError> {
        let categories: HashMap<_, _> =
            (0..CATEGORIES).map(|category| (name_of(category), category)).collect();
        let (mut counts, mut all) = (vec![None; CATEGORIES], (0, 0));
        for line in text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty()) {
            let wrong = |expected: &str| TextError::new("category", line, expected);
            let mut parts = line.rsplitn(3, ' ');
            let mut count = || parts.next().and_then(|count| count.parse::<u64>().ok());
            let (available, played) = (count(), count());
            let (Some(available), Some(played)) = (available, played) else {
                return Err(wrong("a line is CATEGORY PLAYED AVAILABLE"));
            };
            if available == 0 || played > available {
                return Err(wrong("it is available at least once, and not played more often"));
            }
            let category = parts.next().and_then(|name| categories.get(name));
            let category = *category.ok_or_else(|| wrong("no category has this name"))?;
            if counts[category].replace((played, available)).is_some() {
                return Err(wrong("there is another line of this category"));
            }
            all = (u64::saturating_add(all.0, played), u64::saturating_add(all.1, available));
        }
        if all.1 == 0 {
            return Err(TextError::new("categories", "", "there is no line"));
        }
        let probability = |(played, available): (u64, u64)| (played as f32 / available as f32).max(LEAST);
        Ok(Transitions(counts.into_iter().map(|count| probability(count.unwrap_or(all))).collect()))
    }

    /// The probability of a category.
    #[inline]
    pub(super) fn probability(&self, category: usize) -> f32 {
        self.0[category]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_hand() {
        let text = "# a remark\nquiet corner rim -1 1 4\n\ncapture rim third 3 4\npass 0 2\n";
        let table = Transitions::parse(text).unwrap();
        let of = |name: &str| table.probability((0..CATEGORIES).find(|&c| name_of(c) == name).unwrap());
        assert_eq!([of("quiet corner rim -1"), of("capture rim third"), of("pass")], [0.25, 0.75, LEAST]);
        assert_eq!(of("capture third rim"), 4.0 / 10.0);
        // Counts whose sums are beyond all numbers.
        let largest = format!("pass 1 {0}\ncapture rim third {0} {0}\n", u64::MAX);
        assert!(Transitions::parse(&largest).is_ok());
        for bad in [
            "",
            "pass",
            "pass 1",
            "pass x 2",
            "pass 0 0",
            "pass 3 2",
            "quiet corner rim +8 1 2",
            " 1 2",
            "pass 1 2\npass 1 3\n",
        ] {
            assert!(Transitions::parse(bad).is_err(), "{bad}");
        }
    }

    /// What strong players do: captures and moves towards the own pieces are played more than what
    /// leads away.
    #[test]
    fn the_shipped_table_is_sensible() {
        let table = Transitions::shipped();
        let of = |name: &str| table.probability((0..CATEGORIES).find(|&c| name_of(c) == name).unwrap());
        assert!(of("quiet rim third +2") > 2.0 * of("quiet third rim -2"));
        assert!(of("capture rim third") > 2.0 * of("quiet third rim -2"));
    }
}
