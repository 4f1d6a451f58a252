//! Hints for HTTP statuses that no service answers with.

use http::header::{AsHeaderName, LOCATION, RETRY_AFTER, WWW_AUTHENTICATE};
use http::{HeaderMap, StatusCode, Uri};

use svcgen_wire::internals::printable;

/// Returns the hint for a status with these headers, in the answer to a call of the service at
/// `url`.
pub(crate) fn status_hint(status: StatusCode, headers: &HeaderMap, url: &Uri) -> Option<String> {
    let header = |name| value(headers, name);
    Some(match status {
        StatusCode::UNAUTHORIZED => match header(WWW_AUTHENTICATE) {
            Some(scheme) => {
                // The text after the name of the scheme may be a token of the session.
                let scheme = scheme.split([' ', ',']).next().unwrap_or_default();
                format!("it wants credentials for {scheme}, in the header Authorization")
            }
            None => "it wants credentials, in the header Authorization".to_owned(),
        },
        StatusCode::FORBIDDEN => {
            format!("the caller may not use {url}, or its credentials are not enough")
        }
        StatusCode::NOT_FOUND | StatusCode::GONE => format!(
            "there is no service at {url}; give the URL of the service, or the base URL before the path of its definition"
        ),
        StatusCode::METHOD_NOT_ALLOWED => {
            format!("{url} takes no calls, so it may not be the URL of the service")
        }
        StatusCode::PROXY_AUTHENTICATION_REQUIRED => {
            "the proxy before the service wants credentials".to_owned()
        }
        StatusCode::PAYLOAD_TOO_LARGE => "the request is longer than the server allows".to_owned(),
        StatusCode::UNSUPPORTED_MEDIA_TYPE => {
            "the service may not speak this binding; choose another one with `with_binding`"
                .to_owned()
        }
        StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE => {
            match header(RETRY_AFTER) {
                Some(when) if when.bytes().all(|byte| byte.is_ascii_digit()) => {
                    format!("it is busy; try again in {when} seconds")
                }
                Some(when) => format!("it is busy; try again from {when} on"),
                None => "it is busy or out of service; try again later".to_owned(),
            }
        }
        StatusCode::BAD_GATEWAY | StatusCode::GATEWAY_TIMEOUT => {
            "a proxy before the service got no answer from it".to_owned()
        }
        status if status.is_redirection() => match header(LOCATION) {
            Some(target) => {
                // A query may contain a token, and the authority a password.
                let target = target.split(['?', '#']).next().unwrap_or_default();
                let target = target.rsplit('@').next().unwrap_or_default();
                format!("no redirect is followed; if {target} is the service, give its URL")
            }
            None => "no redirect is followed".to_owned(),
        },
        _ => return None,
    })
}

fn value(headers: &HeaderMap, name: impl AsHeaderName) -> Option<String> {
    let value = headers.get(name)?.to_str().ok()?;
    const SHOWN: usize = 200;
    Some(printable(value.get(..SHOWN).unwrap_or(value))).filter(|value| !value.is_empty())
}
