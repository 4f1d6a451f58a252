//! The features of the crate `svcgen` that emitted code needs.

use std::collections::BTreeSet;

use crate::config::Options;
use crate::emit::has_protocols;
use crate::model::{Model, RustType, TypeRef};

/// The features, in the order of their names.
pub(crate) fn features(model: &Model, options: &Options) -> BTreeSet<&'static str> {
    let faults = model.service.iter().flat_map(|service| &service.faults);
    let elements = (model.emitted_elements()).chain(faults.map(|fault| &fault.detail));
    let types = elements.filter_map(|element| match element.type_ref.innermost() {
        TypeRef::Simple(simple) => of_type(simple.row().rust),
        _ => None,
    });
    let mut features: BTreeSet<_> = types.collect();
    if let Some(service) = &model.service {
        let mut operations = service.operations.iter();
        let has_json = operations.any(|operation| operation.bindings.has_script());
        features.extend((has_json && has_protocols(options, service)).then_some("json"));
        let has_sessions = options.server && service.has_sessions();
        features.extend(has_sessions.then_some("sessions"));
        features.extend((service.has_named_time_zone()).then_some("time-zones"));
    }
    features
}

/// The feature that provides a Rust type.
fn of_type(rust: RustType) -> Option<&'static str> {
    let (RustType::Runtime(name) | RustType::Xml(name)) = rust else {
        return None;
    };
    match name {
        "DataSet" | "DataTable" => Some("data-sets"),
        "Date" | "DateTime" | "Time" => Some("time"),
        "Decimal" => Some("decimal"),
        "Guid" => Some("guid"),
        _ => None,
    }
}
