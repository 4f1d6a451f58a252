//! The information for callers over JSON and page scripts: names of .NET, and the methods of calls.

use std::collections::HashSet;

use svcgen_language::definition::{Located, ScriptMethodKeys};
use svcgen_language::naming;
use svcgen_language::rules::Rule;
use svcgen_language::sink::Sink;

use super::names::{is_true, word};
use crate::model::{
    Bindings, ComplexTypeId, EnumerationId, Method, Model, Origin, ResponseFormat, Script,
    ScriptMethod, ScriptName, ScriptType, TypeRef,
};

/// The full name of a class in .NET code.
pub(super) fn class_name(asked: Option<&Located<String>>, sink: &mut Sink) -> Option<String> {
    let asked = asked?;
    if !naming::is_net_class(&asked.value) {
        let message = format!("`{asked}` is not the name of a class in .NET");
        sink.add(Rule::XmlName, asked.node, message)
            .hint("it is written like `Company.Crm.Address`, a class in a class like `Company.Crm.Outer+Address`");
    }
    Some(asked.value.clone())
}

/// Whether callers over JSON know a type, and by which name.
pub(super) fn script_name(
    written: Option<&Located<String>>,
    sink: &mut Sink,
) -> Option<ScriptName> {
    let written = written?;
    match written.value.as_str() {
        "true" => Some(ScriptName::Net),
        "false" => None,
        name => {
            if name.is_empty() {
                let message = "the name that stands for a type in JSON is empty";
                (sink.add(Rule::KeyDoesNotFit, written.node, message))
                    .hint("write `script_type: true` for its name in .NET");
            }
            Some(ScriptName::Other(name.to_owned()))
        }
    }
}

/// The method and the format of an operation over JSON.
pub(super) fn script_method(
    written: Option<&Located<ScriptMethodKeys>>,
    bindings: Bindings,
    sink: &mut Sink,
) -> ScriptMethod {
    let Some(written) = written else {
        return ScriptMethod::default();
    };
    let keys = &written.value;
    let words = [("json", ResponseFormat::Json), ("xml", ResponseFormat::Xml)];
    let hint = "it is `json` or `xml`, as the `ResponseFormat` of ASMX";
    let format = keys.response_format.as_ref();
    let mut response_format = word("response_format", format, &words, hint, sink);
    if let Some(strings) = keys.xml_serialize_string.as_ref().filter(|key| key.value) {
        if response_format == ResponseFormat::Json {
            let message = "`xml_serialize_string` is for answers in XML";
            (sink.add(Rule::KeyDoesNotFit, strings.node, message))
                .hint("write it beside `response_format: xml`, or leave it out");
        }
        response_format = ResponseFormat::XmlString;
    }
    if !bindings.has_script() {
        return ScriptMethod::default();
    }
    ScriptMethod {
        use_http_get: is_true(&keys.use_http_get),
        response_format,
    }
}

/// Adds the information for callers over JSON and page scripts to a service: nothing if no
/// operation is offered to them.
pub(super) fn name_script_types(model: &mut Model) {
    let Some(service) = &model.service else {
        return;
    };
    let methods = service.operations.iter();
    let methods = methods.filter(|method| method.bindings.has_script());
    let class = service.script.class.as_deref();
    let namespace = class.and_then(|class| Some(class.rsplit_once('.')?.0));
    let mut known = ScriptTypes {
        model,
        namespace,
        seen: HashSet::new(),
        types: Vec::new(),
    };
    let mut methods = methods.peekable();
    let is_offered = methods.peek().is_some();
    if is_offered {
        known.add_marked();
        methods.for_each(|method| known.add_of(method));
    }
    let types = known.types;
    if let Some(service) = &mut model.service {
        let class = service.script.class.take().filter(|_| is_offered);
        service.script = Script { class, types };
    }
}

/// The types that callers over JSON know, found so far.
struct ScriptTypes<'m> {
    model: &'m Model,
    /// The .NET namespace of the service's class.
    namespace: Option<&'m str>,
    seen: HashSet<(bool, usize)>,
    types: Vec<ScriptType>,
}

impl ScriptTypes<'_> {
    /// Adds the types that are marked as known, except those of files that included files include.
    fn add_marked(&mut self) {
        let includes = &self.model.includes;
        let is_here = |origin: &Option<Origin>| match origin {
            None => true,
            Some(origin) => includes.iter().any(|one| one.file == origin.file),
        };
        for (id, complex) in self.model.complex_types.iter().enumerate() {
            if complex.script_type.is_some() && is_here(&complex.included) {
                self.add(&TypeRef::Complex(ComplexTypeId(id)));
            }
        }
        for (id, enumeration) in self.model.enumerations.iter().enumerate() {
            if enumeration.script_type && is_here(&enumeration.included) {
                self.add(&TypeRef::Enumeration(EnumerationId(id)));
            }
        }
    }

    /// Adds the types of the parameters and of the result of an operation; results in XML are of no
    /// type that callers know.
    fn add_of(&mut self, method: &Method) {
        for parameter in &method.request.elements {
            self.add(&parameter.type_ref);
        }
        if method.script.response_format == ResponseFormat::Json {
            for result in method.result_elements() {
                self.add(&result.type_ref);
            }
        }
    }

    fn add(&mut self, type_ref: &TypeRef) {
        let mut class = None;
        let name = match type_ref {
            TypeRef::List(list) => return self.add(&list.item_type),
            TypeRef::Complex(ComplexTypeId(id)) => {
                let complex = &self.model.complex_types[*id];
                if complex.is_abstract || !self.seen.insert((true, *id)) {
                    return;
                }
                let full = self.full_name(complex.net.as_deref(), &complex.name.xml);
                match &complex.script_type {
                    Some(ScriptName::Other(name)) => {
                        class = Some(full);
                        name.clone()
                    }
                    _ => full,
                }
            }
            TypeRef::Enumeration(EnumerationId(id)) => {
                let enumeration = &self.model.enumerations[*id];
                if !self.seen.insert((false, *id)) {
                    return;
                }
                self.full_name(enumeration.net.as_deref(), &enumeration.name.xml)
            }
            // .NET does not look into generic types of two arguments, such as dictionaries.
            TypeRef::Simple(_)
            | TypeRef::Custom(..)
            | TypeRef::Group(_)
            | TypeRef::Dictionary(_) => return,
        };
        let type_ref = type_ref.clone();
        self.types.push(ScriptType {
            type_ref,
            name,
            class,
        });
    }

    /// The full name of a class in .NET code, by default that of its type in the namespace of the
    /// service's class.
    fn full_name(&self, net: Option<&str>, name: &str) -> String {
        match (net, self.namespace) {
            (Some(net), _) => net.to_owned(),
            (None, Some(namespace)) => format!("{namespace}.{name}"),
            (None, None) => name.to_owned(),
        }
    }
}
