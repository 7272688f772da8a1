//! Thousands of requests that nobody should send. Each gets an answer: what was asked for, or a sentence with a status
//! of the family 4xx; never another one.

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::Request;
use proofplay_core::Rng;
use proofplay_web::{Options, Server};
use serde_json::{Value, json};
use std::time::Duration;
use tower::ServiceExt;

/// As many requests.
const REQUESTS: usize = 10_000;

fn templates() -> Vec<(&'static str, &'static str, Value)> {
    let moves = json!(["b2", "a1"]);
    vec![
        ("POST", "/api/v1/board", json!({ "game": "tictactoe", "moves": moves })),
        ("POST", "/api/v1/board", json!({ "game": "amazons:4x4", "position": "w..b/..../..../b..w w" })),
        (
            "POST",
            "/api/v1/board",
            json!({ "game": "go:5x5", "sgf": "(;GM[1]SZ[5];B[cc](;W[bb])(;W[dd]))", "variation": [2] }),
        ),
        ("POST", "/api/v1/board", json!({ "text": "game: connect4:5x5\nmoves: 3 3 2" })),
        (
            "POST",
            "/api/v1/jobs",
            json!({ "do": "solve", "game": "tictactoe", "nodes": 50, "search": "pns", "all_moves": true }),
        ),
        (
            "POST",
            "/api/v1/jobs",
            json!({ "do": "move", "game": "connect4:4x4", "simulations": 20, "seed": 3 }),
        ),
        (
            "POST",
            "/api/v1/jobs",
            json!({ "do": "analyze", "game": "go:3x3", "time": "5ms", "every": 0.1, "threads": 1 }),
        ),
        (
            "POST",
            "/api/v1/jobs",
            json!({ "do": "review", "game": "tictactoe", "moves": "a1 b1 a2 b2 a3", "nodes": 10, "time": "5ms" }),
        ),
        ("POST", "/api/v1/jobs/1/go", json!({ "do": "solve", "game": "y:3", "nodes": 30, "shortest": true })),
        ("POST", "/api/v1/jobs/1/stop", json!({})),
        ("GET", "/api/v1/jobs/1/tree?path=b2+a1", json!(null)),
        ("GET", "/api/v1/jobs/1/certificate", json!(null)),
        ("GET", "/api/v1/record?game=loa:6x6&as=sgf", json!(null)),
        ("GET", "/api/v1/board?game=checkers:6x6&moves=a3-b4", json!(null)),
        ("GET", "/api/v1/rules?game=cannon", json!(null)),
        ("DELETE", "/api/v1/jobs/1", json!(null)),
    ]
}

/// Values that no field expects.
fn odd(rng: &mut Rng) -> Value {
    let odd = [
        json!(null),
        json!(true),
        json!(-1),
        json!(1e308),
        json!(u64::MAX),
        json!(""),
        json!("\u{0}\u{ffff}é/../..%00"),
        json!([[[[[[[[]]]]]]]]),
        json!({ "a": { "b": [] } }),
        json!("x".repeat(5000)),
        Value::from(vec!["b2"; 5000]),
        json!("written:((+ -) = (- ="),
        json!("mnk:999999999x999999999k1"),
        json!("go:19x19,komi=1e9"),
        json!("99999999999999999999h"),
    ];
    odd[rng.below(odd.len() as u32) as usize].clone()
}

/// Spoils a request in one of several ways.
fn spoil(rng: &mut Rng, fields: &Value) -> Vec<u8> {
    let mut fields = fields.clone();
    if let Value::Object(map) = &mut fields
        && !map.is_empty()
        && rng.below(4) > 0
    {
        let key = map.keys().nth(rng.below(map.len() as u32) as usize).unwrap().clone();
        match rng.below(4) {
            0 => drop(map.remove(&key)),
            1 => drop(map.insert(format!("{key}x"), odd(rng))),
            _ => drop(map.insert(key, odd(rng))),
        }
    }
    let mut bytes = if fields.is_null() { Vec::new() } else { fields.to_string().into_bytes() };
    for _ in 0..rng.below(4) {
        if bytes.is_empty() {
            break;
        }
        let at = rng.below(bytes.len() as u32) as usize;
        match rng.below(4) {
            0 => bytes[at] = rng.below(256) as u8,
            1 => bytes.truncate(at),
            2 => bytes.insert(at, b"{}[]\",:\\0-"[rng.below(10) as usize]),
            _ => drop(bytes.remove(at)),
        }
    }
    bytes
}

async fn answer(router: &Router, request: Request<Body>, told: &str) {
    let answer = router.clone().oneshot(request).await.unwrap();
    let status = answer.status();
    assert!(status.is_success() || status.is_client_error(), "{told}: {status}");
    let body = to_bytes(answer.into_body(), 1 << 26).await.unwrap();
    if status.is_client_error() {
        let error: Value = serde_json::from_slice(&body).unwrap();
        assert!(error["error"].as_str().is_some_and(|why| !why.is_empty()), "{told}: {error}");
    }
}

#[tokio::test]
async fn malformed_requests_are_refused() {
    let options = Options {
        memory: 32 << 20,
        searches: 4,
        threads: 1,
        time: Duration::from_millis(20),
        ..Options::default()
    };
    let router = Server::new(options).unwrap().router();
    let (mut rng, templates) = (Rng::from_parts(&[19]), templates());
    for i in 0..REQUESTS {
        let (method, path, fields) = &templates[rng.below(templates.len() as u32) as usize];
        let body = spoil(&mut rng, fields);
        let mut path = (*path).to_owned();
        if rng.below(3) == 0 {
            let at = 8 + rng.below((path.len() - 8) as u32) as usize;
            path.replace_range(at..at + 1, ["%", "?", "/", "9", "%00", "&", "%ff"][rng.below(7) as usize]);
        }
        path = path.replace("jobs/1", &format!("jobs/{}", 1 + rng.below(1 + i as u32 / 8)));
        let told =
            format!("request {i}: {method} {path} {}", String::from_utf8_lossy(&body[..body.len().min(300)]));
        let request = Request::builder().method(*method).uri(&path).header("host", "localhost:1");
        let Ok(request) = request.header("content-type", "application/json").body(body.into()) else {
            continue;
        };
        answer(&router, request, &told).await;
    }
}
