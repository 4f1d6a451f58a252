//! Reads a file of rules.

use std::sync::Mutex;
use std::sync::atomic::AtomicUsize;
use std::time::Duration;

use http::{HeaderName, StatusCode};
use serde_json::{Map, Value as Json};
use svcgen::FaultCode;
use svcgen_language::yaml::{Content, Node, parse};
use svcgen_messages::{Operation, Service};

use super::check::{check_answer, check_conditions, check_detail};
use super::condition::When;
use super::reader::{Entry, Reader, json, text, value, value_of};
use super::{BrokenAnswer, GivenAnswer, Rule, RuleStep, Rules, State};
use crate::exit::Failure;
use crate::mock::template;

/// The maximum delay.
const MOST_DELAY: Duration = Duration::from_secs(24 * 60 * 60);

/// Keys of a step of `sequence`, and of a rule without it.
const STEP_KEYS: [&str; 8] = [
    "answer", "sample", "fault", "headers", "http", "delay", "broken", "set",
];

/// Reads the rules of a file, for these services.
///
/// # Errors
///
/// Returns all mistakes in the file.
pub(in crate::mock) fn read(
    file: &str,
    bytes: &[u8],
    services: &[Service],
) -> Result<Rules, Failure> {
    if bytes.trim_ascii().is_empty() {
        let hint = format!("{file} is empty: write `rules:` and a list of rules");
        return Err(Failure::Mistakes(vec![hint]));
    }
    let tree = parse(file, bytes)?;
    let complaints = Vec::new();
    let mut reader = Reader { file, complaints };
    let mut rules = Rules::default();
    for entry in reader.entries(&tree.root, &["rules", "state"]) {
        match (entry.key, json(entry.value)) {
            ("state", Json::Object(state)) => rules.state = Mutex::new(State::of(state)),
            ("state", _) => reader.complain(
                entry.value,
                "a map is expected, of names and their first values",
            ),
            _ => {
                let nodes = reader.items(entry.value, "rules");
                let each = nodes.into_iter();
                let each = each.filter_map(|node| reader.rule(node, services));
                rules.rules = each.collect();
            }
        }
    }
    if reader.complaints.is_empty() {
        Ok(rules)
    } else {
        Err(Failure::Mistakes(reader.complaints))
    }
}

impl Reader<'_> {
    fn rule(&mut self, node: &Node, services: &[Service]) -> Option<Rule> {
        let mut keys = vec!["service", "operation", "when", "sequence"];
        keys.extend(STEP_KEYS);
        let entries = self.entries(node, &keys);
        let operation = self.operation(node, &entries, services)?;
        let find = |key: &str| value_of(&entries, key);
        let when = match find("when") {
            Some(when) => check_conditions(self, operation, when),
            None => When::default(),
        };
        let steps = match find("sequence") {
            None => vec![self.step(&entries, operation, None)],
            Some(sequence) => {
                let delay = find("delay").map(|delay| self.delay(delay));
                let others = entries.iter();
                let is_of_step =
                    |entry: &&Entry<'_>| STEP_KEYS.contains(&entry.key) && entry.key != "delay";
                for other in others.filter(is_of_step) {
                    let key = other.key;
                    self.complain(
                        other.value,
                        format_args!("`{key}` belongs in the steps of `sequence`, not beside it"),
                    );
                }
                let steps = self.items(sequence, "steps");
                let steps = steps.into_iter().map(|node| {
                    let entries = self.entries(node, &STEP_KEYS);
                    self.step(&entries, operation, delay)
                });
                steps.collect()
            }
        };
        Some(Rule {
            operation,
            when,
            steps,
            calls: AtomicUsize::new(0),
            place: self.place(node),
        })
    }

    fn operation(
        &mut self,
        node: &Node,
        entries: &[Entry<'_>],
        services: &[Service],
    ) -> Option<Operation> {
        let find = |key: &str| value_of(entries, key);
        let mut wanted: Vec<_> = services.to_vec();
        if let Some(service) = find("service") {
            let name = self.text(service, "the name of a service")?;
            wanted.retain(|known| known.name() == name);
            if wanted.is_empty() {
                let known: Vec<_> = services.iter().map(|service| service.name()).collect();
                let known = known.join(", ");
                self.complain(
                    service,
                    format_args!("there is no service `{name}`; there is {known}"),
                );
                return None;
            }
        }
        let Some(operation) = find("operation") else {
            self.complain(node, "`operation` is missing: the name of an operation");
            return None;
        };
        let name = self.text(operation, "the name of an operation")?;
        let found: Vec<_> = wanted
            .iter()
            .filter_map(|service| service.operation(name).ok())
            .collect();
        match &*found {
            [one] => Some(*one),
            [] => {
                let operations = wanted.iter().flat_map(|service| service.operations());
                let known: Vec<_> = operations.map(Operation::name).collect();
                let hint = match svcgen_language::naming::nearest(name, known.iter().copied()) {
                    Some(nearest) => format!("did you mean `{nearest}`?"),
                    None => format!("there is {}", known.join(", ")),
                };
                self.complain(
                    operation,
                    format_args!("there is no operation `{name}`; {hint}"),
                );
                None
            }
            [..] => {
                let names: Vec<_> = found.iter().map(|one| one.service().name()).collect();
                let names = names.join(" and ");
                self.complain(
                    operation,
                    format_args!("{names} have an operation `{name}`: add `service: NAME`"),
                );
                None
            }
        }
    }

    fn step(
        &mut self,
        entries: &[Entry<'_>],
        operation: Operation,
        delay: Option<Duration>,
    ) -> RuleStep {
        let mut step = RuleStep {
            given: GivenAnswer::Answer {
                value: None,
                fills: false,
            },
            headers: None,
            status: None,
            http_headers: Vec::new(),
            delay: delay.unwrap_or_default(),
            broken: None,
            set: Json::Null,
        };
        let find = |key: &str| value_of(entries, key);
        let fills = find("sample").is_some_and(|sample| self.boolean(sample));
        for Entry { key, value: node } in entries {
            match *key {
                "answer" => {
                    self.check_templates(node);
                    let value = Some(value(node, Some(operation.answer_place())));
                    step.given = GivenAnswer::Answer { value, fills };
                }
                "fault" => {
                    if let Some(answer) = find("answer") {
                        self.complain(answer, "an answer and `fault` exclude each other");
                    }
                    step.given = self.fault(node, operation);
                }
                "headers" => {
                    self.check_templates(node);
                    step.headers = Some(value(node, Some(operation.answer_header_place())));
                }
                "http" => self.http(node, &mut step),
                "delay" => step.delay = self.delay(node),
                "broken" => step.broken = self.broken(node),
                "set" => {
                    self.check_templates(node);
                    step.set = json(node);
                    if !step.set.is_object() {
                        self.complain(node, "a map is expected, of names and values");
                    }
                }
                _ => {}
            }
        }
        check_answer(self, operation, &step, find);
        step
    }

    fn fault(&mut self, node: &Node, operation: Operation) -> GivenAnswer {
        let (mut code, mut text, mut actor, mut detail) =
            (FaultCode::Server, Json::from("A fault."), None, Map::new());
        for entry in self.entries(node, &["code", "text", "actor", "detail"]) {
            self.check_templates(entry.value);
            match entry.key {
                "code" => {
                    if let Some(found) = self.code(entry.value) {
                        code = found;
                    }
                }
                "text" => text = json(entry.value),
                "actor" => actor = Some(json(entry.value)),
                _ => detail = check_detail(self, operation, entry.value),
            }
        }
        GivenAnswer::Fault {
            code,
            text,
            actor,
            detail,
        }
    }

    fn code(&mut self, node: &Node) -> Option<FaultCode> {
        let name = self.text(node, "the code of a fault")?;
        if let Some((namespace, name)) =
            name.strip_prefix('{').and_then(|name| name.split_once('}'))
        {
            return Some(FaultCode::other(namespace, name));
        }
        let known = [
            FaultCode::Client,
            FaultCode::Server,
            FaultCode::VersionMismatch,
            FaultCode::MustUnderstand,
        ];
        let found = known.into_iter().find(|code| code.to_string() == name);
        if found.is_none() {
            self.complain(
                node,
                format_args!("`{name}` is not a fault code: write Client, Server, VersionMismatch, MustUnderstand or `{{NAMESPACE}}NAME`"),
            );
        }
        found
    }

    fn http(&mut self, node: &Node, step: &mut RuleStep) {
        for entry in self.entries(node, &["status", "headers"]) {
            if entry.key == "status" {
                let status = text(entry.value).and_then(|text| text.parse::<StatusCode>().ok());
                step.status = status.filter(|status| !status.is_informational());
                if step.status.is_none() {
                    self.complain(entry.value, "a status from 200 to 999 is expected");
                }
                continue;
            }
            self.check_templates(entry.value);
            let Json::Object(map) = json(entry.value) else {
                self.complain(
                    entry.value,
                    "a map is expected, of headers and their values",
                );
                continue;
            };
            for (name, value) in map {
                match name.parse::<HeaderName>() {
                    Ok(name) => step.http_headers.push((name, value)),
                    Err(_) => {
                        self.complain(
                            entry.value,
                            format_args!("`{name}` is not a valid header name"),
                        );
                    }
                }
            }
        }
    }

    fn delay(&mut self, node: &Node) -> Duration {
        let delay = text(node).and_then(duration);
        if delay.is_none() {
            self.complain(node, "a time is expected, such as `200ms` or `1.5s`");
        }
        delay.unwrap_or_default()
    }

    fn broken(&mut self, node: &Node) -> Option<BrokenAnswer> {
        let name = text(node).unwrap_or_default();
        let found = BrokenAnswer::ALL.iter().find(|(known, _)| *known == name);
        if found.is_none() {
            let known = BrokenAnswer::ALL.map(|(known, _)| known).join(", ");
            self.complain(node, format_args!("one of {known} is expected"));
        }
        found.map(|(_, broken)| *broken)
    }

    /// Notes the invalid templates in a value.
    fn check_templates(&mut self, node: &Node) {
        match &node.target().content {
            Content::Scalar { text, .. } if template::is_template(&Json::from(text.as_str())) => {
                if let Err(why) = template::check(text) {
                    self.complain(node, format_args!("the template is wrong: {why}"));
                }
            }
            Content::Collection(within) => {
                for slot in &within.slots {
                    self.check_templates(&slot.value);
                }
            }
            _ => {}
        }
    }
}

/// Parses a time, a number with its unit.
fn duration(text: &str) -> Option<Duration> {
    let unit = text.find(|c: char| c.is_ascii_alphabetic())?;
    let (number, unit) = text.split_at(unit);
    let scale = match unit {
        "ms" => 0.001,
        "s" => 1.0,
        "m" => 60.0,
        _ => return None,
    };
    let seconds = number.trim().parse::<f64>().ok()? * scale;
    let time = Duration::try_from_secs_f64(seconds).ok()?;
    (time <= MOST_DELAY).then_some(time)
}
