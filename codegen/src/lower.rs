//! LOWER: [`Definition`] → [`Model`]. The only stage that can refuse; it checks everything before
//! it does.
//!
//! Passes over one immutable [`Context`] [collect] the parts of a model; the parts that depend on
//! all of them are [built][build] and [checked][check] when each is right by itself. The passes
//! share the emitted items, in [`Items`], and the sink, which keeps the first diagnostic of each
//! span.

mod array_names;
mod components;
mod constraints;
mod context;
mod cycles;
mod declarations;
mod elements;
mod encoding;
mod examples;
mod facets;
mod form_checks;
mod global_elements;
mod groups;
mod headers;
mod included;
mod inheritance;
mod messages;
mod module_paths;
mod names;
mod namespaces;
mod operations;
mod patterns;
mod review;
mod scopes;
mod script;
mod script_checks;
mod service;
mod sizes;
mod substitution;
mod type_expressions;
mod types;
mod unused;
mod wildcards;
mod wire_elements;

use svcgen_language::definition::Definition;
use svcgen_language::sink::Sink;

use crate::config::Options;
use crate::data_sets::DataSets;
use crate::file::Included;
use crate::model::Model;
use context::{Context, Items, Pass};
use namespaces::Namespaces;
use sizes::Sizes;

/// A definition, and the other inputs that its model depends on.
#[derive(Clone, Copy)]
pub(crate) struct Input<'i> {
    pub definition: &'i Definition,
    /// Whether all of the file was read.
    pub whole: bool,
    /// The name of its file, without folder and extension.
    pub stem: &'i str,
    pub included: &'i [Included],
    /// The schemas of sets of tables that it names.
    pub data_sets: &'i DataSets,
    /// Whether another file includes it, in which the patterns of options may match something.
    pub is_included: bool,
    pub options: &'i Options,
}

/// Lowers a definition; `None` if `sink` has an error afterwards, or an included file is wrong.
pub(crate) fn lower(input: Input<'_>, sink: &mut Sink) -> Option<Model> {
    let collected = collect(input, sink);
    let right = collected.filter(|_| !sink.definition_has_errors());
    let model = right.and_then(|model| build(model, input, sink));
    // A refused definition gets no warnings.
    if input.whole && !sink.definition_has_errors() {
        review::review(input.definition, sink);
    }
    model.filter(|_| !sink.has_errors())
}

/// Lowers and checks each part of a definition by itself; `None` if one is wrong.
fn collect(input: Input<'_>, sink: &mut Sink) -> Option<Model> {
    let mut items = Items::default();
    let context = context_of(input, &mut items, sink);
    let pass = &mut Pass {
        context: &context,
        items: &mut items,
        sink,
    };
    let mut complex_types = types::complex_types(pass);
    inheritance::extend_types(pass, &mut complex_types);
    let enumerations = types::enumerations(pass);
    cycles::break_cycles(pass, &mut complex_types);
    let service = context.is_service.then(|| service::service(pass));
    let module = match &service {
        Some(service) => service.as_ref().map(service::module_name),
        None => service::module_of_types(input.definition, input.stem, sink),
    };
    let included = context.included;
    let complex_types = complex_types.into_iter();
    let enumerations = enumerations.into_iter();
    Some(Model {
        module: module?,
        documentation: input.definition.doc.clone(),
        service: service.map_or(Some(None), |service| service.map(Some))?,
        includes: included.includes,
        nested: included.nested,
        imports: items.imports,
        complex_types: complex_types
            .chain(included.complex_types.into_iter().map(Some))
            .collect::<Option<_>>()?,
        groups: items.groups,
        enumerations: enumerations
            .chain(included.enumerations.into_iter().map(Some))
            .collect::<Option<_>>()?,
        items: items.names.into_keys().collect(),
    })
}

/// Creates the input of all passes, and adds the choices and sequences of included files to
/// `items`, numbered before those of the file itself.
fn context_of<'d>(input: Input<'d>, items: &mut Items<'d>, sink: &mut Sink) -> Context<'d> {
    let definition = input.definition;
    let is_service = service::is_service(definition);
    // A required key may be in the part that was not read.
    if input.whole && is_service {
        service::check_required_keys(definition, sink);
    }
    review::allow(definition, sink);
    let mut types = types::declare(definition, sink);
    let mut included = included::take_over(definition, input.included, &mut types, sink);
    items.groups.append(&mut included.groups);
    let context = Context {
        definition,
        is_service,
        data_sets: input.data_sets,
        options: input.options,
        whole: input.whole,
        namespaces: Namespaces::of(definition, is_service, sink),
        types,
        included,
    };
    if !input.is_included {
        elements::check_extern_paths(&context, sink);
    }
    context
}

/// Adds the parts that depend on the whole model, and checks them; `None` if an included file is
/// wrong.
fn build(mut model: Model, input: Input<'_>, sink: &mut Sink) -> Option<Model> {
    array_names::name_arrays(&mut model, input.included, sink)?;
    script::name_script_types(&mut model);
    scopes::mark_scopes(&mut model);
    let sizes = Sizes::of(&model);
    check(&model, &sizes, input, sink);
    sizes.apply(&mut model);
    Some(model)
}

/// Checks the rules that relate several parts.
fn check(model: &Model, sizes: &Sizes, input: Input<'_>, sink: &mut Sink) {
    let (definition, included) = (input.definition, input.included);
    sizes.refuse_large(model, definition, sink);
    included::check_wire_names(model, definition, included, sink);
    included::check_objects(model, included, sink);
    encoding::check_encoded(model, definition, sink);
    declarations::check_declarations(model, definition, sink);
    script_checks::check_script(model, definition, sink);
    script_checks::check_dictionaries(model, definition, sink);
    if !input.is_included {
        patterns::check_patterns(model, included, input.options, sink);
    }
}
