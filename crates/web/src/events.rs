//! What a job tells, as server-sent events: an event `report` while the search runs, `end` when it ends. A slow
//! listener misses reports, never the last one.

use crate::jobs::{Job, Listener};
use axum::response::sse::{Event, KeepAlive, Sse};
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;
use tokio_stream::wrappers::WatchStream;
use tokio_stream::{Stream, StreamExt};

/// The events of a job, until the listener leaves or the job ends.
pub fn stream(job: &Arc<Job>) -> Sse<impl Stream<Item = Result<Event, Infallible>> + use<>> {
    let (listener, news) = job.listen();
    // The stream must not hold the job that has its other end; the listener does, and leaves with the stream.
    let events = WatchStream::new(news).map(move |news| {
        let _stays: &Listener = &listener;
        let name = if news.is_final { "end" } else { "report" };
        Ok(Event::default().event(name).data(&*news.text))
    });
    Sse::new(events).keep_alive(KeepAlive::new().interval(Duration::from_secs(10)))
}
