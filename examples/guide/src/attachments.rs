//! A server and a client of messages with attachments.

use svcgen::{CallError, HttpTransport};

use crate::basket::{BasketClient, BasketHandler, BasketServer};

// ANCHOR: server
use svcgen_attachments::{Attachments, ServerAttachments};

/// Reads messages of up to 32 MiB with their parts, and answers in MTOM whoever speaks it.
pub fn with_mtom<H: BasketHandler>(handler: H) -> BasketServer<H> {
    BasketServer::new(handler).with_attachments(Attachments::new().with_bytes(32 << 20))
}
// ANCHOR_END: server

// ANCHOR: client
use svcgen_attachments::{AttachmentsTransport, ClientAttachments};

/// A client that sends long bytes as parts, and reads answers that have them.
///
/// # Errors
///
/// The URL is not one of HTTP.
pub fn in_mtom(url: &str) -> Result<BasketClient<AttachmentsTransport<HttpTransport>>, CallError> {
    let attachments = Attachments::new().with_mtom(true);
    let client = BasketClient::connect(url)?;
    Ok(client.with(|client| client.with_attachments(attachments)))
}
// ANCHOR_END: client
