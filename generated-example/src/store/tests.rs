use super::*;

const CHEAP: StoreOptions = StoreOptions {
    cost: HashCost {
        memory: 8,
        passes: 1,
    },
    busy_timeout: Duration::from_secs(5),
    queue_timeout: Duration::from_secs(10),
    connections: 8,
};

fn connect(path: &Path) -> rusqlite::Connection {
    rusqlite::Connection::open(path).unwrap()
}

#[tokio::test]
async fn an_existing_file_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    // Characters that are special in URLs are ordinary in names of files.
    let path = folder.path().join("a b%20?#.sqlite");
    let store = Store::open_file(&path, CHEAP).await.unwrap();
    assert!(store.created() && path.exists());
    let mut connection = store.connection().await.unwrap();
    let change = "UPDATE accounts SET failures = 3";
    connection.batch(change).await.unwrap();
    drop((connection, store));
    let store = Store::open_file(&path, CHEAP).await.unwrap();
    assert!(!store.created());
    let mut connection = store.connection().await.unwrap();
    let alice = account_or_stand_in(&mut connection, "ALICE").await.unwrap();
    assert_eq!((alice.username.as_str(), alice.failures), ("alice", 3));
}

#[tokio::test]
async fn every_demo_account_is_there_and_readable() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.sqlite");
    let store = Store::open_file(&path, CHEAP).await.unwrap();
    let mut connection = store.connection().await.unwrap();
    let statement = "SELECT username FROM accounts WHERE username <> ''";
    let names = connection.rows(statement, values![]).await.unwrap();
    assert_eq!(names.len(), demo::ACCOUNT_COUNT);
    for name in names {
        let name: String = name.get("username").unwrap();
        let account = account_or_stand_in(&mut connection, &name).await.unwrap();
        assert_eq!(account.username, name);
    }
}

#[tokio::test]
async fn a_file_of_something_else_is_left_untouched() {
    let folder = tempfile::tempdir().unwrap();
    let text = folder.path().join("notes.txt");
    std::fs::write(&text, "dear diary").unwrap();
    let other = folder.path().join("other.sqlite");
    let statements = "PRAGMA journal_mode = WAL; CREATE TABLE t (x)";
    connect(&other).execute_batch(statements).unwrap();
    for path in [text, other] {
        let before = std::fs::read(&path).unwrap();
        assert!(matches!(
            Store::open_file(&path, CHEAP).await,
            Err(StoreError::Foreign(_))
        ));
        assert_eq!(std::fs::read(&path).unwrap(), before);
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
}

#[tokio::test]
async fn another_version_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.sqlite");
    let store = Store::open_file(&path, CHEAP).await.unwrap();
    drop(store);
    let statement = "PRAGMA user_version = 2";
    connect(&path).execute_batch(statement).unwrap();
    assert!(matches!(
        Store::open_file(&path, CHEAP).await,
        Err(StoreError::Version(_, 2))
    ));
}

#[tokio::test]
async fn a_folder_that_does_not_exist_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("missing").join("a.sqlite");
    let error = Store::open_file(&path, CHEAP).await.unwrap_err();
    let error = error.to_string();
    assert!(
        error.contains("missing") && error.contains("does its folder exist"),
        "{error}"
    );
}

#[cfg(unix)]
#[tokio::test]
async fn only_its_owner_may_read_the_file() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.sqlite");
    let store = Store::open_file(&path, CHEAP).await.unwrap();
    store.unlock("locked").await.unwrap();
    let mut files = 0;
    for entry in std::fs::read_dir(folder.path()).unwrap() {
        let mode = entry.unwrap().metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o077, 0);
        files += 1;
    }
    assert!(files >= 2, "the file and its log");
}

#[test]
fn two_programs_that_start_at_once_make_one_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.sqlite");
    let open = || {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let store = runtime.block_on(Store::open_file(&path, CHEAP));
        store.map(|store| store.created())
    };
    let created = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(open)).collect();
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap().unwrap())
            .filter(|created| *created)
            .count()
    });
    assert_eq!(created, 1);
}

#[tokio::test]
async fn work_waits_for_other_work_for_a_bounded_time() {
    let folder = tempfile::tempdir().unwrap();
    let options = StoreOptions {
        queue_timeout: Duration::from_millis(50),
        ..CHEAP
    };
    let path = folder.path().join("a.sqlite");
    let store = Store::open_file(&path, options).await.unwrap();
    let mut others = Vec::new();
    for _ in 0..store.hashes.available_permits() {
        others.push(store.connection().await.unwrap());
    }
    let refused = store.begin().await.map(drop);
    assert!(matches!(refused, Err(StoreError::Full)), "{refused:?}");
    drop(others);
    store.begin().await.unwrap();

    let all = u32::try_from(store.hashes.available_permits()).unwrap();
    let hashing = store.hashes.acquire_many(all).await.unwrap();
    let verify = || store.verify("secret".into(), None);
    let refused = verify().await;
    assert!(matches!(refused, Err(StoreError::Full)), "{refused:?}");
    drop(hashing);
    assert!(!verify().await.unwrap());
}

#[tokio::test]
async fn a_transaction_that_is_dropped_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.sqlite");
    let store = Store::open_file(&path, CHEAP).await.unwrap();
    for _ in 0..20 {
        let mut transaction = store.begin().await.unwrap();
        let change = "UPDATE accounts SET failures = failures + 1";
        transaction.batch(change).await.unwrap();
        // Work in progress that nobody waits for any more does not either.
        let given_up = transaction.batch(change);
        let _ = tokio::time::timeout(Duration::ZERO, given_up).await;
    }
    let mut connection = store.connection().await.unwrap();
    let alice = account_or_stand_in(&mut connection, "alice").await.unwrap();
    assert_eq!(alice.failures, 0);
}

#[tokio::test]
async fn a_transaction_that_the_database_ended_takes_no_connection_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.sqlite");
    let store = Store::open_file(&path, CHEAP).await.unwrap();
    for _ in 0..20 {
        let mut transaction = store.begin().await.unwrap();
        // As SQLite does by itself when the disk is full.
        transaction.batch("ROLLBACK").await.unwrap();
        assert!(transaction.commit().await.is_err());
    }
}

#[tokio::test]
async fn work_is_tried_again_after_a_conflict_alone_and_not_for_ever() {
    let folder = tempfile::tempdir().unwrap();
    let options = StoreOptions {
        queue_timeout: Duration::from_millis(100),
        ..CHEAP
    };
    let path = folder.path().join("a.sqlite");
    let store = Store::open_file(&path, options).await.unwrap();
    let mut conflicts = store.conflicts();
    assert!(!conflicts.again(&Ok(())).await);
    assert!(!conflicts.again::<()>(&Err(StoreError::Busy)).await);
    let mut times = 0;
    while conflicts.again::<()>(&Err(StoreError::Conflict)).await {
        times += 1;
    }
    assert!((2..50).contains(&times), "{times}");
}
