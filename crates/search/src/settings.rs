//! The settings of searches as tables: reading, printing, refusing and explaining them all come
//! from one list.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use std::sync::Mutex;

/// An error in the text of a search.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("search `{text}`: {why}")]
pub struct SpecError {
    text: String,
    why: String,
}

/// What a setting may be.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Values {
    /// `on` or `off`.
    Switch,
    /// One of some words.
    Words(&'static [&'static str]),
    /// One of some words, or a word, a colon and the name of a file.
    WordsOrFile(&'static [&'static str], &'static str),
    /// A whole number.
    Whole(RangeInclusive<u64>),
    /// A word, or a whole number.
    WordOrWhole(&'static str, RangeInclusive<u64>),
    /// Any number.
    Real(RangeInclusive<f64>),
    /// A word, or any number.
    WordOrReal(&'static str, RangeInclusive<f64>),
}

impl Values {
    const SWITCH: &[&str] = &["on", "off"];

    /// Whether the text is the word for a file and a name of bearable length.
    fn is_file(&self, text: &str) -> bool {
        const LONGEST: usize = 1000;
        let Values::WordsOrFile(_, word) = self else { return false };
        let file = text.strip_prefix(word).and_then(|rest| rest.strip_prefix(':'));
        file.is_some_and(|file| !file.is_empty() && file.len() <= LONGEST)
    }

    /// What is allowed, in words.
    fn text(&self) -> String {
        let number = |from: &dyn std::fmt::Display, to: &dyn std::fmt::Display| {
            format!("a number from {from} to {to}")
        };
        match self {
            Values::Switch => format!("one of {}", Values::SWITCH.join(", ")),
            Values::Words(words) => format!("one of {}", words.join(", ")),
            Values::WordsOrFile(words, word) => format!("one of {}, {word}:FILE", words.join(", ")),
            Values::Whole(range) => number(range.start(), range.end()),
            Values::Real(range) => number(range.start(), range.end()),
            Values::WordOrWhole(word, range) => format!("{word} or {}", number(range.start(), range.end())),
            Values::WordOrReal(word, range) => format!("{word} or {}", number(range.start(), range.end())),
        }
    }
}

/// A value of a setting, as text and back.
pub(crate) trait Value {
    /// As text.
    fn show(&self) -> String;
    /// Reads the value from a text; returns whether it is one of `values`.
    fn set(&mut self, text: &str, values: &Values) -> bool;
}

/// How many files specs may name in the life of a process: whoever sends specs to a server shall not fill
/// its memory.
const MOST_TEXTS: usize = 10_000;

/// The same text for the life of the process, so that settings stay plain words: each text is stored
/// once, unless there would be more than `most`.
pub(crate) fn interned(text: &str, most: usize) -> Option<&'static str> {
    static TEXTS: Mutex<BTreeSet<&str>> = Mutex::new(BTreeSet::new());
    let mut texts = TEXTS.lock().expect("no thread panics while it looks up a text");
    let known = texts.get(text).copied();
    known.or_else(|| {
        let new = (texts.len() < most).then(|| -> &'static str { Box::leak(text.into()) })?;
        texts.insert(new);
        Some(new)
    })
}

/// Stores what was read, if anything was.
fn take<T>(value: &mut T, read: Option<T>) -> bool {
    read.map(|read| *value = read).is_some()
}

impl Value for bool {
    fn show(&self) -> String {
        Values::SWITCH[usize::from(!*self)].to_owned()
    }
    fn set(&mut self, text: &str, _: &Values) -> bool {
        take(self, Values::SWITCH.iter().position(|&word| word == text).map(|at| at == 0))
    }
}

impl Value for &'static str {
    fn show(&self) -> String {
        (*self).to_owned()
    }
    fn set(&mut self, text: &str, values: &Values) -> bool {
        let (Values::Words(words) | Values::WordsOrFile(words, _)) = values else { return false };
        let word = words.iter().copied().find(|&word| word == text);
        let file = || if values.is_file(text) { interned(text, MOST_TEXTS) } else { None };
        take(self, word.or_else(file))
    }
}

macro_rules! whole_number_is_value {
    ($($number:ty),*) => {$(
        impl Value for $number {
            fn show(&self) -> String {
                self.to_string()
            }
            fn set(&mut self, text: &str, values: &Values) -> bool {
                let Values::Whole(range) = values else { return false };
                let read = text.parse::<u64>().ok().filter(|number| range.contains(number));
                take(self, read.and_then(|number| number.try_into().ok()))
            }
        }
    )*};
}
whole_number_is_value!(u8, u32, u64, usize);

macro_rules! number_is_value {
    ($($number:ty),*) => {$(
        impl Value for $number {
            fn show(&self) -> String {
                self.to_string()
            }
            fn set(&mut self, text: &str, values: &Values) -> bool {
                let (Values::Real(range) | Values::WordOrReal(_, range)) = values else { return false };
                take(self, text.parse().ok().filter(|&number| range.contains(&f64::from(number))))
            }
        }
    )*};
}
number_is_value!(f32, f64);

/// A whole number, or the word of [`Values::WordOrWhole`] for none.
impl Value for (Option<u8>, &'static str) {
    fn show(&self) -> String {
        self.0.map_or(self.1.to_owned(), |number| number.to_string())
    }
    fn set(&mut self, text: &str, values: &Values) -> bool {
        let Values::WordOrWhole(word, range) = values else { return false };
        let read = text.parse::<u8>().ok().filter(|&number| range.contains(&number.into()));
        self.0 = read;
        read.is_some() || text == *word
    }
}

/// A number, or the word of [`Values::WordOrReal`] for none.
impl Value for (Option<f64>, &'static str) {
    fn show(&self) -> String {
        self.0.map_or(self.1.to_owned(), |number| number.to_string())
    }
    fn set(&mut self, text: &str, values: &Values) -> bool {
        if text == self.1 {
            self.0 = None;
            return true;
        }
        let mut number = 0.0f64;
        number.set(text, values) && take(&mut self.0, Some(Some(number)))
    }
}

/// A setting of a search whose settings are a `T`: a row of its table.
pub(crate) struct Setting<T> {
    pub key: &'static str,
    pub values: Values,
    pub meaning: &'static str,
    pub show: fn(&T) -> String,
    pub set: fn(&mut T, &str, &Values) -> bool,
}

/// A row of a table of settings: key, field, values, meaning.
macro_rules! row {
    ($key:literal, $field:ident, $values:expr, $meaning:literal) => {
        $crate::settings::Setting {
            key: $key,
            values: $values,
            meaning: $meaning,
            show: |all| $crate::settings::Value::show(&all.$field),
            set: |all, text, values| $crate::settings::Value::set(&mut all.$field, text, values),
        }
    };
}
pub(crate) use row;

/// A setting, for display.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct SettingInfo {
    /// The text before `=`.
    pub key: &'static str,
    /// What is allowed after it.
    pub values: String,
    /// Its default.
    pub default: String,
    /// What it does.
    pub meaning: &'static str,
}

/// A table of settings, for display, with these defaults.
pub(crate) fn explain<T>(table: &[Setting<T>], default: &T) -> Vec<SettingInfo> {
    let row = |row: &Setting<T>| SettingInfo {
        key: row.key,
        values: row.values.text(),
        default: (row.show)(default),
        meaning: row.meaning,
    };
    table.iter().map(row).collect()
}

/// The settings that differ from those of `base`, as `key=value,…`, in the order of the table.
pub(crate) fn differences<T>(table: &[Setting<T>], all: &T, base: &T) -> String {
    let differing = table.iter().filter(|row| (row.show)(all) != (row.show)(base));
    differing.map(|row| format!("{}={}", row.key, (row.show)(all))).collect::<Vec<_>>().join(",")
}

/// A name and the settings that differ from those of `base`: `name:key=value,…`.
pub(crate) fn named<T>(name: &str, table: &[Setting<T>], all: &T, base: &T) -> String {
    let settings = differences(table, all, base);
    format!("{name}{}{settings}", if settings.is_empty() { "" } else { ":" })
}

/// The pairs of one spec.
pub(crate) struct Pairs<'a> {
    text: &'a str,
    pairs: Vec<(&'a str, &'a str)>,
}

impl<'a> Pairs<'a> {
    /// Splits `settings`, a part of the whole spec `text`.
    pub fn split(text: &'a str, settings: &'a str) -> Result<Pairs<'a>, SpecError> {
        /// Old names of settings.
        const OLD: &[(&str, &str)] = &[("knowledge", "facts")];
        let mut all = Pairs { text, pairs: Vec::new() };
        for pair in settings.split(',').filter(|pair| !pair.is_empty()) {
            let Some((key, value)) = pair.split_once('=') else {
                return Err(all.error(format!("`{pair}` is not of the form key=value")));
            };
            let key = OLD.iter().find(|old| old.0 == key).map_or(key, |old| old.1);
            if all.pairs.iter().any(|pair| pair.0 == key) {
                return Err(all.error(format!("`{key}` is given twice")));
            }
            all.pairs.push((key, value));
        }
        Ok(all)
    }

    /// An error about this spec.
    pub fn error(&self, why: impl Into<String>) -> SpecError {
        SpecError { text: self.text.to_owned(), why: why.into() }
    }

    /// Whether a setting was given.
    pub fn has(&self, key: &str) -> bool {
        self.pairs.iter().any(|pair| pair.0 == key)
    }

    /// Reads all settings.
    pub fn apply<T>(&self, table: &[Setting<T>], to: &mut T) -> Result<(), SpecError> {
        for &(key, value) in &self.pairs {
            let Some(row) = table.iter().find(|row| row.key == key) else {
                let allowed: Vec<&str> = table.iter().map(|row| row.key).collect();
                let allowed = if allowed.is_empty() { "none".to_owned() } else { allowed.join(", ") };
                return Err(self.error(format!("unknown setting `{key}`; allowed: {allowed}")));
            };
            if !(row.set)(to, value, &row.values) {
                return Err(self.error(format!("`{key}` is {}, not `{value}`", row.values.text())));
            }
        }
        Ok(())
    }
}
