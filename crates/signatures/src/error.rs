//! Errors of signed messages.

use std::error::Error;
use std::fmt;

use svcgen_core::Fault;
use svcgen_ws::internals::{fault, invalid_security, unsupported_algorithm, unsupported_token};

/// The reason why a message is not accepted as signed, or cannot be signed.
///
/// [`Display`](fmt::Display) shows all details, for logs and for clients; [`fault`](Self::fault) is
/// for callers, who could use details to probe keys and messages.
#[derive(Debug, Clone)]
pub struct SignatureError {
    fault: Fault,
    message: String,
}

impl SignatureError {
    fn concealed(code: &str, told: &str, message: String) -> Self {
        let fault = fault(code, told).with_cause(message.clone());
        Self { fault, message }
    }

    /// Creates the error for a header that is not valid in WS-Security, or lacks a part.
    pub(crate) fn security(message: impl Into<String>) -> Self {
        let message = message.into();
        Self {
            fault: invalid_security(&message),
            message,
        }
    }

    /// Creates the error for a message that cannot be read, for which the binding has the fault.
    pub(crate) fn unreadable(error: impl fmt::Display) -> Self {
        let told = invalid_security("the message cannot be read.");
        Self {
            fault: told.with_cause(error.to_string()),
            message: format!("the message cannot be read: {error}"),
        }
    }

    /// Creates the error for an algorithm, a transform or an encrypted part that is not accepted.
    pub(crate) fn algorithm(message: impl Into<String>) -> Self {
        let message = message.into();
        Self {
            fault: unsupported_algorithm(&message),
            message,
        }
    }

    /// Creates the error for a token of another kind.
    pub(crate) fn unsupported_token(message: impl Into<String>) -> Self {
        let message = message.into();
        Self {
            fault: unsupported_token(&message),
            message,
        }
    }

    /// Creates the error for a wrong signature, or a wrong digest of a part.
    pub(crate) fn check(message: impl Into<String>) -> Self {
        let told = "The signature or decryption was invalid.";
        Self::concealed("FailedCheck", told, message.into())
    }

    /// Creates the error for a certificate that is not trusted, or not for signatures.
    pub(crate) fn certificate(message: impl Into<String>) -> Self {
        let told = "An invalid security token was provided.";
        Self::concealed("InvalidSecurityToken", told, message.into())
    }

    /// Creates the error for a reference to an unknown certificate.
    pub(crate) fn unavailable(message: impl Into<String>) -> Self {
        let told = "Referenced security token could not be retrieved.";
        Self::concealed("SecurityTokenUnavailable", told, message.into())
    }

    /// Returns the fault for the caller.
    pub fn fault(&self) -> &Fault {
        &self.fault
    }

    pub(crate) fn into_fault(self) -> Fault {
        self.fault
    }
}

/// Converts a fault of the checks of time and repetition.
impl From<Fault> for SignatureError {
    fn from(fault: Fault) -> Self {
        let message = fault.text().to_owned();
        Self { fault, message }
    }
}

impl fmt::Display for SignatureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl Error for SignatureError {}
