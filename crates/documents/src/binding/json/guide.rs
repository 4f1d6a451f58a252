//! Information for callers over JSON, in paragraphs of documentation.

use svcgen_model::{At, Binding, Element, Operation, ResponseFormat, TypeAt, base_path};

use super::CONTENT_TYPE;
use super::sample::{Notation, notation};
use crate::markup::Samples;

const ANSWERS: &str =
    "The answer to a call is an object whose member `d` is the result, or `null` if there is none.";

const DATES: &str = "Dates and times are texts of the milliseconds since the start of 1970 in UTC, with the backslashes: `\"\\/Date(1709210096789)\\/\"`. \
    Texts such as `\"2024-02-29T12:34:56Z\"` are read as well.";

const BYTES: &str = "Bytes are an array of numbers: `[0, 1, 255]`.";

const DICTIONARIES: &str = "Dictionaries are objects whose members have any names. Of a name that stands twice the last value counts.";

const SPECIFIED: &str = "A number, date or the like that may be left out is two members: `X`, and `XSpecified`, which says whether it is there. \
    A request may leave both out.";

const FAILURES: &str = "A call that failed is answered with status 500, the header `jsonerror: true` and an object: `Message` says why, \
    `ExceptionType` is the class of the exception in .NET, and `StackTrace` is empty.";

/// The paragraphs that apply to this service.
pub(super) fn guide(samples: &Samples<'_>) -> String {
    let service = samples.service;
    let operations: Vec<_> = service.operations_over(Binding::Json).collect();
    let messages = operations
        .iter()
        .flat_map(|each| each.parameters().elements().chain(each.result()));
    let reached = samples.types.reach(messages);
    let names = |is_one: fn(&Operation<'_>) -> bool| {
        let operations = operations
            .iter()
            .filter(|operation| is_one(operation.row()));
        listed(operations.map(|operation| operation.row().name))
    };
    let has = |wanted| {
        let mut elements = reached.elements.iter();
        elements.any(|element| {
            matches!(element.type_at(), TypeAt::Simple(simple) if notation(simple) == wanted)
        })
    };

    let mut paragraphs = vec![
        format!(
            "Each operation has a path of its own: that of the service, `/` and its name in any letter case. \
             Requests are `POST` with `Content-Type: {CONTENT_TYPE}`, and the body is an object of the parameters in UTF-8. \
             Each parameter must be there under its very name, with `null` for no value; members of other objects may be left out, and their names are read in any letter case."
        ),
        ANSWERS.to_owned(),
    ];
    let by_get = names(|operation| operation.script.use_http_get);
    if !by_get.is_empty() {
        paragraphs.push(format!(
            "Called by `GET` instead: {by_get}. Each parameter is a field of the query, whose value is JSON, percent-encoded: \
             `?s=%22text%22`. Such a request has the same `Content-Type`, although it has no body."
        ));
    }
    let as_xml = names(|operation| operation.script.response_format != ResponseFormat::Json);
    if !as_xml.is_empty() {
        paragraphs.push(format!("Answered in XML, in no namespace: {as_xml}."));
    }
    let numbers = reached.definitions.iter().filter_map(numbers_of);
    let numbers = numbers.collect::<Vec<_>>().join("; ");
    if !numbers.is_empty() {
        paragraphs.push(format!(
            "Values of enumerations are numbers, sets of them the sum; names are read as well. The numbers are {numbers}."
        ));
    }
    let any = |is: fn(&At<'_, Element<'_>>) -> bool| reached.elements.iter().any(is);
    let of_values = [
        (DATES, has(Notation::Date)),
        (BYTES, has(Notation::Bytes)),
        (
            DICTIONARIES,
            any(|element| matches!(element.type_at(), TypeAt::Dictionary(_))),
        ),
        (SPECIFIED, any(|element| element.has_specified())),
    ];
    let of_values = of_values.into_iter().filter(|(_, is_said)| *is_said);
    paragraphs.extend(of_values.map(|(paragraph, _)| paragraph.to_owned()));
    let types = service.script_types();
    let objects = types.filter(|(known, _)| matches!(known, TypeAt::Complex(_)));
    let known = listed(objects.map(|(_, name)| name));
    if !known.is_empty() {
        paragraphs.push(format!(
            "Objects of these types say so in answers, as their first member `__type`: {known}. \
             In a request an object needs it if its type extends the declared one."
        ));
    }
    paragraphs.push(FAILURES.to_owned());
    let path = base_path(service.path);
    paragraphs.push(format!(
        "`{path}/js` is a script for pages with Microsoft's AJAX library, whose functions call the operations; `{path}/jsdebug` is the same with comments."
    ));
    paragraphs.join("\n\n")
}

/// The numbers of an enumeration, with the names that are read instead.
fn numbers_of(definition: &TypeAt<'_>) -> Option<String> {
    let TypeAt::Enumeration(enumeration) = definition else {
        return None;
    };
    let values = enumeration.numbers().zip(enumeration.row().values);
    let values = values.map(|(number, value)| format!("{number} for `{}`", value.field_name()));
    let values: Vec<_> = values.collect();
    Some(format!("of `{}` {}", enumeration.name, values.join(", ")))
}

/// Names as code, separated by commas.
fn listed<'n>(names: impl Iterator<Item = &'n str>) -> String {
    let names: Vec<_> = names.map(|name| format!("`{name}`")).collect();
    names.join(", ")
}
