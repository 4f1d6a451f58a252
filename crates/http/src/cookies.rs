//! A transport that keeps the cookies of servers.

use std::cmp::Reverse;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use cookie_store::{Cookie, CookieDomain, CookieError, CookieStore};
use http::header::{COOKIE, SET_COOKIE};
use http::{HeaderMap, HeaderValue, Request, Response};
use url::Url;

use svcgen_core::transport::{Transport, TransportError};

/// The largest number of stored cookies. Beyond it, an expired cookie is removed, or else the first
/// one in the store.
const MOST: usize = 50;

/// The length of the longest stored cookie in bytes, as in .NET.
const LONGEST: usize = 4096;

/// A transport that sends cookies back to the servers that set them, like a .NET client with a
/// `CookieContainer`: the calls of one client and its clones form a session.
///
/// ```
/// # fn client(transport: svcgen::HttpTransport) {
/// let transport = svcgen_http::Cookies::new(transport);
/// # }
/// ```
///
/// Cookies go only to the host that set them, according to their path, their age and `Secure` (RFC
/// 6265 §5). For all hosts together, 50 cookies of at most 4 KiB each are stored.
#[derive(Clone)]
pub struct Cookies<T> {
    transport: T,
    kept: Arc<Mutex<CookieStore>>,
}

impl<T> Cookies<T> {
    /// Creates a transport that sends requests through `transport`, without cookies at first.
    pub fn new(transport: T) -> Self {
        let kept = Arc::default();
        Self { transport, kept }
    }

    /// Removes all cookies, so the next call starts a new session.
    pub fn clear(&self) {
        self.kept().clear();
    }

    fn kept(&self) -> MutexGuard<'_, CookieStore> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T: Transport + Sync> Transport for Cookies<T> {
    async fn send(&self, mut request: Request<Bytes>) -> Result<Response<Bytes>, TransportError> {
        let Ok(url) = Url::parse(&request.uri().to_string()) else {
            return self.transport.send(request).await;
        };
        if let Some(mut cookies) = sent(&self.kept(), &url) {
            // A request has one `Cookie` (RFC 6265 §5.4): some servers read only the first.
            if let Some(own) = request.headers().get(COOKIE) {
                let both = [own.as_bytes(), b"; ", cookies.as_bytes()].concat();
                cookies = HeaderValue::from_bytes(&both).unwrap_or(cookies);
            }
            request.headers_mut().insert(COOKIE, cookies);
        }
        let response = self.transport.send(request).await?;
        keep(&mut self.kept(), &url, response.headers());
        Ok(response)
    }

    fn timeout(&self) -> Option<Duration> {
        self.transport.timeout()
    }
}

/// Omits the values, which are secrets.
impl<T> fmt::Debug for Cookies<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cookies")
            .field("kept", &self.kept().iter_unexpired().count())
            .finish_non_exhaustive()
    }
}

/// Returns the `Cookie` of a request, with the cookies of longer paths first (RFC 6265 §5.4).
fn sent(kept: &CookieStore, url: &Url) -> Option<HeaderValue> {
    let mut sent = kept.matches(url);
    sent.sort_by_key(|cookie| Reverse(cookie.path.len()));
    let pairs: Vec<_> = sent.iter().map(|cookie| pair(cookie)).collect();
    let text = Some(pairs.join("; ")).filter(|text| !text.is_empty());
    HeaderValue::try_from(text?).ok()
}

fn pair(cookie: &Cookie<'_>) -> String {
    format!("{}={}", cookie.name(), cookie.value())
}

/// Stores the cookies of a response.
fn keep(kept: &mut CookieStore, url: &Url, headers: &HeaderMap) {
    for header in headers.get_all(SET_COOKIE) {
        let Some(cookie) = header.to_str().ok().and_then(|text| read(text, url).ok()) else {
            continue;
        };
        if pair(&cookie).len() + cookie.path.len() > LONGEST {
            continue;
        }
        // A cookie that has already expired removes the stored one.
        let _ = kept.insert(cookie, url);
        while kept.iter_any().count() > MOST {
            let Some(oldest) = kept.iter_any().min_by_key(|cookie| !cookie.is_expired()) else {
                break;
            };
            let domain = String::from(&oldest.domain);
            let (path, name) = (String::from(&oldest.path), oldest.name().to_owned());
            kept.remove(&domain, &path, &name);
        }
    }
}

/// Reads a `Set-Cookie` as a cookie of only this host, which must be in the domain of the cookie.
fn read(text: &str, url: &Url) -> Result<Cookie<'static>, CookieError> {
    let mut cookie = Cookie::parse(text, url)?.into_owned();
    if !cookie.domain.matches(url) {
        return Err(CookieError::DomainMismatch);
    }
    cookie.domain = CookieDomain::host_only(url)?;
    Ok(cookie)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the `Cookie` for a URL after `Set-Cookie` headers from another one.
    fn cookies(set: &[&str], from: &str, to: &str) -> Option<String> {
        let mut headers = HeaderMap::new();
        for cookie in set {
            headers.append(SET_COOKIE, HeaderValue::from_str(cookie).unwrap());
        }
        let mut kept = CookieStore::default();
        keep(&mut kept, &from.parse().unwrap(), &headers);
        let sent = sent(&kept, &to.parse().unwrap())?;
        Some(sent.to_str().unwrap().to_owned())
    }

    #[test]
    fn cookies_go_where_they_belong() {
        let from = "http://Host/a/s.asmx";
        for (set, to, expected) in [
            (&["a=1"][..], "http://host/a/t", Some("a=1")),
            (&["a=1"], "http://host:81/a", Some("a=1")),
            (&["a=1"], "http://host/ab", None),
            (&["a=1"], "http://other/a/s.asmx", None),
            (
                &["a=1; path=/", "b = 2 ; Path=/a/"],
                "http://host/a/b",
                Some("b=2; a=1"),
            ),
            (&["a=1; path=/b"], "http://host/b", Some("a=1")),
            (&["a=1; path=/", "a=2; path=/"], "http://host/", Some("a=2")),
            (&["a=1; Secure; path=/"], "http://host/", None),
            (&["a=1; Secure; path=/"], "https://host/", Some("a=1")),
            (&["a=1; domain=.HOST"], "http://host/a/", Some("a=1")),
            (&["a=1; domain=ost"], "http://host/a/", None),
            (&["a=1; max-age=0"], "http://host/a/", None),
            (
                &["a=1; max-age=-1; expires=Tue, 19-Jan-2038 03:14:07 GMT"],
                "http://host/a/",
                None,
            ),
            (&["a=1; max-age=60"], "http://host/a/", Some("a=1")),
            (
                &["a=1", "a=; expires=Thu, 01-Jan-1970 00:00:00 GMT"],
                "http://host/a/",
                None,
            ),
            (
                &["a=b=c; HttpOnly; SameSite=Lax"],
                "http://host/a/",
                Some("a=b=c"),
            ),
            (&["=1", "a", ""], "http://host/a/", None),
        ] {
            assert_eq!(cookies(set, from, to).as_deref(), expected, "{set:?} {to}");
        }
    }

    #[test]
    fn few_and_short_cookies_are_kept() {
        let from = "http://h/";
        let set: Vec<_> = (0..60).map(|n| format!("c{n}=1")).collect();
        let set: Vec<_> = set.iter().map(String::as_str).collect();
        let sent = cookies(&set, from, from).unwrap();
        assert_eq!(sent.split("; ").count(), MOST);
        assert!(sent.starts_with("c10=1; ") && sent.ends_with("; c59=1"));
        let long = format!("a={}", "x".repeat(LONGEST));
        assert_eq!(cookies(&[&long], from, from), None);
    }
}
