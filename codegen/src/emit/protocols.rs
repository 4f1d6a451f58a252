//! The protocols of the service, so that readers and writers for other bindings are not linked.

use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use quote::quote;

use super::{Context, Options, ident};
use crate::model::Service;

/// Whether a server, a client or the headers of a fault need the protocols.
pub(crate) fn is_emitted(options: &Options, service: &Service) -> bool {
    let mut operations = service.operations.iter();
    let has_fault_headers = operations.any(|operation| operation.fault_headers.is_some());
    options.server || options.client || has_fault_headers
}

/// The item `SERVICE`.
pub(super) fn emit(context: &Context<'_>, service: &Service) -> Option<TokenStream> {
    let (codegen, visibility) = (&context.codegen, &context.options.visibility);
    if !is_emitted(context.options, service) {
        return None;
    }
    let operations = service.operations.iter();
    let has_encoding = operations.clone().any(|one| one.encoded.is_some());
    let bindings: BTreeSet<_> = operations.flat_map(|one| one.bindings.iter()).collect();
    let protocols = bindings.into_iter().map(|binding| {
        let encoded = if binding.is_soap() && has_encoding {
            "_ENCODED"
        } else {
            ""
        };
        let name = ident(&format!("{}{encoded}", binding.constant()));
        quote! { #codegen::#name }
    });
    Some(quote! {
        /// The service and the protocols that it speaks.
        #visibility static SERVICE: #codegen::ServiceModule =
            #codegen::ServiceModule::new(&MODULE, &[#(#protocols),*]);
    })
}
