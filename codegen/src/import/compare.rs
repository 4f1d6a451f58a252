//! Compares what two WSDLs describe by its meaning: what callers see of operations, messages and types.
//!
//! | file | what it does |
//! |---|---|
//! | `difference.rs` | what is found |
//! | `services.rs` | operations, bindings, messages |
//! | `types.rs` | pairs of types, each once |
//! | `members.rs` | elements, groups, attributes |
//! | `content.rs`, `simple.rs` | one form of what types allow, however schemas say it |
//! | `comparer.rs` | what is known meanwhile |

mod comparer;
mod content;
mod difference;
mod members;
mod services;
mod simple;
mod types;

use std::collections::HashSet;
use std::sync::Arc;

use comparer::Comparer;
use difference::Found;
pub use difference::{Aspect, Difference, Sameness};
use services::{Messages, likeness};

use super::Importer;
use super::place::{Place, Report};
use super::schema::{self, Schemas};
use super::sources::Sources;
use super::wsdl::{self, Service};
use crate::diagnostic::{Diagnostic, Diagnostics, LabeledSpan, Source};
use crate::rules::Rule;

impl Importer<'_> {
    /// Compares the services of documents with those of other WSDLs, by what they mean: names of messages, ports and types that no caller
    /// sees do not matter, nor does how schemas are divided into groups, types and files.
    ///
    /// Each of the others is a name for messages and the texts of a WSDL: where there are several, as those of both shapes that
    /// `svcgen_documents::wsdl` writes, a difference is one that all of them have.
    ///
    /// ```
    /// use svcgen_codegen::Importer;
    ///
    /// let wsdl = r#"
    /// <definitions xmlns="http://schemas.xmlsoap.org/wsdl/" xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/"
    ///     xmlns:tns="urn:s" xmlns:s="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:s">
    ///   <types>
    ///     <s:schema targetNamespace="urn:s">
    ///       <s:element name="Ping" type="s:int"/>
    ///     </s:schema>
    ///   </types>
    ///   <message name="PingIn"><part name="parameters" element="tns:Ping"/></message>
    ///   <portType name="P"><operation name="Ping"><input message="tns:PingIn"/></operation></portType>
    ///   <binding name="B" type="tns:P">
    ///     <soap:binding transport="http://schemas.xmlsoap.org/soap/http"/>
    ///     <operation name="Ping">
    ///       <soap:operation soapAction="urn:ping"/>
    ///       <input><soap:body use="literal"/></input>
    ///     </operation>
    ///   </binding>
    ///   <service name="S"><port name="P" binding="tns:B"><soap:address location="http://localhost/s"/></port></service>
    /// </definitions>"#.trim_start();
    /// let other = wsdl.replace("s:int", "s:string");
    /// let mut importer = Importer::new(|_: &str| Ok(wsdl.into()));
    /// let sameness = importer.compare(&["s.wsdl".to_owned()], &[("other.wsdl".to_owned(), vec![other])])?;
    /// assert_eq!(sameness.differences[0].to_string(), "the type of `Ping/request` is `string` instead of `int`");
    /// # Ok::<(), svcgen_codegen::Diagnostics>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A document cannot be loaded or is no WSDL.
    pub fn compare(
        &mut self,
        original: &[String],
        others: &[(String, Vec<String>)],
    ) -> Result<Sameness, Diagnostics> {
        let texts = Sources::load(original, &self.catalogs, &mut *self.loader)?;
        read(&texts, |model| {
            let mut compared = Compared {
                model,
                sources: &texts.texts,
                taken: HashSet::new(),
                differences: Vec::new(),
                messages: 0,
                types: 0,
            };
            for (name, texts) in others {
                compared.other(name, texts)?;
            }
            Ok(compared.finish())
        })?
    }
}

/// What documents describe.
struct Model<'s> {
    schemas: Schemas<'s>,
    services: Vec<Service<'s>>,
}

/// Reads documents, and calls a function with what they describe.
fn read<R>(
    sources: &Sources,
    then: impl for<'s> FnOnce(&Model<'s>) -> R,
) -> Result<R, Diagnostics> {
    let documents = sources.parse()?;
    let report = Report::new(&sources.texts);
    let schemas = schema::read(&documents.schemas()?, &report);
    let services = wsdl::read(&documents.definitions(), &schemas, &report);
    if report.has_errors() {
        return Err(report.finish());
    }
    Ok(then(&Model { schemas, services }))
}

/// What has been compared.
struct Compared<'m, 's> {
    model: &'m Model<'s>,
    sources: &'m [Arc<Source>],
    /// The services that another one was compared with.
    taken: HashSet<usize>,
    differences: Vec<(Place, Difference)>,
    messages: usize,
    types: usize,
}

impl<'m, 's> Compared<'m, 's> {
    /// Compares with the texts of one WSDL.
    fn other(&mut self, name: &str, texts: &[String]) -> Result<(), Diagnostics> {
        let mut pairs: Option<Vec<_>> = None;
        let mut common: Option<Vec<_>> = None;
        for text in texts {
            let mut load = |address: &str| {
                if address == name {
                    Ok(text.clone().into())
                } else {
                    Err("it is not read while WSDLs are compared".to_owned())
                }
            };
            let sources = Sources::load(&[name.to_owned()], &[], &mut load)?;
            let found = read(&sources, |other| {
                let pairs = pairs.get_or_insert_with(|| self.pairs(&other.services));
                let mut comparer = Comparer::new(&self.model.schemas, &other.schemas);
                let mut messages = Messages {
                    comparer: &mut comparer,
                    count: 0,
                };
                for (original, number) in pairs.iter() {
                    let other = other.services.get(*number);
                    if let Some(other) = other {
                        messages.service((&self.model.services[*original], other));
                    }
                }
                let count = messages.count;
                comparer.finish();
                (comparer.found, count, comparer.types)
            })?;
            let (found, messages, types) = found;
            let found = found.into_iter().map(|one| self.difference(&sources, one));
            let mut found: Vec<_> = found.collect();
            match common {
                None => {
                    (self.messages, self.types) = (self.messages + messages, self.types + types)
                }
                Some(before) => {
                    let before: HashSet<_> = before.iter().map(key).collect();
                    found.retain(|one| before.contains(&key(one)));
                }
            }
            common = Some(found);
        }
        self.differences.extend(common.into_iter().flatten());
        Ok(())
    }

    /// The numbers of services that are compared: those of one name, or else those with the most operations in common.
    fn pairs(&mut self, others: &[Service<'_>]) -> Vec<(usize, usize)> {
        let services = &self.model.services;
        let mut pairs = Vec::new();
        for (number, other) in others.iter().enumerate() {
            let free = (0..services.len()).filter(|one| !self.taken.contains(one));
            let liked = free.map(|one| (likeness(&services[one], other), std::cmp::Reverse(one)));
            let is_only = services.len() == 1 && others.len() == 1;
            let best = liked.max().filter(|best| best.0 != (false, 0) || is_only);
            if let Some((_, std::cmp::Reverse(one))) = best {
                self.taken.insert(one);
                pairs.push((one, number));
            }
        }
        pairs
    }

    fn difference(&self, other: &Sources, found: Found) -> (Place, Difference) {
        let place = found.place;
        let hint = if found.aspect.is_on_wire() {
            "callers may notice it"
        } else {
            "only those notice it who check messages against the schema"
        };
        let diagnostic = Diagnostic {
            rule: Rule::Differs,
            message: found.message(),
            hint: Some(hint.to_owned()),
            source: Arc::clone(&self.sources[place.document as usize]),
            spans: vec![LabeledSpan {
                span: place.start as usize..place.end as usize,
                label: String::new(),
            }],
            fix: None,
        };
        let other_place = found.other_place.map(|place| {
            let source = &other.texts[place.document as usize];
            source.line_column(place.start as usize)
        });
        let difference = Difference {
            aspect: found.aspect,
            path: found.path,
            original: found.original,
            other: found.other,
            other_place,
            diagnostic,
        };
        (place, difference)
    }

    fn finish(mut self) -> Sameness {
        for (number, service) in self.model.services.iter().enumerate() {
            if !self.taken.contains(&number) {
                let found = Found {
                    aspect: Aspect::Service,
                    path: service.name.to_owned(),
                    original: Some(format!("`{}`", service.name)),
                    other: None,
                    place: service.place,
                    other_place: None,
                };
                let difference = self.difference(&Sources::default(), found);
                self.differences.push(difference);
            }
        }
        self.differences.sort_by_key(|(place, _)| *place);
        let differences = self.differences.into_iter();
        Sameness {
            differences: differences.map(|(_, difference)| difference).collect(),
            messages: self.messages,
            types: self.types,
        }
    }
}

/// What differences of two shapes have in common if they are the same.
fn key(one: &(Place, Difference)) -> (Place, Aspect, Option<String>, Option<String>) {
    let (place, difference) = one;
    let original = difference.original.clone();
    let other = difference.other.clone().filter(|_| original.is_none());
    (*place, difference.aspect, original, other)
}
