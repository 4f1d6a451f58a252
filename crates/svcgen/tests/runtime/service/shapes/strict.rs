//! Strict reading.

use svcgen::{Binding, ServerOptions};

use super::calls::{SOAP, answer, between, client_told, envelope, form, ready, soap};
use super::service::*;
use super::things::Thing;

fn strict() -> Server<DOCUMENT> {
    Server::new(Mirror::default()).with_options(ServerOptions::new().with_strict(true))
}

/// Returns the error of a strict server about the children of a thing.
fn said(children: &str) -> Option<String> {
    let body = format!("<s:Body><t:Mirror><t:thing>{children}</t:thing></t:Mirror></s:Body>");
    let answer = answer(&strict(), soap(Binding::Soap11, &body));
    if answer.status == 200 {
        return None;
    }
    assert_eq!(answer.status, 500, "{}", answer.body);
    assert!(answer.body.contains("soap:Client"));
    let text = between(&answer.body, "<faultstring>", "</faultstring>");
    Some(text.rsplit_once("---&gt; ").unwrap().1.to_owned())
}

#[test]
fn elements_in_order_are_read() {
    for children in [
        "",
        "<t:Last/>",
        "<t:Price>1</t:Price><t:Last/>",
        "<t:Email/><t:Down/><t:Up>1</t:Up><t:Up>2</t:Up><t:Down/><t:Matrix><t:ArrayOfInt/></t:Matrix>",
        "<!-- c --><t:Phone>1</t:Phone><?pi?><t:Zoo><t:AnyAnimal/></t:Zoo>",
    ] {
        assert_eq!(said(children), None, "{children}");
    }
}

#[test]
fn unknown_elements_and_wrong_order_are_refused() {
    assert_eq!(
        said("<t:Price>1</t:Price><t:Other/>").unwrap(),
        "The element 'Other' of namespace 'urn:things' is not expected at this place in 'thing'. Elements that may: Email, Phone, Up, Down, Pet, Zoo, Matrix, Last."
    );
    assert_eq!(
        said("<t:Last/><Last/>").unwrap(),
        "The element 'Last' of namespace '' is not expected at this place in 'thing'. No further element may stand there."
    );
    for wrong in [
        "<t:Last/><t:Last/>",
        "<t:Last/><t:Price>1</t:Price>",
        "<t:Email/><t:Phone>1</t:Phone>",
        "<t:Phone>1</t:Phone><t:Email/>",
        "<t:Up>1</t:Up><t:Pet/><t:Up>1</t:Up>",
        "<t:Zoo><t:AnyAnimal/><t:Other/></t:Zoo>",
        "<Price>1</Price>",
    ] {
        assert!(said(wrong).is_some(), "{wrong}");
    }
}

#[test]
fn operations_without_parameters_take_none() {
    for binding in SOAP {
        let server = strict();
        let matrix = |inside: &str| {
            let body = format!("<s:Body><t:Matrix>{inside}</t:Matrix></s:Body>");
            answer(&server, soap(binding, &body)).status
        };
        assert_eq!((matrix(""), matrix("<t:x/>")), (200, 500));
    }
}

#[test]
fn second_element_of_the_body_is_refused() {
    for binding in SOAP {
        let message = "<s:Body><t:Matrix/><t:Pick/></s:Body>";
        let answered = answer(&strict(), soap(binding, message));
        let said = "A second element, Pick, stands in soap:Body.";
        assert!(answered.body.contains(said), "{}", answered.body);
    }
}

#[test]
fn headers_stay_open_to_others() {
    let message = "<s:Header><t:Other/></s:Header><s:Body><t:Matrix/></s:Body>";
    assert_eq!(
        answer(&strict(), soap(Binding::Soap12, message)).status,
        200
    );
}

#[test]
fn unknown_fields_are_refused() {
    for binding in [Binding::HttpGet, Binding::HttpPost] {
        let picked = answer(&strict(), form(binding, "Pick", "KIND=Dog"));
        assert_eq!(picked.status, 200);
        let unknown = answer(&strict(), form(binding, "Pick", "kind=Dog&_=1"));
        assert_eq!(
            (unknown.status, unknown.body.as_str()),
            (
                500,
                "Field 2 of the form is not a parameter. Parameters: kind.\n"
            )
        );
    }
}

#[test]
fn clients_can_be_strict() {
    let response = |inside: &str| {
        let body = format!("<s:Body><t:MirrorResponse>{inside}</t:MirrorResponse></s:Body>");
        let client =
            client_told(Binding::Soap11, 200, &envelope(Binding::Soap11, &body)).with_strict(true);
        ready(client.call(0, &(), &MirrorRequest::default(), |answer| {
            answer.read::<Option<Thing>>()
        }))
    };
    assert!(response("<t:MirrorResult/>").is_ok());
    let error = response("<t:MirrorResult/><t:More/>").unwrap_err();
    assert!(error.to_string().contains("'More'"), "{error}");
}
