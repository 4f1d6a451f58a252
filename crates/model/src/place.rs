//! What has a name in Rust, as [`Documentation::names`](crate::Documentation::names) calls it: the service, a type or an enumeration by its
//! name ([`named_in`](crate::named_in)), an operation, and what is within one of these.

/// The service.
pub const SERVICE: &str = "";

/// An operation, whose parameters are within it.
pub fn of_operation(name: &str) -> String {
    format!("{name}()")
}

/// The SOAP headers of the requests of an operation, which are within them.
pub fn of_headers(operation: &str) -> String {
    format!("{operation}() headers")
}

/// An element, a choice or a sequence of a type or within one of these, a value of an enumeration; an attribute has `@` before its name,
/// text has no name.
///
/// ```
/// assert_eq!(svcgen_model::place::within("Order", "@number"), "Order/@number");
/// ```
pub fn within(around: &str, name: &str) -> String {
    format!("{around}/{name}")
}
