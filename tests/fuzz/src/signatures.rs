//! Signed messages that an attacker without the key rearranged: every accepted message is read with
//! the signed content.
//!
//! An input is a message, or a sequence of steps of four bytes each, which copy, move, wrap,
//! replace or remove elements of a signed message, or change a text.

use std::future::Future;
use std::ops::Range;
use std::pin::pin;
use std::sync::LazyLock;
use std::task::{Context, Poll, Waker};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use svcgen::codegen::Reader;
use svcgen::{Fault, Limits};
use svcgen_signatures::{Certificate, SignaturePolicy, TrustedSigners};
use svcgen_ws::ws_security::Nonces;

/// The text of the signed Body in each message.
const TEXT: &str = "hello";

static MESSAGES: [&str; 4] = [
    include_str!("../seeds/signatures/own"),
    include_str!("../../../crates/signatures/tests/signatures/messages/zeep.xml"),
    include_str!("../../../crates/signatures/tests/signatures/messages/zeep_x509_data.xml"),
    include_str!("../../../crates/signatures/tests/signatures/messages/node_soap.xml"),
];

/// Accepts a message repeatedly.
struct Forgotten;

impl Nonces for Forgotten {
    async fn remember(&self, _: [u8; 20], _: SystemTime, _: SystemTime) -> Result<bool, Fault> {
        Ok(true)
    }
}

static POLICY: LazyLock<SignaturePolicy> = LazyLock::new(|| {
    let pem = include_bytes!("../../../crates/signatures/tests/signatures/rsa.pem");
    let partner = Certificate::from_pem(pem).expect("a certificate");
    let policy = SignaturePolicy::new(TrustedSigners::new().with_certificate(partner))
        // The day on which the messages were created.
        .with_clock(|| UNIX_EPOCH + Duration::from_secs(1_795_953_600))
        .with_clock_skew(Duration::from_secs(86_400))
        .with_nonces(Forgotten);
    for message in MESSAGES {
        ready(policy.verify(message)).expect("it is accepted before it is changed");
        assert_eq!(read(message).as_deref(), Some(TEXT));
    }
    policy
});

pub fn check(input: &[u8]) {
    if let Ok(message) = std::str::from_utf8(input)
        && message.starts_with('<')
    {
        check_message(message);
        return;
    }
    let Some((first, steps)) = input.split_first() else {
        return;
    };
    let mut message = MESSAGES[usize::from(*first) % MESSAGES.len()].to_owned();
    for step in steps.chunks_exact(4).take(8) {
        message = changed(&message, step);
    }
    check_message(&message);
}

fn check_message(message: &str) {
    if ready(POLICY.verify(message)).is_ok() {
        assert_eq!(read(message).as_deref(), Some(TEXT), "{message}");
    }
}

fn ready<F: Future>(future: F) -> F::Output {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => output,
        Poll::Pending => unreachable!("nothing waits"),
    }
}

/// Returns the text of the Body, as a binding reads it.
fn read(message: &str) -> Option<String> {
    let mut reader = Reader::new(message, &Limits::default());
    reader.root().ok()?;
    while reader.child().ok()? {
        if reader.local_name() != "Body" {
            reader.skip().ok()?;
            continue;
        }
        reader.child().ok()?;
        if !reader.is("urn:work", "Store") || !reader.child().ok()? {
            return None;
        }
        return Some(reader.text().ok()?.into_owned());
    }
    None
}

/// Applies one step: the action, its element, and another element.
fn changed(message: &str, step: &[u8]) -> String {
    let elements = elements(message);
    if elements.is_empty() {
        return message.to_owned();
    }
    let of = |byte: u8| elements[usize::from(byte) % elements.len()].clone();
    let (one, other) = (of(step[1]), of(step[2]));
    let text = &message[one.clone()];
    let with = |place: Range<usize>, text: &str| {
        [&message[..place.start], text, &message[place.end..]].concat()
    };
    let inside = message[other.clone()]
        .find('>')
        .map(|at| other.start + at + 1);
    match step[0] % 8 {
        0 => with(other.start..other.start, text),
        1 => with(other.end..other.end, text),
        2 => with(other, text),
        3 => with(one, ""),
        4 => with(one.clone(), &format!("<x:w xmlns:x=\"urn:x\">{text}</x:w>")),
        5 => match inside {
            Some(at) => with(at..at, text),
            None => message.to_owned(),
        },
        6 => with(one.clone(), &text.replacen(TEXT, "evil", 1)),
        _ => {
            // Names and ids lose their meaning.
            let from = [
                "Id=",
                "wsu:",
                "Body",
                "Header",
                "Security",
                "Timestamp",
                "#",
            ];
            let from = from[usize::from(step[3]) % from.len()];
            with(one.clone(), &text.replacen(from, "x", 1))
        }
    }
}

/// Returns the ranges of the elements in a message, which has neither comments nor CDATA sections.
///
/// A parser would spend most of the time of a run here, because the fuzzer counts its branches, too.
fn elements(message: &str) -> Vec<Range<usize>> {
    let (mut elements, mut open): (Vec<Range<usize>>, Vec<usize>) = Default::default();
    let mut end = 0;
    while let Some(start) = message[end..].find('<').map(|at| end + at)
        && let Some(length) = message[start..].find('>')
    {
        end = start + length + 1;
        let tag = &message[start..end];
        if tag.starts_with("</") {
            if let Some(index) = open.pop() {
                elements[index].end = end;
            }
        } else if !tag.starts_with("<?") {
            if !tag.ends_with("/>") {
                open.push(elements.len());
            }
            elements.push(start..end);
        }
    }
    elements
}
