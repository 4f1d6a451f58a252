//! The paths of services.

/// What a path of a service may not be, as the rest of a sentence (`does not start with "/"`); `None` if it is one.
///
/// ```
/// use svcgen_model::path_complaint;
///
/// assert_eq!(path_complaint("/SvcDotNet/Authenticator.asmx"), None);
/// assert_eq!(path_complaint("Authenticator.asmx"), Some("does not start with `/`"));
/// ```
pub fn path_complaint(path: &str) -> Option<&'static str> {
    if !path.starts_with('/') {
        Some("does not start with `/`")
    } else if path.contains(['?', '#']) {
        Some("has a query or a fragment")
    } else if path.contains(char::is_whitespace) {
        Some("holds white space")
    } else if !path.chars().all(is_uri_character) || path.contains(['[', ']']) {
        Some("holds characters that a URL cannot hold as they are")
    } else if !path.split('%').skip(1).all(starts_with_two_hex_digits) {
        Some("has a `%` without two hexadecimal digits behind it")
    } else if path.ends_with('/') {
        Some("ends with `/`")
    } else if path
        .split('/')
        .skip(1)
        .any(|segment| matches!(segment, "" | "." | ".."))
    {
        Some("has a segment that is empty, `.` or `..`")
    } else {
        None
    }
}

/// Whether a URI can hold a character as it is (RFC 3986).
pub fn is_uri_character(c: char) -> bool {
    c.is_ascii_alphanumeric() || "-._~:/?#[]@!$&'()*+,;=%".contains(c)
}

fn starts_with_two_hex_digits(text: &str) -> bool {
    let digits = text.get(..2);
    digits.is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))
}
