//! Rules as the checks and both engines see them: a head and literals that must all hold.

use crate::flaw::Span;
use std::collections::HashMap;

/// A name: a relation, a function or an object.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Sym(pub u32);

/// Words that mean something; their symbols are their places in this list.
macro_rules! keywords {
    ($($name:ident $word:literal $arity:literal),* $(,)?) => {
        /// Words that mean something, with the number of their arguments.
        pub(crate) const KEYWORDS: &[(&str, usize)] = &[$(($word, $arity)),*];
        keywords!(@ 0; $($name)*);
    };
    (@ $n:expr; $name:ident $($rest:ident)*) => {
        #[allow(dead_code, reason = "not every keyword is asked for")]
        pub(crate) const $name: Sym = Sym($n);
        keywords!(@ $n + 1; $($rest)*);
    };
    (@ $n:expr;) => {};
}
keywords! {
    ROLE "role" 1, INIT "init" 1, TRUE "true" 1, NEXT "next" 1, LEGAL "legal" 2, DOES "does" 2,
    GOAL "goal" 2, TERMINAL "terminal" 0, DISTINCT "distinct" 2, BASE "base" 1, INPUT "input" 2,
}

/// What a game is made of: only what these relations need matters.
pub(crate) const ROOTS: [Sym; 6] = [ROLE, INIT, NEXT, LEGAL, GOAL, TERMINAL];

/// All names of a sheet.
#[derive(Clone, Debug)]
pub(crate) struct Names {
    words: Vec<String>,
    index: HashMap<String, Sym>,
}

impl Names {
    pub fn new() -> Names {
        let mut names = Names { words: Vec::new(), index: HashMap::new() };
        for (word, _) in KEYWORDS {
            names.symbol(word);
        }
        names
    }

    pub fn symbol(&mut self, word: &str) -> Sym {
        if let Some(&sym) = self.index.get(word) {
            return sym;
        }
        let sym = Sym(self.words.len() as u32);
        self.words.push(word.to_owned());
        self.index.insert(word.to_owned(), sym);
        sym
    }

    pub fn find(&self, word: &str) -> Option<Sym> {
        self.index.get(word).copied()
    }

    pub fn word(&self, sym: Sym) -> &str {
        &self.words[sym.0 as usize]
    }

    pub fn len(&self) -> usize {
        self.words.len()
    }
}

/// A term with variables. A constant is a function without arguments.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Term {
    /// The number of a variable in its rule.
    Var(u16),
    Func(Sym, Vec<Term>),
}

impl Term {
    /// Calls `f` with every variable.
    pub fn each_var(&self, f: &mut impl FnMut(u16)) {
        match self {
            Term::Var(var) => f(*var),
            Term::Func(_, args) => args.iter().for_each(|arg| arg.each_var(f)),
        }
    }

    pub fn is_ground(&self) -> bool {
        let mut ground = true;
        self.each_var(&mut |_| ground = false);
        ground
    }
}

/// A relation between terms.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Atom {
    pub pred: Sym,
    pub args: Vec<Term>,
}

impl Atom {
    pub fn each_var(&self, f: &mut impl FnMut(u16)) {
        self.args.iter().for_each(|arg| arg.each_var(f));
    }
}

/// A condition of a rule.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Condition {
    Is(Atom),
    Not(Atom),
    Distinct(Term, Term),
    Same(Term, Term),
}

impl Condition {
    pub fn each_var(&self, f: &mut impl FnMut(u16)) {
        match self {
            Condition::Is(atom) | Condition::Not(atom) => atom.each_var(f),
            Condition::Distinct(a, b) | Condition::Same(a, b) => {
                a.each_var(f);
                b.each_var(f);
            }
        }
    }
}

/// A condition and where it stands.
#[derive(Clone, Debug)]
pub(crate) struct Literal {
    pub what: Condition,
    pub span: Span,
}

/// The head holds if all literals of the body do.
#[derive(Clone, Debug)]
pub(crate) struct Rule {
    pub head: Atom,
    pub body: Vec<Literal>,
    /// Names of the variables.
    pub vars: Vec<String>,
    /// Where the head stands.
    pub span: Span,
}
