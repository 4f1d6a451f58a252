//! The importer: addresses of documents → definitions, and a report of where they differ.

use std::collections::HashSet;
use std::fmt;

use svcgen_language::diagnostic::Diagnostics;
use svcgen_model::numbered;
use svcgen_wsdl::load::Load;
use svcgen_wsdl::report::{DocumentSpan, OperationLoss, Report};
use svcgen_wsdl::rules::Rule;
use svcgen_wsdl::schema::{self, Schemas, TypedSet};
use svcgen_wsdl::sources::Sources;
use svcgen_wsdl::wsdl;

use crate::draft::Draft;
use crate::finish::Texts;
use crate::{finish, operations, script};

/// Makes definitions from WSDL 1.1.
pub struct Importer<'i> {
    pub(crate) loader: Box<dyn Load + 'i>,
    pub(crate) catalogs: Vec<String>,
    is_strict: bool,
}

impl fmt::Debug for Importer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Importer").finish_non_exhaustive()
    }
}

/// The result of an import.
#[derive(Debug)]
#[non_exhaustive]
pub struct Imported {
    /// The definitions (names of files and their texts): one for each service, and one of the types
    /// that they share; then the schemas of typed sets of tables (`.xsd`), which definitions name.
    pub files: Vec<(String, String)>,
    /// The number of services, or port types of services, that have a definition.
    pub services: usize,
    /// The number of operations that these have.
    pub operations: usize,
    /// The operations that are left out because no definition can express their messages, and what
    /// is left out of others.
    pub operation_losses: Vec<OperationLoss>,
    /// The number of types and enumerations in the definitions.
    pub types: usize,
    /// The number of places where a definition is looser than the WSDL: with fewer limits, or as
    /// XML of any kind.
    pub loosened: usize,
    /// The number of other things that are left out.
    pub left_out: usize,
    /// The number of notes about facts that no WSDL contains.
    pub notes: usize,
    /// The places where the definitions differ from the WSDL, or leave something out.
    pub warnings: Diagnostics,
}

impl fmt::Display for Imported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = |number: usize, what: &str| match number {
            1 => format!("1 {what}"),
            _ => format!("{number} {what}s"),
        };
        let services = count(self.services, "service");
        let operations = count(self.operations, "operation");
        write!(f, "{services} with {operations}")?;
        if self.types > 0 {
            write!(f, " and {}", count(self.types, "type"))?;
        }
        f.write_str(" imported")?;
        let losses = self.operation_losses.iter();
        let operations = losses.filter(|loss| loss.is_whole).count();
        let others = match operations {
            0 => "thing",
            _ => "other thing",
        };
        let left_out = [(operations, "operation"), (self.left_out, others)];
        let left_out = left_out.into_iter().filter(|(number, _)| *number > 0);
        let left_out: Vec<_> = left_out.map(|(number, what)| count(number, what)).collect();
        if !left_out.is_empty() {
            write!(f, "\nleft out: {}", left_out.join(", "))?;
        }
        if self.loosened > 0 {
            write!(f, "\nloosened: {}", count(self.loosened, "thing"))?;
        }
        if self.notes > 0 {
            write!(f, "\n{} of what no WSDL holds", count(self.notes, "note"))?;
        }
        Ok(())
    }
}

/// The rules that report a loss: the definition contains less than the WSDL.
const LOSSES: &[Rule] = &[
    Rule::Loosened,
    Rule::LeftOut,
    Rule::OperationLeftOut,
    Rule::AsAny,
];

/// The comment at the start of definitions. It is the same whenever and wherever the same file is
/// imported.
fn header(addresses: &[String]) -> String {
    let names = addresses
        .iter()
        .map(|address| match address.split_once("://") {
            Some(_) => address.as_str(),
            None => address.rsplit(['/', '\\']).next().unwrap_or(address),
        });
    let names: Vec<_> = names.collect();
    format!("Imported from {}.", names.join(", "))
}

impl<'i> Importer<'i> {
    /// Creates an importer that loads documents by their addresses: URLs or file paths.
    pub fn new(loader: impl Load + 'i) -> Self {
        Self {
            loader: Box::new(loader),
            catalogs: Vec::new(),
            is_strict: false,
        }
    }

    /// Looks documents up in an OASIS catalogue (XML Catalogs 1.1), by their addresses and
    /// namespaces.
    #[must_use]
    pub fn with_catalog(mut self, address: impl Into<String>) -> Self {
        self.catalogs.push(address.into());
        self
    }

    /// Refuses WSDLs that a definition cannot express completely: anything that would be loosened
    /// or left out is an error.
    #[must_use]
    pub fn with_strict(mut self, is_strict: bool) -> Self {
        self.is_strict = is_strict;
        self
    }

    /// Imports the services of documents.
    ///
    /// # Errors
    ///
    /// Returns an error if a document cannot be loaded or is not a WSDL, if no operation of it can
    /// be expressed in a definition, or, with [`with_strict`](Self::with_strict), if anything is
    /// lost. All of the diagnostics may then be warnings.
    pub fn import(&mut self, addresses: &[String]) -> Result<Imported, Diagnostics> {
        let sources = Sources::load(addresses, &self.catalogs, &mut *self.loader)?;
        let report = Report::new(&sources.texts);
        // The trees are dropped before the definitions are lowered, which needs as much memory
        // again.
        let (mut drafts, sets) = drafts(&sources, addresses, &report)?;
        script::add(&mut drafts, addresses, &mut *self.loader, &report);
        let header = |place: Option<DocumentSpan>| match place {
            Some(place) if sources.groups.len() > 1 => {
                let source = &sources.texts[place.document as usize];
                header(std::slice::from_ref(&source.file))
            }
            _ => header(addresses),
        };
        let finished = finish::finish(drafts, &sets, &header, &report);
        let is_refused = self.is_strict && report.count(LOSSES) > 0;
        if report.has_errors() || finished.files.is_empty() || is_refused {
            return Err(report.finish());
        }
        Ok(Imported {
            files: finished.files,
            services: finished.services,
            operations: finished.operations,
            operation_losses: report.operation_losses(),
            types: finished.types,
            loosened: report.count(&[Rule::Loosened, Rule::AsAny]),
            left_out: report.count(&[Rule::LeftOut]),
            notes: report.count(&[Rule::NotInWsdl]),
            warnings: report.finish(),
        })
    }
}

/// Reads documents and drafts the definitions of their services, with the files that these may
/// name.
fn drafts(
    sources: &Sources,
    addresses: &[String],
    report: &Report<'_>,
) -> Result<(Vec<Draft>, Texts), Diagnostics> {
    let documents = sources.parse()?;
    let (mut drafts, mut sets) = (Vec::new(), Texts::new());
    let mut known = HashSet::new();
    for group in &sources.groups {
        let report = report.within(group);
        let mut schemas = schema::read(&documents.schemas(group)?, &report);
        documents.report_markup(group, &report);
        let definitions = documents.definitions(group);
        if definitions.is_empty() {
            let address = addresses.first().map_or("", String::as_str);
            let message = "this describes no service: it is a schema or another document";
            let hint = "import the WSDL that refers to it";
            return Err(Diagnostics::unreadable(
                address,
                message.to_owned(),
                Some(hint),
            ));
        }
        let services = wsdl::read(&definitions, &schemas, &report);
        // No definition is written if there are errors.
        if report.has_errors() {
            continue;
        }
        name_sets(&mut schemas, &mut sets);
        let new = wsdl::new_services(&services, &mut known).into_iter();
        drafts.extend(new.map(|service| operations::definition(service, &schemas, &report)));
    }
    Ok((drafts, sets))
}

/// Gives the schemas of typed sets of tables file names that differ from those of other documents,
/// and adds them to `files`.
fn name_sets(schemas: &mut Schemas<'_>, files: &mut Texts) {
    let sets = schemas.sets.values_mut().filter_map(|set| match set {
        TypedSet::Known(schema) => Some(schema),
        TypedSet::Unknown(..) => None,
    });
    let mut sets: Vec<_> = sets.collect();
    sets.sort_by_key(|set| set.place);
    for set in sets {
        let stem = set.file.trim_end_matches(".xsd").to_owned();
        let is_free = |stem: &String| {
            let known = files.get(&format!("{stem}.xsd"));
            known.is_none_or(|text| **text == set.text)
        };
        set.file = format!("{}.xsd", numbered(stem, is_free));
        files.insert(set.file.clone(), set.text.as_str().into());
    }
}
