//! Compares what two WSDLs describe rather than how they are written: what callers see of
//! operations, messages and types.
//!
//! | file | what it does |
//! |---|---|
//! | `difference.rs` | the differences |
//! | `services.rs` | operations, bindings, messages |
//! | `types.rs` | pairs of types, each once |
//! | `members.rs` | elements, groups, attributes |
//! | `content.rs`, `simple.rs` | one normal form for what types allow, however schemas write it |
//! | `comparer.rs` | the state of a comparison |

mod comparer;
mod content;
mod difference;
mod members;
mod services;
mod simple;
mod types;

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use svcgen_language::diagnostic::{Diagnostics, Source};
use svcgen_wsdl::report::{DocumentSpan, Report};
use svcgen_wsdl::rules::Rule;
use svcgen_wsdl::schema::{self, Schemas};
use svcgen_wsdl::sources::Sources;
use svcgen_wsdl::wsdl::{self, Service};

use comparer::Comparer;
use difference::Found;
pub use difference::{Aspect, Difference, Sameness};
use services::{Messages, is_twin, likeness};

use super::Importer;

impl Importer<'_> {
    /// Compares the services of documents with those of other WSDLs by what callers see: names of
    /// messages, ports and types that never appear in messages do not matter, nor does how schemas
    /// are divided into groups, types and files.
    ///
    /// Each of the others is a name for messages and the texts of a WSDL. Where there are several
    /// texts, such as both shapes that `svcgen_documents::wsdl` writes, only a difference that all
    /// of them have is reported.
    ///
    /// ```
    /// use svcgen_import::Importer;
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
    /// Returns an error if a document cannot be loaded or is not a WSDL.
    pub fn compare(
        &mut self,
        original: &[String],
        others: &[(String, Vec<String>)],
    ) -> Result<Sameness, Diagnostics> {
        let texts = Sources::load(original, &self.catalogs, &mut *self.loader)?;
        read(&texts, |models| {
            let mut known = HashSet::new();
            let services = models.iter().flat_map(|model| {
                let services = wsdl::new_services(&model.services, &mut known).into_iter();
                services.map(move |service| (&model.schemas, service))
            });
            let mut compared = Compared {
                services: services.collect(),
                sources: &texts.texts,
                taken: HashMap::new(),
                differences: Vec::new(),
                messages: 0,
                types: 0,
            };
            for (number, (name, texts)) in others.iter().enumerate() {
                compared.other(name, texts, |compared, others| {
                    compared.pairs(number, others)
                })?;
            }
            // Several documents may describe a service that has a single definition.
            for (original, (number, service)) in compared.twins() {
                let (name, texts) = &others[number];
                compared.other(name, texts, |_, _| vec![(original, service)])?;
            }
            Ok(compared.finish())
        })?
    }
}

/// The services and schemas that documents describe.
struct Model<'s> {
    schemas: Schemas<'s>,
    services: Vec<Service<'s>>,
}

/// Reads documents and calls a function with the model of each WSDL.
fn read<R>(
    sources: &Sources,
    then: impl for<'s> FnOnce(&[Model<'s>]) -> R,
) -> Result<R, Diagnostics> {
    let documents = sources.parse()?;
    let report = Report::new(&sources.texts);
    let models = sources.groups.iter().map(|group| {
        let report = report.within(group);
        let schemas = schema::read(&documents.schemas(group)?, &report);
        let services = wsdl::read(&documents.definitions(group), &schemas, &report);
        Ok(Model { schemas, services })
    });
    let models: Vec<_> = models.collect::<Result<_, Diagnostics>>()?;
    if models.iter().all(|model| model.services.is_empty()) {
        report.refuse_nothing();
    }
    if report.has_errors() {
        return Err(report.finish());
    }
    Ok(then(&models))
}

/// The state and the results of a comparison.
struct Compared<'m, 's> {
    /// The services of the original, each with the schemas that it refers to.
    services: Vec<(&'m Schemas<'s>, &'m Service<'s>)>,
    sources: &'m [Arc<Source>],
    /// The services that were paired: the number of the other WSDL, and the number of the service
    /// in it.
    taken: HashMap<usize, (usize, usize)>,
    differences: Vec<(DocumentSpan, Difference)>,
    messages: usize,
    types: usize,
}

impl<'m, 's> Compared<'m, 's> {
    /// Compares pairs of services of the original and of one WSDL in all of its texts.
    fn other(
        &mut self,
        name: &str,
        texts: &[String],
        pairs_of: impl FnOnce(&mut Self, &[Service<'_>]) -> Vec<(usize, usize)>,
    ) -> Result<(), Diagnostics> {
        let mut pairs: Option<Vec<_>> = None;
        let mut pairs_of = Some(pairs_of);
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
            let found = read(&sources, |models| {
                let other = &models[0];
                if let Some(pairs_of) = pairs_of.take() {
                    pairs = Some(pairs_of(self, &other.services));
                }
                let (mut found, mut count, mut types) = (Vec::new(), 0, 0);
                for (original, number) in pairs.iter().flatten() {
                    let Some(service) = other.services.get(*number) else {
                        continue;
                    };
                    let (schemas, original) = self.services[*original];
                    let mut comparer = Comparer::new(schemas, &other.schemas);
                    let mut messages = Messages {
                        comparer: &mut comparer,
                        count: 0,
                    };
                    messages.service((original, service));
                    count += messages.count;
                    comparer.finish();
                    types += comparer.types;
                    found.extend(comparer.found);
                }
                (found, count, types)
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

    /// Pairs the numbers of services to compare: services of the same name and path, or else those
    /// with the most operations in common. `wsdl` is the number of the other WSDL.
    fn pairs(&mut self, wsdl: usize, others: &[Service<'_>]) -> Vec<(usize, usize)> {
        let services = &self.services;
        let mut pairs = Vec::new();
        for (number, other) in others.iter().enumerate() {
            let free = (0..services.len()).filter(|one| !self.taken.contains_key(one));
            let liked = free.map(|one| (likeness(services[one].1, other), Reverse(one)));
            let is_only = services.len() == 1 && others.len() == 1;
            let best = liked.max().filter(|(best, _)| best.is_any() || is_only);
            if let Some((_, Reverse(one))) = best {
                self.taken.insert(one, (wsdl, number));
                pairs.push((one, number));
            }
        }
        pairs
    }

    /// Returns the unpaired services that have a paired twin, with the service that the twin was
    /// paired with.
    fn twins(&self) -> Vec<(usize, (usize, usize))> {
        let twins = self
            .services
            .iter()
            .enumerate()
            .filter_map(|(number, (_, service))| {
                let is_twin = |one: &usize| is_twin(service, self.services[*one].1);
                if self.taken.contains_key(&number) {
                    return None;
                }
                let known = self.taken.keys().copied().filter(is_twin).min()?;
                Some((number, self.taken[&known]))
            });
        twins.collect()
    }

    fn difference(&self, other: &Sources, found: Found) -> (DocumentSpan, Difference) {
        let place = found.place;
        let hint = if found.aspect.is_on_wire() {
            "callers may notice it"
        } else {
            "only those notice it who check messages against the schema"
        };
        let source = &self.sources[place.document as usize];
        let diagnostic = place.diagnostic(Rule::Differs, found.message(), Some(hint), source);
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
        let twins: HashSet<_> = self.twins().into_iter().map(|(one, _)| one).collect();
        for (number, (_, service)) in self.services.iter().enumerate() {
            if !self.taken.contains_key(&number) && !twins.contains(&number) {
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

/// The parts of a difference that are equal if two shapes have the same difference.
fn key(one: &(DocumentSpan, Difference)) -> (DocumentSpan, Aspect, Option<String>, Option<String>) {
    let (place, difference) = one;
    let original = difference.original.clone();
    let other = difference.other.clone().filter(|_| original.is_none());
    (*place, difference.aspect, original, other)
}
