//! WS-Security of clients.

use std::time::{Duration, SystemTime};

use super::header;
use super::names::WSSE;
use super::time;
use super::username_token::UsernameToken;
use svcgen_core::{Client, transport::WithSoapHeader};
use svcgen_wire::{ReadError, ReadErrorKind, Reader};

/// The largest accepted difference of the server's clock.
const SKEW: Duration = Duration::from_secs(300);

/// Adds WS-Security to a [`Client`].
pub trait ClientSecurity<T> {
    /// Sends a token with each request over SOAP, and a timestamp: see
    /// [`ws_security`](crate::ws_security).
    ///
    /// A nonce is valid once, so add [retries](svcgen_core::Client::with_retries) after this. An
    /// answer with an expiry is accepted until five minutes after it.
    #[must_use]
    fn with_ws_security(self, token: UsernameToken) -> Client<WithSoapHeader<T>>;
}

impl<T> ClientSecurity<T> for Client<T> {
    fn with_ws_security(self, token: UsernameToken) -> Client<WithSoapHeader<T>> {
        self.with_soap_header(move |_| token.header(SystemTime::now()))
            .with_understood(read_answer_header)
    }
}

/// Reads the current header of an answer, if it belongs to WS-Security.
fn read_answer_header(reader: &mut Reader<'_>) -> Result<bool, ReadError> {
    if !reader.is(WSSE, "Security") {
        return Ok(false);
    }
    let mut refused = None;
    let header = header::read_children(reader, None, &mut refused)?;
    let failed = |message: String| Err(reader.error(ReadErrorKind::Value, message));
    if let Some(fault) = refused {
        return failed(fault.text().to_owned());
    }
    let expires = header.timestamp.and_then(|timestamp| timestamp.expires);
    let expires = expires.and_then(|expires| time::parse(&expires));
    let now = SystemTime::now();
    match expires {
        Some(expires) if expires.checked_add(SKEW).is_some_and(|end| end < now) => {
            let (expires, now) = (time::write(expires), time::write(now));
            failed(format!(
                "Its wsu:Timestamp expired at {expires}, and here it is {now}."
            ))
        }
        _ => Ok(true),
    }
}
