//! A stream that fails if written data is read too slowly.

use std::io;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite};

use super::pace::Pace;
use super::passing::{Between, Passing};
use super::stream::Stream;

pub(super) type Paced<S> = Passing<Stream<S>, Pace>;

impl<S: AsyncRead + AsyncWrite + Unpin> Between<S> for Pace {
    /// Returns the result of a write, or an error if it takes too long.
    fn written<T>(
        &mut self,
        outcome: Poll<io::Result<T>>,
        context: &mut Context<'_>,
    ) -> Poll<io::Result<T>> {
        if outcome.is_ready() {
            self.moved();
            return outcome;
        }
        let end = self.poll_end(context);
        end.map(|()| Err(io::ErrorKind::TimedOut.into()))
    }

    /// hyper flushes once it has written all data.
    fn flushed(&mut self, _: &mut S, _: &mut Context<'_>) -> io::Result<()> {
        self.done();
        Ok(())
    }
}
