//! `headers` and `faults` of a definition, and of its operations.

use svcgen_wsdl::rules::Rule;
use svcgen_wsdl::schema::Name;
use svcgen_wsdl::wsdl::{Header, MessagePart, PartContent, Soap};

use super::writer::Writer;
use crate::draft::Draft;

impl<'s> Writer<'_, 's> {
    /// The `headers` of an operation, and messages about those that are left out.
    pub fn headers(&mut self, soap: &Soap<'s>) -> (Draft, Vec<String>) {
        let (mut draft, mut comments) = (Draft::flow_map(), Vec::new());
        for (list, headers) in ["in", "out", "fault"].into_iter().zip(soap.headers()) {
            let mut keys: Vec<String> = Vec::new();
            for header in headers {
                match self.header(header) {
                    Ok(key) if keys.contains(&key) => {}
                    Ok(key) => keys.push(key),
                    Err(why) => {
                        let what = format!("the header `{}` is left out: {why}", header.part.name);
                        let report = self.types.report;
                        report.add(Rule::LeftOut, header.part.place, what.clone(), None);
                        comments.push(what);
                    }
                }
            }
            if !keys.is_empty() {
                draft.push(list, Draft::list(keys.into_iter().map(Draft::from)));
            }
        }
        (draft, comments)
    }

    /// The key of a header, which is declared on first use.
    fn header(&mut self, header: &Header<'s>) -> Result<String, &'static str> {
        let name = match header.part.content {
            PartContent::Element(name) => name,
            PartContent::Type(type_ref) => Name {
                namespace: self.home,
                // Encoded headers are named after their types.
                local: self
                    .type_name(type_ref)
                    .ok_or("its type has no name of its own")?,
            },
            PartContent::Any => return Err("nothing says what it holds"),
        };
        let is_literal = self.file.is_turned && !header.is_encoded;
        let namespace = name.namespace.strip_suffix("/literalTypes");
        let name = match namespace.filter(|one| is_literal && *one == self.home) {
            Some(namespace) => Name { namespace, ..name },
            None => name,
        };
        // Done also for a known header, as its type differs in encoded messages.
        if let PartContent::Element(name) = header.part.content
            && let Some(element) = self.types.global(name)
        {
            self.types.close_header(element.type_ref);
        }
        let id = (name, header.is_required);
        if let Some(known) = self.declared.header_keys.get(&id) {
            return Ok(known.clone());
        }
        let key = free_key(&self.declared.headers, name.local);
        let draft = self.header_draft(&header.part, name, &key, header.is_required);
        self.declared.headers.push(key.clone(), draft);
        self.declared.header_keys.insert(id, key.clone());
        Ok(key)
    }

    fn header_draft(
        &mut self,
        part: &MessagePart<'s>,
        name: Name<'s>,
        key: &str,
        is_required: bool,
    ) -> Draft {
        let mut draft = self.part(part);
        let is_nillable = match part.content {
            PartContent::Element(name) => {
                let element = self.types.global(name);
                element.is_some_and(|element| element.is_nillable)
            }
            PartContent::Type(_) | PartContent::Any => false,
        };
        if let Some(expression) = draft.get("type").and_then(Draft::text)
            && (!is_required || is_nillable)
        {
            draft.set("type", format!("{expression}?"));
        }
        if is_nillable {
            draft.set("absent", if is_required { "nil" } else { "either" });
        }
        if key != name.local {
            draft.set("name", name.local);
        }
        let namespace = self.types.short_name(name.namespace);
        draft.set_some("namespace", namespace);
        if is_required {
            draft.set("required", true);
        }
        draft.sort_by_key(|key| HEADER_KEYS.iter().position(|known| *known == key));
        draft.short("type")
    }

    /// The `faults` of an operation.
    pub fn faults(&mut self, soap: &Soap<'s>) -> (Vec<String>, Vec<String>) {
        let (mut keys, mut comments) = (Vec::new(), Vec::new());
        for fault in &soap.faults {
            let key = match fault.part.content {
                PartContent::Element(name) => self.fault(&fault.part, name, fault.doc.as_deref()),
                _ => None,
            };
            match key {
                Some(key) if keys.contains(&key) => {}
                Some(key) => keys.push(key),
                None => {
                    let why = match fault.part.content {
                        PartContent::Element(_) => "another fault has an element of that name",
                        _ => "its detail is not an element",
                    };
                    let what = format!("the fault `{}` is left out: {why}", fault.name);
                    self.types
                        .report
                        .add(Rule::LeftOut, fault.part.place, what.clone(), None);
                    comments.push(what);
                }
            }
        }
        (keys, comments)
    }

    fn fault(
        &mut self,
        part: &MessagePart<'s>,
        name: Name<'s>,
        doc: Option<&str>,
    ) -> Option<String> {
        if let Some(known) = self.declared.fault_keys.get(&name) {
            return known.clone();
        }
        let is_taken = self.declared.faults.get(name.local).is_some();
        let key = (!is_taken).then(|| name.local.to_owned());
        if let Some(key) = &key {
            // `nillable` is not kept: WCF declares it for every detail, but never sends a nil.
            let mut draft = self.part(part);
            draft.set_some("namespace", self.types.short_name(name.namespace));
            draft.set_some("doc", doc.map(Draft::doc));
            draft.sort_by_key(|key| HEADER_KEYS.iter().position(|known| *known == key));
            self.declared.faults.push(key.clone(), draft.short("type"));
        }
        self.declared.fault_keys.insert(name, key.clone());
        key
    }
}

/// The keys of a header or a fault, in the order in which they are written.
const HEADER_KEYS: [&str; 7] = [
    "type",
    "name",
    "namespace",
    "absent",
    "required",
    "facets",
    "doc",
];

/// A key that is not yet in a map.
fn free_key(map: &Draft, wanted: &str) -> String {
    svcgen_model::numbered(wanted.to_owned(), |key| map.get(key).is_none())
}
