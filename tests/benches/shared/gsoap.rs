//! gSOAP as a contender: a separate program, built by `gsoap/build`, that runs a piece of work a
//! number of times and prints the time.

use std::cell::RefCell;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use super::documents::Document;
use super::measure::Work;

/// The variable with the path of the program that `gsoap/build` builds.
const VARIABLE: &str = "GSOAP_BENCH";

pub struct Gsoap {
    child: RefCell<(Child, ChildStdin, BufReader<ChildStdout>)>,
    _folder: tempfile::TempDir,
}

impl Gsoap {
    /// Starts the program, if there is one, and passes the documents to it.
    pub fn start(documents: &[Document]) -> Option<Self> {
        let Some(program) = std::env::var_os(VARIABLE) else {
            println!(
                "gSOAP is left out: {VARIABLE} does not name the program that benches/gsoap/build makes."
            );
            return None;
        };
        let folder = tempfile::tempdir().expect("a folder");
        let mut command = Command::new(program);
        for (index, document) in documents.iter().enumerate() {
            let path = folder.path().join(index.to_string());
            std::fs::write(&path, &document.text).expect("a file");
            command.arg(document.name).arg(path);
        }
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program");
        let input = child.stdin.take().expect("its input");
        let output = BufReader::new(child.stdout.take().expect("its output"));
        Some(Self {
            child: RefCell::new((child, input, output)),
            _folder: folder,
        })
    }

    pub fn name(&self) -> &'static str {
        "gSOAP"
    }

    pub fn reading(&self, document: &Document) -> Work<'_> {
        self.work("read", document.name)
    }

    pub fn writing(&self, document: &Document) -> Work<'_> {
        self.work("write", document.name)
    }

    fn work(&self, what: &'static str, document: &'static str) -> Work<'_> {
        Box::new(move |times| {
            let (_, input, output) = &mut *self.child.borrow_mut();
            writeln!(input, "{what} {times} {document}").expect("a listening program");
            input.flush().expect("a listening program");
            let mut line = String::new();
            output.read_line(&mut line).expect("an answer");
            Duration::from_nanos(
                line.trim()
                    .parse()
                    .unwrap_or_else(|_| panic!("gSOAP on {document}: {line:?}")),
            )
        })
    }
}

impl Drop for Gsoap {
    fn drop(&mut self) {
        let child = &mut self.child.borrow_mut().0;
        child.kill().and_then(|()| child.wait()).ok();
    }
}
