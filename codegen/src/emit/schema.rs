//! The rows that documents are written from: one line for each element, in the words of WSDL and XML Schema.

use std::collections::BTreeSet;

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use svcgen_documents::schema::{ComplexType, Content, Element, Enumeration, Value};
use svcgen_documents::{Description, Operation};

use super::{Context, ident};

/// The constant that documents are written from, beside the service's description.
pub(super) fn emit(context: &Context<'_>, description: &Description<'_>) -> TokenStream {
    let runtime = &context.runtime;
    let mut rows = Rows::default();
    let documentation =
        (description.documentation).map(|words| quote! { documentation: Some(#words), });
    let operations = rows.each(description.operations, Rows::operation);
    let headers = rows.field("headers", description.headers, Rows::element);
    let faults = rows.field("faults", description.faults, Rows::element);
    let types = rows.field("types", description.types, Rows::complex_type);
    let enumerations = rows.field("enumerations", description.enumerations, Rows::enumeration);
    let used = rows.used.into_iter().map(ident);
    quote! {
        #[allow(clippy::needless_update)]
        const SCHEMA: #runtime::schema::Schema<'_> = {
            use #runtime::schema::{#(#used),*};
            #runtime::schema::Schema {
                #documentation
                operations: #operations,
                #headers
                #faults
                #types
                #enumerations
                ..#runtime::schema::Schema::NEW
            }
        };
    }
}

/// Writes rows, and remembers which constructors they are made with.
#[derive(Default)]
struct Rows {
    used: BTreeSet<&'static str>,
}

impl Rows {
    fn constructor(&mut self, name: &'static str) -> Ident {
        self.used.insert(name);
        ident(name)
    }

    /// A slice of rows.
    fn each<T>(&mut self, rows: &[T], row: fn(&mut Self, &T) -> TokenStream) -> TokenStream {
        let rows: Vec<_> = rows.iter().map(|one| row(self, one)).collect();
        quote! { &[#(#rows),*] }
    }

    /// A field of the constant, unless there are no rows.
    fn field<T>(
        &mut self,
        name: &str,
        rows: &[T],
        row: fn(&mut Self, &T) -> TokenStream,
    ) -> Option<TokenStream> {
        let (name, each) = self.named(name, rows, row)?;
        Some(quote! { #name: #each, })
    }

    /// A method that adds rows to another, unless there are none.
    fn method<T>(
        &mut self,
        name: &str,
        rows: &[T],
        row: fn(&mut Self, &T) -> TokenStream,
    ) -> Option<TokenStream> {
        let (name, each) = self.named(name, rows, row)?;
        Some(quote! { .#name(#each) })
    }

    /// What rows are called, and they themselves; nothing unless there are any.
    fn named<T>(
        &mut self,
        name: &str,
        rows: &[T],
        row: fn(&mut Self, &T) -> TokenStream,
    ) -> Option<(Ident, TokenStream)> {
        (!rows.is_empty()).then(|| (ident(name), self.each(rows, row)))
    }

    fn operation(&mut self, operation: &Operation<'_>) -> TokenStream {
        let constructor = self.constructor("operation");
        let documented = documented(operation.documentation);
        let parameters = self.method("parameters", operation.parameters, Self::element);
        let result = operation.result.map(|result| self.element(&result));
        let result = result.map(|result| quote! { .result(#result) });
        let faults = self.method("faults", operation.faults, |_, name| quote! { #name });
        quote! { #constructor() #documented #parameters #result #faults }
    }

    fn element(&mut self, element: &Element<'_>) -> TokenStream {
        let Element { name, content, .. } = element;
        let row = match content {
            Content::Type(type_name) => {
                let constructor = self.constructor("element");
                quote! { #constructor(#name, #type_name) }
            }
            Content::List(item) => {
                let (constructor, item) = (self.constructor("list"), self.element(item));
                quote! { #constructor(#name, &#item) }
            }
            Content::Choice(alternatives) => {
                let alternatives = self.each(alternatives, Self::element);
                let constructor = self.constructor("choice");
                quote! { #constructor(#name, #alternatives) }
            }
        };
        let optional = element.optional.then(|| quote! { .optional() });
        let nillable = element.nillable.then(|| quote! { .nillable() });
        let repeated = element.repeated.then(|| quote! { .repeated() });
        let secret = element.secret.then(|| quote! { .secret() });
        let documented = documented(element.documentation);
        quote! { #row #optional #nillable #repeated #secret #documented }
    }

    fn complex_type(&mut self, complex: &ComplexType<'_>) -> TokenStream {
        let (constructor, name) = (self.constructor("complex_type"), complex.name);
        let documented = documented(complex.documentation);
        let extends = complex.extends.map(|base| quote! { .extends(#base) });
        let is_abstract = complex.is_abstract.then(|| quote! { .abstract_type() });
        let attributes = self.method("attributes", complex.attributes, Self::element);
        let text = complex.text.map(|text| self.element(&text));
        let text = text.map(|text| quote! { .text(#text) });
        let elements = self.method("elements", complex.elements, Self::element);
        quote! { #constructor(#name) #documented #extends #is_abstract #attributes #text #elements }
    }

    fn enumeration(&mut self, enumeration: &Enumeration<'_>) -> TokenStream {
        let (constructor, name) = (self.constructor("enumeration"), enumeration.name);
        let values = self.each(enumeration.values, Self::value);
        let documented = documented(enumeration.documentation);
        quote! { #constructor(#name, #values) #documented }
    }

    fn value(&mut self, value: &Value<'_>) -> TokenStream {
        let (constructor, name) = (self.constructor("value"), value.name);
        let documented = documented(value.documentation);
        quote! { #constructor(#name) #documented }
    }
}

fn documented(words: Option<&str>) -> Option<TokenStream> {
    words.map(|words| quote! { .documented(#words) })
}
