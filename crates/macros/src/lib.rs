//! `#[derive(Service)]` generates the code for a definition into a module next to the struct.
#![forbid(unsafe_code)]

use std::env;
use std::path::{Path, PathBuf};

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use svcgen_codegen::{
    Config, Diagnostics, OPTIONS, OptionForm, Output, Severity, options_file_of, unknown,
};
use syn::meta::ParseNestedMeta;
use syn::{Fields, ItemStruct, Lit, LitStr};

/// Generates the code for a service definition.
///
/// ```text
/// #[derive(svcgen::Service)]
/// #[service(definition = "service-defs/authenticator.yaml")]
/// pub struct Authenticator;
///
/// use authenticator::AuthenticatorHandler;
/// ```
///
/// The path is relative to the package. The module has the visibility of the struct and the name of
/// the service in snake case. Cargo rebuilds the package when the definition or a file that it
/// includes changes. Derive an included file on a struct next to this one: the code refers to its
/// module as `super::common`. Options follow the path and override those of the nearest
/// `svcgen.toml`: `client = false`, `bindings = "soap11,soap12"`, `extern_path =
/// "dateTime=crate::Moment"`.
///
/// With the feature `wsdl`, the definition may be a WSDL: `definition = "orders.wsdl"`. Another
/// definition that is imported from it, of a second service or of shared types, has the name of the
/// file that `svcgen import` writes: `definition = "orders.wsdl/Stock.yaml"`.
///
/// # Errors
///
/// Each error in the definition is a compile error at its path, and each warning a warning there,
/// as the use of a deprecated item. Code for the valid part of a definition is generated all the
/// same, so that errors about missing items do not hide the cause.
#[proc_macro_derive(Service, attributes(service))]
pub fn derive_service(item: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let item: TokenStream = item.into();
    syn::parse2(item)
        .and_then(expand)
        .unwrap_or_else(syn::Error::into_compile_error)
        .into()
}

fn expand(item: ItemStruct) -> syn::Result<TokenStream> {
    if !matches!(item.fields, Fields::Unit) {
        return Err(syn::Error::new_spanned(
            &item.fields,
            "a service is derived on a unit struct: `struct Authenticator;`",
        ));
    }
    let (definition, config) = arguments(&item)?;
    let path = in_package(&definition.value());
    match config.generate_file(&path) {
        Ok(output) => {
            let warnings = warnings(&definition, &output.warnings);
            let module = module(&item, &definition, &path, &output)?;
            Ok(quote! { #warnings #module })
        }
        Err(diagnostics) => {
            let recovered = config.recover_file(&path);
            let module = recovered.map(|output| module(&item, &definition, &path, &output));
            let (errors, module) = (errors(&definition, &diagnostics), module.transpose()?);
            Ok(quote! { #errors #module })
        }
    }
}

/// A path that is relative to the package.
fn in_package(path: &str) -> PathBuf {
    let folder = env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default();
    Path::new(&folder).join(path)
}

#[cfg(feature = "wsdl")]
fn config() -> Config {
    svcgen_import::config()
}

#[cfg(not(feature = "wsdl"))]
fn config() -> Config {
    Config::new()
}

fn errors(definition: &LitStr, diagnostics: &Diagnostics) -> TokenStream {
    let all = diagnostics.iter();
    all.filter(|diagnostic| diagnostic.severity() == Severity::Error)
        .map(|diagnostic| diagnostic.render(false))
        .chain(diagnostics.left_out())
        .map(|message| quote_spanned! { definition.span() => ::core::compile_error!(#message); })
        .collect()
}

/// On stable Rust, a macro can cause only one kind of warning: the use of a deprecated item.
fn warnings(definition: &LitStr, diagnostics: &Diagnostics) -> TokenStream {
    let all = diagnostics.iter();
    let warnings = all.filter(|diagnostic| diagnostic.severity() == Severity::Warning);
    let warnings = warnings.map(|diagnostic| {
        let message = format!("\n{}", diagnostic.render(false));
        let code = Ident::new(diagnostic.code(), definition.span());
        quote_spanned! { definition.span() =>
            const _: () = {
                #[deprecated(note = #message)]
                const #code: () = ();
                #code
            };
        }
    });
    warnings.collect()
}

/// The path and the options in `#[service(…)]`.
fn arguments(item: &ItemStruct) -> syn::Result<(LitStr, Config)> {
    let mut definition = None;
    let mut config = config();
    let attributes = item.attrs.iter();
    for attribute in attributes.filter(|attribute| attribute.path().is_ident("service")) {
        if let Ok(path) = attribute.parse_args::<LitStr>() {
            let message = format!("write `definition = {:?}`", path.value());
            return Err(syn::Error::new_spanned(path, message));
        }
        attribute.parse_nested_meta(|meta| {
            if meta.path.is_ident("definition") {
                definition = Some(meta.value()?.parse()?);
                return Ok(());
            }
            set_option(&mut config, &meta)
        })?;
    }
    let missing = || {
        syn::Error::new(
            Span::call_site(),
            "which definition? `#[service(definition = \"PATH\")]`",
        )
    };
    Ok((definition.ok_or_else(missing)?, config))
}

fn set_option(config: &mut Config, meta: &ParseNestedMeta<'_>) -> syn::Result<()> {
    let Some(option) = OPTIONS
        .iter()
        .find(|option| meta.path.is_ident(option.name))
    else {
        let name = meta.path.to_token_stream().to_string();
        let options = OPTIONS.iter().map(|option| option.name);
        let known: Vec<_> = ["definition"].into_iter().chain(options).collect();
        return Err(meta.error(unknown("option", &name, &known)));
    };
    let value = match meta.value()?.parse()? {
        Lit::Str(text) if option.form == OptionForm::Folder => {
            in_package(&text.value()).display().to_string()
        }
        Lit::Str(text) => text.value(),
        Lit::Bool(bool) => bool.value.to_string(),
        other => {
            return Err(syn::Error::new_spanned(
                other,
                "an option is `true`, `false` or a text",
            ));
        }
    };
    option
        .set(config, &value)
        .map_err(|complaint| meta.error(complaint))
}

fn module(
    item: &ItemStruct,
    definition: &LitStr,
    path: &Path,
    output: &Output,
) -> syn::Result<TokenStream> {
    let (visibility, service) = (&item.vis, &item.ident);
    let name: Ident =
        syn::parse_str(&output.name).unwrap_or_else(|_| format_ident!("r#{}", output.name));
    let code: TokenStream = output.code.parse()?;
    let included = output
        .included
        .iter()
        .chain(&output.sources)
        .map(|path| path.display().to_string());
    // Definitions imported from a WSDL are not files.
    let tracked = std::iter::once(definition.value()).chain(included);
    let tracked = tracked.filter(|path| in_package(path).is_file());
    let tracked = tracked.map(|path| tracked_path(&path));
    let options = options_file_of(path).map(|path| path.display().to_string());
    let options = options.map(|path| quote! { const _: &[u8] = ::core::include_bytes!(#path); });
    Ok(quote! {
        #visibility mod #name {
            #code
        }
        // Makes Cargo watch the files, and rustc consider the struct used.
        const _: (&[&[u8]], #service) = (&[#(::core::include_bytes!(#tracked)),*], #service);
        #options
    })
}

fn tracked_path(path: &str) -> TokenStream {
    if Path::new(path).is_absolute() {
        return quote! { #path };
    }
    quote! { ::core::concat!(::core::env!("CARGO_MANIFEST_DIR"), "/", #path) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn derive(item: TokenStream) -> String {
        syn::parse2(item)
            .and_then(expand)
            .unwrap_or_else(syn::Error::into_compile_error)
            .to_string()
    }

    #[test]
    fn the_module_stands_beside_the_struct_and_cargo_watches_the_definition() {
        let code = derive(quote! {
            #[service(definition = "../../service-defs/authenticator.yaml", client = false)]
            pub(crate) struct Authenticator;
        });
        assert!(code.contains("pub (crate) mod authenticator {"));
        assert!(code.contains("AuthenticatorHandler") && !code.contains("AuthenticatorClient"));
        assert!(code.contains(r#""/" , "../../service-defs/authenticator.yaml""#));
    }

    #[test]
    fn cargo_watches_included_files() {
        let code = derive(quote! {
            #[service(definition = "../../tests/definitions/valid/orders.yaml")]
            struct Orders;
        });
        for file in ["orders.yaml", "common.yaml", "places.yaml"] {
            let watched = format!("definitions/valid/{file}\"");
            assert_eq!(code.matches(&watched).count(), 1, "{file}");
        }
    }

    /// The code for a definition with such an operation, in a file.
    fn derive_of(operation: &str, types: &str) -> String {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("shop.yaml");
        let start = "service: Shop\nnamespace: urn:s\npath: /s\n";
        let text =
            format!("{start}operations: {{ Buy: {{ {operation} }} }}\ntypes: {{ {types} }}\n");
        std::fs::write(&path, text).unwrap();
        let path = path.to_str().unwrap();
        derive(quote! {
            #[service(definition = #path)]
            struct Shop;
        })
    }

    #[test]
    fn each_mistake_in_a_definition_is_an_error_of_its_own() {
        let code = derive_of(
            "parameters: { article: Artikle, count: integer64 }",
            "Article: { elements: { Name: string } }",
        );
        assert!(code.matches("compile_error !").count() > 1);
        assert!(code.contains("did you mean `Article`?"));
    }

    #[test]
    fn warnings_of_a_definition_are_warnings() {
        let code = derive_of("result: int", "Article: { elements: { Name: string } }");
        assert!(!code.contains("compile_error !"));
        assert!(
            code.contains("deprecated (note = \"\\nwarning[SVC026]: "),
            "{code}"
        );
    }

    #[test]
    fn wrong_uses_say_what_is_wrong() {
        let uses = [
            (quote! { struct S; }, "which definition?"),
            (
                quote! { #[service("x.yaml")] struct S; },
                "write `definition = \\\"x.yaml\\\"`",
            ),
            (
                quote! { #[service(definition = "x")] struct S {} },
                "unit struct",
            ),
            (
                quote! { #[service(clint = false)] struct S; },
                "unknown option `clint`; did you mean `client`?",
            ),
            (
                quote! { #[service(defintion = "x.yaml")] struct S; },
                "did you mean `definition`?",
            ),
            (
                quote! { #[service(colour = "red")] struct S; },
                "unknown option `colour`; there are `definition`, `client`, ",
            ),
            (
                quote! { #[service(client = 1)] struct S; },
                "`true`, `false` or a text",
            ),
            (
                quote! { #[service(client = "no")] struct S; },
                "neither `true` nor `false`",
            ),
            (
                quote! { #[service(definition = "nowhere.yaml")] struct S; },
                "no such definition file",
            ),
        ];
        for (item, words) in uses {
            let code = derive(item);
            assert!(
                code.contains("compile_error") && code.contains(words),
                "{code}"
            );
        }
    }
}
