//! Trace contexts: the trace that a call belongs to, in HTTP headers (W3C Trace Context, levels 1
//! and 2).

use std::cell::RefCell;
use std::fmt;
use std::pin::pin;
use std::sync::Arc;

use http::{HeaderMap, HeaderName, HeaderValue};

use super::state::trace_state;

static TRACEPARENT: HeaderName = HeaderName::from_static("traceparent");
static TRACESTATE: HeaderName = HeaderName::from_static("tracestate");

/// The flags that are passed on: sampled, and random id of the trace (Trace Context 2 §3.2.2.5).
const KNOWN_FLAGS: u8 = 0b11;
const SAMPLED: u8 = 0b01;
const NEW: u8 = 0b11;

thread_local! {
    static CURRENT: RefCell<Option<TraceContext>> = const { RefCell::new(None) };
}

/// A span of a trace: its ids, and the state of tracing systems.
///
/// ```
/// use svcgen_observe::trace::TraceContext;
///
/// let mut headers = http::HeaderMap::new();
/// headers.insert("traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01".parse().unwrap());
/// let caller = TraceContext::of_headers(&headers).unwrap();
/// let own = caller.child();
/// assert_eq!(own.trace_id().to_string(), "0af7651916cd43dd8448eb211c80319c");
/// assert_ne!(own.span_id(), caller.span_id());
///
/// let mut outgoing = http::HeaderMap::new();
/// own.write(&mut outgoing);
/// assert_eq!(outgoing["traceparent"], format!("00-0af7651916cd43dd8448eb211c80319c-{}-01", own.span_id()));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TraceContext {
    trace: TraceId,
    span: SpanId,
    flags: u8,
    state: Option<Arc<HeaderValue>>,
}

/// The id of a trace, printed as 32 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct TraceId(pub [u8; 16]);

/// The id of a span, printed as 16 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct SpanId(pub [u8; 8]);

impl TraceContext {
    /// Creates the first span of a new trace, with random ids.
    ///
    /// # Panics
    ///
    /// The system provides no random bytes.
    #[must_use]
    pub fn start() -> Self {
        Self {
            trace: TraceId(random()),
            span: SpanId(random()),
            flags: NEW,
            state: None,
        }
    }

    /// Reads the span that sent a request. Returns `None` without a valid `traceparent` (Trace
    /// Context 1 §3.2). A `tracestate` that is not valid or has more than 32 members is ignored;
    /// one longer than 512 bytes is shortened to whole members (§3.3).
    pub fn of_headers(headers: &HeaderMap) -> Option<Self> {
        let mut parents = headers.get_all(&TRACEPARENT).into_iter();
        let (parent, None) = (parents.next()?, parents.next()) else {
            return None;
        };
        let (trace, span, flags) = read(parent.as_bytes())?;
        let state = trace_state(headers.get_all(&TRACESTATE)).map(Arc::new);
        Some(Self {
            trace: TraceId(trace),
            span: SpanId(span),
            flags: flags & KNOWN_FLAGS,
            state,
        })
    }

    /// Returns the span of the running code: in a handler under a
    /// [`TraceLayer`](super::TraceLayer), and in the futures that it awaits, the span of its call;
    /// otherwise `None`. A task that a handler spawns has no span, unless [`scope`](Self::scope)
    /// passes it on.
    pub fn current() -> Option<Self> {
        CURRENT.with_borrow(Clone::clone)
    }

    /// Creates a span within this one, with a random id.
    ///
    /// # Panics
    ///
    /// The system provides no random bytes.
    #[must_use]
    pub fn child(&self) -> Self {
        Self {
            span: SpanId(random()),
            ..self.clone()
        }
    }

    /// Returns the id of the trace.
    pub fn trace_id(&self) -> TraceId {
        self.trace
    }

    /// Returns the id of the span.
    pub fn span_id(&self) -> SpanId {
        self.span
    }

    /// Returns whether the caller may have recorded the trace. A new trace is marked as sampled.
    pub fn is_sampled(&self) -> bool {
        self.flags & SAMPLED != 0
    }

    /// Returns the state of tracing systems, as in `tracestate`.
    pub fn state(&self) -> Option<&str> {
        self.state.as_ref()?.to_str().ok()
    }

    /// Sets the headers of a request that is sent from this span.
    pub fn write(&self, headers: &mut HeaderMap) {
        const LENGTH: usize = 55;
        let mut text = String::with_capacity(LENGTH);
        let _ = fmt::Write::write_fmt(&mut text, format_args!("{self}"));
        let Ok(value) = HeaderValue::try_from(text) else {
            return;
        };
        headers.insert(&TRACEPARENT, value);
        match &self.state {
            Some(state) => headers.insert(&TRACESTATE, (**state).clone()),
            None => headers.remove(&TRACESTATE),
        };
    }

    /// Runs a future in this span, so that it is [`current`](Self::current) there.
    ///
    /// ```
    /// # async fn example(context: svcgen_observe::trace::TraceContext) {
    /// use svcgen_observe::trace::TraceContext;
    ///
    /// let found = context.clone().scope(async { TraceContext::current() }).await;
    /// assert_eq!(found, Some(context));
    /// # }
    /// ```
    pub async fn scope<F: Future>(self, future: F) -> F::Output {
        let mut future = pin!(future);
        let mut own = Some(self);
        std::future::poll_fn(move |context| {
            Self::run_in(&mut own, || future.as_mut().poll(context))
        })
        .await
    }

    /// Calls a function in a span, or in no span.
    pub(crate) fn run_in<T>(own: &mut Option<Self>, run: impl FnOnce() -> T) -> T {
        let _entered = Entered::new(own);
        run()
    }
}

/// Exchanges the current context with another one until it is dropped.
struct Entered<'c>(&'c mut Option<TraceContext>);

impl<'c> Entered<'c> {
    fn new(own: &'c mut Option<TraceContext>) -> Self {
        let entered = Self(own);
        CURRENT.with_borrow_mut(|current| std::mem::swap(current, entered.0));
        entered
    }
}

impl Drop for Entered<'_> {
    fn drop(&mut self) {
        CURRENT.with_borrow_mut(|current| std::mem::swap(current, self.0));
    }
}

fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    // Ids of only zeros are not valid.
    while bytes == [0; N] {
        getrandom::fill(&mut bytes).expect("the system gives random bytes");
    }
    bytes
}

/// Reads the value of a `traceparent`: version, id of the trace, id of the span, flags. Later
/// versions may have more after them (Trace Context 1 §3.2.4).
fn read(text: &[u8]) -> Option<([u8; 16], [u8; 8], u8)> {
    let [version] = hexadecimal(text.get(..2)?)?;
    let more = text.get(55);
    let is_long_enough = match version {
        0 => more.is_none(),
        0xff => false,
        _ => more.is_none_or(|next| *next == b'-'),
    };
    let dashes = [2, 35, 52].map(|at| text.get(at));
    if !is_long_enough || dashes != [Some(&b'-'); 3] {
        return None;
    }
    let trace = hexadecimal(text.get(3..35)?)?;
    let span = hexadecimal(text.get(36..52)?)?;
    let [flags] = hexadecimal(text.get(53..55)?)?;
    (trace != [0; 16] && span != [0; 8]).then_some((trace, span, flags))
}

/// Returns the bytes of lower-case hexadecimal digits.
fn hexadecimal<const N: usize>(text: &[u8]) -> Option<[u8; N]> {
    let digit = |digit: u8| match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        _ => None,
    };
    let mut bytes = [0; N];
    if text.len() != 2 * N {
        return None;
    }
    for (byte, pair) in bytes.iter_mut().zip(text.chunks_exact(2)) {
        *byte = digit(pair[0])? << 4 | digit(pair[1])?;
    }
    Some(bytes)
}

/// Writes the value of a `traceparent`.
impl fmt::Display for TraceContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "00-{}-{}-{:02x}", self.trace, self.span, self.flags)
    }
}

macro_rules! shown_in_hexadecimal {
    ($($id:ty)*) => {
        $(
            impl fmt::Display for $id {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
                }
            }

            impl fmt::Debug for $id {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    fmt::Display::fmt(self, f)
                }
            }
        )*
    };
}

shown_in_hexadecimal!(TraceId SpanId);

#[cfg(test)]
mod tests {
    use super::*;

    const PARENT: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    fn of(parents: &[&str], states: &[&str]) -> Option<TraceContext> {
        let mut headers = HeaderMap::new();
        for parent in parents {
            headers.append("traceparent", HeaderValue::from_str(parent).unwrap());
        }
        for state in states {
            headers.append("tracestate", HeaderValue::from_str(state).unwrap());
        }
        TraceContext::of_headers(&headers)
    }

    #[test]
    fn only_valid_parents_are_taken() {
        let parent = of(&[PARENT], &[]).unwrap();
        assert_eq!(parent.to_string(), PARENT);
        assert!(parent.is_sampled());
        let later = PARENT.replacen("00", "cc", 1);
        for parent in [&later, &format!("{later}-what-the-future-is")] {
            assert_eq!(of(&[parent], &[]).unwrap().to_string(), PARENT);
        }
        let flags = of(&[&PARENT.replace("-01", "-fe")], &[]).unwrap();
        assert_eq!(flags.to_string(), PARENT.replace("-01", "-02"));
        assert!(!flags.is_sampled());
        let refused = [
            "",
            "00",
            &PARENT[..54],
            &format!("{PARENT}-00"),
            &format!("{PARENT}0"),
            &format!("{later}."),
            &PARENT.to_uppercase(),
            &PARENT.replacen("00", "ff", 1),
            &PARENT.replacen("00", "0x", 1),
            &PARENT.replace("-b7", "_b7"),
            &PARENT.replace("-01", "-0g"),
            "00-00000000000000000000000000000000-b7ad6b7169203331-01",
            "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
        ];
        for parent in refused {
            assert_eq!(of(&[parent], &[]), None, "{parent}");
        }
        assert_eq!(of(&[PARENT, PARENT], &[]), None);
        assert_eq!(of(&[], &["a=b"]), None);
    }

    #[test]
    fn the_state_goes_with_a_valid_parent() {
        let context = of(&[PARENT], &["a=1 , b=2", "c=3"]).unwrap();
        assert_eq!(context.state(), Some("a=1,b=2,c=3"));
        let mut headers = HeaderMap::new();
        context.child().write(&mut headers);
        assert_eq!(headers["tracestate"], "a=1,b=2,c=3");
        TraceContext::start().write(&mut headers);
        assert!(!headers.contains_key("tracestate"));
        assert_eq!(of(&["x"], &["a=1"]), None);
    }

    #[test]
    fn new_ids_differ_and_are_valid() {
        let (one, other) = (TraceContext::start(), TraceContext::start());
        assert_ne!(one.trace_id(), other.trace_id());
        let child = one.child();
        assert_eq!(child.trace_id(), one.trace_id());
        assert_ne!(child.span_id(), one.span_id());
        assert_eq!(of(&[&child.to_string()], &[]), Some(child));
    }
}
