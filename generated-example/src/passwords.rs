//! Password hashes, random tokens, and the fingerprints under which tokens are stored.

use std::fmt;
use std::sync::{Mutex, PoisonError};

use argon2::password_hash::Error;
use argon2::password_hash::phc::{Output, ParamsString, PasswordHash, Salt};
use argon2::{Algorithm, Argon2, Block, Params, Version};
use blake2::Blake2sMac256;
use blake2::digest::{KeyInit, Mac};
use subtle::ConstantTimeEq;
use svcgen::Secret;

/// The cost of a new argon2id hash. Existing hashes keep theirs.
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
pub struct Passwords {
    params: Params,
    decoy: Secret<String>,
    // Reused, because an allocator would keep this memory for each thread that ever hashed.
    memory: Mutex<Vec<Vec<Block>>>,
}

impl fmt::Debug for Passwords {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Passwords")
            .field("params", &self.params)
            .finish_non_exhaustive()
    }
}

impl Passwords {
    /// # Errors
    ///
    /// The cost is outside what argon2 allows, or the system has no random bytes.
    pub fn new(cost: HashCost) -> Result<Self, Error> {
        let mut passwords = Self {
            params: Params::new(cost.memory, cost.passes, 1, None)?,
            decoy: String::new().into(),
            memory: Mutex::default(),
        };
        let decoy = hex(&random::<32>()?);
        passwords.decoy = passwords.hash(&decoy.into())?;
        Ok(passwords)
    }

    /// Hashes a password with a new salt, as a PHC string.
    ///
    /// # Errors
    ///
    /// The system has no random bytes.
    pub fn hash(&self, password: &Secret<String>) -> Result<Secret<String>, Error> {
        let salt = Salt::new(&random::<{ Salt::RECOMMENDED_LENGTH }>()?)?;
        let mut output = [0; Params::DEFAULT_OUTPUT_LEN];
        let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, self.params.clone());
        self.compute(&argon2, password, &salt, &mut output)?;
        let hash = PasswordHash {
            algorithm: Algorithm::Argon2id.ident(),
            version: Some(Version::V0x13.into()),
            params: ParamsString::try_from(&self.params)?,
            salt: Some(salt),
            hash: Some(Output::new(&output)?),
        };
        Ok(hash.to_string().into())
    }

    /// Whether the password belongs to the hash. An absent or unreadable hash takes as long and
    /// matches no password, so that the time of an answer does not show which users exist.
    pub fn verify(&self, password: &Secret<String>, hash: Option<&Secret<String>>) -> bool {
        let stored = hash.and_then(|hash| PasswordHash::new(hash).ok());
        let exists = stored.is_some();
        let Some(hash) = stored.or_else(|| PasswordHash::new(&self.decoy).ok()) else {
            return false;
        };
        self.matches(password, &hash).unwrap_or(false) && exists
    }

    /// Whether the password belongs to the hash, computed with the cost of the hash.
    fn matches(&self, password: &Secret<String>, hash: &PasswordHash) -> Result<bool, Error> {
        let (Some(salt), Some(expected)) = (&hash.salt, &hash.hash) else {
            return Ok(false);
        };
        let version = hash.version.map(Version::try_from).transpose()?;
        let argon2 = Argon2::new(
            Algorithm::try_from(hash.algorithm.as_str())?,
            version.unwrap_or_default(),
            Params::try_from(hash)?,
        );
        let mut output = vec![0; expected.len()];
        self.compute(&argon2, password, salt, &mut output)?;
        Ok(output.ct_eq(expected.as_bytes()).into())
    }

    /// Computes a hash, in memory of an earlier one if some is free.
    fn compute(
        &self,
        argon2: &Argon2<'_>,
        password: &Secret<String>,
        salt: &Salt,
        output: &mut [u8],
    ) -> Result<(), Error> {
        let free = || self.memory.lock().unwrap_or_else(PoisonError::into_inner);
        let mut blocks = free().pop().unwrap_or_default();
        let needed = argon2.params().block_count();
        if blocks.len() < needed {
            blocks.resize(needed, Block::new());
        }
        let computed =
            argon2.hash_password_into_with_memory(password.as_bytes(), salt, output, &mut blocks);
        free().push(blocks);
        Ok(computed?)
    }
}

/// Random bytes that nobody can guess.
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
    /// The fingerprint of several parts. The same bytes divided otherwise have another fingerprint.
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
    fn memory_is_used_again_and_hashes_of_any_cost_verify() {
        let passwords = cheap();
        for memory in [8, 64, 8] {
            let cost = HashCost { memory, passes: 2 };
            let hash = Passwords::new(cost).unwrap().hash(&"secret".into());
            assert!(passwords.verify(&"secret".into(), Some(&hash.unwrap())));
        }
        let memory = passwords.memory.lock().unwrap();
        let blocks: Vec<_> = memory.iter().map(Vec::len).collect();
        assert_eq!(blocks, [64]);
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
