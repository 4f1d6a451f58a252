//! Patterns of options: each must match an emitted item.

use svcgen_language::rules::Rule;
use svcgen_language::sink::Sink;

use crate::config::Options;
use crate::file::Included;
use crate::model::Model;
use crate::option_values::Values;

/// Checks that every pattern matches something here or in an included file.
pub(super) fn check_patterns(
    model: &Model,
    included: &[Included],
    options: &Options,
    sink: &mut Sink,
) {
    let files: Vec<_> = included.iter().flat_map(|one| one.file.all()).collect();
    let others = files.iter().filter_map(|file| file.model.as_ref());
    let models: Vec<_> = std::iter::once(model).chain(others).collect();
    let types = models.iter().flat_map(|model| model.named_types());
    let types: Vec<_> = types.collect();
    let names: Vec<_> = types.iter().map(|(name, _)| name.clone()).collect();
    let structs = models.iter().flat_map(|model| model.named_structs());
    let structs: Vec<_> = structs.map(|(name, _)| name).collect();
    let operations = model.operations().iter().map(|one| one.name.xml.clone());
    let operations: Vec<_> = operations.collect();
    let enumerations = model.enumerations.iter().map(|one| one.name.xml.clone());
    let enumerations: Vec<_> = enumerations.collect();
    let paths = paths(&types);
    macro_rules! check {
        ($($option:ident: $what:literal of $names:ident;)+) => {
            $(check(stringify!($option), &options.$option, $what, &$names, sink);)+
        };
    }
    check! {
        type_attribute: "type" of names;
        type_derive: "type" of names;
        non_exhaustive: "type" of names;
        field_attribute: "field or variant" of paths;
        builders: "struct" of structs;
        open_enums: "enumeration" of enumerations;
        optional_methods: "operation" of operations;
        shared_results: "operation" of operations;
    }
}

/// The paths of all members, and the types that have any.
fn paths(types: &[(String, Vec<&str>)]) -> Vec<String> {
    let with_members = types.iter().filter(|(_, members)| !members.is_empty());
    let of = |(name, members): &(String, Vec<&str>)| {
        let mut paths = vec![name.clone()];
        paths.extend(members.iter().map(|member| format!("{name}.{member}")));
        paths
    };
    with_members.flat_map(of).collect()
}

/// Refuses patterns of an option that match none of these names.
fn check<V>(option: &str, values: &Values<V>, what: &str, names: &[String], sink: &mut Sink) {
    for setting in values
        .0
        .iter()
        .filter(|setting| !setting.may_match_nothing())
    {
        if names.iter().any(|name| setting.pattern.matches(name)) {
            continue;
        }
        let pattern = setting.pattern.as_str();
        let message = format!("the option `{option}`: no {what} is called `{pattern}`");
        let else_hint = match names.last() {
            None => format!("the definition has no {what}"),
            Some(name) => format!(
                "a pattern is written like `{name}`; `*` stands for any characters, `.` for all"
            ),
        };
        let known = names.iter().map(String::as_str);
        sink.add(Rule::OptionMatchesNothing, setting.span.clone(), message)
            .nearest(pattern, known, &else_hint);
    }
}
