//! WS-Addressing of clients.

use bytes::Bytes;
use http::Request;

use super::reply::{new_id, write};
use super::version::Version;
use svcgen_core::{
    Client,
    transport::{CalledOperation, WithSoapHeader},
};
use svcgen_wire::{ReadError, Reader, WriteError, types::XmlFragment};

/// Adds WS-Addressing to a [`Client`].
pub trait ClientAddressing<T> {
    /// Sends the headers of WS-Addressing with each request over SOAP, and understands those of
    /// answers: see [`ws_addressing`](crate::ws_addressing).
    ///
    /// They are `Action`, `MessageID`, `ReplyTo`, which is anonymous, and `To`, the URL.
    /// `RelatesTo` is not compared, because HTTP relates answers to requests. Each try of a call
    /// has its own id if [retries](svcgen_core::Client::with_retries) are added after this.
    ///
    /// ```
    /// use svcgen_ws::ws_addressing::{ClientAddressing, Version};
    ///
    /// # fn example<T: svcgen::Transport>(client: svcgen::codegen::Client<T>) -> svcgen::codegen::Client<impl svcgen::Transport> {
    /// client.with_ws_addressing(Version::Recommendation)
    /// # }
    /// ```
    #[must_use]
    fn with_ws_addressing(self, version: Version) -> Client<WithSoapHeader<T>>;
}

impl<T> ClientAddressing<T> for Client<T> {
    fn with_ws_addressing(self, version: Version) -> Client<WithSoapHeader<T>> {
        self.with_soap_header(move |request| headers(version, request))
            .with_understood(read_answer_header)
    }
}

fn headers(version: Version, request: &Request<Bytes>) -> Result<XmlFragment, WriteError> {
    let called = request.extensions().get::<CalledOperation>();
    let action = called.map_or("", CalledOperation::action);
    let (id, to) = (new_id(), request.uri().to_string());
    let first = write(version, &[("Action", action), ("MessageID", &id)])?;
    let last = write(version, &[("To", &to)])?;
    let (namespace, anonymous) = (version.namespace(), version.anonymous());
    Ok(XmlFragment::trusted(format!(
        "{first}<wsa:ReplyTo xmlns:wsa=\"{namespace}\"><wsa:Address>{anonymous}</wsa:Address></wsa:ReplyTo>{last}"
    )))
}

/// Skips the current header of an answer, if it belongs to WS-Addressing.
fn read_answer_header(reader: &mut Reader<'_>) -> Result<bool, ReadError> {
    let mut versions = Version::ALL.into_iter();
    let is_known = versions.any(|version| reader.namespace() == version.namespace());
    if is_known {
        reader.skip()?;
    }
    Ok(is_known)
}
