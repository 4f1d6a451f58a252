//! The header `Security` of a message.

use base64::Engine as _;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

use super::faults::{invalid_security, invalid_token, unsupported_algorithm, unsupported_token};
use super::names::{BASE64, PROTECTION, WSSE, WSU};
use super::received_token::{Password, ReceivedToken};
use svcgen_core::Fault;
use svcgen_wire::{Limits, ReadError, Reader, Secret};

/// Some stacks omit the padding.
const DECODER: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// The content of a header.
#[derive(Debug, Default)]
pub(super) struct Header {
    pub(super) token: Option<ReceivedToken>,
    pub(super) timestamp: Option<Timestamp>,
}

/// The times of a `Timestamp`, as written.
#[derive(Debug, Default)]
pub struct Timestamp {
    /// `Created`.
    pub created: Option<String>,
    /// `Expires`.
    pub expires: Option<String>,
}

/// Marks a request whose signature was checked with its token: an extension of the request, which
/// allows both in the header.
#[derive(Debug, Clone, Copy)]
pub struct SignatureChecked;

/// Reads the element of a header.
pub(super) fn read(xml: &str, checked: Option<SignatureChecked>) -> Result<Header, Fault> {
    let mut reader = Reader::new(xml, &Limits::default());
    let mut refused = None;
    let mut read = || -> Result<Header, ReadError> {
        reader.root()?;
        let header = read_children(&mut reader, checked, &mut refused)?;
        reader.finish()?;
        Ok(header)
    };
    let header = read();
    match (refused, header) {
        (Some(fault), _) => Err(fault),
        // The text of the error may quote the header.
        (None, Err(_)) => Err(invalid_security("it cannot be read.")),
        (None, Ok(header)) => Ok(header),
    }
}

/// Reads the children of the header, and stores the first fault in `refused`.
pub(super) fn read_children(
    reader: &mut Reader<'_>,
    checked: Option<SignatureChecked>,
    refused: &mut Option<Fault>,
) -> Result<Header, ReadError> {
    let mut header = Header::default();
    while reader.child()? {
        let second = if reader.is(WSSE, "UsernameToken") {
            let token = read_token(reader)?;
            let is_second = header.token.is_some();
            match token {
                Ok(token) => header.token = Some(token),
                Err(fault) => drop(refused.get_or_insert(fault)),
            }
            is_second.then_some("wsse:UsernameToken")
        } else if reader.is(WSU, "Timestamp") {
            let timestamp = read_timestamp(reader, refused)?;
            header.timestamp.replace(timestamp).map(|_| "wsu:Timestamp")
        } else {
            if checked.is_none() || !is_of_signature(reader) {
                refused.get_or_insert(unsupported(reader));
            }
            reader.skip()?;
            None
        };
        if let Some(name) = second {
            refused.get_or_insert_with(|| invalid_security(format_args!("it has two {name}.")));
        }
    }
    Ok(header)
}

/// Whether the current element is a signature or its certificate.
fn is_of_signature(reader: &Reader<'_>) -> bool {
    let is_token = reader.is(WSSE, "BinarySecurityToken");
    is_token || reader.is(PROTECTION[0], "Signature")
}

/// Returns the fault for an element that is not supported.
fn unsupported(reader: &Reader<'_>) -> Fault {
    if PROTECTION.contains(&reader.namespace()) {
        return unsupported_algorithm(
            "this service reads neither signatures nor encrypted parts; send a wsse:UsernameToken over TLS.",
        );
    }
    unsupported_token("this service takes a wsse:UsernameToken and a wsu:Timestamp alone.")
}

fn read_timestamp(
    reader: &mut Reader<'_>,
    refused: &mut Option<Fault>,
) -> Result<Timestamp, ReadError> {
    let mut timestamp = Timestamp::default();
    while reader.child()? {
        let field = if reader.is(WSU, "Created") {
            &mut timestamp.created
        } else if reader.is(WSU, "Expires") {
            &mut timestamp.expires
        } else {
            reader.skip()?;
            continue;
        };
        if field.replace(reader.text()?.into_owned()).is_some() {
            let why = "a wsu:Timestamp has two times of one name.";
            refused.get_or_insert_with(|| invalid_security(why));
        }
    }
    Ok(timestamp)
}

fn read_token(reader: &mut Reader<'_>) -> Result<Result<ReceivedToken, Fault>, ReadError> {
    let (mut user, mut password, mut nonce, mut created) = (None, None, None, None);
    let mut fault = None;
    while reader.child()? {
        let twice = if reader.is(WSSE, "Username") {
            user.replace(reader.text()?.into_owned()).is_some()
        } else if reader.is(WSSE, "Password") {
            let kind = reader
                .attribute("", "Type")
                .unwrap_or_default()
                .trim()
                .to_owned();
            password
                .replace((kind, reader.text()?.into_owned()))
                .is_some()
        } else if reader.is(WSSE, "Nonce") {
            let encoding = reader
                .attribute("", "EncodingType")
                .unwrap_or(BASE64)
                .trim();
            if encoding != BASE64 {
                fault = Some(invalid_token(
                    "the wsse:Nonce is not of the type Base64Binary.",
                ));
            }
            nonce.replace(reader.text()?.into_owned()).is_some()
        } else if reader.is(WSU, "Created") {
            created.replace(reader.text()?.into_owned()).is_some()
        } else {
            // `Salt` and `Iteration` of version 1.1 change the key, so they cannot be ignored.
            if matches!(reader.local_name(), "Salt" | "Iteration") {
                fault = Some(unsupported_token(
                    "keys that are derived from passwords are not read.",
                ));
            }
            reader.skip()?;
            false
        };
        if twice {
            fault = Some(invalid_token(
                "a part of the wsse:UsernameToken is there twice.",
            ));
        }
    }
    Ok(match fault {
        Some(fault) => Err(fault),
        None => token_of(user, password, nonce, created),
    })
}

fn token_of(
    user: Option<String>,
    password: Option<(String, String)>,
    nonce: Option<String>,
    created: Option<String>,
) -> Result<ReceivedToken, Fault> {
    let lacks = |name: &str| invalid_token(format_args!("the wsse:UsernameToken has no {name}."));
    let user = user.ok_or_else(|| lacks("wsse:Username"))?;
    let (kind, password) = password.ok_or_else(|| lacks("wsse:Password"))?;
    let nonce = nonce
        .map(|nonce| decoded(&nonce, "wsse:Nonce"))
        .transpose()?;
    let password = if kind.is_empty() || kind.ends_with("#PasswordText") {
        Password::Text(Secret::new(password))
    } else if kind.ends_with("#PasswordDigest") {
        // An empty one would not be remembered, so that anybody could send the token again.
        if nonce.as_ref().is_none_or(Vec::is_empty) {
            return Err(lacks("wsse:Nonce, which a digest needs"));
        }
        if created.is_none() {
            return Err(lacks("wsu:Created, which a digest needs"));
        }
        Password::Digest(decoded(&password, "wsse:Password")?)
    } else {
        return Err(unsupported_token(
            "the Type of wsse:Password is neither #PasswordText nor #PasswordDigest.",
        ));
    };
    Ok(ReceivedToken {
        user,
        password,
        nonce: nonce.unwrap_or_default(),
        created: created.unwrap_or_default(),
    })
}

fn decoded(text: &str, name: &str) -> Result<Vec<u8>, Fault> {
    decode_base64(text).ok_or_else(|| invalid_token(format_args!("{name} is not in Base64.")))
}

/// Decodes base64 with white space anywhere, with or without padding. Returns `None` if it is
/// malformed.
pub fn decode_base64(text: &str) -> Option<Vec<u8>> {
    let text: Vec<u8> = text
        .bytes()
        .filter(|byte| !byte.is_ascii_whitespace())
        .collect();
    DECODER.decode(text).ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Generates a piece of a header, complete or not.
    fn piece() -> impl Strategy<Value = String> {
        let known = [
            "<o:Security xmlns:o='@o' xmlns:u='@u'>",
            "</o:Security>",
            "<o:UsernameToken>",
            "</o:UsernameToken>",
            "<o:Username>ann</o:Username>",
            "<o:Password Type='#PasswordDigest'>",
            "</o:Password>",
            "<o:Nonce>AAAA</o:Nonce>",
            "<u:Timestamp>",
            "</u:Timestamp>",
            "<u:Created>2026-01-31T09:30:00Z</u:Created>",
            "<u:Expires/>",
        ];
        let known = proptest::sample::select(known.to_vec())
            .prop_map(|piece| piece.replace("@o", WSSE).replace("@u", WSU));
        prop_oneof![4 => known, 1 => "\\PC{0,8}"]
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(pieces in prop::collection::vec(piece(), 0..16)) {
            let text = pieces.concat();
            if let Ok(header) = read(&text, None)
                && let Some(token) = header.token
            {
                prop_assert!(!token.matches(None));
            }
            let inside = format!("<o:Security xmlns:o='{WSSE}' xmlns:u='{WSU}'>{text}</o:Security>");
            drop(read(&inside, None));
        }
    }

    #[test]
    fn a_token_is_read_in_any_order_and_with_any_prefix() {
        let header = format!(
            "<Security xmlns='{WSSE}'><UsernameToken><Created xmlns='{WSU}'> 2026 </Created><Nonce>\nAA EC\n</Nonce><Password>p &amp; q</Password><Other/><Username>ann</Username></UsernameToken></Security>"
        );
        let token = read(&header, None).unwrap().token.unwrap();
        assert_eq!((token.user(), &*token.created), ("ann", " 2026 "));
        assert_eq!(token.nonce, [0, 1, 2]);
        assert!(token.matches(Some("p & q")) && !token.matches(Some("p")));
        assert_eq!(token.password().unwrap().as_str(), "p & q");
    }
}
