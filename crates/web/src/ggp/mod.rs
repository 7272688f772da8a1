//! A player for managers of general game playing: it is sent rules over HTTP and plays by them.
//!
//! The protocol is the one of the competitions of general game playing: a message a request, `text/acl` both ways.

mod contest;
mod message;

pub use contest::Thinking;

use crate::doors::Doors;
use crate::guard;
use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use contest::Contest;
use message::Message;
use std::collections::HashMap;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::net::TcpListener;
use tokio::runtime;
use tokio::task::spawn_blocking;

/// Bytes of a message: a rule sheet of the largest size, and what stands around it.
const LARGEST: usize = (4 << 20) + (1 << 16);
/// Connections at the same time.
const MOST_CONNECTIONS: usize = 64;
/// Somebody who waits for an answer is silent for as long as a clock runs.
const LONGEST_SILENCE: Duration = Duration::from_secs(message::LONGEST + 60);
/// Characters of the name of a match.
const LONGEST_NAME: usize = 200;

/// A player of several matches.
#[derive(Clone, Debug)]
pub struct Player {
    thinking: Thinking,
    most: usize,
    matches: Arc<Mutex<HashMap<String, Arc<Contest>>>>,
    /// Matches whose game is being made.
    making: Arc<AtomicUsize>,
}

/// A place among those whose game is being made: free again when the last thread of it ends.
#[derive(Debug)]
struct Place(Arc<AtomicUsize>);

impl Place {
    fn take(making: &Arc<AtomicUsize>, most: usize) -> Option<Place> {
        let more = |count| (count < most).then_some(count + 1);
        making.fetch_update(SeqCst, SeqCst, more).ok().map(|_| Place(Arc::clone(making)))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.0.fetch_sub(1, SeqCst);
    }
}

impl Player {
    /// A player that plays so many matches at the same time, each with these resources.
    pub fn new(thinking: Thinking, most: usize) -> Player {
        Player { thinking, most, matches: Arc::default(), making: Arc::default() }
    }

    fn matches(&self) -> MutexGuard<'_, HashMap<String, Arc<Contest>>> {
        self.matches.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn find(&self, id: &str) -> Option<Arc<Contest>> {
        self.matches().get(id).cloned()
    }

    /// The answer to a message that came at `from`. It takes as long as the clock of the message allows.
    pub fn answer(&self, text: &str, from: Instant) -> Result<String, String> {
        let said = |word: &str| Ok(word.to_owned());
        match Message::read(text).map_err(|error| error.to_string())? {
            Message::Info => {
                let state = if self.matches().len() < self.most { "available" } else { "busy" };
                Ok(format!("((name proofplay) (status {state}))"))
            }
            Message::Preview { .. } => said("done"),
            Message::Start { id, role, rules, start, play } => {
                if id.chars().count() > LONGEST_NAME {
                    return Err(format!("the name of a match has at most {LONGEST_NAME} characters"));
                }
                match self.start(&id, &role, &rules, (from, start), play) {
                    Ok(()) => said("ready"),
                    Err(why) => {
                        eprintln!("note: match `{}` is not played: {why}", proofplay_core::shorten(&id, 40));
                        said("busy")
                    }
                }
            }
            Message::Play { id, moves } => match self.find(&id) {
                None => said("busy"),
                Some(contest) => Ok(contest.turn(moves, from).unwrap_or_else(|| "nil".to_owned())),
            },
            Message::Stop { id } => {
                self.end(&id);
                said("done")
            }
            Message::Abort { id } => {
                self.end(&id);
                said("aborted")
            }
        }
    }

    fn start(
        &self,
        id: &str,
        role: &str,
        rules: &str,
        clock: (Instant, Duration),
        play: Duration,
    ) -> Result<(), String> {
        // A second start of a match begins it anew.
        self.end(id);
        let place = Place::take(&self.making, self.most).filter(|_| self.matches().len() < self.most);
        let Some(place) = place else { return Err(format!("{} matches are played already", self.most)) };
        let contest = Contest::begin(rules, role, play, self.thinking.clone(), Arc::new(place))?;
        contest.ready(contest.deadline(clock.0, clock.1))?;
        self.matches().insert(id.to_owned(), contest);
        Ok(())
    }

    fn end(&self, id: &str) {
        if let Some(contest) = self.matches().remove(id) {
            contest.end();
        }
    }

    /// What answers requests. Without `anywhere` only programs on this machine may ask.
    pub fn router(&self, anywhere: bool) -> Router {
        let router = Router::new()
            .route("/", post(ask))
            .fallback(|| async { (StatusCode::NOT_FOUND, "messages are posted to /\n") })
            .layer(DefaultBodyLimit::max(LARGEST))
            .with_state(self.clone());
        if anywhere { router } else { router.layer(axum::middleware::from_fn(guard::check)) }
    }

    /// Plays until `stop` is set. `begun` is called with the address first.
    pub fn serve(
        &self,
        port: u16,
        anywhere: bool,
        stop: &AtomicBool,
        begun: impl FnOnce(SocketAddr) -> io::Result<()>,
    ) -> io::Result<()> {
        let runtime = runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
        let address = if anywhere { Ipv4Addr::UNSPECIFIED } else { Ipv4Addr::LOCALHOST };
        let ended = runtime.block_on(async {
            let listener = TcpListener::bind((address, port)).await?;
            begun(listener.local_addr()?)?;
            let server =
                axum::serve(Doors::new(listener, MOST_CONNECTIONS, LONGEST_SILENCE), self.router(anywhere));
            tokio::select! {
                ended = async { server.await } => ended,
                () = async {
                    while !stop.load(SeqCst) {
                        tokio::time::sleep(Duration::from_millis(100)).await;
                    }
                } => Ok(()),
            }
        });
        self.matches().drain().for_each(|(_, contest)| contest.end());
        runtime.shutdown_timeout(Duration::from_secs(1));
        ended
    }
}

/// Answers a request.
async fn ask(State(player): State<Player>, headers: HeaderMap, body: Bytes) -> Response {
    let from = Instant::now();
    // No page of a browser has anything to say here.
    if headers.contains_key("origin") {
        return (StatusCode::FORBIDDEN, "no page of a browser may ask\n").into_response();
    }
    let Ok(text) = String::from_utf8(body.to_vec()) else {
        return (StatusCode::BAD_REQUEST, "a message is UTF-8 text\n").into_response();
    };
    match spawn_blocking(move || player.answer(&text, from)).await {
        Ok(Ok(answer)) => ([(CONTENT_TYPE, "text/acl")], answer).into_response(),
        Ok(Err(why)) => (StatusCode::BAD_REQUEST, format!("{why}\n")).into_response(),
        Err(_) => (StatusCode::INTERNAL_SERVER_ERROR, "a mistake of the player\n").into_response(),
    }
}
