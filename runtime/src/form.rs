//! `application/x-www-form-urlencoded`, as HTTP GET has it in the query and HTTP POST in the body.

pub(crate) mod decode;
pub(crate) mod encode;

pub(crate) use decode::{Form, read};

/// The media type of a form in a body.
pub(crate) const MEDIA_TYPE: &str = "application/x-www-form-urlencoded";
