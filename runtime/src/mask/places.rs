//! What the model says of a place in a message.

use svcgen_model::{At, ComplexType, Element, Operation, SimpleType, Style, TypeAt, renamed};

use super::described::{Described, Direction};

/// An element, or a part of an envelope.
#[derive(Clone)]
pub(crate) enum Place<'m> {
    /// Around the root of a message in SOAP.
    Root(Direction),
    Envelope(Direction),
    Header(Direction),
    Body(Direction),
    /// A fault, or an element in it that is not its detail.
    Fault,
    Detail,
    /// An element that is a value by all of these.
    Shown(Vec<Spot<'m>>),
    Secret,
    Unknown,
}

/// What an element may be. Rows of one name may differ, and the headers come before the element that names the operation, so an
/// element may be several of these.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Spot<'m> {
    /// A text.
    Text,
    Object(At<'m, ComplexType<'m>>),
    /// Elements that this row describes.
    Items(At<'m, Element<'m>>),
    /// A value of the type that it names.
    AnyType,
}

/// What may stand between the tags of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Text {
    Shown,
    Secret,
    /// Nothing but white space.
    Unknown,
    /// The text of a fault.
    OfFault,
}

/// The most rows that are one element.
const MOST_SPOTS: usize = 64;

impl<'m> Place<'m> {
    /// The place that all of these rows describe.
    pub(crate) fn of(rows: impl IntoIterator<Item = At<'m, Element<'m>>>) -> Self {
        Self::of_spots(rows.into_iter().map(Spot::of))
    }

    /// The place that is all of these; `None` is a secret.
    fn of_spots(each: impl IntoIterator<Item = Option<Option<Spot<'m>>>>) -> Self {
        let mut spots = Vec::new();
        for spot in each {
            match spot {
                None => return Self::Secret,
                Some(Some(spot)) if !spots.contains(&spot) => spots.push(spot),
                Some(_) => {}
            }
            if spots.len() > MOST_SPOTS {
                return Self::Unknown;
            }
        }
        if spots.is_empty() {
            return Self::Unknown;
        }
        Self::Shown(spots)
    }

    /// A child by its local name.
    pub(crate) fn child(&self, name: &str, described: &Described<'m>) -> Self {
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
                Self::of_spots(
                    operations.flat_map(|operation| in_body(*operation, *direction, name)),
                )
            }
            Self::Fault if matches!(name, "detail" | "Detail") => Self::Detail,
            Self::Fault => Self::Fault,
            Self::Detail => {
                let faults = service.each(service.row().faults);
                Self::of(faults.filter(|row| row.name == name))
            }
            Self::Shown(spots) => {
                let children = spots.iter().flat_map(|spot| spot.children());
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

    /// An object of a type.
    pub(crate) fn object(complex: At<'m, ComplexType<'m>>) -> Self {
        Self::Shown(vec![Spot::Object(complex)])
    }

    /// Whether it may be of a type that it names.
    pub(crate) fn is_open(&self) -> bool {
        let Self::Shown(spots) = self else {
            return false;
        };
        let mut spots = spots.iter();
        spots.any(|spot| matches!(spot, Spot::Object(_) | Spot::AnyType))
    }

    /// Says that it may be of a type, too.
    pub(crate) fn add_type(&mut self, complex: At<'m, ComplexType<'m>>) {
        let named = Spot::Object(complex);
        if let Self::Shown(spots) = self
            && !spots.contains(&named)
        {
            spots.push(named);
        }
    }

    /// A member of an object by its name in .NET.
    pub(crate) fn member(&self, name: &str) -> Self {
        match self {
            Self::Shown(spots) => {
                let objects = spots.iter().filter_map(|spot| match spot {
                    Spot::Object(complex) => Some(*complex),
                    _ => None,
                });
                let rows = objects.flat_map(|complex| {
                    let elements = complex.elements().filter(|row| row.row().is_named());
                    elements.chain(complex.attributes()).chain(complex.text())
                });
                Self::of(rows.filter(|row| row.field_name().eq_ignore_ascii_case(name)))
            }
            _ => Self::Unknown,
        }
    }

    /// The items of a list, of a row that is repeated as well.
    pub(crate) fn items(&self) -> Self {
        match self {
            Self::Shown(spots) => Self::of_spots(spots.iter().map(|spot| match spot {
                Spot::Items(item) => Spot::of(*item),
                other => Some(Some(*other)),
            })),
            _ => Self::Unknown,
        }
    }

    /// The text in it.
    pub(crate) fn text(&self) -> Text {
        match self {
            Self::Fault => Text::OfFault,
            Self::Shown(spots) => {
                let mut text = Text::Unknown;
                for spot in spots {
                    match spot.text() {
                        Text::Secret => return Text::Secret,
                        Text::Shown => text = Text::Shown,
                        _ => {}
                    }
                }
                text
            }
            Self::Secret => Text::Secret,
            _ => Text::Unknown,
        }
    }

    /// An attribute that a type declares; `None` if none does.
    pub(crate) fn attribute(&self, name: &str) -> Option<Text> {
        let Self::Shown(spots) = self else {
            return None;
        };
        let objects = spots.iter().filter_map(|spot| match spot {
            Spot::Object(complex) => Some(*complex),
            _ => None,
        });
        let attributes = objects.flat_map(At::<ComplexType<'_>>::attributes);
        let mut rows = attributes.filter(|row| row.name == name).peekable();
        rows.peek()?;
        Some(Self::of(rows).text())
    }
}

/// What a child of the Body may be for an operation: `None` for nothing, `Some(None)` for a secret.
fn in_body<'m>(
    operation: At<'m, Operation<'m>>,
    direction: Direction,
    name: &str,
) -> Vec<Option<Option<Spot<'m>>>> {
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
        return rows.map(Spot::of).collect();
    }
    if element.name != name {
        return Vec::new();
    }
    // In an element without a result nothing stands.
    if is_object || rows.len() == 0 {
        return vec![Some(Some(Spot::Object(element)))];
    }
    rows.map(|row| Some(Some(Spot::Items(row)))).collect()
}

impl<'m> Spot<'m> {
    /// What a row describes: `None` for a secret, `Some(None)` for what no row describes further.
    fn of(row: At<'m, Element<'m>>) -> Option<Option<Self>> {
        if row.secret {
            return None;
        }
        Some(match row.type_at() {
            TypeAt::Simple(SimpleType::AnyType) => Some(Self::AnyType),
            TypeAt::Simple(simple) if simple.is_xml() || simple.is_data_set() => None,
            TypeAt::Simple(_) | TypeAt::Enumeration(_) => Some(Self::Text),
            TypeAt::Complex(complex) => Some(Self::Object(complex)),
            TypeAt::List(item) => Some(Self::Items(item)),
        })
    }

    /// The rows of its children, and whether they are items of a list.
    fn children(self) -> impl Iterator<Item = (At<'m, Element<'m>>, bool)> {
        let (elements, item) = match self {
            Self::Object(complex) => (Some(complex.elements()), None),
            Self::Items(item) => (None, Some((item, true))),
            Self::Text | Self::AnyType => (None, None),
        };
        let elements = elements.into_iter().flatten();
        elements.map(|row| (row, false)).chain(item)
    }

    fn text(self) -> Text {
        match self {
            Self::Text | Self::AnyType => Text::Shown,
            Self::Items(_) => Text::Unknown,
            Self::Object(complex) => {
                let between = complex.elements().filter(|row| row.characters);
                let mut rows = between.chain(complex.text()).peekable();
                match rows.peek() {
                    None => Text::Unknown,
                    // A text has no text of its own that is another place.
                    Some(_) => match Place::of(rows) {
                        Place::Secret => Text::Secret,
                        Place::Shown(spots) if spots.contains(&Self::Text) => Text::Shown,
                        _ => Text::Unknown,
                    },
                }
            }
        }
    }
}
