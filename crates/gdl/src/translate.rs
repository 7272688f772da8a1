//! From lists of words to rules: `or`, `and` and nested `not` are resolved, arities are checked.
//!
//! A rule with `or` becomes one rule for each alternative.

use crate::flaw::{Flaw, Source, Span};
use crate::reader::{Node, What};
use crate::rules::{Atom, Condition, DOES, KEYWORDS, Literal, NEXT, Names, ROLE, Rule, Sym, TRUE, Term};
use std::collections::HashMap;
use std::sync::Arc;

/// Rules of a sheet, after alternatives are written out.
const MOST_RULES: usize = 100_000;
/// Alternatives of one rule.
const MOST_ALTERNATIVES: usize = 256;
/// Conditions of one rule, as written.
const MOST_CONDITIONS: usize = 256;
/// Conditions of all rules.
const MOST_LITERALS: usize = 400_000;
/// Variables of one rule.
const MOST_VARIABLES: usize = 64;
/// Arguments of a relation or a function.
const MOST_ARGUMENTS: usize = 32;

/// The rules of a sheet and its names.
pub(crate) fn translate(source: &Arc<Source>, nodes: &[Node]) -> Result<(Names, Vec<Rule>), Flaw> {
    let mut it = Translator {
        source,
        names: Names::new(),
        relations: HashMap::new(),
        functions: HashMap::new(),
        vars: Vec::new(),
        conditions: 0,
    };
    let mut rules = Vec::new();
    let mut literals = 0;
    for node in nodes {
        let before = rules.len();
        it.statement(node, &mut rules)?;
        literals += rules[before..].iter().map(|rule| rule.body.len()).sum::<usize>();
        if rules.len() > MOST_RULES || literals > MOST_LITERALS {
            let message = format!("more than {MOST_RULES} rules or {MOST_LITERALS} conditions");
            return Err(Flaw::at(source, node.span, message));
        }
    }
    Ok((it.names, rules))
}

/// A formula of a body without negations of anything but atoms.
enum Formula {
    All(Vec<Formula>),
    Any(Vec<Formula>),
    One(Literal),
}

struct Translator<'a> {
    source: &'a Arc<Source>,
    names: Names,
    /// The number of arguments of each relation and of each function with any.
    relations: HashMap<Sym, usize>,
    functions: HashMap<Sym, usize>,
    /// Variables of the rule at hand.
    vars: Vec<String>,
    /// Conditions of the rule at hand.
    conditions: usize,
}

impl Translator<'_> {
    fn flaw<T>(&self, span: Span, message: impl Into<String>) -> Result<T, Flaw> {
        Err(Flaw::at(self.source, span, message))
    }

    fn statement(&mut self, node: &Node, rules: &mut Vec<Rule>) -> Result<(), Flaw> {
        self.vars.clear();
        self.conditions = 0;
        let (head, body) = match &node.what {
            What::List(list) => match list.split_first() {
                Some((first, rest)) if is_word(first, "<=") => match rest.split_first() {
                    Some((head, body)) => (head, body),
                    None => return self.flaw(node.span, "`<=` needs a head: (<= head condition …)"),
                },
                _ => (node, &[][..]),
            },
            What::Word(word) if word == "<=" => {
                return self.flaw(node.span, "a rule is a list: (<= head condition …)");
            }
            What::Word(_) => (node, &[][..]),
        };
        let span = head.span;
        let atom = self.atom(head)?;
        let word = self.names.word(atom.pred).to_owned();
        if atom.pred == TRUE || atom.pred == DOES || matches!(&*word, "distinct" | "not" | "or" | "and") {
            return self.flaw(span, format!("`{word}` cannot be a head: no rule may define it"));
        }
        if atom.pred == ROLE && !body.is_empty() {
            return self.flaw(span, "a role is a fact, not a rule");
        }
        if node.span == span && !self.vars.is_empty() {
            let var = self.vars[0].clone();
            let place = find(head, &var).unwrap_or(span);
            return self.flaw(place, format!("a fact has no variables, but this one has `{var}`"));
        }
        let body = body.iter().map(|node| self.formula(node, true)).collect::<Result<Vec<_>, _>>()?;
        let mut alternatives = vec![Vec::new()];
        if !multiply(&Formula::All(body), &mut alternatives) {
            return self.flaw(span, format!("more than {MOST_ALTERNATIVES} alternatives by `or`"));
        }
        for body in alternatives {
            rules.push(Rule { head: atom.clone(), body, vars: self.vars.clone(), span });
        }
        Ok(())
    }

    /// A condition, or its negation.
    fn formula(&mut self, node: &Node, positive: bool) -> Result<Formula, Flaw> {
        self.conditions += 1;
        if self.conditions > MOST_CONDITIONS {
            return self.flaw(node.span, format!("more than {MOST_CONDITIONS} conditions in a rule"));
        }
        if let What::List(list) = &node.what
            && let Some((Node { what: What::Word(word), .. }, args)) = list.split_first()
        {
            match &**word {
                "not" => {
                    return match args {
                        [inner] => self.formula(inner, !positive),
                        _ => self.flaw(node.span, "`not` has one argument"),
                    };
                }
                "or" | "and" => {
                    let parts = args.iter().map(|arg| self.formula(arg, positive));
                    let parts = parts.collect::<Result<Vec<_>, _>>()?;
                    let any = (word == "or") == positive;
                    return Ok(if any { Formula::Any(parts) } else { Formula::All(parts) });
                }
                "distinct" => {
                    let [a, b] = args else {
                        return self.flaw(node.span, "`distinct` has two arguments");
                    };
                    let (a, b) = (self.term(a)?, self.term(b)?);
                    let what = if positive { Condition::Distinct(a, b) } else { Condition::Same(a, b) };
                    return Ok(Formula::One(Literal { what, span: node.span }));
                }
                "<=" => return self.flaw(node.span, "a rule inside a rule"),
                _ => {}
            }
        }
        let atom = self.atom(node)?;
        if atom.pred == NEXT {
            return self.flaw(node.span, "`next` says what follows; it cannot be a condition");
        }
        let what = if positive { Condition::Is(atom) } else { Condition::Not(atom) };
        Ok(Formula::One(Literal { what, span: node.span }))
    }

    fn atom(&mut self, node: &Node) -> Result<Atom, Flaw> {
        let (pred, args) = self.parts(node, "a relation")?;
        let Some(pred) = pred else {
            return self.flaw(node.span, "a variable cannot stand for a relation");
        };
        let known = KEYWORDS.get(pred.0 as usize).map(|&(_, arity)| arity);
        let count = args.len();
        let expected = known.unwrap_or_else(|| *self.relations.entry(pred).or_insert(count));
        self.check_arity(node, pred, count, expected, known.is_some())?;
        let args = args.iter().map(|arg| self.term(arg)).collect::<Result<_, _>>()?;
        Ok(Atom { pred, args })
    }

    fn term(&mut self, node: &Node) -> Result<Term, Flaw> {
        let (func, args) = self.parts(node, "a term")?;
        let Some(func) = func else {
            let What::Word(word) = &node.what else { unreachable!("only a word is a variable") };
            let var = self.vars.iter().position(|var| var == word).unwrap_or_else(|| {
                self.vars.push(word.clone());
                self.vars.len() - 1
            });
            if var == MOST_VARIABLES {
                return self.flaw(node.span, format!("more than {MOST_VARIABLES} variables in a rule"));
            }
            return Ok(Term::Var(var as u16));
        };
        if !args.is_empty() {
            let expected = *self.functions.entry(func).or_insert(args.len());
            self.check_arity(node, func, args.len(), expected, false)?;
        }
        Ok(Term::Func(func, args.iter().map(|arg| self.term(arg)).collect::<Result<_, _>>()?))
    }

    fn check_arity(
        &self,
        node: &Node,
        sym: Sym,
        found: usize,
        expected: usize,
        keyword: bool,
    ) -> Result<(), Flaw> {
        if found == expected {
            return Ok(());
        }
        let (word, plural) = (self.names.word(sym), if expected == 1 { "" } else { "s" });
        let before = if keyword { "always" } else { "before" };
        self.flaw(
            node.span,
            format!("`{word}` has {found} arguments here; {before} {expected} argument{plural}"),
        )
    }

    /// The first word of a list, or a word, and the rest. `None` is a variable.
    fn parts<'n>(&mut self, node: &'n Node, what: &str) -> Result<(Option<Sym>, &'n [Node]), Flaw> {
        let (first, args) = match &node.what {
            What::Word(word) => (word, &[][..]),
            What::List(list) => match list.split_first() {
                Some((Node { what: What::Word(word), .. }, args)) => (word, args),
                _ => return self.flaw(node.span, format!("{what} begins with a word")),
            },
        };
        if args.len() > MOST_ARGUMENTS {
            return self.flaw(node.span, format!("more than {MOST_ARGUMENTS} arguments"));
        }
        if first.starts_with('?') {
            return match node.what {
                What::Word(_) => Ok((None, &[])),
                What::List(_) => self.flaw(node.span, "a variable has no arguments"),
            };
        }
        Ok((Some(self.names.symbol(first)), args))
    }
}

fn is_word(node: &Node, text: &str) -> bool {
    matches!(&node.what, What::Word(word) if word == text)
}

/// Where a word stands.
fn find(node: &Node, word: &str) -> Option<Span> {
    match &node.what {
        What::Word(w) => (w == word).then_some(node.span),
        What::List(list) => list.iter().find_map(|node| find(node, word)),
    }
}

/// Puts a formula into each alternative; false if there are too many of them.
fn multiply(formula: &Formula, alternatives: &mut Vec<Vec<Literal>>) -> bool {
    match formula {
        Formula::One(literal) => alternatives.iter_mut().for_each(|body| body.push(literal.clone())),
        Formula::All(parts) => return parts.iter().all(|part| multiply(part, alternatives)),
        Formula::Any(parts) => {
            let before = std::mem::take(alternatives);
            for part in parts {
                if before.len() + alternatives.len() > MOST_ALTERNATIVES {
                    return false;
                }
                let mut copy = before.clone();
                if !multiply(part, &mut copy) {
                    return false;
                }
                alternatives.append(&mut copy);
            }
        }
    }
    alternatives.len() <= MOST_ALTERNATIVES
}
