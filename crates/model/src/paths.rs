//! The paths of services.

/// Returns the reason why a text cannot be the path of a service, as the rest of a sentence (`does
/// not start with "/"`); `None` if it can. A path may have a query, which callers send with it, and
/// end with `/`.
///
/// ```
/// use svcgen_model::path_complaint;
///
/// assert_eq!(path_complaint("/SvcDotNet/Authenticator.asmx"), None);
/// assert_eq!(path_complaint("/soap.do?SOAP"), None);
/// assert_eq!(path_complaint("Authenticator.asmx"), Some("does not start with `/`"));
/// assert_eq!(path_complaint("/Api.asmx?openapi"), Some("is that of a document or a page of the service"));
/// ```
pub fn path_complaint(path: &str) -> Option<&'static str> {
    let (before_query, query) = path.split_once('?').unwrap_or((path, ""));
    if !path.starts_with('/') {
        Some("does not start with `/`")
    } else if path.contains('#') {
        Some("has a fragment")
    } else if is_query_of_document(query) {
        Some("is that of a document or a page of the service")
    } else if path.contains(char::is_whitespace) {
        Some("holds white space")
    } else if !path.chars().all(is_uri_character) || path.contains(['[', ']']) {
        Some("holds characters that a URL cannot hold as they are")
    } else if !path.split('%').skip(1).all(starts_with_two_hex_digits) {
        Some("has a `%` without two hexadecimal digits behind it")
    } else if before_query.split('/').any(|one| matches!(one, "." | "..")) {
        Some("has a segment that is `.` or `..`")
    } else {
        None
    }
}

/// Returns the part of a service's path or URL that is shared with those of its operations and
/// documents: without a query, and without `/` at the end.
///
/// ```
/// use svcgen_model::base_path;
///
/// assert_eq!(base_path("/Greeter.asmx"), "/Greeter.asmx");
/// assert_eq!(base_path("/api/?v=1"), "/api");
/// assert_eq!(base_path("/"), "");
/// ```
pub fn base_path(path: &str) -> &str {
    let end = path.find('?').unwrap_or(path.len());
    path[..end].trim_end_matches('/')
}

/// Whether a word of a query requests a document of a service from ASMX, WCF or svcgen, in any
/// letter case: `wsdl`, and the `xsd` of `xsd=xsd0`.
pub fn names_document(word: &str) -> bool {
    ["disco", "openapi", "singlewsdl", "wsdl", "xsd"]
        .iter()
        .any(|known| word.eq_ignore_ascii_case(known))
}

/// Whether a query requests a document of a service (`?wsdl`), the schema of one of its sets of
/// tables (`?schema=Orders`) or its page of an operation (`?op=Greet`), instead of a call.
pub fn is_query_of_document(query: &str) -> bool {
    let (word, value) = query.split_once('=').unwrap_or((query, ""));
    names_document(word)
        || word.eq_ignore_ascii_case("schema")
        || word.eq_ignore_ascii_case("op") && !value.is_empty()
}

/// Whether a URI can contain a character unescaped (RFC 3986).
pub fn is_uri_character(c: char) -> bool {
    c.is_ascii_alphanumeric() || "-._~:/?#[]@!$&'()*+,;=%".contains(c)
}

fn starts_with_two_hex_digits(text: &str) -> bool {
    let digits = text.get(..2);
    digits.is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))
}
