//! Why a request is refused: a status and a sentence.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use proofplay_front::json::BadLine;

/// Why a request is refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refused {
    /// A status of the family 4xx, or 503.
    pub status: StatusCode,
    /// What was wrong and what is allowed.
    pub why: String,
}

impl Refused {
    /// With this status.
    pub fn new(status: StatusCode, why: impl Into<String>) -> Refused {
        Refused { status, why: why.into() }
    }

    /// What was sent makes no sense.
    pub fn bad(why: impl ToString) -> Refused {
        Refused::new(StatusCode::BAD_REQUEST, why.to_string())
    }

    /// There is no such thing.
    pub fn missing(why: impl Into<String>) -> Refused {
        Refused::new(StatusCode::NOT_FOUND, why)
    }
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        (self.status, Json(BadLine { error: self.why })).into_response()
    }
}
