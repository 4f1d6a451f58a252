//! The parts of messages, as the model describes them.

use svcgen_model::{At, ComplexType, Element, Operation, Shown, Style, renamed};

use super::service_rows::{Direction, ServiceRows};

/// A part of a message: an element, or a part of an envelope.
#[derive(Clone)]
pub(crate) enum MessagePart<'m> {
    /// The document, before the root element of a message in SOAP.
    Root(Direction),
    Envelope(Direction),
    Header(Direction),
    Body(Direction),
    /// A fault, or an element in it that is not its detail.
    Fault,
    Detail,
    /// An element that all of these may describe: rows with the same name may differ, and headers
    /// come before the element that names the operation.
    Shown(Vec<Shown<'m>>),
    Secret,
    Unknown,
}

/// The kind of text that may be between the tags of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Text {
    Shown,
    Secret,
    /// Only white space is described.
    Unknown,
    /// The text of a fault.
    OfFault,
}

/// The largest number of rows for one element.
const MOST_ROWS: usize = 64;

impl<'m> MessagePart<'m> {
    /// Returns the part that all of these rows describe.
    pub(crate) fn of(rows: impl IntoIterator<Item = At<'m, Element<'m>>>) -> Self {
        Self::all(rows.into_iter().map(At::<Element<'_>>::shown))
    }

    /// Returns the part that all of these describe.
    fn all(each: impl IntoIterator<Item = Shown<'m>>) -> Self {
        let mut all = Vec::new();
        for one in each {
            match one {
                Shown::Secret => return Self::Secret,
                Shown::Undescribed => {}
                one if all.contains(&one) => {}
                one => all.push(one),
            }
            if all.len() > MOST_ROWS {
                return Self::Unknown;
            }
        }
        if all.is_empty() {
            return Self::Unknown;
        }
        Self::Shown(all)
    }

    /// Returns the child with a local name.
    pub(crate) fn child(&self, name: &str, described: &ServiceRows<'m>) -> Self {
        let service = described.service;
        match self {
            Self::Root(direction) if name == "Envelope" => Self::Envelope(*direction),
            Self::Envelope(direction) if name == "Header" => Self::Header(*direction),
            Self::Envelope(direction) if name == "Body" => Self::Body(*direction),
            Self::Header(direction) => {
                Self::of(described.headers(*direction, name).iter().copied())
            }
            Self::Body(Direction::Response) if name == "Fault" => Self::Fault,
            Self::Body(direction) => {
                let operations = described.operations_of(*direction, name).iter();
                Self::all(operations.flat_map(|operation| in_body(*operation, *direction, name)))
            }
            Self::Fault if matches!(name, "detail" | "Detail") => Self::Detail,
            Self::Fault => Self::Fault,
            Self::Detail => {
                let faults = service.each(service.row().faults);
                Self::of(faults.filter(|row| row.name == name))
            }
            Self::Shown(all) => {
                let children = all.iter().flat_map(|one| children(*one));
                let is_it = |row: &At<'m, Element<'m>>, is_item: bool| {
                    let names = service.row().list_names;
                    row.name == name
                        || is_item && (described.encoded || renamed(names, row.name) == name)
                };
                Self::of(
                    children
                        .filter(|(row, is_item)| row.row().is_named() && is_it(row, *is_item))
                        .map(|(row, _)| row),
                )
            }
            _ => Self::Unknown,
        }
    }

    /// Returns an object of a type.
    pub(crate) fn object(complex: At<'m, ComplexType<'m>>) -> Self {
        Self::Shown(vec![Shown::Object(complex)])
    }

    /// Whether the value may name its type.
    pub(crate) fn is_open(&self) -> bool {
        let Self::Shown(all) = self else {
            return false;
        };
        let mut all = all.iter();
        all.any(|one| matches!(one, Shown::Object(_) | Shown::AnyType))
    }

    /// Adds a type that the value may have, too.
    pub(crate) fn add_type(&mut self, complex: At<'m, ComplexType<'m>>) {
        let named = Shown::Object(complex);
        if let Self::Shown(all) = self
            && !all.contains(&named)
        {
            all.push(named);
        }
    }

    /// Returns the member of an object with a name in .NET, or the value of any key of a
    /// dictionary.
    pub(crate) fn member(&self, name: &str) -> Self {
        match self {
            Self::Shown(all) => {
                let rows = objects(all).flat_map(|complex| {
                    let elements = complex.elements().filter(|row| row.row().is_named());
                    elements.chain(complex.attributes()).chain(complex.text())
                });
                let rows = rows.filter(|row| row.field_name().eq_ignore_ascii_case(name));
                Self::of(rows.chain(values(all)))
            }
            _ => Self::Unknown,
        }
    }

    /// Whether the names in this part may be shown: names of members are known, and keys of a
    /// dictionary are shown if its values are texts. If its values are objects, a key may be the
    /// rest of a secret whose quotes were not escaped.
    pub(crate) fn shows_names(&self) -> bool {
        let Self::Shown(all) = self else {
            return true;
        };
        values(all).all(|row| row.shown() == Shown::Text)
    }

    /// Returns the items of a list, also of a repeated row.
    pub(crate) fn items(&self) -> Self {
        match self {
            Self::Shown(all) => Self::all(all.iter().map(|one| match one {
                Shown::Items(item) => item.shown(),
                other => *other,
            })),
            _ => Self::Unknown,
        }
    }

    /// Returns the kind of text in this part.
    pub(crate) fn text(&self) -> Text {
        match self {
            Self::Fault => Text::OfFault,
            Self::Shown(all) => {
                let mut text = Text::Unknown;
                for one in all {
                    let shown = match one {
                        Shown::Object(complex) => complex.shown_text(),
                        one => *one,
                    };
                    match shown {
                        Shown::Secret => return Text::Secret,
                        Shown::Text | Shown::AnyType => text = Text::Shown,
                        Shown::Undescribed
                        | Shown::Object(_)
                        | Shown::Items(_)
                        | Shown::Entries(_) => {}
                    }
                }
                text
            }
            Self::Secret => Text::Secret,
            _ => Text::Unknown,
        }
    }

    /// Returns the kind of text in an attribute; `None` if no type declares the attribute.
    pub(crate) fn attribute(&self, name: &str) -> Option<Text> {
        let Self::Shown(all) = self else {
            return None;
        };
        let attributes = objects(all).flat_map(At::<ComplexType<'_>>::attributes);
        let mut rows = attributes.filter(|row| row.name == name).peekable();
        rows.peek()?;
        Some(Self::of(rows).text())
    }
}

/// Returns the types of the objects among these.
fn objects<'m>(all: &[Shown<'m>]) -> impl Iterator<Item = At<'m, ComplexType<'m>>> {
    all.iter().filter_map(|one| match one {
        Shown::Object(complex) => Some(*complex),
        _ => None,
    })
}

/// Returns the rows of the values of the dictionaries among these.
fn values<'m>(all: &[Shown<'m>]) -> impl Iterator<Item = At<'m, Element<'m>>> {
    all.iter().filter_map(|one| match one {
        Shown::Entries(value) => Some(*value),
        _ => None,
    })
}

/// Returns the rows of possible children, and whether they are items of a list.
fn children<'m>(one: Shown<'m>) -> impl Iterator<Item = (At<'m, Element<'m>>, bool)> {
    let (elements, item) = match one {
        Shown::Object(complex) => (Some(complex.elements()), None),
        Shown::Items(item) => (None, Some((item, true))),
        _ => (None, None),
    };
    let elements = elements.into_iter().flatten();
    elements.map(|row| (row, false)).chain(item)
}

/// Returns the possible descriptions of a child of the Body for an operation.
fn in_body<'m>(
    operation: At<'m, Operation<'m>>,
    direction: Direction,
    name: &str,
) -> Vec<Shown<'m>> {
    let (element, is_object, rows) = match direction {
        Direction::Request => {
            let parameters = operation.parameters();
            (parameters, true, parameters.row().elements)
        }
        Direction::Response => {
            let rows = operation.row().results();
            (operation.response(), operation.has_results(), rows)
        }
    };
    let rows = operation.each(rows);
    if operation.style == Style::Bare {
        let rows = rows.filter(|row| row.row().is_named() && row.name == name);
        return rows.map(At::<Element<'_>>::shown).collect();
    }
    if element.name != name {
        return Vec::new();
    }
    // An element without a result is empty.
    if is_object || rows.len() == 0 {
        return vec![Shown::Object(element)];
    }
    rows.map(Shown::Items).collect()
}
