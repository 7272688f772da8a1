//! Conversations by JSON.

use proofplay_protocol::json::request::{Request, Task};
use proofplay_protocol::json::{Options, Session, serve};
use serde_json::Value;
use std::io::Cursor;
use std::str::from_utf8;

/// Every line that is not empty has one last answer, in the order of the lines. The end of the input
/// ends every search.
pub fn stdio(data: &[u8]) {
    let Ok(text) = from_utf8(data) else { return };
    // A file would be written, many threads are slow, and nothing ends a search before `quit`.
    let is_harmless = |line: &str, request: &Request| match &request.task {
        Ok(Task::Solve(solve)) if solve.certificate.is_some() => false,
        task => !line.contains("threads") && *task != Ok(Task::Quit {}),
    };
    let lines = text.split('\n').filter(|line| !line.trim().is_empty());
    let requests = lines.map(|line| (line, Request::read(line)));
    let requests: Vec<_> = requests.filter(|(line, request)| is_harmless(line, request)).collect();
    let input: String = requests.iter().map(|(line, _)| format!("{line}\n")).collect();
    let mut session = Session::new(Options { memory: Some(1 << 20), threads: 1, seed: 1 }).unwrap();
    let mut out = Vec::new();
    serve(&mut session, Cursor::new(input.into_bytes()), &mut out).unwrap();
    let told = from_utf8(&out).unwrap().lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let ends: Vec<Value> = told.filter(|line| line["final"] == true).collect();
    assert_eq!(ends.len(), requests.len(), "{text}");
    for (end, (line, request)) in ends.iter().zip(&requests) {
        assert_eq!(end["id"], request.id, "{line}");
        assert!(request.task.is_ok() || end["error"].is_string(), "{line}: {end}");
    }
}
