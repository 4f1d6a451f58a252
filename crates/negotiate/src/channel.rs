//! The TLS channel that a token is bound to.

use sha2::{Digest, Sha256, Sha384, Sha512};

/// The ends of the object identifiers of signatures with SHA-384, and of the hash itself:
/// sha384WithRSAEncryption, ecdsa-with-SHA384, id-sha384.
const SHA_384: [&[u8]; 3] = [
    b"\x2a\x86\x48\x86\xf7\x0d\x01\x01\x0c",
    b"\x2a\x86\x48\xce\x3d\x04\x03\x03",
    b"\x60\x86\x48\x01\x65\x03\x04\x02\x02",
];

/// The same for SHA-512.
const SHA_512: [&[u8]; 3] = [
    b"\x2a\x86\x48\x86\xf7\x0d\x01\x01\x0d",
    b"\x2a\x86\x48\xce\x3d\x04\x03\x04",
    b"\x60\x86\x48\x01\x65\x03\x04\x02\x03",
];

/// Returns the channel bindings of the type `tls-server-end-point` for the certificate of a server
/// (RFC 5929 §4.1): its hash with the hash algorithm of its signature, or with SHA-256 if that is
/// MD5 or SHA-1. Returns `None` if this is not a certificate.
pub(crate) fn bindings(certificate: &[u8]) -> Option<Vec<u8>> {
    let algorithm = signature_algorithm(certificate)?;
    let is_one_of = |identifiers: &[&[u8]]| {
        let mut identifiers = identifiers.iter();
        identifiers.any(|identifier| contains(algorithm, identifier))
    };
    let hash = if is_one_of(&SHA_384) {
        Sha384::digest(certificate).to_vec()
    } else if is_one_of(&SHA_512) {
        Sha512::digest(certificate).to_vec()
    } else {
        Sha256::digest(certificate).to_vec()
    };
    Some([&b"tls-server-end-point:"[..], &hash].concat())
}

fn contains(bytes: &[u8], wanted: &[u8]) -> bool {
    bytes.windows(wanted.len()).any(|window| window == wanted)
}

/// Returns the signatureAlgorithm of a certificate in DER, which follows its first part (RFC 5280
/// §4.1).
fn signature_algorithm(certificate: &[u8]) -> Option<&[u8]> {
    let (certificate, _) = sequence(certificate)?;
    let (_, rest) = sequence(certificate)?;
    sequence(rest).map(|(algorithm, _)| algorithm)
}

/// Returns the content of the sequence at the start of `bytes`, and the bytes after it (X.690
/// §8.1).
fn sequence(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (&[0x30, length], rest) = bytes.split_first_chunk::<2>()? else {
        return None;
    };
    if length < 0x80 {
        return rest.split_at_checked(length.into());
    }
    let (length, rest) = rest.split_at_checked((length & 0x7f).into())?;
    if length.len() > size_of::<u32>() {
        return None;
    }
    let length = length
        .iter()
        .fold(0, |sum, byte| sum << 8 | usize::from(*byte));
    rest.split_at_checked(length)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the relevant parts of a certificate with a signature algorithm.
    fn certificate(algorithm: &[u8]) -> Vec<u8> {
        let first = [&b"\x30\x82\x01\x00"[..], &[7; 256]].concat();
        let algorithm = [&[0x30, algorithm.len() as u8][..], algorithm].concat();
        let length = u16::try_from(first.len() + algorithm.len()).unwrap();
        [&b"\x30\x82"[..], &length.to_be_bytes(), &first, &algorithm].concat()
    }

    #[test]
    fn a_certificate_is_hashed_as_it_is_signed() {
        let rsa = |last| {
            [
                &b"\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x01"[..],
                &[last, 5, 0],
            ]
            .concat()
        };
        let ecdsa = |last| [&b"\x06\x08\x2a\x86\x48\xce\x3d\x04\x03"[..], &[last]].concat();
        for (algorithm, bytes) in [
            // SHA-1, SHA-256, SHA-384, SHA-512.
            (rsa(5), 32),
            (rsa(11), 32),
            (rsa(12), 48),
            (rsa(13), 64),
            (ecdsa(2), 32),
            (ecdsa(3), 48),
            (ecdsa(4), 64),
        ] {
            let bindings = bindings(&certificate(&algorithm)).unwrap();
            let hash = bindings.strip_prefix(b"tls-server-end-point:").unwrap();
            assert_eq!(hash.len(), bytes, "{algorithm:x?}");
        }
        let hash = bindings(&certificate(&rsa(11))).unwrap();
        assert!(hash.ends_with(&Sha256::digest(certificate(&rsa(11)))));
    }

    #[test]
    fn bytes_that_are_no_certificate_bind_nothing() {
        let whole = certificate(b"\x06\x01\x00");
        for length in 0..whole.len() {
            assert_eq!(bindings(&whole[..length]), None, "{length}");
        }
        assert_eq!(
            bindings(b"\x30\x89\xff\xff\xff\xff\xff\xff\xff\xff\xff"),
            None
        );
    }
}
