//! Follows a page: runs its commands and writes its files.

use std::fs;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::cargo;
use crate::shell::shell;

/// Returns the root of the repository.
pub fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A program that runs until it is dropped.
pub struct Running(Child);

impl Running {
    /// Starts a program. Returns it with its first lines of output.
    fn start(command: &mut Command, count: usize) -> (Self, String) {
        let command = command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut running = Self(command.spawn().unwrap());
        let mut errors = running.0.stderr.take().unwrap();
        let mut output = BufReader::new(running.0.stdout.take().unwrap());
        let mut lines = String::new();
        for _ in 0..count {
            if output.read_line(&mut lines).unwrap() == 0 {
                errors.read_to_string(&mut lines).unwrap();
                panic!("{command:?}: {lines}");
            }
        }
        // The program must not block on its output.
        thread::spawn(move || io::copy(&mut errors, &mut io::sink()));
        thread::spawn(move || io::copy(&mut output, &mut io::sink()));
        (running, lines)
    }

    /// Interrupts the program, as Ctrl-C does.
    fn interrupt(mut self) {
        let id = self.0.id().to_string();
        let sent = Command::new("kill").args(["-INT", &id]).status();
        assert!(sent.unwrap().success());
        assert!(self.0.wait().unwrap().success());
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Returns a Cargo command in a folder, without output of its own.
fn quiet_cargo(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = cargo(folder, arguments);
    command.args(["--offline", "--quiet"]);
    command
}

/// Returns a Cargo command in a crate with the dependencies of this workspace, except svcgen.
pub fn cargo_in_crate(folder: &Path, arguments: &[&str]) -> Command {
    fs::copy(repository().join("Cargo.lock"), folder.join("Cargo.lock")).unwrap();
    quiet_cargo(folder, arguments)
}

/// Runs `cargo run` in a crate; the service listens on a free port. Returns the first line of its
/// output.
pub fn cargo_run(folder: &Path) -> (Running, String) {
    Running::start(
        cargo_in_crate(folder, &["run"]).args(["--", "127.0.0.1:0"]),
        1,
    )
}

/// Returns the command for a line that runs a program of the repository,
/// `NAME=VALUE … cargo run -p …`; it listens on a free port.
fn program_of_repository(folder: &Path, line: &str) -> Option<Command> {
    let (variables, arguments) = line.split_once("cargo run -p ")?;
    let manifest = repository().join("Cargo.toml");
    let manifest = manifest.to_str().unwrap();
    let mut command = quiet_cargo(folder, &["run", "--locked", "--manifest-path", manifest]);
    command.arg("-p").args(arguments.split(' '));
    for variable in variables.split_whitespace() {
        let (name, value) = variable.split_once('=').unwrap();
        let is_address = name == "ADDRESS";
        command.env(name, if is_address { "127.0.0.1:0" } else { value });
    }
    Some(command)
}

/// Returns the command for a line that forwards calls, at free ports.
fn relay(folder: &Path, line: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_svcgen"));
    let mut words = line.split(' ').skip(1);
    while let Some(word) = words.next() {
        command.arg(word);
        if ["--address", "--metrics"].contains(&word) {
            words.next();
            command.arg("127.0.0.1:0");
        }
    }
    command.current_dir(folder);
    command
}

/// Fails unless the output has the lines of a session, where `…` stands for any lines.
fn check(command: &str, happened: &str, shown: &[&str]) {
    let mut lines = happened.lines();
    let mut skips = false;
    for wanted in shown {
        if *wanted == "…" {
            skips = true;
            continue;
        }
        let found = if skips {
            lines.find(|line| line == wanted)
        } else {
            lines.next().filter(|line| line == wanted)
        };
        assert!(found.is_some(), "{command}: {wanted}\n\n{happened}");
        skips = false;
    }
    let rest: Vec<_> = lines.collect();
    assert!(skips || rest.is_empty(), "{command}: {rest:?}");
}

/// The hosts and ports of a page, with their replacements here.
pub struct Addresses(Vec<(String, String)>);

impl Addresses {
    pub fn of_host(shown: &str, real: String) -> Self {
        Self(vec![(shown.to_owned(), real)])
    }

    pub fn none() -> Self {
        Self(Vec::new())
    }

    fn real(&self, text: &str) -> String {
        let each = self.0.iter();
        each.fold(text.to_owned(), |text, (shown, real)| {
            text.replace(shown, real)
        })
    }

    fn shown(&self, text: &str) -> String {
        let each = self.0.iter();
        each.fold(text.to_owned(), |text, (shown, real)| {
            text.replace(real, shown)
        })
    }

    /// Notes the ports that a program reports to listen on.
    fn note(&mut self, shown: &str, happened: &str) {
        let happened = self.shown(happened);
        for (shown, real) in ports(shown).zip(ports(&happened)) {
            if shown != real {
                self.0.retain(|(known, _)| known != shown);
                self.0.push((shown.to_owned(), real.to_owned()));
            }
        }
    }
}

/// Returns the ports of this machine in a text, as `:8080`.
fn ports(text: &str) -> impl Iterator<Item = &str> {
    let hosts = text.match_indices("127.0.0.1:");
    hosts.map(|(start, host)| {
        let port = &text[start + host.len() - 1..];
        let end = port[1..].find(|c: char| !c.is_ascii_digit());
        &port[..end.map_or(port.len(), |end| end + 1)]
    })
}

/// Writes the handler of a page.
fn implement(folder: &Path, handler: &str) {
    let path = folder.join("src/main.rs");
    let text = fs::read_to_string(&path).unwrap();
    let start = text
        .find("impl orders::OrdersHandler for Application {")
        .unwrap();
    let (before, rest) = text.split_at(start);
    let end = rest.find("{}\n").map_or(usize::MAX, |end| end + 3);
    let end = end.min(rest.find("\n}\n").unwrap() + 3);
    fs::write(path, format!("{before}{handler}{}", &rest[end..])).unwrap();
}

/// Replaces a text that occurs once in a file.
pub fn replace(path: &Path, old: &str, new: &str) {
    let text = fs::read_to_string(path).unwrap();
    assert_eq!(text.matches(old).count(), 1, "{old}: {text}");
    fs::write(path, text.replace(old, new)).unwrap();
}

/// Changes `src/main.rs` as a page shows it: an existing line, and the lines that are added after
/// it.
fn change(folder: &Path, difference: &str) {
    let (line, added) = difference.split_once("\n+").unwrap();
    let line = format!("{}\n", line.strip_prefix(' ').unwrap());
    let added = added.replace("\n+", "\n");
    replace(
        &folder.join("src/main.rs"),
        &line,
        &format!("{line}{added}"),
    );
}

/// Returns the path and the text of the file in a block of a page, whose first line is a comment
/// with the path.
pub fn file(block: &str) -> Option<(&str, &str)> {
    let (_, text) = block.split_once('\n')?;
    let first = text.lines().next()?;
    let path = first
        .strip_prefix("// ")
        .or_else(|| first.strip_prefix("# "))?;
    let is_path = path.contains('.') && !path.contains(' ');
    is_path.then_some((path, text))
}

/// Returns the commands of a block, each with its output.
fn commands(block: &str) -> impl Iterator<Item = (&str, &str)> {
    let session = block.strip_prefix("console\n").unwrap_or_default();
    let each = session.split("$ ").skip(1);
    each.map(|one| one.split_once('\n').unwrap())
}

/// Follows a page of the book in a new folder, next to which the repository is `svcgen`. Returns
/// the folder in which it ends, and the number of commands.
pub fn follow(
    page: &str,
    home: &Path,
    mut addresses: Addresses,
    mut before: impl FnMut(&str, &Path),
) -> (PathBuf, usize) {
    let page = fs::read_to_string(repository().join("docs").join(page)).unwrap();
    let mut folder: PathBuf = home.to_owned();
    let mut running: Vec<Running> = Vec::new();
    let mut relaying: Option<Running> = None;
    let mut count = 0;
    for block in page.split("```").skip(1).step_by(2) {
        if block.starts_with("rust\nimpl orders::OrdersHandler for Application") {
            implement(&folder, &block["rust\n".len()..]);
        } else if let Some(difference) = block.strip_prefix("diff\n") {
            change(&folder, &addresses.real(difference));
        } else if let Some((path, text)) = file(block) {
            fs::write(folder.join(path), addresses.real(text)).unwrap();
        }
        for (command, text) in commands(block) {
            let shown: Vec<_> = text.lines().collect();
            count += 1;
            if let Some(inner) = command.strip_prefix("cd ") {
                folder.push(inner);
                continue;
            }
            let real = addresses.real(command);
            let is_relay = ["svcgen record ", "svcgen shadow "];
            let started = if command == "cargo run" {
                running.clear();
                Some(cargo_run(&folder))
            } else if let Some(mut program) = program_of_repository(&folder, &real) {
                Some(Running::start(&mut program, shown.len()))
            } else if is_relay.iter().any(|start| command.starts_with(start)) {
                Some(Running::start(&mut relay(&folder, &real), shown.len()))
            } else {
                None
            };
            if let Some((program, lines)) = started {
                addresses.note(text, &lines);
                check(command, &addresses.shown(&lines), &shown);
                if command.starts_with("svcgen ") {
                    relaying = Some(program);
                } else {
                    running.push(program);
                }
                continue;
            }
            if command.starts_with("svcgen replay ")
                && let Some(recording) = relaying.take()
            {
                recording.interrupt();
            }
            before(command, &folder);
            let checkout = format!("--path '{}' ", repository().display());
            let real = real.replace("--path svcgen ", &checkout);
            let real = real.replace("cargo add ", "cargo add --offline ");
            let mut happened = shell(&folder, 0, &real).1;
            // Samples are counted after the candidate has answered.
            let begun = Instant::now();
            while command.contains("/metrics")
                && happened.is_empty()
                && begun.elapsed() < Duration::from_secs(30)
            {
                thread::sleep(Duration::from_millis(50));
                happened = shell(&folder, 0, &real).1;
            }
            check(command, &addresses.shown(&happened), &shown);
        }
    }
    if let Some(relaying) = relaying {
        relaying.interrupt();
    }
    (folder, count)
}
