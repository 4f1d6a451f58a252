//! `svcgen watch`.

use std::ffi::OsStr;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use crate::{RIGHT, WRONG, at_once, command, svcgen};

/// A running command, and the lines of its output.
struct Running {
    child: Child,
    lines: Receiver<String>,
}

impl Running {
    fn start(folder: &Path, arguments: &[&dyn AsRef<OsStr>]) -> Self {
        let mut child = command(arguments)
            .current_dir(folder)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let (sender, lines) = channel();
        let pipes: [Box<dyn Read + Send>; 2] = [
            Box::new(child.stdout.take().unwrap()),
            Box::new(child.stderr.take().unwrap()),
        ];
        for pipe in pipes {
            let sender = sender.clone();
            thread::spawn(move || {
                for line in BufReader::new(pipe).lines().map_while(Result::ok) {
                    let _ = sender.send(line);
                }
            });
        }
        Self { child, lines }
    }

    /// Waits until a line with this part is printed.
    #[track_caller]
    fn hears(&self, part: &str) {
        let mut heard = Vec::new();
        while let Ok(line) = self.lines.recv_timeout(Duration::from_secs(60)) {
            if line.contains(part) {
                return;
            }
            heard.push(line);
        }
        panic!("no `{part}` in {heard:#?}");
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn what_changes_is_generated_however_it_is_saved() {
    let folder = tempfile::tempdir().unwrap();
    let definition = folder.path().join("s.yaml");
    let code = || fs::read_to_string(folder.path().join("src/s.rs")).unwrap();
    fs::write(&definition, RIGHT).unwrap();
    let watch = Running::start(folder.path(), &[&"watch", &"--out", &"src", &"*.yaml"]);
    watch.hears("wrote src/s.rs");

    fs::write(&definition, WRONG).unwrap();
    watch.hears("s.yaml:4:28");
    assert!(code().contains("i32"), "what was generated stays");

    fs::remove_file(&definition).unwrap();
    watch.hears("error: no file matches `*.yaml`");

    let saved = folder.path().join("s.yaml~");
    fs::write(&saved, RIGHT.replace("int", "long")).unwrap();
    fs::rename(&saved, &definition).unwrap();
    watch.hears("wrote src/s.rs");
    assert!(code().contains("i64"));

    assert!(code().contains("SClient"));
    fs::write(folder.path().join("svcgen.toml"), "client = false\n").unwrap();
    watch.hears("wrote src/s.rs");
    assert!(!code().contains("SClient"));

    let shared = folder.path().join("shared.types");
    fs::write(&shared, "types: { Shared: { elements: { A: itn } } }\n").unwrap();
    let including = RIGHT.replace("operations", "include: [shared.types]\noperations");
    fs::write(&definition, including.replace("int", "Shared")).unwrap();
    watch.hears("shared.types:1:");
    fs::write(&shared, "types: { Shared: { elements: { A: int } } }\n").unwrap();
    watch.hears("wrote src/shared.rs");

    fs::write(&shared, "#".repeat(svcgen_language::text::MOST_BYTES + 1)).unwrap();
    watch.hears("a definition has at most 16 MiB");
    fs::write(&shared, "types: { Shared: { elements: { A: long } } }\n").unwrap();
    watch.hears("wrote src/shared.rs");

    let other = RIGHT.replace("service: S", "service: Other");
    fs::write(folder.path().join("other.yaml"), other).unwrap();
    watch.hears("wrote src/other.rs");
}

#[test]
fn standard_input_and_stdout_are_not_for_watching() {
    let stdin = svcgen(&[&"watch", &"--out", &"src", &"-"]);
    assert_eq!(stdin.code, Some(2));
    assert_eq!(
        stdin.stderr,
        "error: standard input cannot be watched; name files\n"
    );
    assert_eq!(
        svcgen(&[&"watch", &"s.yaml"]).code,
        Some(2),
        "it needs a folder"
    );
    let stdout = svcgen(&[&"watch", &"--out", &"-", &"s.yaml"]);
    assert_eq!(stdout.code, Some(2));
    assert_eq!(
        stdout.stderr,
        "error: `watch` writes into a folder: --out DIR\n"
    );
}

#[cfg(unix)]
fn interrupt(child: &Child) {
    crate::kill("-INT", &child.id().to_string());
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_watch_with_130() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("s.yaml"), RIGHT).unwrap();
    let mut watch = Running::start(folder.path(), &[&"watch", &"--out", &"src", &"s.yaml"]);
    watch.hears("wrote src/s.rs");
    interrupt(&watch.child);
    assert_eq!(watch.child.wait().unwrap().code(), Some(130));
}

/// Ctrl-C at any time leaves either the old or the new file.
#[cfg(unix)]
#[test]
fn ctrl_c_leaves_no_half_written_file() {
    let whole = svcgen_codegen::Config::new()
        .generate("stdin.yaml", RIGHT)
        .unwrap()
        .code;
    let delays: Vec<_> = (0..12).map(|delay| 150 + 20 * delay).collect();
    at_once(&delays, |delay| {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("src");
        let path = out.join("s.rs");
        fs::create_dir(&out).unwrap();
        fs::write(&path, "old").unwrap();
        let mut running = Running::start(folder.path(), &[&"watch", &"--out", &"src", &"s.yaml"]);
        fs::write(folder.path().join("s.yaml"), RIGHT).unwrap();
        thread::sleep(Duration::from_millis(*delay));
        interrupt(&running.child);
        let _ = running.child.wait().unwrap();
        let text = fs::read_to_string(&path)
            .unwrap()
            .replace("from s.yaml", "from stdin.yaml");
        assert!(text == "old" || text == whole, "{text}");
        assert_eq!(
            fs::read_dir(&out).unwrap().count(),
            1,
            "no temporary file stays"
        );
    });
}
