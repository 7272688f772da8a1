//! A rule sheet that was read and checked.

use crate::check::{Checked, check};
use crate::flaw::{Flaw, Source};
use crate::reader;
use crate::rules::{Atom, Condition, Names, ROLE, Rule, Term};
use crate::translate::translate;
use proofplay_core::{mix, splitmix64};
use std::sync::Arc;

/// What changes when the texts of moves and positions do: files name it with the rules.
const NOTATION: u64 = 1;

/// A rule sheet: read, checked, ready to become a game.
#[derive(Clone, Debug)]
pub struct Sheet {
    pub(crate) source: Arc<Source>,
    pub(crate) names: Names,
    pub(crate) checked: Checked,
    roles: Vec<String>,
    digest: u64,
}

impl Sheet {
    /// Reads a sheet; errors call it `name`.
    pub fn read(name: &str, text: &str) -> Result<Sheet, Flaw> {
        let source = Arc::new(Source { name: name.to_owned(), text: text.to_owned() });
        let nodes = reader::read(&source)?;
        let (names, rules) = translate(&source, &nodes)?;
        let checked = check(&source, &names, rules)?;
        let mut roles: Vec<String> = Vec::new();
        for rule in checked.rules.iter().filter(|rule| rule.head.pred == ROLE) {
            let role = text_of(&names, &rule.head.args[0]);
            if !roles.contains(&role) {
                roles.push(role);
            }
        }
        let digest = digest(&names, &checked.rules, &roles);
        Ok(Sheet { source, names, checked, roles, digest })
    }

    /// What errors call the sheet.
    pub fn name(&self) -> &str {
        &self.source.name
    }

    /// The roles in the order of the sheet.
    pub fn roles(&self) -> &[String] {
        &self.roles
    }

    /// What is odd about the sheet but harmless.
    pub fn warnings(&self) -> &[Flaw] {
        &self.checked.warnings
    }

    /// A number that follows from the rules: not from comments, blanks, letter case, the names of variables,
    /// the order of rules, or rules that the game does not need.
    pub fn digest(&self) -> u64 {
        self.digest
    }

    /// How files name the game of this sheet: its digest, mixed with the notation of moves and positions.
    pub fn identity(&self) -> u64 {
        mix(u128::from(self.digest) << 64 | u128::from(NOTATION)) as u64
    }

    /// The rules that the game needs, one a line, in the order of the sheet, with `or` written out.
    pub fn rules(&self) -> Vec<String> {
        self.checked.rules.iter().map(|rule| rule_text(&self.names, rule)).collect()
    }
}

/// A rule with its variables named by their order.
fn rule_text(names: &Names, rule: &Rule) -> String {
    let head = atom_text(names, &rule.head);
    if rule.body.is_empty() {
        return head;
    }
    let mut text = format!("(<= {head}");
    for literal in &rule.body {
        text.push(' ');
        text += &match &literal.what {
            Condition::Is(atom) => atom_text(names, atom),
            Condition::Not(atom) => format!("(not {})", atom_text(names, atom)),
            Condition::Distinct(a, b) => format!("(distinct {} {})", text_of(names, a), text_of(names, b)),
            Condition::Same(a, b) => format!("(not (distinct {} {}))", text_of(names, a), text_of(names, b)),
        };
    }
    text + ")"
}

fn atom_text(names: &Names, atom: &Atom) -> String {
    text_of(names, &Term::Func(atom.pred, atom.args.clone()))
}

fn text_of(names: &Names, term: &Term) -> String {
    match term {
        Term::Var(var) => format!("?{var}"),
        Term::Func(sym, args) if args.is_empty() => names.word(*sym).to_owned(),
        Term::Func(sym, args) => {
            let args: Vec<_> = args.iter().map(|arg| text_of(names, arg)).collect();
            format!("({} {})", names.word(*sym), args.join(" "))
        }
    }
}

fn digest(names: &Names, rules: &[Rule], roles: &[String]) -> u64 {
    let mut lines: Vec<String> = rules.iter().map(|rule| rule_text(names, rule)).collect();
    lines.sort_unstable();
    lines.dedup();
    let mut state = 0x6764_6c20_7368_6565;
    let mut hash = 0;
    for text in roles.iter().chain(&lines) {
        for byte in text.bytes().chain([b'\n']) {
            state ^= u64::from(byte) ^ hash;
            hash = splitmix64(&mut state);
        }
    }
    hash
}
