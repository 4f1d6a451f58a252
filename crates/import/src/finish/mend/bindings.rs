//! The bindings of operations that cannot be offered over all of them.

use std::collections::{BTreeMap, BTreeSet};

use svcgen_model::Bindings;
use svcgen_wsdl::report::Report;
use svcgen_wsdl::rules::Rule;

use crate::draft::Draft;

/// Bindings that carry less than SOAP.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Dropped {
    Forms,
    Json,
}

impl Dropped {
    const ALL: [Self; 2] = [Self::Forms, Self::Json];

    fn keys(self) -> &'static [&'static str] {
        match self {
            Self::Forms => &["http-get", "http-post"],
            Self::Json => &["json"],
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Forms => "HTTP GET and POST",
            Self::Json => "JSON",
        }
    }
}

/// Sets the bindings of operations: by default all of forms and SOAP, without those over which an
/// operation cannot be offered.
pub(super) fn set(
    draft: &mut Draft,
    with_forms: &BTreeSet<String>,
    without: &BTreeMap<(String, Dropped), String>,
    report: &Report<'_>,
) {
    let of_file = names_of_bindings(draft);
    let Some(operations) = draft.get_mut("operations") else {
        return;
    };
    for (key, body) in operations.entries_mut() {
        let refused = Dropped::ALL.map(|one| Some((one, without.get(&(key.clone(), one))?)));
        let refused: Vec<_> = refused.into_iter().flatten().collect();
        if refused.is_empty() && !with_forms.contains(key) {
            continue;
        }
        let own = names_of_bindings(body).or_else(|| of_file.clone());
        let default = Bindings::DEFAULT
            .iter()
            .map(|binding| binding.key().to_owned());
        let mut bindings = own.unwrap_or_else(|| default.collect());
        for (dropped, reason) in refused {
            bindings.retain(|name| !dropped.keys().contains(&name.as_str()));
            if dropped == Dropped::Json {
                body.long("").retain(|name, _| name != "script_method");
            }
            if let Some(place) = body.place {
                let name = dropped.name();
                let message = format!("the operation `{key}` is imported without {name}: {reason}");
                report.add_of_operation(Rule::LeftOut, place, key, message, None);
            }
        }
        let bindings = Draft::list(bindings.into_iter().map(Draft::from));
        body.long("").set("bindings", bindings);
    }
}

fn names_of_bindings(body: &Draft) -> Option<Vec<String>> {
    let list = body.get("bindings")?;
    let names = (0..list.len()).filter_map(|at| list.slot(at)?.1.text());
    Some(names.map(str::to_owned).collect())
}
