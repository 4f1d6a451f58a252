//! Enumerations: an enum, and the names of its values on the wire.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::documentation::{docs, docs_or, named_docs};
use super::extern_types::import;
use super::{Context, ident, literal, variant_lint};
use crate::model::{Enumeration, Name};

/// The items for an enumeration; `index` is that of its row.
pub(super) fn emit(
    context: &Context<'_>,
    index: usize,
    enumeration: &Enumeration,
) -> Vec<TokenStream> {
    let is_open = enumeration.is_open;
    if let Some(path) = &enumeration.rust_type {
        let kind = if enumeration.is_flags {
            "flags"
        } else if is_open {
            "open_enumeration"
        } else {
            "enumeration"
        };
        return import(context, path, &enumeration.name, kind);
    }
    if enumeration.is_flags {
        return flags(context, index, enumeration);
    }
    let runtime = &context.runtime;
    let (name, index) = (ident(&enumeration.name.rust), literal(index));
    let values = enumeration.values.iter();
    let values = values.map(|value| ident(&value.name.rust));
    let result = context.prelude("Result");
    let kind = ident(if is_open {
        "OpenEnumeration"
    } else {
        "Enumeration"
    });
    let [names, read, write, value, error, parse] = if is_open {
        [
            open_names(context, enumeration),
            quote! { element.open_enumeration(self) },
            if enumeration.values.iter().any(|value| value.net.is_some()) {
                quote! { out.open_enumeration(name, self); }
            } else {
                quote! { out.text(name, #runtime::codegen::OpenEnumeration::as_str(self)); }
            },
            quote! { self },
            quote! { ::core::convert::Infallible },
            quote! { Ok(#runtime::codegen::OpenEnumeration::from_name(name)) },
        ]
    } else {
        [
            quote! { fn index(self) -> usize { self as usize } },
            quote! { element.enumeration(self) },
            quote! { out.enumeration(name, *self); },
            quote! { *self },
            quote! { #runtime::types::UnknownName },
            quote! { #runtime::codegen::Enumeration::parse(name) },
        ]
    };
    vec![
        item(context, enumeration),
        quote! {
            impl #runtime::codegen::#kind for #name {
                const TYPE: &'static #runtime::codegen::model::Enumeration<'static> = &MODULE.enumerations[#index];
                const VALUES: &'static [Self] = &[#(Self::#values),*];
                #names
            }
        },
        context.value(&enumeration.name.rust, &read, &write),
        quote! {
            impl ::core::fmt::Display for #name {
                fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                    f.pad(#runtime::codegen::#kind::as_str(#value))
                }
            }
        },
        quote! {
            impl ::core::str::FromStr for #name {
                type Err = #error;
                fn from_str(name: &str) -> #result<Self, #error> {
                    #parse
                }
            }
        },
    ]
}

/// The enum itself.
fn item(context: &Context<'_>, enumeration: &Enumeration) -> TokenStream {
    let visibility = &context.options.visibility;
    let name = ident(&enumeration.name.rust);
    let docs = docs_or(
        &enumeration.documentation,
        &format!("The enumeration `{}`.", enumeration.name.xml),
    );
    let variants = enumeration.values.iter().enumerate().map(|(index, value)| {
        let docs = named_docs(&value.name.xml, &value.documentation);
        let decoration =
            context.member_decoration(&enumeration.name.xml, &value.name, &value.name.xml);
        let default = (index == 0).then(|| quote! { #[default] });
        let variant = ident(&value.name.rust);
        quote! { #docs #default #decoration #variant }
    });
    let values = enumeration.values.iter();
    let lint = variant_lint(values.map(|value| &*value.name.rust));
    let mut derives = vec!["Debug", "Clone"];
    derives.extend((!enumeration.is_open).then_some("Copy"));
    derives.extend(["PartialEq", "Eq", "Hash", "Default"]);
    let decoration = context.decoration(&enumeration.name.xml, &derives);
    let other = (enumeration.is_open).then(|| other_variant(context, enumeration));
    quote! {
        #docs
        #lint
        #decoration
        #visibility enum #name { #(#variants,)* #other }
    }
}

/// The items for an enumeration of flags: a struct, a constant for each value, and sets of them.
fn flags(context: &Context<'_>, index: usize, enumeration: &Enumeration) -> Vec<TokenStream> {
    let (runtime, visibility) = (&context.runtime, &context.options.visibility);
    let (result, index) = (context.prelude("Result"), literal(index));
    let name = ident(&enumeration.name.rust);
    let docs = docs_or(
        &enumeration.documentation,
        &format!(
            "A set of values of the enumeration `{}`.",
            enumeration.name.xml
        ),
    );
    let derives = [
        "Debug",
        "Clone",
        "Copy",
        "PartialEq",
        "Eq",
        "Hash",
        "Default",
    ];
    let decoration = context.decoration(&enumeration.name.xml, &derives);
    let values = enumeration.values.iter().zip(enumeration.numbers());
    let constants = values.map(|(value, number)| {
        let docs = named_docs(&value.name.xml, &value.documentation);
        let constant = ident(&value.name.rust);
        let number = Literal::i64_unsuffixed(number);
        quote! { #docs pub const #constant: Self = Self(#number); }
    });
    let read = quote! { element.flags(self) };
    let write = quote! { out.flags(name, *self); };
    vec![
        quote! {
            #docs
            #decoration
            #visibility struct #name(i64);
        },
        quote! {
            impl #name {
                #(#constants)*
                /// Whether all of these values are in the set.
                #[must_use]
                pub const fn contains(self, values: Self) -> bool {
                    self.0 & values.0 == values.0
                }
            }
        },
        quote! {
            impl #runtime::codegen::Flags for #name {
                const TYPE: &'static #runtime::codegen::model::Enumeration<'static> = &MODULE.enumerations[#index];
                fn bits(self) -> i64 { self.0 }
                fn from_bits(bits: i64) -> Self { Self(bits) }
            }
        },
        context.value(&enumeration.name.rust, &read, &write),
        quote! {
            impl ::core::ops::BitOr for #name {
                type Output = Self;
                fn bitor(self, values: Self) -> Self { Self(self.0 | values.0) }
            }
        },
        quote! {
            impl ::core::fmt::Display for #name {
                fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                    #runtime::codegen::Flags::fmt(*self, f)
                }
            }
        },
        quote! {
            impl ::core::str::FromStr for #name {
                type Err = #runtime::types::UnknownName;
                fn from_str(names: &str) -> #result<Self, #runtime::types::UnknownName> {
                    #runtime::codegen::Flags::parse(names)
                }
            }
        },
    ]
}

/// The variant for names that the definition does not have.
fn other_variant(context: &Context<'_>, enumeration: &Enumeration) -> TokenStream {
    let string = context.prelude("String");
    let docs = docs("A name that the definition does not have.");
    let name = Name::new("Other", "Other");
    let decoration = context.member_decoration(&enumeration.name.xml, &name, "Other");
    let serde = (context.options.serde).then(|| quote! { #[serde(untagged)] });
    quote! { #docs #serde #decoration Other(#string) }
}

fn open_names(context: &Context<'_>, enumeration: &Enumeration) -> TokenStream {
    let from = context.prelude("From");
    let names = enumeration.values.iter().map(|value| {
        let (variant, xml) = (ident(&value.name.rust), &value.name.xml);
        quote! { Self::#variant => #xml }
    });
    quote! {
        fn as_str(&self) -> &str {
            match self {
                #(#names,)*
                Self::Other(name) => name,
            }
        }
        fn other(name: &str) -> Self {
            Self::Other(#from::from(name))
        }
    }
}
