//! Messages without their secrets, for logs: [`Mask`].
//!
//! The model of a service decides which parts of its messages are shown: the names of elements and
//! parameters, and each value that the model describes and does not mark `secret`. Everything else
//! is replaced by one of three texts, which do not depend on the replaced text:
//!
//! | text | instead of |
//! |---|---|
//! | [`SECRET`] | a value that the model marks `secret`, the value of an HTTP header that is not known to be harmless |
//! | [`OMITTED`] | content that the model does not describe: unknown elements, attributes, headers and parameters, XML of any content, comments, segments of a path except those of the service and the names of operations, the query of a URL except parameters and the names of documents (`wsdl`, `op=Login`), XML after the place where it is not well-formed, JSON that is not well-formed or that the service does not speak |
//! | [`CUT`] | the rest of a message that is longer than the limit |
//!
//! The output of a mask is [`Masked`], and all code that prints, writes or keeps content of
//! messages takes only this type.

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
