//! `application/x-www-form-urlencoded`, in the query of HTTP GET and the body of HTTP POST.

pub(crate) mod decode;
pub(crate) mod encode;

pub use decode::{Form, read};

/// The media type of a form in a body.
pub const MEDIA_TYPE: &str = "application/x-www-form-urlencoded";
