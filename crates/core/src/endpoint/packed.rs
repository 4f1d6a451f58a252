//! Calls whose message was sent with parts: they are unpacked while the body arrives.

use std::pin::Pin;
use std::sync::Arc;

use bytes::Bytes;
use http::request;
use http_body::Body;

use super::Endpoint;
use super::admission::{Admitted, Coded, admit};
use crate::binding::protocol::Route;
use crate::heads::Heads;
use crate::layer::CallResponse;
use crate::media_type::{MediaType, header_text};
use crate::packaging::{Unpacked, Unpacking};

impl Endpoint {
    /// Returns the code that unpacks the body of a call, if its message was sent with parts.
    pub(super) fn unpacking(&self, route: Route, parts: &request::Parts) -> Option<Box<Unpacking>> {
        let options = self.options();
        let packaging = options.packaging.as_ref()?;
        if !route.protocol.binding().is_soap() {
            return None;
        }
        let unpacking = Unpacking::of(&**packaging, &parts.headers, options.limits.body);
        unpacking.map(Box::new)
    }

    /// Returns the limit of a call's body in bytes.
    pub(super) fn most_bytes(&self, route: Route, parts: &request::Parts) -> usize {
        let unpacking = self.unpacking(route, parts);
        unpacking.map_or(self.options().limits.body, |unpacking| unpacking.limit)
    }
}

/// Collects a call, and reduces its body to the message.
pub(super) fn admit_packed<'a, B: Body>(
    mut unpacking: Box<Unpacking>,
    route: &'a mut Route,
    heads: &'a mut Arc<Heads>,
    body: Pin<&'a mut B>,
) -> Pin<Box<impl Future<Output = Admitted>>> {
    Box::pin(async move {
        let (protocol, limit, parts) = (route.protocol, unpacking.limit, &heads.parts);
        let failed = |failure| Box::new(CallResponse::failed(Some(protocol), failure));
        let unpacks = Some(&mut *unpacking);
        let admitted = admit(Some(protocol), limit, parts, body, Coded::Read, unpacks);
        let (_, grant) = admitted.await?;
        let unpacked = unpacking.finish().map_err(failed)?;
        read_charset(route, &unpacked);
        let message = unpacked.into_message(&mut Heads::of_request(heads).parts);
        Ok((message, grant))
    })
}

/// Returns the message of a body; `None` if the body cannot be unpacked.
pub(super) fn message_of(
    mut unpacking: Unpacking,
    route: &mut Route,
    body: &[u8],
) -> Option<Bytes> {
    unpacking.push(body).ok()?;
    let unpacked = unpacking.finish().ok()?;
    read_charset(route, &unpacked);
    Some(unpacked.message)
}

fn read_charset(route: &mut Route, unpacked: &Unpacked) {
    let content_type = header_text(Some(&unpacked.content_type));
    route.head.charset = MediaType::read(&content_type).charset();
}
