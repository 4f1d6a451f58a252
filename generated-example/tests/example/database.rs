//! A database for one test: a file of its own, or a schema of its own on the server that
//! SVCGEN_TEST_POSTGRES names.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use generated_example::store::{Connection, Database};
use tempfile::TempDir;

pub const VARIABLE: &str = "SVCGEN_TEST_POSTGRES";

#[derive(Clone)]
pub struct TestDatabase {
    pub database: Database,
    place: Place,
}

#[derive(Clone)]
enum Place {
    Folder(Arc<TempDir>),
    Schema { _until_dropped: Arc<Schema> },
}

impl TestDatabase {
    pub async fn new() -> Self {
        Self::with("").await
    }

    /// With more parameters of the URL, if it is on a server.
    pub async fn with(parameters: &str) -> Self {
        let Ok(server) = std::env::var(VARIABLE) else {
            let folder = TempDir::new().unwrap();
            let path = folder.path().join("accounts.sqlite");
            return Self {
                database: Database::File(path),
                place: Place::Folder(Arc::new(folder)),
            };
        };
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let schema = format!("test_{}_{number}", std::process::id());
        let database = Database::Server(server.clone());
        let mut connection = Connection::open(&database).await.unwrap();
        let create = format!("CREATE SCHEMA {schema}");
        connection.batch(&create).await.unwrap();
        let mark = if server.contains('?') { '&' } else { '?' };
        let url = format!("{server}{mark}options[search_path]={schema}{parameters}");
        Self {
            database: Database::Server(url),
            place: Place::Schema {
                _until_dropped: Arc::new(Schema {
                    server,
                    name: schema,
                }),
            },
        }
    }

    pub async fn connect(&self) -> Connection {
        Connection::open(&self.database).await.unwrap()
    }

    /// The folder of a file.
    pub fn folder(&self) -> Option<&std::path::Path> {
        match &self.place {
            Place::Folder(folder) => Some(folder.path()),
            Place::Schema { .. } => None,
        }
    }
}

/// Dropped with its last instance: the server may be somebody's own.
struct Schema {
    server: String,
    name: String,
}

impl Drop for Schema {
    fn drop(&mut self) {
        let database = Database::Server(self.server.clone());
        let drop = format!("SET lock_timeout = 5000; DROP SCHEMA {} CASCADE", self.name);
        let dropping = async move { Connection::open(&database).await?.batch(&drop).await };
        // A test's own runtime does not wait in the middle of its work.
        let thread = std::thread::spawn(|| {
            let mut runtime = tokio::runtime::Builder::new_current_thread();
            let runtime = runtime.enable_all().build().unwrap();
            runtime.block_on(dropping)
        });
        if let Ok(Err(error)) = thread.join() {
            eprintln!("{} is left behind: {error}", self.name);
        }
    }
}
