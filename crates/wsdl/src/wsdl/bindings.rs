//! Bindings: their protocols, and their operations.

use std::collections::HashMap;

use svcgen_model::Binding;

use super::Style;
use super::index::Item;
use super::messages::Why;
use super::namespaces::{HTTP, MIME, SOAP11, SOAP12};
use crate::report::Report;
use crate::rules::Rule;

/// The transport URIs for HTTP.
const TRANSPORTS: [&str; 4] = [
    "http://schemas.xmlsoap.org/soap/http",
    "http://www.w3.org/2003/05/soap/bindings/HTTP",
    "http://schemas.xmlsoap.org/soap/https",
    "http://www.w3.org/2010/soapjms/http",
];

/// A binding that the language supports.
#[derive(Debug)]
pub(super) struct BindingItem<'s> {
    /// `None` for SOAP 1.1 in document style, which is assumed if there is no binding.
    pub item: Option<Item<'s>>,
    pub binding: Binding,
    /// The style of operations that do not state one.
    pub style: Style,
    operations: HashMap<&'s str, Vec<Item<'s>>>,
}

impl<'s> BindingItem<'s> {
    /// SOAP 1.1 in document style.
    pub fn assumed() -> Self {
        Self {
            item: None,
            binding: Binding::Soap11,
            style: Style::Document,
            operations: HashMap::new(),
        }
    }

    /// Reads the protocol of a binding.
    pub fn new(item: Item<'s>, report: &Report<'s>) -> Result<Self, Why> {
        let soap = [(SOAP11, Binding::Soap11), (SOAP12, Binding::Soap12)];
        let soap = soap.into_iter().find_map(|(namespace, binding)| {
            let extension = item.extensions(namespace, "binding").next()?;
            Some((extension, binding))
        });
        let (binding, style) = if let Some((extension, binding)) = soap {
            match extension.attribute("transport") {
                Some(transport) if !TRANSPORTS.contains(&transport.trim_end_matches('/')) => {
                    return Err(format!("its transport `{transport}` is not HTTP").into());
                }
                Some(_) => {}
                None => {
                    let name = item.name();
                    let what = format!("the binding `{name}` names no transport: HTTP is assumed");
                    report.add(Rule::NotInWsdl, extension.place(), what, None);
                }
            }
            (binding, Style::of(extension)?.unwrap_or(Style::Document))
        } else if let Some(extension) = item.extensions(HTTP, "binding").next() {
            let verb = extension.attribute("verb").unwrap_or_default();
            let binding = match verb {
                "GET" => Binding::HttpGet,
                "POST" => Binding::HttpPost,
                _ => return Err(format!("its verb is `{verb}`").into()),
            };
            let operations = item.children("operation");
            let requests: Vec<_> = operations
                .map(|bound| refuse_request(binding, bound))
                .collect();
            // Axis 2 sends the XML of the Body without SOAP so.
            if let Some(Err(why)) = requests.first()
                && requests.iter().all(Result::is_err)
            {
                return Err(why.clone().into());
            }
            (binding, Style::Document)
        } else {
            return Err("it is none of SOAP and HTTP".to_owned().into());
        };
        let mut operations: HashMap<_, Vec<_>> = HashMap::new();
        for operation in item.children("operation") {
            operations
                .entry(operation.name())
                .or_default()
                .push(operation);
        }
        Ok(Self {
            item: Some(item),
            binding,
            style,
            operations,
        })
    }

    /// The namespace of its extension elements.
    pub fn namespace(&self) -> &'static str {
        match self.binding {
            Binding::Soap11 => SOAP11,
            Binding::Soap12 => SOAP12,
            _ => HTTP,
        }
    }

    /// The binding's element for an operation of a port type; for overloads, the one with the same
    /// names of input and output, or else the one at the same position among them.
    pub fn operation(&self, operation: Item<'s>, overload: usize) -> Option<Item<'s>> {
        let named = self.operations.get(operation.name())?;
        let name = |item: Item<'s>, direction| item.child(direction)?.attribute("name");
        let is_it = |one: &&Item<'s>| {
            let same = |direction| name(**one, direction) == name(operation, direction);
            same("input") && same("output")
        };
        let by_name = named.iter().find(is_it).filter(|_| named.len() > 1);
        by_name.or_else(|| named.get(overload)).copied()
    }
}

/// Refuses an operation over HTTP GET or POST whose parameters are not sent as a form.
pub(super) fn refuse_request(binding: Binding, bound: Item<'_>) -> Result<(), String> {
    let input = bound.child("input");
    let is_url_encoded =
        input.is_some_and(|input| input.extensions(HTTP, "urlEncoded").count() > 0);
    let contents = input.iter();
    let mut contents = contents.flat_map(|input| input.extensions(MIME, "content"));
    let media_type = contents.find_map(|content| content.attribute("type"));
    match (binding, media_type) {
        (Binding::HttpGet, _) if is_url_encoded => Ok(()),
        (Binding::HttpPost, Some("application/x-www-form-urlencoded")) => Ok(()),
        (_, Some(media_type)) => Err(format!("its requests are `{media_type}`, not forms")),
        _ => Err("its requests are not forms".to_owned()),
    }
}

impl Style {
    /// The attribute `style` of an extension element, if it is present.
    pub(super) fn of(extension: Item<'_>) -> Result<Option<Self>, Why> {
        match extension.attribute("style") {
            None => Ok(None),
            Some("document") => Ok(Some(Self::Document)),
            Some("rpc") => Ok(Some(Self::Rpc)),
            Some(style) => Err(format!("its style `{style}` is not known").into()),
        }
    }
}
