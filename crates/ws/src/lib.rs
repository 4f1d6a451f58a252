//! WS-Security and WS-Addressing: headers of SOAP messages that servers and clients of `svcgen` read and write.
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod ws_addressing;
pub mod ws_security;
