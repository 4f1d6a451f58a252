//! Messages with attachments: reading, writing and refusals.

mod calls;
mod hostile;
mod multipart;
mod on_disk;
mod outgoing;
mod service;
