//! Whether a position can come again: no, if some sum grows with every move.
//!
//! The sum is that of a weight for each base proposition that is true. For every action two things are shown from
//! the formulas: whatever it changes makes the sum larger; and it changes something, or if not, as a pass, then
//! such moves cannot follow each other through all splits. Then no line of play can come back to where it was. Weights are found by the rule of the perceptron (Rosenblatt, 1958): start with zeros, and
//! add every condition that fails. They are whole numbers, so the conditions that hold in the end hold exactly.
//!
//! A change is certain if the value before and after follow from the action being legal; any other is possible
//! unless it contradicts that. Conditions: the certain changes of an action together add at least 1, also when all
//! possible ones that take away happen; where no change is certain each possible one adds at least 1.
//!
//! Only the phases that come again matter: what is before them happens once.

use super::dag::{Dag, FALSE, Lit, not};
use super::effects::{Effect, Split};
use super::prove::Prover;
use crate::network::build::Action;

/// Steps of all small proofs.
const WORK: u64 = 100_000_000;
/// Rounds of the perceptron.
const ROUNDS: usize = 2_000;
/// Pairs of actions of two roles that are looked at.
const MOST_PAIRS: usize = 100_000;

/// Weights with signs that must add up to at least 1, whichever of the possible ones are added.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Condition {
    certain: Vec<(u32, i64)>,
    possible: Vec<(u32, i64)>,
}

/// Whether some sum grows with every move.
pub(crate) fn grows(dag: &Dag, bases: usize, splits: &[&Split], actions: &[Action]) -> bool {
    let mut dag = dag.clone();
    let own: Vec<Lit> = (0..bases as u32).map(|base| dag.base(base)).collect();
    // For every effect: that it rises, and that it falls.
    let mut change = |effect: &Effect| {
        let own = own[effect.base as usize];
        [dag.and(&mut vec![effect.value, not(own)]), dag.and(&mut vec![not(effect.value), own])]
    };
    let changes: Vec<Vec<Vec<[Lit; 2]>>> = splits
        .iter()
        .map(|split| split.effects.iter().map(|effects| effects.iter().map(&mut change).collect()).collect())
        .collect();
    let mut prover = Prover::new(&dag, WORK);
    // What can be seen at once is often enough.
    [false, true].into_iter().any(|thorough| {
        prover.thorough = thorough;
        by_sum(&mut prover, &own, splits, actions, &changes)
    })
}

fn by_sum(
    prover: &mut Prover<'_>,
    own: &[Lit],
    splits: &[&Split],
    actions: &[Action],
    changes: &[Vec<Vec<[Lit; 2]>>],
) -> bool {
    let (mut conditions, mut still) = (Vec::new(), Vec::new());
    for (split, changes) in splits.iter().zip(changes) {
        let two = actions.iter().any(|action| action.role == 1);
        if split.mover.is_none() && two && !one_acts(prover, split, actions) {
            return false;
        }
        let mut passes = Vec::new();
        for action in 0..actions.len() {
            let moves = match split.mover {
                Some(mover) => actions[action].role == mover,
                None => !two || split.consumed[action],
            };
            if moves && split.legal[action] != FALSE {
                let (legal, effects) = (split.legal[action], &split.effects[action]);
                if let Some(lits) = of_action(prover, own, legal, effects, &changes[action], &mut conditions)
                {
                    passes.push([lits, vec![not(split.terminal)]].concat());
                }
            }
        }
        still.push(passes);
    }
    if !still_ends(prover, &still) {
        return false;
    }
    conditions.sort_unstable();
    conditions.dedup();
    prover.work > 0 && weigh(&conditions, own.len())
}

/// Whether always one of two roles does something that matters, and the other does not.
fn one_acts(prover: &mut Prover<'_>, split: &Split, actions: &[Action]) -> bool {
    let of = |role: usize| {
        let all = 0..actions.len();
        all.filter(move |&action| actions[action].role == role && split.legal[action] != FALSE)
    };
    if of(0).count() * of(1).count() > MOST_PAIRS {
        return false;
    }
    let matters = &split.consumed;
    of(0).all(|a| {
        let mut others = of(1).filter(|&b| matters[a] == matters[b]);
        others.all(|b| prover.contradict(&[split.legal[a], split.legal[b]]))
    })
}

/// Whether moves that change nothing cannot come in every split of one and the same position. `still` has what
/// holds when such a move is made, for each split.
fn still_ends(prover: &mut Prover<'_>, still: &[Vec<Vec<Lit>>]) -> bool {
    const MOST: usize = 64;
    let Some(first) = still.iter().min_by_key(|passes| passes.len()) else { return true };
    let pairs = |a: &[Vec<Lit>], b: &[Vec<Lit>], prover: &mut Prover<'_>| {
        a.len() * b.len() <= MOST * MOST
            && a.iter().all(|a| b.iter().all(|b| prover.contradict(&[&a[..], b].concat())))
    };
    first.is_empty() || (1..still.len()).any(|other| pairs(&still[0], &still[other], prover))
}

/// The conditions of an action; what holds when it changes nothing, if that may be.
fn of_action(
    prover: &mut Prover<'_>,
    own: &[Lit],
    legal: Lit,
    effects: &[Effect],
    changes: &[[Lit; 2]],
    conditions: &mut Vec<Condition>,
) -> Option<Vec<Lit>> {
    if !prover.assume(&[legal]) {
        // Never legal.
        prover.forget();
        return None;
    }
    let sign = |effect: &Effect| -> Option<i64> {
        let before = prover.known(own[effect.base as usize])?;
        let after = if effect.value <= 1 { effect.value == 1 } else { prover.known(effect.value)? };
        Some(i64::from(after) - i64::from(before))
    };
    let signs: Vec<Option<i64>> = effects.iter().map(sign).collect();
    prover.forget();
    let sure = effects.iter().zip(&signs).filter_map(|(effect, sign)| Some((effect.base, (*sign)?)));
    let certain: Vec<(u32, i64)> = sure.filter(|term| term.1 != 0).collect();
    let mut possible = Vec::new();
    for ((effect, changes), _) in effects.iter().zip(changes).zip(&signs).filter(|(_, sign)| sign.is_none()) {
        for (&change, sign) in changes.iter().zip([1, -1]) {
            let never = change == FALSE || prover.thorough && prover.contradict(&[legal, change]);
            if !never {
                possible.push((effect.base, sign));
            }
        }
    }
    if !certain.is_empty() {
        conditions.push(Condition { certain, possible });
        return None;
    }
    conditions
        .extend(possible.into_iter().map(|term| Condition { certain: vec![term], possible: Vec::new() }));
    let still: Vec<Lit> = changes.iter().flatten().map(|&change| not(change)).chain([legal]).collect();
    // This is worth the time.
    let thorough = std::mem::replace(&mut prover.thorough, true);
    let never = prover.contradict(&still);
    prover.thorough = thorough;
    (!never).then_some(still)
}

/// Whether there are weights that meet all conditions.
fn weigh(conditions: &[Condition], bases: usize) -> bool {
    let mut weights = vec![0_i64; bases];
    for _ in 0..ROUNDS {
        let mut good = true;
        for Condition { certain, possible } in conditions {
            let worth = |&&(base, sign): &&(u32, i64)| sign * weights[base as usize];
            let bad = possible.iter().filter(|term| worth(term) < 0);
            let terms: Vec<(u32, i64)> = certain.iter().chain(bad).copied().collect();
            if terms.iter().map(|term| worth(&term)).sum::<i64>() < 1 {
                good = false;
                terms.iter().for_each(|&(base, sign)| weights[base as usize] += sign);
            }
        }
        if good {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_found_where_there_are_some() {
        let condition = |certain: &[(u32, i64)], possible: &[(u32, i64)]| Condition {
            certain: certain.to_vec(),
            possible: possible.to_vec(),
        };
        // A step from 0 to 1, and from 1 to 2 with perhaps the loss of 3.
        let steps = [condition(&[(0, -1), (1, 1)], &[]), condition(&[(1, -1), (2, 1)], &[(3, -1)])];
        assert!(weigh(&steps, 4));
        let back = condition(&[(2, -1), (0, 1)], &[]);
        assert!(!weigh(&[steps[0].clone(), steps[1].clone(), back], 4), "a circle");
        assert!(!weigh(&[condition(&[(0, 1)], &[]), condition(&[(0, -1)], &[])], 1), "what rises and falls");
        assert!(weigh(&[condition(&[(1, 1)], &[(0, 1), (0, -1)])], 2), "the other has no weight");
    }
}
