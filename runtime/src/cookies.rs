//! A transport that keeps the cookies of servers.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use http::header::{COOKIE, SET_COOKIE};
use http::{HeaderMap, HeaderValue, Request, Response, Uri};

use crate::transport::{Transport, TransportError};

/// How many cookies are kept; the oldest gives way.
const MOST: usize = 50;

/// The bytes of the longest cookie that is kept, as in .NET.
const LONGEST: usize = 4096;

/// A transport that sends the cookies that servers set back to them, as a proxy of .NET with a `CookieContainer` does: the calls of one client,
/// and of its clones, are a session.
///
/// ```
/// # fn client(transport: svcgen::HttpTransport) {
/// let transport = svcgen::Cookies::new(transport);
/// # }
/// ```
///
/// Cookies go to the host that set them and to no other one, by their path, their age and `Secure` (RFC 6265 §5). Of all hosts together
/// 50 are kept, of at most 4 KiB each.
#[derive(Clone)]
pub struct Cookies<T> {
    transport: T,
    kept: Arc<Mutex<Vec<Cookie>>>,
}

impl<T> Cookies<T> {
    /// Sends requests through a transport; there are no cookies yet.
    pub fn new(transport: T) -> Self {
        let kept = Arc::default();
        Self { transport, kept }
    }

    /// Forgets all cookies: the next call begins a new session.
    pub fn clear(&self) {
        self.kept().clear();
    }

    fn kept(&self) -> MutexGuard<'_, Vec<Cookie>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T: Transport + Sync> Transport for Cookies<T> {
    async fn send(&self, mut request: Request<Bytes>) -> Result<Response<Bytes>, TransportError> {
        let url = request.uri().clone();
        let now = SystemTime::now();
        if let Some(cookies) = sent(&mut self.kept(), &url, now) {
            request.headers_mut().append(COOKIE, cookies);
        }
        let response = self.transport.send(request).await?;
        keep(&mut self.kept(), &url, response.headers(), now);
        Ok(response)
    }
}

/// Without the values, which are secrets.
impl<T> fmt::Debug for Cookies<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cookies")
            .field("kept", &self.kept().len())
            .finish_non_exhaustive()
    }
}

#[derive(Debug, PartialEq)]
struct Cookie {
    host: String,
    path: String,
    /// `NAME=VALUE`
    pair: String,
    secure: bool,
    expires: Option<SystemTime>,
}

impl Cookie {
    /// Reads a `Set-Cookie`; `None` if it cannot be kept.
    fn read(header: &HeaderValue, url: &Uri, now: SystemTime) -> Option<Self> {
        let mut parts = header.to_str().ok()?.split(';');
        let (name, value) = parts.next()?.split_once('=')?;
        let pair = format!("{}={}", name.trim(), value.trim());
        let host = url.host()?.to_ascii_lowercase();
        let mut cookie = Self {
            path: default_path(url.path()).to_owned(),
            secure: false,
            expires: None,
            host,
            pair,
        };
        let mut age = None;
        for part in parts {
            let (key, value) = part.split_once('=').unwrap_or((part, ""));
            let value = value.trim();
            match key.trim().to_ascii_lowercase().as_str() {
                "path" if value.starts_with('/') => cookie.path = value.to_owned(),
                "secure" => cookie.secure = true,
                "domain" if !is_domain_of(value, &cookie.host) => return None,
                "expires" => cookie.expires = date(value).or(cookie.expires),
                "max-age" => age = value.parse::<i64>().ok().or(age),
                _ => {}
            }
        }
        if let Some(age) = age {
            let seconds = Duration::from_secs(u64::try_from(age).unwrap_or_default());
            cookie.expires = now.checked_add(seconds);
        }
        let is_kept = cookie.pair.len() + cookie.path.len() <= LONGEST && !name.trim().is_empty();
        is_kept.then_some(cookie)
    }

    fn name(&self) -> &str {
        self.pair.split('=').next().unwrap_or_default()
    }

    fn is_over(&self, now: SystemTime) -> bool {
        self.expires.is_some_and(|expires| expires <= now)
    }

    fn is_for(&self, url: &Uri) -> bool {
        let is_host = |host: &str| host.eq_ignore_ascii_case(&self.host);
        let rest = url.path().strip_prefix(&*self.path);
        let is_below = rest.is_some_and(|rest| {
            rest.is_empty() || rest.starts_with('/') || self.path.ends_with('/')
        });
        let is_safe = !self.secure || url.scheme_str() == Some("https");
        url.host().is_some_and(is_host) && is_below && is_safe
    }
}

/// The `Cookie` of a request: the cookies of longer paths first (RFC 6265 §5.4).
fn sent(kept: &mut Vec<Cookie>, url: &Uri, now: SystemTime) -> Option<HeaderValue> {
    kept.retain(|cookie| !cookie.is_over(now));
    let mut sent: Vec<_> = kept.iter().filter(|cookie| cookie.is_for(url)).collect();
    sent.sort_by_key(|cookie| std::cmp::Reverse(cookie.path.len()));
    let pairs: Vec<_> = sent.into_iter().map(|cookie| &*cookie.pair).collect();
    let text = Some(pairs.join("; ")).filter(|text| !text.is_empty());
    HeaderValue::try_from(text?).ok()
}

/// Keeps the cookies of a response.
fn keep(kept: &mut Vec<Cookie>, url: &Uri, headers: &HeaderMap, now: SystemTime) {
    for header in headers.get_all(SET_COOKIE) {
        let Some(cookie) = Cookie::read(header, url, now) else {
            continue;
        };
        let id = |cookie: &Cookie| {
            let name = cookie.name().to_owned();
            (cookie.host.clone(), cookie.path.clone(), name)
        };
        match kept.iter().position(|other| id(other) == id(&cookie)) {
            Some(index) => kept[index] = cookie,
            None => kept.push(cookie),
        }
        kept.retain(|cookie| !cookie.is_over(now));
        if kept.len() > MOST {
            kept.remove(0);
        }
    }
}

/// The path of a cookie that names none: that of the request without its last segment (RFC 6265 §5.1.4).
fn default_path(path: &str) -> &str {
    match path.rfind('/') {
        None | Some(0) => "/",
        Some(end) => &path[..end],
    }
}

/// Whether a cookie of this domain may come from a host.
fn is_domain_of(domain: &str, host: &str) -> bool {
    let domain = domain.trim_start_matches('.').to_ascii_lowercase();
    let rest = host.strip_suffix(&*domain);
    domain.is_empty() || rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
}

const MONTHS: [&str; 12] = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
];

/// Reads a date in any of the forms that servers write, `Thu, 01-Jan-1970 00:00:00 GMT` too (RFC 6265 §5.1.1). One before 1970 is the beginning of that year.
fn date(text: &str) -> Option<SystemTime> {
    let (mut time, mut day, mut month, mut year) = (None, None, None, None);
    for word in text.split(|c: char| !c.is_ascii_alphanumeric() && c != ':') {
        let number = word.parse::<u64>().ok();
        let named = word.get(..3).map(str::to_ascii_lowercase);
        let named = named.and_then(|word| MONTHS.iter().position(|month| *month == word));
        if word.contains(':') && time.is_none() {
            let parts = word.split(':').map(|part| part.parse::<u64>().ok());
            let parts: Option<Vec<_>> = parts.collect();
            time = match parts?[..] {
                [hour @ 0..24, minute @ 0..60, second @ 0..60] => {
                    Some(hour * 3600 + minute * 60 + second)
                }
                _ => return None,
            };
        } else if let (Some(number @ 1..=31), 1..=2, None) = (number, word.len(), day) {
            day = Some(number);
        } else if let (Some(number), None) = (named, month) {
            month = Some(number);
        } else if let (Some(number), 2 | 4, None) = (number, word.len(), year) {
            year = Some(match number {
                _ if word.len() == 4 => number,
                70..=99 => 1900 + number,
                _ => 2000 + number,
            });
        }
    }
    let (year, month) = (year?, month? as u64);
    // Days of the Gregorian calendar, in years that begin with March.
    let (year, shifted) = if month < 2 {
        (year.checked_sub(1)?, month + 10)
    } else {
        (year, month - 2)
    };
    let days = 365 * year + year / 4 - year / 100 + year / 400 + (153 * shifted + 2) / 5 + day? - 1;
    let seconds = days.saturating_sub(719_468) * 86_400 + time?;
    SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: u64) -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)
    }

    #[test]
    fn dates_are_read_as_servers_write_them() {
        for (text, seconds) in [
            ("Thu, 01 Jan 1970 00:00:00 GMT", Some(0)),
            ("Thu, 01-Jan-1970 00:00:01 GMT", Some(1)),
            ("Fri, 01-Mar-2024 00:00:00 GMT", Some(1_709_251_200)),
            ("Thu, 29 Feb 2024 23:59:59 GMT", Some(1_709_251_199)),
            ("Thursday, 29-Feb-24 23:59:59 GMT", Some(1_709_251_199)),
            ("Thu Feb 29 23:59:59 2024", Some(1_709_251_199)),
            ("Tue, 19-Jan-2038 03:14:07 GMT", Some(2_147_483_647)),
            ("Mon, 01-Jan-0001 00:00:00 GMT", Some(0)),
            ("Thu, 29 Feb 2024 24:00:00 GMT", None),
            ("Thu, 29 Feb 2024 1:2 GMT", None),
            ("29 Feb 2024", None),
            ("", None),
            ("99999999999999999999999 \u{e9}", None),
        ] {
            assert_eq!(date(text), seconds.map(at), "{text}");
        }
    }

    /// The `Cookie` to a URL after `Set-Cookie`s of another one.
    fn cookies(set: &[&str], from: &str, to: &str, now: u64) -> Option<String> {
        let mut headers = HeaderMap::new();
        for cookie in set {
            headers.append(SET_COOKIE, HeaderValue::from_str(cookie).unwrap());
        }
        let mut kept = Vec::new();
        keep(&mut kept, &from.parse().unwrap(), &headers, at(100));
        let sent = sent(&mut kept, &to.parse().unwrap(), at(now))?;
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
            assert_eq!(
                cookies(set, from, to, 100).as_deref(),
                expected,
                "{set:?} {to}"
            );
        }
        assert_eq!(cookies(&["a=1; max-age=60"], from, from, 160), None);
    }

    #[test]
    fn few_and_short_cookies_are_kept() {
        let from = "http://h/";
        let set: Vec<_> = (0..60).map(|n| format!("c{n}=1")).collect();
        let set: Vec<_> = set.iter().map(String::as_str).collect();
        let sent = cookies(&set, from, from, 100).unwrap();
        assert_eq!(sent.split("; ").count(), MOST);
        assert!(sent.starts_with("c10=1; ") && sent.ends_with("; c59=1"));
        let long = format!("a={}", "x".repeat(LONGEST));
        assert_eq!(cookies(&[&long], from, from, 100), None);
    }
}
