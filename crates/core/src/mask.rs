//! Messages without their secrets, for logs: [`Mask`].
//!
//! What a message shows is decided by the model of its service. Shown are the names of elements and
//! parameters, and the values that stand where the model describes a value that is no `secret`.
//! Everything else is replaced by one of three texts, which do not depend on what they replace:
//!
//! | text | instead of |
//! |---|---|
//! | [`SECRET`] | a value that the model marks `secret`, the value of a HTTP header that is not known to be harmless |
//! | [`OMITTED`] | what the model does not describe: unknown elements, attributes, headers and parameters, XML of any content, comments, the segments of a path but for those of the service and the names of operations, the query of a URL, but for parameters and the words that ask for a document (`wsdl`, `op=Login`), XML from where it is not well-formed, JSON that is not well-formed or that the service does not speak |
//! | [`CUT`] | the rest of a message that is longer than the limit |
//!
//! What a mask has made is [`Masked`], and what prints, writes or keeps content of messages takes
//! nothing else.

mod http;
mod marks;
mod masked;
mod masking;
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
mod xml;

pub use self::http::path;
#[doc(hidden)]
pub use self::http::{SCRIPTS, USUAL_FILES};
pub use marks::{CUT, OMITTED, SECRET};
pub use masked::Masked;
pub use masking::Mask;
pub(crate) use notation::MaskedNotation;
pub use secrets::Secrets;
#[cfg(feature = "json")]
pub(crate) use {
    message_part::{MessagePart, Text},
    notation::Root,
    service_rows::ServiceRows,
};
