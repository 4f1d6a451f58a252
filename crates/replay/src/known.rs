//! What a definition tells of the places of an answer.

use svcgen_messages::Operation;
use svcgen_model::{At, ComplexType, Element, Module, Shown, SimpleType, TypeAt};

type Row = At<'static, Element<'static>>;
type Type = At<'static, ComplexType<'static>>;

/// What is known of an element.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Known {
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

impl Known {
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
                TypeAt::Complex(complex) => named(one_of(complex, |complex| {
                    complex.elements().find(|row| row.name == name)
                })),
                TypeAt::Simple(_) | TypeAt::Enumeration(_) => Self::Undescribed,
            },
        }
    }

    /// What is known of an attribute.
    pub(crate) fn attribute(self, name: &str) -> Self {
        let complex = match self {
            Self::Free => return Self::Free,
            Self::Element(row) => row.type_at(),
            _ => return Self::Undescribed,
        };
        let TypeAt::Complex(complex) = complex else {
            return Self::Undescribed;
        };
        let found = one_of(complex, |complex| {
            complex.attributes().find(|row| row.name == name)
        });
        found.map_or(Self::Undescribed, Self::Element)
    }

    /// Whether it may be of a complex type of this name.
    pub(crate) fn may_be(self, name: &str) -> bool {
        let Self::Element(row) = self else {
            return false;
        };
        let TypeAt::Complex(complex) = row.type_at() else {
            return false;
        };
        one_of(complex, |one| (one.name == name).then_some(row)).is_some()
    }

    /// Whether it is a wrapped list.
    pub(crate) fn is_list(self) -> bool {
        matches!(self, Self::Element(row) if matches!(row.type_at(), TypeAt::List(_)))
    }

    /// Whether there may be several in their parent.
    pub(crate) fn is_repeated(self) -> bool {
        matches!(self, Self::Element(row) if row.repeated)
    }

    /// The row that says what of its text may be shown: its own if that is a secret, or that of the text in an object.
    pub(crate) fn of_text(self) -> Option<Row> {
        match self {
            Self::Element(row) if row.shown() == Shown::Secret => Some(row),
            Self::Element(row) => Some(text_of(row).unwrap_or(row)),
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
        let row = text_of(row).unwrap_or(row);
        let TypeAt::Simple(simple) = row.type_at() else {
            return false;
        };
        let (one, other) = (one.trim(), other.trim());
        simple
            .compare(one, other)
            .is_some_and(std::cmp::Ordering::is_eq)
            || simple == SimpleType::Guid && one.eq_ignore_ascii_case(other)
    }
}

/// The text of an object.
fn text_of(row: Row) -> Option<Row> {
    match row.type_at() {
        TypeAt::Complex(complex) => one_of(complex, At::<ComplexType<'_>>::text),
        _ => None,
    }
}

/// What a type has, or one that extends it.
fn one_of(complex: Type, find: impl Fn(Type) -> Option<Row>) -> Option<Row> {
    find(complex).or_else(|| {
        let mut modules = vec![complex.module()];
        let mut next = 0;
        while let Some(module) = modules.get(next).copied() {
            let module: At<'static, Module<'static>> = module;
            next += 1;
            modules.extend(module.includes());
            let extending = module.types().filter(|one| one.is_a(complex));
            if let Some(found) = { extending }.find_map(&find) {
                return Some(found);
            }
        }
        None
    })
}
