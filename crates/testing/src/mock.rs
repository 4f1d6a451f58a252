//! Mocks of services: the code that emitted mocks share.

use std::fmt::{self, Debug, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use svcgen_core::internals::printable;
use svcgen_core::transport::Transport;
use svcgen_core::{Client, Context, Fault, Model};

/// The number of calls of an operation that a report shows.
const SHOWN: usize = 10;

/// The operations of a mock. Emitted mocks contain this.
///
/// When the original value, which [`new`](Self::new) returned, is dropped, it panics if the
/// expectations are not met, unless the thread already panics. Clones do not check.
#[derive(Debug)]
pub struct Mock {
    shared: Arc<Shared>,
    verifies: bool,
}

struct Shared {
    name: &'static str,
    operations: Mutex<Vec<Arc<dyn Reports>>>,
}

/// An operation, with its types erased.
trait Reports: Send + Sync {
    /// Describes the expected and the actual calls, if they differ.
    fn report(&self) -> Option<String>;
}

impl Mock {
    /// Creates a mock without operations.
    pub fn new(name: &'static str) -> Self {
        let shared = Shared {
            name,
            operations: Mutex::default(),
        };
        Self {
            shared: Arc::new(shared),
            verifies: true,
        }
    }

    /// Adds an operation.
    pub fn operation<Q: Debug + Send + 'static, R: 'static>(
        &self,
        name: &'static str,
    ) -> MockOperation<Q, R> {
        let operation = Arc::new(Mocked {
            mock: self.shared.name,
            name,
            state: Mutex::new(State {
                expectations: Vec::new(),
                calls: Vec::new(),
            }),
        });
        let reports: Arc<dyn Reports> = Arc::clone(&operation) as _;
        locked(&self.shared.operations).push(reports);
        MockOperation(operation)
    }

    /// Checks that every operation was called as expected so far.
    ///
    /// # Panics
    ///
    /// An operation was not called as expected. The message has the expectations of each such
    /// operation, and the received requests.
    #[track_caller]
    pub fn verify(&self) {
        let operations = locked(&self.shared.operations);
        let reports: String = operations.iter().filter_map(|one| one.report()).collect();
        drop(operations);
        assert!(
            reports.is_empty(),
            "{} was not called as expected:\n{reports}",
            self.shared.name
        );
    }
}

impl Clone for Mock {
    fn clone(&self) -> Self {
        Self {
            shared: Arc::clone(&self.shared),
            verifies: false,
        }
    }
}

impl Drop for Mock {
    fn drop(&mut self) {
        if self.verifies && !std::thread::panicking() {
            self.verify();
        }
    }
}

impl Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// An operation of a mock: its expected calls and their answers. `Q` is the request, together with
/// its headers if it has any: `(LoginHeaders, LoginRequest)`.
///
/// Answers are used in the order in which they are set, each for one call unless
/// [`times`](Expected::times) sets another number. A call without a remaining answer gets a fault
/// that names the operation, and fails the test. Clones share everything.
///
/// ```
/// use svcgen::Fault;
/// use svcgen_testing::MockOperation;
/// # #[derive(Debug, Clone)] struct GreetRequest { name: Option<String> }
/// # fn example(greet: MockOperation<GreetRequest, String>) {
/// greet.returns("Hello!".to_owned()).times(2);
/// greet.fails(Fault::exception("closed"));
/// greet.answers(|_, request| Ok(format!("Hello, {}!", request.name.unwrap_or_default()))).any_times();
/// # }
/// ```
pub struct MockOperation<Q, R>(Arc<Mocked<Q, R>>);

struct Mocked<Q, R> {
    mock: &'static str,
    name: &'static str,
    state: Mutex<State<Q, R>>,
}

struct State<Q, R> {
    expectations: Vec<Expectation<Q, R>>,
    calls: Vec<Q>,
}

type Answer<Q, R> = Arc<dyn Fn(&Context, Q) -> Result<R, Fault> + Send + Sync>;

struct Expectation<Q, R> {
    answer: Answer<Q, R>,
    least: usize,
    most: usize,
    made: usize,
}

impl<Q, R> MockOperation<Q, R> {
    /// Expects a call and answers it with this result.
    pub fn returns(&self, result: R) -> Expected<'_, Q, R>
    where
        R: Clone + Send + Sync + 'static,
    {
        self.answers(move |_, _| Ok(result.clone()))
    }

    /// Expects a call and answers it with this fault.
    pub fn fails(&self, fault: Fault) -> Expected<'_, Q, R> {
        self.answers(move |_, _| Err(fault.clone()))
    }

    /// Expects a call and answers it with the result of this function for its request.
    pub fn answers(
        &self,
        answer: impl Fn(&Context, Q) -> Result<R, Fault> + Send + Sync + 'static,
    ) -> Expected<'_, Q, R> {
        let expectations = &mut locked(&self.0.state).expectations;
        expectations.push(Expectation {
            answer: Arc::new(answer),
            least: 1,
            most: 1,
            made: 0,
        });
        Expected {
            operation: &self.0,
            index: expectations.len() - 1,
        }
    }

    /// Returns the requests so far, including unexpected ones.
    pub fn calls(&self) -> Vec<Q>
    where
        Q: Clone,
    {
        locked(&self.0.state).calls.clone()
    }

    /// Answers a call. Emitted mocks call it.
    ///
    /// # Errors
    ///
    /// Returns the fault of the answer, or a fault if no answer is left.
    pub fn call(&self, context: &Context, request: Q) -> Result<R, Fault>
    where
        Q: Clone,
    {
        let mut state = locked(&self.0.state);
        state.calls.push(request.clone());
        let mut expectations = state.expectations.iter_mut();
        let next = expectations.find(|expectation| expectation.made < expectation.most);
        let Some(next) = next else {
            let Mocked { mock, name, .. } = &*self.0;
            return Err(Fault::exception(format_args!(
                "{mock} has no answer left for this call of {name}."
            )));
        };
        next.made += 1;
        let answer = Arc::clone(&next.answer);
        // The answer may call `calls`.
        drop(state);
        answer(context, request)
    }
}

/// An answer of a [`MockOperation`], for one call.
pub struct Expected<'m, Q, R> {
    operation: &'m Mocked<Q, R>,
    index: usize,
}

impl<Q, R> Expected<'_, Q, R> {
    /// Expects this number of calls, each with this answer.
    pub fn times(self, times: usize) {
        self.set(times, times);
    }

    /// Allows any number of calls with this answer, including zero. Answers that are set after it
    /// are never used.
    pub fn any_times(self) {
        self.set(0, usize::MAX);
    }

    fn set(&self, least: usize, most: usize) {
        let expectation = &mut locked(&self.operation.state).expectations[self.index];
        (expectation.least, expectation.most) = (least, most);
    }
}

impl<Q: Debug + Send, R> Reports for Mocked<Q, R> {
    fn report(&self) -> Option<String> {
        let State {
            expectations,
            calls,
        } = &*locked(&self.state);
        let least: usize = expectations.iter().map(|one| one.least).sum();
        let most = expectations.iter().map(|one| one.most);
        let most = most.fold(0, usize::saturating_add);
        if (least..=most).contains(&calls.len()) {
            return None;
        }
        let expected = match (least, most) {
            (0, 0) => "no call".to_owned(),
            (1, 1) => "1 call".to_owned(),
            (least, most) if least == most => format!("{least} calls"),
            (least, _) => format!("{least} calls or more"),
        };
        let mut report = format!(
            "  {}: expected {expected}, got {}\n",
            self.name,
            calls.len()
        );
        for call in calls.iter().take(SHOWN) {
            // Writing to a string cannot fail.
            let _ = writeln!(report, "    {}", printable(&format!("{call:?}")));
        }
        if let Some(more @ 1..) = calls.len().checked_sub(SHOWN) {
            let _ = writeln!(report, "    … and {more} more");
        }
        Some(report)
    }
}

impl<Q, R> Clone for MockOperation<Q, R> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<Q, R> Debug for MockOperation<Q, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let calls = locked(&self.0.state).calls.len();
        f.debug_struct("MockOperation")
            .field("name", &self.0.name)
            .field("calls", &calls)
            .finish_non_exhaustive()
    }
}

impl<Q, R> Debug for Expected<'_, Q, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Expected")
            .field(&self.operation.name)
            .finish()
    }
}

/// Locks a mutex. A lock is never held while code of a test runs, so a poisoned one still guards
/// consistent data.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Creates a client that calls a server in the same process. Emitted mocks call this.
///
/// # Panics
///
/// The module has no service, or its time zone is not known.
pub fn in_process<T: Transport>(service: impl Into<Model>, server: T) -> Client<T> {
    let client = Client::new(service, server, "http://localhost");
    client.expect("a URL of HTTP")
}
