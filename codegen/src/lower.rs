//! LOWER: [`Definition`] → [`Model`]. The only stage that can refuse; it checks everything before it does.
//!
//! Passes run in order over one immutable [`Context`]. They share the emitted items, in [`Items`], and the sink, which keeps the first
//! diagnostic of each span.

mod array_names;
mod components;
mod constraints;
mod context;
mod cycles;
mod declarations;
mod elements;
mod encoding;
mod examples;
pub(crate) mod facets;
mod global_elements;
mod groups;
mod headers;
mod included;
mod inheritance;
mod module_paths;
mod names;
mod namespaces;
mod operations;
mod patterns;
mod review;
mod scopes;
mod script;
mod script_checks;
pub(crate) mod secret_names;
mod service;
mod sizes;
mod substitution;
mod type_expressions;
mod types;
mod unused;
mod wildcards;
mod wire_elements;

use crate::config::Options;
use crate::data_sets::DataSets;
use crate::definition::Definition;
use crate::file::Included;
use crate::model::Model;
use crate::sink::Sink;
use context::{Context, Items, Pass};
use namespaces::Namespaces;

/// A definition, and what else its model depends on.
#[derive(Clone, Copy)]
pub(crate) struct Input<'i> {
    pub definition: &'i Definition,
    /// Whether all of the file was read.
    pub whole: bool,
    /// The name of its file, without folder and ending.
    pub stem: &'i str,
    pub included: &'i [Included],
    /// The schemas of sets that it names.
    pub data_sets: &'i DataSets,
    /// Whether another file includes it, in which options may match something.
    pub is_included: bool,
    pub options: &'i Options,
}

/// Lowers a definition; `None` if `sink` then has an error, or an included file is wrong.
pub(crate) fn lower(input: Input<'_>, sink: &mut Sink) -> Option<Model> {
    let definition = input.definition;
    let is_service = service::is_service(definition);
    // What was left out may be a required key.
    if input.whole && is_service {
        service::check_required_keys(definition, sink);
    }
    review::allow(definition, sink);
    let mut types = types::declare(definition, sink);
    let mut included = included::take_over(definition, input.included, &mut types, sink);
    let mut items = Items::default();
    // The choices of included files are numbered before those of the file itself.
    items.groups.append(&mut included.groups);
    let context = Context {
        definition,
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
    let pass = &mut Pass {
        context: &context,
        items: &mut items,
        sink,
    };
    let written = definition.types.0.iter();
    let mut complex_types: Vec<_> = written
        .map(|(key, body)| types::complex_type(pass, key, body))
        .collect();
    inheritance::extend_types(pass, &mut complex_types);
    let written = definition.enums.0.iter();
    let enumerations: Vec<_> = written
        .map(|(key, body)| types::enumeration(pass, key, body))
        .collect();
    cycles::break_cycles(pass, &mut complex_types);
    let mut service = is_service.then(|| service::service(pass));
    let module = match &service {
        Some(service) => service.as_ref().map(service::module_name),
        None => service::module_of_types(definition, input.stem, sink),
    };
    // Patterns of options are checked even if other options are wrong.
    if !sink.definition_has_errors() {
        let parts = sizes::Parts {
            types: (complex_types.iter().map(Option::as_ref))
                .chain(context.included.complex_types.iter().map(Some))
                .collect(),
            groups: &items.groups,
            enumerations: (enumerations.iter().map(Option::as_ref))
                .chain(context.included.enumerations.iter().map(Some))
                .collect(),
        };
        let sizes = sizes::Sizes::of(&parts);
        let described = service.as_ref().and_then(Option::as_ref);
        sizes.refuse_large(&parts, described, definition, sink);
        let described = service.as_mut().and_then(Option::as_mut);
        sizes.apply(&mut complex_types, &mut items.groups, described);
    }
    let is_wrong = sink.definition_has_errors();
    // A refused definition gets no warnings.
    if input.whole && !is_wrong {
        review::review(definition, sink);
    }
    if is_wrong {
        return None;
    }
    let included = context.included;
    let mut complex_types: Vec<_> = complex_types.into_iter().collect::<Option<_>>()?;
    complex_types.extend(included.complex_types);
    let mut enumerations: Vec<_> = enumerations.into_iter().collect::<Option<_>>()?;
    enumerations.extend(included.enumerations);
    included::check_wire_names(
        &complex_types,
        &enumerations,
        definition,
        input.included,
        sink,
    );
    let mut model = Model {
        module: module?,
        documentation: definition.doc.clone(),
        service: service.map_or(Some(None), |service| service.map(Some))?,
        includes: included.includes,
        nested: included.nested,
        imports: items.imports,
        complex_types,
        groups: items.groups,
        enumerations,
        items: items.names.into_keys().collect(),
    };
    array_names::name_arrays(&mut model, input.included, sink)?;
    included::check_objects(&model, input.included, sink);
    encoding::check_encoded(&model, definition, sink);
    declarations::check_declarations(&model, definition, sink);
    let has_scopes = scopes::has_scopes(&model);
    script::name_script_types(&mut model);
    script_checks::check_script(&model, definition, sink);
    script_checks::check_dictionaries(&model, definition, sink);
    if let Some(service) = &mut model.service {
        service.has_scopes = has_scopes;
    }
    if !input.is_included {
        patterns::check_patterns(&model, input.included, input.options, sink);
    }
    (!sink.has_errors()).then_some(model)
}
