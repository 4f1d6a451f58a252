//! Headers that are written.

use super::version::Version;
use crate::values::{Content, XmlFragment};
use crate::xml::WriteError;

/// Headers of a message: their names and texts.
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

/// The header that a reference parameter becomes; by the submission it stays as it is. `None` for one that looks like such a header already.
pub(super) fn parameter(version: Version, parameter: &XmlFragment) -> Option<XmlFragment> {
    const MARK: &str = "IsReferenceParameter";
    let markup = parameter.as_str();
    if version == Version::Submission {
        return Some(parameter.clone());
    }
    let end = markup
        .find(|character: char| character.is_ascii_whitespace() || "/>".contains(character))?;
    let (name, rest) = markup.split_at(end);
    let (tag, _) = rest.split_once('>')?;
    if tag.contains(MARK) || tag.contains("xmlns:svcgen-wsa") {
        return None;
    }
    let namespace = version.namespace();
    Some(XmlFragment::trusted(format!(
        "{name} xmlns:svcgen-wsa=\"{namespace}\" svcgen-wsa:{MARK}=\"true\"{rest}"
    )))
}

/// A new id of a message.
///
/// # Panics
///
/// The system gives no random bytes.
pub(super) fn new_id() -> String {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).expect("the system gives random bytes");
    uuid::Builder::from_random_bytes(bytes)
        .into_uuid()
        .urn()
        .to_string()
}
