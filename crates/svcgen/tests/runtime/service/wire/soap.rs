//! Both versions of SOAP on the server.

use http::Method;

use super::calls::{Answer, PATH, SOAP11, SOAP12, answer, envelope, request, soap, soap11, soap12};

const LOGIN: &str = r#"<Login xmlns="urn:accounts"><username>alice</username><password>secret</password><tries>3</tries></Login>"#;
const ACTION: &str = r#""urn:accounts/Login""#;

fn assert_fault(answer: &Answer, status: u16, code: &str, text: &str) {
    assert_eq!(answer.status, status, "{}", answer.body);
    let code = format!(">soap:{code}<");
    assert!(answer.body.contains(&code), "{code} in {}", answer.body);
    assert!(answer.body.contains(text), "{text} in {}", answer.body);
}

#[test]
fn answers_over_both_versions() {
    let eleven = soap11(ACTION, LOGIN);
    assert_eq!(eleven.status, 200);
    assert_eq!(eleven.header("content-type"), "text/xml; charset=utf-8");
    assert_eq!(eleven.header("cache-control"), "private, max-age=0");
    assert_eq!(eleven.header("x-content-type-options"), "nosniff");
    assert_eq!(eleven.headers.len(), 4);
    assert_eq!(
        eleven.body,
        concat!(
            r#"<?xml version="1.0" encoding="utf-8"?><soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/""#,
            r#" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema"><soap:Body>"#,
            r#"<LoginResponse xmlns="urn:accounts"><LoginResult><Id>3</Id><Name>Some("alice") Some(6)</Name></LoginResult></LoginResponse>"#,
            "</soap:Body></soap:Envelope>"
        )
    );
    let twelve = soap12(LOGIN);
    assert_eq!(
        twelve.header("content-type"),
        "application/soap+xml; charset=utf-8"
    );
    assert_eq!(twelve.body, eleven.body.replace(SOAP11, SOAP12));
}

#[test]
fn absent_results() {
    let body = |operation: &str| {
        let answer = soap12(&format!(r#"<{operation} xmlns="urn:accounts"/>"#));
        assert_eq!(answer.status, 200);
        let (_, body) = answer.body.split_once("<soap:Body>").unwrap();
        body.split_once("</soap:Body>").unwrap().0.to_owned()
    };
    assert_eq!(body("NoOp"), r#"<NoOpResponse xmlns="urn:accounts" />"#);
    assert_eq!(body("Echo"), r#"<EchoResponse xmlns="urn:accounts" />"#);
    assert_eq!(
        body("Count"),
        r#"<CountResponse xmlns="urn:accounts"><CountResult xsi:nil="true" /></CountResponse>"#
    );
    assert_eq!(
        body("SoapOnly"),
        r#"<SoapOnlyResponse xmlns="urn:accounts"><SoapOnlyResult><int>1</int><int>-2</int></SoapOnlyResult></SoapOnlyResponse>"#
    );
}

#[test]
fn soap_action_routes() {
    for action in [
        ACTION,
        "urn:accounts/Login",
        "urn%3Aaccounts/Login",
        " \"urn:accounts/Login\" ",
    ] {
        assert_eq!(soap11(action, LOGIN).status, 200, "{action}");
    }
    for action in [
        "",
        "\"\"",
        "\"urn:accounts/Login",
        "urn:accounts/login",
        "Login",
        "urn:accounts/Login/",
    ] {
        let refused = soap11(action, LOGIN);
        let action = if action == "\"\"" { "" } else { action };
        let text = format!(
            "<faultstring>Server did not recognize the value of HTTP Header SOAPAction: {action}.</faultstring><detail />"
        );
        assert_fault(&refused, 500, "Client", &text);
        assert_eq!(refused.header("cache-control"), "private");
    }
    let content_type = [("content-type", "text/xml; charset=utf-8")];
    assert_eq!(soap(&content_type, envelope(SOAP11, LOGIN)).status, 200);
    for body in [
        r#"<Nope xmlns="urn:accounts"/>"#,
        "<Login/>",
        r#"<Login xmlns="urn:other"/>"#,
        "",
    ] {
        let refused = soap(&content_type, envelope(SOAP11, body));
        assert_fault(
            &refused,
            500,
            "Client",
            "Unable to handle request without a valid action parameter. Please supply a valid soap action.",
        );
    }
}

#[test]
fn action_parameter_routes() {
    let with = |action: &str, body: &str| {
        let content_type = format!("application/soap+xml; charset=utf-8; action={action}");
        soap(
            &[("content-type", &content_type), ("soapaction", "ignored")],
            envelope(SOAP12, body),
        )
    };
    for action in [
        "\"urn:accounts/Login\"",
        "urn:accounts/Login",
        "\" urn:accounts/Login \"",
        "\"urn%3Aaccounts%2FLogin\"",
        "\"urn:unknown\"",
        "\"\"",
    ] {
        assert_eq!(with(action, LOGIN).status, 200, "{action}");
    }
    assert_fault(
        &with("\"urn:unknown\"", "<Nope/>"),
        500,
        "Sender",
        "Unable to handle request. The action 'urn:unknown' was not recognized.",
    );
    assert_fault(
        &soap12("<Nope/>"),
        500,
        "Sender",
        "Unable to handle request without a valid action parameter.",
    );
    assert_fault(
        &with("\"urn:accounts/NoOp\"", LOGIN),
        500,
        "Sender",
        "The action names the operation NoOp",
    );
}

#[test]
fn action_never_runs_another_operation() {
    let refused = soap11("\"urn:accounts/NoOp\"", LOGIN);
    assert_fault(
        &refused,
        500,
        "Client",
        "whose element is NoOp of namespace urn:accounts, but the Body holds the element Login of namespace urn:accounts.",
    );
    let bodies = format!(
        r#"<s:Envelope xmlns:s="{SOAP11}"><s:Body>{LOGIN}</s:Body><x/><s:Body/></s:Envelope>"#
    );
    assert_fault(
        &soap(
            &[("content-type", "text/xml"), ("soapaction", ACTION)],
            bodies,
        ),
        500,
        "Client",
        "A second soap:Body element.",
    );
    let after =
        format!(r#"<s:Envelope xmlns:s="{SOAP11}"><s:Body>{LOGIN}</s:Body><x/></s:Envelope>"#);
    assert_eq!(
        soap(
            &[("content-type", "text/xml"), ("soapaction", ACTION)],
            after
        )
        .status,
        200
    );
    assert_eq!(soap11(ACTION, &format!("text{LOGIN}")).status, 200);
    assert_eq!(
        soap11(ACTION, "").status,
        200,
        "an empty Body leaves every parameter absent"
    );
}

#[test]
fn media_types() {
    for content_type in [
        "TEXT/XML",
        "text/xml;",
        "text/xml ; charset=\"utf-8\"",
        "text/xml; charset=nonsense",
    ] {
        assert_eq!(
            soap(&[("content-type", content_type)], envelope(SOAP11, LOGIN)).status,
            200,
            "{content_type}"
        );
    }
    for content_type in [
        "application/json",
        "text/plain",
        "application/x-www-form-urlencoded",
        "application/xml",
        "",
    ] {
        let refused = soap(&[("content-type", content_type)], envelope(SOAP11, LOGIN));
        assert_eq!(refused.status, 415);
        assert_eq!(refused.header("content-type"), "text/plain; charset=utf-8");
        assert_eq!(refused.header("cache-control"), "private");
        assert_eq!(
            refused.body,
            "Requests to this path are text/xml (SOAP 1.1) or application/soap+xml (SOAP 1.2).\n"
        );
    }
    for (content_type, what) in [
        (
            r#"multipart/related; type="application/xop+xml"; boundary=b; start-info="text/xml""#,
            "MTOM, XOP or SOAP with Attachments (multipart/related)",
        ),
        ("Application/DIME", "DIME (application/dime)"),
    ] {
        let refused = soap(&[("content-type", content_type)], "--b");
        assert_eq!(refused.status, 415);
        assert_eq!(refused.header("content-type"), "text/plain; charset=utf-8");
        let said = format!(
            "Messages in {what} are not read: send the SOAP message alone, text/xml (SOAP 1.1) or application/soap+xml (SOAP 1.2), with binary data in base64.\n"
        );
        assert_eq!(refused.body, said);
    }
    assert_eq!(soap(&[], envelope(SOAP11, LOGIN)).status, 415);
    assert_eq!(
        soap(
            &[("content-type", "text/xml"), ("content-encoding", "gzip")],
            ""
        )
        .status,
        415
    );
}

#[test]
fn envelope_decides_the_version() {
    let twelve = soap(&[("content-type", "text/xml")], envelope(SOAP12, LOGIN));
    assert_eq!(
        (twelve.status, twelve.header("content-type")),
        (200, "application/soap+xml; charset=utf-8")
    );
    assert_eq!(
        soap(
            &[("content-type", "application/soap+xml")],
            envelope(SOAP11, LOGIN)
        )
        .status,
        415
    );
    for content_type in ["text/xml", "application/soap+xml"] {
        let refused = soap(
            &[("content-type", content_type), ("soapaction", ACTION)],
            envelope("urn:x", LOGIN),
        );
        assert_eq!(refused.header("content-type"), "text/xml; charset=utf-8");
        assert_fault(
            &refused,
            500,
            "VersionMismatch",
            "Envelope namespace urn:x was unexpected. Expecting http://schemas.xmlsoap.org/soap/envelope/.</faultstring><detail />",
        );
        assert!(refused.body.contains(r#"<soap:Header><soap12:Upgrade xmlns:soap12="http://www.w3.org/2003/05/soap-envelope"><soap12:SupportedEnvelope qname="soap:Envelope""#));
    }
    let root = soap(
        &[("content-type", "text/xml")],
        format!(r#"<s:Envelop xmlns:s="{SOAP11}"/>"#),
    );
    assert_fault(
        &root,
        500,
        "Client",
        "Server was unable to read request. ---&gt; Request format is invalid: Missing required soap:Envelope element.",
    );
}

#[test]
fn shape_of_the_envelope() {
    let missing = "Server was unable to read request. ---&gt; Request format is invalid: Missing required soap:Body element.";
    for inside in [
        "",
        "<s:Header/>",
        "<x/><s:Body/>",
        "<s:Header/><s:Header/><s:Body/>",
        "<Body/>",
    ] {
        let message = format!(r#"<s:Envelope xmlns:s="{SOAP11}">{inside}</s:Envelope>"#);
        assert_fault(
            &soap(
                &[("content-type", "text/xml"), ("soapaction", ACTION)],
                message,
            ),
            500,
            "Client",
            missing,
        );
    }
}

#[test]
fn second_element_of_the_body_is_ignored() {
    let other = r#"<NoOp xmlns="urn:accounts"/>"#;
    for second in [LOGIN, other, "<!-- c --><x:y xmlns:x='urn:x'>1</x:y><z/>"] {
        let only = soap11(ACTION, LOGIN);
        assert_eq!(soap11(ACTION, &format!("{LOGIN}{second}")), only);
    }
    assert_fault(
        &soap11(ACTION, &format!("{other}{LOGIN}")),
        500,
        "Client",
        "The action names the operation Login",
    );
    let malformed = soap11(ACTION, &format!("{LOGIN}<x></y>"));
    assert_fault(&malformed, 400, "Client", "'x'");
}

#[test]
fn namespace_of_an_element_without_parameters_does_not_matter() {
    let action = r#""urn:accounts/NoOp""#;
    for element in [
        r#"<NoOp xmlns="urn:accounts"/>"#,
        "<NoOp/>",
        r#"<n:NoOp xmlns:n="urn:other">x</n:NoOp>"#,
    ] {
        let answered = soap11(action, element);
        assert_eq!(answered.status, 200, "{}", answered.body);
        let response = r#"<NoOpResponse xmlns="urn:accounts" />"#;
        assert!(answered.body.contains(response), "{}", answered.body);
    }
    for element in ["<noop/>", "<Login/>"] {
        assert_eq!(soap11(action, element).status, 500, "{element}");
    }
    assert_fault(
        &soap11(ACTION, "<Login><username>alice</username></Login>"),
        500,
        "Client",
        "whose element is Login of namespace urn:accounts, but the Body holds the element Login of namespace .",
    );
}

#[test]
fn must_understand() {
    let with = |namespace: &str, attributes: &str| {
        let message = format!(
            r#"<s:Envelope xmlns:s="{namespace}"><s:Header><a/><h:Nope xmlns:h="urn:h" {attributes}><deep/></h:Nope></s:Header><s:Body>{LOGIN}</s:Body></s:Envelope>"#
        );
        let content_type = if namespace == SOAP11 {
            "text/xml"
        } else {
            "application/soap+xml"
        };
        soap(&[("content-type", content_type)], message)
    };
    for attributes in [
        "s:mustUnderstand='1'",
        "s:mustUnderstand='true'",
        "s:mustUnderstand='1' s:actor=''",
        "s:mustUnderstand='1' s:actor='http://schemas.xmlsoap.org/soap/actor/next'",
    ] {
        let refused = with(SOAP11, attributes);
        assert_fault(
            &refused,
            500,
            "MustUnderstand",
            "<faultstring>SOAP header Nope was not understood.</faultstring></soap:Fault>",
        );
        assert_eq!(refused.header("cache-control"), "private, max-age=0");
    }
    for attributes in [
        "",
        "s:mustUnderstand='0'",
        "mustUnderstand='1'",
        "s:mustUnderstand='1' s:actor='urn:elsewhere'",
    ] {
        assert_eq!(with(SOAP11, attributes).status, 200, "{attributes}");
    }
    for role in [
        "",
        "http://www.w3.org/2003/05/soap-envelope/role/next",
        "http://www.w3.org/2003/05/soap-envelope/role/ultimateReceiver",
    ] {
        let refused = with(SOAP12, &format!("s:mustUnderstand='true' s:role='{role}'"));
        assert_fault(
            &refused,
            500,
            "MustUnderstand",
            r#"<soap:Text xml:lang="en">SOAP header Nope was not understood.</soap:Text></soap:Reason></soap:Fault>"#,
        );
    }
    assert_eq!(
        with(
            SOAP12,
            "s:mustUnderstand='1' s:role='http://www.w3.org/2003/05/soap-envelope/role/none'"
        )
        .status,
        200
    );
}

#[test]
fn messages_of_other_stacks() {
    let messages = [
        format!(
            "<?xml version='1.0' encoding='UTF-8' standalone='yes'?>\n{}\n",
            envelope(SOAP11, LOGIN)
        ),
        format!(
            r#"<a:Envelope xmlns:a="{SOAP11}" xmlns:b="{SOAP11}" a:encodingStyle="urn:e"><a:Header/><b:Body>{LOGIN}</b:Body></a:Envelope>"#
        ),
        format!(
            "<!-- c --><?p i?>{}<!-- c -->",
            envelope(SOAP11, &format!("\n  <!-- c -->\n{LOGIN}\n"))
        ),
        envelope(
            SOAP11,
            r#"<n:NoOp xmlns:n="urn:accounts" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:nil="true" />"#,
        ),
        envelope(
            SOAP11,
            r#"<ns1:Login xmlns:ns1="urn:accounts" xmlns:x="http://www.w3.org/2001/XMLSchema-instance"><ns1:password x:type="xsd:string">p</ns1:password><ns1:tries>1</ns1:tries></ns1:Login>"#,
        ),
    ];
    for message in messages {
        let answer = soap(&[("content-type", "text/xml")], message.clone());
        assert_eq!(answer.status, 200, "{message} {}", answer.body);
    }
}

#[test]
fn malformed_messages_run_nothing() {
    let valid = envelope(SOAP11, LOGIN);
    let messages = [
        "hello".to_owned(),
        String::new(),
        format!(" <?xml version='1.0'?>{valid}"),
        format!("<!DOCTYPE x>{valid}"),
        format!("{valid}<x/>"),
        valid.replace("<username>", "<q:username>"),
        valid.replace("</Login>", "</Logon>"),
        valid.replace("alice", "&nbsp;"),
        valid.replace("alice", "\u{1}"),
        valid[..valid.len() - 20].to_owned(),
        valid.replace("<s:Body>", "<s:Bod>"),
        valid
            .replace("<s:Body>", "<x/><s:Body>")
            .replace("</s:Body>", ""),
        valid
            .replace("<s:Body>", "<s:Body><Other/>")
            .replace("alice", "&#0;"),
        valid
            .replace("</s:Body>", "<x/></s:Body>")
            .replace("</s:Envelope>", ""),
        valid
            .replace("</s:Body>", "</s:Body><s:Body/>")
            .replace("</s:Envelope>", "]]>"),
    ];
    for message in messages {
        for (content_type, code) in [("text/xml", "Client"), ("application/soap+xml", "Sender")] {
            let message = if code == "Sender" {
                message.replace(SOAP11, SOAP12)
            } else {
                message.clone()
            };
            let refused = soap(&[("content-type", content_type)], message.clone());
            assert_fault(
                &refused,
                400,
                code,
                "Server was unable to read request. ---&gt; There is an error in XML document (1, ",
            );
            assert_eq!(refused.header("cache-control"), "private", "{message}");
            assert_eq!(
                refused.header("content-type").split(';').next(),
                Some(content_type)
            );
        }
    }
}

#[test]
fn values_of_the_wrong_type() {
    let refused = soap11(
        ACTION,
        "<Login xmlns='urn:accounts'><tries>three</tries></Login>",
    );
    let before = "<Login xmlns='urn:accounts'><tries>three</tries></";
    let place = envelope(SOAP11, before).len() - "</s:Body></s:Envelope>".len() + 1;
    let text = format!(
        "Server was unable to read request. ---&gt; There is an error in XML document (1, {place}). ---&gt; Input string was not in a correct format."
    );
    assert_fault(&refused, 500, "Client", &text);
    assert_eq!(refused.header("cache-control"), "private");
}

#[test]
fn charsets() {
    let echo = |text: &str| {
        envelope(
            SOAP11,
            &format!("<Echo xmlns='urn:accounts'><text>{text}</text></Echo>"),
        )
    };
    let utf16: Vec<u8> = format!("\u{FEFF}{}", echo("é日😀"))
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let answer = soap(&[("content-type", "text/xml; charset=utf-8")], utf16);
    assert!(
        answer.body.contains("<EchoResult>é日😀</EchoResult>"),
        "{}",
        answer.body
    );
    let latin: Vec<u8> = echo("é")
        .chars()
        .map(|c| u8::try_from(u32::from(c)).unwrap())
        .collect();
    let answer = soap(
        &[("content-type", "text/xml; charset=iso-8859-1")],
        latin.clone(),
    );
    assert!(
        answer.body.contains("<EchoResult>é</EchoResult>"),
        "{}",
        answer.body
    );
    let refused = soap(&[("content-type", "text/xml")], latin);
    assert_fault(
        &refused,
        400,
        "Client",
        "Invalid character in the given encoding (UTF-8). Line 1, position ",
    );
}

#[test]
fn handlers_that_fail() {
    let login =
        |name: &str| format!("<Login xmlns='urn:accounts'><username>{name}</username></Login>");
    let thrown = soap11(ACTION, &login("throw"));
    assert_fault(
        &thrown,
        500,
        "Server",
        "<faultstring>Server was unable to process request. ---&gt; boom &lt;&amp;&gt; é</faultstring><detail />",
    );
    assert_eq!(thrown.header("cache-control"), "private, max-age=0");
    assert_fault(
        &soap12(&login("throw")),
        500,
        "Receiver",
        "Server was unable to process request. ---&gt; boom",
    );
    let refused = soap11(ACTION, &login("refuse"));
    assert!(refused.body.contains(r#"<faultcode xmlns:q0="urn:accounts">q0:Locked</faultcode><faultstring>locked</faultstring><faultactor>urn:me</faultactor>"#), "{}", refused.body);
    let panicked = soap11(ACTION, &login("panic"));
    assert_fault(&panicked, 500, "Server", "The handler panicked.");
    assert!(!panicked.body.contains("secret"));
}

#[test]
fn other_paths_and_methods() {
    let get = answer(request(Method::GET, PATH, &[], ""));
    assert_eq!(
        (get.status, get.header("allow"), get.header("content-type")),
        (405, "POST", "text/plain; charset=utf-8")
    );
    assert_eq!(
        answer(request(Method::PUT, &format!("{PATH}/Login"), &[], "")).header("allow"),
        "GET, POST"
    );
    for path in ["/", "/Svc/Accounts.asm", "/Svc/Accounts.asmxx", "/other"] {
        let missing = answer(request(
            Method::POST,
            path,
            &[("content-type", "text/xml")],
            "",
        ));
        assert_eq!(
            (missing.status, missing.header("cache-control")),
            (404, "private"),
            "{path}"
        );
    }
    let target = "/svc/ACCOUNTS%2Easmx?wsdl";
    assert_eq!(
        answer(request(
            Method::POST,
            target,
            &[("content-type", "text/xml")],
            envelope(SOAP11, LOGIN)
        ))
        .status,
        200
    );
}

#[test]
fn bodies_over_the_limit() {
    let limits = svcgen::Limits::default().with_body(100);
    let server = super::service::Server::new(super::service::Shows).with_limits(limits);
    let send = |headers: &[(&str, &str)], target: &str, length: usize| -> Answer {
        super::calls::ready(server.answer(request(
            Method::POST,
            target,
            headers,
            "x".repeat(length),
        )))
        .into()
    };
    assert_fault(
        &send(&[("content-type", "text/xml")], PATH, 101),
        500,
        "Server",
        "Maximum request length exceeded.",
    );
    assert_fault(
        &send(&[("content-type", "application/soap+xml")], PATH, 101),
        500,
        "Receiver",
        "Maximum request length exceeded.",
    );
    assert_eq!(send(&[("content-type", "text/xml")], PATH, 100).status, 400);
    let form = [("content-type", "application/x-www-form-urlencoded")];
    let refused = send(&form, &format!("{PATH}/Echo"), 101);
    assert_eq!(
        (refused.status, refused.body.as_str()),
        (500, "Upload size exceeds httpRuntime limit.\n")
    );
    assert_eq!(refused.header("content-type"), "text/plain; charset=utf-8");
}
