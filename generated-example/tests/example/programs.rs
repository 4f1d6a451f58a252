//! The two programs, as a shell meets them.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use generated_example::store::{Store, StoreOptions};
use tempfile::TempDir;

const SERVER: &str = env!("CARGO_BIN_EXE_generated-example");
const CLIENT: &str = env!("CARGO_BIN_EXE_client");

struct Server {
    child: Child,
    output: BufReader<std::process::ChildStdout>,
    greeting: String,
    url: String,
}

impl Server {
    fn start(database: &Path) -> Self {
        let mut child = Command::new(SERVER)
            .args(["--address", "127.0.0.1:0", "--database"])
            .arg(database)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let mut greeting = String::new();
        while !greeting.ends_with("Ctrl-C.\n") {
            assert_ne!(
                output.read_line(&mut greeting).unwrap(),
                0,
                "the server ended: {greeting}"
            );
        }
        let (_, rest) = greeting.split_once("http://").unwrap();
        let url = format!("http://{}", rest.split('/').next().unwrap());
        Self {
            child,
            output,
            greeting,
            url,
        }
    }

    /// Asks it to stop, and returns all it printed.
    #[cfg(unix)]
    fn stop(mut self, signal: &str) -> String {
        let id = self.child.id().to_string();
        // The shell has it built in; the program is not on every machine.
        let kill = ["-c", r#"kill "$0" "$1""#, signal, &id];
        assert!(Command::new("sh").args(kill).status().unwrap().success());
        assert!(self.child.wait().unwrap().success());
        let mut printed = std::mem::take(&mut self.greeting);
        self.output.read_to_string(&mut printed).unwrap();
        self.child
            .stderr
            .take()
            .unwrap()
            .read_to_string(&mut printed)
            .unwrap();
        printed
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn run(program: &str, arguments: &[&str]) -> Output {
    Command::new(program)
        .args(arguments)
        .env_remove("SVCGEN_EXAMPLE_PASSWORD")
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[cfg(unix)]
#[test]
fn the_client_calls_everything_and_the_server_stops_in_order() {
    let folder = TempDir::new().unwrap();
    let database = folder.path().join("accounts.sqlite");
    let server = Server::start(&database);
    assert!(
        server.greeting.contains("made with 23 demo accounts"),
        "{}",
        server.greeting
    );
    for binding in ["soap11", "soap12", "http-get", "http-post"] {
        let output = run(
            CLIENT,
            &[
                "--binding",
                binding,
                "--url",
                &server.url,
                "--device-pin",
                "pin-815",
            ],
        );
        let printed = text(&output.stdout);
        assert!(output.status.success(), "{printed}{}", text(&output.stderr));
        assert_eq!(printed.matches("-> ok").count(), 8, "{printed}");
        assert_eq!(printed.matches("[secret]").count(), 6, "{printed}");
        assert!(
            !printed.replace("[secret]", "").contains("secret") && !printed.contains("pin-815"),
            "{printed}"
        );
    }
    let printed = server.stop("-TERM");
    assert!(printed.ends_with("Stopped.\n"), "{printed}");
    assert!(!printed.contains("pin-815"), "{printed}");

    let server = Server::start(&database);
    assert!(
        !server.greeting.contains("demo accounts"),
        "an existing file is kept: {}",
        server.greeting
    );
    assert!(server.stop("-INT").ends_with("Stopped.\n"));
}

#[test]
fn the_client_says_what_was_refused() {
    let folder = TempDir::new().unwrap();
    let server = Server::start(&folder.path().join("accounts.sqlite"));
    let output = run(CLIENT, &["--url", &server.url, "--username", "portal-only"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stdout).contains("PortalOnlyAccess"));
    assert!(
        text(&output.stderr).contains("4 of the calls failed or were refused"),
        "{}",
        text(&output.stderr)
    );

    let output = Command::new(CLIENT)
        .args(["--url", &server.url, "--binding", "http-post"])
        .env("SVCGEN_EXAMPLE_PASSWORD", "a wrong one")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stdout).contains("InvalidPassword"));
    assert!(!text(&output.stdout).contains("a wrong one"));

    let output = run(CLIENT, &["--url", &server.url, "--show-secrets"]);
    assert!(output.status.success());
    assert!(!text(&output.stdout).contains("[secret]"));

    let output = run(CLIENT, &["--help"]);
    assert!(output.status.success() && text(&output.stdout).contains("--show-secrets"));
}

#[test]
fn the_client_says_that_nobody_listens() {
    let free = std::net::TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    let output = run(CLIENT, &["--url", &format!("http://{free}")]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(text(&output.stdout), "");
    let printed = text(&output.stderr);
    assert!(
        printed.contains(&format!("no answer from http://{free}")),
        "{printed}"
    );
    assert!(
        printed.contains("start the server with `cargo run -p generated-example`"),
        "{printed}"
    );
    assert_eq!(run(CLIENT, &["--binding", "soap13"]).status.code(), Some(2));
    assert_eq!(
        run(CLIENT, &["--url", "ftp://127.0.0.1"]).status.code(),
        Some(1)
    );
}

#[cfg(unix)]
#[test]
fn the_printed_calls_work_as_pasted() {
    if Command::new("curl").arg("--version").output().is_err() {
        eprintln!("skipped: there is no curl here");
        return;
    }
    let folder = TempDir::new().unwrap();
    let server = Server::start(&folder.path().join("accounts.sqlite"));
    let readme = include_str!("../../README.md").replace("http://127.0.0.1:8080", &server.url);
    let calls: Vec<_> = server
        .greeting
        .lines()
        .chain(readme.lines())
        .filter(|line| line.starts_with("curl "))
        .collect();
    assert_eq!(calls.len(), 2 + 4);
    for call in calls {
        let output = Command::new("sh").args(["-c", call]).output().unwrap();
        let answer = text(&output.stdout);
        let granted = [">true<", "<ErrorCode>None<", "<LoginErrorCode>OK<"];
        assert!(
            granted.iter().any(|text| answer.contains(text)),
            "{call}: {answer}{}",
            text(&output.stderr)
        );
    }
}

#[test]
fn the_server_says_what_is_wrong() {
    let folder = TempDir::new().unwrap();
    let database = folder.path().join("accounts.sqlite");
    let database = database.to_str().unwrap();
    for flags in [
        &["--address", "nowhere"][..],
        &["--address", "127.0.0.1:70000"],
        &["--adress", "127.0.0.1:0"],
        &["x"],
    ] {
        let output = run(SERVER, flags);
        assert_eq!(output.status.code(), Some(2), "{flags:?}");
        assert!(text(&output.stderr).starts_with("error: "), "{flags:?}");
    }
    let help = text(&run(SERVER, &["--help"]).stdout);
    let words: Vec<_> = help.split_whitespace().collect();
    assert!(words.join(" ").contains("[default: 127.0.0.1:8080]"));

    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let output = run(SERVER, &["--address", &address, "--database", database]);
    assert_eq!(output.status.code(), Some(1));
    let printed = text(&output.stderr);
    assert!(
        printed.contains(&address) && printed.contains("choose another with --address"),
        "{printed}"
    );
    assert!(!Path::new(database).exists(), "no file is left behind");

    std::fs::write(database, "dear diary").unwrap();
    let output = run(
        SERVER,
        &["--address", "127.0.0.1:0", "--database", database],
    );
    assert_eq!(output.status.code(), Some(1));
    assert!(
        text(&output.stderr).contains("not an account store"),
        "{}",
        text(&output.stderr)
    );
    assert_eq!(std::fs::read_to_string(database).unwrap(), "dear diary");
}

#[cfg(not(feature = "postgres"))]
#[test]
fn a_server_without_postgresql_names_the_feature() {
    for scheme in ["postgres", "postgresql"] {
        let url = format!("{scheme}://bob:hidden-word@127.0.0.1/x");
        let mut by_flag = Command::new(SERVER);
        by_flag.args(["--address", "127.0.0.1:0", "--database", &url]);
        let mut by_environment = Command::new(SERVER);
        by_environment
            .args(["--unlock", "locked"])
            .env("SVCGEN_EXAMPLE_DATABASE", &url);
        for mut command in [by_flag, by_environment] {
            let output = command.output().unwrap();
            assert_eq!(output.status.code(), Some(1));
            assert_eq!(
                text(&output.stderr),
                "error: this program was built without PostgreSQL; build it with --features postgres: \
                 cargo run -p generated-example --features postgres\n"
            );
        }
    }
    let output = run(
        SERVER,
        &["--database", "mysql://bob:hidden-word@127.0.0.1/x"],
    );
    assert_eq!(output.status.code(), Some(1));
    let printed = text(&output.stderr);
    assert!(
        printed.contains("no database is known by \"mysql\"") && !printed.contains("hidden"),
        "{printed}"
    );
}

#[tokio::test]
async fn a_server_killed_at_its_first_start_leaves_no_half_made_file() {
    let folder = TempDir::new().unwrap();
    for milliseconds in [0, 50, 150, 400] {
        let database = folder.path().join(format!("{milliseconds}.sqlite"));
        let mut child = Command::new(SERVER)
            .args(["--address", "127.0.0.1:0", "--database"])
            .arg(&database)
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        while !database.exists() {
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        std::thread::sleep(std::time::Duration::from_millis(milliseconds));
        child.kill().unwrap();
        child.wait().unwrap();
        let _server = Server::start(&database);
        let made = Store::open_file(&database, StoreOptions::default());
        let mut connection = made.await.unwrap().connection().await.unwrap();
        let accounts = connection.rows("SELECT * FROM accounts WHERE username <> ''", vec![]);
        assert_eq!(
            accounts.await.unwrap().len(),
            generated_example::store::demo::ACCOUNT_COUNT
        );
    }
}

#[test]
fn the_server_unlocks_and_releases() {
    let folder = TempDir::new().unwrap();
    let database = folder.path().join("accounts.sqlite");
    let database = database.to_str().unwrap();
    let output = run(SERVER, &["--database", database, "--unlock", "locked"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("name the account store with --database"));
    assert!(!Path::new(database).exists(), "no file is made");

    let _server = Server::start(Path::new(database));
    for flag in ["--unlock", "--release-machines"] {
        assert!(
            run(SERVER, &["--database", database, flag, "locked"])
                .status
                .success()
        );
        let output = run(SERVER, &["--database", database, flag, "nobody"]);
        assert_eq!(output.status.code(), Some(1));
        assert!(text(&output.stderr).contains("no account is named \"nobody\""));
    }
}

#[test]
fn a_client_does_not_hold_what_its_servers_tell_people() {
    let said = b"Verifies credentials and says why they were refused.";
    let holds = |program: &str| {
        let bytes = std::fs::read(program).unwrap();
        bytes.windows(said.len()).any(|window| window == said)
    };
    assert!(holds(SERVER) && !holds(CLIENT));
}
