//! The SOAP binding of an operation.

use std::collections::HashSet;

use super::bindings::BindingItem;
use super::index::Item;
use super::messages::{LeftOut, Reader, Why};
use super::namespaces::{DIME, MIME};
use super::policies::Requirement;
use super::{Fault, Header, Message, PartContent, Soap, Style};
use crate::rules::Rule;

use crate::report::DocumentSpan;
use crate::xml::says_the_same;

impl<'s> Reader<'_, 's> {
    /// Joins an operation of a port type with a binding.
    pub fn soap(
        &self,
        operation: Item<'s>,
        binding: &BindingItem<'s>,
        bound: Option<Item<'s>>,
        left_out: &mut LeftOut,
    ) -> Result<Soap<'s>, Why> {
        let namespace = binding.namespace();
        let extension = bound.and_then(|bound| bound.extensions(namespace, "operation").next());
        let action = extension.and_then(|extension| extension.attribute("soapAction"));
        if let Some(extension) = extension
            && extension.node.attribute("soapAction") != action
        {
            let what = format!(
                "the blanks around the SOAPAction of `{}` are left out",
                operation.name()
            );
            let place =
                DocumentSpan::of_attribute(extension.document, extension.node, "soapAction");
            left_out.push((Rule::LeftOut, place, what));
        }
        let style = extension.map(Style::of).transpose()?.flatten();
        let style = style.unwrap_or(binding.style);
        let (input, output) = (operation.child("input"), operation.child("output"));
        let Some(input) = input else {
            let why = "it has no input: the service would call its callers";
            return Err(why.to_owned().into());
        };
        if output.is_some_and(|output| output.node.range().start < input.node.range().start) {
            let why = "its output comes first: the service would call its callers";
            return Err(why.to_owned().into());
        }
        let within = |direction| bound.and_then(|bound| bound.child(direction));
        let bound_directions = [bound, within("input"), within("output")];
        let directions = [Some(operation), Some(input), output];
        for item in bound_directions.into_iter().chain(directions).flatten() {
            for requirement in self.policies.of(item) {
                match requirement {
                    Requirement::Security(what) => {
                        self.obstacle.set(Some(Rule::Policy));
                        let why = format!("it requires security in messages (`{what}`)");
                        return Err(why.into());
                    }
                    Requirement::Protocol(what) => {
                        return Err(format!("it requires {what}").into());
                    }
                    extra => {
                        let of = format!("the operation `{}`", operation.name());
                        let said = extra.left_out(&of).map(|(what, hint)| match hint {
                            Some(hint) => format!("{what}: {hint}"),
                            None => what,
                        });
                        left_out.extend(said.map(|what| (Rule::LeftOut, item.place(), what)));
                    }
                }
            }
        }
        let (input, headers_in) =
            self.bound_message(input, within("input"), namespace, left_out)?;
        let output =
            output.map(|output| self.bound_message(output, within("output"), namespace, left_out));
        let (output, headers_out) = match output.transpose()? {
            Some((output, headers)) => (Some(output), headers),
            None => (None, Vec::new()),
        };
        Ok(Soap {
            action: action.unwrap_or_default(),
            style,
            input,
            output,
            headers_in,
            headers_out,
            faults: self.faults(operation, bound, namespace, left_out),
        })
    }

    /// Reads a message with the corresponding part of a binding's operation.
    fn bound_message(
        &self,
        direction: Item<'s>,
        bound: Option<Item<'s>>,
        namespace: &'static str,
        left_out: &mut LeftOut,
    ) -> Result<(Message<'s>, Vec<Header<'s>>), Why> {
        let message = self.message(direction)?;
        self.spend(message.children("part").count());
        let bound_places = places(bound);
        let of = |namespace, local| {
            let places = bound_places.iter();
            places.flat_map(move |place| place.extensions(namespace, local))
        };
        let within = |local| of(namespace, local);
        let mut bodies = within("body");
        let body = bodies.next();
        if let Some(body) = body
            && bodies.any(|other| !says_the_same(body.node, other.node))
        {
            let name = direction.node.tag_name().name();
            return Err(format!("its {name} has two bodies that differ").into());
        }
        let mut headers = Vec::new();
        let mut others = HashSet::new();
        for header in within("header") {
            let of = self.index.messages.get(header, "message", self.report);
            if of.map(|it| it.node) == Some(message.node) {
                others.extend(header.attribute("part"));
            }
            headers.extend(self.header(header, false, left_out));
            let faults = header.extensions(namespace, "headerfault");
            headers.extend(faults.filter_map(|fault| self.header(fault, true, left_out)));
        }
        for content in of(MIME, "content").chain(of(MIME, "mimeXml")) {
            let what = match content.attribute("part") {
                // Another media type of the same part.
                Some(part) if !others.insert(part) => continue,
                Some(part) => format!(
                    "the attachment `{part}` is left out: `ReceivedAttachments::of_part` of the crate `svcgen-attachments` finds it, and `OutgoingAttachment::for_part` makes one"
                ),
                None => "an attachment is left out, which is no part of the message: `ReceivedAttachments` of the crate `svcgen-attachments` has it".to_owned(),
            };
            left_out.push((Rule::LeftOut, content.place(), what));
        }
        for dime in bound
            .iter()
            .flat_map(|bound| bound.extensions(DIME, "message"))
        {
            let what = "attachments (DIME) are left out: messages are XML alone";
            left_out.push((Rule::LeftOut, dime.place(), what.to_owned()));
        }
        let listed = body.and_then(|body| body.attribute("parts"));
        let listed: Option<HashSet<_>> = listed.map(|parts| parts.split_whitespace().collect());
        let is_in_body = |part: &Item<'s>| match &listed {
            Some(listed) => listed.contains(part.name()),
            None => !others.contains(part.name()),
        };
        let parts = message.children("part").filter(is_in_body);
        let parts = parts.map(|part| self.part(message, part));
        let read = Message {
            parts: parts.collect::<Result<_, _>>()?,
            is_encoded: is_encoded(body)?,
            namespace: body.and_then(|body| body.attribute("namespace")),
            place: message.place(),
        };
        Ok((read, headers))
    }

    fn header(
        &self,
        header: Item<'s>,
        is_of_fault: bool,
        left_out: &mut LeftOut,
    ) -> Option<Header<'s>> {
        let name = header.attribute("part").unwrap_or_default();
        let message = self.message(header);
        let part = message.and_then(|message| {
            let part = message.children("part").find(|part| part.name() == name);
            let message_name = message.name();
            let part = part.ok_or_else(|| {
                self.missing(format!("the message `{message_name}` has no part `{name}`"))
            })?;
            let read = self.part(message, part)?;
            let is_type = !matches!(read.content, PartContent::Element(_));
            let is_encoded = is_encoded(Some(header))?;
            if is_type && !is_encoded {
                let why =
                    format!("the part `{name}` of the message `{message_name}` is not an element");
                return Err(why.into());
            }
            Ok((read, is_encoded))
        });
        match part {
            Ok((part, is_encoded)) => Some(Header {
                part,
                is_encoded,
                is_required: header.is_required(),
                is_of_fault,
            }),
            Err(why) => {
                let what = format!("the header `{name}` is left out: {why}");
                left_out.push((why.rule(), header.place(), what));
                None
            }
        }
    }

    fn faults(
        &self,
        operation: Item<'s>,
        bound: Option<Item<'s>>,
        namespace: &'static str,
        left_out: &mut LeftOut,
    ) -> Vec<Fault<'s>> {
        let mut faults = Vec::new();
        for fault in operation.children("fault") {
            let bound = bound.iter().flat_map(|bound| bound.children("fault"));
            let bound = bound.into_iter().find(|one| one.name() == fault.name());
            let body = bound.and_then(|bound| bound.extensions(namespace, "fault").next());
            let part = self.message(fault).and_then(|message| {
                let mut parts = message.children("part");
                match (parts.next(), parts.next()) {
                    (Some(part), None) => Ok((self.part(message, part)?, is_encoded(body)?)),
                    _ => Err(format!("the message `{}` has not one part", message.name()).into()),
                }
            });
            match part {
                Ok((part, is_encoded)) => faults.push(Fault {
                    name: fault.name(),
                    part,
                    is_encoded,
                    doc: fault.documentation(),
                }),
                Err(why) => {
                    let what = format!("the fault `{}` is left out: {why}", fault.name());
                    left_out.push((why.rule(), fault.place(), what));
                }
            }
        }
        faults
    }
}

/// Returns the elements of a binding that describe a message: the element of its direction, and its
/// MIME parts.
fn places(bound: Option<Item<'_>>) -> Vec<Item<'_>> {
    let related = bound.into_iter();
    let related = related.flat_map(|bound| bound.extensions(MIME, "multipartRelated"));
    let parts = related.flat_map(|related| related.extensions(MIME, "part"));
    bound.into_iter().chain(parts).collect()
}

/// Whether a body, a header or a fault is encoded. Without `use` it is literal (WS-I Basic Profile
/// 1.1, R2707).
fn is_encoded(extension: Option<Item<'_>>) -> Result<bool, Why> {
    match extension.and_then(|extension| extension.attribute("use")) {
        None | Some("literal") => Ok(false),
        Some("encoded") => Ok(true),
        Some(other) => {
            Err(format!("its `use` is `{other}`, which is neither `literal` nor `encoded`").into())
        }
    }
}
