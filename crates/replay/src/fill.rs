//! Recorded requests, filled with current values.

use std::collections::BTreeMap;
use std::fmt;

use bytes::Bytes;
use http::header::{COOKIE, HeaderName, HeaderValue};
use http::{HeaderMap, Request, Uri};
use svcgen::Secret;
use svcgen::mask::{CUT, Masked, OMITTED, SECRET, Secrets};

use crate::comparison::Learned;
use crate::content::{Content, words};
use crate::decode::{decode, encode};
use crate::headers::MediaType;
use crate::xml;

/// The headers that belong to a connection, or that the transport sets itself.
const NOT_SENT: [&str; 12] = [
    "connection",
    "content-length",
    "expect",
    "host",
    "keep-alive",
    "proxy-authenticate",
    "proxy-authorization",
    "proxy-connection",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
];

/// The values to send where recorded requests have `[secret]`, by the names of parameters, elements
/// and headers, in any letter case.
///
/// ```
/// use svcgen_replay::{MaskedValues, Replay};
///
/// let values = MaskedValues::default()
///     .with_where("password", ("userName", "ann"), &"ann's".to_owned().into())
///     .with("password", &"that of all others".to_owned().into());
/// let replay = Replay::new("recorded").with_values(values);
/// # let _ = replay;
/// ```
///
/// While requests are sent again, values from answers are added. Different callers may have
/// received different values for one recorded value: a request gets the values of its own
/// connection first, then those of its caller, which may have had several connections, then those
/// of any caller.
#[derive(Clone, Default)]
pub struct MaskedValues {
    /// The values for requests that contain another given value.
    given: Vec<Given>,
    scopes: BTreeMap<String, Scope>,
}

/// The value for a masked one, in requests that contain another given value.
#[derive(Clone)]
struct Given {
    /// In lower case.
    name: String,
    beside: (String, String),
    value: String,
}

/// The keys of the scopes whose values a request may contain, the nearest first. The last scope is
/// global.
pub(crate) type Scopes = [String; 3];

/// The values of a connection, of a caller, or of all callers.
#[derive(Clone, Default)]
struct Scope {
    /// Current values by the recorded value.
    recorded: BTreeMap<String, String>,
    /// Current values by the name of the masked value, in lower case.
    masked: BTreeMap<String, String>,
    cookies: BTreeMap<String, String>,
}

impl fmt::Debug for MaskedValues {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MaskedValues").finish_non_exhaustive()
    }
}

impl MaskedValues {
    /// Adds the value for a name in requests that contain a parameter, element or header with a
    /// text.
    #[must_use]
    pub fn with_where(
        mut self,
        name: &str,
        (parameter, text): (&str, &str),
        value: &Secret<String>,
    ) -> Self {
        self.given.push(Given {
            name: name.to_ascii_lowercase(),
            beside: (parameter.to_owned(), text.to_owned()),
            value: value.as_str().to_owned(),
        });
        self
    }

    /// Adds the value for a name in all other requests.
    #[must_use]
    pub fn with(mut self, name: &str, value: &Secret<String>) -> Self {
        let all = self.scopes.entry(String::new()).or_default();
        all.masked
            .insert(name.to_ascii_lowercase(), value.as_str().to_owned());
        self
    }

    /// Returns the values that replace masked ones in requests of these scopes.
    pub(crate) fn secrets(&self, scopes: &Scopes) -> Secrets {
        let scopes = scopes.iter().filter_map(|scope| self.scopes.get(scope));
        let held = scopes.flat_map(|scope| scope.masked.values().chain(scope.cookies.values()));
        let mut secrets = Secrets::new();
        let all = held.chain(self.given.iter().map(|given| &given.value));
        all.for_each(|secret| secrets.add(secret));
        secrets
    }

    pub(crate) fn learn(&mut self, learned: &[Learned], scopes: &Scopes) {
        for (scope, one) in scopes
            .iter()
            .flat_map(|of| learned.iter().map(move |one| (of, one)))
        {
            let scope = self.scopes.entry(scope.clone()).or_default();
            if one.is_cookie {
                scope.cookies.insert(one.name.clone(), one.now.clone());
            } else if one.recorded.trim() == SECRET {
                let name = one.name.to_ascii_lowercase();
                scope.masked.insert(name, one.now.clone());
            } else {
                scope.recorded.insert(one.recorded.clone(), one.now.clone());
            }
        }
    }

    /// Fills a recorded request with these values; `None` if other values are masked or omitted in
    /// it.
    pub fn filled(&self, recorded: &Request<Bytes>) -> Option<Request<Bytes>> {
        let filled = self.fill(recorded, &Scopes::default(), &Content::new(None, recorded));
        let filled = filled.ok().filter(|filled| !filled.has_omitted);
        filled.map(|filled| filled.request)
    }

    /// Returns the request to send for a recorded one.
    ///
    /// # Errors
    ///
    /// Returns an error if the request was not recorded completely, or contains a masked value that
    /// is not known.
    pub(crate) fn fill(
        &self,
        recorded: &Request<Bytes>,
        scopes: &Scopes,
        content: &Content<'_>,
    ) -> Result<Filled, Masked<String>> {
        let body = recorded.body();
        let charset = MediaType::of(recorded.headers()).charset;
        let text = decode(body, charset.as_deref()).map_or_else(
            |_| String::from_utf8_lossy(body).into_owned(),
            |decoded| decoded.text,
        );
        if text.trim() == OMITTED {
            return Err(words("its body was left out when it was recorded"));
        }
        let scopes = scopes.iter().filter_map(|scope| self.scopes.get(scope));
        let mut filling = Filling {
            given: self.given_for(recorded),
            scopes: scopes.collect(),
            unknown: Vec::new(),
        };
        let mut notes = Vec::new();
        let mut value = |name: &str, text: &str| filling.value(name, text);
        let mut filled = Request::new(filled_body(recorded.headers(), body, &mut value));
        *filled.method_mut() = recorded.method().clone();
        *filled.uri_mut() = filled_uri(recorded.uri(), &mut value);
        *filled.headers_mut() = filling.headers(recorded.headers(), &mut notes);
        if !filling.unknown.is_empty() {
            let names = content.text(&filling.unknown.join(", "));
            return Err(names.map(|names| format!(
                "the request holds masked values: give them by name (--secret NAME=VALUE), or let an earlier answer hold them: {names}"
            )));
        }
        let target = recorded.uri().to_string();
        let holds = |mask: &str| target.contains(mask) || text.contains(mask);
        if holds(CUT) {
            return Err(words("the request was not recorded whole"));
        }
        let has_omitted = holds(OMITTED);
        if has_omitted {
            notes.push("the request is sent with `[omitted]` in the place of what was left out when it was recorded".to_owned());
        }
        Ok(Filled {
            request: filled,
            notes,
            has_omitted,
        })
    }

    /// Returns the values that were given for requests like this one.
    fn given_for(&self, recorded: &Request<Bytes>) -> Vec<&Given> {
        if self.given.is_empty() {
            return Vec::new();
        }
        let mut held = Vec::new();
        let mut hold = |name: &str, text: &str| {
            held.push((name.to_owned(), text.trim().to_owned()));
            None
        };
        filled_body(recorded.headers(), recorded.body(), &mut hold);
        filled_uri(recorded.uri(), &mut hold);
        for (name, value) in recorded.headers() {
            hold(name.as_str(), &String::from_utf8_lossy(value.as_bytes()));
        }
        let is_beside = |given: &&Given| {
            let (name, text) = &given.beside;
            held.iter()
                .any(|(other, held)| name.eq_ignore_ascii_case(other) && text == held)
        };
        self.given.iter().filter(is_beside).collect()
    }
}

pub(crate) struct Filled {
    pub(crate) request: Request<Bytes>,
    pub(crate) notes: Vec<String>,
    /// Whether values were left out of the request when it was recorded.
    pub(crate) has_omitted: bool,
}

/// The state of filling a request.
struct Filling<'v> {
    given: Vec<&'v Given>,
    scopes: Vec<&'v Scope>,
    /// The names of masked values that are not known.
    unknown: Vec<String>,
}

impl Filling<'_> {
    /// Returns the value of the nearest scope that has the key.
    fn nearest(&self, of: fn(&Scope) -> &BTreeMap<String, String>, key: &str) -> Option<String> {
        let mut scopes = self.scopes.iter();
        scopes.find_map(|scope| of(scope).get(key)).cloned()
    }

    /// Returns the value for a masked one with a name, in lower case.
    fn masked(&self, name: &str) -> Option<String> {
        let mut given = self.given.iter();
        let given = given.find(|given| given.name == name);
        let given = given.map(|given| given.value.clone());
        given.or_else(|| self.nearest(|scope| &scope.masked, name))
    }

    /// Returns the value that replaces a recorded one.
    fn value(&mut self, name: &str, recorded: &str) -> Option<String> {
        let recorded = recorded.trim();
        if recorded != SECRET {
            return self.nearest(|scope| &scope.recorded, recorded);
        }
        let found = self.masked(&name.to_ascii_lowercase());
        if found.is_none() && !self.unknown.iter().any(|unknown| unknown == name) {
            self.unknown.push(name.to_owned());
        }
        found
    }

    fn headers(&mut self, recorded: &HeaderMap, notes: &mut Vec<String>) -> HeaderMap {
        let mut filled = HeaderMap::new();
        for (name, value) in recorded {
            if NOT_SENT.contains(&name.as_str()) {
                continue;
            }
            let value = match value.to_str() {
                Ok(_) if *name == COOKIE => self.cookies(value),
                Ok(SECRET) => self.masked(name.as_str()),
                Ok(text) => match self.nearest(|scope| &scope.recorded, text) {
                    Some(now) => Some(now),
                    None => {
                        filled.append(name, value.clone());
                        continue;
                    }
                },
                Err(_) => {
                    filled.append(name, value.clone());
                    continue;
                }
            };
            match value.and_then(|value| HeaderValue::try_from(value).ok()) {
                Some(mut value) => {
                    value.set_sensitive(true);
                    filled.append(name, value);
                }
                None => notes.push(left_out(name)),
            }
        }
        filled
    }

    /// Returns the recorded cookies with the values that were set since.
    fn cookies(&self, recorded: &HeaderValue) -> Option<String> {
        let recorded = recorded.to_str().ok()?;
        if recorded == SECRET {
            let mut scopes = self.scopes.iter().map(|scope| &scope.cookies);
            let now = scopes.find(|cookies| !cookies.is_empty())?;
            let all = now.iter().map(|(name, value)| format!("{name}={value}"));
            let all = all.collect::<Vec<_>>().join("; ");
            return Some(all);
        }
        let each = recorded.split(';').map(|cookie| {
            let (name, _) = cookie.split_once('=').unwrap_or((cookie, ""));
            match self.nearest(|scope| &scope.cookies, name.trim()) {
                Some(value) => format!("{}={value}", name.trim()),
                None => cookie.trim().to_owned(),
            }
        });
        Some(each.collect::<Vec<_>>().join("; "))
    }
}

/// Returns the replacement for a name and a recorded value, or `None` to keep the value.
type Value<'f> = dyn FnMut(&str, &str) -> Option<String> + 'f;

fn filled_uri(recorded: &Uri, value: &mut Value<'_>) -> Uri {
    let Some(query) = recorded.query() else {
        return recorded.clone();
    };
    let filled = format!("{}?{}", recorded.path(), filled_form(query, value));
    filled.parse().unwrap_or_else(|_| recorded.clone())
}

fn filled_body(headers: &HeaderMap, recorded: &Bytes, value: &mut Value<'_>) -> Bytes {
    let media_type = MediaType::of(headers);
    let Ok(decoded) = decode(recorded, media_type.charset.as_deref()) else {
        return recorded.clone();
    };
    let text = decoded.text.as_str();
    let filled = if media_type.essence == "application/x-www-form-urlencoded" {
        filled_form(text, value)
    } else if media_type.is_json() {
        filled_json(text, value)
    } else if text.trim_start().starts_with('<') {
        xml::filled(text, value).unwrap_or_else(|| text.to_owned())
    } else {
        return recorded.clone();
    };
    if filled == text {
        return recorded.clone();
    }
    encode([decoded.encoding, decoded.mark()], &filled).into()
}

fn filled_form(recorded: &str, value: &mut Value<'_>) -> String {
    let fields = recorded.split('&').map(|field| {
        let decode = |text: &str| {
            let text = text.replace('+', " ");
            let decoded = percent_encoding::percent_decode_str(&text);
            decoded.decode_utf8_lossy().into_owned()
        };
        let (name, text) = field.split_once('=')?;
        let now = value(&decode(name), &decode(text))?;
        let now = percent_encoding::utf8_percent_encode(&now, percent_encoding::NON_ALPHANUMERIC);
        Some(format!("{name}={now}"))
    });
    let filled = fields.zip(recorded.split('&'));
    let fields: Vec<_> = filled
        .map(|(filled, field)| filled.unwrap_or_else(|| field.to_owned()))
        .collect();
    fields.join("&")
}

/// Replaces the strings of a document, which are named by the members that they belong to.
fn filled_json(recorded: &str, value: &mut Value<'_>) -> String {
    let mut filled = String::with_capacity(recorded.len());
    let (mut name, mut rest) = (String::new(), recorded);
    while let Some(at) = rest.find('"') {
        filled += &rest[..at];
        rest = &rest[at..];
        let mut strings = serde_json::Deserializer::from_str(rest).into_iter::<String>();
        let Some(Ok(text)) = strings.next() else {
            break;
        };
        let end = strings.byte_offset();
        let is_name = rest[end..].trim_start().starts_with(':');
        if is_name {
            name = text;
            filled += &rest[..end];
        } else {
            match value(&name, &text) {
                Some(now) => filled += &serde_json::Value::from(now).to_string(),
                None => filled += &rest[..end],
            }
        }
        rest = &rest[end..];
    }
    filled + rest
}

fn left_out(name: &HeaderName) -> String {
    format!("the header {name} is not sent, as its recorded value is masked")
}
