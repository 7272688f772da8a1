//! What a job tells, as server-sent events: an event `report` while the search runs, then `end`, and the stream ends. A
//! slow listener misses reports, never the last one.

use crate::jobs::{Job, Listener, News};
use axum::response::sse::{Event, KeepAlive, Sse};
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio_stream::Stream;
use tokio_stream::wrappers::WatchStream;

/// The events of a job, until the listener leaves or the search ends.
pub fn stream(job: &Arc<Job>) -> Sse<impl Stream<Item = Result<Event, Infallible>> + use<>> {
    let (listener, news) = job.listen();
    let events = Events { news: WatchStream::new(news), listener: Some(listener) };
    Sse::new(events).keep_alive(KeepAlive::new().interval(Duration::from_secs(10)))
}

/// News, for as long as somebody listens.
struct Events {
    news: WatchStream<News>,
    /// Who has heard the end leaves: a job that rests with a listener would never make room.
    listener: Option<Listener>,
}

impl Stream for Events {
    type Item = Result<Event, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if self.listener.is_none() {
            return Poll::Ready(None);
        }
        let told = ready!(Pin::new(&mut self.news).poll_next(cx));
        if told.as_ref().is_none_or(|news| news.is_final)
            && let Some(listener) = self.listener.take()
        {
            listener.has_heard();
        }
        let event = |news: News| {
            let name = if news.is_final { "end" } else { "report" };
            Ok(Event::default().event(name).data(&*news.text))
        };
        Poll::Ready(told.map(event))
    }
}
