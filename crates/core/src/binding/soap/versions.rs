//! The versions of SOAP, each with and without encoded messages.

use svcgen_model::Binding;

use super::encoding::encoding_of;
use super::version::Version;
use super::{soap11, soap12};

pub(in crate::binding) static SOAP_11: Version = soap11::version(None, &LITERAL);
pub(in crate::binding) static SOAP_12: Version = soap12::version(None, &LITERAL);
pub(in crate::binding) static SOAP_11_ENCODED: Version =
    soap11::version(Some(encoding_of), &ENCODED);
pub(in crate::binding) static SOAP_12_ENCODED: Version =
    soap12::version(Some(encoding_of), &ENCODED);

static LITERAL: [&Version; 2] = [&SOAP_11, &SOAP_12];
static ENCODED: [&Version; 2] = [&SOAP_11_ENCODED, &SOAP_12_ENCODED];

/// Returns the version of a binding, without encoded messages; SOAP 1.1 if the binding is not SOAP.
pub(crate) fn literal(binding: Binding) -> &'static Version {
    let mut versions = LITERAL.into_iter();
    let version = versions.find(|version| version.binding == binding);
    version.unwrap_or(&SOAP_11)
}
