//! The description: every name and address of a service, for server and client alike.

use proc_macro2::TokenStream;
use quote::quote;

use super::{Context, headers};
use crate::model::{Absence, Bindings, ElementForm, Operation, Root, Service, Style};

/// The constant that both sides refer to. `..NEW` lets a later runtime describe more than is described here.
pub(super) fn emit(context: &Context<'_>, service: &Service) -> TokenStream {
    let runtime = &context.runtime;
    let (name, namespace, path) = (&service.name.xml, &service.namespace, &service.path);
    let operations = service
        .operations
        .iter()
        .map(|operation| describe(runtime, operation));
    let element_form = (service.element_form == ElementForm::Unqualified)
        .then(|| quote! { element_form: #runtime::ElementForm::Unqualified, });
    quote! {
        #[allow(clippy::needless_update)]
        const DESCRIPTION: #runtime::ServiceDescription = #runtime::ServiceDescription {
            name: #name,
            namespace: #namespace,
            path: #path,
            #element_form
            operations: &[#(#operations),*],
            ..#runtime::ServiceDescription::NEW
        };
    }
}

fn describe(runtime: &TokenStream, operation: &Operation) -> TokenStream {
    let Operation {
        name,
        action,
        request,
        response,
        ..
    } = operation;
    let (name, request) = (&name.xml, &request.name.xml);
    let result = operation.result.as_ref().map(|result| {
        let element = &result.element.name.xml;
        let root = match &result.root {
            Root::Simple(name) => quote! { Simple(#name) },
            Root::Complex(name) => quote! { Complex(#name) },
        };
        let nillable = (result.element.absence == Absence::Nil).then(|| quote! { nillable: true, });
        quote! { result: Some((#element, #runtime::Root::#root)), #nillable }
    });
    let bindings = (operation.bindings != Bindings::ALL).then(|| {
        let bindings = bindings(runtime, operation.bindings);
        quote! { bindings: #runtime::Bindings::of(&[#(#bindings),*]), }
    });
    let style = (operation.style == Style::Rpc).then(|| quote! { style: #runtime::Style::Rpc, });
    let one_way = operation.one_way.then(|| quote! { one_way: true, });
    let headers = operation.headers.as_ref().map(|headers| {
        let headers = headers::describe(runtime, headers);
        quote! { headers: #headers, }
    });
    let response_headers = operation.response_headers.as_ref().map(|headers| {
        let headers = headers::describe(runtime, headers);
        quote! { response_headers: #headers, }
    });
    quote! {
        #runtime::Operation {
            name: #name,
            action: #action,
            request: #request,
            response: #response,
            #result
            #bindings
            #style
            #one_way
            #headers
            #response_headers
            ..#runtime::Operation::NEW
        }
    }
}

fn bindings(runtime: &TokenStream, bindings: Bindings) -> impl Iterator<Item = TokenStream> {
    let Bindings {
        soap11,
        soap12,
        http_get,
        http_post,
    } = bindings;
    [
        (soap11, quote! { #runtime::Binding::Soap11 }),
        (soap12, quote! { #runtime::Binding::Soap12 }),
        (http_get, quote! { #runtime::Binding::HttpGet }),
        (http_post, quote! { #runtime::Binding::HttpPost }),
    ]
    .into_iter()
    .filter_map(|(offered, binding)| offered.then_some(binding))
}
