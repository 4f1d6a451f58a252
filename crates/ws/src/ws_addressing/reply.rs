//! Writing headers.

use super::version::Version;
use svcgen_wire::{Content, WriteError, types::XmlFragment};

/// Writes headers of a message, given by their names and texts.
pub(super) fn write(version: Version, headers: &[(&str, &str)]) -> Result<XmlFragment, WriteError> {
    let mut markup = Vec::new();
    let mut out = Content::compact(&mut markup);
    for (name, text) in headers {
        let name = format!("wsa:{name}");
        out.start(&name, &[("xmlns:wsa", version.namespace())]);
        out.escaped(text);
        out.end(&name);
    }
    out.finish()?;
    Ok(XmlFragment::trusted(
        String::from_utf8_lossy(&markup).into_owned(),
    ))
}

/// Returns a new message id.
///
/// # Panics
///
/// The system provides no random bytes.
pub(super) fn new_id() -> String {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).expect("the system gives random bytes");
    uuid::Builder::from_random_bytes(bytes)
        .into_uuid()
        .urn()
        .to_string()
}
