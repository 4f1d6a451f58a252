//! Messages in another notation than XML and forms.

use std::fmt;

use svcgen_model::{At, ComplexType};

use super::message_part::MessagePart;
use super::secrets::Secrets;
use super::service_rows::ServiceRows;

/// What a message holds.
pub(crate) enum Root<'m> {
    /// The parameters of an operation.
    Parameters(At<'m, ComplexType<'m>>),
    /// A result.
    Result(MessagePart<'m>),
    /// The text of a failure.
    Failure,
    /// What no row describes.
    Unknown,
}

/// Masks the messages of a binding.
pub(crate) trait MaskedNotation: Sync + fmt::Debug {
    /// Their media type.
    fn media_type(&self) -> &'static str;

    /// Masks a message, or the beginning of one. Secrets that are found in a request are added to
    /// those that are known; those that a failure quotes are not shown.
    fn mask<'m>(
        &self,
        described: &ServiceRows<'m>,
        text: (&str, bool),
        root: Root<'m>,
        known: &mut Option<&mut Secrets>,
    ) -> String;
}
