//! The rows of members and of names of values.

use std::borrow::Cow;

use svcgen_model::{ComplexType, Element, Enumeration};

use svcgen_wire::internals::flags::names;

/// The rows of the members of an object.
pub(crate) fn rows<'r>(row: &'r ComplexType<'r>) -> impl Iterator<Item = &'r Element<'r>> {
    row.elements.iter().chain(row.attributes).chain(&row.text)
}

/// The index of the row of a member. The row at `expected` is compared first.
pub(crate) fn index_of(row: &ComplexType<'_>, expected: usize, name: &str) -> Option<usize> {
    if row
        .elements
        .get(expected)
        .is_some_and(|one| one.field_name() == name)
    {
        return Some(expected);
    }
    let exact = rows(row).position(|one| one.field_name() == name);
    // .NET compares the names of parameters exactly.
    if exact.is_some() || row.is_message {
        return exact;
    }
    rows(row).position(|one| is_same(one.field_name(), name))
}

/// Whether names differ at most in the case of their letters.
fn is_same(one: &str, other: &str) -> bool {
    let lower = |name: &str| {
        name.chars()
            .flat_map(char::to_lowercase)
            .collect::<String>()
    };
    one.eq_ignore_ascii_case(other)
        || (!other.is_ascii() && one.len() <= 2 * other.len() && lower(one) == lower(other))
}

/// The text in XML of a value of an enumeration: a number, names in any letter case, or several of
/// them separated by commas.
pub(crate) fn enumeration_text(row: &Enumeration<'_>, text: &str, open: bool) -> Option<String> {
    let number_of = |part: &str| {
        let part = part.trim();
        if let Ok(number) = part.parse::<i64>() {
            return Some(number);
        }
        let exact = row
            .values
            .iter()
            .position(|value| value.field_name() == part);
        let index = exact.or_else(|| {
            let mut values = row.values.iter();
            values.position(|value| is_same(value.field_name(), part))
        });
        row.numbers().nth(index?)
    };
    let mut parts = text.split(',');
    let number = parts.try_fold(0, |sum, part| Some(sum | number_of(part)?))?;
    let names = if row.flags {
        names(row, number, " ", |value| value.name)
    } else {
        let mut known = row.numbers().zip(row.values);
        let known = known.find(|(known, _)| *known == number);
        known.map(|(_, value)| Cow::Borrowed(value.name))
    };
    names
        .map(Cow::into_owned)
        .or_else(|| open.then(|| number.to_string()))
}
