//! Password hashes, random tokens, and the fingerprints under which tokens are stored.

use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use argon2::{Algorithm, Argon2, Params, Version};
use blake2::Blake2sMac256;
use blake2::digest::{KeyInit, Mac};
use subtle::ConstantTimeEq;
use svcgen::Secret;

/// What a new argon2id hash costs. Existing hashes keep the cost they were made with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HashCost {
    /// Memory in KiB, at least 8.
    pub memory: u32,
    /// Passes over the memory, at least 1.
    pub passes: u32,
}

impl Default for HashCost {
    /// 19 MiB and 2 passes, as OWASP recommends.
    fn default() -> Self {
        Self {
            memory: 19 * 1024,
            passes: 2,
        }
    }
}

/// Makes and checks password hashes.
#[derive(Debug)]
pub struct Passwords {
    argon2: Argon2<'static>,
    decoy: String,
}

impl Passwords {
    /// # Errors
    ///
    /// The cost is outside what argon2 allows, or the system has no random bytes.
    pub fn new(cost: HashCost) -> Result<Self, argon2::password_hash::Error> {
        let params = Params::new(cost.memory, cost.passes, 1, None)?;
        let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
        let decoy = argon2.hash_password(&random::<32>()?)?.to_string();
        Ok(Self { argon2, decoy })
    }

    /// A hash with a salt of its own, as a PHC string.
    ///
    /// # Errors
    ///
    /// The system has no random bytes.
    pub fn hash(
        &self,
        password: &Secret<String>,
    ) -> Result<Secret<String>, argon2::password_hash::Error> {
        Ok(self
            .argon2
            .hash_password(password.as_bytes())?
            .to_string()
            .into())
    }

    /// Whether the password belongs to the hash. Without a hash, or with an unreadable one, it takes as long and
    /// is wrong: how long an answer takes does not tell which users exist.
    pub fn verify(&self, password: &Secret<String>, hash: Option<&Secret<String>>) -> bool {
        let stored = hash.and_then(|hash| PasswordHash::new(hash).ok());
        let exists = stored.is_some();
        let Some(hash) = stored.or_else(|| PasswordHash::new(&self.decoy).ok()) else {
            return false;
        };
        self.argon2
            .verify_password(password.as_bytes(), &hash)
            .is_ok()
            && exists
    }
}

/// Bytes nobody can guess.
///
/// # Errors
///
/// The system has none.
pub fn random<const N: usize>() -> Result<[u8; N], getrandom::Error> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes)?;
    Ok(bytes)
}

/// Lower-case hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A keyed hash (BLAKE2s) that stands for a secret in the store.
#[derive(Debug, Clone, Copy)]
pub struct Fingerprint([u8; 32]);

impl Fingerprint {
    /// The fingerprint of parts; no other division into parts has the same.
    pub fn of(key: &[u8; 32], parts: &[&[u8]]) -> Self {
        let mut mac = <Blake2sMac256 as KeyInit>::new(&(*key).into());
        for part in parts {
            mac.update(&(part.len() as u64).to_le_bytes());
            mac.update(part);
        }
        Self(mac.finalize().into_bytes().into())
    }

    /// Compares in constant time.
    pub fn is(&self, stored: &[u8]) -> bool {
        self.0.ct_eq(stored).into()
    }

    /// The bytes to store.
    pub fn bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cheap() -> Passwords {
        Passwords::new(HashCost {
            memory: 8,
            passes: 1,
        })
        .unwrap()
    }

    #[test]
    fn only_the_password_verifies() {
        let passwords = cheap();
        let hash = passwords.hash(&"secret".into()).unwrap();
        assert!(hash.starts_with("$argon2id$v=19$m=8,t=1,p=1$"));
        assert!(passwords.verify(&"secret".into(), Some(&hash)));
        assert!(!passwords.verify(&"Secret".into(), Some(&hash)));
        assert!(!passwords.verify(&"secret".into(), None));
        assert!(!passwords.verify(&"secret".into(), Some(&"nonsense".into())));
    }

    #[test]
    fn equal_passwords_have_unequal_hashes() {
        let passwords = cheap();
        let hash = || passwords.hash(&"secret".into()).unwrap();
        assert!(*hash() != *hash());
    }

    #[test]
    fn a_user_who_does_not_exist_costs_as_much_as_one_who_does() {
        let passwords = Passwords::new(HashCost::default()).unwrap();
        let hash = passwords.hash(&"secret".into()).unwrap();
        let fastest = |hash: Option<&Secret<String>>| {
            let measure = || {
                let start = std::time::Instant::now();
                passwords.verify(&"guess".into(), hash);
                start.elapsed()
            };
            (0..5).map(|_| measure()).min().unwrap()
        };
        let (known, unknown) = (fastest(Some(&hash)), fastest(None));
        // Without the decoy it would be microseconds.
        assert!(unknown * 4 > known, "known {known:?}, unknown {unknown:?}");
    }

    #[test]
    fn a_fingerprint_depends_on_key_parts_and_their_borders() {
        let print = |key: u8, parts: &[&[u8]]| *Fingerprint::of(&[key; 32], parts).bytes();
        assert_eq!(print(1, &[b"ab", b"c"]), print(1, &[b"ab", b"c"]));
        assert_ne!(print(1, &[b"ab", b"c"]), print(1, &[b"a", b"bc"]));
        assert_ne!(print(1, &[b"ab"]), print(2, &[b"ab"]));
        assert!(Fingerprint::of(&[1; 32], &[b"ab"]).is(&print(1, &[b"ab"])));
        assert!(!Fingerprint::of(&[1; 32], &[b"ab"]).is(b"short"));
    }
}
