//! All ways to make the conditions of a rule true, by nested loops over indexed facts.

use crate::facts::{Facts, Shape, build};
use crate::rules::{Atom, Condition, Rule, Term};
use crate::terms::{TermId, Terms};

/// A variable without a value.
pub(crate) const UNBOUND: TermId = TermId::MAX;

/// What to do next in a join.
#[derive(Clone, Debug)]
enum Step {
    /// For all facts that match a positive condition.
    Each {
        atom: Atom,
        index: usize,
        /// What the index is asked for.
        keys: Vec<Term>,
        /// Only facts before the trigger.
        before: bool,
        /// All variables are bound: at most one fact matches.
        filter: bool,
    },
    Absent(Atom),
    Distinct(Term, Term),
    Same(Term, Term),
}

/// An order in which the conditions of a rule are made true.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    /// The number of the rule.
    pub rule: usize,
    /// The condition that a new fact matches first.
    trigger: Option<Atom>,
    steps: Vec<Step>,
    vars: usize,
}

/// What a plan depends on beside its rule.
pub(crate) struct Choices<'a> {
    /// How many facts a relation has, about.
    pub size: &'a dyn Fn(&Atom) -> f64,
    /// Conditions that are taken for granted.
    pub skip: &'a dyn Fn(&Condition) -> bool,
    /// Conditions whose facts trigger the rule.
    pub triggers: &'a dyn Fn(&Atom) -> bool,
}

impl Plan {
    /// A plan for a rule with its number. With a trigger, facts from that of the trigger on are used only by it and,
    /// itself included, by positive conditions behind it: then every combination is found once, if all facts are
    /// triggers in their order.
    pub fn new(
        (number, rule): (usize, &Rule),
        trigger: Option<usize>,
        facts: &mut Facts,
        terms: &Terms,
        Choices { size, skip, triggers }: &Choices<'_>,
    ) -> Plan {
        let mut bound = vec![false; rule.vars.len()];
        let mark = |bound: &mut Vec<bool>, atom: &Atom| {
            atom.each_var(&mut |var| bound[usize::from(var)] = true);
        };
        let trigger_atom = trigger.and_then(|at| match &rule.body[at].what {
            Condition::Is(atom) => Some(atom.clone()),
            _ => None,
        });
        if let Some(atom) = &trigger_atom {
            mark(&mut bound, atom);
        }
        let mut left: Vec<usize> =
            (0..rule.body.len()).filter(|&at| Some(at) != trigger && !skip(&rule.body[at].what)).collect();
        let mut steps = Vec::new();
        while !left.is_empty() {
            let cost = |at: usize| {
                let what = &rule.body[at].what;
                let free = count_free(what, &bound);
                match what {
                    Condition::Is(_) if free == 0 => -1.0,
                    Condition::Is(atom) => {
                        let keys = keys_of(atom, &bound).1.len();
                        size(atom).max(1.0) / 6f64.powi(keys as i32)
                    }
                    _ if free == 0 => -2.0,
                    _ => f64::INFINITY,
                }
            };
            let best = (0..left.len()).min_by(|&a, &b| cost(left[a]).total_cmp(&cost(left[b]))).unwrap_or(0);
            let at = left.remove(best);
            steps.push(match &rule.body[at].what {
                Condition::Is(atom) => {
                    let filter = count_free(&rule.body[at].what, &bound) == 0;
                    let (functions, paths, keys) = keys_of(atom, &bound);
                    let index = facts.index(terms, Shape { pred: atom.pred, functions, keys: paths });
                    let before = trigger.is_some_and(|trigger| at < trigger) && triggers(atom);
                    mark(&mut bound, atom);
                    Step::Each { atom: atom.clone(), index, keys, before, filter }
                }
                Condition::Not(atom) => Step::Absent(atom.clone()),
                Condition::Distinct(a, b) => Step::Distinct(a.clone(), b.clone()),
                Condition::Same(a, b) => Step::Same(a.clone(), b.clone()),
            });
        }
        Plan { rule: number, trigger: trigger_atom, steps, vars: rule.vars.len() }
    }

    /// Calls `found` with the values of the variables, once for every way to make the conditions true; with a
    /// trigger, only those that use the fact with the number `fact` there. False if `work` is used up.
    pub fn run(
        &self,
        terms: &mut Terms,
        facts: &Facts,
        fact: usize,
        work: &mut u64,
        found: &mut dyn FnMut(&mut Terms, &[TermId]),
    ) -> bool {
        let mut env = vec![UNBOUND; self.vars];
        if let Some(atom) = &self.trigger {
            let mut trail = Vec::new();
            if !matches(terms, atom, facts.get(fact), &mut env, &mut trail) {
                return true;
            }
        }
        let mut join = Join { steps: &self.steps, terms, facts, fact, work, found, trail: Vec::new() };
        join.step(0, &mut env)
    }
}

struct Join<'a> {
    steps: &'a [Step],
    terms: &'a mut Terms,
    facts: &'a Facts,
    fact: usize,
    work: &'a mut u64,
    found: &'a mut dyn FnMut(&mut Terms, &[TermId]),
    /// Variables in the order in which they were bound.
    trail: Vec<u16>,
}

impl Join<'_> {
    fn step(&mut self, at: usize, env: &mut Vec<TermId>) -> bool {
        if *self.work == 0 {
            return false;
        }
        *self.work -= 1;
        let steps = self.steps;
        let Some(step) = steps.get(at) else {
            (self.found)(self.terms, env);
            return true;
        };
        match step {
            Step::Each { atom, index, keys, before, filter } => {
                let key: Vec<u32> = keys.iter().map(|key| build(self.terms, key, env)).collect();
                let facts = self.facts;
                for &number in facts.bucket(*index, &key) {
                    // Facts behind the trigger will be triggers themselves.
                    if number as usize > self.fact || *before && number as usize == self.fact {
                        break;
                    }
                    let mark = self.trail.len();
                    let fits = matches(self.terms, atom, facts.get(number as usize), env, &mut self.trail);
                    if fits && !self.step(at + 1, env) {
                        return false;
                    }
                    for var in self.trail.drain(mark..) {
                        env[usize::from(var)] = UNBOUND;
                    }
                    if fits && *filter {
                        break;
                    }
                }
                true
            }
            Step::Absent(atom) => {
                let fact = build_atom(self.terms, atom, env);
                self.facts.contains(fact) || self.step(at + 1, env)
            }
            Step::Distinct(a, b) => {
                build(self.terms, a, env) == build(self.terms, b, env) || self.step(at + 1, env)
            }
            Step::Same(a, b) => {
                build(self.terms, a, env) != build(self.terms, b, env) || self.step(at + 1, env)
            }
        }
    }
}

/// The fact that an atom is, its variables being bound.
pub(crate) fn build_atom(terms: &mut Terms, atom: &Atom, env: &[TermId]) -> TermId {
    let args: Vec<TermId> = atom.args.iter().map(|arg| build(terms, arg, env)).collect();
    terms.make(atom.pred, &args)
}

/// Whether a fact is an instance of an atom; binds variables and notes which.
fn matches(terms: &Terms, atom: &Atom, fact: TermId, env: &mut [TermId], trail: &mut Vec<u16>) -> bool {
    let args = terms.args(fact);
    terms.sym(fact) == atom.pred
        && args.len() == atom.args.len()
        && atom.args.iter().zip(args).all(|(pattern, &arg)| unify(terms, pattern, arg, env, trail))
}

fn unify(terms: &Terms, pattern: &Term, term: TermId, env: &mut [TermId], trail: &mut Vec<u16>) -> bool {
    match pattern {
        Term::Var(var) => {
            let value = &mut env[usize::from(*var)];
            if *value == UNBOUND {
                *value = term;
                trail.push(*var);
                return true;
            }
            *value == term
        }
        Term::Func(sym, inner) => {
            let args = terms.args(term);
            terms.sym(term) == *sym
                && args.len() == inner.len()
                && inner.iter().zip(args).all(|(pattern, &arg)| unify(terms, pattern, arg, env, trail))
        }
    }
}

fn count_free(what: &Condition, bound: &[bool]) -> usize {
    let mut free = 0;
    what.each_var(&mut |var| free += usize::from(!bound[usize::from(var)]));
    free
}

type Keys = (Vec<(u8, crate::rules::Sym, usize)>, Vec<crate::facts::Path>, Vec<Term>);

/// What an index for an atom looks at, and what it is asked for, when some variables are bound.
fn keys_of(atom: &Atom, bound: &[bool]) -> Keys {
    let known = |term: &Term| {
        let mut known = true;
        term.each_var(&mut |var| known &= bound[usize::from(var)]);
        known
    };
    let (mut functions, mut paths, mut keys) = (Vec::new(), Vec::new(), Vec::new());
    for (place, arg) in atom.args.iter().enumerate() {
        let place = place as u8;
        if known(arg) {
            paths.push((place, None));
            keys.push(arg.clone());
        } else if let Term::Func(sym, inner) = arg {
            functions.push((place, *sym, inner.len()));
            for (at, part) in inner.iter().enumerate().filter(|(_, part)| known(part)) {
                paths.push((place, Some(at as u8)));
                keys.push(part.clone());
            }
        }
    }
    (functions, paths, keys)
}
