//! Elements as rows of a table, for people.

use crate::schema::{ComplexType, Content, Element};

/// A row: an element, an attribute, the text of a type, or an alternative of a choice.
pub(crate) struct Row<'a> {
    pub name: &'a str,
    pub element: &'a Element<'a>,
    /// What is particular to it, in a word or two each.
    pub notes: Vec<String>,
}

/// The rows of elements; a choice has one for each alternative.
pub(crate) fn rows<'a>(elements: &'a [Element<'a>]) -> Vec<Row<'a>> {
    elements
        .iter()
        .flat_map(|element| rows_of_element(element, &[]))
        .collect()
}

/// The rows of what a type has of its own.
pub(crate) fn rows_of<'a>(complex: &'a ComplexType<'a>) -> Vec<Row<'a>> {
    let attributes = complex.attributes.iter();
    let attributes = attributes.flat_map(|attribute| rows_of_element(attribute, &["attribute"]));
    let text = complex.text.iter();
    let text = text.flat_map(|text| rows_of_element(text, &["text"]));
    attributes
        .chain(text)
        .chain(rows(complex.elements))
        .collect()
}

fn rows_of_element<'a>(element: &'a Element<'a>, before: &[&str]) -> Vec<Row<'a>> {
    let mut notes: Vec<String> = before.iter().map(ToString::to_string).collect();
    if let Content::Choice(alternatives) = element.content {
        notes.push(match (element.repeated, element.optional) {
            (true, _) => format!("any of {}, any number", element.name),
            (_, true) => format!("one of {}, or none", element.name),
            _ => format!("one of {}", element.name),
        });
        let notes: Vec<&str> = notes.iter().map(String::as_str).collect();
        return alternatives
            .iter()
            .flat_map(|alternative| rows_of_element(alternative, &notes))
            .collect();
    }
    let own = [
        (element.optional, "optional"),
        (element.nillable, "nillable"),
        (element.repeated, "any number"),
        (element.secret, "secret"),
    ];
    notes.extend(
        own.into_iter()
            .filter(|(holds, _)| *holds)
            .map(|(_, note)| note.to_owned()),
    );
    if let Content::List(item) = element.content {
        notes.push(format!(
            "items: {}{}",
            item.name,
            if item.nillable { ", nillable" } else { "" }
        ));
    }
    vec![Row {
        name: element.name,
        element,
        notes,
    }]
}
