//! `headers` and `faults` of a definition, and of its operations.

use super::writer::Writer;
use crate::import::draft::Draft;
use crate::import::schema::Name;
use crate::import::wsdl::{Header, Part, PartContent, Soap};
use crate::rules::Rule;

impl<'s> Writer<'_, 's> {
    /// The `headers` of an operation.
    pub fn headers(&mut self, soap: &Soap<'s>) -> Option<Draft> {
        let mut lists: [Vec<String>; 3] = [Vec::new(), Vec::new(), Vec::new()];
        let headers = soap.headers_in.iter().map(|header| (0, header));
        for (list, header) in headers.chain(soap.headers_out.iter().map(|header| (1, header))) {
            let Some(key) = self.header(header) else {
                let name = header.part.name;
                let what = format!(
                    "the header `{name}` is left out: its type has no name, which would be that of its element"
                );
                let report = self.types.report;
                report.add(Rule::LeftOut, header.part.place, what, None);
                continue;
            };
            // ASMX lists the headers of faults in the output, once more if answers have them, too.
            let is_again = lists[list].contains(&key);
            let list = if header.is_of_fault || (list == 1 && is_again) {
                2
            } else {
                list
            };
            if !lists[list].contains(&key) {
                lists[list].push(key);
            }
        }
        let mut draft = Draft::flow_map();
        for (key, list) in ["in", "out", "fault"].into_iter().zip(lists) {
            if !list.is_empty() {
                draft.push(key, Draft::list(list.into_iter().map(Draft::from)));
            }
        }
        (!draft.entries().is_empty()).then_some(draft)
    }

    /// The key of a header, which is declared if it was not before.
    fn header(&mut self, header: &Header<'s>) -> Option<String> {
        let name = match header.part.content {
            PartContent::Element(name) => name,
            PartContent::Type(type_ref) => Name {
                namespace: self.home,
                local: self.type_name(type_ref)?,
            },
            PartContent::Any => return None,
        };
        let is_literal = self.file.is_turned && !header.is_encoded;
        let namespace = name.namespace.strip_suffix("/literalTypes");
        let name = match namespace.filter(|one| is_literal && *one == self.home) {
            Some(namespace) => Name { namespace, ..name },
            None => name,
        };
        // Also if it is known already: of encoded messages it has another type.
        if let PartContent::Element(name) = header.part.content
            && let Some(element) = self.types.global(name)
        {
            self.types.close_header(element.type_ref);
        }
        let id = (name, header.is_required);
        if let Some(known) = self.declared.header_keys.get(&id) {
            return Some(known.clone());
        }
        let key = free_key(&self.declared.headers, name.local);
        let draft = self.header_draft(&header.part, name, &key, header.is_required);
        self.declared.headers.push(key.clone(), draft);
        self.declared.header_keys.insert(id, key.clone());
        Some(key)
    }

    fn header_draft(
        &mut self,
        part: &Part<'s>,
        name: Name<'s>,
        key: &str,
        is_required: bool,
    ) -> Draft {
        let mut draft = self.part(part);
        if let (false, Some(expression)) = (is_required, draft.get("type").and_then(Draft::text)) {
            draft.set("type", format!("{expression}?"));
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
                        _ => "its detail is no element",
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

    fn fault(&mut self, part: &Part<'s>, name: Name<'s>, doc: Option<&str>) -> Option<String> {
        if let Some(known) = self.declared.fault_keys.get(&name) {
            return known.clone();
        }
        let is_taken = self.declared.faults.get(name.local).is_some();
        let key = (!is_taken).then(|| name.local.to_owned());
        if let Some(key) = &key {
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
const HEADER_KEYS: [&str; 6] = ["type", "name", "namespace", "required", "facets", "doc"];

/// A key that is not in a map.
fn free_key(map: &Draft, wanted: &str) -> String {
    svcgen_model::numbered(wanted.to_owned(), |key| map.get(key).is_none())
}
