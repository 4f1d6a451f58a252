//! What the masks of all notations go by: the texts in place of what is not shown, what the model describes, the secrets of a request.

mod marks;
mod masked;
#[cfg_attr(
    not(feature = "json"),
    allow(dead_code, reason = "for notations other than XML and forms")
)]
mod message_part;
#[cfg_attr(
    not(feature = "json"),
    allow(dead_code, reason = "for notations other than XML and forms")
)]
mod notation;
mod secrets;
mod service_rows;

pub use marks::{CUT, OMITTED, SECRET};
pub use masked::Masked;
pub(crate) use message_part::{MessagePart, Text};
pub(crate) use notation::{MaskedNotation, Root};
pub use secrets::Secrets;
pub(crate) use secrets::unescaped;
pub(crate) use service_rows::{Direction, ServiceRows};
