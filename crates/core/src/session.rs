//! Sessions: a cookie identifies the calls of one caller, as in ASP.NET.

use std::sync::OnceLock;

use http::HeaderMap;
use http::header::COOKIE;

use crate::call::Context;
use crate::response::SESSION_COOKIE;

/// The length of an id, in characters.
const LENGTH: usize = 24;

/// The characters of ids, of 5 bits each.
const CHARACTERS: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz012345";

/// The session of a call. A [`SessionStore`](crate::SessionStore) keeps its state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Session<'c> {
    id: &'c str,
    is_new: bool,
}

impl<'c> Session<'c> {
    /// Returns the id: 24 characters of `a` to `z` and `0` to `5`, which nobody can guess.
    pub fn id(&self) -> &'c str {
        self.id
    }

    /// Returns whether this call starts the session; its answer then sets the cookie.
    pub fn is_new(&self) -> bool {
        self.is_new
    }
}

impl Context {
    /// Returns the session of the caller's cookie, or a new session, whose cookie the answer (or
    /// fault) sets over every binding. `None` unless the operation has `session: true`.
    ///
    /// As in ASP.NET, any id of the right form is accepted, known or not; replace an id that the
    /// handler does not know with [`new_session`](Self::new_session). A one-way call over SOAP can
    /// only continue a session, because it is answered before its handler is done.
    ///
    /// [`SessionStore::update`](crate::SessionStore::update) shows its use.
    ///
    /// # Panics
    ///
    /// The system provides no random bytes.
    pub fn session(&self) -> Option<Session<'_>> {
        let made = self.made_session()?;
        match made.get() {
            None => match given(self.headers()) {
                Some(id) => Some(Session { id, is_new: false }),
                None => self.new_session(),
            },
            Some(_) => self.new_session(),
        }
    }

    /// Starts a new session instead of the caller's. Do this after a login, so that nobody who knew
    /// the old id can join, or for an id that the handler does not know. Later calls of this and of
    /// [`session`](Self::session) return the same session.
    ///
    /// # Panics
    ///
    /// The system provides no random bytes.
    pub fn new_session(&self) -> Option<Session<'_>> {
        let made = self.made_session()?;
        let id = made.get_or_init(new_id);
        Some(Session { id, is_new: true })
    }

    /// Returns the cell for the id of a new session, if the operation has sessions.
    fn made_session(&self) -> Option<&OnceLock<String>> {
        self.operation().session.then_some(&self.heads.session)
    }
}

/// Returns the id in the cookies of a request.
fn given(headers: &HeaderMap) -> Option<&str> {
    let cookies = headers.get_all(COOKIE).into_iter();
    let cookies = cookies.filter_map(|cookies| cookies.to_str().ok());
    let mut pairs = cookies.flat_map(|cookies| cookies.split(';'));
    pairs.find_map(|pair| {
        let (name, id) = pair.trim().split_once('=')?;
        let is_id = id.len() == LENGTH && id.bytes().all(|byte| CHARACTERS.contains(&byte));
        (is_id && name.eq_ignore_ascii_case(SESSION_COOKIE)).then_some(id)
    })
}

fn new_id() -> String {
    let mut bytes = [0; LENGTH];
    getrandom::fill(&mut bytes).expect("the system gives random bytes");
    let characters = bytes.map(|byte| char::from(CHARACTERS[usize::from(byte % 32)]));
    characters.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "abcdefghijklmnopqrst0123";

    #[test]
    fn the_id_is_found_among_cookies() {
        for (cookies, expected) in [
            (&[][..], None),
            (
                &["ASP.NET_SessionId=abcdefghijklmnopqrst0123"][..],
                Some(ID),
            ),
            (
                &["a=b;asp.net_sessionid=abcdefghijklmnopqrst0123 ; c"],
                Some(ID),
            ),
            (
                &[
                    "a=b",
                    "\u{e9}=1",
                    "ASP.NET_SessionId=abcdefghijklmnopqrst0123",
                ],
                Some(ID),
            ),
            (
                &[
                    "ASP.NET_SessionId=",
                    "ASP.NET_SessionId=abcdefghijklmnopqrst0123",
                ],
                Some(ID),
            ),
            (&["ASP.NET_SessionId=abcdefghijklmnopqrst012"], None),
            (&["ASP.NET_SessionId=Abcdefghijklmnopqrst0123"], None),
            (&["ASP.NET_SessionId=abcdefghijklmnopqrst0126"], None),
            (&["NET_SessionId=abcdefghijklmnopqrst0123"], None),
        ] {
            let mut headers = HeaderMap::new();
            for cookie in cookies {
                headers.append(COOKIE, cookie.as_bytes().try_into().unwrap());
            }
            assert_eq!(given(&headers), expected, "{cookies:?}");
        }
    }

    #[test]
    fn new_ids_differ_and_are_ids() {
        let ids: std::collections::HashSet<_> = (0..1000).map(|_| new_id()).collect();
        assert_eq!(ids.len(), 1000);
        for id in ids {
            let mut headers = HeaderMap::new();
            let cookie = format!("{SESSION_COOKIE}={id}");
            headers.insert(COOKIE, cookie.try_into().unwrap());
            assert_eq!(given(&headers), Some(&*id));
        }
    }
}
