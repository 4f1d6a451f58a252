//! The descriptions of places of an answer in a definition.

use svcgen_messages::Operation;
use svcgen_model::{At, ComplexType, Element, Shown, SimpleType, TypeAt};

type Row = At<'static, Element<'static>>;
type Type = At<'static, ComplexType<'static>>;

/// The description of an element.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Description {
    /// There is no definition, or the element is part of every definition, such as the code of a
    /// fault.
    Free,
    /// The definition does not describe it.
    Undescribed,
    /// It contains the results of an operation.
    Results(Operation),
    /// It contains the SOAP headers of answers.
    Headers(Operation),
    /// It is the detail of a fault.
    Detail(Operation),
    /// The definition describes it.
    Element(Row),
}

impl Description {
    /// Returns the description of a child element.
    pub(crate) fn child(self, name: &str) -> Self {
        let named = |found: Option<Row>| found.map_or(Self::Undescribed, Self::Element);
        match self {
            Self::Free => Self::Free,
            Self::Undescribed => Self::Undescribed,
            Self::Results(operation) => {
                named(operation.row().results().find(|row| row.name == name))
            }
            Self::Headers(operation) => {
                let (answers, faults) = (
                    operation.row().response_headers(),
                    operation.row().fault_headers(),
                );
                let fields = answers.into_iter().chain(faults).map(At::<_>::fields);
                let mut rows = fields.flat_map(At::<ComplexType<'_>>::elements);
                named(rows.find(|row| row.name == name))
            }
            Self::Detail(operation) => named(operation.row().faults().find(|row| row.name == name)),
            Self::Element(row) => match row.type_at() {
                TypeAt::List(item) | TypeAt::Dictionary(item) => Self::Element(item),
                _ => {
                    let mut types = self.types();
                    named(types.find_map(|one| one.elements().find(|row| row.name == name)))
                }
            },
        }
    }

    /// Returns the description of an attribute.
    pub(crate) fn attribute(self, name: &str) -> Self {
        if let Self::Free = self {
            return Self::Free;
        }
        let mut types = self.types();
        let found = types.find_map(|one| one.attributes().find(|row| row.name == name));
        found.map_or(Self::Undescribed, Self::Element)
    }

    /// Whether the element may be of a complex type with this name.
    pub(crate) fn may_be(self, name: &str) -> bool {
        self.types().any(|one| one.name == name)
    }

    /// Returns the complex types that the element may be of.
    fn types(self) -> impl Iterator<Item = Type> {
        let complex = match self {
            Self::Element(row) => match row.type_at() {
                TypeAt::Complex(complex) => Some(complex),
                _ => None,
            },
            _ => None,
        };
        complex.into_iter().flat_map(At::with_extensions)
    }

    /// Whether the element is a wrapped list.
    pub(crate) fn is_list(self) -> bool {
        matches!(self, Self::Element(row) if matches!(row.type_at(), TypeAt::List(_)))
    }

    /// Whether the element may be repeated in its parent.
    pub(crate) fn is_repeated(self) -> bool {
        matches!(self, Self::Element(row) if row.repeated)
    }

    /// Returns the row that decides how much of its text may be shown: its own row if that is a
    /// secret or has no text row, and the row of its text otherwise.
    pub(crate) fn of_text(self) -> Option<Row> {
        match self {
            Self::Element(row) if row.shown() == Shown::Secret => Some(row),
            Self::Element(row) => Some(self.text().unwrap_or(row)),
            _ => None,
        }
    }

    pub(crate) fn is_secret(self) -> bool {
        self.of_text()
            .is_some_and(|row| row.shown() == Shown::Secret)
    }

    /// Whether two texts are lexical forms of the same value of its type.
    pub(crate) fn equates(self, one: &str, other: &str) -> bool {
        let Self::Element(row) = self else {
            return false;
        };
        let row = self.text().unwrap_or(row);
        let TypeAt::Simple(simple) = row.type_at() else {
            return false;
        };
        let (one, other) = (one.trim(), other.trim());
        simple
            .compare(one, other)
            .is_some_and(std::cmp::Ordering::is_eq)
            || simple == SimpleType::Guid && one.eq_ignore_ascii_case(other)
    }

    /// Returns the row of the text of a complex type.
    fn text(self) -> Option<Row> {
        self.types().find_map(At::<ComplexType<'_>>::text)
    }
}
