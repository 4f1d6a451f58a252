//! The members of objects that are being written, by rows.

use std::cmp::Reverse;
use std::iter::successors;

use svcgen_model::{self as model, Absence, At, ComplexType, SimpleType, TypeRef};

use svcgen_wire::internals::append;

/// The members of an object that is being written.
pub(crate) struct Members<'m> {
    complex: Option<At<'m, ComplexType<'m>>>,
    /// The index of the next row among the attributes, then the elements or the text.
    next: usize,
    /// The member that was written last, if another one specifies whether it is present, and
    /// whether it is.
    pub(crate) specified: Option<(&'m str, bool)>,
    /// The parts that the types of its inheritance declare, if there are several types, in the
    /// order of rows.
    parts: Vec<DeclaredMembers>,
}

/// Members that one type declares.
struct DeclaredMembers {
    /// The number of its type's bases.
    level: usize,
    /// The index of its first row.
    first: usize,
    /// The offset of its first byte, once it is known.
    start: usize,
}

impl<'m> Members<'m> {
    pub(crate) fn of(complex: Option<At<'m, ComplexType<'m>>>, start: usize) -> Self {
        Self {
            complex,
            next: 0,
            specified: None,
            parts: complex.map_or(Vec::new(), |complex| parts(complex, start)),
        }
    }

    /// Returns the next row, after writing the `Specified` member of the previous one.
    pub(crate) fn next_row(&mut self, out: &mut Vec<u8>) -> Option<At<'m, model::Element<'m>>> {
        if let Some((name, is_there)) = self.specified.take() {
            push_name(out, &format!("{name}Specified"));
            out.extend_from_slice(if is_there { b"true," } else { b"false," });
        }
        for part in self.parts.iter_mut().filter(|part| part.first >= self.next) {
            part.start = out.len();
        }
        let complex = self.complex?;
        let row = complex.row();
        let row = match (self.next.checked_sub(row.attributes.len()), &row.text) {
            (None, _) => &row.attributes[self.next],
            (Some(0), Some(text)) => text,
            (Some(index), _) => row.elements.get(index)?,
        };
        self.next += 1;
        Some(complex.beside(row))
    }

    /// Whether all members are written.
    #[inline]
    pub(crate) fn are_all_written(&self) -> bool {
        let count = self.complex.map_or(0, |complex| {
            complex.attributes.len() + complex.elements.len() + usize::from(complex.text.is_some())
        });
        self.next == count && self.specified.is_none() && self.parts.is_empty()
    }

    /// Takes the next row if it is an element with this name for one value of a simple type,
    /// without anything else to write. Returns the name of its member.
    #[inline]
    pub(crate) fn take_usual(&mut self, name: &str, simple: SimpleType) -> Option<&'m [u8]> {
        let complex = self.complex?.row();
        let index = self.next.checked_sub(complex.attributes.len())?;
        let row = complex.elements.get(index)?;
        let is_left_out = matches!(row.absence, Absence::Omitted | Absence::Either);
        let is_usual = matches!(row.type_ref, TypeRef::Simple(one) if one == simple)
            && !row.is_several()
            && !(is_left_out && simple.row().by_value)
            && self.specified.is_none()
            && self.parts.is_empty();
        let field_name = row.field_name().as_bytes();
        // Names are mostly the same bytes in memory.
        if is_usual && (std::ptr::eq(row.name, name) || row.name == name) {
            self.next += 1;
            return Some(field_name);
        }
        None
    }

    /// Whether a row is that of the text, whose name only JSON contains.
    pub(crate) fn is_text(&self, row: At<'m, model::Element<'m>>) -> bool {
        let text = self.complex.and_then(At::<ComplexType<'m>>::text);
        text == Some(row)
    }

    /// Moves the members of derived types before those of their base.
    pub(crate) fn put_derived_first(mut self, out: &mut Vec<u8>) {
        let Some(start) = self.parts.first().map(|part| part.start) else {
            return;
        };
        let written = out.split_off(start);
        let ends = self.parts.iter().skip(1).map(|part| part.start);
        let ends: Vec<_> = ends.chain([start + written.len()]).collect();
        let mut parts: Vec<_> = self.parts.drain(..).zip(ends).collect();
        parts.sort_by_key(|(part, _)| Reverse(part.level));
        for (part, end) in parts {
            out.extend_from_slice(&written[part.start - start..end - start]);
        }
    }
}

/// The parts of an object of a type that extends another one.
fn parts(complex: At<'_, ComplexType<'_>>, start: usize) -> Vec<DeclaredMembers> {
    if complex.inherits().is_none() {
        return Vec::new();
    }
    let mut types: Vec<_> = successors(Some(complex), |one| one.inherits()).collect();
    types.reverse();
    let mut parts = Vec::with_capacity(2 * types.len());
    let mut first = 0;
    let counts: [fn(&ComplexType<'_>) -> usize; 2] = [
        |one| one.attributes.len(),
        |one| one.elements.len() + usize::from(one.text.is_some()),
    ];
    for count in counts {
        let mut inherited = 0;
        for (level, one) in types.iter().enumerate() {
            parts.push(DeclaredMembers {
                level,
                first: first + inherited,
                start,
            });
            inherited = count(one);
        }
        first += inherited;
    }
    parts
}

/// Appends the name of a member. Names of XML and of .NET need no escaping.
pub(crate) fn push_name(out: &mut Vec<u8>, name: &str) {
    append!(out, b"\"", name.as_bytes(), b"\":");
}
