//! The members of a type as rows of a table.

use svcgen_model::{At, ComplexType, Element, Form, Group, Occurs, Particle, TypeAt, Value};

/// A row: an element, an attribute, the text of a type, or an alternative of a choice.
pub(crate) struct Row<'a> {
    pub element: At<'a, Element<'a>>,
    /// Its properties, such as `optional`.
    pub notes: Vec<String>,
}

/// The id of a type's description, and its fragment in a URL: by name, and by namespace if it is
/// not the service's.
pub(crate) fn anchor(definition: TypeAt<'_>) -> String {
    let (namespace, name) = definition.qualified_name();
    let mut anchor = "type-".to_owned();
    for character in namespace.into_iter().flat_map(str::chars) {
        if character.is_ascii_alphanumeric() || "-._:/".contains(character) {
            anchor.push(character);
        } else {
            // Ids have no blanks, and links in Markdown no parentheses.
            anchor += &format!("~{:x}~", u32::from(character));
        }
    }
    // No name has a colon.
    anchor += if namespace.is_some() { ":" } else { "" };
    anchor + name
}

/// The description of a set of values.
pub(crate) const FLAGS: &str = "Any number of these, divided by blanks; in forms by commas.";

/// The text before the schema of a typed set.
pub(crate) const SET_OF_TABLES: &str = "A set of tables (DataSet), with this schema:";

/// The relation of a type to its base, and an explanation.
pub(crate) fn derivation(complex: At<'_, ComplexType<'_>>) -> [&'static str; 2] {
    if complex.restricts {
        ["Restricts", "it has nothing of that but what follows"]
    } else {
        ["Extends", "its attributes and elements come first"]
    }
}

/// The rows of the members that a type does not inherit; a choice has a row for each alternative.
pub(crate) fn rows<'a>(complex: At<'a, ComplexType<'a>>) -> Vec<Row<'a>> {
    let attributes = complex.own_attributes();
    let attributes = attributes.map(|attribute| row(attribute, vec!["attribute".to_owned()]));
    let text = complex.own_text().into_iter();
    let text = text.map(|text| row(text, vec!["text".to_owned()]));
    let particles = complex.own_particles();
    let particles = particles.flat_map(|particle| match particle {
        Particle::Element(element) => vec![row(element, Vec::new())],
        Particle::Group(group) => {
            let elements = complex.elements_of(group);
            let noted = elements.map(|element| {
                let around = complex.groups_around(element.row());
                row(element, around.map(note_of).collect())
            });
            noted.collect()
        }
    });
    attributes.chain(text).chain(particles).collect()
}

/// The name of a value in .NET and its number, if the definition contains them.
pub(crate) fn note_of_value(value: At<'_, Value<'_>>) -> Option<String> {
    let number = value.number.map(|number| number.to_string());
    let parts = [value.net.map(str::to_owned), number];
    let parts: Vec<_> = parts.into_iter().flatten().collect();
    (!parts.is_empty()).then(|| format!(".NET: {}", parts.join(" = ")))
}

fn note_of(group: &Group<'_>) -> String {
    let name = group.name;
    match (group.is_sequence(), group.repeated, group.optional) {
        (false, true, _) => format!("any of {name}, any number"),
        (false, _, true) => format!("one of {name}, or none"),
        (false, ..) => format!("one of {name}"),
        (true, true, _) => format!("part of {name}, any number"),
        (true, _, true) => format!("part of {name}, which is optional"),
        (true, ..) => format!("part of {name}"),
    }
}

fn row<'a>(element: At<'a, Element<'a>>, first: Vec<String>) -> Row<'a> {
    let counted = match element.type_at() {
        TypeAt::List(item) => item.occurs,
        _ => element.occurs,
    };
    let is_any = counted == Occurs::ANY;
    let own = [
        (element.is_omitted(), "optional"),
        (element.is_nillable(), "nillable"),
        (element.wildcard.is_some(), "what is not named"),
        (element.characters, "text between elements"),
        (is_any && element.repeated, "any number"),
        (element.texts, "any number, divided by blanks"),
        (element.secret, "secret"),
    ];
    let own = own.into_iter().filter(|(holds, _)| *holds);
    let own = own.map(|(_, note)| note.to_owned());
    let items = match element.type_at() {
        TypeAt::List(item) if item.is_nillable() => Some(format!("items: {}, nillable", item.name)),
        TypeAt::List(item) => Some(format!("items: {}", item.name)),
        TypeAt::Dictionary(value) if value.is_nillable() => Some("values may be null".to_owned()),
        _ => None,
    };
    let count = (!is_any).then(|| match counted.most {
        Some(most) => format!("{} to {most}", counted.least),
        None => format!("{} or more", counted.least),
    });
    let restricted = match element.type_at() {
        TypeAt::List(item) | TypeAt::Dictionary(item) => item,
        _ => element,
    };
    let is_union = !restricted.union.is_empty();
    let union = is_union.then(|| format!("union: {}", restricted.union_name()));
    let facets = restricted.facets.iter();
    let facets = facets.map(|(facet, text)| format!("{}: {text}", facet.name()));
    let constraint = element.constraint.map(|constraint| {
        let (name, text) = constraint.attribute();
        format!("{name}: {text}")
    });
    let net = element.net.map(|net| format!(".NET name: {net}"));
    let namespace = match element.form {
        Form::Default => None,
        Form::Qualified => Some("in the namespace of the type".to_owned()),
        Form::Unqualified => Some("in no namespace".to_owned()),
        Form::Reference(namespace) => Some(format!("namespace: {namespace}")),
    };
    Row {
        element,
        notes: (first.into_iter().chain(own))
            .chain(count)
            .chain(items)
            .chain(union)
            .chain(facets)
            .chain(constraint)
            .chain(net)
            .chain(namespace)
            .collect(),
    }
}
