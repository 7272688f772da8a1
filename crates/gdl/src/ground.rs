//! Rules without variables: every instance of a rule that some line of play might need.
//!
//! Domain analysis: what `init` and `next` can make true may be true, what may be legal may be played, and
//! negations of what depends on the position are taken for granted. The least set of facts with this property
//! contains all that ever holds; the rules that derive it are the instances.

use crate::evaluate::{Budget, Group, Setting};
use crate::facts::Facts;
use crate::interpreter::{fixed_facts, roles};
use crate::join::build_atom;
use crate::rules::{Atom, Condition, DOES, INIT, LEGAL, Literal, NEXT, ROLE, Rule, Sym, TRUE, Term};
use crate::sheet::Sheet;
use crate::terms::{TermId, Terms};

/// Steps of joins that grounding may take, and terms that it may make.
const BUDGET: Budget = Budget { work: 150_000_000, terms: 3_000_000 };
/// Words that the instances may have.
const MOST_WORDS: usize = 40_000_000;

/// A sheet without variables.
#[derive(Debug)]
pub(crate) struct Ground {
    pub terms: Terms,
    pub roles: Vec<TermId>,
    /// What always holds and what may hold.
    pub facts: Facts,
    /// One behind the other: head, number of positive conditions, number of negative ones, conditions. They
    /// depend on the position or on moves; all others are resolved.
    words: Vec<u32>,
    pub start: Vec<TermId>,
}

/// An instance of a rule.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Instance<'a> {
    pub head: TermId,
    pub positive: &'a [TermId],
    pub negative: &'a [TermId],
}

/// Why a sheet was not grounded.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct TooLarge;

impl Ground {
    pub fn new(sheet: &Sheet) -> Result<Ground, TooLarge> {
        let (mut terms, mut facts) = fixed_facts(sheet).map_err(|_| TooLarge)?;
        let roles = roles(sheet, &mut terms);
        let checked = &sheet.checked;
        let mut closed = checked.clone();
        let var = Term::Var;
        closed.rules.push(rule(TRUE, vec![var(0)], vec![(INIT, vec![var(0)])]));
        closed.rules.push(rule(TRUE, vec![var(0)], vec![(NEXT, vec![var(0)])]));
        let legal = vec![(LEGAL, vec![var(0), var(1)]), (ROLE, vec![var(0)])];
        closed.rules.push(rule(DOES, vec![var(0), var(1)], legal));
        let varies = |pred: Sym| pred == TRUE || pred == DOES || checked.dynamic[pred.0 as usize];
        let skip = |condition: &Condition| matches!(condition, Condition::Not(atom) if varies(atom.pred));
        let setting = Setting { checked: &closed, triggers: &varies, skip: &skip };
        let rules: Vec<usize> =
            (0..closed.rules.len()).filter(|&rule| varies(closed.rules[rule].head.pred)).collect();
        let start = facts.len();
        let group = Group::new(&setting, &rules, &mut facts, &terms);
        let mut words: Vec<u32> = Vec::new();
        let (mut budget, mut full) = (BUDGET, false);
        let count = checked.rules.len();
        let ran = group.run(
            &closed,
            &mut terms,
            &mut facts,
            start,
            &mut budget,
            &mut |terms, number, env, head| {
                if number >= count || full {
                    return;
                }
                full = words.len() > MOST_WORDS;
                let at = words.len();
                words.extend([head, 0, 0]);
                for positive in [true, false] {
                    for literal in &closed.rules[number].body {
                        let atom = match &literal.what {
                            Condition::Is(atom) if positive => atom,
                            Condition::Not(atom) if !positive => atom,
                            _ => continue,
                        };
                        if varies(atom.pred) {
                            words.push(build_atom(terms, atom, env));
                            words[at + if positive { 1 } else { 2 }] += 1;
                        }
                    }
                }
            },
        );
        if ran.is_err() || full {
            return Err(TooLarge);
        }
        let init = facts.since(0).iter().filter(|&&fact| terms.sym(fact) == INIT);
        let start = init.map(|&fact| terms.args(fact)[0]).collect();
        Ok(Ground { terms, roles, facts, words, start })
    }

    /// All instances, in a fixed order.
    pub fn instances(&self) -> impl Iterator<Item = Instance<'_>> {
        let mut rest = &self.words[..];
        std::iter::from_fn(move || {
            let (&[head, positive, negative], body) = rest.split_first_chunk()?;
            let (body, tail) = body.split_at((positive + negative) as usize);
            rest = tail;
            let (positive, negative) = body.split_at(positive as usize);
            Some(Instance { head, positive, negative })
        })
    }
}

fn rule(pred: Sym, args: Vec<Term>, body: Vec<(Sym, Vec<Term>)>) -> Rule {
    let literal =
        |(pred, args)| Literal { what: Condition::Is(Atom { pred, args }), span: Default::default() };
    let vars = vec![String::new(); args.len()];
    let body = body.into_iter().map(literal).collect();
    Rule { head: Atom { pred, args }, body, vars, span: Default::default() }
}
