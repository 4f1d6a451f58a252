//! `digest FIRST COUNT BLOCK`: prints a line with the digest of each block of documents. A block of
//! one document also shows it.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;

use svcgen_fuzz::digest::{Mutator, digest};

fn main() {
    let numbers: Vec<u64> = std::env::args()
        .skip(1)
        .map(|argument| argument.parse().expect("a number"))
        .collect();
    let [first, count, block] = numbers[..] else {
        panic!("digest FIRST COUNT BLOCK");
    };
    let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds");
    let folders = ["bindings", "fast_path", "verdicts"].map(|name| seeds.join(name));
    let mutator = Mutator::of_folders(&folders.each_ref().map(|folder| folder.as_path()));
    for start in (first..first + count).step_by(block as usize) {
        let mut hasher = DefaultHasher::new();
        for number in start..(start + block).min(first + count) {
            digest(&mutator.document(number)).hash(&mut hasher);
        }
        let shown = (block == 1).then(|| mutator.document(start));
        let shown = shown.unwrap_or_default();
        println!("{start} {:016x} {}", hasher.finish(), shown.escape_ascii());
    }
}
