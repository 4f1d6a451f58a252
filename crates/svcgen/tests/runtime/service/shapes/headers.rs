//! SOAP headers.

use svcgen::{Binding, CallError, Fault, FaultCode, Secret};

use super::calls::{SOAP, answer, between, client, client_told, envelope, ready, soap};
use super::service::*;
use super::things::Credentials;

fn headers() -> SecureHeaders {
    SecureHeaders {
        credentials: Credentials {
            user: Some("al".to_owned()),
            pin: Some(Secret::from(815)),
        },
        session: Some(Secret::from("s-1")),
    }
}

type Secured = Result<(Option<String>, SecureResponseHeaders), CallError>;

fn secure<const STYLE: usize>(binding: Binding, headers: &SecureHeaders, text: &str) -> Secured {
    let request = SecureRequest {
        text: Some(text.to_owned()),
    };
    ready(
        client::<STYLE>(binding).call(3, headers, &request, |answer| {
            answer.read_with_headers(None)
        }),
    )
}

#[test]
fn headers_go_both_ways() {
    for binding in SOAP {
        for (said, back) in [
            secure::<DOCUMENT>(binding, &headers(), ""),
            secure::<UNQUALIFIED>(binding, &headers(), ""),
            secure::<RPC>(binding, &headers(), ""),
            secure::<RPC_UNQUALIFIED>(binding, &headers(), ""),
        ]
        .map(Result::unwrap)
        {
            assert_eq!(said.as_deref(), Some(r#"Some("al") Some(815)"#));
            assert_eq!(back.session, Some(Secret::from("s-1")));
            assert_eq!(back.quota, Some(815));
        }
        let (_, back) = secure::<DOCUMENT>(binding, &SecureHeaders::default(), "").unwrap();
        assert_eq!(back, SecureResponseHeaders::default());
    }
}

#[test]
fn headers_on_the_wire() {
    let client = client::<DOCUMENT>(Binding::Soap12);
    let request = client
        .request(3, &headers(), &SecureRequest::default())
        .unwrap();
    let text = String::from_utf8(request.body().to_vec()).unwrap();
    assert_eq!(
        between(&text, "<soap:Header>", "</soap:Envelope>"),
        concat!(
            r#"<Credentials soap:mustUnderstand="1" xmlns="urn:things"><User>al</User><Pin>815</Pin></Credentials>"#,
            r#"<Session xmlns="urn:things">s-1</Session></soap:Header>"#,
            r#"<soap:Body><Secure xmlns="urn:things" /></soap:Body>"#,
        )
    );
    let server = Server::<DOCUMENT>::new(Mirror::default());
    let answered = answer(&server, request);
    assert_eq!(
        between(&answered.body, "<soap:Header>", "</soap:Header>"),
        concat!(
            r#"<Session soap:mustUnderstand="1" xmlns="urn:things">s-1</Session>"#,
            r#"<Quota xmlns="urn:things">815</Quota>"#,
        )
    );
}

const CREDENTIALS: &str =
    r#"<t:Credentials s:mustUnderstand="1"><t:User>al</t:User></t:Credentials>"#;
const SECURE: &str = "<s:Body><t:Secure/></s:Body>";

fn sent(binding: Binding, header: &str, body: &str) -> super::calls::Answer {
    let server = Server::<DOCUMENT>::new(Mirror::default());
    answer(
        &server,
        soap(binding, &format!("<s:Header>{header}</s:Header>{body}")),
    )
}

#[test]
fn first_header_of_a_name_counts_and_others_are_ignored() {
    for binding in SOAP {
        let header = format!(
            "<!-- c --><x:Credentials xmlns:x='urn:x'/>{CREDENTIALS}<t:Credentials><t:User>late</t:User></t:Credentials><t:Other/>"
        );
        let answered = sent(binding, &header, SECURE);
        assert_eq!(answered.status, 200, "{}", answered.body);
        assert!(
            answered.body.contains(r#"Some("al") None"#),
            "{}",
            answered.body
        );
        assert!(!answered.body.contains("Header"));
    }
}

#[test]
fn required_headers_must_be_there() {
    for binding in SOAP {
        let server = Server::<DOCUMENT>::new(Mirror::default());
        let without = answer(&server, soap(binding, SECURE));
        for answered in [
            without,
            sent(binding, "<t:Session>x</t:Session>", SECURE),
            sent(binding, r#"<t:Credentials xsi:nil="1"/>"#, SECURE),
        ] {
            assert_eq!(answered.status, 500);
            let text = "SOAP header Credentials of namespace urn:things is required by Secure and missing.";
            assert!(answered.body.contains(text), "{}", answered.body);
            let code = if binding == Binding::Soap12 {
                "soap:Sender"
            } else {
                "soap:Client"
            };
            assert!(answered.body.contains(code), "{}", answered.body);
        }
    }
}

#[test]
fn declared_headers_are_read_whoever_they_are_for() {
    for (binding, attribute) in SOAP.into_iter().zip(["actor", "role"]) {
        for must in ["", r#" s:mustUnderstand="1""#] {
            let header = format!(
                r#"<t:Credentials s:{attribute}="urn:another"{must}><t:User>al</t:User></t:Credentials>"#
            );
            let answered = sent(binding, &header, SECURE);
            assert_eq!(answered.status, 200, "{}", answered.body);
            let said = r#"Some("al") None"#;
            assert!(answered.body.contains(said), "{}", answered.body);
            // No operation declares this header, but it is for another actor.
            let unknown = format!(r#"{header}<t:New s:{attribute}="urn:another"{must}/>"#);
            assert_eq!(sent(binding, &unknown, SECURE).status, 200);
        }
    }
}

#[test]
fn malformed_message_is_what_is_wrong_first() {
    let answered = sent(
        Binding::Soap11,
        "",
        "<s:Body><t:Secure><t:text></t:Secure></s:Body>",
    );
    assert_eq!(answered.status, 400, "{}", answered.body);
    let unclosed = sent(Binding::Soap11, "<t:Credentials>", SECURE);
    assert_eq!(unclosed.status, 400, "{}", unclosed.body);
}

#[test]
fn what_must_be_understood_depends_on_the_operation() {
    let must = r#"<t:Session s:mustUnderstand="true">x</t:Session>"#;
    for binding in SOAP {
        // This operation declares the header.
        assert_eq!(sent(binding, must, "<s:Body><t:Sum/></s:Body>").status, 200);
        // Only other operations declare the header.
        let answered = sent(binding, must, "<s:Body><t:Matrix/></s:Body>");
        assert_eq!(answered.status, 500);
        assert!(
            answered.body.contains("soap:MustUnderstand")
                && answered
                    .body
                    .contains("SOAP header Session was not understood."),
            "{}",
            answered.body
        );
        let foreign = format!(r#"{CREDENTIALS}<x:Session xmlns:x="urn:x" s:mustUnderstand="1"/>"#);
        let answered = sent(binding, &foreign, SECURE);
        assert!(
            answered
                .body
                .contains("SOAP header Session was not understood.")
        );
    }
}

#[test]
fn errors_in_headers_say_where_and_quote_no_secret() {
    let wrong = "<t:Credentials><t:Pin>hunter2</t:Pin></t:Credentials>";
    for binding in SOAP {
        let answered = sent(binding, wrong, SECURE);
        assert_eq!(answered.status, 500);
        let message = envelope(binding, &format!("<s:Header>{wrong}</s:Header>"));
        let column = message.find("t:Credentials></s:Header").unwrap() + 1;
        let text = format!(
            "There is an error in XML document (1, {column}). ---&gt; Input string was not in a correct format."
        );
        assert!(answered.body.contains(&text), "{}", answered.body);
        assert!(!answered.body.contains("hunter2"));
    }
}

#[test]
fn faults_come_without_headers() {
    for binding in SOAP {
        let error = secure::<DOCUMENT>(binding, &headers(), "refuse").unwrap_err();
        assert_eq!(error.fault().map(Fault::text), Some("refused"));
    }
}

#[test]
fn clients_send_no_headers_where_there_is_no_place() {
    for binding in [Binding::HttpGet, Binding::HttpPost] {
        let headers = SumHeaders {
            session: Some(Secret::from("hunter2")),
        };
        let client = client::<DOCUMENT>(binding);
        let error = client
            .request(7, &headers, &SumRequest::default())
            .unwrap_err();
        assert_eq!(
            error.to_string(),
            format!(
                "the SOAP headers given to Sum cannot be sent over {binding} (hint: `with_binding` chooses another binding)"
            )
        );
        let request = client.request(7, &SumHeaders::default(), &SumRequest::default());
        assert!(request.is_ok());
    }
}

fn told(binding: Binding, header: &str, body: &str) -> Secured {
    let message = envelope(
        binding,
        &format!("<s:Header>{header}</s:Header><s:Body>{body}</s:Body>"),
    );
    let client = client_told(binding, 200, &message);
    ready(
        client.call(3, &headers(), &SecureRequest::default(), |answer| {
            answer.read_with_headers(None)
        }),
    )
}

#[test]
fn clients_read_the_headers_of_any_answer() {
    let response = "<t:SecureResponse><t:SecureResult>r</t:SecureResult></t:SecureResponse>";
    for binding in SOAP {
        let quota = r#"<x:Quota xmlns:x="urn:x">1</x:Quota><t:Quota s:mustUnderstand="1"> 2 </t:Quota><t:Quota>3</t:Quota>"#;
        let (result, back) = told(binding, quota, response).unwrap();
        assert_eq!((result.as_deref(), back.quota), (Some("r"), Some(2)));

        let unknown = told(binding, r#"<t:New s:mustUnderstand="1"/>"#, response).unwrap_err();
        assert_eq!(
            unknown.to_string(),
            "the answer has the header New, which must be understood and is not known"
        );
        let wrong = told(binding, "<t:Quota>many</t:Quota>", response).unwrap_err();
        assert!(
            matches!(&wrong, CallError::Read(error) if error.path() == "Quota"),
            "{wrong}"
        );
    }
    let fault = "<s:Fault><faultcode>s:Client</faultcode><faultstring>no</faultstring></s:Fault>";
    let error = told(Binding::Soap11, "<t:Quota>many</t:Quota>", fault).unwrap_err();
    assert_eq!(error.fault().map(Fault::code), Some(&FaultCode::Client));
}
