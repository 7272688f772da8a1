//! The API as other programs see it: requests to the router, without a network.

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, Request, StatusCode};
use proofplay_web::{Options, Server};
use serde_json::{Value, json};
use std::time::Duration;
use tokio_stream::StreamExt;
use tower::ServiceExt;

fn router() -> Router {
    let options = Options { memory: 64 << 20, searches: 3, threads: 2, ..Options::default() };
    Server::new(options).unwrap().router()
}

fn request(method: &str, path: &str) -> axum::http::request::Builder {
    Request::builder().method(method).uri(path).header("host", "127.0.0.1:8000")
}

async fn send(router: &Router, request: Request<Body>) -> (StatusCode, HeaderMap, Vec<u8>) {
    let answer = router.clone().oneshot(request).await.unwrap();
    let (head, body) = answer.into_parts();
    (head.status, head.headers, to_bytes(body, 1 << 26).await.unwrap().to_vec())
}

async fn get(router: &Router, path: &str) -> (StatusCode, Value) {
    let (status, _, body) = send(router, request("GET", path).body(Body::empty()).unwrap()).await;
    (status, serde_json::from_slice(&body).unwrap())
}

async fn post(router: &Router, path: &str, body: &Value) -> (StatusCode, Value) {
    let request = request("POST", path).header("content-type", "application/json");
    let (status, _, body) = send(router, request.body(body.to_string().into()).unwrap()).await;
    (status, serde_json::from_slice(&body).unwrap())
}

/// The data of the last event of a job.
async fn end(router: &Router, id: &Value) -> Value {
    let path = format!("/api/v1/jobs/{id}/events");
    let answer = router.clone().oneshot(request("GET", &path).body(Body::empty()).unwrap()).await.unwrap();
    assert_eq!(answer.headers()["content-type"], "text/event-stream");
    let (mut body, mut text) = (answer.into_body().into_data_stream(), String::new());
    while let Some(part) = body.next().await {
        text += std::str::from_utf8(&part.unwrap()).unwrap();
        let last = text.split("\n\n").find_map(|event| event.strip_prefix("event: end\ndata: "));
        if let Some(data) = last.filter(|_| text.ends_with("\n\n")) {
            // It is not left open: who waits for its end would keep a place of a job that rests.
            let more = tokio::time::timeout(Duration::from_secs(60), body.next()).await;
            assert!(more.expect("the stream ends").is_none());
            return serde_json::from_str(data).unwrap();
        }
    }
    panic!("no end: {text}");
}

async fn begin(router: &Router, task: Value) -> Value {
    let (status, answer) = post(router, "/api/v1/jobs", &task).await;
    assert_eq!(status, StatusCode::CREATED, "{answer}");
    answer["id"].clone()
}

#[tokio::test]
async fn the_page_is_here_and_may_load_nothing_else() {
    let router = router();
    for (path, kind) in [
        ("/", "text/html"),
        ("/page.js", "text/javascript"),
        ("/page.css", "text/css"),
        ("/licences.txt", "text/plain"),
    ] {
        let (status, headers, body) = send(&router, request("GET", path).body(Body::empty()).unwrap()).await;
        assert_eq!(status, StatusCode::OK);
        assert!(headers["content-type"].to_str().unwrap().starts_with(kind) && body.len() > 200, "{path}");
        let policy = headers["content-security-policy"].to_str().unwrap();
        assert!(policy.contains("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
        let text = String::from_utf8(body).unwrap();
        // Names of XML are the only addresses.
        let foreign =
            text.match_indices("http").filter(|(i, _)| !text[*i..].starts_with("http://www.w3.org/"));
        let addresses: Vec<_> =
            foreign.map(|(i, _)| text[i..].chars().take(40).collect::<String>()).collect();
        assert!(addresses.iter().all(|address| !address.contains("://")), "{addresses:?}");
    }
    let (status, _, _) = send(&router, request("GET", "/../Cargo.toml").body(Body::empty()).unwrap()).await;
    assert_eq!(status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn boards() {
    let router = router();
    let (status, of_query) = get(&router, "/api/v1/board?game=connect4:5x5&moves=3+3+2").await;
    assert_eq!((status, &of_query["position"]), (StatusCode::OK, &json!("...../...../...../..o../.xx.. o")));
    let fields = json!({ "game": "connect4:5x5", "moves": ["3", "3", "2"] });
    assert_eq!(post(&router, "/api/v1/board", &fields).await, (StatusCode::OK, of_query.clone()));
    let text = json!({ "text": "game: connect4:5x5\nmoves: 3 3 2" });
    assert_eq!(post(&router, "/api/v1/board", &text).await, (StatusCode::OK, of_query));
    let saved =
        request("GET", "/api/v1/record?game=go:5x5&moves=c3+pass&as=sgf").body(Body::empty()).unwrap();
    let (_, headers, sgf) = send(&router, saved).await;
    assert_eq!(headers["content-disposition"], "attachment; filename=\"game.sgf\"");
    let (_, read) = post(&router, "/api/v1/board", &json!({ "text": String::from_utf8(sgf).unwrap() })).await;
    assert_eq!((&read["game"], &read["plies"][1]["move"]), (&json!("go:5x5"), &json!("pass")));
    let (_, games) = get(&router, "/api/v1/games").await;
    for game in games["games"].as_array().unwrap() {
        let name = game["name"].as_str().unwrap();
        let (status, rules) = get(&router, &format!("/api/v1/rules?game={name}")).await;
        assert_eq!(status, StatusCode::OK);
        let line = json!({ "game": game["example"], "moves": rules["moves"] });
        let (status, board) = post(&router, "/api/v1/board", &line).await;
        assert_eq!(status, StatusCode::OK, "{name}: {board}");
    }
}

#[tokio::test]
async fn what_makes_no_sense_is_refused_with_a_sentence() {
    let router = router();
    let board = |fields: Value| (json!("/api/v1/board"), fields);
    let job = |fields: Value| (json!("/api/v1/jobs"), fields);
    for ((path, fields), why) in [
        (board(json!({})), "expected a field `game`"),
        (board(json!({ "game": "conect4" })), "did you mean `connect4`?"),
        (board(json!({ "game": "tictactoe", "moves": "a1 a1" })), "ply 2: move `a1`: not legal here"),
        (board(json!({ "game": "tictactoe", "moves": 7 })), "field `moves`: expected a list of moves"),
        (board(json!({ "game": "tictactoe", "mvoes": "a1" })), "mvoes"),
        (board(json!({ "text": 5 })), "field `text`: expected a text"),
        (board(json!({ "text": "x", "game": "go" })), "field `text` stands alone"),
        (job(json!({ "game": "tictactoe" })), "expected a field `do`"),
        (job(json!({ "do": "quit", "game": "tictactoe" })), "expected analyze, move, solve or review"),
        (job(json!({ "do": "solve", "game": "tictactoe", "certificate": "x" })), "no file is written here"),
        (job(json!({ "do": "move", "game": "tictactoe", "play": true })), "field `play`"),
        (job(json!({ "do": "solve", "game": "tictactoe", "threads": 3 })), "expected at most 2"),
        (
            job(json!({ "do": "analyze", "game": "go:9x9", "search": "mcts:leaf=net:/etc/passwd" })),
            "opens no files",
        ),
        (
            job(json!({ "do": "review", "game": "tictactoe", "moves": "a1", "search": "mcts:leaf=net:x" })),
            "opens no files",
        ),
        (job(json!({ "do": "solve", "game": "tictactoe", "search": "magic" })), "`magic`"),
        (job(json!({ "do": "solve", "game": "go:3x3", "search": "alphabeta" })), "repeat"),
        (job(json!({ "do": "review", "game": "tictactoe" })), "review: expected a game with moves"),
        (job(json!({ "do": "move", "game": "tictactoe", "moves": "a1 b1 a2 b2 a3" })), "the game is over"),
    ] {
        let (status, answer) = post(&router, path.as_str().unwrap(), &fields).await;
        let error = answer["error"].as_str().unwrap_or_default();
        assert!(status == StatusCode::BAD_REQUEST && error.contains(why), "{fields}: {status} {answer}");
    }
    for (method, path, expected) in [
        ("GET", "/api/v1/nothing", StatusCode::NOT_FOUND),
        ("PUT", "/api/v1/board", StatusCode::METHOD_NOT_ALLOWED),
        ("GET", "/api/v1/jobs/77", StatusCode::NOT_FOUND),
        ("GET", "/api/v1/jobs/77/events", StatusCode::NOT_FOUND),
        ("DELETE", "/api/v1/jobs/x", StatusCode::NOT_FOUND),
        ("GET", "/api/v1/rules", StatusCode::BAD_REQUEST),
        ("POST", "/api/v1/board", StatusCode::UNSUPPORTED_MEDIA_TYPE),
    ] {
        let (status, _, body) = send(&router, request(method, path).body(Body::empty()).unwrap()).await;
        let answer: Value = serde_json::from_slice(&body).unwrap();
        assert!(status == expected && answer["error"].is_string(), "{method} {path}: {status} {answer}");
    }
}

#[tokio::test]
async fn other_sites_cannot_ask() {
    let router = router();
    let ask = async |host: &str, origin: &str| {
        let request = Request::builder().uri("/api/v1/hello").header("host", host).header("origin", origin);
        send(&router, request.body(Body::empty()).unwrap()).await.0
    };
    assert_eq!(ask("127.0.0.1:8000", "http://127.0.0.1:8000").await, StatusCode::OK);
    assert_eq!(ask("127.0.0.1:8000", "http://evil.example").await, StatusCode::FORBIDDEN);
    assert_eq!(ask("evil.example", "http://evil.example").await, StatusCode::MISDIRECTED_REQUEST);
}

#[tokio::test(start_paused = true)]
async fn bodies_are_small_and_quick() {
    let router = router();
    let post = |body: Body| {
        let request = request("POST", "/api/v1/board").header("content-type", "application/json");
        request.body(body).unwrap()
    };
    let large = send(&router, post(vec![b' '; (1 << 20) + 1].into())).await;
    assert_eq!(large.0, StatusCode::PAYLOAD_TOO_LARGE);
    let never = tokio_stream::pending::<Result<Vec<u8>, std::io::Error>>();
    let slow = send(&router, post(Body::from_stream(never))).await;
    assert_eq!(slow.0, StatusCode::REQUEST_TIMEOUT);
    let breaks = tokio_stream::iter([Err::<Vec<u8>, _>(std::io::Error::other("gone"))]);
    assert!(send(&router, post(Body::from_stream(breaks))).await.0.is_client_error());
}

#[tokio::test]
async fn a_proof_with_its_tree_and_its_certificate() {
    let router = router();
    let task = json!({ "do": "solve", "game": "connect4:4x4", "search": "pns", "all_moves": true });
    let id = begin(&router, task.clone()).await;
    let solved = end(&router, &id).await;
    assert_eq!((&solved["value"], &solved["final"], &solved["id"]), (&json!("draw"), &json!(true), &id));
    assert_eq!(solved["moves"].as_array().unwrap().len(), 4);
    let (_, same) = get(&router, &format!("/api/v1/jobs/{id}")).await;
    assert_eq!(same, solved);
    let (status, tree) = get(&router, &format!("/api/v1/jobs/{id}/tree?path=1+1")).await;
    assert_eq!((status, &tree["to_move"]), (StatusCode::OK, &json!("first")));
    let (status, _) = get(&router, &format!("/api/v1/jobs/{id}/tree?path=9")).await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
    let path = format!("/api/v1/jobs/{id}/certificate");
    let (status, _, file) = send(&router, request("GET", &path).body(Body::empty()).unwrap()).await;
    assert_eq!(status, StatusCode::OK);
    let (_, checked) = proofplay_registry::verify(&file, 1 << 26, &mut |_| true).unwrap();
    assert!(checked.walked.positions > 4);
    // The same job proves what comes after a move, too.
    let mut after = task;
    after["moves"] = json!("1");
    let (status, _) = post(&router, &format!("/api/v1/jobs/{id}/go"), &after).await;
    assert_eq!(status, StatusCode::OK);
    let solved = end(&router, &id).await;
    assert_eq!((&solved["to_move"], &solved["solved"]), (&json!("second"), &json!(true)));
    let (status, _) = post(&router, &format!("/api/v1/jobs/{id}/stop"), &json!({})).await;
    assert_eq!(status, StatusCode::OK);
    let gone =
        send(&router, request("DELETE", &format!("/api/v1/jobs/{id}")).body(Body::empty()).unwrap()).await;
    assert_eq!(gone.0, StatusCode::OK);
    assert_eq!(get(&router, &format!("/api/v1/jobs/{id}")).await.0, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn moves_and_reviews() {
    let router = router();
    let id = begin(
        &router,
        json!({ "do": "move", "game": "tictactoe", "moves": "a1 b1 a2 b2", "simulations": 50 }),
    )
    .await;
    let chosen = end(&router, &id).await;
    assert_eq!((&chosen["move"], &chosen["value"]), (&json!("a3"), &json!("win")));
    let id =
        begin(&router, json!({ "do": "review", "game": "tictactoe", "moves": "b2 b1 a1 c3 a3", "time": 1 }))
            .await;
    let judged = end(&router, &id).await;
    assert_eq!((&judged["second"]["mistakes"], &judged["moves"][1]["mistake"]), (&json!(1), &json!(true)));
    let nothing =
        send(&router, request("GET", &format!("/api/v1/jobs/{id}/certificate")).body(Body::empty()).unwrap());
    assert_eq!(nothing.await.0, StatusCode::CONFLICT);
}

#[tokio::test]
async fn results_are_shown_if_there_are_some() {
    let (status, none) = get(&router(), "/api/v1/results").await;
    assert!(status == StatusCode::NOT_FOUND && none["error"].as_str().unwrap().contains("--store"), "{none}");
    let server = |results: Result<Value, String>| {
        Server::new(Options::default()).unwrap().with_results(move || results.clone()).router()
    };
    let shown = json!({ "experiments": [], "tables": [] });
    let router = server(Ok(shown.clone()));
    assert_eq!(get(&router, "/api/v1/hello").await.1["results"], true);
    assert_eq!(get(&router, "/api/v1/results").await, (StatusCode::OK, shown));
    let broken = get(&server(Err("no store any more".to_owned())), "/api/v1/results").await;
    assert_eq!(broken, (StatusCode::CONFLICT, json!({ "error": "no store any more" })));
}

/// Whoever closes the events ends the search.
#[tokio::test]
async fn a_closed_stream_ends_its_search() {
    let router = router();
    let id = begin(&router, json!({ "do": "analyze", "game": "y:6", "search": "mcts:proof=none" })).await;
    let path = format!("/api/v1/jobs/{id}");
    let events = request("GET", &format!("{path}/events")).body(Body::empty()).unwrap();
    let mut stream = router.clone().oneshot(events).await.unwrap().into_body().into_data_stream();
    stream.next().await.unwrap().unwrap();
    assert_eq!(get(&router, &path).await.1["final"], false);
    drop(stream);
    for _ in 0..6000 {
        if get(&router, &path).await.1["final"] == true {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("it goes on");
}

/// The keys of a value, with `[]` for the elements of lists.
fn keys(value: &Value, before: &str, all: &mut std::collections::BTreeSet<String>) {
    match value {
        Value::Object(fields) => {
            for (key, value) in fields {
                let name = if before.is_empty() { key.clone() } else { format!("{before}.{key}") };
                match value {
                    Value::Object(_) => keys(value, &name, all),
                    Value::Array(list) if list.iter().any(Value::is_object) => {
                        list.iter().for_each(|item| keys(item, &format!("{name}[]"), all));
                    }
                    _ => drop(all.insert(name)),
                }
            }
        }
        _ => panic!("{before}: no object"),
    }
}

/// The fields that a section of docs/API.md explains.
fn explained(section: &str) -> std::collections::BTreeSet<String> {
    let page = include_str!("../../../docs/API.md");
    let (_, text) = page.split_once(&format!("\n## {section}\n")).unwrap();
    let text = text.split("\n## ").next().unwrap();
    let names = text.lines().filter_map(|line| line.strip_prefix("| `")?.split(" |").next());
    names.flat_map(|names| names.split(", ").map(|name| name.trim_matches('`').to_owned())).collect()
}

#[tokio::test]
async fn the_document_has_every_field() {
    let router = router();
    let mut sent = std::collections::BTreeSet::new();
    let sgf = "(;GM[1]SZ[5];B[cc](;W[bb])(;W[dd]))";
    keys(&post(&router, "/api/v1/board", &json!({ "text": sgf })).await.1, "", &mut sent);
    sent.retain(|key| !key.starts_with("not_followed."));
    sent.insert("not_followed".to_owned());
    assert_eq!(sent, explained("board"));
    let mut sent = std::collections::BTreeSet::new();
    for search in ["pns", "pp", "mcts"] {
        let id =
            begin(&router, json!({ "do": "solve", "game": "tictactoe", "search": search, "nodes": 500 }))
                .await;
        end(&router, &id).await;
        keys(&get(&router, &format!("/api/v1/jobs/{id}/tree")).await.1, "", &mut sent);
    }
    assert_eq!(sent, explained("tree"));
}
