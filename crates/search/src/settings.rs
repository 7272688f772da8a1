//! The `key=value` pairs of a spec, taken out one by one; what is left at the end is an error.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// What was wrong with the text of a search.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("search `{text}`: {why}")]
pub struct SpecError {
    text: String,
    why: String,
}

/// The settings of one spec.
pub struct Settings<'a> {
    text: &'a str,
    pairs: Vec<(&'a str, &'a str)>,
    allowed: Vec<&'static str>,
}

impl<'a> Settings<'a> {
    /// Splits `settings`, a part of the whole spec `text`.
    pub fn split(text: &'a str, settings: &'a str) -> Result<Settings<'a>, SpecError> {
        let mut all = Settings { text, pairs: Vec::new(), allowed: Vec::new() };
        for pair in settings.split(',').filter(|pair| !pair.is_empty()) {
            let Some(pair) = pair.split_once('=') else {
                return Err(all.error(format!("`{pair}` is not of the form key=value")));
            };
            if all.pairs.iter().any(|(key, _)| *key == pair.0) {
                return Err(all.error(format!("`{}` is given twice", pair.0)));
            }
            all.pairs.push(pair);
        }
        Ok(all)
    }

    /// An error about this spec.
    pub fn error(&self, why: impl Into<String>) -> SpecError {
        SpecError { text: self.text.to_owned(), why: why.into() }
    }

    /// The value of `key`, if it was given.
    pub fn take(&mut self, key: &'static str) -> Option<&'a str> {
        self.allowed.push(key);
        let at = self.pairs.iter().position(|(k, _)| *k == key)?;
        Some(self.pairs.remove(at).1)
    }

    /// `on` or `off`.
    pub fn switch(&mut self, key: &'static str, default: bool) -> Result<bool, SpecError> {
        Ok(self.word(key, if default { "on" } else { "off" }, &["on", "off"])? == "on")
    }

    /// The switch `facts`, also under its old name `knowledge`.
    pub fn facts(&mut self, default: bool) -> Result<bool, SpecError> {
        if let Some(at) = self.pairs.iter().position(|(key, _)| *key == "knowledge") {
            if self.pairs.iter().any(|(key, _)| *key == "facts") {
                return Err(self.error("`facts` and `knowledge` are one setting"));
            }
            self.pairs[at].0 = "facts";
        }
        self.switch("facts", default)
    }

    /// One of some words.
    pub fn word<'b>(
        &mut self,
        key: &'static str,
        default: &'b str,
        words: &[&'b str],
    ) -> Result<&'b str, SpecError> {
        let Some(text) = self.take(key) else { return Ok(default) };
        match words.iter().find(|word| **word == text) {
            Some(word) => Ok(word),
            None => Err(self.error(format!("`{key}` is one of {}, not `{text}`", words.join(", ")))),
        }
    }

    /// A number in a range.
    pub fn number<T: FromStr + PartialOrd + Display>(
        &mut self,
        key: &'static str,
        default: T,
        range: RangeInclusive<T>,
    ) -> Result<T, SpecError> {
        match self.take(key) {
            None => Ok(default),
            Some(text) => self.parse(key, text, range),
        }
    }

    /// Reads the number `text` of `key`.
    pub fn parse<T: FromStr + PartialOrd + Display>(
        &self,
        key: &str,
        text: &str,
        range: RangeInclusive<T>,
    ) -> Result<T, SpecError> {
        text.parse().ok().filter(|number| range.contains(number)).ok_or_else(|| {
            self.error(format!("`{key}` is a number from {} to {}, not `{text}`", range.start(), range.end()))
        })
    }

    /// Refuses what nobody has taken.
    pub fn finish(self) -> Result<(), SpecError> {
        let Some((key, _)) = self.pairs.first() else { return Ok(()) };
        let allowed = if self.allowed.is_empty() { "none".to_owned() } else { self.allowed.join(", ") };
        Err(self.error(format!("unknown setting `{key}`; allowed: {allowed}")))
    }
}
