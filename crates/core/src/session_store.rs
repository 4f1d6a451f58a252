//! Stores for the states of sessions.

use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::fault::Fault;
use crate::session::Session;

/// Keeps the states of sessions: [`MemorySessions`], or your implementation for a database that
/// several instances of a server share.
///
/// A state is a text in any format, such as JSON. A session without a state is new, has ended, or
/// was never known.
pub trait SessionStore: Send + Sync + 'static {
    /// Loads the state of a session, and restarts its lifetime.
    ///
    /// # Errors
    ///
    /// Returns the fault for the caller if the store cannot be read.
    fn load(&self, id: &str) -> impl Future<Output = Result<Option<String>, Fault>> + Send;

    /// Replaces the loaded state by `new`, or ends the session with `None`.
    ///
    /// Returns whether it did: if the state is no longer `old`, another call of the session came
    /// first, and nothing changes. Among several concurrent calls with the same `old`, only one may
    /// get `true`, unless `new` equals `old`.
    ///
    /// # Errors
    ///
    /// Returns the fault for the caller if the store cannot be written, or is full.
    fn replace(
        &self,
        id: &str,
        old: Option<&str>,
        new: Option<&str>,
    ) -> impl Future<Output = Result<bool, Fault>> + Send;

    /// Changes the state of a session and returns the result of the change. As in ASP.NET, calls of
    /// one session behave as if they came one after the other.
    ///
    /// The change runs again if another call came first. The new state is stored even if the change
    /// returns an error.
    ///
    /// ```
    /// # async fn example(store: svcgen::MemorySessions, context: svcgen::Context) -> Result<i32, svcgen::Fault> {
    /// use svcgen::SessionStore;
    ///
    /// let session = context.session().expect("the definition says so");
    /// let count = store.update(session, |state| {
    ///     let before = state.as_deref().and_then(|text| text.parse().ok()).unwrap_or(0);
    ///     *state = Some((before + 1).to_string());
    ///     before + 1
    /// });
    /// count.await
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// The same as for [`load`](Self::load) and [`replace`](Self::replace).
    fn update<T: Send>(
        &self,
        session: Session<'_>,
        mut change: impl FnMut(&mut Option<String>) -> T + Send,
    ) -> impl Future<Output = Result<T, Fault>> + Send {
        async move {
            let id = session.id();
            loop {
                let old = self.load(id).await?;
                let mut new = old.clone();
                let result = change(&mut new);
                if new == old || self.replace(id, old.as_deref(), new.as_deref()).await? {
                    return Ok(result);
                }
            }
        }
    }
}

/// The memory of a session besides its state, in bytes: its id twice, and its entries in both
/// collections.
const OVERHEAD: usize = 256;

/// Keeps the states of sessions in the memory of one server.
///
/// As in ASP.NET, a session ends 20 minutes after its last call. States take at most 64 MiB, each
/// with 256 bytes in addition to its text. If there is no room, further states are refused with a
/// fault of the server; no session ends early.
pub struct MemorySessions {
    states: Mutex<States>,
    lifetime: Duration,
    capacity: usize,
}

#[derive(Default)]
struct States {
    by_id: HashMap<String, State>,
    /// The sessions by their end, the earliest first.
    by_end: BTreeSet<(Instant, String)>,
    size: usize,
}

struct State {
    text: String,
    end: Instant,
}

impl MemorySessions {
    /// Creates a store that keeps states for 20 minutes, in at most 64 MiB.
    pub fn new() -> Self {
        Self {
            states: Mutex::default(),
            lifetime: Duration::from_secs(20 * 60),
            capacity: 64 * 1024 * 1024,
        }
    }

    /// Sets the lifetime of a session after its last call.
    #[must_use]
    pub fn with_lifetime(mut self, lifetime: Duration) -> Self {
        self.lifetime = lifetime;
        self
    }

    /// Limits the memory of all states, in bytes.
    #[must_use]
    pub fn with_capacity(mut self, bytes: usize) -> Self {
        self.capacity = bytes;
        self
    }

    /// Removes ended sessions. Passes the states to `with`, and the end of a session that is used
    /// now.
    fn states<T>(&self, now: Instant, with: impl FnOnce(&mut States, Instant) -> T) -> T {
        // Nothing panics while it is locked.
        let mut states = self.states.lock().unwrap_or_else(PoisonError::into_inner);
        while let Some((end, id)) = states.by_end.first()
            && *end <= now
        {
            let id = id.clone();
            states.remove(&id);
        }
        // If this overflows, the lifetime is practically unlimited.
        let end = now.checked_add(self.lifetime);
        let end = end.unwrap_or_else(|| now + Duration::from_secs(u32::MAX.into()));
        with(&mut states, end)
    }

    fn load_at(&self, now: Instant, id: &str) -> Option<String> {
        self.states(now, |states, end| {
            let text = states.remove(id)?;
            states.insert(id, text.clone(), end);
            Some(text)
        })
    }

    fn replace_at(
        &self,
        now: Instant,
        id: &str,
        old: Option<&str>,
        new: Option<&str>,
    ) -> Result<bool, Fault> {
        self.states(now, |states, end| {
            let kept = states.by_id.get(id).map(|state| state.text.as_str());
            if kept != old {
                return Ok(false);
            }
            let size = |text: &str| text.len() + OVERHEAD;
            let grown = states.size - kept.map_or(0, size) + new.map_or(0, size);
            if grown > self.capacity && grown > states.size {
                return Err(Fault::exception(
                    "The service is busy: it has no room for another session. Send the request again later.",
                ));
            }
            states.remove(id);
            if let Some(new) = new {
                states.insert(id, new.to_owned(), end);
            }
            Ok(true)
        })
    }
}

impl States {
    fn insert(&mut self, id: &str, text: String, end: Instant) {
        self.size += text.len() + OVERHEAD;
        self.by_end.insert((end, id.to_owned()));
        self.by_id.insert(id.to_owned(), State { text, end });
    }

    fn remove(&mut self, id: &str) -> Option<String> {
        let (id, State { text, end }) = self.by_id.remove_entry(id)?;
        self.by_end.remove(&(end, id));
        self.size -= text.len() + OVERHEAD;
        Some(text)
    }
}

impl Default for MemorySessions {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for MemorySessions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MemorySessions")
            .field("lifetime", &self.lifetime)
            .field("capacity", &self.capacity)
            .finish_non_exhaustive()
    }
}

impl SessionStore for MemorySessions {
    async fn load(&self, id: &str) -> Result<Option<String>, Fault> {
        Ok(self.load_at(Instant::now(), id))
    }

    async fn replace(&self, id: &str, old: Option<&str>, new: Option<&str>) -> Result<bool, Fault> {
        self.replace_at(Instant::now(), id, old, new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: Duration = Duration::from_secs(60);

    #[test]
    fn a_state_is_replaced_by_who_knows_it() {
        let store = MemorySessions::new();
        let now = Instant::now();
        let replace = |old, new| store.replace_at(now, "a", old, new).unwrap();
        assert!(!replace(Some("1"), Some("2")));
        assert!(replace(None, Some("1")));
        assert!(!replace(None, Some("2")));
        assert!(replace(Some("1"), Some("2")));
        assert_eq!(store.load_at(now, "a").as_deref(), Some("2"));
        assert_eq!(store.load_at(now, "b"), None);
        assert!(!replace(Some("1"), None));
        assert!(replace(Some("2"), None));
        assert_eq!(store.load_at(now, "a"), None);
    }

    #[test]
    fn a_session_lasts_from_its_last_call_on() {
        let store = MemorySessions::new();
        let start = Instant::now();
        for id in ["used", "left"] {
            assert!(store.replace_at(start, id, None, Some("1")).unwrap());
        }
        let later = start + 19 * MINUTE;
        assert_eq!(store.load_at(later, "used").as_deref(), Some("1"));
        let later = start + 20 * MINUTE;
        assert_eq!(store.load_at(later, "left"), None);
        assert!(
            store
                .replace_at(later, "used", Some("1"), Some("2"))
                .unwrap()
        );
        let later = start + 39 * MINUTE;
        assert_eq!(store.load_at(later, "used").as_deref(), Some("2"));
        assert_eq!(store.load_at(later + 20 * MINUTE, "used"), None);
    }

    #[test]
    fn memory_is_bounded_and_free_again_after_a_while() {
        let store = MemorySessions::new().with_capacity(10 * (OVERHEAD + 100));
        let start = Instant::now();
        let text = "x".repeat(100);
        let add = |now, id: usize| store.replace_at(now, &id.to_string(), None, Some(&text));
        for id in 0..10 {
            assert!(add(start, id).unwrap());
        }
        assert!(add(start, 10).is_err());
        // Existing states stay, may be used, and may shrink.
        let longer = "x".repeat(101);
        assert!(
            store
                .replace_at(start, "0", Some(&text), Some(&longer))
                .is_err()
        );
        assert_eq!(store.load_at(start, "0"), Some(text.clone()));
        assert!(
            store
                .replace_at(start, "0", Some(&text), Some("x"))
                .unwrap()
        );
        assert!(store.replace_at(start, "1", Some(&text), None).unwrap());
        assert!(add(start, 10).unwrap());
        for id in 20..30 {
            assert!(add(start + 20 * MINUTE, id).unwrap());
        }
        let states = store.states.lock().unwrap();
        assert_eq!((states.by_id.len(), states.by_end.len()), (10, 10));
        assert_eq!(states.size, store.capacity);
    }
}
