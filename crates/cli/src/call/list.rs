//! Short descriptions of the operations of a service.

use std::fmt::Write;

use svcgen_import::OperationLoss;
use svcgen_messages::{Operation, Place, Service};
use svcgen_model::{TypeAt, elements_of};

/// Writes a line for each operation, and the messages about operations that are left out.
pub(super) fn operations(service: Service, losses: &[OperationLoss]) -> String {
    let lines = service.operations().map(|operation| line(operation) + "\n");
    let left_out = losses.iter().filter(|loss| loss.is_whole);
    let left_out = left_out.map(|loss| format!("# {}\n", loss.message));
    lines.chain(left_out).collect()
}

/// Writes an operation with its bindings, SOAP headers and types.
pub(super) fn operation(operation: Operation) -> String {
    let mut text = line(operation) + "\n";
    let row = operation.row();
    let bindings: Vec<_> = row.bindings.iter().map(|binding| binding.key()).collect();
    let _ = writeln!(text, "bindings: {}", bindings.join(", "));
    for (what, place) in [
        ("SOAP headers", operation.header_place()),
        ("SOAP headers of answers", operation.answer_header_place()),
    ] {
        if !place.members().is_empty() {
            let _ = writeln!(text, "{what}: {}", members(place));
        }
    }
    let faults = row
        .faults()
        .map(|fault| format!("{}: {}", fault.name, fault.type_name()));
    let faults: Vec<_> = faults.collect();
    if !faults.is_empty() {
        let _ = writeln!(text, "faults: {}", faults.join(", "));
    }
    if let Some(documentation) = row.documentation() {
        let _ = writeln!(text, "{}", documentation.trim());
    }
    types(operation, &mut text);
    text
}

/// Writes the types that its messages reach.
fn types(operation: Operation, text: &mut String) {
    let service = operation.service().row();
    let all = svcgen_model::Types::of(service);
    let elements = elements_of(service, operation.row());
    for found in all.reach(elements).definitions {
        let line = match found {
            TypeAt::Enumeration(one) => {
                let divider = if one.flags { " " } else { " | " };
                let names: Vec<_> = one.values.iter().map(|value| value.name).collect();
                format!("{}: {}", one.name, names.join(divider))
            }
            TypeAt::Complex(one) => {
                let place = operation.service().type_place(one);
                format!("{}: {{ {} }}", one.name, members(place))
            }
            TypeAt::Simple(_) | TypeAt::List(_) | TypeAt::Dictionary(_) => continue,
        };
        let _ = writeln!(text, "{line}");
    }
}

/// Returns the signature of an operation.
pub(super) fn line(operation: Operation) -> String {
    let parameters = members(operation.parameter_place());
    let answer = operation.answer_place();
    let result = match operation.row().result() {
        None if answer.members().is_empty() => String::new(),
        Some(_) if !operation.row().has_results() => format!(": {}", answer.type_name()),
        _ => format!(": {{ {} }}", members(answer)),
    };
    format!("{}({parameters}){result}", operation.name())
}

fn members(place: Place) -> String {
    let members = place.members().into_iter().map(|name| {
        let of = place.member(name).map(Place::type_name);
        format!("{name}: {}", of.unwrap_or_default())
    });
    members.collect::<Vec<_>>().join(", ")
}
