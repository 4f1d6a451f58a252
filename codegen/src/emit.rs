//! EMIT: [`Model`] → tokens, the emitted file from top to bottom. Cannot fail.
//!
//! Emitted code contains names, order and types; the runtime does everything else. Names are as
//! short as a person would write them; a name of the prelude that is also the name of an item of
//! the definition is written in full.

mod attributes;
mod builders;
mod client;
mod codegen_import;
mod complex_types;
mod defaults;
mod derives;
mod documentation;
mod enumerations;
mod extern_types;
mod families;
mod faults;
mod fields;
mod groups;
mod handler;
mod in_place;
mod messages;
mod mocks;
mod module;
mod objects;
mod protocols;
mod server;

pub(crate) use protocols::is_emitted as has_protocols;

use std::collections::BTreeMap;

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, quote};
use svcgen_language::naming;

use crate::config::Options;
use crate::model::{
    Absence, ComplexType, Element, GroupId, Method, Model, OBJECT_TYPES, ObjectType, RustType,
    Service, SimpleType, TypeRef,
};
use crate::rows::RowContent;
use codegen_import::is_imported;
use derives::DerivesOfTypes;

/// Emits a part of the file: consecutive items.
type ItemEmitter<'m> = Box<dyn Fn(&Context<'m>) -> Vec<TokenStream> + Send + Sync + 'm>;

/// The number of types or operations in a piece.
const MOST_IN_PIECE: usize = 64;

/// The parts of a file, in order. Each is emitted by itself, on any thread, so that the tokens of a
/// large definition are never all in memory.
pub(crate) struct Parts<'m> {
    model: &'m Model,
    options: &'m Options,
    parts: Vec<ItemEmitter<'m>>,
    /// The pieces of the file, by the index of their first part. Parts before the first piece
    /// belong to the file itself.
    pieces: BTreeMap<usize, Piece>,
}

/// A piece of the file.
#[derive(Debug, Clone)]
pub(crate) struct Piece {
    pub name: String,
    /// Whether it can be a module: none of its items is private.
    pub is_public: bool,
}

impl<'m> Parts<'m> {
    pub(crate) fn of(model: &'m Model, options: &'m Options) -> Self {
        let mut parts = Self {
            model,
            options,
            parts: Vec::new(),
            pieces: BTreeMap::new(),
        };
        parts.add(|context| head(context));
        parts.add(|context| extern_types::check_values(context));
        parts.add_types();
        if let Some(service) = &model.service {
            parts.add_service(service);
        }
        parts.begin("module");
        parts.add(|context| module::emit(context).into());
        parts
    }

    /// The piece whose first part has this index.
    pub(crate) fn piece(&self, part: usize) -> Option<&Piece> {
        self.pieces.get(&part)
    }

    pub(crate) fn count(&self) -> usize {
        self.parts.len()
    }

    /// Returns a function that emits the part at an index. It stays on its thread, as tokens do.
    pub(crate) fn emitter(&self) -> impl Fn(usize) -> Vec<TokenStream> {
        let context = Context::new(self.model, self.options);
        move |number| self.parts[number](&context)
    }

    fn add(&mut self, emit: impl Fn(&Context<'m>) -> Vec<TokenStream> + Send + Sync + 'm) {
        self.parts.push(Box::new(emit));
    }

    /// Begins a piece with the next part.
    fn begin(&mut self, name: &str) {
        self.begin_piece(name.to_owned(), false);
    }

    /// Begins a piece of public items with the next part, at the first of each [`MOST_IN_PIECE`]
    /// items of a kind. An additional item of another kind thus leaves all other pieces unchanged.
    fn begin_public(&mut self, kind: &str, index: usize) {
        if index.is_multiple_of(MOST_IN_PIECE) {
            self.begin_piece(format!("{kind}_{}", index / MOST_IN_PIECE), true);
        }
    }

    fn begin_piece(&mut self, name: String, is_public: bool) {
        let piece = Piece { name, is_public };
        self.pieces.insert(self.parts.len(), piece);
    }

    fn add_types(&mut self) {
        let model = self.model;
        for import in &model.imports {
            self.add(move |context| {
                vec![extern_types::use_item(context, &import.path, &import.name)]
            });
        }
        for (index, complex) in model.own_types().enumerate() {
            self.begin_public("types", index);
            self.add(move |context| complex_types::emit(context, index, complex));
        }
        self.begin("other_types");
        for complex in model.own_types().filter(|one| one.family.is_some()) {
            self.add(move |context| families::emit(context, complex));
        }
        self.add(|context| objects::emit(context));
        for group in model.emitted_groups() {
            self.add(move |context| groups::emit(context, group));
        }
        self.add(|context| enumerations::emit(context));
    }

    fn add_service(&mut self, service: &'m Service) {
        for (index, operation) in service.operations.iter().enumerate() {
            self.begin_public("messages", index);
            self.add(move |context| messages::emit(context, index, operation));
        }
        for fault in &service.faults {
            self.add(move |context| faults::emit(context, service, fault));
        }
        self.begin("operations");
        self.add(|context| protocols::emit(context, service).into_iter().collect());
        if self.options.server {
            if service.has_sessions() {
                self.add(|context| {
                    let codegen = &context.codegen;
                    vec![quote! { const _: () = #codegen::SESSIONS; }]
                });
            }
            self.begin("handler");
            self.add(|context| vec![handler::emit(context, service)]);
            self.begin("server");
            self.add(|context| server::emit(context, service));
            self.add(|context| mocks::emit(context, service));
        }
        if self.options.client {
            self.begin("client");
            self.add(|context| client::emit(context, service));
        }
    }
}

/// Emits the attributes of the file, its import of the runtime, and checks of the runtime's
/// features.
fn head(context: &Context<'_>) -> Vec<TokenStream> {
    let (runtime, codegen) = (&context.runtime, &context.codegen);
    let about = about(context);
    let mut items = vec![about];
    if is_imported(context.model, context.options) {
        items.push(quote! { use #runtime::codegen; });
    }
    items.push(quote! { const _: () = #codegen::GENERATED_CODE_V2; });
    let service = context.model.service.as_ref();
    if service.is_some_and(Service::has_named_time_zone) {
        items.push(quote! { const _: () = #codegen::NAMES_OF_TIME_ZONES; });
    }
    items
}

/// The input of every emitter.
struct Context<'m> {
    model: &'m Model,
    /// The path of the runtime.
    runtime: TokenStream,
    /// The path of the runtime's module for emitted code.
    codegen: TokenStream,
    options: &'m Options,
    derives: DerivesOfTypes,
    /// The types that a value of the type `anyType` may have, whether they are boxed, and their
    /// names in `xsi:type`.
    object_types: Vec<ObjectType<'m>>,
    /// Whether `DOCUMENTATION` is emitted. For a file of types it serves the services that include
    /// it.
    documented: bool,
}

/// Names of Rust's prelude that are emitted, with their modules.
const PRELUDE: &[(&str, &str)] = &[
    ("Option", "::core::option"),
    ("Result", "::core::result"),
    ("String", "::std::string"),
    ("Vec", "::std::vec"),
    ("Box", "::std::boxed"),
    ("Clone", "::core::clone"),
    ("Default", "::core::default"),
    ("From", "::core::convert"),
    ("Into", "::core::convert"),
    ("AsRef", "::core::convert"),
    ("FnOnce", "::core::ops"),
    ("Send", "::core::marker"),
    ("Sync", "::core::marker"),
];

impl<'m> Context<'m> {
    fn new(model: &'m Model, options: &'m Options) -> Self {
        let runtime = rust_path(&options.runtime);
        let codegen = if is_imported(model, options) {
            quote! { codegen }
        } else {
            quote! { #runtime::codegen }
        };
        Self {
            model,
            runtime,
            codegen,
            options,
            derives: DerivesOfTypes::of(model),
            object_types: model.object_types(),
            documented: options.documents && (options.server || model.service.is_none()),
        }
    }

    /// The content of the rows of the file.
    fn row_content(&self) -> RowContent {
        RowContent {
            documentation: self.documented,
            by_type: true,
            masked: false,
        }
    }

    /// A name of the prelude, in full if an item of the definition has the same name.
    fn prelude(&self, name: &str) -> TokenStream {
        let known = PRELUDE.iter().find(|(known, _)| *known == name);
        match known.filter(|_| self.model.items.contains(name)) {
            Some((_, module)) => rust_path(&format!("{module}::{name}")),
            None => ident(name).into_token_stream(),
        }
    }

    /// Returns a name that no item of the definition has: `wanted`, or else `wanted1`….
    fn free_name(&self, wanted: &str) -> Ident {
        let numbered = (1..).map(|number| format!("{wanted}{number}"));
        let mut names = std::iter::once(wanted.to_owned()).chain(numbered);
        let free = names.find(|name| !self.model.items.contains(name));
        ident(&free.expect("there are more numbers than types"))
    }

    /// Implements reading and writing of the values of an emitted enum.
    fn value(&self, rust: &str, read: &TokenStream, write: &TokenStream) -> TokenStream {
        let (codegen, name) = (&self.codegen, ident(rust));
        quote! {
            impl #codegen::Value for #name {
                fn read(&mut self, element: &mut #codegen::Element<'_>) -> #codegen::Read {
                    #read
                }
                fn write(&self, name: &str, out: &mut #codegen::Content<'_>) {
                    #write
                }
            }
        }
    }

    /// The Rust type of an element.
    fn element_type(&self, element: &Element) -> TokenStream {
        let (option, r#box) = (self.prelude("Option"), self.prelude("Box"));
        let mut written = self.value_type(element);
        if element.boxed && !element.soap_attributes {
            written = quote! { #r#box<#written> };
        }
        match element.absence {
            Absence::Required => written,
            Absence::Omitted | Absence::Nil | Absence::Either => quote! { #option<#written> },
        }
    }

    /// The Rust type of an element's value if it is present.
    fn value_type(&self, element: &Element) -> TokenStream {
        let runtime = &self.runtime;
        if element.is_any_attributes() {
            return quote! { #runtime::types::XmlAttributes };
        }
        let mut written = self.type_ref(&element.type_ref);
        if element.secret {
            written = quote! { #runtime::Secret<#written> };
        }
        if !element.soap_attributes {
            return written;
        }
        if element.boxed {
            let r#box = self.prelude("Box");
            written = quote! { #r#box<#written> };
        }
        quote! { #runtime::types::SoapHeader<#written> }
    }

    /// The sizes of the boxes in the default values of elements in bytes, as terms of a sum; empty
    /// without boxes.
    fn boxes<'e>(&self, elements: impl IntoIterator<Item = &'e Element>) -> Vec<TokenStream> {
        let required = elements
            .into_iter()
            .filter(|one| one.absence == Absence::Required);
        required
            .flat_map(|element| self.boxes_of(element))
            .collect()
    }

    fn boxes_of(&self, element: &Element) -> Vec<TokenStream> {
        let (codegen, r#box) = (&self.codegen, self.prelude("Box"));
        if let TypeRef::Group(id) = element.type_ref {
            let mut boxes = self.boxes_in(id);
            if element.boxed {
                let name = ident(&self.model.groups[id.0].rust);
                boxes.push(quote! { size_of::<#name>() });
            }
            return boxes;
        }
        let object = self.default_object(element).map(|(object, boxed)| {
            let object = ident(&object.name.rust);
            let object = if boxed {
                quote! { #r#box<#object> }
            } else {
                quote! { #object }
            };
            quote! { <#object as #codegen::Complex>::BOXES }
        });
        object.into_iter().collect()
    }

    /// Like `boxes`, for the default value of a choice or a sequence.
    fn boxes_in(&self, id: GroupId) -> Vec<TokenStream> {
        let group = &self.model.groups[id.0];
        let most = if group.is_sequence() { usize::MAX } else { 1 };
        let elements = group.elements.iter().take(most);
        let texts: usize = elements.clone().map(Element::bytes_of_initial).sum();
        let mut boxes = self.boxes(elements);
        boxes.extend((texts > 0).then(|| literal(texts).into_token_stream()));
        boxes
    }

    /// The object in the default value of an element, and whether it is boxed; `None` if it
    /// contains no box.
    fn default_object(&self, element: &Element) -> Option<(&'m ComplexType, bool)> {
        let (id, boxed) = match &element.type_ref {
            TypeRef::Complex(id) => match &self.model.complex_types[id.0].family {
                Some(family) => {
                    let first = family.members.first()?;
                    (first.complex_type, first.boxed)
                }
                None => (*id, element.boxed),
            },
            _ => return None,
        };
        let complex = &self.model.complex_types[id.0];
        (boxed || complex.has_boxes).then_some((complex, boxed))
    }

    /// The output of an operation: its result, with the headers of its response.
    fn output(&self, operation: &Method) -> TokenStream {
        let (result, headers) = self.outputs(operation);
        joined(result, headers)
    }

    /// The type of the result of an operation, and the type of the headers of its response.
    fn outputs(&self, operation: &Method) -> (Option<TokenStream>, Option<TokenStream>) {
        let results = operation.results();
        let results = results.map(|results| ident(&results.name.rust).into_token_stream());
        let result = operation.result.as_ref();
        let result = result
            .map(|result| self.element_type(&result.element))
            .or(results);
        let headers = (operation.response_headers.as_ref())
            .map(|headers| ident(&headers.complex_type.name.rust).into_token_stream());
        (result, headers)
    }

    /// The output of the method of a handler.
    fn handler_output(&self, operation: &Method) -> TokenStream {
        let (result, headers) = self.outputs(operation);
        let result = result.map(|result| {
            let is_shared = self.is_shared(operation);
            if is_shared {
                quote! { ::std::sync::Arc<#result> }
            } else {
                result
            }
        });
        joined(result, headers)
    }

    /// Whether a handler returns the result of an operation in an `Arc`.
    fn is_shared(&self, operation: &Method) -> bool {
        self.options.shared_results.matches(&operation.name.xml)
    }

    /// The Rust type named in a definition or an option.
    fn own_type(&self, written: &str) -> TokenStream {
        let (path, arguments) = naming::type_parts(written);
        let path = if PRELUDE.iter().any(|(name, _)| *name == path) {
            self.prelude(path)
        } else {
            rust_path(path)
        };
        let arguments: Vec<_> = arguments.map(|argument| self.own_type(argument)).collect();
        if arguments.is_empty() {
            path
        } else {
            quote! { #path<#(#arguments),*> }
        }
    }

    fn type_ref(&self, type_ref: &TypeRef) -> TokenStream {
        match type_ref {
            TypeRef::Simple(SimpleType::AnyType) => {
                let (runtime, types) = (&self.runtime, ident(OBJECT_TYPES));
                let types = (!self.object_types.is_empty()).then(|| quote! { <#types> });
                quote! { #runtime::types::Object #types }
            }
            TypeRef::Simple(simple) => match simple.row().rust {
                RustType::String => self.prelude("String"),
                RustType::Bytes => {
                    let vec = self.prelude("Vec");
                    quote! { #vec<u8> }
                }
                RustType::Primitive(name) => ident(name).into_token_stream(),
                RustType::Runtime(name) | RustType::Xml(name) => {
                    let (runtime, name) = (&self.runtime, ident(name));
                    quote! { #runtime::types::#name }
                }
            },
            TypeRef::Custom(_, path) => self.own_type(path),
            TypeRef::Complex(id) => {
                let complex = &self.model.complex_types[id.0];
                let name = match &complex.family {
                    Some(family) => &family.rust,
                    None => &complex.name.rust,
                };
                ident(name).into_token_stream()
            }
            TypeRef::Group(id) => ident(&self.model.groups[id.0].rust).into_token_stream(),
            TypeRef::Enumeration(id) => {
                ident(&self.model.enumerations[id.0].name.rust).into_token_stream()
            }
            TypeRef::List(list) => {
                let (vec, option) = (self.prelude("Vec"), self.prelude("Option"));
                let item = self.type_ref(&list.item_type);
                if list.nillable_items {
                    quote! { #vec<#option<#item>> }
                } else {
                    quote! { #vec<#item> }
                }
            }
            TypeRef::Dictionary(dictionary) => {
                let (runtime, value) = (&self.runtime, self.type_ref(&dictionary.value_type));
                let value = if dictionary.nullable_values {
                    let option = self.prelude("Option");
                    quote! { #option<#value> }
                } else {
                    value
                };
                quote! { #runtime::types::Dictionary<#value> }
            }
        }
    }
}

/// Allows lints that some definitions trigger: method names that Clippy reserves for conversions,
/// and results that are lists of lists or optional values with headers.
fn lints(operations: &[Method]) -> Option<TokenStream> {
    let converts = |operation: &Method| {
        let name = &operation.name.rust;
        name.starts_with("into_") || name.starts_with("from_")
    };
    let nests = |operation: &Method| match operation.result_type() {
        Some(TypeRef::List(list)) => {
            let is_beside_headers = operation.response_headers.is_some();
            list.inner().is_some() || (list.nillable_items && is_beside_headers)
        }
        _ => false,
    };
    let conversions =
        (operations.iter().any(converts)).then(|| quote! { clippy::wrong_self_convention });
    let nested = (operations.iter().any(nests)).then(|| quote! { clippy::type_complexity });
    let lints: Vec<_> = conversions.into_iter().chain(nested).collect();
    (!lints.is_empty()).then(|| quote! { #[allow(#(#lints),*)] })
}

/// Allows the lint for enums whose variants all begin or all end with the same word, as in the
/// types of some services.
fn variant_lint<'n>(names: impl Iterator<Item = &'n str> + Clone) -> Option<TokenStream> {
    let is_upper = |character: char| character.is_uppercase();
    let first = |name: &'n str| {
        let mut rest = name.char_indices().skip(1);
        let end = rest.find(|(_, character)| is_upper(*character));
        &name[..end.map_or(name.len(), |(end, _)| end)]
    };
    let last = |name: &'n str| &name[name.rfind(is_upper).unwrap_or_default()..];
    let is_shared = |word: &dyn Fn(&'n str) -> &'n str| {
        let mut words = names.clone().map(word);
        let one = words.next();
        words.all(|word| Some(word) == one)
    };
    // Clippy accepts two variants.
    (names.clone().count() > 2 && (is_shared(&first) || is_shared(&last)))
        .then(|| quote! { #[allow(clippy::enum_variant_names)] })
}

/// The tokens of a valid path.
fn rust_path(path: &str) -> TokenStream {
    let (start, path) = match path.strip_prefix("::") {
        Some(rest) => (Some(quote! { :: }), rest),
        None => (None, path),
    };
    let segments = path.split("::").map(ident);
    quote! { #start #(#segments)::* }
}

/// An index without suffix.
fn literal(index: usize) -> Literal {
    Literal::usize_unsuffixed(index)
}

/// The token of a valid identifier.
fn ident(name: &str) -> Ident {
    match name.strip_prefix("r#") {
        Some(raw) => Ident::new_raw(raw, Span::call_site()),
        None => Ident::new(name, Span::call_site()),
    }
}

/// The item that declares the module of the items, for a file next to it.
pub(crate) fn module(model: &Model, options: &Options) -> TokenStream {
    let (visibility, module) = (options.visibility, ident(&model.module));
    quote! { #visibility mod #module; }
}

/// The inner attributes of the module. Dead code is allowed, since an application need not use all
/// of a definition; so are fields without documentation, since a definition need not have any; and
/// so is the feature of mocks, which a crate need not have; and so is code that is only a matter of
/// style, since nobody edits it.
fn about(context: &Context<'_>) -> TokenStream {
    let model = context.model;
    let about = match &model.service {
        Some(service) => format!("The service `{}`.", service.name.xml),
        None => format!("The types of `{}`.", naming::unraw(&model.module)),
    };
    let docs = documentation::inner_docs_or(&model.documentation, &about);
    let has_mock = model.service.is_some() && mocks::is_emitted(context.options);
    let cfgs = has_mock.then(|| quote! { , unexpected_cfgs });
    quote! { #docs #![allow(clippy::pedantic, dead_code, missing_docs #cfgs)] }
}

/// Combines the types of a result and of headers.
fn joined(result: Option<TokenStream>, headers: Option<TokenStream>) -> TokenStream {
    match (result, headers) {
        (Some(result), Some(headers)) => quote! { (#result, #headers) },
        (None, None) => quote! { () },
        (one, other) => one.or(other).unwrap_or_default(),
    }
}
