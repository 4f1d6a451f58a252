//! Definitions from WSDL: what is written and said for WSDLs in small, that what is written is
//! right, and what two WSDLs say otherwise.

mod back;
mod compare;
mod lost;
mod rules;
mod scripts;
mod traps;
