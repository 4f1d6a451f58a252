//! Definitions of growing size: the time to generate code, and the size of the code. See README.md.

use std::fmt::Write;
use std::time::Instant;

use svcgen_codegen::{Config, Output};

/// The default numbers of operations to generate code for, which are also the numbers of types.
const SIZES: [usize; 4] = [10, 100, 1_000, 10_000];

fn main() {
    let asked: Vec<usize> = std::env::args()
        .filter_map(|argument| argument.parse().ok())
        .collect();
    let sizes = if asked.is_empty() { &SIZES } else { &asked[..] };
    println!("| operations | definition, bytes | seconds | emitted, lines | bytes |");
    println!("|---|---|---|---|---|");
    for size in sizes {
        let definition = definition(*size);
        let (seconds, output) = generate(&definition);
        let (lines, bytes) = (output.code.lines().count(), output.code.len());
        let given = definition.len();
        println!("| {size} | {given} | {seconds:.3} | {lines} | {bytes} |");
    }
}

/// Returns the best of three runs.
fn generate(definition: &str) -> (f64, Output) {
    let run = |_| {
        let start = Instant::now();
        let generated = Config::new().generate("scale.yaml", definition);
        (start.elapsed().as_secs_f64(), generated.unwrap())
    };
    let runs = (0..3).map(run);
    runs.min_by(|one, other| one.0.total_cmp(&other.0)).unwrap()
}

/// Returns a definition with this number of operations and of types. Each type may contain the type
/// of half its number.
fn definition(size: usize) -> String {
    let mut text = String::from(
        "service: Scale\nnamespace: urn:example:scale\npath: /Scale.asmx\nbindings: [soap11, soap12]\noperations:\n",
    );
    for index in 0..size {
        writeln!(
            text,
            "  Do{index}: {{ parameters: {{ id: int, name: string?, record: Record{index} }}, result: Record{index} }}"
        )
        .unwrap();
    }
    text += "types:\n";
    for index in 0..size {
        let inner = index / 2;
        writeln!(
            text,
            "  Record{index}: {{ elements: {{ Id: int, Name: string?, Amount: double, Active: boolean, Tags: \"string[]\", Inner: Record{inner}? }} }}"
        )
        .unwrap();
    }
    text
}
