//! WS-Security and WS-Addressing for servers and clients of `svcgen`: they read and write these
//! headers of SOAP messages.
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod ws_addressing;
pub mod ws_security;

#[doc(hidden)]
pub mod internals {
    //! Internal items for `svcgen-signatures`, which change with each version.

    pub use crate::ws_security::faults::{
        fault, invalid_security, unsupported_algorithm, unsupported_token,
    };
    pub use crate::ws_security::freshness::{Freshness, read_time};
    pub use crate::ws_security::header::{SignatureChecked, Timestamp, decode_base64};
    pub use crate::ws_security::names::{BASE64, PROTECTION, WSSE, WSU};
    pub use crate::ws_security::time::{parse as parse_time, write as write_time};
}
