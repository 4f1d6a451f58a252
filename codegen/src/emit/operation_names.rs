//! Constants for the indexes of operations, which dispatch and client use.

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use svcgen_language::naming;

use super::documentation::docs;
use super::{Context, ident, literal};
use crate::model::{Method, Service};

/// The module of the constants.
pub(super) fn emit(context: &Context<'_>, service: &Service) -> TokenStream {
    let module = module(context);
    let about = format!(
        "The operations of `{}`, by their place in `MODULE`.",
        service.name.xml
    );
    let about = docs(&about);
    let names = constants(&service.operations);
    let is_upper = |name: &Ident| {
        name.to_string()
            .chars()
            .all(|c| c.to_ascii_uppercase() == c && c.is_ascii())
    };
    let lints = (!names.iter().all(is_upper)).then(|| quote! { #[allow(non_upper_case_globals)] });
    let indexes = (0..).map(literal);
    quote! {
        #about
        #lints
        mod #module {
            #(pub(super) const #names: usize = #indexes;)*
        }
    }
}

/// The constant of each operation, as a path.
pub(super) fn paths(context: &Context<'_>, operations: &[Method]) -> Vec<TokenStream> {
    let module = module(context);
    let names = constants(operations);
    names.iter().map(|name| quote! { #module::#name }).collect()
}

fn module(context: &Context<'_>) -> Ident {
    context.free_name("operation")
}

/// The names of the methods in upper case, unless two would be the same.
fn constants(operations: &[Method]) -> Vec<Ident> {
    let upper = |operation: &Method| naming::unraw(&operation.name.rust).to_ascii_uppercase();
    let mut counts = std::collections::HashMap::new();
    for operation in operations {
        *counts.entry(upper(operation)).or_insert(0) += 1;
    }
    let name = |operation: &Method| match upper(operation) {
        upper if counts[&upper] == 1 => ident(&upper),
        _ => ident(&operation.name.rust),
    };
    operations.iter().map(name).collect()
}
