//! Digests of the values and answers for mutated documents, to compare two versions of the code:
//! `tests/fuzz/differ`.
//!
//! The same numbers yield the same documents in every version, on every machine, and in every run.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;

use bytes::Bytes;
use http::Request;
use svcgen::Limits;
use svcgen::codegen::{Complex, Content, Reader};
use svcgen_tests::device_login_service::{
    DeviceLoginResponse, LoginRequest, LoginWithEncryptedPasswordRequest,
};

use super::bindings::{answer, request};
use super::fast_path::whole;

/// Pieces that are inserted into documents.
const PIECES: [&str; 24] = [
    "<",
    ">",
    "</",
    "/>",
    "&",
    "&amp;",
    "&#x9;",
    "&#0;",
    "]]>",
    "<![CDATA[",
    "<!--",
    "-->",
    "<?p ?>",
    "\"",
    "'",
    " ",
    "\r\n",
    ":",
    "xmlns=\"urn:a\"",
    " xsi:nil=\"true\"",
    "-1",
    "99999999999999999999",
    "\u{e9}\u{fffe}",
    "%u00e9+%",
];

/// Creates documents from seeds.
pub struct Mutator {
    seeds: Vec<Vec<u8>>,
}

/// A generator of pseudo-random numbers.
struct Numbers(u64);

impl Numbers {
    /// Returns a number below `end`.
    fn below(&mut self, end: usize) -> usize {
        // SplitMix64.
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((bits ^ (bits >> 31)) % end.max(1) as u64) as usize
    }
}

impl Mutator {
    /// Reads the seeds from all files in folders. The bytes by which a target selects are removed:
    /// a document starts with `<`, a form after one byte.
    pub fn of_folders(folders: &[&Path]) -> Self {
        let mut files = Vec::new();
        for folder in folders {
            let entries = std::fs::read_dir(folder).expect("a folder of seeds");
            files.extend(entries.map(|entry| entry.expect("a seed").path()));
        }
        files.sort();
        let read = |file| {
            let seed = std::fs::read(file).expect("a seed");
            let start = seed.iter().position(|byte| *byte == b'<');
            seed[start.unwrap_or(1).min(seed.len())..].to_vec()
        };
        Self {
            seeds: files.iter().map(read).collect(),
        }
    }

    /// Returns the document of a number.
    pub fn document(&self, number: u64) -> Vec<u8> {
        let mut numbers = Numbers(number);
        let mut document = self.seeds[numbers.below(self.seeds.len())].clone();
        for _ in 0..numbers.below(5) {
            self.mutate(&mut document, &mut numbers);
        }
        document
    }

    fn mutate(&self, document: &mut Vec<u8>, numbers: &mut Numbers) {
        let at = numbers.below(document.len() + 1);
        let end = (at + numbers.below(40)).min(document.len());
        match numbers.below(6) {
            0 => drop(document.drain(at..end)),
            1 => {
                let copy = document[at..end].to_vec();
                let to = numbers.below(document.len() + 1);
                document.splice(to..to, copy);
            }
            2 => {
                let other = &self.seeds[numbers.below(self.seeds.len())];
                let from = numbers.below(other.len());
                let to = (from + numbers.below(80)).min(other.len());
                document.splice(at..at, other[from..to].iter().copied());
            }
            3 if end > at => document[at] ^= 1 << numbers.below(8),
            4 => document.truncate(at),
            _ => {
                let piece = PIECES[numbers.below(PIECES.len())];
                document.splice(at..at, piece.bytes());
            }
        }
    }
}

/// Returns the digest of the values of a document, with and without limits that it may exceed, and
/// of the answers of each service.
pub fn digest(document: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    if let Ok(text) = std::str::from_utf8(document) {
        let low = Limits::default()
            .with_depth(6)
            .with_elements(40)
            .with_name(30)
            .with_text(40);
        for (limits, strict) in [
            (&Limits::default(), false),
            (&Limits::default(), true),
            (&low, false),
        ] {
            read::<LoginRequest>(text, limits, strict, &mut hasher);
            read::<LoginWithEncryptedPasswordRequest>(text, limits, strict, &mut hasher);
            read::<DeviceLoginResponse>(text, limits, strict, &mut hasher);
        }
    }
    for (choice, path, operation) in super::bindings::calls() {
        if let Some(request) = request(choice, path, operation, document) {
            answered(request, &mut hasher);
        }
    }
    hasher.finish()
}

fn read<T: Complex>(text: &str, limits: &Limits, strict: bool, hasher: &mut DefaultHasher) {
    match whole::<T>(Reader::new(text, limits).with_strict(strict)) {
        Ok(value) => {
            // Includes secrets, which `Debug` does not show.
            let mut written = Vec::new();
            let mut out = Content::compact(&mut written);
            value.write_elements(&mut out);
            out.finish().is_ok().hash(hasher);
            written.hash(hasher);
        }
        Err(error) => format!("{error:?}").hash(hasher),
    }
}

fn answered(request: Request<Bytes>, hasher: &mut DefaultHasher) {
    let response = answer(request);
    response.status().as_u16().hash(hasher);
    for (name, value) in response.headers() {
        (name.as_str(), value.as_bytes()).hash(hasher);
    }
    response.body().hash(hasher);
}
