//! Connections, but not any number: whoever comes when all places are taken waits until somebody leaves. Who is silent
//! for too long leaves, so that nobody can hold all places by saying nothing.

use axum::serve::Listener;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, Sleep, sleep};

/// A listener with places.
#[derive(Debug)]
pub struct Doors {
    listener: TcpListener,
    places: Arc<Semaphore>,
    silence: Duration,
}

/// A connection and its place.
#[derive(Debug)]
pub struct Guest {
    stream: TcpStream,
    _place: OwnedSemaphorePermit,
    /// How long it may be silent, and until when.
    silence: Duration,
    until: Pin<Box<Sleep>>,
}

impl Guest {
    /// Passes on what the stream says; if it moves nothing, only until the silence is too long.
    fn heard<T>(&mut self, cx: &mut Context<'_>, said: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if said.is_ready() {
            self.until.as_mut().reset(Instant::now() + self.silence);
            return said;
        }
        self.until.as_mut().poll(cx).map(|()| Err(io::ErrorKind::TimedOut.into()))
    }
}

impl Doors {
    /// A listener with so many places, for guests who are not silent for longer than this.
    pub fn new(listener: TcpListener, places: usize, silence: Duration) -> Doors {
        Doors { listener, places: Arc::new(Semaphore::new(places)), silence }
    }
}

impl Listener for Doors {
    type Io = Guest;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Guest, SocketAddr) {
        let place = Arc::clone(&self.places).acquire_owned().await.expect("nobody closes it");
        let (stream, address) = Listener::accept(&mut self.listener).await;
        // Answers are short: they shall not wait for more.
        let _ = stream.set_nodelay(true);
        let until = Box::pin(sleep(self.silence));
        (Guest { stream, _place: place, silence: self.silence, until }, address)
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

impl AsyncRead for Guest {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let said = Pin::new(&mut self.stream).poll_read(cx, buf);
        self.heard(cx, said)
    }
}

impl AsyncWrite for Guest {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        let said = Pin::new(&mut self.stream).poll_write(cx, buf);
        self.heard(cx, said)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::future::poll_fn;

    #[tokio::test]
    async fn places_are_given_back() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let mut doors = Doors::new(listener, 1, Duration::from_secs(3600));
        let _first = TcpStream::connect(address).await.unwrap();
        let _second = TcpStream::connect(address).await.unwrap();
        let (guest, _) = doors.accept().await;
        let places = Arc::clone(&doors.places);
        assert_eq!(places.available_permits(), 0);
        let mut waits = Box::pin(doors.accept());
        assert!(tokio::time::timeout(std::time::Duration::from_millis(20), &mut waits).await.is_err());
        drop(guest);
        let (_second, _) = waits.await;
        assert_eq!(places.available_permits(), 0);
    }

    /// Reads a byte, as the server does.
    async fn read(guest: &mut Guest) -> io::Result<u8> {
        let mut byte = [0];
        poll_fn(|cx| Pin::new(&mut *guest).poll_read(cx, &mut ReadBuf::new(&mut byte))).await?;
        Ok(byte[0])
    }

    #[tokio::test]
    async fn who_is_silent_leaves() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let mut doors = Doors::new(listener, 1, Duration::from_millis(200));
        let client = TcpStream::connect(address).await.unwrap();
        let (mut guest, _) = doors.accept().await;
        client.writable().await.unwrap();
        client.try_write(b"x").unwrap();
        assert_eq!(read(&mut guest).await.unwrap(), b'x');
        assert_eq!(read(&mut guest).await.unwrap_err().kind(), io::ErrorKind::TimedOut);
        drop(guest);
        // Who does not take what is sent is silent, too.
        let _deaf = TcpStream::connect(address).await.unwrap();
        let (mut guest, _) = doors.accept().await;
        let much = vec![0; 1 << 20];
        let ended = loop {
            if let Err(error) = poll_fn(|cx| Pin::new(&mut guest).poll_write(cx, &much)).await {
                break error;
            }
        };
        assert_eq!(ended.kind(), io::ErrorKind::TimedOut);
    }
}
