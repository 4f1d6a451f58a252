//! Every legal XML name becomes legal Rust, or is refused with both places; and the text of a
//! definition never becomes code.

use std::collections::BTreeSet;

use proptest::prelude::*;
use svcgen_codegen::Config;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::visit::Visit;

use crate::xml_names::{named, renamed};

/// Returns the names of the public items of a module.
fn public_items(file: &syn::File) -> BTreeSet<String> {
    let named = file.items.iter().filter_map(|item| match item {
        syn::Item::Struct(item) => Some(&item.ident),
        syn::Item::Enum(item) => Some(&item.ident),
        syn::Item::Trait(item) => Some(&item.ident),
        syn::Item::Type(item) => Some(&item.ident),
        syn::Item::Fn(item) => Some(&item.sig.ident),
        syn::Item::Mod(item) => Some(&item.ident),
        _ => None,
    });
    named.map(ToString::to_string).collect()
}

/// Parses emitted code with the items that macros of the runtime declare: enumerations become
/// enums, without their rows.
pub(crate) fn with_declared(code: &str) -> syn::Result<syn::File> {
    let mut file = syn::parse_file(code)?;
    for item in &mut file.items {
        if let syn::Item::Macro(call) = item
            && matches!(call.mac.delimiter, syn::MacroDelimiter::Brace(_))
        {
            let plain = call.mac.parse_body();
            *item = plain.or_else(|_| call.mac.parse_body_with(enumeration))?;
        }
    }
    Ok(file)
}

fn enumeration(input: ParseStream<'_>) -> syn::Result<syn::Item> {
    let attrs = input.call(syn::Attribute::parse_outer)?;
    let vis = input.parse()?;
    syn::Ident::parse_any(input)?;
    let ident = input.parse()?;
    input.parse::<syn::Token![=]>()?;
    input.call(syn::Expr::parse_without_eager_brace)?;
    let values;
    let brace_token = syn::braced!(values in input);
    Ok(syn::Item::Enum(syn::ItemEnum {
        attrs,
        vis,
        enum_token: Default::default(),
        ident,
        generics: Default::default(),
        brace_token,
        variants: values.parse_terminated(syn::Variant::parse, syn::Token![,])?,
    }))
}

/// The string literals in a file.
#[derive(Default)]
struct Texts(BTreeSet<String>);

impl Visit<'_> for Texts {
    fn visit_lit_str(&mut self, literal: &syn::LitStr) {
        self.0.insert(literal.value());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_a_definition_says_never_becomes_code((text, items) in renamed()) {
        match Config::new().generate("shop.yaml", &text) {
            Ok(output) => {
                prop_assert!(syn::parse_file(&output.code).is_ok(), "{text}\n{}", output.code);
                let file = with_declared(&output.code);
                prop_assert_eq!(public_items(&file.unwrap()), items, "{}", text);
                let again = Config::new().generate("shop.yaml", &text).unwrap();
                prop_assert_eq!(again.code, output.code);
            }
            // The names of simple types are reserved, and documentation may contain characters that
            // are not allowed in YAML.
            Err(diagnostics) => {
                let mut expected = diagnostics.iter().map(|diagnostic| diagnostic.code());
                prop_assert!(expected.all(|code| ["SVC001", "SVC013"].contains(&code)), "{text}\n{diagnostics}");
            }
        }
    }

    #[test]
    fn names_become_rust_or_are_refused_with_both_places(text in named()) {
        match Config::new().generate("shop.yaml", &text) {
            Ok(output) => prop_assert!(syn::parse_file(&output.code).is_ok(), "{}", output.code),
            Err(diagnostics) => for diagnostic in diagnostics.iter() {
                prop_assert!(diagnostic.spans().next().is_some());
                let clash = ["SVC012", "SVC013"].contains(&diagnostic.code());
                let told = diagnostic.spans().count() > 1
                    || diagnostic.message().contains("already")
                    || diagnostic.message().contains("simple type")
                    || diagnostic.spans().any(|span| span.label.contains("the other one"));
                prop_assert!(!clash || told, "{}", diagnostic);
            },
        }
    }
}

#[test]
fn wire_names_stand_in_the_code_letter_for_letter() {
    let name = "Gr\u{F6}\u{301}\u{DF}e.\u{4E00}-\u{20000}";
    let text = format!(
        "service: S\nnamespace: urn:s\npath: /s\noperations:\n  {name}: {{ rust: greet, parameters: {{ {name}: {{ rust: size, type: int }} }} }}\n"
    );
    let output = Config::new().generate("s.yaml", &text).unwrap();
    let mut texts = Texts::default();
    texts.visit_file(&syn::parse_file(&output.code).unwrap());
    assert!(texts.0.contains(name), "{}", output.code);
}
