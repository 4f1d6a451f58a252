//! Faults with details, codes, actors and roles, from server to client.

use svcgen::codegen::model::{ComplexType, ElementForm, complex_type};
use svcgen::codegen::{
    Client, Content, Element, FaultDetail, ServiceModule, SpokenProtocol, Value,
};
use svcgen::types::{QName, XmlFragment};
use svcgen::{Binding, CallError, Fault, FaultCode, ReadError};

use super::calls::{SOAP, answer, client_told, envelope, ready, soap};
use super::service::*;
use super::things::{Credentials, Dog, field};

impl FaultDetail for Dog {
    const NAMESPACE: &'static str = NAMESPACE;
    const NAME: &'static str = "Bitten";
}

impl FaultDetail for Credentials {
    const NAMESPACE: &'static str = NAMESPACE;
    const NAME: &'static str = "Wrong";
    const SCOPE: Option<(&'static str, ElementForm)> = Some((NAMESPACE, ElementForm::Unqualified));
}

/// A detail that is not an object.
#[derive(Debug, Clone, PartialEq, Default)]
struct Code(QName);

impl Value for Code {
    fn read(&mut self, element: &mut Element<'_>) -> Result<(), ReadError> {
        element.read(&mut self.0)
    }
    fn write(&self, name: &str, out: &mut Content<'_>) {
        out.element(name, &self.0);
    }
}

impl FaultDetail for Code {
    const NAMESPACE: &'static str = "";
    const NAME: &'static str = "Code";
}

/// A service that answers every call with a fault.
struct Failing;

impl svcgen::codegen::DispatchTo<Fault> for Failing {
    const SERVICE: &'static ServiceModule =
        &ServiceModule::new(&MODULES[DOCUMENT], SpokenProtocol::ALL);

    async fn call(
        fault: &Fault,
        _: usize,
        mut call: svcgen::codegen::Call<'_>,
    ) -> Result<svcgen::codegen::Reply, svcgen::codegen::Failure> {
        call.read::<()>()?;
        Err(fault.clone().into())
    }
}

/// Returns the fault that a caller receives.
fn carried(binding: Binding, fault: &Fault) -> Fault {
    let server: svcgen::Server<Failing, _> = svcgen::Server::new(fault.clone());
    let transport = svcgen::transport::transport_fn(move |request| {
        let server = server.clone();
        async move { Ok(server.answer(request).await) }
    });
    let client = Client::new(&MODULES[DOCUMENT], transport, "http://localhost").unwrap();
    let client = client.with_binding(binding);
    match ready(client.call(4, &(), &(), |answer| answer.read::<()>())).unwrap_err() {
        CallError::Fault(fault) => fault,
        other => panic!("{other}"),
    }
}

fn rex() -> Dog {
    Dog {
        name: Some("<Rex>".to_owned()),
        tricks: 1,
    }
}

#[test]
fn typed_details() {
    let wrong = Credentials {
        user: Some("al".to_owned()),
        pin: None,
    };
    for binding in SOAP {
        let fault = carried(
            binding,
            &Fault::client("no").with_detail(&rex()).with_detail(&wrong),
        );
        assert_eq!(fault.read_detail::<Dog>().unwrap().unwrap(), rex());
        assert_eq!(fault.read_detail::<Credentials>().unwrap().unwrap(), wrong);
        assert!(fault.read_detail::<Code>().is_none());
        assert!(
            fault
                .detail()
                .unwrap()
                .contains(r#"<User xmlns="">al</User>"#),
            "{fault:?}"
        );
    }
}

#[test]
fn details_of_other_types_are_skipped() {
    assert!(Fault::client("x").read_detail::<Dog>().is_none());
    let other = Fault::client("x").with_detail_xml(XmlFragment::parse("<Other/>").unwrap());
    assert!(other.read_detail::<Dog>().is_none());
    let both = other.with_detail(&rex());
    assert_eq!(both.read_detail::<Dog>().unwrap().unwrap(), rex());
}

#[test]
fn a_detail_that_xml_cannot_carry_replaces_the_fault() {
    let dog = Dog {
        name: Some("\0".to_owned()),
        tricks: 1,
    };
    let fault = Fault::client("x").with_detail(&dog);
    assert_eq!(fault.code(), &FaultCode::Server);
    let start = "There was an error generating the XML document. ---> ";
    assert!(fault.text().starts_with(start));
    assert_eq!(FaultCode::other("urn:x", "Mine").to_string(), "{urn:x}Mine");
}

#[test]
fn free_details() {
    let detail = XmlFragment::parse(r#"text <a xmlns="urn:a" b="c"><d/></a><!-- e -->"#).unwrap();
    for binding in SOAP {
        let fault = carried(
            binding,
            &Fault::client("no").with_detail_xml(detail.clone()),
        );
        assert_eq!(fault.detail_xml(), Some(&detail));
    }
}

#[test]
fn codes_actors_and_roles() {
    let codes = [
        FaultCode::Client,
        FaultCode::Server,
        FaultCode::MustUnderstand,
        FaultCode::other("urn:codes", "Locked"),
        FaultCode::other("urn:codes", "Locked.ForGood"),
        FaultCode::other("", "Bare"),
    ];
    for binding in SOAP {
        for code in &codes {
            let fault = Fault::new(code.clone(), "é <&>\r\n")
                .with_actor("urn:node?a&b")
                .with_subcode(QName::new("urn:one", "One"))
                .with_subcode(QName::new("urn:two", "Two"))
                .with_role("urn:role");
            let back = carried(binding, &fault);
            assert_eq!(back.code(), code);
            assert_eq!((back.text(), back.actor()), (fault.text(), fault.actor()));
            if binding == Binding::Soap12 {
                assert_eq!(back, fault);
            }
        }
    }
}

#[test]
fn foreign_details_may_use_prefixes_declared_anywhere() {
    let faults = [
        (
            Binding::Soap11,
            r#"<s:Fault xmlns:f="urn:f"><faultcode>s:Client</faultcode><faultstring>no</faultstring><detail xmlns:d="urn:things"><d:Bitten xsi:type="t:Dog"><t:Name>Rex</t:Name></d:Bitten><Code>f:Locked</Code></detail></s:Fault>"#,
        ),
        (
            Binding::Soap12,
            r#"<s:Fault xmlns:f="urn:f"><s:Code><s:Value>s:Sender</s:Value></s:Code><s:Reason><s:Text xml:lang="en">no</s:Text></s:Reason><s:Detail xmlns:d="urn:things"><d:Bitten xsi:type="t:Dog"><t:Name>Rex</t:Name></d:Bitten><Code>f:Locked</Code></s:Detail></s:Fault>"#,
        ),
    ];
    for (binding, fault) in faults {
        let message = envelope(binding, &format!("<s:Body>{fault}</s:Body>"));
        let client = client_told(binding, 500, &message);
        let error = ready(client.call(4, &(), &(), |answer| answer.read::<()>())).unwrap_err();
        let fault = error.fault().unwrap();
        let dog = fault.read_detail::<Dog>().unwrap().unwrap();
        assert_eq!(dog.name.as_deref(), Some("Rex"));
        assert_eq!(
            fault.read_detail::<Code>().unwrap().unwrap(),
            Code(QName::new("urn:f", "Locked"))
        );
        // The detail is a document of its own.
        assert!(XmlFragment::parse(fault.detail().unwrap()).is_ok());
    }
}

#[test]
fn empty_details_are_absent() {
    for binding in SOAP {
        assert_eq!(carried(binding, &Fault::client("no")).detail(), None);
    }
}

#[test]
fn malformed_messages_say_in_which_element() {
    let server = Server::<DOCUMENT>::new(Mirror::default());
    let text = |body: &str| answer(&server, soap(Binding::Soap11, body));
    let inside =
        text("<s:Body><t:Mirror><t:thing><t:Pet>&nope;</t:Pet></t:thing></t:Mirror></s:Body>");
    assert_eq!(inside.status, 400);
    assert!(
        inside
            .body
            .contains(" ---&gt; at Mirror/thing/Pet</faultstring>"),
        "{}",
        inside.body
    );
    let outside = text("<s:Body><t:Mirror></t:Mirror>");
    assert!(
        outside
            .body
            .contains(" ---&gt; at Envelope/Body</faultstring>"),
        "{}",
        outside.body
    );
    // For a value that does not match its type, the fault has the original's message.
    let value = text("<s:Body><t:Notify><t:number>x</t:number></t:Notify></s:Body>");
    assert!(
        value
            .body
            .contains("Input string was not in a correct format.</faultstring>"),
        "{}",
        value.body
    );
    let deep = format!("<t:{0}><t:{0}><t:{0}>", "é".repeat(99));
    let deep = text(&format!("<s:Body><t:Notify>{deep}"));
    assert_eq!(deep.status, 400);
    let (_, path) = deep.body.rsplit_once(" ---&gt; at ").unwrap();
    assert!(path.starts_with("…/é") && path.len() < 300, "{path}");
}

#[test]
fn wrong_numbers_among_secret_bytes_are_shown() {
    let mut request = SecretBytes::default();
    let mut refused = |field: &str| {
        let fields = [("data".into(), field.into())];
        Element::of_fields(&fields, &svcgen::Limits::default())
            .read(&mut request)
            .unwrap_err()
            .message()
            .lines()
            .next()
            .unwrap()
            .to_owned()
    };
    for shown in ["256", "-1", "65,66", "+123456"] {
        assert_eq!(
            refused(shown),
            format!("Cannot convert {shown} to System.Byte.")
        );
    }
    for hidden in ["65,66,67,68", "pass!", "12 3", "1.5", "0x411"] {
        let said = refused(hidden);
        assert!(!said.contains(hidden), "{said}");
    }
}

#[derive(Debug, Default)]
struct SecretBytes {
    data: Option<svcgen::Secret<Vec<u8>>>,
}

impl svcgen::codegen::Complex for SecretBytes {
    const TYPE: &'static ComplexType<'static> = &complex_type("SecretBytes", &[field("data")]);
}

impl svcgen::codegen::Fields for SecretBytes {
    fn read_element(
        &mut self,
        _: usize,
        element: &mut svcgen::codegen::Element<'_>,
    ) -> Result<(), svcgen::ReadError> {
        element.read(&mut self.data)
    }
    fn write_elements(&self, out: &mut svcgen::codegen::Content<'_>) {
        out.element("data", &self.data);
    }
}
