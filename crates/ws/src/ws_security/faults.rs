//! Faults of WS-Security (SOAP Message Security 1.1 §12). No text holds what is in a token, except
//! a time.

use std::fmt;

use super::names::wsse;
use svcgen_core::Fault;

/// A fault with a code of the namespace of `wsse`.
pub fn fault(code: &str, text: impl fmt::Display) -> Fault {
    Fault::client(text)
        .with_subcode(wsse(code))
        .with_leading_subcode()
}

/// An error in the header, or that it is missing.
pub fn invalid_security(why: impl fmt::Display) -> Fault {
    let text = format_args!("An error was discovered processing the <wsse:Security> header: {why}");
    fault("InvalidSecurity", text)
}

/// A token that is none.
pub(super) fn invalid_token(why: impl fmt::Display) -> Fault {
    let text = format_args!("An invalid security token was provided: {why}");
    fault("InvalidSecurityToken", text)
}

/// An unknown user or a wrong password.
pub(super) fn failed_authentication() -> Fault {
    let text = "The security token could not be authenticated or authorized.";
    fault("FailedAuthentication", text)
}

/// A message that is too old, or not of this time.
pub(super) fn expired(why: impl fmt::Display) -> Fault {
    fault(
        "MessageExpired",
        format_args!("The message has expired: {why}"),
    )
}

/// A token of another kind.
pub fn unsupported_token(why: impl fmt::Display) -> Fault {
    let text = format_args!("An unsupported token was provided: {why}");
    fault("UnsupportedSecurityToken", text)
}

/// A signature or an encrypted part.
pub fn unsupported_algorithm(why: impl fmt::Display) -> Fault {
    let text = format_args!("An unsupported signature or encryption algorithm was used: {why}");
    fault("UnsupportedAlgorithm", text)
}
