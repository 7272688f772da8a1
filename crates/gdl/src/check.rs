//! What rules must be so that they mean something: safe, stratified, and no misused keyword.

use crate::components::components;
use crate::flaw::{Flaw, Source};
use crate::rules::{
    Atom, Condition, DOES, GOAL, INIT, LEGAL, Literal, Names, ROLE, ROOTS, Rule, Sym, TERMINAL, TRUE, Term,
};
use std::sync::Arc;

/// Rules that have passed all checks.
#[derive(Clone, Debug)]
pub(crate) struct Checked {
    /// Only rules that the game needs.
    pub rules: Vec<Rule>,
    /// Relations in an order of evaluation: a group is defined by itself and earlier groups. Negations refer
    /// to earlier groups only.
    pub groups: Vec<Vec<Sym>>,
    /// Whether a relation depends on the position or on what is played, by symbol.
    pub dynamic: Vec<bool>,
    /// Whether a relation depends on what is played, by symbol.
    pub by_moves: Vec<bool>,
    /// What is odd but harmless.
    pub warnings: Vec<Flaw>,
}

pub(crate) fn check(source: &Arc<Source>, names: &Names, rules: Vec<Rule>) -> Result<Checked, Flaw> {
    for (root, message) in [
        (ROLE, "no role: a sheet needs (role NAME)"),
        (LEGAL, "no rule for `legal`: nobody could ever move"),
        (TERMINAL, "no rule for `terminal`: the game would never end"),
        (GOAL, "no rule for `goal`: the end would be worth nothing"),
    ] {
        if !rules.iter().any(|rule| rule.head.pred == root) {
            return Err(Flaw::whole(format!("{}: {message}", source.name)));
        }
    }
    let n = names.len();
    let mut edges = vec![Vec::new(); n];
    for rule in &rules {
        for atom in atoms(rule) {
            edges[rule.head.pred.0 as usize].push(atom.pred.0);
        }
    }
    let needed = reach(&edges, &ROOTS.map(|root| root.0));
    let mut warnings = Vec::new();
    let (mut used, mut unused) = (Vec::new(), Vec::new());
    for rule in rules {
        let list = if needed[rule.head.pred.0 as usize] { &mut used } else { &mut unused };
        list.push(rule);
    }
    for mut rule in unused {
        if let Err(flaw) = make_safe(source, &mut rule) {
            let message = format!("{}; the game does not need this rule", flaw.message());
            warnings.push(Flaw::at(source, rule.span, message));
        }
    }
    for rule in &mut used {
        make_safe(source, rule)?;
    }
    let rules = used;
    let mut defined = vec![false; n];
    rules.iter().for_each(|rule| defined[rule.head.pred.0 as usize] = true);
    let mut named = vec![false; n];
    for literal in rules.iter().flat_map(|rule| &rule.body) {
        if let Condition::Is(atom) | Condition::Not(atom) = &literal.what {
            let pred = atom.pred.0 as usize;
            if !defined[pred] && atom.pred != TRUE && atom.pred != DOES && !named[pred] {
                named[pred] = true;
                let word = names.word(atom.pred);
                let message = format!("no rule defines `{word}`: it never holds");
                warnings.push(Flaw::at(source, literal.span, message));
            }
        }
    }

    let groups = components(&edges);
    let mut group = vec![0; n];
    for (number, members) in groups.iter().enumerate() {
        members.iter().for_each(|&pred| group[pred as usize] = number);
    }
    let same = |a: Sym, b: Sym| group[a.0 as usize] == group[b.0 as usize];
    for rule in &rules {
        for literal in &rule.body {
            if let Condition::Not(atom) = &literal.what
                && same(atom.pred, rule.head.pred)
            {
                let (a, b) = (names.word(rule.head.pred), names.word(atom.pred));
                let message = format!(
                    "not stratified: `{a}` depends on the negation of `{b}`, which itself depends on `{a}`"
                );
                return Err(Flaw::at(source, literal.span, message));
            }
        }
    }
    check_recursion(source, names, &rules, &same)?;

    let depends_on = |inputs: &[Sym]| {
        let mut back = vec![Vec::new(); n];
        for (head, body) in edges.iter().enumerate() {
            body.iter().for_each(|&pred| back[pred as usize].push(head as u32));
        }
        reach(&back, &inputs.iter().map(|input| input.0).collect::<Vec<_>>())
    };
    let (by_moves, dynamic) = (depends_on(&[DOES]), depends_on(&[TRUE, DOES]));
    for rule in &rules {
        let pred = rule.head.pred;
        let word = names.word(pred);
        if by_moves[pred.0 as usize] && matches!(pred, LEGAL | GOAL | TERMINAL) {
            let message = format!("`{word}` may not depend on `does`: it is asked before anything is played");
            return Err(Flaw::at(source, blame(rule, &by_moves), message));
        }
        if dynamic[pred.0 as usize] && pred == INIT {
            let message = "`init` may not depend on `true` or `does`: there is no position yet";
            return Err(Flaw::at(source, blame(rule, &dynamic), message));
        }
    }
    let groups = groups.into_iter().map(|group| group.into_iter().map(Sym).collect()).collect();
    Ok(Checked { rules, groups, dynamic, by_moves, warnings })
}

/// The relations that a rule refers to.
fn atoms(rule: &Rule) -> impl Iterator<Item = &Atom> {
    rule.body.iter().filter_map(|literal| match &literal.what {
        Condition::Is(atom) | Condition::Not(atom) => Some(atom),
        _ => None,
    })
}

/// The place of the first literal that refers to a marked relation.
fn blame(rule: &Rule, marked: &[bool]) -> crate::flaw::Span {
    let marked = |literal: &&Literal| match &literal.what {
        Condition::Is(atom) | Condition::Not(atom) => marked[atom.pred.0 as usize],
        _ => false,
    };
    rule.body.iter().find(marked).map_or(rule.span, |literal| literal.span)
}

/// What can be reached along edges.
fn reach(edges: &[Vec<u32>], from: &[u32]) -> Vec<bool> {
    let mut reached = vec![false; edges.len()];
    let mut open = from.to_vec();
    while let Some(node) = open.pop() {
        if !std::mem::replace(&mut reached[node as usize], true) {
            open.extend(&edges[node as usize]);
        }
    }
    reached
}

/// A rule is safe if a positive literal binds each of its variables. The first argument of `legal` and
/// `goal` is a role, so a variable there is bound by `role`.
fn make_safe(source: &Arc<Source>, rule: &mut Rule) -> Result<(), Flaw> {
    let mut bound = vec![false; rule.vars.len()];
    for literal in &rule.body {
        if let Condition::Is(atom) = &literal.what {
            atom.each_var(&mut |var| bound[usize::from(var)] = true);
        }
    }
    if matches!(rule.head.pred, LEGAL | GOAL)
        && let Term::Var(var) = rule.head.args[0]
        && !std::mem::replace(&mut bound[usize::from(var)], true)
    {
        let what = Condition::Is(Atom { pred: ROLE, args: vec![Term::Var(var)] });
        rule.body.insert(0, Literal { what, span: rule.span });
    }
    let mut free = None;
    let mut look = |var: u16| {
        if !bound[usize::from(var)] && free.is_none() {
            free = Some(usize::from(var));
        }
    };
    let mut place = (rule.span, "`not`");
    rule.head.each_var(&mut look);
    for literal in &rule.body {
        let mut here = None;
        literal
            .what
            .each_var(&mut |var| here = here.or((!bound[usize::from(var)]).then_some(usize::from(var))));
        if free.is_none() && here.is_some() {
            (free, place) = (here, (literal.span, "`not` and `distinct`"));
        }
    }
    if let Some(var) = free {
        let message = format!("unsafe: no condition without {} says what `{}` is", place.1, rule.vars[var]);
        return Err(Flaw::at(source, place.0, message));
    }
    Ok(())
}

/// A relation that depends on itself may not build ever larger terms: each argument of the recursive
/// condition has no variables, is an argument of the head, or is bound by a condition that is not recursive.
/// Rules that build no terms are finite anyway and need not obey.
fn check_recursion(
    source: &Arc<Source>,
    names: &Names,
    rules: &[Rule],
    same: &impl Fn(Sym, Sym) -> bool,
) -> Result<(), Flaw> {
    let builds = |rule: &Rule| {
        rule.head
            .args
            .iter()
            .any(|arg| matches!(arg, Term::Func(_, args) if !args.is_empty()) && !arg.is_ground())
    };
    let mut building = vec![false; names.len()];
    for rule in rules.iter().filter(|rule| builds(rule)) {
        building[rule.head.pred.0 as usize] = true;
    }
    let preds: Vec<Sym> = (0..names.len() as u32).map(Sym).filter(|pred| building[pred.0 as usize]).collect();
    for rule in rules.iter().filter(|rule| preds.iter().any(|&pred| same(pred, rule.head.pred))) {
        let recursive = |atom: &Atom| same(atom.pred, rule.head.pred);
        for literal in &rule.body {
            let Condition::Is(atom) = &literal.what else { continue };
            if !recursive(atom) {
                continue;
            }
            let bound = |arg: &Term| {
                arg.is_ground()
                    || rule.head.args.contains(arg)
                    || atoms(rule).any(|other| !recursive(other) && other.args.contains(arg))
            };
            if !atom.args.iter().all(bound) {
                let word = names.word(rule.head.pred);
                let message = format!(
                    "`{word}` depends on itself and could build ever larger terms: every argument of a recursive \
                     condition must be an argument of the head or of another condition"
                );
                return Err(Flaw::at(source, literal.span, message));
            }
        }
    }
    Ok(())
}
