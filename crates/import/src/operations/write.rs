//! An entry of `operations`.

use svcgen_model::{Binding, Bindings};
use svcgen_wsdl::report::DocumentSpan;
use svcgen_wsdl::rules::Rule;
use svcgen_wsdl::wsdl::{Form, Message, Operation, PartContent, Soap, Style};

use super::is_encoded;
use super::writer::{Body, Writer};
use crate::draft::Draft;

impl<'s> Writer<'_, 's> {
    /// Writes an operation, and returns the bindings that it is offered over; the error is the
    /// reason why it cannot be expressed.
    pub fn operation(
        &mut self,
        operation: &Operation<'s>,
        key: &str,
    ) -> Result<(Draft, Bindings), (DocumentSpan, String)> {
        let mut draft = Draft::map().at(operation.place);
        let comments = operation.comments.iter();
        comments.for_each(|comment| draft.comment(comment));
        if key != operation.name {
            draft.set("wsdl_name", operation.name);
        }
        draft.set_some("doc", operation.doc.as_deref().map(Draft::doc));
        let mut offered = operation.bindings;
        let mut form = operation.form.as_ref();
        if let Some(soap) = &operation.soap {
            match (self.soap(soap, operation, key, &mut draft), form) {
                (Ok(()), _) => form = None,
                (Err(why), None) => return Err((operation.place, why)),
                (Err(why), Some(_)) => {
                    let forms = Bindings::NONE.with(Binding::HttpGet);
                    offered = offered.and(forms.with(Binding::HttpPost));
                    let name = operation.name;
                    let what = format!("`{name}` is left out over SOAP: {why}");
                    draft.comment(&what);
                    let report = self.types.report;
                    report.add_of_operation(Rule::LeftOut, operation.place, name, what, None);
                }
            }
        }
        if let Some(form) = form {
            self.types.is_encoded = false;
            self.form(form, key, &mut draft);
        }
        Ok((draft, offered))
    }

    fn soap(
        &mut self,
        soap: &Soap<'s>,
        operation: &Operation<'s>,
        key: &str,
        draft: &mut Draft,
    ) -> Result<(), String> {
        let is_encoded = is_encoded(soap);
        let messages = [Some(&soap.input), soap.output.as_ref()];
        let mut messages = messages.into_iter().flatten();
        if messages.any(|one| one.is_encoded != is_encoded && !one.parts.is_empty()) {
            return Err("one of its messages is encoded and the other is literal".to_owned());
        }
        self.types.is_encoded = is_encoded;
        let (style, request, response) = self.bodies(soap, operation, key)?;
        let action = format!("{}/{key}", self.home.strip_suffix('/').unwrap_or(self.home));
        if soap.action != action {
            draft.set("action", soap.action);
        }
        draft.set("style", style);
        if is_encoded != self.file.is_encoded {
            draft.set("use", if is_encoded { "encoded" } else { "literal" });
        }
        self.wrapper("request", &request, key, draft);
        if !request.members.is_empty() {
            let mut parameters = members(request.members);
            if let Some(form) = &operation.form {
                name_fields(&mut parameters, form);
            }
            draft.set("parameters", parameters);
        }
        match response {
            Some(response) => {
                self.wrapper("response", &response, &format!("{key}Response"), draft);
                results(response.members, key, draft);
                // HTTP GET and POST return the only result, if they return any.
                if let Some([(only, list)]) = draft.get("results").map(Draft::entries)
                    && operation.bindings.has_form()
                    && list.get("list").is_some()
                {
                    let only = only.clone();
                    draft.set("result_element", only);
                }
            }
            None => {
                draft.set("one_way", true);
            }
        }
        let (headers, comments) = self.headers(soap);
        comments.iter().for_each(|comment| draft.comment(comment));
        if !headers.entries().is_empty() {
            draft.set("headers", headers);
        }
        let (faults, comments) = self.faults(soap);
        comments.iter().for_each(|comment| draft.comment(comment));
        if !faults.is_empty() {
            draft.set("faults", Draft::list(faults.into_iter().map(Draft::from)));
        }
        Ok(())
    }

    /// Writes the style, and the content of request and response.
    fn bodies(
        &mut self,
        soap: &Soap<'s>,
        operation: &Operation<'s>,
        key: &str,
    ) -> Result<(&'static str, Body<'s>, Option<Body<'s>>), String> {
        let output = soap.output.as_ref();
        if soap.style == Style::Rpc {
            let request = self.rpc(&soap.input, operation.name)?;
            let name = format!("{}Response", operation.name);
            let response = output.map(|output| self.rpc(output, name));
            return Ok(("rpc", request, response.transpose()?));
        }
        let request = self.wrapped(&soap.input, key);
        let response = |writer: &mut Self, output: &Message<'s>| {
            writer.wrapped(output, &format!("{key}Response"))
        };
        if let Some(request) = request {
            match output.map(|output| response(self, output)) {
                None => return Ok(("document", request, None)),
                Some(Some(response)) => return Ok(("document", request, Some(response))),
                Some(None) => {}
            }
        }
        if is_encoded(soap) {
            return Err("encoded messages in document style are one object each".to_owned());
        }
        let request = self.bare(&soap.input);
        let response = output.map(|output| self.bare(output));
        Ok(("bare", request, response))
    }

    /// The keys `request` and `response`.
    fn wrapper(&mut self, key: &str, body: &Body<'s>, expected: &str, draft: &mut Draft) {
        // In document style the element of an encoded message is a type. In a class with
        // `[SoapRpcService]` the types are in its namespace, and literal elements are below it.
        let is_type =
            self.types.is_encoded && draft.get("style").and_then(Draft::text) == Some("document");
        let by_default = match (self.file.is_turned, self.types.is_encoded) {
            (true, false) => svcgen_model::literal_types(self.home),
            (false, true) if is_type => svcgen_model::encoded_types(self.home),
            _ => self.home.to_owned(),
        };
        let Some((of, name)) = &body.wrapper else {
            return;
        };
        let mut wrapper = Draft::flow_map();
        if name != expected {
            wrapper.set("name", &**name);
        }
        if *of != by_default {
            let namespace = match *of {
                "" => String::new(),
                namespace => self.types.short_or_home(namespace),
            };
            wrapper.set("namespace", namespace);
        }
        if !wrapper.entries().is_empty() {
            draft.set(key, wrapper.short("name"));
        }
    }

    /// Writes the messages of an operation that is offered over HTTP GET and POST only.
    fn form(&mut self, form: &Form<'s>, key: &str, draft: &mut Draft) {
        let parameters = form.parameters.iter().map(|part| {
            let draft = match part.content {
                PartContent::Type(type_ref) if self.type_name(type_ref) == Some("StringArray") => {
                    Draft::from("string[]").at(part.place)
                }
                _ => self.part(part).short("type"),
            };
            (part.name.to_owned(), draft)
        });
        let parameters: Vec<_> = parameters.collect();
        if !parameters.is_empty() {
            draft.set("parameters", members(parameters));
        }
        if let Some(result) = &form.result {
            let result = self.part(result).short("type");
            results(vec![(format!("{key}Result"), result)], key, draft);
        }
    }
}

/// A map in a block.
fn members(members: Vec<(String, Draft)>) -> Draft {
    let mut map = Draft::map();
    for (key, member) in members {
        map.push(key, member);
    }
    map
}

/// Sets the names of form fields, which are the names of the parameters in .NET.
fn name_fields(parameters: &mut Draft, form: &Form<'_>) {
    let parameters = parameters.entries_mut();
    if parameters.len() != form.parameters.len() {
        return;
    }
    for ((key, parameter), field) in parameters.iter_mut().zip(&form.parameters) {
        let is_value = parameter.text().is_some() || parameter.get("type").is_some();
        if key != field.name && is_value {
            parameter.long("type").set("net", field.name);
        }
    }
}

/// The keys `result` and `result_element`, or `results`.
fn results(mut results: Vec<(String, Draft)>, key: &str, draft: &mut Draft) {
    match results.as_slice() {
        [] => {}
        [(_, one)] if is_result(one) => {
            let (name, result) = results.remove(0);
            draft.set("result", result);
            if name != format!("{key}Result") {
                draft.set("result_element", name);
            }
        }
        _ => {
            draft.set("results", members(results));
        }
    }
}

/// Whether an element can be written as `result`: one value, without anything that this key cannot
/// express.
fn is_result(element: &Draft) -> bool {
    let others = [
        "any", "choice", "sequence", "name", "default", "fixed", "min", "max",
    ];
    let is_unwrapped = element.get("list").and_then(Draft::text) == Some("unwrapped");
    !is_unwrapped && others.into_iter().all(|key| element.get(key).is_none())
}
