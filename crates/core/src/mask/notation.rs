//! Messages in notations other than XML and forms.

use std::fmt;

use svcgen_model::{At, ComplexType};

use super::message_part::MessagePart;
use super::secrets::Secrets;
use super::service_rows::ServiceRows;

/// The content of a message.
pub(crate) enum Root<'m> {
    /// The parameters of an operation.
    Parameters(At<'m, ComplexType<'m>>),
    Result(MessagePart<'m>),
    /// The text of a failure.
    Failure,
    /// Content that no row describes.
    Unknown,
}

/// Masks the messages of a binding.
pub(crate) trait MaskedNotation: Sync + fmt::Debug {
    /// Returns the media type of the messages.
    fn media_type(&self) -> &'static str;

    /// Masks a message, or the beginning of one. Secrets in a request are added to the known
    /// secrets; secrets that a failure quotes are not shown.
    fn mask<'m>(
        &self,
        described: &ServiceRows<'m>,
        text: (&str, bool),
        root: Root<'m>,
        known: &mut Option<&mut Secrets>,
    ) -> String;
}
