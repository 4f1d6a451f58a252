//! PRINT: tokens → formatted text.

use proc_macro2::TokenStream;

/// The text of an emitted file: a header, then the items with empty lines between them. Each is printed when it is added.
pub(crate) struct Text(String);

impl Text {
    pub(crate) fn new(header: &str) -> Self {
        Self(header.to_owned())
    }

    pub(crate) fn finish(self) -> String {
        self.0
    }
}

impl Extend<TokenStream> for Text {
    fn extend<I: IntoIterator<Item = TokenStream>>(&mut self, items: I) {
        for item in items {
            let file = syn::parse2(item).expect("every emitter makes items");
            self.0.push('\n');
            self.0
                .push_str(&space_methods(&prettyplease::unparse(&file)));
        }
    }
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
