//! Messages without their secrets.

use http::header::{CONTENT_TYPE, HeaderName};
use http::{Request, Response};
use proptest::prelude::*;
use svcgen::Secret;
use svcgen::codegen::{Client, Complex};
use svcgen::mask::{CUT, Mask, OMITTED, SECRET};
use svcgen_model::{
    At, Binding, Bindings, ComplexType, Element, Form, GroupKind, HeaderRule, Module, Operation,
    Particle, Service, Shown, SimpleType, Style, TypeAt, TypeId, TypeRef, complex_type, element,
    headers, operation,
};
use svcgen_tests::{authenticator, device_login_service, few_or_all, random};

use crate::described::each_service;

svcgen::include_service!("g_json");

/// Writes messages of any service, with a distinct text for each value.
struct Writer {
    out: String,
    count: usize,
    /// The texts of values that are not secret.
    shown: Vec<String>,
    depth: usize,
}

/// A part of the texts of secrets, and of nothing else.
const HIDDEN: &str = "HIDDEN";

impl Writer {
    fn text(&mut self, secret: bool) -> String {
        self.count += 1;
        if secret {
            return format!("{HIDDEN}{}", self.count);
        }
        let text = format!("shown{}", self.count);
        self.shown.push(text.clone());
        text
    }

    fn element(&mut self, row: At<'_, Element<'_>>) {
        if row.characters {
            let text = self.text(row.secret);
            return self.out.push_str(&text);
        }
        if row.wildcard.is_some() {
            return self.out.push_str(&format!("<other>{HIDDEN}</other>"));
        }
        self.out.push_str(&format!("<{}", row.name));
        self.content(row);
        self.out.push_str(&format!("</{}>", row.name));
    }

    /// Writes the rest of the start tag after the name, and the content of the element.
    fn content(&mut self, row: At<'_, Element<'_>>) {
        self.depth += 1;
        match row.type_at() {
            _ if self.depth > 5 => self.out.push('>'),
            TypeAt::Simple(simple) if simple.is_xml() && simple != SimpleType::AnyType => {
                self.out.push_str(&format!("><markup>{HIDDEN}</markup>"));
            }
            TypeAt::Simple(simple) if simple.is_data_set() => {
                self.out.push_str(&format!(">{HIDDEN}"));
            }
            TypeAt::Simple(_) | TypeAt::Enumeration(_) => {
                let text = self.text(row.secret);
                self.out.push_str(&format!(">{text}"));
            }
            TypeAt::List(item) => {
                self.out.push('>');
                for _ in 0..2 {
                    self.element(item);
                }
            }
            TypeAt::Complex(complex) => self.object(complex),
            TypeAt::Dictionary(_) => self.out.push_str(&format!(">{HIDDEN}")),
        }
        self.depth -= 1;
    }

    fn object(&mut self, complex: At<'_, ComplexType<'_>>) {
        for attribute in complex.attributes() {
            if attribute.wildcard.is_some() {
                self.out.push_str(&format!(r#" other="{HIDDEN}""#));
                continue;
            }
            let text = self.text(attribute.secret);
            if let Form::Reference(namespace) = attribute.form {
                let count = self.count;
                let declaration = format!(" xmlns:n{count}='{namespace}/{count}' n{count}:");
                self.out.push_str(&declaration);
            } else {
                self.out.push(' ');
            }
            self.out.push_str(&format!("{}='{text}'", attribute.name));
        }
        self.out.push('>');
        match complex.text() {
            Some(text) if text.type_ref.is_simple() && complex.data_set.is_none() => {
                let text = self.text(text.secret);
                self.out.push_str(&text);
            }
            Some(_) => {}
            None => self.particles(complex, complex.particles()),
        }
    }

    fn particles<'m>(
        &mut self,
        complex: At<'m, ComplexType<'m>>,
        particles: impl Iterator<Item = Particle<'m>>,
    ) {
        for particle in particles {
            match particle {
                Particle::Element(element) => self.element(element),
                Particle::Group(group) if group.kind == GroupKind::Choice && group.repeated => {
                    for element in complex.elements_of(group) {
                        self.element(element);
                    }
                }
                Particle::Group(group) => self.particles(complex, complex.particles_of(group)),
            }
        }
    }

    /// Writes a value in JSON.
    fn json(&mut self, row: At<'_, Element<'_>>) {
        self.depth += 1;
        match row.type_at() {
            _ if self.depth > 5 => self.out.push_str("null"),
            TypeAt::Simple(simple)
                if simple.is_data_set() || simple.is_xml() && simple != SimpleType::AnyType =>
            {
                self.out.push_str(&format!("{{\"markup\":\"{HIDDEN}\"}}"));
            }
            TypeAt::List(item) => {
                self.out.push('[');
                self.json(item);
                self.out.push(',');
                self.json(item);
                self.out.push(']');
            }
            TypeAt::Complex(complex) => self.json_object(complex),
            TypeAt::Dictionary(value) => {
                // The keys of objects may be secret, too.
                let key = self.text(value.shown() != Shown::Text);
                self.out.push_str(&format!("{{\"{key}\":"));
                self.json(value);
                self.out.push('}');
            }
            TypeAt::Simple(_) | TypeAt::Enumeration(_) => {
                let text = self.text(row.secret);
                let text = if row.repeated || row.texts {
                    format!("['{text}', null]")
                } else {
                    format!("\"\\u0041{text}\"")
                };
                self.out.push_str(&text);
            }
        }
        self.depth -= 1;
    }

    fn json_object(&mut self, complex: At<'_, ComplexType<'_>>) {
        self.out.push('{');
        let elements = complex.elements().chain(complex.attributes());
        for row in elements.chain(complex.text()) {
            if row.row().is_named() && row.wildcard.is_none() && !row.characters {
                let name = row.field_name();
                self.out.push_str(&format!("\"{name}\" : "));
                self.json(row);
                self.out.push(',');
            }
        }
        let unknown = format!("\"{HIDDEN}\":{{\"other\":[\"{HIDDEN}\",1]}}}}");
        self.out.push_str(&unknown);
    }

    /// Writes a message in SOAP.
    fn envelope(
        header: Option<At<'_, ComplexType<'_>>>,
        name: &str,
        style: Style,
        body: impl FnOnce(&mut Self),
    ) -> Self {
        let mut writer = Self::new();
        let start = "<?xml version='1.0'?><s:Envelope xmlns:s='urn:s'><s:Header>";
        writer.out.push_str(start);
        for row in header.into_iter().flat_map(At::<ComplexType<'_>>::elements) {
            writer.element(row);
        }
        let foreign = format!("<w:Security xmlns:w='urn:w'><w:P>{HIDDEN}</w:P></w:Security>");
        writer.out.push_str(&foreign);
        writer.out.push_str("</s:Header><s:Body>");
        if style == Style::Bare {
            body(&mut writer);
        } else {
            writer.out.push_str(&format!("<{name} xmlns='urn:m'>"));
            body(&mut writer);
            writer.out.push_str(&format!("</{name}>"));
        }
        writer.out.push_str("</s:Body></s:Envelope>");
        writer
    }

    fn new() -> Self {
        Self {
            out: String::new(),
            count: 0,
            shown: Vec::new(),
            depth: 0,
        }
    }

    fn check(&self, masked: &str) {
        assert!(!masked.contains(HIDDEN), "{}\n{masked}", self.out);
        for shown in &self.shown {
            assert!(
                masked.contains(shown.as_str()),
                "{shown}: {}\n{masked}",
                self.out
            );
        }
    }
}

/// Returns a request to a service whose answer is in SOAP.
fn request_of(media_type: &str, path: &str, body: String) -> Request<String> {
    let request = Request::post(path).header(CONTENT_TYPE, media_type);
    request.body(body).unwrap()
}

fn answer_of(body: String) -> Response<String> {
    let response = Response::builder().header(CONTENT_TYPE, "text/xml");
    response.body(body).unwrap()
}

/// Returns the messages of an operation in SOAP: the request and the answer.
fn messages(operation: At<'_, Operation<'_>>) -> [Writer; 2] {
    let style = operation.style;
    let parameters = operation.parameters();
    let headers = operation
        .headers()
        .map(At::<svcgen_model::Headers<'_>>::fields);
    let request = Writer::envelope(headers, parameters.name, style, |writer| {
        writer.particles(parameters, parameters.particles());
    });
    let headers = operation.response_headers();
    let headers = headers.map(At::<svcgen_model::Headers<'_>>::fields);
    let answer = Writer::envelope(headers, operation.response.name, style, |writer| {
        for result in operation.results() {
            writer.element(result);
        }
    });
    [request, answer]
}

/// Returns the fields for the parameters of an operation.
fn form(operation: At<'_, Operation<'_>>) -> Writer {
    let mut writer = Writer::new();
    for row in operation
        .parameters()
        .elements()
        .filter(|row| row.is_named())
    {
        let item = match row.type_at() {
            TypeAt::List(item) => item,
            _ => row,
        };
        if matches!(item.type_at(), TypeAt::Simple(simple) if !simple.is_xml()) {
            let text = writer.text(row.secret || item.secret);
            writer
                .out
                .push_str(&format!("{}={text}&", row.row().field_name()));
        }
    }
    writer.out.push_str(&format!("other={HIDDEN}"));
    writer
}

fn check_service(service: At<'_, Service<'_>>) {
    let mask = Mask::new(service).with_limit(4 << 20);
    for operation in service.operations() {
        let [request, answer] = messages(operation);
        let sent = request_of("text/xml", service.path, request.out.clone());
        request.check(mask.request(&sent).body());
        answer.check(mask.response(&sent, &answer_of(answer.out.clone())).body());
        for broken in broken(&request.out) {
            let sent = request_of("application/soap+xml; charset=utf-8", "/", broken);
            assert!(!mask.request(&sent).body().contains(HIDDEN), "{sent:?}");
        }
        for broken in broken(&answer.out) {
            let masked = mask.response(&sent, &answer_of(broken.clone()));
            assert!(!masked.body().contains(HIDDEN), "{broken}");
        }
        let form = form(operation);
        let path = format!("{}/{}", service.path, operation.name);
        let sent = request_of("application/x-www-form-urlencoded", &path, form.out.clone());
        form.check(mask.request(&sent).body());
        let in_query = Request::get(format!("{path}?{}", form.out))
            .body("")
            .unwrap();
        form.check(&mask.request(&in_query).uri().to_string());
        if let Some(result) = operation.result_over_http() {
            let mut root = Writer::new();
            root.out
                .push_str(&format!("<{} xmlns='urn:m'", operation.root));
            root.content(result);
            root.out.push_str(&format!("</{}>", operation.root));
            let answer = answer_of(root.out.clone());
            root.check(mask.response(&in_query, &answer).body());
            root.check(mask.response(&sent, &answer).body());
        }
    }
}

/// Checks calls over JSON.
fn check_json(service: At<'_, Service<'_>>) {
    let mask = Mask::new(service).with_limit(4 << 20);
    for operation in service.operations() {
        let path = format!("{}/{}", service.path, operation.name);
        let sent = |body: &str| request_of(JSON, &path, body.to_owned());
        let answered = |body: &str| {
            let response = Response::builder().header(CONTENT_TYPE, JSON);
            response.body(body.to_owned()).unwrap()
        };
        let mut request = Writer::new();
        request.json_object(operation.parameters());
        let masked = mask.request(&sent(&request.out));
        request.check(masked.body());
        let kept: serde_json::Value =
            serde_json::from_str(&masked.body().replace('\'', "\"")).unwrap();
        assert!(kept.is_object());
        let mut answer = Writer::new();
        answer.out.push_str("{\"d\":");
        match operation.result() {
            Some(result) => answer.json(result),
            None => answer.out.push_str("null"),
        }
        answer.out.push('}');
        let masked = mask.response(&sent(&request.out), &answered(&answer.out));
        answer.check(masked.body());
        for broken in broken(&request.out) {
            let masked = mask.request(&sent(&broken));
            assert!(
                !masked.body().contains(HIDDEN),
                "{broken}\n{}",
                masked.body()
            );
        }
        for broken in broken(&answer.out) {
            let masked = mask.response(&sent(""), &answered(&broken));
            assert!(
                !masked.body().contains(HIDDEN),
                "{broken}\n{}",
                masked.body()
            );
        }
    }
}

const JSON: &str = "application/json; charset=utf-8";

/// Returns a message that is cut, or has markup, at many places.
fn broken(message: &str) -> impl Iterator<Item = String> {
    let places = few_or_all(4, 24);
    let places = (1..message.len()).step_by(message.len() / places + 1);
    places.enumerate().flat_map(move |(index, at)| {
        let other = b"<>&\"'/= !-"[(at + index) % 10] as char;
        let changed = format!("{}{other}{}", &message[..at], &message[at + 1..]);
        [message[..at].to_owned(), changed]
    })
}

#[test]
fn messages_of_every_definition_show_values_and_no_secrets() {
    let (mut services, mut secrets) = (0, 0);
    each_service(|_, service| {
        check_service(service);
        check_json(service);
        services += 1;
        secrets += messages_secrets(service);
    });
    assert!(services > 50 && secrets > 10, "{services} {secrets}");
}

fn messages_secrets(service: At<'_, Service<'_>>) -> usize {
    let operations = service.operations().flat_map(messages);
    operations
        .map(|message| message.count - message.shown.len())
        .sum()
}

/// Returns the request of a client with its credentials.
fn sent<R: Complex>(
    module: &'static svcgen::codegen::model::Module<'static>,
    binding: Binding,
    operation: usize,
    request: &R,
) -> Request<bytes::Bytes> {
    let client = Client::new(module, (), "http://localhost").unwrap();
    client
        .with_binding(binding)
        .request(operation, &(), request)
        .unwrap()
}

proptest! {
    #[test]
    fn secrets_of_any_text_are_hidden_over_every_binding(
        username in random::text(),
        secrets in [random::text(), random::text()],
        bytes in prop::collection::vec(any::<u8>(), 0..40),
    ) {
        let [password, pin] = secrets.map(|text| Secret::from(format!("{text}{HIDDEN}{text}").as_str()));
        let username = Some(format!("{username}shown"));
        for binding in Binding::DEFAULT {
            let service = At::service(&authenticator::MODULE, None).unwrap();
            let request = authenticator::LoginRequest { username: username.clone(), password: Some(password.clone()) };
            let login = sent(&authenticator::MODULE, binding, 0, &request);
            let masked = format!("{:?}", Mask::new(service).request(&login));
            prop_assert!(!masked.contains(HIDDEN) && masked.contains("shown"), "{}", masked);

            let service = At::service(&device_login_service::MODULE, None).unwrap();
            let encrypted = [b"HIDDEN".as_slice(), &bytes].concat();
            let request = device_login_service::LoginWithEncryptedPasswordRequest {
                username: username.clone(),
                encrypted_password: Some(Secret::new(encrypted)),
                device_pin: Some(pin.clone()),
                user_initiated: true,
            };
            let index = service.operations.iter().position(|one| one.name == "LoginWithEncryptedPassword").unwrap();
            let login = sent(&device_login_service::MODULE, binding, index, &request);
            let masked = format!("{:?}", Mask::new(service).request(&login));
            // `HIDDEN`, its base64, and its bytes in a form.
            for text in [HIDDEN, "SElEREVO", "=72&"] {
                prop_assert!(!masked.contains(text), "{}", masked);
            }
            prop_assert!(masked.contains("shown"), "{}", masked);
        }
    }
}

/// Headers that a definition declares as text.
static HEADERS: Operation<'static> = operation(
    "Read",
    "urn:s/Read",
    complex_type("Read", &[]),
    "ReadResponse",
)
.headers(&headers(
    &[
        element("Password", TypeRef::Simple(SimpleType::String)),
        element("Nonce", TypeRef::Simple(SimpleType::String)),
    ],
    &[RULE, RULE],
));
const RULE: HeaderRule = HeaderRule {
    required: false,
    must_understand: false,
};

#[test]
fn passwords_of_ws_security_are_secrets_whatever_describes_them() {
    static MODULE: Module<'static> = Module::new(&[], &[]).with_service(Service::new(
        "S",
        "urn:s",
        "/s",
        std::slice::from_ref(&HEADERS),
    ));
    let mask = Mask::new(At::service(&MODULE, None).unwrap());
    let wsse = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd";
    let send = |header: &str| {
        let body = format!(
            "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\"><s:Header>{header}</s:Header><s:Body><Read xmlns=\"urn:s\" /></s:Body></s:Envelope>"
        );
        let masked = mask.request(&request_of("text/xml", "/s", body));
        let (_, header) = masked.body().split_once("<s:Header>").unwrap();
        header.split_once("</s:Header>").unwrap().0.to_owned()
    };
    let parts = |namespace: &str| {
        format!(
            "<Password xmlns=\"{namespace}\">HIDDEN</Password><Nonce xmlns=\"{namespace}\">HIDDEN</Nonce>"
        )
    };
    assert_eq!(send(&parts("urn:s")), parts("urn:s"));
    assert_eq!(send(&parts(wsse)), parts(wsse).replace(HIDDEN, SECRET));
    // Content that is not in the definition is omitted as a whole.
    let security = format!("<o:Security xmlns:o=\"{wsse}\">[omitted]</o:Security>");
    let sent = security.replace(
        OMITTED,
        "<o:UsernameToken><o:Password>HIDDEN</o:Password></o:UsernameToken>",
    );
    assert_eq!(send(&sent), security);
}

/// Other attributes may have the names of those of SOAP and XML Schema.
#[test]
fn attributes_are_shown_by_their_namespaces() {
    let service = At::service(&authenticator::MODULE, None).unwrap();
    let mask = Mask::new(service);
    let send = |namespace: &str, name: &str| {
        let body = format!(
            "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\" xmlns:x=\"{namespace}\"><s:Body x:{name}=\"v\" /></s:Envelope>"
        );
        let masked = mask.request(&request_of("text/xml", "/", body));
        let (_, value) = masked.body().split_once(&format!("{name}=\"")).unwrap();
        value.split_once('"').unwrap().0.to_owned()
    };
    for (namespace, name) in [
        ("http://schemas.xmlsoap.org/soap/envelope/", "encodingStyle"),
        ("http://schemas.xmlsoap.org/soap/encoding/", "arrayType"),
        ("http://www.w3.org/2003/05/soap-encoding", "itemType"),
        ("http://www.w3.org/2001/XMLSchema-instance", "type"),
    ] {
        assert_eq!(send(namespace, name), "v", "{namespace}");
    }
    for name in ["href", "role", "type"] {
        assert_eq!(send("http://www.w3.org/1999/xlink", name), OMITTED);
    }
}

/// Microsoft's callers write U+0080 to U+00FF so.
#[test]
fn fields_in_latin_1_keep_their_bytes() {
    let service = At::service(&authenticator::MODULE, None).unwrap();
    let request = Request::post("/SvcDotNet/Authenticator.asmx/Login")
        .header(CONTENT_TYPE, "application/x-www-form-urlencoded");
    let request = request.body(b"username=Zo\xEB".to_vec()).unwrap();
    let masked = Mask::new(service).request(&request);
    assert_eq!(masked.body(), "username=Zo%EB");
}

#[test]
fn before_a_message_only_its_declaration_is_shown() {
    let service = At::service(&authenticator::MODULE, None).unwrap();
    let mask = Mask::new(service);
    for (before, shown) in [
        ("<?xml version=\"1.0\"?>", "<?xml version=\"1.0\"?>"),
        ("<?xml-stylesheet href=\"hunter2\"?>", OMITTED),
    ] {
        let body = format!("{before}<a />");
        let masked = mask.request(&request_of("text/xml", "/", body));
        assert_eq!(masked.body(), &format!("{shown}<a />"));
    }
}

/// .NET writes these characters as references, which XML does not allow; the content after them is
/// shown nevertheless.
#[test]
fn answers_are_shown_beyond_characters_that_xml_does_not_have() {
    let service = At::service(&authenticator::MODULE, None).unwrap();
    let request = Request::get("/SvcDotNet/Authenticator.asmx/ClientAuthWithResult?username=a");
    let body = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<LoginResult xmlns=\"http://example.com/svc/auth\"><Message>a&#x1D;b</Message><ErrorCode>None</ErrorCode></LoginResult>";
    let response = Response::builder().header(CONTENT_TYPE, "text/xml; charset=utf-8");
    let response = response.body(body.as_bytes()).unwrap();
    let shown = Mask::new(service).response(&request.body("").unwrap(), &response);
    assert_eq!(shown.body(), body);
}

#[test]
fn queries_show_the_words_that_ask_for_documents() {
    let service = At::service(&authenticator::MODULE, None).unwrap();
    let mask = Mask::new(service);
    let shown = |query: &str| {
        let request = Request::get(format!("/SvcDotNet/Authenticator.asmx?{query}"));
        let masked = mask.request(&request.body("").unwrap());
        masked.uri().query().unwrap().to_owned()
    };
    for public in [
        "wsdl",
        "WSDL",
        "wsdl=",
        "wsdl=original",
        "wsdl=wsdl0",
        "singleWsdl",
        "xsd=xsd12",
        "disco",
        "openapi",
        "op=Login",
        "op=login&wsdl",
    ] {
        assert_eq!(shown(public), public);
    }
    for (given, expected) in [
        ("HIDDEN", OMITTED),
        ("wsdl=HIDDEN", OMITTED),
        ("xsd=xsdHIDDEN", OMITTED),
        ("op=HIDDEN", OMITTED),
        ("schema=HIDDEN", OMITTED),
        ("wsdl&token=HIDDEN", "wsdl&[omitted]"),
        ("wsdlHIDDEN", OMITTED),
    ] {
        assert_eq!(shown(given), expected, "{given}");
    }
    let request = Request::head("/SvcDotNet/Authenticator.asmx?wsdl");
    let masked = mask.request(&request.body("").unwrap());
    assert_eq!(masked.uri().query(), Some("wsdl"));
    // Together with parameters, such a word is a field that no operation has.
    let request = Request::get("/SvcDotNet/Authenticator.asmx/Login?wsdl&username=a&op=Login");
    let masked = mask.request(&request.body("").unwrap());
    assert_eq!(masked.uri().query(), Some("[omitted]&username=a&[omitted]"));
}

#[test]
fn headers_and_addresses_show_no_credentials() {
    let service = At::service(&authenticator::MODULE, None).unwrap();
    let mut request = Request::post("http://bob:HIDDEN@localhost/Authenticator.asmx?key=HIDDEN");
    for name in [
        "Authorization",
        "Proxy-Authorization",
        "Cookie",
        "X-Api-Key",
        "X-Anything",
        "Referer",
        "tracestate",
    ] {
        request = request.header(HeaderName::try_from(name).unwrap(), "HIDDEN");
    }
    let request = request.header("User-Agent", "agent").body("").unwrap();
    let masked = Mask::new(service).request(&request);
    assert_eq!(
        masked.uri(),
        "http://localhost/Authenticator.asmx?[omitted]"
    );
    assert_eq!(masked.headers()["cookie"], SECRET);
    assert_eq!(masked.headers()["user-agent"], "agent");
    assert!(!format!("{masked:?}").contains(HIDDEN));

    let response = Response::builder().header("Set-Cookie", "HIDDEN");
    let response = response.header("Location", "/?HIDDEN").body("").unwrap();
    let masked = Mask::new(service).response(&request, &response);
    assert!(!format!("{masked:?}").contains(HIDDEN));
}

#[test]
fn of_paths_the_names_of_the_service_are_shown() {
    let service = At::service(&authenticator::MODULE, None).unwrap();
    let mask = Mask::new(service);
    for (asked, shown) in [
        ("/Authenticator.asmx/Login", "/Authenticator.asmx/Login"),
        ("/authenticator.ASMX/login", "/authenticator.ASMX/login"),
        ("/Authenticator%2Easmx/js", "/Authenticator%2Easmx/js"),
        ("//Authenticator.asmx/", "//Authenticator.asmx/"),
        ("/livez", "/livez"),
        (
            "/HIDDEN/Authenticator.asmx",
            "/[omitted]/Authenticator.asmx",
        ),
        (
            "/Authenticator.asmx/Login;pin=HIDDEN",
            "/Authenticator.asmx/[omitted]",
        ),
        (
            "/Authenticator.asmx/Login%3Fpin=HIDDEN",
            "/Authenticator.asmx/[omitted]",
        ),
        ("http://host/HIDDEN", "http://host/[omitted]"),
    ] {
        let request = Request::get(asked).body("").unwrap();
        assert_eq!(mask.request(&request).uri(), shown);
    }
}

/// Returns a fault in SOAP 1.1.
fn fault(text: &str) -> Response<String> {
    let body = format!(
        "<s:Envelope xmlns:s='urn:s'><s:Body><s:Fault><faultcode>s:Server</faultcode>\
         <faultstring>{text}</faultstring><detail><x>HIDDEN</x></detail></s:Fault></s:Body></s:Envelope>"
    );
    let response = Response::builder()
        .status(500)
        .header(CONTENT_TYPE, "text/xml");
    response.body(body).unwrap()
}

#[test]
fn faults_that_quote_a_secret_of_the_request_are_hidden() {
    let service = At::service(&authenticator::MODULE, None).unwrap();
    let mask = Mask::new(service);
    for secret in ["hunter2", "a<b&c", "<![CDATA[x]]>"] {
        let password = Secret::from(secret);
        let login = authenticator::LoginRequest {
            username: Some("bob".to_owned()),
            password: Some(password),
        };
        for binding in Binding::DEFAULT {
            let request = sent(&authenticator::MODULE, binding, 0, &login);
            if binding.is_soap() {
                let quoted = secret
                    .replace('&', "&#38;")
                    .replace('<', "&#x3c;")
                    .replace('>', "&gt;");
                let quoting = fault(&format!("Not {quoted}!"));
                let masked = mask.response(&request, &quoting).into_inner().into_body();
                assert!(
                    masked.contains("<faultcode>s:Server</faultcode><faultstring>[secret]<"),
                    "{masked}"
                );
                let masked = mask
                    .response(&request, &fault("bob is unknown."))
                    .into_inner()
                    .into_body();
                assert!(masked.contains("<faultstring>bob is unknown.<"), "{masked}");
                assert!(
                    masked.contains("<detail><x>[omitted]</x></detail>"),
                    "{masked}"
                );
            }
            let plain = Response::builder()
                .status(500)
                .header(CONTENT_TYPE, "text/plain; charset=utf-8");
            let plain = plain.body(format!("Not {secret}!")).unwrap();
            assert_eq!(mask.response(&request, &plain).body(), SECRET);
        }
    }
    let basic = Request::post("/").header("Authorization", "Basic Ym9iOmh1bnRlcjI=");
    let basic = basic.body(String::new()).unwrap();
    let masked = mask
        .response(&basic, &fault("hunter2?"))
        .into_inner()
        .into_body();
    assert!(!masked.contains("hunter2"), "{masked}");
}

#[test]
fn errors_in_json_that_quote_a_secret_of_the_request_are_hidden() {
    let service = At::service(&authenticator::MODULE, None).unwrap();
    let mask = Mask::new(service);
    let path = "/SvcDotNet/Authenticator.asmx/Login";
    for secret in ["hunter2", "a\"b\\c", "é😀<"] {
        let [written, escaped] =
            [secret, &format!("Not {secret}!")].map(|text| serde_json::to_string(text).unwrap());
        let request = request_of(
            JSON,
            path,
            format!("{{\"username\":\"bob\",\"password\":{written}}}"),
        );
        let error = |message: &str| {
            let body =
                format!("{{\"Message\":{message},\"StackTrace\":\"\",\"ExceptionType\":\"E\"}}");
            let response = Response::builder().status(500).header(CONTENT_TYPE, JSON);
            mask.response(&request, &response.body(body).unwrap())
                .into_inner()
                .into_body()
        };
        let others = "\"StackTrace\":\"\",\"ExceptionType\":\"E\"}";
        assert_eq!(
            error(&escaped),
            format!("{{\"Message\":\"[secret]\",{others}")
        );
        let expected = format!("{{\"Message\":\"bob is unknown.\",{others}");
        assert_eq!(error("\"bob is unknown.\""), expected);
        // A text that quotes the whole body may have cut the secret.
        let quoting = "\"Unterminated string passed in. (9): {\\\"password\\\":\\\"hunt\"";
        let expected =
            format!("{{\"Message\":\"Unterminated string passed in. (9): [omitted]\",{others}");
        assert_eq!(error(quoting), expected);
    }
}

#[test]
fn of_malformed_json_nothing_is_shown() {
    let service = At::service(&authenticator::MODULE, None).unwrap();
    let path = "/SvcDotNet/Authenticator.asmx/Login";
    // A quote too many, or a missing one, on either side of the secret.
    for body in [
        r#"{"username":"a,"password":"HIDDEN"}"#,
        r#"{"password":"a,"username":"HIDDEN"}"#,
        r#"{"username":"a"","password":"HIDDEN"}"#,
        r#"{"password":"a"","username":"HIDDEN"}"#,
        r#"{"username":a","password":"HIDDEN"}"#,
        r#"{"username":"HIDDEN","password":"#,
        r#"{"username":"HIDDEN"}}"#,
    ] {
        let request = request_of(JSON, path, body.to_owned());
        let mask = Mask::new(service);
        assert_eq!(mask.request(&request).body(), OMITTED, "{body}");
        let told = mask.secrets(&request).text("HIDDEN is not a name.");
        assert_eq!(*told, SECRET);
    }
    let cut = request_of(JSON, path, r#"{"username":"a","password":"HIDDEN"}"#.into());
    let masked = |limit: usize| {
        Mask::new(service)
            .with_limit(limit)
            .request(&cut)
            .into_inner()
            .into_body()
    };
    assert_eq!(masked(14), r#"{"username":[cut]"#);
    assert_eq!(masked(30), r#"{"username":"a","password":"[secret]"[cut]"#);
}

#[test]
fn types_that_objects_in_json_say_are_known() {
    let service = At::service(&g_json::MODULE, None).unwrap();
    let masked = |body: &str| {
        let request = request_of(JSON, "/GJson.asmx/EchoPerson", body.to_owned());
        Mask::new(service)
            .request(&request)
            .into_inner()
            .into_body()
    };
    for (body, expected) in [
        (
            r#"{"p":{"__type":"Lab.G.Manager","Level":4}}"#,
            r#"{"p":{"__type":"Lab.G.Manager","Level":4}}"#,
        ),
        (
            r#"{"p":{"Level":4,"name":'n'}}"#,
            r#"{"p":{"[omitted]":"[omitted]","name":'n'}}"#,
        ),
        (
            r#"{"p":{"__type":"x","Level":4}}"#,
            r#"{"p":{"__type":"[omitted]","[omitted]":"[omitted]"}}"#,
        ),
        ("null", "null"),
        ("[1]", r#"["[omitted]"]"#),
        ("x", r#""[omitted]""#),
        ("", ""),
    ] {
        assert_eq!(masked(body), expected);
    }
}

#[test]
fn secrets_in_dictionaries_are_hidden_and_keys_of_simple_values_are_shown() {
    static TYPES: [ComplexType<'static>; 1] = [complex_type(
        "Login",
        &[
            element("Name", TypeRef::Simple(SimpleType::String)),
            element("Pin", TypeRef::Simple(SimpleType::String)).secret(),
        ],
    )];
    const LOGIN: Element<'static> = element("value", TypeRef::Complex(TypeId::own(0)));
    const COUNT: Element<'static> = element("value", TypeRef::Simple(SimpleType::Int));
    static OPERATIONS: [Operation<'static>; 1] = [operation(
        "Save",
        "",
        complex_type(
            "Save",
            &[
                element("logins", TypeRef::Dictionary(&LOGIN)),
                element("counts", TypeRef::Dictionary(&COUNT)),
            ],
        ),
        "SaveResponse",
    )
    .over(Bindings::of(&[Binding::Json]))];
    static MODULE: Module<'static> = Module::new(&TYPES, &[]).with_service(Service::new(
        "Logins",
        "urn:logins",
        "/Logins.asmx",
        &OPERATIONS,
    ));
    let body = r#"{"logins":{"a":{"Name":"Ada","Pin":"4711"}},"counts":{"a":1,"b":[2]}}"#;
    let request = request_of(JSON, "/Logins.asmx/Save", body.to_owned());
    let service = At::service(&MODULE, None).unwrap();
    let masked = Mask::new(service).request(&request).into_inner();
    assert_eq!(
        masked.body(),
        r#"{"logins":{"[omitted]":{"Name":"Ada","Pin":"[secret]"}},"counts":{"a":1,"b":[2]}}"#
    );
}

#[test]
fn nothing_tells_how_long_a_secret_is() {
    let service = At::service(&authenticator::MODULE, None).unwrap();
    let masked = ["", "x", &"x".repeat(5000)].map(|secret| {
        let password = Secret::from(secret);
        let request = authenticator::LoginRequest {
            username: None,
            password: Some(password),
        };
        let request = sent(&authenticator::MODULE, Binding::Soap11, 0, &request);
        Mask::new(service)
            .request(&request)
            .into_inner()
            .into_body()
    });
    assert!(masked.iter().all(|one| *one == masked[0]), "{masked:?}");
    assert!(
        masked[0].contains("<password>[secret]</password>"),
        "{}",
        masked[0]
    );
}

#[test]
fn long_messages_are_cut_and_other_encodings_are_decoded() {
    let service = At::service(&authenticator::MODULE, None).unwrap();
    let login = authenticator::LoginRequest {
        username: Some("é".repeat(5000)),
        password: Some(Secret::from("HIDDEN")),
    };
    for (binding, end) in [(Binding::Soap11, CUT), (Binding::HttpPost, "[cut]")] {
        let request = sent(&authenticator::MODULE, binding, 0, &login);
        let mask = Mask::new(service).with_limit(1000);
        let masked = mask.request(&request).into_inner().into_body();
        assert!(masked.ends_with(end) && masked.len() < 1100, "{masked}");
    }
    let request = sent(&authenticator::MODULE, Binding::Soap11, 0, &login);
    let text = String::from_utf8(request.body().to_vec()).unwrap();
    let utf16: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let request = Request::post("/").header(CONTENT_TYPE, "text/xml; charset=utf-16");
    let masked = Mask::new(service).request(&request.body(utf16).unwrap());
    assert!(masked.body().contains("éé") && !masked.body().contains(HIDDEN));

    let unknown = request_of("application/json", "/", "HIDDEN".to_owned());
    assert_eq!(Mask::new(service).request(&unknown).body(), OMITTED);
    let mut packed = request_of("text/xml", "/", "<HIDDEN/>".to_owned());
    packed
        .headers_mut()
        .insert("content-encoding", "gzip".parse().unwrap());
    assert_eq!(Mask::new(service).request(&packed).body(), OMITTED);
}

/// A service with secret bytes.
static OPENS: Module<'static> = Module::new(&[], &[]).with_service(Service::new(
    "Vault",
    "urn:m",
    "/Vault.asmx",
    &[operation(
        "Open",
        "urn:m/Open",
        complex_type(
            "Open",
            &[
                element("name", TypeRef::Simple(SimpleType::String)),
                element("key", TypeRef::Simple(SimpleType::Base64Binary)).secret(),
            ],
        ),
        "OpenResponse",
    )],
));

#[test]
fn the_bytes_of_a_secret_are_not_counted_in_a_form() {
    let service = At::service(&OPENS, None).unwrap();
    let masked = |form: &str| {
        let request = request_of(
            "application/x-www-form-urlencoded",
            "/Vault.asmx/Open",
            form.to_owned(),
        );
        Mask::new(service)
            .request(&request)
            .into_inner()
            .into_body()
    };
    for form in [
        "name=a&key=1",
        "name=a&key=1&key=2&KEY=255",
        "name=a&key=1&key=&key=",
        "name=a&key=AQID",
    ] {
        assert_eq!(masked(form), "name=a&key=[secret]", "{form}");
    }
    assert_eq!(masked("key=1&key=2&name=a"), "key=[secret]&name=a");
    assert_eq!(
        masked("key=1&name=a&key=2&key=3"),
        "key=[secret]&name=a&key=[secret]"
    );
}

#[test]
fn texts_that_quote_the_bytes_of_a_secret_are_hidden() {
    let service = At::service(&OPENS, None).unwrap();
    let bytes = *b"hunter2!";
    let form = bytes.map(|byte| format!("key={byte}")).join("&");
    let json = format!(r#"{{"name":"a","key":{bytes:?}}}"#);
    for (media_type, body) in [("application/x-www-form-urlencoded", form), (JSON, json)] {
        let request = request_of(media_type, "/Vault.asmx/Open", body);
        let secrets = Mask::new(service).secrets(&request);
        for quoting in ["not aHVudGVyMiE=", "not hunter2!", "not hunter2%21"] {
            assert_eq!(secrets.text(quoting), SECRET, "{media_type}: {quoting}");
        }
        assert_eq!(secrets.text("no such key"), "no such key");
    }
}

/// A service whose messages are encoded.
static ENCODED: Module<'static> = Module::new(&[], &[]).with_service(Service::new(
    "Login",
    "urn:m",
    "/Login.asmx",
    &[operation(
        "Login",
        "urn:m/Login",
        complex_type(
            "Login",
            &[
                element("name", TypeRef::Simple(SimpleType::String)),
                element("password", TypeRef::Simple(SimpleType::String)).secret(),
            ],
        ),
        "LoginResponse",
    )
    .encoded("urn:m/types")],
));

#[test]
fn elements_that_encoded_ones_refer_to_are_what_refers_to_them() {
    let service = At::service(&ENCODED, None).unwrap();
    let masked = |body: &str| {
        let envelope = format!("<s:Envelope xmlns:s='urn:s'><s:Body>{body}</s:Body></s:Envelope>");
        let request = request_of("text/xml", "/Login.asmx", envelope);
        Mask::new(service)
            .request(&request)
            .into_inner()
            .into_body()
    };
    let separate = "<Login><name href='#1'/><password href='#2'/></Login><m id='1'>bob</m><m id='2'>HIDDEN</m>";
    let shown = masked(separate);
    assert!(
        shown.contains("<m id='1'>bob</m><m id='2'>[secret]</m>"),
        "{shown}"
    );
    for told in [
        // One element is the value of both.
        "<Login><name href='#1'/><password href='#1'/></Login><m id='1'>HIDDEN</m>",
        "<Login><name id='1'>HIDDEN</name><password href='#1'/></Login>",
        "<Login><password id='1'>HIDDEN</password><name href='#1'/></Login>",
        // At this place, no reference to the element has been read yet.
        "<m id='1'>HIDDEN</m><Login><password href='#1'/></Login>",
    ] {
        assert!(!masked(told).contains(HIDDEN), "{}", masked(told));
    }
}
