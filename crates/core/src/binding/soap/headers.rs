//! SOAP headers: of operations and others, understood and not.

use std::sync::atomic::AtomicBool;

use svcgen_model::{self as model, At, ElementForm, Operation, Service};

use super::encoding::Encoding;
use super::version::Version;
use crate::binding::protocol::ReadHeader;
use crate::unknown_header::{UnderstoodHeaders, UnknownHeader, is_understood};
use svcgen_wire::internals::{Levels, Rows, Side, TimeZone};
use svcgen_wire::{Content, Fields, ReadError, Reader, WriteError};

/// Reads headers with `known`, for any receiver. Returns the name of the first header that is for
/// this receiver, must be understood and is not known.
pub(super) fn read_header(
    reader: &mut Reader<'_>,
    version: &Version,
    known: &mut ReadHeader<'_>,
) -> Result<Option<String>, ReadError> {
    let mut not_understood = None;
    while reader.child()? {
        let name = reader.local_name();
        let must = must_understand(reader, version) && version.is_for_us(reader);
        if known(reader)? {
            continue;
        }
        if must && not_understood.is_none() {
            not_understood = Some(name.to_owned());
        }
        reader.skip()?;
    }
    Ok(not_understood)
}

/// Reads the headers that the server understands, from the current Header of the reader.
pub(super) fn read_understood(
    reader: &mut Reader<'_>,
    version: &Version,
    understood: &UnderstoodHeaders,
) -> Result<Vec<UnknownHeader>, ReadError> {
    let (mut header, mut read) = (reader.fork(), Vec::new());
    read_header(&mut header, version, &mut |reader| {
        let is_understood = is_understood(understood, reader);
        if is_understood {
            let header = read_unknown_header(reader, version)?;
            header.understand();
            read.push(header);
        }
        Ok(is_understood)
    })?;
    reader.take_room_of(&header);
    Ok(read)
}

/// Whether the current header must be understood.
fn must_understand(reader: &Reader<'_>, version: &Version) -> bool {
    let must = reader.attribute(version.namespace, "mustUnderstand");
    must.is_some_and(|value| matches!(value, "1" | "true"))
}

/// Reads the current header as one that its operation does not declare.
pub(crate) fn read_unknown_header(
    reader: &mut Reader<'_>,
    version: &Version,
) -> Result<UnknownHeader, ReadError> {
    let (namespace, name) = (
        reader.namespace().to_owned(),
        reader.local_name().to_owned(),
    );
    let actor = reader.attribute(version.namespace, version.actor);
    let actor = actor.map(str::to_owned);
    let must_understand = must_understand(reader, version);
    let is_for_us = version.is_for_us(reader);
    reader.take_room(namespace.len() + actor.as_ref().map_or(0, String::len))?;
    Ok(UnknownHeader {
        namespace,
        name,
        xml: reader.read_whole()?,
        actor,
        must_understand,
        is_for_us,
        understood: AtomicBool::new(false),
    })
}

/// Reads headers into an object with an element for each. Among several headers with the same name,
/// the first one counts.
pub(crate) struct Headers<'h> {
    pub(crate) service: &'h Service<'h>,
    /// The elements of the object.
    rows: &'h [model::Element<'h>],
    values: &'h mut dyn Fields,
    /// The encoding of the headers, if they are encoded.
    encoding: Option<Box<dyn Encoding + 'h>>,
    /// The indexes of the headers that were read.
    pub(crate) found: Vec<usize>,
    /// Whether all encoded headers were read.
    is_decoded: bool,
}

impl<'h> Headers<'h> {
    pub(crate) fn new(
        service: &'h Service<'h>,
        encoding: Option<Box<dyn Encoding + 'h>>,
        rows: &'h [model::Element<'h>],
        values: &'h mut dyn Fields,
    ) -> Self {
        Self {
            service,
            rows,
            values,
            encoding,
            found: Vec::new(),
            is_decoded: false,
        }
    }

    /// Reads the current header. Returns `false` if the object has no element for it.
    pub(crate) fn read(&mut self, reader: &mut Reader<'_>) -> Result<bool, ReadError> {
        if self.encoding.is_some() {
            return self.read_encoded(reader);
        }
        let (namespace, name) = (reader.namespace(), reader.local_name());
        let declared = (self.service.scope().0, ElementForm::Qualified);
        let mut known = self.rows.iter();
        let is_it = |element: &model::Element<'_>| {
            element.name == name && element.form.of_element(declared) == namespace
        };
        let Some(index) = known.position(is_it) else {
            return Ok(false);
        };
        if self.found.contains(&index) || reader.is_nil() {
            reader.skip()?;
            return Ok(true);
        }
        self.found.push(index);
        reader.check_soap_attributes()?;
        reader.read_element(index, self.values)?;
        Ok(true)
    }

    /// Like [`read`](Self::read), for encoded headers: reads all of them with the first one,
    /// because they may refer to each other.
    fn read_encoded(&mut self, reader: &mut Reader<'_>) -> Result<bool, ReadError> {
        let Self {
            rows,
            encoding,
            values,
            found,
            is_decoded,
            ..
        } = self;
        let Some(encoding) = encoding else {
            return Ok(false);
        };
        if !*is_decoded {
            *is_decoded = true;
            encoding.read_headers(reader, rows, &mut |literal| {
                while literal.child()? {
                    let name = literal.local_name();
                    let Some(index) = rows.iter().position(|row| row.name == name) else {
                        literal.skip()?;
                        continue;
                    };
                    found.push(index);
                    literal.read_element(index, *values)?;
                }
                literal.finish()
            })?;
        }
        let is_known = encoding.knows_header(reader, rows);
        if is_known {
            reader.check_soap_attributes()?;
            reader.skip()?;
        }
        Ok(is_known)
    }
}

/// The kind of a message with headers.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum MessageKind {
    Request,
    Answer,
    Fault,
}

/// Returns the markup of headers, which are elements of the service's namespace, in messages of an
/// operation. It is empty without rows.
pub(crate) fn write_headers<'s>(
    version: &Version,
    (service, operation): (&'s Service<'s>, At<'s, Operation<'s>>),
    kind: MessageKind,
    headers: Option<&'s model::Headers<'s>>,
    values: &dyn Fields,
) -> Result<Vec<u8>, WriteError> {
    let Some(headers) = headers else {
        return Ok(Vec::new());
    };
    let known = headers.fields.elements.iter().zip(headers.rules);
    let must_understand: Vec<&str> = known
        .filter(|(_, rule)| rule.must_understand)
        .map(|(element, _)| element.name)
        .collect();
    let side = match kind {
        MessageKind::Request => Side::Client,
        MessageKind::Answer | MessageKind::Fault => Side::Server,
    };
    let encoding = version.encoding(operation, service);
    let declared = (service.scope().0, ElementForm::Qualified);
    let rows = Rows::new(declared, headers.fields.elements);
    let levels = Levels::of(service, rows, 3).filter(|_| encoding.is_none());
    let mut markup = Vec::new();
    let mut out = Content::compact(&mut markup).with_levels(levels);
    out.time_zone = TimeZone::of(service);
    out.any_characters = side == Side::Server;
    if let Some(encoding) = &encoding {
        encoding.open_headers(version.namespace, &mut out);
    }
    let actor = version.actor;
    out.write_headers(declared.0, &must_understand, actor, &mut |out| {
        values.write_elements(out);
    });
    let Some(encoding) = encoding else {
        out.finish()?;
        return Ok(markup);
    };
    encoding.close_headers(out)?;
    let has_prefixes = kind != MessageKind::Fault;
    encoding.encode_headers(side, has_prefixes, rows.elements, markup)
}
