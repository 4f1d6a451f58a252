//! Tables in documentation comments.

use crate::sources::{crates, texts};

/// In Markdown, the next line is another row.
#[test]
fn rows_of_tables_are_not_wrapped() {
    let mut wrapped = Vec::new();
    for folder in crates() {
        for (file, text) in texts(&format!("{folder}/src")) {
            let comments = text.lines().map(|line| {
                let line = line.trim_start();
                let of_module = line.strip_prefix("//!");
                of_module.or_else(|| line.strip_prefix("///"))
            });
            for (number, comment) in (1..).zip(comments) {
                let row = comment.filter(|text| text.starts_with(" |"));
                if row.is_some_and(|row| !row.ends_with('|')) {
                    wrapped.push(format!("{}:{number}", file.display()));
                }
            }
        }
    }
    assert!(wrapped.is_empty(), "{wrapped:#?}");
}
