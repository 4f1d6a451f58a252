//! The element `Signature` of a message.

use ring::digest;
use svcgen_ws::internals::decode_base64;

use crate::algorithm::{Method, digest_named};
use crate::canonical::Target;
use crate::certificate::Certificate;
use crate::error::SignatureError;
use crate::names::{
    BASE64, DS, ENVELOPED, EXCLUSIVE, KEY_IDENTIFIER, PKI_PATH, THUMBPRINT, WSSE, X509_V3,
};
use crate::outline::Node;

/// The largest number of references in a signature.
const MOST_REFERENCES: usize = 32;
/// The largest number of prefixes in a list.
const MOST_PREFIXES: usize = 64;

/// The content of a `Signature`, not checked yet.
pub(crate) struct Signature<'n> {
    pub(crate) signed_info: Target<'n>,
    pub(crate) method: &'static Method,
    pub(crate) references: Vec<Reference<'n>>,
    pub(crate) value: Vec<u8>,
    pub(crate) key: KeyReference<'n>,
}

/// A signed part, and its digest.
pub(crate) struct Reference<'n> {
    pub(crate) id: &'n str,
    pub(crate) prefixes: Vec<&'n str>,
    pub(crate) digest: &'static digest::Algorithm,
    pub(crate) value: Vec<u8>,
}

/// The reference to the certificate with the key.
pub(crate) enum KeyReference<'n> {
    /// The token with this id.
    Token(&'n str),
    /// The certificate itself, in DER.
    Certificate(Vec<u8>),
    /// The certificate with this serial number, in decimal digits.
    SerialNumber(&'n str),
    KeyIdentifier(Vec<u8>),
    Thumbprint(Vec<u8>),
}

fn invalid(message: impl Into<String>) -> SignatureError {
    SignatureError::security(message)
}

/// Returns the children of an element, which must have these names in this order. A name that ends
/// with `*` may occur several times.
fn children<'n, const N: usize>(
    node: &'n Node,
    names: [&str; N],
) -> Result<[&'n [Node]; N], SignatureError> {
    let mut rest = &node.children[..];
    let mut found = [&rest[..0]; N];
    for (found, name) in found.iter_mut().zip(names) {
        let (name, most) = match name.strip_suffix('*') {
            Some(name) => (name, usize::MAX),
            None => (name, 1),
        };
        let is_it = |node: &&Node| node.is(DS, name);
        let count = rest.iter().take(most).take_while(is_it).count();
        if count == 0 {
            return Err(invalid(format!("ds:{} lacks a ds:{name}.", node.name)));
        }
        (*found, rest) = rest.split_at(count);
    }
    match rest.first() {
        None => Ok(found),
        Some(other) => Err(invalid(format!(
            "ds:{} holds a {} that is not read.",
            node.name, other.name
        ))),
    }
}

pub(crate) fn decoded(text: &str, of: &str) -> Result<Vec<u8>, SignatureError> {
    decode_base64(text).ok_or_else(|| invalid(format!("{of} is not in Base64.")))
}

impl<'n> Signature<'n> {
    /// Reads the element.
    pub(crate) fn read(node: &'n Node, allows_sha1: bool) -> Result<Self, SignatureError> {
        let [info, value, key] = children(node, ["SignedInfo", "SignatureValue", "KeyInfo"])?;
        let [canonicalization, method, references] = children(
            &info[0],
            ["CanonicalizationMethod", "SignatureMethod", "Reference*"],
        )?;
        if references.len() > MOST_REFERENCES {
            return Err(invalid(
                "the ds:Signature has more references than are read.",
            ));
        }
        if !method[0].children.is_empty() {
            return Err(SignatureError::algorithm(
                "the SignatureMethod has a parameter.",
            ));
        }
        let references = references.iter();
        let references = references.map(|node| Reference::read(node, allows_sha1));
        Ok(Self {
            signed_info: Target {
                start: info[0].start,
                prefixes: exclusive_prefixes(&canonicalization[0])?,
                id: None,
                allows_unsigned_prefixes: true,
            },
            method: Method::named(algorithm_of(&method[0]), allows_sha1)?,
            references: references.collect::<Result<_, _>>()?,
            value: decoded(&value[0].text, "ds:SignatureValue")?,
            key: KeyReference::read(&key[0])?,
        })
    }
}

fn algorithm_of(node: &Node) -> &str {
    node.attribute("Algorithm").unwrap_or_default()
}

/// Returns the prefixes of exclusive canonicalisation, which is the only supported one.
fn exclusive_prefixes(node: &Node) -> Result<Vec<&str>, SignatureError> {
    let algorithm = algorithm_of(node);
    if algorithm != EXCLUSIVE {
        return Err(SignatureError::algorithm(format!(
            "the transform '{}' is not exclusive canonicalisation without comments.",
            svcgen_core::internals::printable(algorithm)
        )));
    }
    let prefixes: Vec<_> = match &node.children[..] {
        [] => Vec::new(),
        [list] if list.is(EXCLUSIVE, "InclusiveNamespaces") => {
            let list = list.attribute("PrefixList").unwrap_or_default();
            list.split_ascii_whitespace().collect()
        }
        _ => {
            return Err(SignatureError::algorithm(
                "a transform has unknown parameters.",
            ));
        }
    };
    if prefixes.len() > MOST_PREFIXES {
        return Err(invalid(
            "InclusiveNamespaces has more prefixes than are read.",
        ));
    }
    Ok(prefixes)
}

impl<'n> Reference<'n> {
    fn read(node: &'n Node, allows_sha1: bool) -> Result<Self, SignatureError> {
        let [transforms, method, value] =
            children(node, ["Transforms", "DigestMethod", "DigestValue"])?;
        let uri = node.attribute("URI").unwrap_or_default();
        let Some(id) = uri.strip_prefix('#').filter(|id| !id.is_empty()) else {
            return Err(invalid(
                "a ds:Reference does not name a part by its wsu:Id.",
            ));
        };
        let [transforms] = children(&transforms[0], ["Transform*"])?;
        // No part that can be signed contains the signature, so this transform changes nothing.
        let transforms = match transforms {
            [first, rest @ ..] if algorithm_of(first) == ENVELOPED => rest,
            all => all,
        };
        let [exclusive] = transforms else {
            return Err(SignatureError::algorithm(
                "a ds:Reference has other transforms than exclusive canonicalisation.",
            ));
        };
        Ok(Self {
            id,
            prefixes: exclusive_prefixes(exclusive)?,
            digest: digest_named(algorithm_of(&method[0]), allows_sha1)?,
            value: decoded(&value[0].text, "ds:DigestValue")?,
        })
    }
}

impl<'n> KeyReference<'n> {
    fn read(node: &'n Node) -> Result<Self, SignatureError> {
        let [reference] = &node.children[..] else {
            return Err(invalid(
                "ds:KeyInfo does not hold one reference to a certificate.",
            ));
        };
        let reference = if reference.is(WSSE, "SecurityTokenReference") {
            match &reference.children[..] {
                [reference] => reference,
                _ => {
                    return Err(invalid(
                        "wsse:SecurityTokenReference does not hold one reference.",
                    ));
                }
            }
        } else {
            reference
        };
        if reference.is(WSSE, "Reference") {
            let kind = reference.attribute("ValueType").unwrap_or(X509_V3);
            let uri = reference.attribute("URI").unwrap_or_default();
            return match uri.strip_prefix('#') {
                Some(id) if [X509_V3, PKI_PATH].contains(&kind) && !id.is_empty() => {
                    Ok(Self::Token(id))
                }
                _ => Err(SignatureError::unsupported_token(
                    "a wsse:Reference is to something else than an X.509 certificate in the header.",
                )),
            };
        }
        if reference.is(WSSE, "KeyIdentifier") {
            let value = decoded(&reference.text, "wsse:KeyIdentifier")?;
            return match reference.attribute("ValueType").unwrap_or_default() {
                KEY_IDENTIFIER => Ok(Self::KeyIdentifier(value)),
                THUMBPRINT => Ok(Self::Thumbprint(value)),
                // WSS4J writes it so, though no profile does.
                X509_V3 => Ok(Self::Certificate(value)),
                _ => Err(SignatureError::unsupported_token(
                    "a wsse:KeyIdentifier does not identify an X.509 certificate.",
                )),
            };
        }
        if reference.is(DS, "X509Data") {
            return Self::read_x509(reference);
        }
        Err(SignatureError::unsupported_token(
            "ds:KeyInfo refers to something else than an X.509 certificate.",
        ))
    }

    /// If both are present, the certificate itself takes precedence over its number.
    fn read_x509(node: &'n Node) -> Result<Self, SignatureError> {
        let child = |name| node.children.iter().find(move |child| child.is(DS, name));
        if let Some(certificate) = child("X509Certificate") {
            let der = decoded(&certificate.text, "ds:X509Certificate")?;
            return Ok(Self::Certificate(der));
        }
        let number = child("X509IssuerSerial").and_then(|pair| {
            let mut children = pair.children.iter();
            children.find(|child| child.is(DS, "X509SerialNumber"))
        });
        match number {
            Some(number) => Ok(Self::SerialNumber(number.text.trim())),
            None => Err(SignatureError::unsupported_token(
                "ds:X509Data has neither a certificate nor X509IssuerSerial.",
            )),
        }
    }
}

/// Returns the certificates of a `BinarySecurityToken`, the signer's last.
pub(crate) fn token_certificates(node: &Node) -> Result<Vec<Certificate>, SignatureError> {
    let kind = node.attribute("ValueType").unwrap_or_default();
    if !node.is(WSSE, "BinarySecurityToken")
        || ![X509_V3, PKI_PATH].contains(&kind)
        || node.attribute("EncodingType").unwrap_or(BASE64) != BASE64
    {
        return Err(SignatureError::unsupported_token(
            "the token of the signature is not a wsse:BinarySecurityToken of the type X509v3 or X509PKIPathv1 in Base64.",
        ));
    }
    let der = decoded(&node.text, "wsse:BinarySecurityToken")?;
    if kind == PKI_PATH {
        return Certificate::path_from_der(&der);
    }
    Ok(vec![Certificate::from_der(&der)?])
}
