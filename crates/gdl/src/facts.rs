//! Facts that hold, in the order in which they were found, with indexes for the joins that ask for them.

use crate::rules::{Sym, Term};
use crate::terms::{Map, TermId, Terms};

/// Which part of a fact an index looks at: an argument, or an argument of an argument.
pub(crate) type Path = (u8, Option<u8>);

/// What an index of a relation looks at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Shape {
    pub pred: Sym,
    /// Arguments that are functions: their place, symbol and number of arguments.
    pub functions: Vec<(u8, Sym, usize)>,
    pub keys: Vec<Path>,
}

#[derive(Clone, Debug)]
struct Index {
    shape: Shape,
    /// Numbers of facts in ascending order, by the terms at `keys`.
    buckets: Map<Box<[u32]>, Vec<u32>>,
}

const NONE: u32 = u32::MAX;

/// A growing list of facts, each stored once. The latest can be removed again.
#[derive(Clone, Debug, Default)]
pub(crate) struct Facts {
    list: Vec<TermId>,
    /// The number of each term among the facts.
    number: Vec<u32>,
    indexes: Vec<Index>,
    /// Indexes of each relation.
    of_pred: Vec<Vec<u32>>,
    buffer: Vec<u32>,
}

impl Facts {
    pub fn len(&self) -> usize {
        self.list.len()
    }

    #[inline]
    pub fn get(&self, number: usize) -> TermId {
        self.list[number]
    }

    /// The facts from a number on.
    pub fn since(&self, number: usize) -> &[TermId] {
        &self.list[number..]
    }

    #[inline]
    pub fn contains(&self, fact: TermId) -> bool {
        self.number.get(fact as usize).is_some_and(|&number| number != NONE)
    }

    /// The number of an index with this shape, made if there is none.
    pub fn index(&mut self, terms: &Terms, shape: Shape) -> usize {
        if let Some(found) = self.indexes.iter().position(|index| index.shape == shape) {
            return found;
        }
        let pred = shape.pred.0 as usize;
        if self.of_pred.len() <= pred {
            self.of_pred.resize(pred + 1, Vec::new());
        }
        self.of_pred[pred].push(self.indexes.len() as u32);
        self.indexes.push(Index { shape, buckets: Map::default() });
        let index = self.indexes.len() - 1;
        for number in 0..self.list.len() {
            if terms.sym(self.list[number]).0 as usize == pred {
                self.enter(terms, index, number as u32);
            }
        }
        index
    }

    fn enter(&mut self, terms: &Terms, index: usize, number: u32) {
        let Index { shape, buckets } = &mut self.indexes[index];
        if key_of(shape, terms, self.list[number as usize], &mut self.buffer) {
            match buckets.get_mut(&self.buffer[..]) {
                Some(bucket) => bucket.push(number),
                None => drop(buckets.insert(self.buffer.as_slice().into(), vec![number])),
            }
        }
    }

    /// Adds a fact; false if it is known.
    pub fn insert(&mut self, terms: &Terms, fact: TermId) -> bool {
        let at = fact as usize;
        if self.number.len() <= at {
            self.number.resize(terms.len().max(at + 1), NONE);
        }
        if self.number[at] != NONE {
            return false;
        }
        let number = self.list.len() as u32;
        self.number[at] = number;
        self.list.push(fact);
        let pred = terms.sym(fact).0 as usize;
        for i in 0..self.of_pred.get(pred).map_or(0, Vec::len) {
            self.enter(terms, self.of_pred[pred][i] as usize, number);
        }
        true
    }

    /// Forgets all facts but the first `len`.
    pub fn truncate(&mut self, terms: &Terms, len: usize) {
        while self.list.len() > len {
            let fact = self.list[self.list.len() - 1];
            let pred = terms.sym(fact).0 as usize;
            for i in 0..self.of_pred.get(pred).map_or(0, Vec::len) {
                let Index { shape, buckets } = &mut self.indexes[self.of_pred[pred][i] as usize];
                if key_of(shape, terms, fact, &mut self.buffer)
                    && let Some(bucket) = buckets.get_mut(&self.buffer[..])
                {
                    bucket.pop();
                }
            }
            self.number[fact as usize] = NONE;
            self.list.pop();
        }
    }

    /// The numbers of the facts that an index has under a key, ascending.
    #[inline]
    pub fn bucket(&self, index: usize, key: &[u32]) -> &[u32] {
        self.indexes[index].buckets.get(key).map_or(&[], Vec::as_slice)
    }
}

/// The terms of a fact that an index looks at; false if the fact has another shape.
fn key_of(shape: &Shape, terms: &Terms, fact: TermId, key: &mut Vec<u32>) -> bool {
    key.clear();
    let args = terms.args(fact);
    for &(place, sym, count) in &shape.functions {
        let words = terms.words(args[usize::from(place)]);
        if words[0] != sym.0 || words.len() != count + 1 {
            return false;
        }
    }
    for &(place, inner) in &shape.keys {
        let arg = args[usize::from(place)];
        key.push(inner.map_or(arg, |inner| terms.args(arg)[usize::from(inner)]));
    }
    true
}

/// Makes the term of a pattern whose variables are all bound.
pub(crate) fn build(terms: &mut Terms, pattern: &Term, env: &[TermId]) -> TermId {
    match pattern {
        Term::Var(var) => env[usize::from(*var)],
        Term::Func(sym, args) if args.is_empty() => terms.make(*sym, &[]),
        Term::Func(sym, args) => {
            let args: Vec<TermId> = args.iter().map(|arg| build(terms, arg, env)).collect();
            terms.make(*sym, &args)
        }
    }
}
