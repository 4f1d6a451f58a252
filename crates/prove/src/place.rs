//! Places in requests, and the rows of the definition that describe them.

use std::fmt;

use svcgen_messages::Operation;
use svcgen_model::{At, ComplexType, Element, TypeAt};

pub(crate) type Row = At<'static, Element<'static>>;
type Type = At<'static, ComplexType<'static>>;

/// A step to an element, a member or a field: the name, and the index among those with this name.
/// The name of an attribute begins with `@`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Step {
    pub(crate) name: String,
    pub(crate) index: usize,
}

/// The path to a place: `Find.lines.Line[1].@kind`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(crate) struct Path(pub(crate) Vec<Step>);

impl Path {
    pub(crate) fn child(&self, name: &str, index: usize) -> Self {
        let mut steps = self.0.clone();
        let name = name.to_owned();
        steps.push(Step { name, index });
        Self(steps)
    }

    /// Returns the names of the steps, without indexes.
    pub(crate) fn names(&self) -> Vec<&str> {
        self.0.iter().map(|step| step.name.as_str()).collect()
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Every message in XML has a Body.
        let steps = self.0.iter().skip_while(|step| step.name == BODY);
        for (number, step) in steps.enumerate() {
            let dot = if number == 0 { "" } else { "." };
            write!(f, "{dot}{}", step.name)?;
            if step.index > 0 {
                write!(f, "[{}]", step.index)?;
            }
        }
        Ok(())
    }
}

/// The parts of an envelope, which begin paths in XML.
pub(crate) const BODY: &str = "Body";
pub(crate) const HEADER: &str = "Header";

#[derive(Debug, Clone)]
pub(crate) struct Place {
    pub(crate) path: Path,
    /// The row that describes it, if there is one.
    pub(crate) row: Option<Row>,
    /// Its text, if it holds neither elements nor members.
    pub(crate) text: Option<String>,
    /// Whether it is an item of a list.
    pub(crate) is_item: bool,
}

/// The description of a place in the definition.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Known {
    Type(Type),
    Row(Row),
    Nothing,
}

impl Known {
    /// Returns the description of an operation's parameters.
    pub(crate) fn parameters(operation: Operation) -> Self {
        Self::Type(operation.row().parameters())
    }

    /// Returns the description of the SOAP headers of its requests.
    pub(crate) fn headers(operation: Operation) -> Self {
        let headers = operation.row().headers();
        headers.map_or(Self::Nothing, |headers| Self::Type(headers.fields()))
    }

    /// Returns the description of a child with a name. `says` is the name of the type that the
    /// parent declares itself to be of.
    pub(crate) fn child(self, name: &str, says: Option<&str>) -> Self {
        let declared = match self {
            Self::Type(complex) => complex,
            Self::Row(row) => match row.type_at() {
                TypeAt::Complex(complex) => complex,
                TypeAt::List(item) => return Self::Row(item),
                _ => return Self::Nothing,
            },
            Self::Nothing => return Self::Nothing,
        };
        let derived = says.and_then(|says| declared.with_extensions().find(|one| one.name == says));
        let complex = derived.unwrap_or(declared);
        let (name, rows) = match name.strip_prefix('@') {
            Some(name) => (name, complex.row().attributes),
            None => (name, complex.row().elements),
        };
        let found = complex.each(rows).find(|row| row.name == name);
        found.map_or(Self::Nothing, Self::Row)
    }

    /// Returns the description of an item if this is a list, or else itself.
    pub(crate) fn item(self) -> Self {
        match self {
            Self::Row(row) => match row.type_at() {
                TypeAt::List(item) if !row.repeated => Self::Row(item),
                _ => self,
            },
            known => known,
        }
    }

    pub(crate) fn row(self) -> Option<Row> {
        match self {
            Self::Row(row) => Some(row),
            _ => None,
        }
    }

    /// Whether its children are the items of a list.
    pub(crate) fn is_list(self) -> bool {
        self.row()
            .is_some_and(|row| matches!(row.type_at(), TypeAt::List(_)))
    }
}
