//! SOAP headers of encoded messages: elements in the namespace of types, next to the objects that
//! they refer to. They share no objects with the Body.

use svcgen_model::{At, ComplexType, Element, TypeAt};

use super::read::{Decoded, Decoder, Slot};
use super::scheme::{Named, Scheme, Side};
use super::write::{Object, Writer};
use crate::xml::error::WriteError;
use crate::xml::namespaces::ENVELOPES;
use crate::xml::tokens::{Result, Tokens};

/// The root of the literal text for headers.
const HEADER: &str = "Header";

impl Decoded {
    /// Reads the current header and those after it, without leaving the Header. Objects that the
    /// headers with rows refer to are in the Header, too.
    pub(crate) fn read_headers<'m>(
        tokens: &mut Tokens<'_>,
        scheme: Scheme<'m>,
        rows: &'m [Element<'m>],
    ) -> Result<Self> {
        // Clients also read headers as .NET does.
        let mut decoder = Decoder::start(tokens, scheme, Side::Client, HEADER)?;
        let mut ahead = tokens.clone();
        let mut found = Vec::new();
        loop {
            let outer = ahead.enter_value();
            let read = decoder.header(&mut ahead, rows, &mut found);
            ahead.leave_value(outer);
            read?;
            if !ahead.child()? {
                break;
            }
        }
        tokens.room = ahead.room;
        Ok(decoder.finish(HEADER))
    }
}

impl<'i, 'm> Decoder<'i, 'm> {
    /// Reads the current element, a child of the Header, through its end tag. Of several headers
    /// with one name the first counts.
    fn header(
        &mut self,
        tokens: &mut Tokens<'i>,
        rows: &'m [Element<'m>],
        found: &mut Vec<usize>,
    ) -> Result<()> {
        let index = self
            .scheme
            .header(rows, tokens.namespace(), tokens.local_name());
        let Some(index) = index.filter(|index| !found.contains(index)) else {
            return tokens.skip_value();
        };
        let row = self.scheme.operation.beside(&rows[index]);
        let declared = row.type_at();
        let named = tokens.type_name()?;
        let named = named.map(|(namespace, name)| self.scheme.named(namespace, name));
        if named.is_some_and(|named| !self.scheme.fits(named, declared)) {
            // .NET ignores a header of another type.
            return tokens.skip_value();
        }
        if !tokens.is_nil() {
            found.push(index);
        }
        self.value(tokens, Slot::of_header(row.row().name, declared))
    }
}

/// Writes the content of a Header: the headers in `literal`, which includes the start and end of a
/// literal text, and the objects that they refer to. With a fault the envelope does not declare the
/// `prefixes`.
///
/// # Errors
///
/// Returns an error if the values are nested too deeply.
pub fn encode_headers<'m>(
    scheme: Scheme<'m>,
    side: Side,
    prefixes: bool,
    rows: &'m [Element<'m>],
    literal: Vec<u8>,
    out: &mut Vec<u8>,
) -> std::result::Result<(), WriteError> {
    let prefixes = if prefixes {
        Vec::from(scheme.prefixes(side))
    } else {
        Vec::new()
    };
    let writer = Writer::new(scheme, side, prefixes, "h_id");
    writer.write(literal, out, |writer, tokens| writer.headers(tokens, rows))
}

impl<'m> Writer<'m> {
    /// Writes the headers of a message, which are in place in either version.
    fn headers(&mut self, tokens: &mut Tokens<'_>, rows: &'m [Element<'m>]) -> Result<Object> {
        let mut headers = Object::default();
        tokens.root()?;
        while tokens.child()? {
            let name = tokens.local_name();
            let row = rows.iter().find(|row| row.name == name);
            match row.map(|row| self.scheme.operation.beside(row).type_at()) {
                Some(TypeAt::Complex(declared)) if !tokens.is_nil() => {
                    self.header(tokens, &mut headers, declared)?;
                }
                _ => drop(tokens.skip()?),
            }
        }
        Ok(headers)
    }

    fn header(
        &mut self,
        tokens: &mut Tokens<'_>,
        to: &mut Object,
        declared: At<'m, ComplexType<'m>>,
    ) -> Result<()> {
        let (outer, declarations) = self.enter();
        let (name, _) = self.type_name(TypeAt::Complex(declared));
        if self.scheme.is_inline {
            self.start_with_id(to, &name);
        } else {
            to.push(&["<", &name, " id=\"", self.id]);
            to.references.push((to.markup.len(), self.objects.len()));
            to.push(&["\""]);
            // Nothing is written after the headers for this object.
            self.objects.push(Object::default());
        }
        let complex = match self.own_type(tokens) {
            Named::Own(TypeAt::Complex(complex)) => complex,
            _ => declared,
        };
        if complex != declared {
            let (type_name, _) = self.type_name(TypeAt::Complex(complex));
            to.push(&[" xsi:type=\"", &type_name, "\""]);
        }
        for attribute in &tokens.attributes {
            if ENVELOPES.contains(&tokens.namespaces.name(attribute.namespace)) {
                let name = format!("soap:{}", attribute.local_name);
                to.attribute(&name, &attribute.value);
            }
        }
        self.fields(tokens, to, &name, complex, &declarations)?;
        self.leave(outer);
        Ok(())
    }
}
