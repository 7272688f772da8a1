//! Connections, but not any number: whoever comes when all places are taken waits until somebody leaves.

use axum::serve::Listener;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// A listener with places.
#[derive(Debug)]
pub struct Doors {
    listener: TcpListener,
    places: Arc<Semaphore>,
}

/// A connection and its place.
#[derive(Debug)]
pub struct Guest {
    stream: TcpStream,
    _place: OwnedSemaphorePermit,
}

impl Doors {
    /// A listener with so many places.
    pub fn new(listener: TcpListener, places: usize) -> Doors {
        Doors { listener, places: Arc::new(Semaphore::new(places)) }
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
        (Guest { stream, _place: place }, address)
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
        Pin::new(&mut self.stream).poll_read(cx, buf)
    }
}

impl AsyncWrite for Guest {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, buf)
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

    #[tokio::test]
    async fn places_are_given_back() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let mut doors = Doors::new(listener, 1);
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
}
