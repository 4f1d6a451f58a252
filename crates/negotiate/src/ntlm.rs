//! NTLM messages without the field `Version`, which curl and other clients omit, but gss-ntlmssp
//! expects.

/// The size of the first message with `Version` (MS-NLMP §2.2.1.1).
const NEGOTIATE_SIZE: usize = 40;

/// The size of the last message up to `Version` (MS-NLMP §2.2.1.3): signature, type, six fields of
/// 8 bytes, flags.
const AUTHENTICATE_SIZE: usize = 64;

/// The offset that gss-ntlmssp expects for the values of the last message if its flags announce
/// `Version`.
const VALUES_AFTER_VERSION: u32 = 72;

/// `NTLMSSP_NEGOTIATE_VERSION` in the last byte of the flags.
const HAS_VERSION: u8 = 0x02;

/// Adds an empty `Version` to a first message without one. In a last message without one, clears
/// the flag, which curl repeats from the challenge. Other tokens stay unchanged.
pub(crate) fn add_version(token: &mut Vec<u8>) {
    let Some((b"NTLMSSP\0", rest)) = token.split_first_chunk::<8>() else {
        return;
    };
    match *rest {
        [1, 0, 0, 0, ..] if token.len() < NEGOTIATE_SIZE => token.resize(NEGOTIATE_SIZE, 0),
        [3, 0, 0, 0, ..] if first_value(token) < VALUES_AFTER_VERSION => {
            token[AUTHENTICATE_SIZE - 1] &= !HAS_VERSION;
        }
        _ => {}
    }
}

/// Returns the offset of the values in a last message.
fn first_value(token: &[u8]) -> u32 {
    let Some(fields) = token.get(12..AUTHENTICATE_SIZE - 4) else {
        return u32::MAX;
    };
    let fields = fields.as_chunks::<8>().0.iter();
    let present = fields.filter(|field| field[..2] != [0, 0]);
    let offsets = present.map(|&[_, _, _, _, a, b, c, d]| u32::from_le_bytes([a, b, c, d]));
    offsets.min().unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn authenticate(first_value: u8, flags: u8) -> Vec<u8> {
        let mut token = b"NTLMSSP\0\x03\0\0\0".to_vec();
        // No LAN Manager response, whose offset is ignored.
        token.extend([0, 0, 0, 0, 1, 0, 0, 0]);
        token.extend([24, 0, 24, 0, first_value, 0, 0, 0]);
        token.extend([4, 0, 4, 0, first_value + 24, 0, 0, 0]);
        token.extend([0; 24]);
        token.extend([0, 0, 0, flags]);
        token.extend([7; 60]);
        token
    }

    #[test]
    fn a_first_message_gets_the_version_it_lacks() {
        for (length, expected) in [(16, 40), (32, 40), (40, 40), (50, 50)] {
            let mut token = b"NTLMSSP\0\x01\0\0\0".to_vec();
            token.resize(length, 7);
            let before = token.clone();
            add_version(&mut token);
            assert_eq!(token.len(), expected);
            assert!(token.starts_with(&before));
        }
    }

    #[test]
    fn a_last_message_says_whether_it_has_a_version() {
        for (first_value, flags, expected) in [(64, 0x82, 0x80), (72, 0x82, 0x82), (88, 0x02, 0x02)]
        {
            let mut token = authenticate(first_value, flags);
            add_version(&mut token);
            assert_eq!(token, authenticate(first_value, expected));
        }
    }

    #[test]
    fn other_tokens_stay_as_they_are() {
        let kerberos = &b"\x60\x82\x02\x7f\x06\x06"[..];
        for token in [
            kerberos,
            b"",
            b"NTLMSSP\0",
            b"NTLMSSP\0\x03\0\0\0\x18",
            b"NTLMSSP\0\x02\0\0\0",
        ] {
            let mut given = token.to_vec();
            add_version(&mut given);
            assert_eq!(given, token);
        }
    }
}
