//! Definitions from WSDL: the definitions and messages for small WSDLs, the correctness of the
//! definitions, and the differences between two WSDLs.

mod back;
mod compare;
mod lost;
mod rules;
mod scripts;
mod traps;
