//! The text of a message.

use http::HeaderMap;
use svcgen_core::internals::before_document;

use crate::error::SignatureError;

/// Returns the text of a message, which must be in UTF-8, with a declaration only at its start.
///
/// The bindings decode a message by its media type, its declaration and its first bytes, which are
/// not signed, and clients may have options to decode it in other ways, or to skip text before the
/// declaration. Of such a message, all of these read the same text.
pub(crate) fn message_text<'b>(
    headers: &HeaderMap,
    body: &'b [u8],
) -> Result<&'b str, SignatureError> {
    let decoded = svcgen_core::internals::message_text(headers, body);
    let decoded = decoded.map_err(SignatureError::unreadable)?;
    let own = body.strip_prefix("\u{FEFF}".as_bytes()).unwrap_or(body);
    let declared = svcgen_wire::declared_encoding(own);
    let text = match std::str::from_utf8(own) {
        Ok(text)
            if text == decoded
                && declared.is_none_or(|name| name.eq_ignore_ascii_case("utf-8")) =>
        {
            text
        }
        _ => return Err(SignatureError::security("the message is not in UTF-8.")),
    };
    if !own[..before_document(own)].trim_ascii().is_empty() {
        let why = "an XML declaration is inside the message.";
        return Err(SignatureError::security(why));
    }
    Ok(text)
}
