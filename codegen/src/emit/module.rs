//! The rows of the file and their documentation, which values, server, client and documents use.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;
use svcgen_model::{
    ComplexType, Documentation, Element, Enumeration, Form, Group, HeaderRule, Headers, Module,
    Occurs, Operation, Scope, Script, Service, Storage, TypeId, TypeRef, ValueConstraint,
};

use super::enumerations::{self, documented, net};
use super::{Context, ident, literal, rust_path};
use crate::model::{
    self, Absence, Bindings, ElementForm, ResponseFormat, Routing, ScriptMethod, Style,
};
use crate::rows::rows;

/// The items `MODULE` and `DOCUMENTATION`.
pub(super) fn emit(context: &Context<'_>) -> [TokenStream; 2] {
    let storage = Storage::default();
    let (module, documentation) = rows(context.model, &storage, context.row_content());
    [
        emit_module(context, &module),
        emit_documentation(context, &documentation),
    ]
}

/// Names are imported in a block, so that they shadow nothing of the definition.
fn emit_module(context: &Context<'_>, module: &Module<'_>) -> TokenStream {
    let (codegen, visibility) = (&context.codegen, &context.options.visibility);
    let mut writer = Writer {
        context,
        used: BTreeMap::new(),
    };
    let [tables, rows] = writer.module(module);
    let includes = included(context, "MODULE");
    let includes = (!includes.is_empty()).then(|| quote! { .with_includes(&[#(#includes),*]) });
    let uses = writer.used.into_iter().map(|(path, names)| {
        let (path, names) = (path.map(ident), names.into_iter().map(ident));
        let path = path.into_iter();
        quote! { use #codegen::model::#(#path::)*{#(#names),*}; }
    });
    quote! {
        /// The types and operations of this module.
        #visibility static MODULE: #codegen::model::Module<'static> = {
            use #codegen::model;
            #(#uses)*
            #tables
            #rows #includes
        };
    }
}

fn emit_documentation(context: &Context<'_>, documentation: &Documentation<'_>) -> TokenStream {
    let (codegen, visibility) = (&context.codegen, &context.options.visibility);
    let includes = included(context, "DOCUMENTATION");
    let includes = (!includes.is_empty()).then(|| quote! { .with_includes(&[#(#includes),*]) });
    let texts = documentation.texts;
    quote! {
        /// The documentation of this module, whose texts rows refer to by number, from 1.
        #visibility static DOCUMENTATION: #codegen::model::Documentation<'static> =
            #codegen::model::Documentation::new(&[#(#texts),*]) #includes;
    }
}

/// The items with this name in the included modules.
fn included(context: &Context<'_>, name: &str) -> Vec<TokenStream> {
    let includes = context.model.includes.iter();
    let items = includes.map(|include| {
        let (module, name) = (rust_path(&include.module), ident(name));
        quote! { &#module::#name }
    });
    items.collect()
}

/// Writes rows, and collects the names that they use.
struct Writer<'c> {
    context: &'c Context<'c>,
    /// The names, by their enum if they are variants.
    used: BTreeMap<Option<&'static str>, BTreeSet<&'static str>>,
}

impl Writer<'_> {
    fn name(&mut self, name: &'static str) -> Ident {
        self.used.entry(None).or_default().insert(name);
        ident(name)
    }

    fn variant(&mut self, of: &'static str, name: &'static str) -> Ident {
        self.used.entry(Some(of)).or_default().insert(name);
        ident(name)
    }

    /// A slice of rows.
    fn each<T>(&mut self, rows: &[T], row: fn(&mut Self, &T) -> TokenStream) -> TokenStream {
        let rows = rows.iter().map(|one| row(self, one));
        quote! { &[#(#rows),*] }
    }

    /// A method call that adds rows; empty without rows.
    fn method<T>(
        &mut self,
        name: &str,
        rows: &[T],
        row: fn(&mut Self, &T) -> TokenStream,
    ) -> Option<TokenStream> {
        let name = ident(name);
        (!rows.is_empty()).then(|| {
            let rows = self.each(rows, row);
            quote! { .#name(#rows) }
        })
    }

    /// Statics that hold all rows of a kind, and the module that refers to them. A constant that
    /// refers to a row costs rustc as much as the surrounding value, unless that is a static: types
    /// refer to their rows by constants.
    fn module(&mut self, module: &Module<'_>) -> [TokenStream; 2] {
        let constructor = self.name("Module");
        let [type_rows, types] =
            self.table("TYPES", "ComplexType", module.types, Self::complex_type);
        let enumerations = self.context.model.own_enumerations();
        let enumerations: Vec<_> = enumerations.zip(module.enumerations).collect();
        let [enumeration_rows, enumerations] = self.table(
            "ENUMERATIONS",
            "Enumeration",
            &enumerations,
            Self::enumeration,
        );
        let operations = module
            .service
            .map_or(&[] as &[_], |service| service.operations);
        let [operation_rows, operations] =
            self.table("OPERATIONS", "Operation", operations, Self::operation);
        let service = module.service.map(|service| {
            let service = self.service(&service, &operations);
            quote! { .with_service(#service) }
        });
        [
            quote! { #type_rows #enumeration_rows #operation_rows },
            quote! { #constructor::new(#types, #enumerations) #service },
        ]
    }

    /// A static of rows of a kind, and a reference to it; none without rows.
    fn table<T>(
        &mut self,
        name: &str,
        kind: &str,
        rows: &[T],
        row: fn(&mut Self, &T) -> TokenStream,
    ) -> [TokenStream; 2] {
        if rows.is_empty() {
            return [TokenStream::new(), quote! { &[] }];
        }
        let (name, kind, count) = (ident(name), ident(kind), literal(rows.len()));
        let rows = rows.iter().map(|one| row(self, one));
        [
            quote! { static #name: [model::#kind<'static>; #count] = [#(#rows),*]; },
            quote! { &#name },
        ]
    }

    fn service(&mut self, service: &Service<'_>, operations: &TokenStream) -> TokenStream {
        let (name, namespace, path) = (service.name, service.namespace, service.path);
        let constructor = self.name("Service");
        let unqualified =
            (service.element_form == ElementForm::Unqualified).then(|| quote! { .unqualified() });
        let of_operations = Service::new(name, namespace, path, service.operations).has_scopes;
        let literal = service
            .literal_namespace
            .map(|namespace| quote! { .literal_in(#namespace) });
        let has_scopes = service.has_scopes && !of_operations;
        let scopes = has_scopes.then(|| quote! { .with_scopes() });
        let by_element =
            (service.routing == Routing::Element).then(|| quote! { .routed_by_element() });
        let time_zone = service
            .time_zone
            .map(|zone| quote! { .in_time_zone(#zone) });
        let list_names = self.method("list_names", service.list_names, |_, (name, other)| {
            quote! { (#name, #other) }
        });
        let faults = self.method("faults", service.faults, Self::element);
        let script = self.script(&service.script);
        let documented = documented(service.documentation);
        quote! {
            #constructor::new(#name, #namespace, #path, #operations) #unqualified #literal #by_element #scopes #list_names #time_zone #faults #script #documented
        }
    }

    fn operation(&mut self, operation: &Operation<'_>) -> TokenStream {
        let (constructor, name) = (self.name("operation"), operation.name);
        let (action, response) = (operation.action, operation.response.name);
        // Columns that follow from the style are not written again.
        let is_rpc = operation.style == Style::Rpc;
        let [parameters, results] = [operation.parameters, operation.response].map(|mut part| {
            part.scope.element_form = part.scope.element_form.filter(|_| !is_rpc);
            self.complex_type(&part)
        });
        let is_own = operation.has_results() || operation.response.scope.namespace.is_some();
        let results = is_own.then(|| quote! { .response(#results) });
        let mut elements = operation.response.elements.iter();
        let result = operation.result.map(|result| {
            let root = operation.root;
            match elements.position(|element| *element == result) {
                Some(index) => {
                    let index = literal(index);
                    quote! { .returns(#index, #root) }
                }
                None => {
                    let result = self.element(&result);
                    quote! { .result(#result, #root) }
                }
            }
        });
        let over_http = operation.http_result.map(|result| {
            let result = self.element(&result);
            quote! { .over_http(#result) }
        });
        let rooted = operation.root_namespace;
        let rooted = rooted.map(|namespace| quote! { .rooted_in(#namespace) });
        let over = self.over(operation.bindings);
        let script = self.script_method(operation.script);
        let style = match operation.style {
            Style::Document => None,
            Style::Rpc => Some(quote! { .rpc() }),
            Style::Bare => Some(quote! { .bare() }),
        };
        let encoded = operation.encoded;
        let encoded = encoded.map(|types| quote! { .encoded(#types) });
        let one_way = operation.one_way.then(|| quote! { .one_way() });
        let read_only = operation.read_only.then(|| quote! { .read_only() });
        let called = operation.wsdl_name.map(|name| quote! { .called(#name) });
        let headers = self.headers("headers", operation.headers);
        let cached = operation.cached.then(|| quote! { .cached() });
        let session = operation.session.then(|| quote! { .session() });
        let unknown_headers = operation
            .unknown_headers
            .then(|| quote! { .unknown_headers() });
        let response_headers = self.headers("response_headers", operation.response_headers);
        let fault_headers = self.headers("fault_headers", operation.fault_headers);
        let faults = self.method("faults", operation.faults, |_, index| {
            let index = literal(*index);
            quote! { #index }
        });
        let documented = documented(operation.documentation);
        quote! {
            #constructor(#name, #action, #parameters, #response)
                #results #result #over_http #rooted #over #script #style #encoded #one_way #read_only #cached #session #called #headers #unknown_headers #response_headers #fault_headers #faults #documented
        }
    }

    fn over(&mut self, bindings: Bindings) -> Option<TokenStream> {
        if bindings == Bindings::DEFAULT {
            return None;
        }
        let set = self.name("Bindings");
        if bindings == Bindings::SOAP {
            return Some(quote! { .over(#set::SOAP) });
        }
        let bindings = bindings
            .iter()
            .map(|binding| self.variant("Binding", binding.variant()));
        Some(quote! { .over(#set::of(&[#(#bindings),*])) })
    }

    fn script(&mut self, script: &Script<'_>) -> Option<TokenStream> {
        if script.class.is_none() && script.types.is_empty() {
            return None;
        }
        let row = self.name("Script");
        let class = script
            .class
            .map_or(quote! { None }, |class| quote! { Some(#class) });
        let types = self.each(script.types, |writer, known| {
            let (row, name) = (writer.name("ScriptType"), known.name);
            let type_ref = writer.type_ref(&known.type_ref);
            let class = known.class;
            let class = class.map_or(quote! { None }, |class| quote! { Some(#class) });
            quote! { #row { type_ref: #type_ref, name: #name, class: #class } }
        });
        Some(quote! { .script(#row { class: #class, types: #types }) })
    }

    fn script_method(&mut self, script: ScriptMethod) -> Option<TokenStream> {
        if script == ScriptMethod::default() {
            return None;
        }
        let row = self.name("ScriptMethod");
        let use_http_get = script.use_http_get;
        let format = match script.response_format {
            ResponseFormat::Json => "Json",
            ResponseFormat::Xml => "Xml",
            ResponseFormat::XmlString => "XmlString",
        };
        // An import of `Json` alone would be ambiguous with the one of the bindings.
        let (of, format) = (self.name("ResponseFormat"), ident(format));
        Some(
            quote! { .script(#row { use_http_get: #use_http_get, response_format: #of::#format }) },
        )
    }

    fn headers(&mut self, method: &str, headers: Option<&Headers<'_>>) -> Option<TokenStream> {
        let (headers, method) = (headers?, ident(method));
        let constructor = self.name("headers");
        let elements = self.each(headers.fields.elements, Self::element);
        let rules = self.each(headers.rules, Self::header_rule);
        Some(quote! { .#method(&#constructor(#elements, #rules)) })
    }

    fn header_rule(&mut self, rule: &HeaderRule) -> TokenStream {
        let (required, must_understand) = (rule.required, rule.must_understand);
        let rule = self.name("HeaderRule");
        quote! { #rule { required: #required, must_understand: #must_understand } }
    }

    fn complex_type(&mut self, complex: &ComplexType<'_>) -> TokenStream {
        let (constructor, name) = (self.name("complex_type"), complex.name);
        let elements = self.each(complex.elements, Self::element);
        let scope = self.scope(complex.scope);
        let attributes = self.method("attributes", complex.attributes, Self::element);
        let text = complex.text.filter(|_| complex.data_set.is_none());
        let text = text.map(|text| {
            let text = self.element(&text);
            quote! { .text(#text) }
        });
        let data_set = complex.data_set.map(|set| {
            let (name, namespace, schema) = (set.name, set.namespace, set.schema);
            let set = self.name("DataSetSchema");
            quote! { .data_set(#set { name: #name, namespace: #namespace, schema: #schema }) }
        });
        let groups = self.method("groups", complex.groups, Self::group);
        let extends = complex.extends.map(|base| {
            let base = self.type_id(base);
            if complex.restricts {
                quote! { .restricts(#base) }
            } else {
                quote! { .extends(#base) }
            }
        });
        let is_abstract = complex.is_abstract.then(|| quote! { .abstract_type() });
        let by_value = complex.by_value.then(|| quote! { .by_value() });
        let unordered = complex.unordered.then(|| quote! { .unordered() });
        let documented = documented(complex.documentation);
        quote! {
            #constructor(#name, #elements) #scope #attributes #text #data_set #groups #extends #is_abstract #by_value #unordered #documented
        }
    }

    fn scope(&mut self, scope: Scope<&str>) -> TokenStream {
        let namespace = scope.namespace;
        let namespace = namespace.map(|namespace| quote! { .in_namespace(#namespace) });
        let form = scope.element_form.map(|form| {
            let form = ident(match form {
                ElementForm::Qualified => "Qualified",
                ElementForm::Unqualified => "Unqualified",
            });
            let set = self.name("ElementForm");
            quote! { .in_form(#set::#form) }
        });
        quote! { #namespace #form }
    }

    fn form(&mut self, form: Form<&str>) -> Option<TokenStream> {
        let form = match form {
            Form::Default => return None,
            Form::Qualified => quote! { Qualified },
            Form::Unqualified => quote! { Unqualified },
            Form::Reference(namespace) => quote! { Reference(#namespace) },
        };
        let set = self.name("Form");
        Some(quote! { .form(#set::#form) })
    }

    fn group(&mut self, group: &Group<'_>) -> TokenStream {
        let constructor = self.name(group.kind.name());
        let name = group.name;
        let (first, end) = (literal(group.first), literal(group.end));
        let head = group.head.map(|head| quote! { .head(#head) });
        let omitted = group.optional.then(|| quote! { .omitted() });
        let repeated = group.repeated.then(|| quote! { .repeated() });
        let occurs = occurs(group.occurs);
        let documented = documented(group.documentation);
        quote! { #constructor(#name, #first, #end) #head #omitted #repeated #occurs #documented }
    }

    fn element(&mut self, element: &Element<'_>) -> TokenStream {
        let (constructor, name) = (self.name("element"), element.name);
        let type_ref = self.type_ref(&element.type_ref);
        let form = self.form(element.form);
        let absence = match element.absence {
            Absence::Required => None,
            Absence::Omitted => Some(quote! { .omitted() }),
            Absence::Nil => Some(quote! { .nillable() }),
            Absence::Either => Some(quote! { .omitted_or_nillable() }),
        };
        let repeated = element.repeated.then(|| quote! { .repeated() });
        let collection = element.collection.then(|| quote! { .collection() });
        let occurs = occurs(element.occurs);
        let texts = element.texts.then(|| quote! { .texts() });
        let secret = element.secret.then(|| quote! { .secret() });
        let net = net(element.net);
        let wildcard = element
            .wildcard
            .map(|namespaces| quote! { .wildcard(#namespaces) });
        let characters = element.characters.then(|| quote! { .characters() });
        let constraint = element.constraint.map(|constraint| match constraint {
            ValueConstraint::Default(text) => quote! { .default_value(#text) },
            ValueConstraint::Fixed(text) => quote! { .fixed_value(#text) },
            ValueConstraint::Initial(text) => quote! { .initial_value(#text) },
        });
        let facets = self.method("facets", element.facets, |writer, (facet, text)| {
            let facet = writer.variant("Facet", facet.variant());
            quote! { (#facet, #text) }
        });
        let union = self.method("union", element.union, Self::element);
        let documented = documented(element.documentation);
        quote! { #constructor(#name, #type_ref) #form #absence #repeated #occurs #collection #texts #secret #net #wildcard #characters #facets #union #constraint #documented }
    }

    fn type_ref(&mut self, type_ref: &TypeRef<'_>) -> TokenStream {
        let (variant, inner) = match type_ref {
            TypeRef::Simple(simple) => {
                let simple = self.variant("SimpleType", simple.variant());
                ("Simple", quote! { #simple })
            }
            TypeRef::Complex(id) => ("Complex", self.type_id(*id)),
            TypeRef::Enumeration(id) => ("Enumeration", self.type_id(*id)),
            TypeRef::List(item) => {
                let item = self.element(item);
                ("List", quote! { &#item })
            }
            TypeRef::Dictionary(value) => {
                let value = self.element(value);
                ("Dictionary", quote! { &#value })
            }
        };
        let variant = self.variant("TypeRef", variant);
        quote! { #variant(#inner) }
    }

    fn type_id(&mut self, id: TypeId) -> TokenStream {
        let (constructor, index) = (self.name("TypeId"), literal(id.index));
        if id.module == 0 {
            return quote! { #constructor::own(#index) };
        }
        let module = literal(id.module);
        quote! { #constructor::included(#module, #index) }
    }

    /// The row of an enumeration, which is at its declaration if the enumeration is emitted.
    fn enumeration(
        &mut self,
        (enumeration, row): &(&model::Enumeration, &Enumeration<'_>),
    ) -> TokenStream {
        let codegen = &self.context.codegen;
        if enumeration.rust_type.is_none() {
            let item = ident(&enumeration.name.rust);
            let kind = ident(enumerations::kind(enumeration).0);
            return quote! { *<self::#item as #codegen::#kind>::TYPE };
        }
        let (columns, name) = (enumerations::columns(self.context, row), row.name);
        let flags = row.flags.then(|| quote! { .flags() });
        let constructor = self.name("enumeration");
        let values = self.each(row.values, |writer, value| {
            let (constructor, name) = (writer.name("value"), value.name);
            let columns = enumerations::value_columns(value);
            quote! { #constructor(#name) #columns }
        });
        quote! { #constructor(#name, #values) #columns #flags }
    }
}

fn occurs(occurs: Occurs) -> Option<TokenStream> {
    (occurs != Occurs::ANY).then(|| {
        let Occurs { least, most } = occurs;
        let least = Literal::u32_unsuffixed(least);
        let most = most.map(Literal::u32_unsuffixed);
        let most = most.map_or(quote! { None }, |most| quote! { Some(#most) });
        quote! { .occurs(#least, #most) }
    })
}
