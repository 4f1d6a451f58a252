//! Types of members as definitions write them.

use crate::model::{Absence, Element, Model, TypeRef};

/// The type of an element as definitions write it.
pub(in crate::compare) fn notation(model: &Model, element: &Element) -> String {
    let mark = match element.absence {
        Absence::Required => "",
        _ => "?",
    };
    let unwrapped = match &element.type_ref {
        TypeRef::List(list) if !list.wrapped => " (unwrapped)",
        _ => "",
    };
    let written = type_notation(model, &element.type_ref);
    format!("`{written}{mark}`{unwrapped}")
}

fn type_notation(model: &Model, type_ref: &TypeRef) -> String {
    match type_ref {
        TypeRef::Complex(id) => model.complex_types[id.0].name.xml.clone(),
        TypeRef::Enumeration(id) => model.enumerations[id.0].name.xml.clone(),
        TypeRef::Choice(_) => "choice".to_owned(),
        TypeRef::List(list) => {
            let mark = if list.nillable_items { "?" } else { "" };
            format!("{}{mark}[]", type_notation(model, &list.item_type))
        }
        type_ref => type_ref
            .simple()
            .map_or("", |simple| simple.name())
            .to_owned(),
    }
}
