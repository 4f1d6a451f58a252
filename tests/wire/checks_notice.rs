//! The checks of the fixture client notice every wrong field of an answer, over every binding. The
//! tests of the fixture programs show that right fields pass.

use bytes::Bytes;
use http::{Request, Response};
use svcgen::transport::TransportError;
use svcgen::{Binding, Router, Transport};
use svcgen_tests::checks::{self, BINDINGS, LineEnds, Report};
use svcgen_tests::fixture::{self, BYTES, SPECIAL, show, show_bytes};

/// A server with wrong answers: some texts are replaced.
#[derive(Clone)]
struct Wrong {
    right: Router,
    replaced: Vec<(&'static str, &'static str)>,
}

impl Transport for Wrong {
    async fn send(&self, request: Request<Bytes>) -> Result<Response<Bytes>, TransportError> {
        let answer = self.right.send(request).await?;
        Ok(answer.map(|body| {
            let text = String::from_utf8(body.to_vec()).expect("UTF-8");
            Bytes::from(
                self.replaced
                    .iter()
                    .fold(text, |text, (from, to)| text.replace(from, to)),
            )
        }))
    }
}

async fn run(
    replaced: &[(&'static str, &'static str)],
    bindings: &[Binding],
    line_ends: LineEnds,
) -> Report {
    let transport = Wrong {
        right: fixture::router(),
        replaced: replaced.to_vec(),
    };
    checks::run(transport, "http://service.example", bindings, line_ends)
        .await
        .expect("a server that answers")
}

/// The wrong text, the field in which it is noticed, and the value that is found there.
const WRONG: [(&str, &str, &str, &str); 43] = [
    (
        "<ErrorCode>TimedOut<",
        "<ErrorCode>LogOut<",
        "ErrorCode",
        "[6:LogOut]",
    ),
    (
        "<ErrorCode>SAMLGenericError<",
        "<ErrorCode>None<",
        "ErrorCode",
        "[4:None]",
    ),
    (
        "<Message>welcome alice<",
        "<Message>Welcome alice<",
        "Message",
        "[13:Welcome alice]",
    ),
    ("<Message />", "", "Message", "absent"),
    (
        "<LoginErrorCode>NotAuthorized<",
        "<LoginErrorCode>Unknown<",
        "LoginErrorCode",
        "[7:Unknown]",
    ),
    (
        ">bad password<",
        ">bad passwort<",
        "LoginErrorMessage",
        "[12:bad passwort]",
    ),
    (
        ">AAEC/f7/<",
        ">AAEC/f7+<",
        "EncryptedPassword",
        "[14:[000102fdfefe]]",
    ),
    ("<EncryptedPassword />", "", "EncryptedPassword", "absent"),
    (
        "<RealTimeHost>rt.",
        "<RealTimeHost>tr.",
        "RealTimeInfo/RealTimeHost",
        "[14:tr.example.com]",
    ),
    (
        "<RealTimeHost> <",
        "<RealTimeHost>  <",
        "RealTimeInfo/RealTimeHost",
        "[2:  ]",
    ),
    (
        "<RealTimePort>8443<",
        "<RealTimePort>8444<",
        "RealTimeInfo/RealTimePort",
        "[4:8444]",
    ),
    (
        ">2147483647</RealTimePort>",
        ">2147483646</RealTimePort>",
        "RealTimeInfo/RealTimePort",
        "[10:2147483646]",
    ),
    (
        "<RealTimeAuthHost>rtauth",
        "<RealTimeAuthHost>auth",
        "RealTimeInfo/RealTimeAuthHost",
        "[16:auth.example.com]",
    ),
    (
        "<RealTimeAuthPort>9443<",
        "<RealTimeAuthPort>1<",
        "RealTimeInfo/RealTimeAuthPort",
        "[1:1]",
    ),
    (
        ">https</RealTimeProtocol>",
        ">http</RealTimeProtocol>",
        "RealTimeInfo/RealTimeProtocol",
        "[4:http]",
    ),
    (
        ">tcp<",
        ">udp<",
        "RealTimeInfo/RealTimeAuthProtocol",
        "[3:udp]",
    ),
    ("<AuthInfo />", "", "RealTimeInfo/AuthInfo", "absent"),
    (
        ">zid-1<",
        ">zid-2<",
        "RealTimeInfo/AuthInfo/Zid",
        "[5:zid-2]",
    ),
    (
        "<Azid>azid-1<",
        "<Azid><",
        "RealTimeInfo/AuthInfo/Azid",
        "[0:]",
    ),
    (
        ">AntiCap<",
        ">NoAddress<",
        "RealTimeInfo/RealTimeLaunchReason",
        "[9:NoAddress]",
    ),
    (
        ">launch<",
        ">lunch<",
        "RealTimeInfo/LaunchReasonText",
        "[5:lunch]",
    ),
    (
        ">https://entry",
        ">http://entry",
        "EntryPointUrl",
        "[38:http://entry.example.com/start?a=1&b=2]",
    ),
    (
        ">https://base",
        ">http://base",
        "BaseUrl",
        "[24:http://base.example.com/]",
    ),
    (">7</Quotes", ">-7</Quotes", "QuotesDataVendorId", "[2:-7]"),
    (
        ">-2147483648</Quotes",
        ">-2147483647</Quotes",
        "QuotesDataVendorId",
        "[11:-2147483647]",
    ),
    (
        ">9007199254740993<",
        ">9007199254740992<",
        "UserId",
        "[16:9007199254740992]",
    ),
    (
        ">-9223372036854775808<",
        ">-9223372036854775807<",
        "UserId",
        "[20:-9223372036854775807]",
    ),
    (
        ">+1 555 0100</Client",
        "> 1 555 0100</Client",
        "ClientSupportPhone",
        "[11: 1 555 0100]",
    ),
    (
        ">support@",
        ">Support@",
        "MobileSupportEmail",
        "[19:Support@example.com]",
    ),
    (
        ">100</Max",
        ">10</Max",
        "AdditionalInfo/MaxNewsHeadlinesCap",
        "[2:10]",
    ),
    (
        ">30</Min",
        ">3</Min",
        "AdditionalInfo/MinNewsAutoRefreshTime",
        "[1:3]",
    ),
    (
        ">true</EnableIdms",
        ">false</EnableIdms",
        "AdditionalInfo/EnableIdmsMobileQuotes",
        "[5:false]",
    ),
    (
        ">false</EnableSec",
        ">true</EnableSec",
        "AdditionalInfo/EnableSecurityProfileForIdms",
        "[4:true]",
    ),
    (
        "<SearchSourceType xsi:nil=\"true\" />",
        "<SearchSourceType/>",
        "AdditionalInfo/NewsSearchSourceTypes/1",
        "[7:present]",
    ),
    (
        "<NewsSearchSourceTypes />",
        "",
        "AdditionalInfo/NewsSearchSourceTypes",
        "absent",
    ),
    (
        ">-2</Id>",
        ">2</Id>",
        "AdditionalInfo/NewsSearchSourceTypes/2/Id",
        "[1:2]",
    ),
    (
        ">Wire<",
        ">wire<",
        "AdditionalInfo/NewsSearchSourceTypes/0/Name",
        "[4:wire]",
    ),
    (
        "<Name />",
        "",
        "AdditionalInfo/NewsSearchSourceTypes/1/Name",
        "absent",
    ),
    (
        "<int>-5<",
        "<int>5<",
        "AdditionalInfo/Capabilities/2",
        "[1:5]",
    ),
    (
        "<int>-2147483648</int>",
        "",
        "AdditionalInfo/Capabilities",
        "[7:2 items]",
    ),
    (
        "<Capabilities />",
        "",
        "AdditionalInfo/Capabilities",
        "absent",
    ),
    (
        ">connection ok<",
        ">connection OK<",
        "",
        "[13:connection OK]",
    ),
    ("boom &lt;&amp;&gt;", "bang &lt;&amp;&gt;", "", "bang <&>"),
];

#[tokio::test]
async fn wrong_fields_are_noticed() {
    let wrong: Vec<(&str, &str)> = WRONG.iter().map(|(from, to, ..)| (*from, *to)).collect();
    for (name, binding) in BINDINGS {
        let report = run(&wrong, &[binding], LineEnds::Exact).await;
        for (from, to, field, found) in WRONG {
            let noticed = report
                .failures
                .iter()
                .any(|failure| failure.field == field && failure.got.contains(found));
            let those: Vec<String> = report
                .failures
                .iter()
                .filter(|failure| failure.field == field)
                .map(ToString::to_string)
                .collect();
            assert!(noticed, "{name}: {from} as {to}: {those:#?}");
        }
        assert!(report.passed > 100, "{name}: {} passed", report.passed);
    }
}

/// If a server writes CR unescaped, readers get a line feed, which is a failure if exact line ends
/// are required.
#[tokio::test]
async fn lost_carriage_returns_are_noticed_when_asked_for() {
    let raw = [("&#xD;", "\r")];
    let lost = [("&#xD;", "")];
    for (name, binding) in [BINDINGS[0], BINDINGS[3]] {
        let report = run(&raw, &[binding], LineEnds::AsXmlReads).await;
        assert_eq!(report.failures, [], "{name}");
    }
    for (replaced, line_ends) in [(raw, LineEnds::Exact), (lost, LineEnds::AsXmlReads)] {
        let report = run(&replaced, &[Binding::HttpPost], line_ends).await;
        assert_ne!(report.failures, []);
    }
}

/// A failure has the binding, the call, the field, and both values.
#[tokio::test]
async fn failures_say_what_is_wrong() {
    let replaced = [("<RealTimePort>8443<", "<RealTimePort>8444<")];
    let report = run(&replaced, &[Binding::Soap11], LineEnds::Exact).await;
    let first = report.failures.first().expect("a failure").to_string();
    assert_eq!(
        first,
        "SOAP 1.1 Login(\"alice\", \"secret\", \"pin-1\"): RealTimeInfo/RealTimePort: expected [4:8443], got [4:8444]"
    );
}

/// Every operation and every name of an enumeration is called.
#[tokio::test]
async fn no_call_is_left_out() {
    for (name, binding) in BINDINGS {
        let transport = Busy;
        let report = checks::run(
            transport,
            "http://service.example",
            &[binding],
            LineEnds::Exact,
        )
        .await
        .expect("an answer");
        let called = |what: &str| {
            report
                .failures
                .iter()
                .any(|failure| failure.call.contains(what))
        };
        for operation in [
            "ClientAuthWithResult(",
            "Authenticator Login(",
            "Login(",
            "LoginWithEncryptedPassword(",
            "EmailPassword(",
            "TestConnection()",
            "Logout()",
            "NoOp()",
        ] {
            assert!(called(operation), "{name} {operation}");
        }
        for argument in [
            "code-SAMLGenericError",
            "code-AccountSuspended",
            "reason-NoMobileRealTimeCapability",
            "code-OtherIDMIssue",
            "nilitems",
            "256 bytes",
            "\\r\\n",
            "throw",
        ] {
            assert!(called(argument), "{name} {argument}");
        }
    }
}

/// Answers no calls.
#[derive(Clone)]
struct Busy;

impl Transport for Busy {
    async fn send(&self, _: Request<Bytes>) -> Result<Response<Bytes>, TransportError> {
        let answer = Response::builder().status(503).body(Bytes::new());
        Ok(answer.expect("an answer"))
    }
}

#[test]
fn special_has_45_units() {
    assert_eq!(SPECIAL.encode_utf16().count(), 45);
}

#[test]
fn shown_texts_count_and_escape_utf_16_units() {
    assert_eq!(show(None), "[null]");
    assert_eq!(show(Some("")), "[0:]");
    assert_eq!(show(Some("a~ b")), "[4:a~ b]");
    assert_eq!(show(Some("\\\u{7f}")), r"[2:\u005c\u007f]");
    assert_eq!(
        show(Some("\u{e9}\u{65e5}\u{1f600}\r\n")),
        r"[6:\u00e9\u65e5\ud83d\ude00\u000d\u000a]"
    );
}

#[test]
fn shown_bytes_are_hex() {
    assert_eq!(show_bytes(None), "[null]");
    assert_eq!(show_bytes(Some(&[])), "[]");
    assert_eq!(show_bytes(Some(&BYTES)), "[000102fdfeff]");
}
