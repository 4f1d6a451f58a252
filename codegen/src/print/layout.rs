//! The text of an item: by prettyplease, and by own rules where it breaks lines too early or has no
//! layout.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, Expr, File, Item, ItemEnum, Macro, MacroDelimiter, Token, Visibility};

/// The text of an item.
pub(super) fn layout(file: &File) -> String {
    let call = match file.items.as_slice() {
        [Item::Macro(call)] => macro_call(&call.mac),
        _ => None,
    };
    let text = call.unwrap_or_else(|| prettyplease::unparse(file));
    space_methods(&join_signatures(&text))
}

/// The text of a call of a macro of the runtime, which prettyplease would leave as tokens in a
/// line: laid out like a function call if its arguments are in parentheses, or like a module if
/// items are in braces.
fn macro_call(call: &Macro) -> Option<String> {
    if matches!(call.delimiter, MacroDelimiter::Paren(_)) {
        let (function, arguments) = (&call.path, &call.tokens);
        let text = expression(quote! { #function(#arguments) }).ok()?;
        return Some(text.replacen('(', "!(", 1) + ";\n");
    }
    let (items, head) = match call.parse_body::<File>() {
        Ok(file) => (file.items, None),
        Err(_) => {
            let List { values, head } = call.parse_body().ok()?;
            (vec![Item::Enum(values)], Some(head))
        }
    };
    let module = syn::parse_quote! { mod declared { #(#items)* } };
    let text = prettyplease::unparse(&module);
    let path = call.path.to_token_stream().to_string().replace(' ', "");
    let text = text.replacen("mod declared", &format!("{path}!"), 1);
    Some(match head {
        Some(head) => text.replacen("enum Listed", &head, 1),
        None => text,
    })
}

/// The text of an expression.
fn expression(expression: TokenStream) -> syn::Result<String> {
    let constant = syn::parse2(quote! { const E: () = #expression; })?;
    let text = prettyplease::unparse(&constant);
    let text = text.trim_start_matches("const E: () =");
    Ok(text.trim().trim_end_matches(';').to_owned())
}

/// A list of values in the syntax of a macro of the runtime: an enum, or a struct instead, whose
/// name is followed by its row: `enum Colour = "Colour" { Red }`.
struct List {
    /// An enum with the name `Listed`.
    values: ItemEnum,
    /// The text that replaces `enum Listed`.
    head: String,
}

impl Parse for List {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let attributes = input.call(Attribute::parse_outer)?;
        let visibility: Visibility = input.parse()?;
        let keyword = Ident::parse_any(input)?;
        let name: Ident = input.parse()?;
        input.parse::<Token![=]>()?;
        let row = input.call(Expr::parse_without_eager_brace)?;
        let values = input.parse::<TokenStream>()?;
        let row = expression(row.into_token_stream())?;
        Ok(Self {
            values: syn::parse_quote! { #(#attributes)* #visibility enum Listed #values },
            head: format!("{keyword} {name} = {row}"),
        })
    }
}

/// The maximum width of a signature in one line, as in rustfmt. prettyplease uses a smaller one.
const WIDTH: usize = 100;

/// Moves the parameters of each function to the line of its name if they fit; the return type
/// follows in the next line, if the function has no body and the type does not fit, too.
fn join_signatures(item: &str) -> String {
    let mut text = String::with_capacity(item.len());
    let mut lines = item.lines();
    while let Some(line) = lines.next() {
        match signature(line, lines.clone()) {
            Some((signature, count)) => {
                text.push_str(&signature);
                lines.by_ref().take(count).for_each(drop);
            }
            None => text.push_str(line),
        }
        text.push('\n');
    }
    text
}

/// The signature that starts with a line, in one line or two, and the number of lines that it
/// replaces.
fn signature<'t>(line: &str, rest: impl Iterator<Item = &'t str>) -> Option<(String, usize)> {
    let start = line.trim_start();
    let mut words = start.split(' ').take_while(|word| !word.contains('('));
    if !start.ends_with('(') || !words.any(|word| word == "fn") {
        return None;
    }
    let indent = &line[..line.len() - start.len()];
    let mut parameters = Vec::new();
    for part in rest {
        let part = part.strip_prefix(indent)?;
        if let Some(parameter) = part.strip_prefix("    ") {
            // The parameter has lines of its own, or an attribute.
            if parameter.starts_with([' ', '#']) {
                return None;
            }
            parameters.push(parameter);
            continue;
        }
        let end = part.strip_prefix(')')?;
        let joined = parameters.join(" ");
        let head = format!("{line}{})", joined.trim_end_matches(','));
        let fits = |text: &str| text.chars().count() <= WIDTH;
        let (one, count) = (format!("{head}{end}"), parameters.len() + 1);
        if fits(&one) {
            return Some((one, count));
        }
        let is_declared = end.starts_with(" -> ") && end.ends_with(';');
        let two = || (format!("{head}\n{indent}   {end}"), count);
        return (is_declared && fits(&head)).then(two);
    }
    None
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

#[cfg(test)]
mod tests {
    use super::*;

    fn laid_out(item: TokenStream) -> String {
        layout(&syn::parse2(item).expect("an item"))
    }

    #[test]
    fn calls_of_macros_are_laid_out() {
        let list = laid_out(quote! {
            a::list! {
                /// Text.
                #[derive(Debug)]
                pub struct Days = "Days".documented(1) { MONDAY = "Monday".bits(1), #[x] Late }
            }
        });
        let expected = "a::list! {\n    /// Text.\n    #[derive(Debug)]\n    pub struct Days = \"Days\".documented(1) {\n        \
            MONDAY = \"Monday\".bits(1),\n        #[x]\n        Late,\n    }\n}\n";
        assert_eq!(list, expected);
        let declared = laid_out(quote! { a::client! { pub struct Client(SERVICE); } });
        assert_eq!(
            declared,
            "a::client! {\n    pub struct Client(SERVICE);\n}\n"
        );
        let row = laid_out(quote! { a::row!(Thing = ROWS.of(1), boxes = 1 + 2); });
        assert_eq!(row, "a::row!(Thing = ROWS.of(1), boxes = 1 + 2);\n");
    }

    #[test]
    fn signatures_take_lines_of_100_characters() {
        let signature = |name: &str, end: &str| {
            let broken = format!(
                "    fn {name}(\n        &self,\n        number: usize,\n    ) -> Number{end}\n"
            );
            join_signatures(&broken)
        };
        let wide = "n".repeat(100 - "    fn (&self, number: usize) -> Number;".len());
        let joined = format!("    fn {wide}(&self, number: usize) -> Number;\n");
        assert_eq!(signature(&wide, ";"), joined);
        let wider = format!("{wide}n");
        let two = format!("    fn {wider}(&self, number: usize)\n        -> Number;\n");
        assert_eq!(signature(&wider, ";"), two);
        // A body would be next to the return type.
        assert_eq!(signature(&wider, " {").lines().count(), 4);
        let nested = "fn f(\n    g: fn(\n        A,\n    ),\n)\n";
        assert_eq!(join_signatures(nested), nested);
    }
}
