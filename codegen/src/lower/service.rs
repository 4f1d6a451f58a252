//! The service: its names, its namespace and its path.

use svcgen_language::definition::{Definition, NodeId};
use svcgen_language::naming::{self, Case};
use svcgen_language::rules::Rule;
use svcgen_language::sink::Sink;
use svcgen_model::path_complaint;

use super::context::Pass;
use super::encoding::Encoding;
use super::headers::faults;
use super::names::{asked_rust_name, name, word};
use super::namespaces::{check_namespace, element_form};
use super::operations::operations;
use super::script::class_name;
use crate::model::{Name, Routing, Script, Service, ServiceItems};

/// The service of a definition; `None` if it is wrong.
pub(super) fn service(pass: &mut Pass<'_, '_>) -> Option<Service> {
    let definition = pass.context.definition;
    let written = definition.service.as_ref();
    let asked = definition.rust.as_ref();
    let name = written.and_then(|written| name(written, asked, Case::Type, pass.sink));
    let emitted = name.as_ref().map(service_items);
    if let (Some(emitted), Some(written)) = (&emitted, written) {
        let parts = [
            ("handler", &emitted.handler),
            ("server", &emitted.server),
            ("description", &emitted.service),
            ("client", &emitted.client),
        ];
        for (part, rust) in parts {
            let what = format!("the {part} of the service");
            pass.claim(rust, written.node, what);
        }
    }
    let namespace = namespace(definition, pass.sink);
    let path = path(definition, pass.sink);
    let element_form = element_form(definition.element_form.as_ref(), pass.sink);
    let routing = routing(definition, pass.sink);
    let time_zone = time_zone(definition, pass.sink);
    let class = class_name(definition.net.as_ref(), pass.sink);
    let faults = faults(pass);
    let encoding = Encoding::of(definition, pass.sink);
    let operations = operations(
        pass,
        namespace.as_deref().unwrap_or_default(),
        routing,
        &encoding,
    );
    let operations = operations?;
    Some(Service {
        has_scopes: false,
        literal_namespace: encoding.literal_namespace,
        name: name?,
        namespace: namespace?,
        path: path?,
        element_form,
        routing,
        time_zone,
        list_names: Vec::new(),
        operations,
        faults: faults?,
        script: Script {
            class,
            types: Vec::new(),
        },
        items: emitted?,
    })
}

/// The name of the module of a service.
pub(super) fn module_name(service: &Service) -> String {
    let name = service.name.rust.trim_end_matches('_');
    naming::rust_name(name, Case::Value).unwrap_or_default()
}

/// The name of the module for a file of types.
pub(super) fn module_of_types(
    definition: &Definition,
    stem: &str,
    sink: &mut Sink,
) -> Option<String> {
    namespace(definition, sink);
    let name = match &definition.rust {
        Some(asked) => asked_rust_name(asked, Case::Type, sink)?,
        None => stem.to_owned(),
    };
    let module = naming::rust_name(naming::unraw(&name), Case::Value);
    if module.is_none() {
        let message = format!("no Rust name can be made from the name of the file, `{stem}`");
        sink.add(Rule::RustName, NodeId(0), message)
            .hint("give one with the key `rust`: `rust: SharedTypes`");
    }
    module
}

fn namespace(definition: &Definition, sink: &mut Sink) -> Option<String> {
    let namespace = definition.namespace.as_ref()?;
    check_namespace(namespace, sink);
    Some(namespace.value.clone())
}

fn path(definition: &Definition, sink: &mut Sink) -> Option<String> {
    let path = definition.path.as_ref()?;
    if let Some(complaint) = path_complaint(&path.value) {
        let message = format!("the path `{path}` {complaint}");
        let pending = sink.add(Rule::Path, path.node, message);
        match path_of(&path.value) {
            Some(meant) => pending.fix(&path.value, &meant).hint(format!("write `{meant}`")),
            None => pending.hint("a path is what follows the host in the service's URL, like `/SvcDotNet/Authenticator.asmx`"),
        };
    }
    Some(path.value.clone())
}

fn routing(definition: &Definition, sink: &mut Sink) -> Routing {
    let words = [("action", Routing::Action), ("element", Routing::Element)];
    let hint = "it is `action` or `element`, as the `RoutingStyle` of ASMX";
    word("routing", definition.routing.as_ref(), &words, hint, sink)
}

fn time_zone(definition: &Definition, sink: &mut Sink) -> Option<String> {
    let written = definition.time_zone.as_ref()?;
    let zone = &written.value;
    if !is_offset(zone) && !time_zones().any(|known| known == zone) {
        let message = format!("`{zone}` is not a time zone");
        let hint = "it is `UTC`, an offset of up to 14 hours such as `-05:00`, or a name of the IANA database such as `America/New_York`";
        sink.add(Rule::KeyDoesNotFit, written.node, message)
            .nearest(zone, time_zones(), hint);
    }
    Some(zone.clone())
}

/// The names of the IANA database, links included.
fn time_zones() -> impl Iterator<Item = &'static str> {
    include_str!("time_zones.txt").lines()
}

/// Whether a text is an offset from UTC as XML Schema writes it, `+05:30`.
fn is_offset(text: &str) -> bool {
    let number = |digits: &str| {
        let is_number = digits.len() == 2 && digits.bytes().all(|byte| byte.is_ascii_digit());
        digits.parse::<u32>().ok().filter(|_| is_number)
    };
    let parts = text
        .strip_prefix(['+', '-'])
        .and_then(|rest| rest.split_once(':'));
    parts.is_some_and(|(hours, minutes)| match (number(hours), number(minutes)) {
        (Some(hours), Some(minutes)) => minutes < 60 && hours * 60 + minutes <= 14 * 60,
        _ => false,
    })
}

fn service_items(name: &Name) -> ServiceItems {
    let base = name.rust.trim_end_matches('_');
    ServiceItems {
        handler: format!("{base}Handler"),
        server: format!("{base}Server"),
        service: if base.ends_with("Service") {
            base.to_owned()
        } else {
            format!("{base}Service")
        },
        client: format!("{base}Client"),
    }
}

/// Whether a file describes a service. A file with only types is included by services.
pub(super) fn is_service(definition: &Definition) -> bool {
    let texts = [
        &definition.service,
        &definition.path,
        &definition.style,
        &definition.r#use,
        &definition.routing,
        &definition.time_zone,
        &definition.net,
    ];
    texts.into_iter().any(Option::is_some)
        || definition.bindings.is_some()
        || !(definition.operations.0.is_empty()
            && definition.headers.0.is_empty()
            && definition.faults.0.is_empty())
        || (definition.types.0.is_empty() && definition.enums.0.is_empty())
}

pub(super) fn check_required_keys(definition: &Definition, sink: &mut Sink) {
    let keys = [
        ("service", definition.service.is_none()),
        ("namespace", definition.namespace.is_none()),
        ("path", definition.path.is_none()),
    ];
    let missing: Vec<_> = keys
        .iter()
        .filter(|(_, missing)| *missing)
        .map(|(key, _)| format!("`{key}`"))
        .collect();
    if let [others @ .., last] = missing.as_slice() {
        let others = others.join(", ");
        let and = if others.is_empty() { "" } else { " and " };
        let message = format!("the definition lacks {others}{and}{last}");
        sink.add(Rule::MissingKey, NodeId(0), message)
            .hint("every definition says `service: NAME`, `namespace: URI` and `path: /PATH`");
    }
}

/// The path that was probably intended.
fn path_of(written: &str) -> Option<String> {
    let path = written.split_once("://").map_or(written, |(_, rest)| {
        rest.find('/').map_or("", |at| &rest[at..])
    });
    let path = path.split(['?', '#']).next().unwrap_or_default();
    let path = format!("/{}", path.trim_matches('/'));
    path_complaint(&path).is_none().then_some(path)
}
