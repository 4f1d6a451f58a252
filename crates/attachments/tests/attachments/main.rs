//! Messages with attachments: what is read, what is written, what is refused.

mod calls;
mod hostile;
mod multipart;
mod outgoing;
mod service;
