//! Messages with attachments: what is read, what is written, what is refused.

mod calls;
mod hostile;
mod multipart;
mod on_disk;
mod outgoing;
mod service;
