//! WS-Security and WS-Addressing for servers and clients of `svcgen`: they read and write these
//! headers of SOAP messages.
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod ws_addressing;
pub mod ws_security;
