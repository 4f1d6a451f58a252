//! X.509 certificates, as far as signatures need them.
//!
//! `webpki` validates paths to authorities. It provides neither the usage of a key nor names as
//! text, so this module reads them with ring's reader of DER.

use std::fmt;
use std::time::{SystemTime, UNIX_EPOCH};

use ring::io::der::{self, Tag};
use rustls_pki_types::pem::PemObject;
use rustls_pki_types::{AlgorithmIdentifier, CertificateDer, alg_id};
use svcgen_ws::internals::parse_time;
use untrusted::{Input, Reader};

use crate::der_sequence::{Malformed, sequence};
use crate::distinguished_name::distinguished_name;
use crate::error::SignatureError;

/// The largest number of certificates in a path, because validation tries every order of
/// certificates of one name.
const MOST_IN_PATH: usize = 5;

/// The kind of a certificate's key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum KeyKind {
    Rsa,
    P256,
    P384,
}

/// A parsed certificate, which is not necessarily trusted.
///
/// ```no_run
/// # fn example() -> Result<(), Box<dyn std::error::Error>> {
/// use svcgen_signatures::Certificate;
///
/// let certificate = Certificate::from_pem(&std::fs::read("partner.pem")?)?;
/// println!("{} of {}", certificate.subject(), certificate.issuer());
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Certificate {
    der: CertificateDer<'static>,
    serial: Vec<u8>,
    issuer: String,
    subject: String,
    not_before: SystemTime,
    not_after: SystemTime,
    kind: Option<KeyKind>,
    public_key: Vec<u8>,
    key_identifier: Option<Vec<u8>>,
    /// Whether the key may sign messages, according to the extension `keyUsage`.
    signs: bool,
    /// Whether it belongs to an authority, according to the extension `basicConstraints`.
    is_authority: bool,
}

impl Certificate {
    /// Reads the first certificate in a PEM text.
    ///
    /// # Errors
    ///
    /// There is no certificate, or it cannot be read.
    pub fn from_pem(pem: &[u8]) -> Result<Self, SignatureError> {
        let der = CertificateDer::from_pem_slice(pem).map_err(|error| {
            SignatureError::certificate(format!("no certificate in PEM: {error}"))
        })?;
        Self::from_der(&der)
    }

    /// Reads a certificate in DER.
    ///
    /// # Errors
    ///
    /// The certificate cannot be read.
    pub fn from_der(der: &[u8]) -> Result<Self, SignatureError> {
        let read = Input::from(der).read_all(Malformed, |input| {
            let certificate = sequence(input)?;
            certificate.read_all(Malformed, |certificate| {
                let signed = sequence(certificate)?;
                certificate.skip_to_end();
                signed.read_all(Malformed, |fields| read_fields(fields, der))
            })
        });
        read.map_err(|_| {
            SignatureError::certificate("this is not a certificate of X.509 version 3")
        })
    }

    /// Reads the certificates of a `PkiPath` in DER (X.509), each after that of its issuer.
    pub(crate) fn path_from_der(der: &[u8]) -> Result<Vec<Self>, SignatureError> {
        let read = Input::from(der).read_all(Malformed, |input| {
            sequence(input)?.read_all(Malformed, |path| {
                let mut certificates = Vec::new();
                while !path.at_end() {
                    let (certificate, _) = path.read_partial(sequence)?;
                    certificates.push(certificate.as_slice_less_safe());
                }
                Ok::<_, Malformed>(certificates)
            })
        });
        match read {
            Ok(path) if path.len() <= MOST_IN_PATH => {
                path.into_iter().map(Self::from_der).collect()
            }
            _ => Err(SignatureError::certificate(format!(
                "this is not a path of up to {MOST_IN_PATH} certificates"
            ))),
        }
    }

    /// Returns the certificate in DER.
    pub fn der(&self) -> &[u8] {
        &self.der
    }

    /// Returns the name of the subject in the form of RFC 2253: `CN=ann,O=Example`.
    pub fn subject(&self) -> &str {
        &self.subject
    }

    /// Returns the name of the issuing authority in the form of RFC 2253.
    pub fn issuer(&self) -> &str {
        &self.issuer
    }

    /// Returns the serial number, in decimal digits.
    pub fn serial_number(&self) -> String {
        decimal(&self.serial)
    }

    pub(crate) fn kind(&self) -> Option<KeyKind> {
        self.kind
    }

    pub(crate) fn public_key(&self) -> &[u8] {
        &self.public_key
    }

    pub(crate) fn key_identifier(&self) -> Option<&[u8]> {
        self.key_identifier.as_deref()
    }

    pub(crate) fn is_authority(&self) -> bool {
        self.is_authority
    }

    pub(crate) fn thumbprint(&self) -> [u8; 20] {
        let hash = ring::digest::digest(&ring::digest::SHA1_FOR_LEGACY_USE_ONLY, &self.der);
        hash.as_ref().try_into().unwrap_or_default()
    }

    /// Checks that the key may sign at this time.
    pub(crate) fn check_usage(&self, now: SystemTime) -> Result<(), SignatureError> {
        let why = if !self.signs {
            "its keyUsage has neither digitalSignature nor nonRepudiation"
        } else if now < self.not_before {
            "it is not valid yet"
        } else if now > self.not_after {
            "it has expired"
        } else {
            return Ok(());
        };
        let subject = &self.subject;
        Err(SignatureError::certificate(format!(
            "the certificate of {subject} does not count: {why}"
        )))
    }
}

impl PartialEq for Certificate {
    fn eq(&self, other: &Self) -> bool {
        self.der == other.der
    }
}

impl Eq for Certificate {}

impl fmt::Debug for Certificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Certificate")
            .field("subject", &self.subject)
            .field("issuer", &self.issuer)
            .field("serial_number", &self.serial_number())
            .finish_non_exhaustive()
    }
}

/// Reads `TBSCertificate` (RFC 5280 §4.1).
fn read_fields(fields: &mut Reader<'_>, der: &[u8]) -> Result<Certificate, Malformed> {
    der::expect_tag_and_get_value(fields, Tag::ContextSpecificConstructed0)?;
    let serial = der::expect_tag_and_get_value(fields, Tag::Integer)?;
    sequence(fields)?;
    let issuer = sequence(fields)?;
    let validity = sequence(fields)?;
    let subject = sequence(fields)?;
    let [not_before, not_after] =
        validity.read_all(Malformed, |times| Ok([time(times)?, time(times)?]))?;
    let (algorithm, public_key) = sequence(fields)?.read_all(Malformed, |key| {
        let algorithm = sequence(key)?;
        Ok::<_, Malformed>((algorithm, der::bit_string_with_no_unused_bits(key)?))
    })?;
    let mut certificate = Certificate {
        der: CertificateDer::from(der.to_vec()),
        serial: serial.as_slice_less_safe().to_vec(),
        issuer: distinguished_name(issuer)?,
        subject: distinguished_name(subject)?,
        not_before,
        not_after,
        kind: key_kind(algorithm.as_slice_less_safe()),
        public_key: public_key.as_slice_less_safe().to_vec(),
        key_identifier: None,
        signs: true,
        is_authority: false,
    };
    while !fields.at_end() {
        let (tag, value) = der::read_tag_and_get_value(fields)?;
        if tag == Tag::ContextSpecificConstructed3.into() {
            let extensions = value.read_all(Malformed, sequence)?;
            extensions.read_all(Malformed, |extensions| {
                while !extensions.at_end() {
                    let extension = sequence(extensions)?;
                    extension.read_all(Malformed, |extension| certificate.extend(extension))?;
                }
                Ok::<_, Malformed>(())
            })?;
        }
    }
    Ok(certificate)
}

impl Certificate {
    /// Reads an extension, if it is relevant for signatures.
    fn extend(&mut self, extension: &mut Reader<'_>) -> Result<(), Malformed> {
        const SUBJECT_KEY_IDENTIFIER: &[u8] = &[0x55, 0x1D, 0x0E];
        const KEY_USAGE: &[u8] = &[0x55, 0x1D, 0x0F];
        const BASIC_CONSTRAINTS: &[u8] = &[0x55, 0x1D, 0x13];

        let id = der::expect_tag_and_get_value(extension, Tag::OID)?;
        if extension.peek(Tag::Boolean.into()) {
            der::expect_tag_and_get_value(extension, Tag::Boolean)?;
        }
        let value = der::expect_tag_and_get_value(extension, Tag::OctetString)?;
        match id.as_slice_less_safe() {
            SUBJECT_KEY_IDENTIFIER => {
                let value = value.read_all(Malformed, |value| {
                    Ok::<_, Malformed>(der::expect_tag_and_get_value(value, Tag::OctetString)?)
                })?;
                self.key_identifier = Some(value.as_slice_less_safe().to_vec());
            }
            KEY_USAGE => {
                let bits = value.read_all(Malformed, |value| {
                    Ok::<_, Malformed>(der::expect_tag_and_get_value(value, Tag::BitString)?)
                })?;
                // The first byte is the number of unused bits; digitalSignature and nonRepudiation
                // come first.
                let usage = bits.as_slice_less_safe().get(1).ok_or(Malformed)?;
                self.signs = usage & 0b1100_0000 != 0;
            }
            BASIC_CONSTRAINTS => {
                let constraints = value.read_all(Malformed, sequence)?;
                // The first member is `cA`, which is left out if it is FALSE.
                let constraints = constraints.as_slice_less_safe();
                self.is_authority = constraints.starts_with(&[0x01, 0x01, 0xFF]);
            }
            _ => {}
        }
        Ok(())
    }
}

/// Returns the kind of a key, given the identifier of its algorithm without the tag.
fn key_kind(algorithm: &[u8]) -> Option<KeyKind> {
    let is = |known: AlgorithmIdentifier| known.as_ref() == algorithm;
    if is(alg_id::RSA_ENCRYPTION) {
        Some(KeyKind::Rsa)
    } else if is(alg_id::ECDSA_P256) {
        Some(KeyKind::P256)
    } else if is(alg_id::ECDSA_P384) {
        Some(KeyKind::P384)
    } else {
        None
    }
}

/// Reads a time of the validity: `YYMMDDhhmmssZ`, or with a year of four digits.
fn time(input: &mut Reader<'_>) -> Result<SystemTime, Malformed> {
    let (tag, value) = der::read_tag_and_get_value(input)?;
    let digits = std::str::from_utf8(value.as_slice_less_safe()).map_err(|_| Malformed)?;
    let digits = digits.strip_suffix('Z').ok_or(Malformed)?;
    let century = match (tag, digits.get(..2).ok_or(Malformed)?) {
        (0x18, _) => "",
        (0x17, year) if year < "50" => "20",
        (0x17, _) => "19",
        _ => return Err(Malformed),
    };
    let digits = [century, digits].concat();
    if digits.len() != 14 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(Malformed);
    }
    let part = |from: usize| &digits[from..from + 2];
    let text = format!(
        "{}-{}-{}T{}:{}:{}Z",
        &digits[..4],
        part(4),
        part(6),
        part(8),
        part(10),
        part(12)
    );
    if digits.as_str() < "1970" {
        return Ok(UNIX_EPOCH);
    }
    parse_time(&text).ok_or(Malformed)
}

/// Converts a number, given as bytes with the most significant first, to decimal digits.
fn decimal(bytes: &[u8]) -> String {
    let mut digits = vec![0_u8];
    for byte in bytes {
        let mut carry = u32::from(*byte);
        for digit in &mut digits {
            let value = u32::from(*digit) * 256 + carry;
            *digit = u8::try_from(value % 10).unwrap_or_default();
            carry = value / 10;
        }
        while carry > 0 {
            digits.push(u8::try_from(carry % 10).unwrap_or_default());
            carry /= 10;
        }
    }
    let digits = digits.iter().rev();
    digits.map(|digit| char::from(b'0' + digit)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn serial_numbers_are_decimal() {
        for (bytes, text) in [
            (&[][..], "0"),
            (&[0, 255], "255"),
            (&[1, 0, 0, 0, 0, 0, 0, 0, 0], "18446744073709551616"),
        ] {
            assert_eq!(decimal(bytes), text);
        }
    }
}
