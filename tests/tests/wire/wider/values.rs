//! Simple values: dates and times, and numbers in forms.

use http::Request;
use svcgen::types::{DateTime, Zone};
use svcgen::{Context, Fault};
use svcgen_tests::raw_http::Running;
use svcgen_tests::wider::replay;

use crate::shapes::wait;

svcgen::include_service!("g_values");

use g_values::*;

struct Lab;

/// A date and time and its kind, as .NET shows them.
fn shown(value: DateTime) -> String {
    let kind = match value.zone {
        Zone::Unspecified => "Unspecified",
        Zone::Utc => "Utc",
        Zone::Offset(_) => "Local",
    };
    let (date, time) = (value.local.date(), value.local.time());
    let offset = value.zone;
    format!("{date}T{time}.0000000{offset} {kind}")
}

impl GValuesHandler for Lab {
    async fn get_date(&self, _: &Context, request: GetDateRequest) -> Result<DateTime, Fault> {
        let zone = match request.kind.as_deref() {
            Some("Utc") => "Z",
            _ => "",
        };
        let text = format!("2024-02-29T12:34:56{zone}");
        text.parse().map_err(Fault::server)
    }

    async fn show_time(
        &self,
        _: &Context,
        request: ShowTimeRequest,
    ) -> Result<Option<String>, Fault> {
        let first_day = DateTime::default().local.date();
        let time = request.t;
        Ok(Some(shown(DateTime::new(
            first_day.and_time(time.local),
            time.zone,
        ))))
    }

    async fn show_date(
        &self,
        _: &Context,
        request: ShowDateRequest,
    ) -> Result<Option<String>, Fault> {
        Ok(Some(shown(request.d)))
    }

    async fn echo_int(&self, _: &Context, request: EchoIntRequest) -> Result<i32, Fault> {
        Ok(request.v)
    }

    async fn echo_box(&self, _: &Context, request: EchoBoxRequest) -> Result<Option<Box>, Fault> {
        Ok(request.v)
    }

    async fn echo_defaults(
        &self,
        _: &Context,
        request: EchoDefaultsRequest,
    ) -> Result<Option<Defaults>, Fault> {
        Ok(request.v)
    }

    async fn echo_access(&self, _: &Context, request: EchoAccessRequest) -> Result<Access, Fault> {
        Ok(request.v)
    }

    async fn echo_texts(&self, _: &Context, request: EchoTextsRequest) -> Result<Texts, Fault> {
        Ok(request.v)
    }

    async fn echo_names(&self, _: &Context, request: EchoNamesRequest) -> Result<Names, Fault> {
        Ok(request.v)
    }

    async fn words(&self, _: &Context, request: WordsRequest) -> Result<Vec<String>, Fault> {
        let mut words = vec![request.id, request.year, request.count.to_string()];
        words.extend(request.days);
        Ok(words)
    }

    async fn pay(&self, _: &Context, _: PayRequest) -> Result<(), Fault> {
        Ok(())
    }

    async fn echo_double(&self, _: &Context, request: EchoDoubleRequest) -> Result<f64, Fault> {
        Ok(request.v)
    }
}

#[test]
fn recorded_calls_are_answered_as_recorded() {
    let server = Running::start(|listener, stopped| async {
        let serving = svcgen::serve(listener, GValuesServer::new(Lab));
        let stopped = async {
            let _ = stopped.await;
        };
        serving.with_shutdown(stopped).await
    });
    replay(&server, &["gform", "pos", "time"], &[]);
}

/// Calls an operation with a body in which `|` stands where the error is; returns whether it is there, and the fault.
fn place(operation: &str, body: &str) -> (bool, String) {
    let message = format!(
        r#"<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><{operation} xmlns="http://lab.example/g">{body}{operation}></s:Body></s:Envelope>"#
    );
    let at = message.find('|').expect("a mark");
    let line = message[..at].matches('\n').count() + 1;
    let start = message[..at].rfind('\n').map_or(0, |end| end + 1);
    let column = message[start..at].chars().count() + 1;
    let request = Request::post("/GWide.asmx").header("Content-Type", "text/xml");
    let request = request.body(message.replace('|', "").into()).unwrap();
    let response = wait(GValuesServer::new(Lab).answer(request));
    let answer = String::from_utf8(response.body().to_vec()).unwrap();
    let place = format!("There is an error in XML document ({line}, {column}). ---&gt; ");
    (answer.contains(&place), answer)
}

#[test]
fn value_errors_are_where_the_reader_of_the_original_stands() {
    let rows = [
        ("EchoInt", "<v>x</v></|"),
        ("EchoInt", "<v>x</v><|w/>"),
        ("EchoInt", "<v>x</v><|n:w xmlns:n='urn:n'/>"),
        ("EchoInt", "<v/></|"),
        ("EchoInt", "<v>x</v>|\n <w/>"),
        ("EchoInt", "<v>x</v>|text"),
        ("EchoInt", "<v>x</v>|&amp;"),
        ("EchoInt", "<v>x</v><!--| c -->"),
        ("EchoInt", "<v>x</v><?|p ?>"),
        ("EchoInt", "<v>x</v><![CDATA[| ]]>"),
        ("EchoInt", "<v>\n\nx\n</v\n>|\n"),
        ("EchoInt", "<w>\u{e9}</w><v>\u{1f600}</v></|"),
        ("EchoAccess", "<v>Nope</v></|"),
        ("EchoBox", "<v><Corner><X>1</X><Y>q</Y></|Corner></v>"),
        ("EchoBox", "<v><Corner><X>q</X><|Y>2</Y></Corner></v>"),
        ("EchoDefaults", "<v b='1'\n |at='x'><Five>5</Five></v>"),
        ("EchoDefaults", "<v at='1'><Five>x</Five></|v>"),
        // A text is converted before its end tag is passed.
        ("Pay", "<v>x</|v>"),
        ("Pay", "<v |n='x'>1</v>"),
    ];
    for (operation, body) in rows {
        // The end tag of the operation follows.
        let body = match body.strip_suffix("</|") {
            Some(body) => format!("{body}</|"),
            None => format!("{body}</"),
        };
        let (is_there, answer) = place(operation, &body);
        assert!(is_there, "{body}: {answer}");
    }
}

/// Sends an object, and returns what is read of it, written again: attributes and content.
fn echoed(operation: &str, object: &str) -> String {
    let message = format!(
        r#"<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><{operation} xmlns="http://lab.example/g"><v{object}</v></{operation}></s:Body></s:Envelope>"#
    );
    let request = Request::post("/GWide.asmx").header("Content-Type", "text/xml");
    let response = wait(GValuesServer::new(Lab).answer(request.body(message.into()).unwrap()));
    let answer = String::from_utf8(response.body().to_vec()).unwrap();
    let result = answer.split_once(&format!("<{operation}Result"));
    let result = result.and_then(|(_, rest)| rest.split_once(&format!("</{operation}Result>")));
    result.unwrap_or_else(|| panic!("{answer}")).0.to_owned()
}

#[test]
fn text_that_is_not_there_is_the_default() {
    let echoed = |texts: &str| echoed("EchoTexts", &format!(">{texts}"));
    let nothing = r#"><Price>0</Price><Rebate /><Blob /><Temper>Good</Temper><Word /><Remark />"#;
    assert_eq!(echoed(""), nothing);
    let empty = "<Price/><Rebate></Rebate><Blob/><Temper></Temper><Word/><Remark/>";
    assert_eq!(echoed(empty), nothing);
    assert_eq!(
        echoed(
            "<Price n='1'> \n</Price><Rebate n='2'>\t</Rebate><Blob> </Blob><Temper> </Temper><Word> </Word><Remark> </Remark>"
        ),
        r#"><Price n="1">0</Price><Rebate n="2" /><Blob /><Temper>Good</Temper><Word> </Word><Remark />"#
    );
    let full = r#"<Price n="1">1.50</Price><Rebate>2</Rebate><Blob>AQ==</Blob><Temper>Bad</Temper><Word> a </Word><Remark> b </Remark>"#;
    assert_eq!(echoed(full), format!(">{full}"));
}

#[test]
fn simple_types_that_others_use_are_what_dotnet_keeps() {
    let names = concat!(
        r#" id="a" lang="en-GB"><Name>a:b</Name><NCName>a</NCName><NMTOKEN>1</NMTOKEN><NMTOKENS>1 2</NMTOKENS><IDREF>a</IDREF>"#,
        "<IDREFS>a  b</IDREFS><ENTITY>e</ENTITY><ENTITIES> e f</ENTITIES><NOTATION>n</NOTATION><gYear>2024Z</gYear>",
        "<gYearMonth>2024-02</gYearMonth><gMonth>--02</gMonth><gMonthDay>--02-30</gMonthDay><gDay>no day</gDay>",
        "<nonNegativeInteger>-1</nonNegativeInteger><positiveInteger>0</positiveInteger>",
        "<nonPositiveInteger>1</nonPositiveInteger><negativeInteger>123456789012345678901234567890</negativeInteger>",
    );
    assert_eq!(echoed("EchoNames", names), names);
    let form = "/GWide.asmx/Words?Id=a&Year=2024&Count=007&Days=---01&Days=x";
    let response =
        wait(GValuesServer::new(Lab).answer(Request::get(form).body("".into()).unwrap()));
    let answer = String::from_utf8(response.body().to_vec()).unwrap();
    let words = ["a", "2024", "7", "---01", "x"];
    let items = words
        .map(|word| format!("  <NMTOKEN>{word}</NMTOKEN>\n"))
        .concat();
    assert!(
        answer.ends_with(&format!("\n{items}</ArrayOfNMTOKEN>")),
        "{answer}"
    );
}
