//! Faults of WS-Security (SOAP Message Security 1.1 §12). No text contains a part of a token,
//! except a time.

use std::fmt;

use super::names::wsse;
use svcgen_core::Fault;

/// Creates a fault with a code in the namespace of `wsse`.
pub fn fault(code: &str, text: impl fmt::Display) -> Fault {
    Fault::client(text)
        .with_subcode(wsse(code))
        .with_leading_subcode()
}

/// Creates the fault for an error in the header, or for a missing header.
pub fn invalid_security(why: impl fmt::Display) -> Fault {
    let text = format_args!("An error was discovered processing the <wsse:Security> header: {why}");
    fault("InvalidSecurity", text)
}

/// Creates the fault for an invalid token.
pub(super) fn invalid_token(why: impl fmt::Display) -> Fault {
    let text = format_args!("An invalid security token was provided: {why}");
    fault("InvalidSecurityToken", text)
}

/// Creates the fault for an unknown user or a wrong password.
pub(super) fn failed_authentication() -> Fault {
    let text = "The security token could not be authenticated or authorized.";
    fault("FailedAuthentication", text)
}

/// Creates the fault for a message that is too old, or from the future.
pub(super) fn expired(why: impl fmt::Display) -> Fault {
    fault(
        "MessageExpired",
        format_args!("The message has expired: {why}"),
    )
}

/// Creates the fault for a token of another kind.
pub fn unsupported_token(why: impl fmt::Display) -> Fault {
    let text = format_args!("An unsupported token was provided: {why}");
    fault("UnsupportedSecurityToken", text)
}

/// Creates the fault for a signature or an encrypted part.
pub fn unsupported_algorithm(why: impl fmt::Display) -> Fault {
    let text = format_args!("An unsupported signature or encryption algorithm was used: {why}");
    fault("UnsupportedAlgorithm", text)
}
