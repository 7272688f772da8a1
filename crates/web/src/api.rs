//! The API under `/api/v1/`: docs/API.md has every request and answer.

use crate::error::Refused;
use crate::jobs::{Command, Job, Jobs};
use crate::task::Task;
use crate::{events, lines, page};
use axum::body::{Bytes, to_bytes};
use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::extract::{Path, Query, Request, State};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router, middleware};
use proofplay_front::json::{Board, GameInfo, GameRules, SearchInfo};
use proofplay_registry::GAMES;
use proofplay_search::SearchKind;
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio::time::timeout;

/// No body may be larger: SGF files of whole books are not games.
const LARGEST_BODY: usize = 1 << 20;
/// No body may take longer to arrive.
const SLOWEST_BODY: Duration = Duration::from_secs(10);
/// As many requests may be worked on at the same time.
const MOST_REQUESTS: usize = 8;

/// What all requests share.
#[derive(Clone, Debug)]
pub struct Server {
    /// The searches at work.
    pub jobs: Arc<Jobs>,
    /// Results of experiments.
    results: Results,
    /// Places for work that takes a moment.
    places: Arc<Semaphore>,
}

/// Reads results of experiments, from a place that no request names; or there are none.
#[derive(Clone)]
pub struct Results(Option<Arc<dyn Fn() -> Result<Value, String> + Send + Sync>>);

impl Results {
    /// Nothing to show.
    pub fn none() -> Results {
        Results(None)
    }

    /// Those that `read` returns.
    pub fn new(read: impl Fn() -> Result<Value, String> + Send + Sync + 'static) -> Results {
        Results(Some(Arc::new(read)))
    }
}

impl std::fmt::Debug for Results {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if self.0.is_some() { "Results" } else { "no results" })
    }
}

impl Server {
    /// A server with these jobs and results.
    pub fn new(jobs: Arc<Jobs>, results: Results) -> Server {
        Server { jobs, results, places: Arc::new(Semaphore::new(MOST_REQUESTS)) }
    }

    /// The page and the API.
    pub fn router(self) -> Router {
        let api = Router::new()
            .route("/hello", get(hello))
            .route("/games", get(games))
            .route("/searches", get(searches))
            .route("/rules", get(rules))
            .route("/board", get(board_of_query).post(board))
            .route("/record", get(record))
            .route("/results", get(results))
            .route("/jobs", post(begin))
            .route("/jobs/{id}", get(job).delete(end))
            .route("/jobs/{id}/events", get(job_events))
            .route("/jobs/{id}/stop", post(stop))
            .route("/jobs/{id}/go", post(go))
            .route("/jobs/{id}/tree", get(tree))
            .route("/jobs/{id}/certificate", get(certificate))
            .fallback(async || Refused::missing("there is no such request; docs/API.md lists them"))
            .method_not_allowed_fallback(async || {
                Refused::new(StatusCode::METHOD_NOT_ALLOWED, "another method; docs/API.md lists them")
            });
        Router::new()
            .nest("/api/v1", api)
            .fallback(page::file)
            .layer(middleware::from_fn(in_time))
            .layer(middleware::from_fn(crate::guard::check))
            .with_state(self)
    }

    /// The job that a path means.
    fn job(&self, id: Id) -> Result<Arc<Job>, Refused> {
        let Path(id) = id.map_err(Refused::bad)?;
        self.jobs.get(&id)
    }

    /// Does work that takes a moment, away from the threads that answer.
    async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, Refused> + Send + 'static,
    ) -> Result<T, Refused> {
        let place = Arc::clone(&self.places).acquire_owned().await.expect("nobody closes it");
        let work = move || {
            let _place = place;
            work()
        };
        tokio::task::spawn_blocking(work).await.map_err(|_| {
            // Every other answer is right whatever happens here.
            Refused::new(StatusCode::UNPROCESSABLE_ENTITY, "this request makes proofplay fail: it is a bug")
        })?
    }
}

/// The answer to a request.
type Answer<T = Json<Value>> = Result<T, Refused>;

/// Reads the body of a request before anything is done with it, if it comes in time. Answers may take longer.
async fn in_time(request: Request, next: Next) -> Response {
    let (head, body) = request.into_parts();
    match timeout(SLOWEST_BODY, to_bytes(body, LARGEST_BODY)).await {
        Ok(Ok(bytes)) => next.run(Request::from_parts(head, bytes.into())).await,
        Ok(Err(_)) => {
            let why = format!("a body has at most {LARGEST_BODY} bytes");
            Refused::new(StatusCode::PAYLOAD_TOO_LARGE, why).into_response()
        }
        Err(_) => Refused::new(StatusCode::REQUEST_TIMEOUT, "the body takes too long").into_response(),
    }
}

/// The words behind a `?`.
type Words = Result<Query<HashMap<String, String>>, QueryRejection>;

/// The number of a job in a path.
type Id = Result<Path<String>, PathRejection>;

/// A value as JSON.
fn answer(value: &impl Serialize) -> Answer {
    Ok(Json(serde_json::to_value(value).map_err(Refused::bad)?))
}

/// The object in the body of a request. It must be sent as JSON: other sites cannot do that.
fn fields(headers: &HeaderMap, body: Bytes) -> Answer<Map<String, Value>> {
    let kind = headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    if kind.split(';').next().map(str::trim) != Some("application/json") {
        let why = "header `Content-Type`: expected application/json";
        return Err(Refused::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, why));
    }
    match serde_json::from_slice(&body) {
        Ok(Value::Object(fields)) => Ok(fields),
        Ok(_) => Err(Refused::bad("expected an object, e.g. {\"game\": \"connect4\"}")),
        Err(error) => Err(Refused::bad(format!("no JSON: {error}"))),
    }
}

fn words(words: Words) -> Answer<HashMap<String, String>> {
    words.map(|Query(words)| words).map_err(Refused::bad)
}

/// The fields of a game in the words behind a `?`.
fn fields_of(words: HashMap<String, String>) -> Map<String, Value> {
    words.into_iter().map(|(key, word)| (key, Value::String(word))).collect()
}

async fn hello(State(server): State<Server>) -> Json<Value> {
    let (jobs, each) = (&server.jobs, server.jobs.each);
    Json(json!({
        "program": "proofplay",
        "version": env!("CARGO_PKG_VERSION"),
        "jobs": jobs.most(),
        "memory_bytes": each.own.memory,
        "threads": each.threads,
        "time_s": each.time.as_secs_f64(),
        "results": server.results.0.is_some(),
    }))
}

async fn games(State(server): State<Server>) -> Answer {
    let list = || {
        let game = |entry: &proofplay_registry::Entry| -> Answer<Value> {
            let mut game = answer(&GameInfo::new(entry)?)?.0;
            let mut boards: Vec<&str> = Vec::new();
            for board in entry.boards() {
                if !boards.contains(&board) {
                    boards.push(board);
                }
            }
            game["standard"] = entry.standard().first().map_or(entry.example(), String::as_str).into();
            game["boards"] = boards.into();
            Ok(game)
        };
        let games = GAMES.iter().map(game).collect::<Result<Vec<_>, _>>()?;
        Ok(Json(json!({ "games": games })))
    };
    server.work(list).await
}

async fn searches() -> Answer {
    let searches: Vec<_> = SearchKind::all().iter().map(SearchInfo::from).collect();
    Ok(Json(json!({ "searches": searches })))
}

async fn rules(State(server): State<Server>, query: Words) -> Answer {
    let game = words(query)?.remove("game").ok_or_else(|| Refused::bad("expected ?game=NAME"))?;
    server
        .work(move || {
            let (rules, line) = GameRules::new(&game)?;
            let mut rules = answer(&rules)?.0;
            rules["moves"] = line.moves.join(" ").into();
            Ok(Json(rules))
        })
        .await
}

async fn board(State(server): State<Server>, headers: HeaderMap, body: Bytes) -> Answer {
    let fields = fields(&headers, body)?;
    server.work(|| answer(&Board::new(&lines::record(fields)?))).await
}

async fn board_of_query(State(server): State<Server>, query: Words) -> Answer {
    let fields = fields_of(words(query)?);
    server.work(|| answer(&Board::new(&lines::record(fields)?))).await
}

async fn record(State(server): State<Server>, query: Words) -> Answer<Response> {
    let mut words = words(query)?;
    let kind = words.remove("as").unwrap_or_else(|| "text".to_owned());
    let make = move || {
        let record = lines::record(fields_of(words))?;
        match kind.as_str() {
            "text" => Ok((record.text(), "game.txt")),
            "sgf" => Ok((record.sgf(&[]).map_err(Refused::bad)?, "game.sgf")),
            _ => Err(Refused::bad(format!("`as={kind}`: expected text or sgf"))),
        }
    };
    let (text, name) = server.work(make).await?;
    Ok(download("text/plain; charset=utf-8", name, text.into_bytes()))
}

async fn results(State(server): State<Server>) -> Answer {
    let Results(Some(read)) = server.results.clone() else {
        return Err(Refused::missing("there is no store; `proofplay serve --store FILE` shows one"));
    };
    server.work(move || read().map(Json).map_err(|why| Refused::new(StatusCode::CONFLICT, why))).await
}

/// A file that browsers save.
fn download(kind: &'static str, name: &str, bytes: Vec<u8>) -> Response {
    let saved = format!("attachment; filename=\"{name}\"");
    ([(CONTENT_TYPE, kind.to_owned()), (CONTENT_DISPOSITION, saved)], bytes).into_response()
}

/// Reads what a search is asked.
async fn task(server: &Server, headers: &HeaderMap, body: Bytes) -> Answer<Task> {
    let (fields, each) = (fields(headers, body)?, server.jobs.each);
    server.work(move || Task::read(fields, each)).await
}

async fn begin(State(server): State<Server>, headers: HeaderMap, body: Bytes) -> Answer<Response> {
    let task = task(&server, &headers, body).await?;
    let job = server.jobs.begin(task).await?;
    Ok((StatusCode::CREATED, Json(json!({ "id": job.id }))).into_response())
}

async fn job(State(server): State<Server>, id: Id) -> Answer<Response> {
    let text = server.job(id)?.last().text;
    Ok(([(CONTENT_TYPE, "application/json")], text.to_string()).into_response())
}

async fn job_events(State(server): State<Server>, id: Id) -> Answer<impl IntoResponse> {
    Ok(events::stream(&server.job(id)?))
}

async fn stop(State(server): State<Server>, id: Id) -> Answer {
    server.job(id)?.stop();
    Ok(Json(json!({})))
}

async fn go(State(server): State<Server>, id: Id, headers: HeaderMap, body: Bytes) -> Answer {
    let job = server.job(id)?;
    let task = task(&server, &headers, body).await?;
    job.stop();
    job.ask(|reply| Command::Go(Box::new(task), reply)).await?;
    Ok(Json(json!({ "id": job.id })))
}

async fn end(State(server): State<Server>, id: Id) -> Answer {
    let job = server.job(id)?;
    server.jobs.end(&job);
    Ok(Json(json!({})))
}

async fn tree(State(server): State<Server>, id: Id, query: Words) -> Answer {
    let job = server.job(id)?;
    let path = words(query)?.remove("path").unwrap_or_default();
    let path = path.split_whitespace().map(str::to_owned).collect();
    job.ask(|reply| Command::Tree(path, reply)).await.map(Json)
}

async fn certificate(State(server): State<Server>, id: Id) -> Answer<Response> {
    let job = server.job(id)?;
    if job.works() {
        return Err(Refused::new(StatusCode::CONFLICT, "the search is at work: wait for it, or stop it"));
    }
    let bytes = job.ask(Command::Certificate).await?;
    Ok(download("application/octet-stream", "game.proof", bytes))
}
