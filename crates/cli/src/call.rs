//! `svcgen call`.

mod complete;
pub(crate) mod given;
mod list;
mod output;
pub(crate) mod service;
mod show;

use std::borrow::Cow;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use serde_json::{Map, Value as Json, json};
use svcgen::codegen::Client;
use svcgen::mask::{Masked, Secrets};
use svcgen::transport::BoxTransport;
use svcgen::{Accept, Binding, Blocking, CallError, CallErrorKind, Limits, Transport};
use svcgen_attachments::{Attachments, ClientAttachments, ReceivedAttachments};
use svcgen_messages::{Answer, Operation, Service};
use url::Url;

use crate::console::{Console, excerpt};
use crate::exit::{Exit, Failure};
use crate::http_options::{Outgoing, with_options};
use crate::import::Reading;
use crate::soap_headers::{AddedHeaders, HEADING, HeldRequest, WsHeaders, divided};
use given::GivenValues;
use output::Format;
use service::ServiceArguments;

/// Calls an operation of a running service, and prints the result
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  svcgen call --list greeter.yaml
  svcgen call greeter.yaml Greet name=Ada tone=Plain --url http://localhost:8080
  svcgen call https://example.com/Orders.asmx?wsdl Order @order.yaml note=Urgent
  svcgen call orders.yaml Order --samples --show --url https://example.com
  svcgen call login.yaml Login password=env:PASSWORD --url http://localhost

Arguments:
  name=TEXT           a parameter; TEXT is converted to its type
  order.note=TEXT     a member of an object
  'lines[0].count=2'  a member of the first item of a list
  'tags=[a, b]'       a list or an object, in YAML or JSON
  name=@FILE          the text of a file, or the bytes for base64Binary
  name=@@TEXT         a text that begins with @
  @FILE               all parameters, in YAML or JSON; @- is standard input

A secret may be env:NAME, file:PATH or prompt:, and is asked for on a terminal
if it is missing.")]
pub(crate) struct Arguments {
    #[command(flatten)]
    service: ServiceArguments,

    /// The operation
    #[arg(value_name = "OPERATION", add = complete::operations())]
    operation: Option<String>,

    /// Parameters: `name=value`, or `@FILE` for a file with all of them
    #[arg(value_name = "NAME=VALUE", add = complete::parameters())]
    arguments: Vec<String>,

    /// Lists the operations, or describes one, without calling anything
    #[arg(long)]
    list: bool,

    /// Address of the service, with or without its path [default: the host of the WSDL]
    #[arg(long, value_name = "URL")]
    url: Option<String>,

    /// Calls over this binding [default: the first of the operation]
    #[arg(long, value_name = "BINDING", value_parser = bindings(), add = complete::bindings())]
    binding: Option<Binding>,

    /// Sends a SOAP header: one of the definition as `NAME=VALUE`, any other as
    /// `{NAMESPACE}NAME=TEXT`, as an XML element, or as `@FILE` with one
    #[arg(long, value_name = "NAME=VALUE", help_heading = HEADING, add = complete::headers())]
    soap_header: Vec<String>,

    #[command(flatten)]
    ws: WsHeaders,

    /// Sends bytes of base64Binary as parts of the request (MTOM), however few they are
    #[arg(long)]
    mtom: bool,

    /// Accepts answers that break the standard in this way, which .NET refuses
    #[arg(long, value_name = "WHAT", value_delimiter = ',', value_parser = accepted())]
    accept: Vec<Accept>,

    /// Fills parameters that are not given with sample values
    #[arg(long)]
    samples: bool,

    /// Format of the result
    #[arg(long, value_name = "FORMAT", default_value = "yaml")]
    format: Format,

    /// Also prints the SOAP headers of the answer: `value` and `headers`
    #[arg(long)]
    answer_headers: bool,

    /// Shows request and response on standard error, with secrets masked
    #[arg(long)]
    show: bool,

    /// Refuses answers longer than this
    #[arg(long, value_name = "BYTES", default_value_t = 64 << 20)]
    max_bytes: usize,

    #[command(flatten)]
    reading: Reading,
}

pub(crate) fn bindings() -> impl TypedValueParser<Value = Binding> {
    let keys = PossibleValuesParser::new(Binding::ALL.map(Binding::key));
    keys.map(|key| Binding::of_key(&key).unwrap_or_default())
}

fn accepted() -> impl TypedValueParser<Value = Accept> {
    let value = |one: Accept| PossibleValue::new(one.name()).help(one.about());
    let names = PossibleValuesParser::new(Accept::ALL.map(value));
    names.try_map(|name| Accept::of_name(&name).ok_or("it is none of the names"))
}

/// Calls the operation, and prints the result.
pub(crate) fn run(arguments: &Arguments, console: &Console) -> Result<Exit, Failure> {
    let address = arguments.address()?;
    let (service, losses) = arguments.service.open(&arguments.reading, console)?;
    let Some(name) = &arguments.operation else {
        if arguments.list {
            return Ok(console.print(list::operations(service, &losses)));
        }
        let names: Vec<_> = service.operations().map(Operation::name).collect();
        return Err(format!(
            "the operation is missing: it is one of {}, and `--list` shows their parameters",
            names.join(", ")
        )
        .into());
    };
    let losses = losses.iter().filter(|loss| loss.operation == *name);
    let operation = service.operation(name).map_err(|error| {
        let known = losses.clone().find(|loss| loss.is_whole);
        known.map_or_else(|| error.to_string(), |loss| loss.message.clone())
    })?;
    losses.for_each(|loss| console.note(&loss.message));
    if arguments.list {
        return Ok(console.print(list::operation(operation)));
    }
    let address = address.ok_or("the address of the service is needed: `--url http://HOST`")?;
    let mut secrets = Secrets::default();
    let parameters = {
        let sample = arguments
            .samples
            .then(|| operation.parameter_place().sample());
        let given = GivenValues::new(operation.parameter_place(), operation.name(), sample);
        given.with_all(&arguments.arguments, &mut secrets)
    };
    let (elements, declared) = divided(&arguments.soap_header)?;
    let headers = {
        let sample = arguments.samples.then(|| operation.header_place().sample());
        let given = GivenValues::new(operation.header_place(), "--soap-header", sample);
        given.with_all(&declared, &mut secrets)
    };
    let (parameters, headers) = (parameters?, headers?);
    let added = arguments.ws.with_elements(elements, &mut secrets)?;
    let http = arguments.reading.http().transport()?;
    let call = Call {
        arguments,
        console,
        operation,
        secrets,
    };
    let held = HeldRequest::default();
    let client = call.client(service, held.clone(), &address, added);
    let answer = client.and_then(|client| {
        let http = http.with_body_limit(arguments.max_bytes);
        call.answer(client, &held, &http, &headers, &parameters)
    });
    Ok(match answer {
        Ok(answer) => call.print(answer),
        Err(error) => call.refuse(&error),
    })
}

impl Arguments {
    /// Returns the settings for messages with parts.
    fn attachments(&self) -> Attachments {
        let attachments = Attachments::new().with_mtom(self.mtom).with_threshold(1);
        let bytes = self.max_bytes;
        attachments.with_bytes(bytes).with_part_bytes(bytes)
    }

    /// Returns the address of the service: the value of `--url`, or the host of the WSDL.
    fn address(&self) -> Result<Option<String>, String> {
        let document = self.service.url();
        let origin = |url: &Url| url.origin().ascii_serialization();
        let Some(url) = &self.url else {
            return Ok(document.as_ref().map(origin));
        };
        if let (Some(document), Ok(called)) = (document, Url::parse(url))
            && self.reading.http().has_secrets()
            && document.origin() != called.origin()
        {
            return Err(format!(
                "logins and --header are for one host, and the WSDL is at {} and the service at {}: save the WSDL and name the file",
                origin(&document),
                origin(&called)
            ));
        }
        Ok(Some(url.clone()))
    }
}

struct Call<'a> {
    arguments: &'a Arguments,
    console: &'a Console,
    operation: Operation,
    secrets: Secrets,
}

impl Call<'_> {
    /// Creates the client, which makes requests and reads answers.
    fn client(
        &self,
        service: Service,
        held: HeldRequest,
        address: &str,
        added: AddedHeaders,
    ) -> Result<Client<BoxTransport>, CallError> {
        let client = service.client(held, address)?;
        let client = client.with_parts_of(&self.arguments.attachments());
        let first = self.operation.row().row().bindings.iter().next();
        let binding = self.arguments.binding.or(first);
        let binding = binding.unwrap_or(client.binding());
        if !binding.is_soap() {
            let operation = self.operation.name().to_owned();
            if !added.is_empty() {
                return Err(CallError::Headers { operation, binding });
            }
            if self.arguments.mtom {
                return Err(CallError::Attachments { operation, binding });
            }
        }
        // The bytes of an answer limit its texts and elements, too.
        let bytes = self.arguments.max_bytes;
        let limits = Limits::default().with_body(bytes);
        let limits = limits.with_text(bytes).with_elements(bytes);
        let client = client
            .with_binding(binding)
            .with_limits(limits)
            .with_accepted(self.arguments.accept.iter().copied());
        Ok(added.add_to(client))
    }

    fn answer(
        &self,
        client: Client<BoxTransport>,
        held: &HeldRequest,
        http: &Outgoing,
        headers: &Json,
        parameters: &Json,
    ) -> Result<Answer, CallError> {
        let request = self.operation.request_by(&client, headers, parameters)?;
        let blocking = Blocking::new(client).map_err(|error| {
            use svcgen::transport::{TransportError, TransportErrorKind};
            let why = "the call cannot be made";
            TransportError::new(TransportErrorKind::Connect, why).with_source(error)
        })?;
        let added = blocking.call(|client| client.transport().send(request));
        added.map_err(CallError::Transport)?;
        // The held request has the added headers.
        let request = held.take().expect("the transport holds what it is sent");
        let request = http.prepared(request);
        let show = show::Show::new(self.operation.service(), self.console);
        if self.arguments.show {
            show.request(&request);
        }
        // Messages are shown without MIME parts, the form that masks can read.
        let mut sent = request.clone();
        let attachments = self.arguments.attachments();
        if self.arguments.mtom {
            attachments.pack(&mut sent)?;
        }
        if request.body().windows(5).any(|text| text == b">cid:") {
            self.console.note(format_args!(
                "the request refers to an attachment (cid:), and `svcgen call` sends none"
            ));
        }
        let received = blocking.call(|_| http.send(sent));
        let received = received.map_err(CallError::Transport)?;
        // Reading an answer consumes its parts, so each reading unpacks them anew.
        let unpacked = || {
            let mut response = received.clone();
            let unpacked = attachments.unpack(&mut response);
            unpacked.map(|()| response).map_err(CallError::Transport)
        };
        let response = unpacked()?;
        if self.arguments.show {
            show.response(&request, &response, &self.secrets);
        }
        let answer = self
            .operation
            .read_answer_by(blocking.client(), &response)?;
        let parts = ReceivedAttachments::of(response.extensions());
        let parts = parts.into_iter().flat_map(ReceivedAttachments::iter);
        let others = parts.filter(|part| part.take().is_some()).count();
        if others > 0 {
            self.console.note(format_args!(
                "attachments of the answer that no value includes are not printed: {others}"
            ));
        }
        // Elements that the definition does not have are ignored, so an answer may seem empty
        // because of a wrong namespace.
        let strict = blocking.client().clone().with_strict(true);
        let strictly = self.operation.read_answer_by(&strict, &unpacked()?);
        if let Err(CallError::Read(error)) = strictly {
            let why = error.to_string();
            let why = self.secrets.hidden(&why);
            self.console.note(format_args!(
                "the answer is not as the definition says: {why}"
            ));
        }
        Ok(answer)
    }

    fn print(&self, answer: Answer) -> Exit {
        let value = self.operation.answer_place().with_rows(answer.value);
        let value = if self.arguments.answer_headers {
            let place = self.operation.answer_header_place();
            json!({ "value": value, "headers": place.with_rows(answer.headers) })
        } else {
            value
        };
        self.console.print(self.arguments.format.text(&value))
    }

    /// Prints the reason why there is no result.
    fn refuse(&self, error: &CallError) -> Exit {
        let text = error.text_with(|text| self.hidden(text).into_inner());
        let failed = self.console.error(with_options(&text));
        match error.kind() {
            CallErrorKind::Request => failed,
            CallErrorKind::Transport | CallErrorKind::Timeout => Exit::Unreached,
            CallErrorKind::Fault => {
                self.detail(error);
                Exit::Fault
            }
            _ => Exit::Misread,
        }
    }

    /// Hides the given secrets in a text of the other side.
    fn hidden(&self, text: &str) -> Masked<String> {
        self.secrets.hidden(text).map(Cow::into_owned)
    }

    /// Hides the given secrets in a value of the other side.
    fn hidden_in(&self, json: &Json) -> Masked<Json> {
        match json {
            Json::Object(map) => {
                let each = map.iter().map(|(name, json)| {
                    // Names come from the definition.
                    let name = Secrets::new().text(name).map(str::to_owned);
                    name.and(self.hidden_in(json))
                });
                each.collect::<Masked<Map<_, _>>>().map(Json::Object)
            }
            Json::Array(items) => {
                let each = items.iter().map(|json| self.hidden_in(json));
                each.collect::<Masked<Vec<_>>>().map(Json::Array)
            }
            Json::String(text) => self.hidden(text).map(Json::String),
            json => {
                let hidden = self.hidden(&json.to_string());
                hidden.map(|text| text.parse().unwrap_or(Json::String(text)))
            }
        }
    }

    /// Prints the detail of a fault.
    fn detail(&self, error: &CallError) {
        let Some(fault) = error.fault() else { return };
        // Secrets are hidden before the text is shortened: a part of one would not be found.
        let raw = || {
            let text = self.hidden(fault.detail()?);
            Some(text.map(|text| format!("detail: {}\n", excerpt(&text))))
        };
        let detail = match self.operation.read_detail(fault) {
            Ok(Json::Object(details)) if !details.is_empty() => {
                let masked = self.operation.mask_detail(&Json::Object(details));
                let hidden = self.hidden_in(&masked);
                Some(hidden.map(|detail| Format::Yaml.text(&json!({ "detail": detail }))))
            }
            Ok(_) => raw(),
            Err(error) => {
                let why = self.hidden(&error.to_string());
                self.console
                    .note(format_args!("the detail cannot be read: {why}"));
                raw()
            }
        };
        if let Some(detail) = detail {
            self.console.tell(&detail);
        }
    }
}
