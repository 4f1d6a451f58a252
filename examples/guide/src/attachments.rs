//! A server and a client of messages with attachments.

use svcgen::{CallError, Context, Fault, HttpTransport};

use crate::basket::{BasketClient, BasketHandler, BasketServer};

// ANCHOR: server
use svcgen_attachments::{Attachments, ServerAttachments};

/// Reads messages of up to 32 MiB with their parts, and answers callers that speak MTOM in MTOM.
pub fn with_mtom<H: BasketHandler>(handler: H) -> BasketServer<H> {
    BasketServer::new(handler).with_attachments(Attachments::new().with_bytes(32 << 20))
}
// ANCHOR_END: server

// ANCHOR: disk
use svcgen_attachments::PartsOnDisk;

/// Reads messages of up to 2 GiB. Parts of more than 1 MiB are on disk.
pub fn with_parts_on_disk<H: BasketHandler>(handler: H) -> BasketServer<H> {
    let disk = PartsOnDisk::above(1 << 20).with_directory("/var/lib/shop/parts");
    let attachments = Attachments::new()
        .with_bytes(2 << 30)
        .with_part_bytes(2 << 30)
        .with_parts_on_disk(disk);
    BasketServer::new(handler).with_attachments(attachments)
}
// ANCHOR_END: disk

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

// ANCHOR: parts
use svcgen_attachments::{OutgoingAttachment, OutgoingAttachments, ReceivedAttachments};

/// Sends the document that a request refers to back beside the answer, which refers to it.
///
/// # Errors
///
/// The request has no such part, or its answer can have none.
pub fn returned(context: &Context, reference: &str) -> Result<String, Fault> {
    let received = ReceivedAttachments::of(context.extensions());
    let document = received.and_then(|received| received.get(reference));
    let document = document.ok_or_else(|| Fault::client("There is no such document."))?;
    let bytes = document.take().unwrap_or_default();
    let returned = OutgoingAttachment::new(document.content_type(), bytes)?;
    let reference = returned.reference();
    OutgoingAttachments::of(context)?.add(returned);
    Ok(reference)
}
// ANCHOR_END: parts
