//! Errors.

use std::fmt;

use svcgen_codegen::Diagnostics;

/// The reason why a service cannot be opened.
#[derive(Debug)]
#[non_exhaustive]
pub enum OpenError {
    /// The definition, or the WSDL, has errors.
    Definition(Diagnostics),
    /// The file has no service, only types.
    NoService {
        /// The file.
        file: String,
    },
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Definition(diagnostics) => diagnostics.fmt(f),
            Self::NoService { file } => write!(f, "{file} has no service, only types"),
        }
    }
}

impl std::error::Error for OpenError {}

impl From<Diagnostics> for OpenError {
    fn from(diagnostics: Diagnostics) -> Self {
        Self::Definition(diagnostics)
    }
}

/// The maximum number of names in an error.
const MOST_NAMES: usize = 40;

/// The message for an unknown name, with the nearest of the known ones and, of many, the first.
pub(crate) fn unknown_name(what: &str, name: &str, known: &[&str]) -> String {
    let near = svcgen_language::naming::nearest(name, known.iter().copied());
    let near = near.map_or_else(
        || ".".to_owned(),
        |near| format!("; did you mean '{near}'?"),
    );
    if known.is_empty() {
        return format!("there is no {what} '{name}', and no other one");
    }
    let shown = known[..known.len().min(MOST_NAMES)].join(", ");
    format!("there is no {what} '{name}'{near} Known: {shown}.")
}

/// The error for a name that no operation of a service has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoOperation {
    pub(crate) service: &'static str,
    pub(crate) name: String,
    pub(crate) known: Vec<&'static str>,
}

impl fmt::Display for NoOperation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            service,
            name,
            known,
        } = self;
        let near = svcgen_language::naming::nearest(name, known.iter().copied());
        let near = near.map(|near| format!("; did you mean '{near}'?"));
        let (known, near) = (known.join(", "), near.unwrap_or_default());
        write!(
            f,
            "{service} has no operation '{name}'; it has {known}{near}"
        )
    }
}

impl std::error::Error for NoOperation {}
