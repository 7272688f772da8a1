//! All consequences of rules, bottom up: group by group, and within a group fact by fact.
//!
//! Semi-naive evaluation (Ullman, "Principles of Database and Knowledge-Base Systems", 1988): each new fact
//! is joined with the facts before it, so no combination is tried twice.

use crate::check::Checked;
use crate::facts::Facts;
use crate::join::{Choices, Plan, build_atom};
use crate::rules::{Atom, Condition, Sym};
use crate::terms::{Map, TermId, Terms};

/// What evaluation may spend.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Budget {
    /// Steps of joins.
    pub work: u64,
    /// Terms that are stored. None may be longer than a thousand words.
    pub terms: usize,
}

/// The budget is used up.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct Exhausted;

/// Is told of a rule that fires: its number, the values of its variables, and the head.
pub(crate) type Found<'a> = &'a mut dyn FnMut(&mut Terms, usize, &[TermId], TermId);

/// The plans of a group of relations.
#[derive(Clone, Debug, Default)]
pub(crate) struct Group {
    /// Rules without a condition on the group itself.
    once: Vec<Plan>,
    /// Plans for each relation whose facts trigger rules.
    by_pred: Map<u32, Vec<Plan>>,
}

/// What is true of a rule's conditions during an evaluation.
pub(crate) struct Setting<'a> {
    pub checked: &'a Checked,
    /// Relations whose facts trigger the rules of the group.
    pub triggers: &'a dyn Fn(Sym) -> bool,
    /// Conditions that are taken for granted.
    pub skip: &'a dyn Fn(&Condition) -> bool,
}

impl Group {
    /// Plans for the rules with these numbers.
    pub fn new(setting: &Setting<'_>, rules: &[usize], facts: &mut Facts, terms: &Terms) -> Group {
        let mut group = Group::default();
        let mut sizes: Map<u32, usize> = Map::default();
        for &fact in facts.since(0) {
            *sizes.entry(terms.sym(fact).0).or_default() += 1;
        }
        let size = |atom: &Atom| match sizes.get(&atom.pred.0) {
            Some(&size) => size as f64,
            None if atom.pred == crate::rules::DOES => 2.0,
            None => 300.0,
        };
        let triggers = |atom: &Atom| (setting.triggers)(atom.pred);
        for &number in rules {
            let rule = &setting.checked.rules[number];
            let mut plan = |trigger: Option<usize>| {
                let choices = Choices { size: &size, skip: setting.skip, triggers: &triggers };
                Plan::new((number, rule), trigger, facts, terms, &choices)
            };
            let mut triggered = false;
            for (at, literal) in rule.body.iter().enumerate() {
                if let Condition::Is(atom) = &literal.what
                    && triggers(atom)
                {
                    triggered = true;
                    group.by_pred.entry(atom.pred.0).or_default().push(plan(Some(at)));
                }
            }
            if !triggered {
                group.once.push(plan(None));
            }
        }
        group
    }

    /// Adds all consequences. Facts from number `start` on are triggers, too. `found` is told of every rule
    /// that fires, with the values of its variables and the new head.
    pub fn run(
        &self,
        checked: &Checked,
        terms: &mut Terms,
        facts: &mut Facts,
        start: usize,
        budget: &mut Budget,
        found: Found<'_>,
    ) -> Result<(), Exhausted> {
        let mut heads: Vec<TermId> = Vec::new();
        let mut fire =
            |plan: &Plan, terms: &mut Terms, facts: &mut Facts, fact: usize, budget: &mut Budget| {
                heads.clear();
                let head = &checked.rules[plan.rule].head;
                let done = plan.run(terms, facts, fact, &mut budget.work, &mut |terms, env| {
                    let fact = build_atom(terms, head, env);
                    heads.push(fact);
                    found(terms, plan.rule, env, fact);
                });
                for &head in &heads {
                    facts.insert(terms, head);
                }
                if done && terms.len() <= budget.terms && !terms.oversized { Ok(()) } else { Err(Exhausted) }
            };
        for plan in &self.once {
            fire(plan, terms, facts, usize::MAX, budget)?;
        }
        if self.by_pred.is_empty() {
            return Ok(());
        }
        let mut next = start;
        while next < facts.len() {
            let pred = terms.sym(facts.get(next)).0;
            for plan in self.by_pred.get(&pred).into_iter().flatten() {
                fire(plan, terms, facts, next, budget)?;
            }
            next += 1;
        }
        Ok(())
    }
}
