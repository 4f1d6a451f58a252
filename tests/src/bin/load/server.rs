//! The server under load.

use std::future::pending;
use std::io::{self, Write};
use std::time::Duration;

use svcgen::{Context, Fault, Router, ServerOptions};
use svcgen_tests::fixture;
use svcgen_tests::work::{NotifyRequest, ReadRequest, StoreRequest, WorkHandler, WorkServer};
use tokio::net::TcpListener;

use svcgen_tests::memory::{
    All, CountRequest, HoldRequest, Large, MemoryHandler, MemoryServer, PutRequest,
};

/// The limit of running calls. Valid and hostile callers together stay below it, even with the
/// calls that outlive their connections.
pub const CALLS: usize = 256;
/// The limit of the memory for bodies, in bytes; all callers together send less.
pub const BODIES: usize = 64 << 20;
/// The limit of connections from one address; valid callers stay below it, hostile ones do not.
pub const CONNECTIONS_OF_AN_ADDRESS: u32 = 96;
/// The deadline of a handler.
pub const DEADLINE: Duration = Duration::from_secs(10);
/// The timeout for a head, and for pauses in a body and in an answer. The timeout of a whole body
/// is six times as long.
pub const PAUSE: Duration = Duration::from_secs(5);
/// The timeout for reading an answer.
pub const ANSWER: Duration = Duration::from_secs(20);

/// The payload of intended panics.
struct Intended;

/// Serves on a free port, which it prints, until it is stopped. An unintended panic ends the
/// process.
pub fn serve() -> io::Result<()> {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if !panic.payload().is::<Intended>() {
            hook(panic);
            std::process::abort();
        }
    }));
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let stop = svcgen::stop_signal()?;
        let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
        println!("{}", listener.local_addr()?);
        io::stdout().flush()?;
        svcgen::serve(listener, router())
            .with_shutdown(stop)
            .with_max_calls(CALLS)
            .with_max_body_memory(BODIES)
            .with_max_connections_per_address(CONNECTIONS_OF_AN_ADDRESS)
            .with_header_timeout(PAUSE)
            .with_body_timeout(PAUSE)
            .with_write_timeout(PAUSE)
            .with_answer_timeout(ANSWER)
            .await?;
        Ok(())
    })
}

fn router() -> Router {
    let options = ServerOptions::new().with_deadline(DEADLINE);
    fixture::router()
        .with_service(WorkServer::new(Worker).with_options(options))
        .with_service(MemoryServer::new(Worker))
}

/// The task of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Task {
    /// An answer of about this length, after this time in milliseconds.
    Answer { after: u64, length: usize },
    /// A panic.
    Panic,
    /// An answer that never comes.
    Nothing,
}

impl Task {
    /// Returns the text of a call: its name, which has no blanks, its task, and this many further
    /// bytes.
    pub fn text(self, name: &str, padding: usize) -> String {
        let task = match self {
            Self::Answer { after, length } => format!("{after} {length}"),
            Self::Panic => "panic".to_owned(),
            Self::Nothing => "nothing".to_owned(),
        };
        format!("{name} {task} {}", "p".repeat(padding))
    }

    fn of_text(text: &str) -> Option<(&str, Self)> {
        let mut words = text.split(' ');
        let name = words.next()?;
        let task = match words.next()? {
            "panic" => Self::Panic,
            "nothing" => Self::Nothing,
            after => Self::Answer {
                after: after.parse().ok()?,
                length: words.next()?.parse().ok()?,
            },
        };
        Some((name, task))
    }
}

/// Returns the answer to a call: its name, so that it cannot be mistaken for another answer, and
/// this many further bytes.
pub fn answer_to(name: &str, more: usize) -> String {
    name.to_owned() + &"x".repeat(more)
}

struct Worker;

impl Worker {
    async fn work(&self, text: &str) -> Result<String, Fault> {
        const LONGEST: usize = 4 << 20;
        match Task::of_text(text) {
            Some((name, Task::Answer { after, length })) if length <= LONGEST => {
                if after > 0 {
                    tokio::time::sleep(Duration::from_millis(after)).await;
                }
                Ok(answer_to(name, length))
            }
            Some((_, Task::Panic)) => std::panic::panic_any(Intended),
            Some((_, Task::Nothing)) => pending().await,
            _ => Err(Fault::client("there is no such task")),
        }
    }
}

impl WorkHandler for Worker {
    async fn store(&self, _: &Context, request: StoreRequest) -> Result<String, Fault> {
        self.work(&request.text).await
    }

    async fn read(&self, _: &Context, request: ReadRequest) -> Result<String, Fault> {
        self.work(&request.text).await
    }

    async fn notify(&self, _: &Context, request: NotifyRequest) -> Result<(), Fault> {
        self.work(&request.text).await.map(drop)
    }
}

/// The types of this service take more memory than their messages have bytes.
impl MemoryHandler for Worker {
    async fn hold(&self, _: &Context, _: HoldRequest) -> Result<Option<All>, Fault> {
        Ok(None)
    }

    async fn put(&self, _: &Context, request: PutRequest) -> Result<Large, Fault> {
        Ok(request.large)
    }

    async fn count(
        &self,
        _: &Context,
        request: CountRequest,
    ) -> Result<Vec<svcgen::types::QName>, Fault> {
        Ok(request.names)
    }
}
