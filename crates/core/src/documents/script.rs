//! Script proxies over HTTP, with the headers of ASP.NET: browsers cache a script, and ask each
//! time whether it has changed.

use std::sync::OnceLock;
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use http::header::{CACHE_CONTROL, EXPIRES, IF_MODIFIED_SINCE, LAST_MODIFIED};
use http::{HeaderValue, Response, StatusCode, request};
use httpdate::HttpDate;
use svcgen_documents::Proxy;

use crate::response;

const YEAR: Duration = Duration::from_secs(365 * 24 * 60 * 60);

/// Returns the last modification time of the scripts: the time of the first request, because the
/// scripts are part of the program.
fn changed() -> SystemTime {
    static CHANGED: OnceLock<SystemTime> = OnceLock::new();
    *CHANGED.get_or_init(SystemTime::now)
}

/// Returns the answer to a request for a script.
pub(super) fn answer(proxy: Proxy, script: String, parts: &request::Parts) -> Response<Bytes> {
    let changed = changed();
    let known = parts.headers.get(IF_MODIFIED_SINCE);
    let known = known.and_then(|known| known.to_str().ok()?.parse::<HttpDate>().ok());
    let is_known = known.is_some_and(|known| known >= HttpDate::from(changed));
    let mut response = if is_known {
        response::called(StatusCode::NOT_MODIFIED, None, Vec::new())
    } else {
        let content_type = Some(Proxy::CONTENT_TYPE);
        response::called(StatusCode::OK, content_type, script.into_bytes())
    };
    let headers = response.headers_mut();
    if proxy.is_commented() {
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("private"));
        return response;
    }
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("public"));
    for (name, time) in [(LAST_MODIFIED, changed), (EXPIRES, changed - YEAR)] {
        if let Ok(date) = HeaderValue::try_from(HttpDate::from(time).to_string()) {
            headers.insert(name, date);
        }
    }
    response
}
