//! From ground rules to formulas: what is legal, what comes next, when the game ends and what it is worth.

use super::dag::{BlockRule, Dag, FALSE, Lit, TRUE, not};
use crate::components::components;
use crate::ground::{Ground, Instance};
use crate::rules::{self, DOES, GOAL, LEGAL, NEXT, Names, TERMINAL};
use crate::terms::{Map, TermId};

/// Something a role may do in some position.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct Action {
    pub role: usize,
    pub term: TermId,
}

/// The formulas of a game.
#[derive(Clone, Debug)]
pub(crate) struct Formulas {
    pub dag: Dag,
    /// Base propositions, sorted by their text.
    pub bases: Vec<TermId>,
    pub start: Vec<bool>,
    /// Those that never change.
    pub constant: Vec<bool>,
    /// When each base proposition is true after a move.
    pub next: Vec<Lit>,
    /// Sorted by role and text.
    pub actions: Vec<Action>,
    pub legal: Vec<Lit>,
    pub terminal: Lit,
    /// For each role: values and when they hold.
    pub goals: Vec<Vec<(TermId, Lit)>>,
}

/// Rounds of looking for constants.
const ROUNDS: usize = 8;

impl Formulas {
    pub fn new(names: &Names, ground: &Ground) -> Formulas {
        let mut constants: Map<TermId, bool> = Map::default();
        let mut formulas = Formulas::with(names, ground, &constants);
        for _ in 0..ROUNDS {
            let before = constants.len();
            for (number, &base) in formulas.bases.iter().enumerate() {
                let (start, next) = (formulas.start[number], formulas.next[number]);
                let own = formulas.dag.base(number as u32);
                if next == own || next == if start { TRUE } else { FALSE } {
                    constants.insert(base, start);
                }
            }
            if constants.len() == before {
                break;
            }
            formulas = Formulas::with(names, ground, &constants);
        }
        formulas
    }

    /// The formulas when some base propositions never change.
    fn with(names: &Names, ground: &Ground, constants: &Map<TermId, bool>) -> Formulas {
        let terms = &ground.terms;
        let args = |pred, terms: &crate::terms::Terms| -> Vec<TermId> {
            let facts = ground.facts.since(0).iter();
            facts.filter(|&&fact| terms.sym(fact) == pred).map(|&fact| fact as TermId).collect()
        };
        let mut bases: Vec<TermId> =
            args(rules::TRUE, terms).iter().map(|&fact| terms.args(fact)[0]).collect();
        bases.sort_by_cached_key(|&base| terms.text(names, base));
        let started: Map<TermId, ()> = ground.start.iter().map(|&base| (base, ())).collect();
        let start = bases.iter().map(|base| started.contains_key(base)).collect();
        let role = |term: TermId| ground.roles.iter().position(|&role| role == term);
        let legal_facts = args(LEGAL, terms).into_iter().filter_map(|fact| {
            let words = terms.args(fact);
            Some((Action { role: role(words[0])?, term: words[1] }, fact))
        });
        let mut legal_facts: Vec<(Action, TermId)> = legal_facts.collect();
        legal_facts.sort_by_cached_key(|(action, _)| (action.role, terms.text(names, action.term)));

        let mut dag = Dag::new();
        // What stands for each atom. Those without an entry hold always.
        let mut lits: Map<TermId, Lit> = Map::default();
        for (number, &base) in bases.iter().enumerate() {
            let lit = match constants.get(&base) {
                Some(&value) => Lit::from(value),
                None => dag.base(number as u32),
            };
            lits.insert(terms.find(&[rules::TRUE.0, base]).expect("every base is a fact"), lit);
        }
        for (number, (action, _)) in legal_facts.iter().enumerate() {
            if let Some(fact) = terms.find(&[DOES.0, ground.roles[action.role], action.term]) {
                lits.insert(fact, dag.does(number as u32));
            }
        }
        define(ground, &mut dag, &mut lits);

        let lit_of = |fact: Option<TermId>| match fact {
            Some(fact) if ground.facts.contains(fact) => lits.get(&fact).copied().unwrap_or(TRUE),
            _ => FALSE,
        };
        let next = bases.iter().map(|&base| lit_of(terms.find(&[NEXT.0, base]))).collect();
        let legal = legal_facts.iter().map(|&(_, fact)| lit_of(Some(fact))).collect();
        let terminal = lit_of(terms.find(&[TERMINAL.0]));
        let mut goals = vec![Vec::new(); ground.roles.len()];
        for fact in args(GOAL, terms) {
            if let Some(role) = role(terms.args(fact)[0]) {
                goals[role].push((terms.args(fact)[1], lit_of(Some(fact))));
            }
        }
        let actions = legal_facts.into_iter().map(|(action, _)| action).collect();
        let constant = bases.iter().map(|base| constants.contains_key(base)).collect();
        Formulas { dag, bases, start, constant, next, actions, legal, terminal, goals }
    }
}

/// Adds what all instances define to `lits`.
fn define(ground: &Ground, dag: &mut Dag, lits: &mut Map<TermId, Lit>) {
    let mut number: Map<TermId, u32> = Map::default();
    let mut by_head: Vec<Vec<Instance<'_>>> = Vec::new();
    let mut heads = Vec::new();
    for instance in ground.instances() {
        let number = *number.entry(instance.head).or_insert_with(|| {
            by_head.push(Vec::new());
            heads.push(instance.head);
            heads.len() as u32 - 1
        });
        by_head[number as usize].push(instance);
    }
    let edges: Vec<Vec<u32>> = by_head
        .iter()
        .map(|instances| {
            let body = |instance: &Instance<'_>| [instance.positive, instance.negative].concat();
            let body = instances.iter().flat_map(body);
            body.filter_map(|atom| number.get(&atom).copied()).collect()
        })
        .collect();
    // What was not derived never holds.
    let lit_of = |lits: &Map<TermId, Lit>, atom: &TermId| {
        let found = if ground.facts.contains(*atom) { lits.get(atom).copied() } else { Some(FALSE) };
        found.unwrap_or(TRUE)
    };
    for component in components(&edges) {
        if let [one] = component[..] {
            let head = heads[one as usize];
            // A rule that needs its own head derives nothing.
            let instances =
                by_head[one as usize].iter().filter(|instance| !instance.positive.contains(&head));
            let conditions = |instance: &Instance<'_>| {
                let negative = instance.negative.iter().map(|atom| not(lit_of(lits, atom)));
                instance.positive.iter().map(|atom| lit_of(lits, atom)).chain(negative).collect()
            };
            let ands = instances.map(conditions).collect();
            let lit = dag.or_of_ands(ands);
            lits.insert(head, lit);
            continue;
        }
        let place: Map<u32, u32> = component.iter().zip(0..).map(|(&head, place)| (head, place)).collect();
        let inside = |atom: &TermId| number.get(atom).and_then(|number| place.get(number)).copied();
        let mut rules = Vec::new();
        for (&member, head) in component.iter().zip(0..) {
            for instance in &by_head[member as usize] {
                let members = instance.positive.iter().filter_map(inside).collect();
                let positive = instance.positive.iter().filter(|atom| inside(atom).is_none());
                let negative = instance.negative.iter().map(|atom| not(lit_of(lits, atom)));
                let mut outside: Vec<Lit> = positive.map(|atom| lit_of(lits, atom)).chain(negative).collect();
                let outside = dag.and(&mut outside);
                if outside != FALSE {
                    rules.push(BlockRule { head, members, outside });
                }
            }
        }
        let members = dag.block(component.len() as u32, rules);
        for (&member, lit) in component.iter().zip(members) {
            lits.insert(heads[member as usize], lit);
        }
    }
}
