//! What is wrong with a network.

/// A network that cannot be used, and why.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct NetError(String);

impl NetError {
    /// An error with this message, which says what is wrong and what is allowed.
    pub fn new(message: impl Into<String>) -> NetError {
        NetError(message.into())
    }

    /// The same error, with the place where it was met before it.
    pub fn at(self, place: &str) -> NetError {
        NetError(format!("{place}: {}", self.0))
    }
}
