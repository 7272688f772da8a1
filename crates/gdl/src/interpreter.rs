//! The plain engine: every position from the rules alone, bottom up, without a network.

use crate::check::Checked;
use crate::evaluate::{Budget, Exhausted, Group, Setting};
use crate::facts::Facts;
use crate::flaw::Flaw;
use crate::rules::{DOES, GOAL, INIT, LEGAL, NEXT, ROLE, Sym, TERMINAL, TRUE};
use crate::sheet::Sheet;
use crate::terms::{TermId, Terms};
use std::sync::Arc;

/// For all relations that depend on neither position nor moves.
pub(crate) const STATIC_BUDGET: Budget = Budget { work: 20_000_000, terms: 4_000_000 };
/// For one position.
const POSITION_BUDGET: Budget = Budget { work: 200_000_000, terms: 8_000_000 };

/// What the rules say about a position. Lists are sorted by the text of their terms.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Seen {
    /// What each role may do.
    pub legal: Vec<Vec<TermId>>,
    pub terminal: bool,
    /// Every value that `goal` has for each role.
    pub goals: Vec<Vec<TermId>>,
}

/// The rules at work.
#[derive(Clone, Debug)]
pub(crate) struct Interpreter {
    pub sheet: Arc<Sheet>,
    pub terms: Terms,
    pub roles: Vec<TermId>,
    facts: Facts,
    /// The number of facts that always hold.
    fixed: usize,
    /// What depends on the position, and what depends on moves, in order of evaluation.
    views: Vec<Group>,
    moves: Vec<Group>,
    /// The position that was looked at last, the number of facts with its consequences, and what was seen.
    last: Option<(Vec<TermId>, usize)>,
    seen: Option<Seen>,
}

/// Facts and terms of relations that depend on neither position nor moves.
pub(crate) fn fixed_facts(sheet: &Sheet) -> Result<(Terms, Facts), Flaw> {
    let (mut terms, mut facts) = (Terms::default(), Facts::default());
    let mut budget = STATIC_BUDGET;
    for members in groups(&sheet.checked, &|pred| !sheet.checked.dynamic[pred.0 as usize]) {
        let group = plan(&sheet.checked, &members, &mut facts, &terms);
        let start = facts.len();
        let run = group.run(&sheet.checked, &mut terms, &mut facts, start, &mut budget, &mut |_, _, _, _| ());
        if run.is_err() {
            let name = sheet.names.word(members[0]);
            let message =
                format!("{}: `{name}` holds for too many terms, or for too long ones", sheet.name());
            return Err(Flaw::whole(message));
        }
    }
    Ok((terms, facts))
}

/// The groups of relations that are defined by rules and chosen.
fn groups(checked: &Checked, chosen: &dyn Fn(Sym) -> bool) -> Vec<Vec<Sym>> {
    let mut defined = vec![false; checked.dynamic.len()];
    checked.rules.iter().for_each(|rule| defined[rule.head.pred.0 as usize] = true);
    let groups = checked.groups.iter();
    groups.filter(|group| defined[group[0].0 as usize] && chosen(group[0])).cloned().collect()
}

fn plan(checked: &Checked, members: &[Sym], facts: &mut Facts, terms: &Terms) -> Group {
    let member = |pred: Sym| members.contains(&pred);
    let rules: Vec<usize> =
        (0..checked.rules.len()).filter(|&rule| member(checked.rules[rule].head.pred)).collect();
    let setting = Setting { checked, triggers: &member, skip: &|_| false };
    Group::new(&setting, &rules, facts, terms)
}

impl Interpreter {
    pub fn new(sheet: &Arc<Sheet>) -> Result<Interpreter, Flaw> {
        let (mut terms, mut facts) = fixed_facts(sheet)?;
        let checked = &sheet.checked;
        let (dynamic, by_moves) =
            (|pred: Sym| checked.dynamic[pred.0 as usize], |pred: Sym| checked.by_moves[pred.0 as usize]);
        // `next` is asked last, even where it does not depend on moves.
        let late = |pred: Sym| pred == NEXT || by_moves(pred);
        let mut plans = |chosen: &dyn Fn(Sym) -> bool| -> Vec<Group> {
            let groups = groups(checked, chosen);
            groups.iter().map(|members| plan(checked, members, &mut facts, &terms)).collect()
        };
        let views = plans(&|pred| dynamic(pred) && !late(pred));
        let moves = plans(&|pred| dynamic(pred) && late(pred));
        let roles = roles(sheet, &mut terms);
        let fixed = facts.len();
        Ok(Interpreter {
            sheet: Arc::clone(sheet),
            terms,
            roles,
            facts,
            fixed,
            views,
            moves,
            last: None,
            seen: None,
        })
    }

    /// What is true at the start, sorted by number.
    pub fn start(&mut self) -> Vec<TermId> {
        self.last = None;
        self.facts.truncate(&self.terms, self.fixed);
        self.collect(INIT, 0)
    }

    /// What the rules say about a position.
    pub fn see(&mut self, state: &[TermId]) -> Result<Seen, Exhausted> {
        self.load(state)?;
        if let Some(seen) = &self.seen {
            return Ok(seen.clone());
        }
        let mut seen = Seen {
            legal: vec![Vec::new(); self.roles.len()],
            terminal: false,
            goals: vec![Vec::new(); self.roles.len()],
        };
        for &fact in self.facts.since(0) {
            let args = self.terms.args(fact);
            let role = |args: &[TermId]| self.roles.iter().position(|&role| role == args[0]);
            match self.terms.sym(fact) {
                TERMINAL => seen.terminal = true,
                LEGAL => {
                    if let Some(role) = role(args) {
                        seen.legal[role].push(args[1]);
                    }
                }
                GOAL => {
                    if let Some(role) = role(args) {
                        seen.goals[role].push(args[1]);
                    }
                }
                _ => {}
            }
        }
        for list in seen.legal.iter_mut().chain(&mut seen.goals) {
            list.sort_by_cached_key(|&term| self.terms.text(&self.sheet.names, term));
        }
        self.seen = Some(seen.clone());
        Ok(seen)
    }

    /// What is true after each role has done something, sorted by number.
    pub fn next(&mut self, state: &[TermId], joint: &[TermId]) -> Result<Vec<TermId>, Exhausted> {
        self.load(state)?;
        for (&role, &action) in self.roles.iter().zip(joint) {
            let fact = self.terms.make(DOES, &[role, action]);
            self.facts.insert(&self.terms, fact);
        }
        let moves = std::mem::take(&mut self.moves);
        let run = self.run(&moves);
        self.moves = moves;
        run?;
        Ok(self.collect(NEXT, 0))
    }

    /// The consequences of a position.
    fn load(&mut self, state: &[TermId]) -> Result<(), Exhausted> {
        if let Some((last, len)) = &self.last
            && last == state
        {
            self.facts.truncate(&self.terms, *len);
            return Ok(());
        }
        (self.last, self.seen) = (None, None);
        self.facts.truncate(&self.terms, self.fixed);
        for &fluent in state {
            let fact = self.terms.make(TRUE, &[fluent]);
            self.facts.insert(&self.terms, fact);
        }
        let views = std::mem::take(&mut self.views);
        let run = self.run(&views);
        self.views = views;
        run?;
        self.last = Some((state.to_vec(), self.facts.len()));
        Ok(())
    }

    fn run(&mut self, groups: &[Group]) -> Result<(), Exhausted> {
        let mut budget = POSITION_BUDGET;
        self.terms.oversized = false;
        for group in groups {
            let (start, checked) = (self.facts.len(), &self.sheet.checked);
            let (terms, facts) = (&mut self.terms, &mut self.facts);
            group.run(checked, terms, facts, start, &mut budget, &mut |_, _, _, _| ())?;
        }
        Ok(())
    }

    /// The arguments of all facts of a relation with one.
    fn collect(&self, pred: Sym, since: usize) -> Vec<TermId> {
        let facts = self.facts.since(since).iter();
        let facts = facts.filter(|&&fact| self.terms.sym(fact) == pred);
        let mut state: Vec<TermId> = facts.map(|&fact| self.terms.args(fact)[0]).collect();
        state.sort_unstable();
        state
    }
}

/// The roles in the order of the sheet.
pub(crate) fn roles(sheet: &Sheet, terms: &mut Terms) -> Vec<TermId> {
    let mut roles = Vec::new();
    for rule in sheet.checked.rules.iter().filter(|rule| rule.head.pred == ROLE) {
        let role = crate::facts::build(terms, &rule.head.args[0], &[]);
        if !roles.contains(&role) {
            roles.push(role);
        }
    }
    roles
}

#[cfg(test)]
mod tests {
    use super::*;

    fn interpreter(text: &str) -> Interpreter {
        Interpreter::new(&Arc::new(Sheet::read("t", text).expect("sound"))).expect("small")
    }

    /// Subtraction: one or two from a heap of four; who takes the last wins.
    const HEAP: &str = "(role a)(role b)(init (heap 4))(init (control a))
        (s 0 1)(s 1 2)(s 2 3)(s 3 4)(<= (minus ?x 1 ?y) (s ?y ?x))(<= (minus ?x 2 ?z) (s ?y ?x)(s ?z ?y))
        (<= (legal ?p (take ?n)) (true (control ?p)) (true (heap ?x)) (minus ?x ?n ?y))
        (<= (legal ?p noop) (role ?p) (not (true (control ?p))))
        (<= (next (heap ?y)) (does ?p (take ?n)) (true (heap ?x)) (minus ?x ?n ?y))
        (<= (next (control ?p)) (role ?p) (not (true (control ?p))))
        (<= terminal (true (heap 0)))
        (<= (goal ?p 0) (true (control ?p)))(<= (goal ?p 100) (role ?p) (not (true (control ?p))))";

    #[test]
    fn a_game_is_played_to_its_end() {
        let mut it = interpreter(HEAP);
        let mut state = it.start();
        assert_eq!(it.texts(&state), ["(control a)", "(heap 4)"]);
        for (mover, take) in [(0, "(take 1)"), (1, "(take 2)"), (0, "(take 1)")] {
            let seen = it.see(&state).expect("small");
            assert!(!seen.terminal);
            assert_eq!(it.texts(&seen.legal[1 - mover]), ["noop"]);
            let mut joint = [seen.legal[0][0], seen.legal[1][0]];
            let moves = &seen.legal[mover];
            joint[mover] = *moves.iter().find(|&&mv| it.texts(&[mv])[0] == take).expect(take);
            state = it.next(&state, &joint).expect("small");
        }
        assert_eq!(it.texts(&state), ["(control b)", "(heap 0)"]);
        let seen = it.see(&state).expect("small");
        assert!(seen.terminal);
        assert_eq!([it.texts(&seen.goals[0]), it.texts(&seen.goals[1])], [["100"], ["0"]]);
        assert!(seen.legal[1].is_empty(), "nothing can be taken from an empty heap");
    }
}
