//! The page: files that were built from `client/` and are part of the program.

use crate::error::Refused;
use axum::http::Uri;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};

/// A file of the page: its path, its type and what it has.
type File = (&'static str, &'static str, &'static [u8]);

const FILES: [File; 5] = [
    ("/", "text/html; charset=utf-8", include_bytes!("../dist/index.html")),
    ("/page.js", "text/javascript; charset=utf-8", include_bytes!("../dist/page.js")),
    ("/page.css", "text/css; charset=utf-8", include_bytes!("../dist/page.css")),
    ("/licences.txt", "text/plain; charset=utf-8", include_bytes!("../dist/licences.txt")),
    ("/icon.svg", "image/svg+xml", include_bytes!("../dist/icon.svg")),
];

/// Answers with a file of the page.
pub async fn file(uri: Uri) -> Response {
    match FILES.iter().find(|file| file.0 == uri.path()) {
        // A newer program may stand behind the same address: browsers ask again.
        Some((_, kind, bytes)) => {
            ([(CONTENT_TYPE, *kind), (CACHE_CONTROL, "no-cache")], *bytes).into_response()
        }
        None => Refused::missing("there is no such page").into_response(),
    }
}
