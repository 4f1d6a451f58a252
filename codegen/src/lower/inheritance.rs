//! Types that extend others: their inherited members and their families.

use std::collections::HashMap;
use std::iter::successors;

use svcgen_language::definition::{Definition, Located, NodeId};
use svcgen_language::naming;
use svcgen_language::rules::Rule;

use super::context::Pass;
use super::scopes;
use super::wire_elements::{check_wire_elements, refuse_same_names, with_nodes};
use crate::model::{ComplexType, ComplexTypeId, Family, FamilyMember, Form, SimpleType, TypeRef};

/// The maximum number of bases of a type, direct and indirect.
const MOST_BASES: usize = 64;

/// Adds inherited members to every type, and families to bases.
pub(super) fn extend_types(pass: &mut Pass<'_, '_>, types: &mut [Option<ComplexType>]) {
    let bases = bases(pass);
    let mut order: Vec<_> = (0..types.len()).collect();
    // No chain is long at this point.
    order.sort_by_cached_key(|id| successors(bases[*id], |base| bases[*base]).count());
    for id in order {
        if let Some(base_id) = bases[id]
            && let Some(base) = types[base_id].clone()
            && let Some(derived) = &mut types[id]
        {
            derived.extends = Some(ComplexTypeId(base_id));
            let (_, body) = &pass.context.definition.types.0[id];
            derived.restricts = body.restricts.is_some();
            if derived.restricts {
                check_restriction(pass, id, &base, derived);
            } else {
                take_over(pass, id, &base, derived);
            }
        }
        if let Some(complex) = &types[id] {
            check_fields(pass, id, complex);
        }
    }
    for (id, heirs) in heirs(&bases).iter().enumerate() {
        family(pass, id, heirs, types);
    }
}

/// The base of each type.
fn bases(pass: &mut Pass<'_, '_>) -> Vec<Option<usize>> {
    let definition = pass.context.definition;
    let written = definition.types.0.iter();
    let mut bases: Vec<_> = written
        .map(|(_, body)| {
            if let (Some(_), Some(restricts)) = (&body.extends, &body.restricts) {
                let message = "a type that extends another one restricts none";
                (pass.sink.add(Rule::KeyDoesNotFit, restricts.node, message))
                    .hint("leave out `extends` or `restricts`");
            }
            base(pass, body.base()?)
        })
        .collect();
    let counts = count_bases(&bases).into_iter().enumerate();
    for (id, _) in counts.filter(|(_, count)| *count == Bases::Circular) {
        bases[id] = None;
        let message = format!("`{}` extends itself", definition.types.0[id].0);
        let node = node_of_base(definition, id);
        (pass.sink.add(Rule::Inheritance, node, message))
            .hint("a type extends a type that knows nothing of it");
    }
    cut_long_rows(pass, &mut bases);
    bases
}

/// The node of `extends` or `restricts`, or of the type.
fn node_of_base(definition: &Definition, id: usize) -> NodeId {
    let (key, body) = &definition.types.0[id];
    let base = body.base();
    base.map_or(key.node, |base| base.node)
}

/// Refuses long chains of bases: each base has an enum of all types that extend it.
fn cut_long_rows(pass: &mut Pass<'_, '_>, bases: &mut [Option<usize>]) {
    for (id, count) in count_bases(bases).into_iter().enumerate() {
        let Bases::Count(count) = count else { continue };
        if count > MOST_BASES {
            bases[id] = None;
        }
        if count == MOST_BASES + 1 {
            let definition = pass.context.definition;
            let key = &definition.types.0[id].0;
            let message = format!("`{key}` extends more than {MOST_BASES} types in a row");
            (pass.sink)
                .add(Rule::Inheritance, node_of_base(definition, id), message)
                .hint("give the types fewer levels");
        }
    }
}

fn base(pass: &mut Pass<'_, '_>, extends: &Located<String>) -> Option<usize> {
    let name = extends.value.as_str();
    if let Some((_, one)) = pass.context.included.named.get(name) {
        let message = format!("`{name}` is of another file, `{}`", one.name);
        pass.sink.add(Rule::Included, extends.node, message)
            .hint("where a type is asked for, its module knows all that extend it: they stand in one file");
        return None;
    }
    if !pass.context.types.contains_key(name) && pass.context.included.may_have(name) {
        return None;
    }
    let message = match pass.context.types.get(name) {
        Some((_, TypeRef::Complex(id))) => return Some(id.0),
        Some(_) => format!("`{name}` is an enumeration, which no type can extend"),
        None => format!("there is no type `{name}` to extend"),
    };
    let mut known = Vec::new();
    if pass.sink.may_compare(pass.context.types.len()) {
        let types = pass.context.types.iter();
        let types = types.filter(|(_, (_, type_ref))| matches!(type_ref, TypeRef::Complex(_)));
        known.extend(types.map(|(name, _)| *name));
        known.sort_unstable();
    }
    pass.sink
        .add(Rule::Inheritance, extends.node, message)
        .nearest(name, known, "define it under `types`");
    None
}

fn check_restriction(
    pass: &mut Pass<'_, '_>,
    id: usize,
    base: &ComplexType,
    derived: &ComplexType,
) {
    let what = |complex: &ComplexType| match (&complex.data_set, &complex.text) {
        (Some(_), _) => "a set of tables",
        (None, Some(text)) if text.type_ref == TypeRef::Simple(SimpleType::Any) => "anything",
        (None, Some(_)) => "text",
        (None, None) => "elements",
    };
    let (was, is) = (what(base), what(derived));
    if base.data_set.is_some() || (was != is && was != "anything") {
        let definition = pass.context.definition;
        let (key, base) = (&definition.types.0[id].0, &base.name.xml);
        let message = format!("`{key}` has {is}, and cannot restrict `{base}`, which has {was}");
        (pass
            .sink
            .add(Rule::Inheritance, node_of_base(definition, id), message))
        .hint("a type that restricts another one says all content of that again, or less of it");
    }
}

fn take_over(pass: &mut Pass<'_, '_>, id: usize, base: &ComplexType, derived: &mut ComplexType) {
    let definition = pass.context.definition;
    let (node, key) = (node_of_base(definition, id), &definition.types.0[id].0);
    let base_name = &base.name.xml;
    if base.data_set.is_some() {
        let message = format!("`{base_name}` is a set of tables, which no type can extend");
        pass.sink.add(Rule::Inheritance, node, message);
        return;
    }
    let has_elements = !base.elements.is_empty() || !derived.elements.is_empty();
    let has_text = base.text.is_some() || derived.text.is_some();
    if (has_text && has_elements) || (base.text.is_some() && derived.text.is_some()) {
        let message = format!("`{key}` would have the text of `{base_name}` beside other content");
        (pass.sink.add(Rule::Inheritance, node, message))
            .hint("a type that extends one with text adds attributes only");
    }
    if base.unordered {
        let message =
            format!("the elements of `{base_name}` are in any order, so that no type extends it");
        (pass.sink.add(Rule::Unordered, node, message))
            .hint("leave out `unordered` there: any order is read all the same");
    }
    derived.text = derived.text.take().or_else(|| base.text.clone());
    let (mut attributes, mut elements) = (base.attributes.clone(), base.elements.clone());
    if base.scope != derived.scope {
        let service = definition.namespace.as_ref();
        let service = service.map(|namespace| namespace.value.as_str());
        let elements = elements.iter_mut();
        elements.for_each(|element| scopes::inherited(element, &base.scope, service));
        let attributes = attributes
            .iter_mut()
            .filter(|one| one.form == Form::Qualified);
        attributes.for_each(|attribute| scopes::inherited(attribute, &base.scope, service));
    }
    derived.attributes.splice(0..0, attributes);
    derived.elements.splice(0..0, elements);
}

/// Checks that fields have distinct Rust names, and elements distinct names on the wire.
fn check_fields(pass: &mut Pass<'_, '_>, id: usize, complex: &ComplexType) {
    let (key, body) = &pass.context.definition.types.0[id];
    let elements = with_nodes(&complex.elements, &body.elements);
    check_wire_elements(&elements, &key.value, &pass.items.groups, pass.sink);
    let mut fields = with_nodes(&complex.attributes, &body.attributes);
    refuse_same_names(&fields, "attributes", &key.value, pass.sink);
    let mut wildcards = fields.iter().filter(|(field, _)| field.wildcard.is_some());
    if let (Some(first), Some((_, Some(node)))) = (wildcards.next(), wildcards.next()) {
        let message = format!("`{key}` has two wildcards for attributes");
        let pending = pass.sink.add(Rule::KeyDoesNotFit, *node, message);
        match first.1 {
            Some(first) => pending.other(first, "the other one"),
            None => pending.label("the other one comes from the type that is extended"),
        };
    }
    let text = body.text.as_ref().map(|text| text.node);
    fields.extend(complex.text.iter().map(|field| (field, text)));
    if body.extends.is_some() || !fields.is_empty() {
        fields.extend(elements);
        let mut seen: HashMap<&str, Option<NodeId>> = HashMap::new();
        for (field, node) in fields {
            let rust = &field.name.rust;
            let Some(first) = seen.insert(rust, node) else {
                continue;
            };
            // A clash of two inherited fields is reported for the type that has them.
            let Some(at) = node.or(first) else { continue };
            let message = format!("two fields of `{key}` would be called `{rust}`");
            let pending = pass
                .sink
                .add(Rule::RustNameClash, at, message)
                .hint("rename one of them with the key `rust`");
            if let Some(first) = first.filter(|_| node.is_some()) {
                pending.other(first, "the other one");
            }
        }
    }
}

fn family(
    pass: &mut Pass<'_, '_>,
    id: usize,
    derived: &[usize],
    types: &mut [Option<ComplexType>],
) {
    let (key, body) = &pass.context.definition.types.0[id];
    let is_abstract = |id: usize| types[id].as_ref().is_some_and(|one| one.is_abstract);
    let members = std::iter::once(&id).chain(derived);
    let members = members.filter(|member| !is_abstract(**member));
    let members = members.map(|member| FamilyMember {
        complex_type: ComplexTypeId(*member),
        boxed: false,
    });
    let members: Vec<_> = members.collect();
    if members.is_empty() {
        let given = body.r#abstract.as_ref();
        let node = given.map_or(key.node, |given| given.node);
        let message = format!("`{key}` is abstract, and no type extends it");
        pass.sink
            .add(Rule::Inheritance, node, message)
            .hint("without a type that says `extends` there is no value of it");
    }
    if derived.is_empty() {
        return;
    }
    let Some(complex) = &mut types[id] else {
        return;
    };
    let rust = naming::joined("Any", &complex.name.rust);
    let what = format!("the family of the type `{key}`");
    pass.claim(&rust, key.node, what);
    complex.family = Some(Family {
        rust,
        members,
        clones_in_place: false,
    });
}

/// The types that extend each type, directly or not. There are no cycles, and chains are short.
fn heirs(bases: &[Option<usize>]) -> Vec<Vec<usize>> {
    let mut heirs = vec![Vec::new(); bases.len()];
    for id in 0..bases.len() {
        for base in successors(bases[id], |base| bases[*base]) {
            heirs[base].push(id);
        }
    }
    heirs
}

/// The bases of a type, as far as they are counted.
#[derive(Clone, Copy, PartialEq)]
enum Bases {
    Unknown,
    /// The type is in the chain that is being followed.
    Followed,
    /// The type extends itself, directly or not.
    Circular,
    /// The number of its bases, direct and indirect, up to a circular one.
    Count(usize),
}

/// Counts the bases of all types. Each type is followed once, however long the chains are.
fn count_bases(bases: &[Option<usize>]) -> Vec<Bases> {
    let mut known = vec![Bases::Unknown; bases.len()];
    for id in 0..bases.len() {
        let (mut row, mut next) = (Vec::new(), Some(id));
        while let Some(id) = next.filter(|id| known[*id] == Bases::Unknown) {
            known[id] = Bases::Followed;
            row.push(id);
            next = bases[id];
        }
        let is_circle = next.is_some_and(|first| known[first] == Bases::Followed);
        let circle = row.iter().position(|id| is_circle && Some(*id) == next);
        for id in row.drain(circle.unwrap_or(row.len())..) {
            known[id] = Bases::Circular;
        }
        for id in row.into_iter().rev() {
            known[id] = Bases::Count(bases[id].map_or(0, |base| match known[base] {
                Bases::Count(count) => count + 1,
                _ => 1,
            }));
        }
    }
    known
}
