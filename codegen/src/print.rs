//! PRINT: tokens → text, as a person would have laid it out.

use proc_macro2::TokenStream;

/// The text of an emitted file: the header, then the items with an empty line between any two.
pub(crate) fn print(header: &str, items: Vec<TokenStream>) -> String {
    let mut text = header.to_owned();
    for item in items {
        let file = syn::parse2(item).expect("every emitter makes items");
        text.push('\n');
        text.push_str(&space_methods(&prettyplease::unparse(&file)));
    }
    text
}

/// Puts an empty line before each documented method that follows another.
fn space_methods(item: &str) -> String {
    let mut text = String::with_capacity(item.len());
    let mut last = "";
    for line in item.lines() {
        let ends_method = last == "    }" || (last.starts_with("    ") && last.ends_with(';'));
        if ends_method && line.starts_with("    ///") {
            text.push('\n');
        }
        text.push_str(line);
        text.push('\n');
        last = line;
    }
    text
}
