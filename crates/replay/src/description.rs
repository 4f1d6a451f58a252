//! What a definition tells of the places of an answer.

use svcgen_messages::Operation;
use svcgen_model::{At, ComplexType, Element, Shown, SimpleType, TypeAt};

type Row = At<'static, Element<'static>>;
type Type = At<'static, ComplexType<'static>>;

/// What is known of an element.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Description {
    /// There is no definition, or every definition has it, as the code of a fault.
    Free,
    /// The definition does not describe it.
    Undescribed,
    /// It holds the results of an operation.
    Results(Operation),
    /// It holds the SOAP headers of answers.
    Headers(Operation),
    /// It is the detail of a fault.
    Detail(Operation),
    /// The definition describes it.
    Element(Row),
}

impl Description {
    /// What is known of an element in it.
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

    /// What is known of an attribute.
    pub(crate) fn attribute(self, name: &str) -> Self {
        if let Self::Free = self {
            return Self::Free;
        }
        let mut types = self.types();
        let found = types.find_map(|one| one.attributes().find(|row| row.name == name));
        found.map_or(Self::Undescribed, Self::Element)
    }

    /// Whether it may be of a complex type of this name.
    pub(crate) fn may_be(self, name: &str) -> bool {
        self.types().any(|one| one.name == name)
    }

    /// The types that it may be of, if it is an object.
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

    /// Whether it is a wrapped list.
    pub(crate) fn is_list(self) -> bool {
        matches!(self, Self::Element(row) if matches!(row.type_at(), TypeAt::List(_)))
    }

    /// Whether there may be several in their parent.
    pub(crate) fn is_repeated(self) -> bool {
        matches!(self, Self::Element(row) if row.repeated)
    }

    /// The row that says what of its text may be shown: its own if that is a secret, or that of the
    /// text in an object.
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

    /// Whether two texts are the same value of its type, which has several forms of one.
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

    /// The text of an object.
    fn text(self) -> Option<Row> {
        self.types().find_map(At::<ComplexType<'_>>::text)
    }
}
