//! Who may ask: the page itself and programs on this machine, but no other site that somebody has open in the same
//! browser.
//!
//! A site can make a browser send requests to 127.0.0.1. It cannot hide where they come from: browsers say it in
//! `Origin` and `Sec-Fetch-Site`. A name of its own that resolves to 127.0.0.1 (DNS rebinding) stands in `Host`. So
//! `Host` must be this machine, `Origin` must be the same as `Host`, and other sites may only link to the page.
//! Answers forbid the page all that does not come from here.

use crate::error::Refused;
use axum::extract::Request;
use axum::http::header::{CACHE_CONTROL, HOST, HeaderMap, HeaderName, HeaderValue, ORIGIN};
use axum::http::{Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

/// What the page may do: load what is here, and nothing else.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
     font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Headers of every answer.
const HEADERS: [(&str, &str); 5] = [
    ("content-security-policy", POLICY),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
];

/// Lets requests through that are from here, and adds headers to all answers.
pub async fn check(request: Request, next: Next) -> Response {
    let is_api = request.uri().path().starts_with("/api/");
    let mut answer = match allowed(&request) {
        Ok(()) => next.run(request).await,
        Err(refused) => refused.into_response(),
    };
    let headers = answer.headers_mut();
    for (name, value) in HEADERS {
        headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    if is_api {
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    answer
}

fn allowed(request: &Request) -> Result<(), Refused> {
    let headers = request.headers();
    let host = text(headers, HOST).or_else(|| Some(request.uri().authority()?.as_str()));
    let host = host.filter(|host| is_here(host)).ok_or_else(|| {
        Refused::new(StatusCode::MISDIRECTED_REQUEST, "header `Host`: expected 127.0.0.1 or localhost")
    })?;
    let foreign = |header: &str| {
        Refused::new(StatusCode::FORBIDDEN, format!("header `{header}`: other sites cannot ask this server"))
    };
    if headers.contains_key(ORIGIN)
        && text(headers, ORIGIN).and_then(|origin| origin.strip_prefix("http://")) != Some(host)
    {
        return Err(foreign("Origin"));
    }
    const SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
    let follows_link = request.method() == Method::GET
        && !request.uri().path().starts_with("/api/")
        && text(headers, HeaderName::from_static("sec-fetch-mode")) == Some("navigate");
    match headers.get(SITE).map(|_| text(headers, SITE)) {
        None | Some(Some("same-origin" | "none")) => Ok(()),
        Some(_) if follows_link => Ok(()),
        Some(_) => Err(foreign("Sec-Fetch-Site")),
    }
}

/// A header as text; `None` also if it is there twice, so that nobody reads another one than we do.
fn text(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?;
    if values.next().is_some() { None } else { value.to_str().ok() }
}

/// Whether a `Host` is this machine, on whatever port.
fn is_here(host: &str) -> bool {
    let (name, port) = match host.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((name, port)) => (name, port),
        None => host.split_at(host.find(':').unwrap_or(host.len())),
    };
    let is_port =
        port.is_empty() || port.strip_prefix(':').is_some_and(|digits| digits.parse::<u16>().is_ok());
    is_port && ["127.0.0.1", "localhost", "::1"].contains(&name.to_ascii_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::Body;

    fn ask(path: &str, method: Method, headers: &[(&str, &str)]) -> Result<(), StatusCode> {
        let mut request = Request::builder().uri(path).method(method);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        allowed(&request.body(Body::empty()).unwrap()).map_err(|refused| refused.status)
    }

    #[test]
    fn only_this_machine_and_its_own_page() {
        let (wrong, foreign) = (Err(StatusCode::MISDIRECTED_REQUEST), Err(StatusCode::FORBIDDEN));
        let get = |headers: &[(&str, &str)]| ask("/api/v1/games", Method::GET, headers);
        for host in ["127.0.0.1:8000", "localhost:8000", "LOCALHOST", "[::1]:80", "127.0.0.1"] {
            assert_eq!(get(&[("host", host)]), Ok(()), "{host}");
        }
        for host in
            ["evil.example", "127.0.0.1.evil.example", "localhost.evil", "127.0.0.1:x", "", "[::1", "0.0.0.0"]
        {
            assert_eq!(get(&[("host", host)]), wrong, "{host}");
        }
        assert_eq!(get(&[]), wrong);
        assert_eq!(get(&[("host", "localhost"), ("host", "evil.example")]), wrong);
        let host = ("host", "127.0.0.1:8000");
        assert_eq!(get(&[host, ("origin", "http://127.0.0.1:8000")]), Ok(()));
        for origin in ["http://evil.example", "http://127.0.0.1:9", "https://127.0.0.1:8000", "null"] {
            assert_eq!(get(&[host, ("origin", origin)]), foreign, "{origin}");
        }
        for (site, answer) in
            [("same-origin", Ok(())), ("none", Ok(())), ("cross-site", foreign), ("same-site", foreign)]
        {
            assert_eq!(get(&[host, ("sec-fetch-site", site)]), answer, "{site}");
        }
        let link = [host, ("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "navigate")];
        assert_eq!(ask("/", Method::GET, &link), Ok(()));
        assert_eq!(ask("/", Method::POST, &link), foreign);
        assert_eq!(get(&link), foreign);
    }
}
