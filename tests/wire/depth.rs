//! Values nested as deeply as any limits allow are read, written, cloned, compared, printed and
//! dropped on a stack of 2 MiB, even in a debug build.

use std::hint::black_box;

use bytes::Bytes;
use svcgen::codegen::{Content, Reader};
use svcgen::transport::{Transport, TransportError};
use svcgen::types::QName;
use svcgen::{Context, Fault, Limits, ServerOptions};

use svcgen_tests::memory::{
    All, CountRequest, HoldRequest, Large, MemoryClient, MemoryHandler, MemoryServer, PutRequest,
};

/// The stack size of threads of the standard library and of tokio, in bytes.
const STACK: usize = 2 << 20;

/// The element around the values, the tags that open another value in it, in XML or in a list of
/// objects, the number of their levels, and the tags that close it.
type Step = (&'static str, &'static str, usize, &'static str);

const STEPS: [Step; 11] = [
    ("Tree", "<Next>", 1, "</Next>"),
    ("Tree", "<Children><Tree>", 2, "</Tree></Children>"),
    ("Tree", "<Inner>", 1, "</Inner>"),
    (
        "Tree",
        "<Heir xsi:type='Grandchild'><Tree>",
        2,
        "</Tree></Heir>",
    ),
    // Types of more than 60 KiB each.
    ("Broad", "<Next>", 1, "</Next>"),
    ("Broad", "<Children><Broad>", 2, "</Broad></Children>"),
    ("Broad", "<Inner>", 1, "</Inner>"),
    (
        "Broad",
        "<Heir xsi:type='Keepsake'><Broad>",
        2,
        "</Broad></Heir>",
    ),
    ("Any><XmlElement", "<a>", 1, "</a>"),
    (
        "Objects",
        "<anyType xsi:type='ArrayOfAnyType'>",
        1,
        "</anyType>",
    ),
    (
        "Objects",
        "<anyType xsi:type='All'><Objects>",
        2,
        "</Objects></anyType>",
    ),
];

/// Returns a document with as many levels as allowed, of which some are around the values.
fn nested((outer, open, levels, close): Step, around: usize) -> String {
    let before = around + 2 + outer.split("><").count();
    let count = (Limits::MOST_DEPTH - before) / levels;
    let (opened, closed) = (open.repeat(count), close.repeat(count));
    let inner = match outer.split_once("><") {
        Some((first, second)) => {
            format!("<{first}><{second}>{opened}{closed}</{second}></{first}>")
        }
        None => format!("<{outer}>{opened}{closed}</{outer}>"),
    };
    format!("<r xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance'><all>{inner}</all></r>")
}

/// Returns limits of nothing except the depth, which always has a maximum.
fn no_limits() -> Limits {
    Limits::default()
        .with_depth(usize::MAX)
        .with_values(usize::MAX)
}

fn use_in_every_way(document: &str) {
    let limits = no_limits();
    let mut reader = Reader::new(document, &limits);
    let mut request = HoldRequest::default();
    reader.root().expect("a root");
    reader.read(&mut request).expect("a request");
    reader.finish().expect("the end");
    let all: &All = request.all.as_ref().expect("a value");
    let copy = all.clone();
    assert!(copy == *all);
    black_box(format!("{copy:?}"));
    let mut written = Vec::new();
    let mut out = Content::compact(&mut written);
    out.start(
        "r",
        &[("xmlns:xsi", "http://www.w3.org/2001/XMLSchema-instance")],
    );
    out.element("all", &copy);
    out.end("r");
    out.finish().expect("a message");
    assert!(written.len() >= document.len() / 2);
}

fn on_small_stack(work: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(STACK);
    let thread = thread.spawn(work).expect("a thread");
    thread.join().expect("it does not panic");
}

#[test]
fn no_stack_overflows_at_the_ceiling() {
    for step in STEPS {
        let document = nested(step, 0);
        on_small_stack(move || use_in_every_way(&document));
    }
}

#[test]
fn no_stack_overflows_where_facets_are_checked() {
    for step in STEPS {
        let body = nested(step, 2).replacen("<r ", "<Hold xmlns='urn:memory' ", 1);
        let body = body.replace("</r>", "</Hold>");
        let message = format!(
            "<s:Envelope xmlns:s='http://schemas.xmlsoap.org/soap/envelope/'><s:Body>{body}</s:Body></s:Envelope>"
        );
        let request = http::Request::post("/Memory.asmx").header("Content-Type", "text/xml");
        let request = request.body(Bytes::from(message)).expect("a request");
        on_small_stack(move || {
            let options = ServerOptions::new();
            let options = options.with_limits(no_limits()).with_facets(true);
            let server = MemoryServer::new(Echo).with_options(options);
            let answer = runtime().block_on(server.answer(request));
            assert_eq!(answer.status(), 200, "{:?}", answer.body());
        });
    }
}

#[test]
fn one_level_more_is_refused() {
    let document = format!("<r><all><Tree>{}", "<Next>".repeat(Limits::MOST_DEPTH));
    let limits = Limits::default().with_depth(usize::MAX);
    let mut reader = Reader::new(&document, &limits);
    reader.root().expect("a root");
    let refused = reader
        .read(&mut HoldRequest::default())
        .expect_err("too deep");
    assert_eq!(refused.message(), "More than 128 levels of elements.");
}

struct Echo;

impl MemoryHandler for Echo {
    async fn hold(&self, _: &Context, request: HoldRequest) -> Result<Option<All>, Fault> {
        Ok(request.all)
    }

    async fn put(&self, _: &Context, request: PutRequest) -> Result<Large, Fault> {
        Ok(request.large)
    }

    async fn count(&self, _: &Context, _: CountRequest) -> Result<Vec<QName>, Fault> {
        Ok(Vec::new())
    }
}

/// A transport that returns the same response to every request.
struct Canned(http::Response<Bytes>);

impl Transport for Canned {
    async fn send(&self, _: http::Request<Bytes>) -> Result<http::Response<Bytes>, TransportError> {
        Ok(self.0.clone())
    }
}

fn runtime() -> tokio::runtime::Runtime {
    let runtime = tokio::runtime::Builder::new_current_thread().build();
    runtime.expect("a runtime")
}

/// The parameters and the result of a call are passed by value.
#[test]
fn no_stack_overflows_for_the_largest_types() {
    let body = "<Large/>".replace("Large", "large");
    let body = format!(
        "<s:Envelope xmlns:s='http://schemas.xmlsoap.org/soap/envelope/'><s:Body><Put xmlns='urn:memory'>{body}</Put></s:Body></s:Envelope>"
    );
    let request = http::Request::post("/Memory.asmx").header("Content-Type", "text/xml");
    let request = request.body(Bytes::from(body)).expect("a request");
    let (answers, answered) = std::sync::mpsc::channel();
    on_small_stack(move || {
        let server = MemoryServer::new(Echo);
        let answer = runtime().block_on(server.answer(request));
        answers.send(answer).expect("someone waits");
    });
    let answer = answered.recv().expect("an answer");
    assert_eq!(answer.status(), 200);
    on_small_stack(|| {
        let client = MemoryClient::new(Canned(answer), "http://localhost/Memory.asmx");
        let client = client.expect("a client");
        let request = Box::<PutRequest>::default();
        runtime().block_on(async {
            let large = client.put(&request).await.expect("an answer");
            assert!(large == request.large);
        });
    });
    let items = [
        "<One/>",
        "<Large><Large/></Large>",
        "<Many><Held/><Big/></Many>",
        "<Big/>",
    ];
    let document = format!("<r><all>{}</all></r>", items.concat());
    on_small_stack(move || use_in_every_way(&document));
}
