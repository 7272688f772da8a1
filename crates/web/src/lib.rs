//! The page of proofplay: a server on this machine with a page to play, watch and prove in a browser, and the API behind
//! it.
//!
//! The server keeps no games: a request says which game it is about. It keeps searches, as [jobs](Server), because
//! what they know is large. Their threads are not those that answer requests.
#![forbid(unsafe_code)]

mod api;
mod doors;
mod error;
mod events;
pub mod ggp;
mod guard;
mod jobs;
mod lines;
mod page;
mod task;

use crate::api::{Results, Server as Api};
use crate::doors::Doors;
use crate::jobs::Jobs;
use crate::task::Most;
use axum::Router;
use proofplay_front::budget::{BudgetError, share};
use proofplay_search::Resources;
use serde_json::Value;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::runtime;

/// A browser has six connections for each tab, other programs as many as they like: but not more than this.
const MOST_CONNECTIONS: usize = 256;

/// What a server may use.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// Memory of all searches, and what they prove.
    pub memory: u64,
    /// Searches at the same time.
    pub searches: usize,
    /// Threads of one search, at most.
    pub threads: usize,
    /// Time of one question, at most.
    pub time: Duration,
    /// How long a search works without anybody who listens to it.
    pub patience: Duration,
}

impl Default for Options {
    /// 1 GiB, six searches with as many threads as there are processors, an hour, 20 seconds.
    fn default() -> Options {
        Options {
            memory: proofplay_front::budget::ALONE,
            searches: 6,
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            time: Duration::from_secs(3600),
            patience: Duration::from_secs(20),
        }
    }
}

/// A connection without a byte in either direction is closed after this time. Events have one every ten seconds.
const LONGEST_SILENCE: Duration = Duration::from_secs(30);

/// A server that answers nobody yet.
#[derive(Debug)]
pub struct Server {
    jobs: Arc<Jobs>,
    results: Results,
}

impl Server {
    /// A server that may use this much.
    pub fn new(options: Options) -> Result<Server, BudgetError> {
        let own = Resources { memory: share(options.memory, options.searches)?, threads: 1, seed: 0 };
        let each = Most { own, threads: options.threads, time: options.time };
        Ok(Server {
            jobs: Arc::new(Jobs::new(options.searches, each, options.patience)),
            results: Results::none(),
        })
    }

    /// The same server with results of experiments to show: `read` reads them again for each request.
    pub fn with_results(self, read: impl Fn() -> Result<Value, String> + Send + Sync + 'static) -> Server {
        Server { results: Results::new(read), ..self }
    }

    /// The page and the API, for whoever has a connection.
    pub fn router(&self) -> Router {
        Api::new(Arc::clone(&self.jobs), self.results.clone()).router()
    }

    /// Answers on this machine, on a port or a free one, until `stop` is set. `begun` is called with the
    /// address first.
    pub fn serve(
        &self,
        port: Option<u16>,
        stop: &AtomicBool,
        begun: impl FnOnce(SocketAddr) -> io::Result<()>,
    ) -> io::Result<()> {
        // Answers take no time: what does is done by other threads.
        let runtime = runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
        let ended = runtime.block_on(async {
            let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port.unwrap_or(0))).await?;
            begun(listener.local_addr()?)?;
            let server = axum::serve(Doors::new(listener, MOST_CONNECTIONS, LONGEST_SILENCE), self.router());
            tokio::select! {
                ended = async { server.await } => ended,
                () = self.watch(stop) => Ok(()),
            }
        });
        self.jobs.end_all();
        runtime.shutdown_timeout(Duration::from_secs(1));
        ended
    }

    /// Ends searches that nobody wants any more, until `stop` is set.
    async fn watch(&self, stop: &AtomicBool) {
        while !stop.load(SeqCst) {
            tokio::time::sleep(Duration::from_millis(100)).await;
            self.jobs.forget();
        }
    }
}
