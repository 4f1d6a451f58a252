//! Simple values: dates and times, and numbers in forms.

use bytes::Bytes;
use http::Request;
use proptest::prelude::*;
use proptest::sample::select;
use svcgen::codegen::{Content, Fields, Reader};
use svcgen::types::{DateTime, Zone};
use svcgen::{Context, Fault, Limits, ReadErrorKind};
use svcgen_codegen::Config;
use svcgen_documents::{Shape, WsdlOptions, wsdl};
use svcgen_tests::lab::replay;
use svcgen_tests::random;
use svcgen_tests::raw_http::Running;

use super::documents_are_recorded;
use crate::round_trip::check_xml;
use crate::shapes::wait;

svcgen::include_service!("g_values");

use g_values::*;

struct Lab;

/// Returns a date and time with its kind, as .NET shows it.
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
        text.parse().map_err(Fault::exception)
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

    async fn get_defaults(&self, _: &Context) -> Result<Option<Defaults>, Fault> {
        Ok(Some(Defaults {
            at: 8,
            five: 6,
            off: true,
            n: Num::Zero,
            d: 2.0,
            m: "2.5".parse().map_err(Fault::exception)?,
            ..Defaults::default()
        }))
    }

    async fn show_defaults(
        &self,
        _: &Context,
        request: ShowDefaultsRequest,
    ) -> Result<Option<String>, Fault> {
        let Some(v) = request.v else {
            return Ok(None);
        };
        let off = if v.off { "True" } else { "False" };
        Ok(Some(format!(
            "{}{}{off}{}{}{}{}",
            v.five, v.abc, v.n, v.d, v.at, v.m
        )))
    }

    async fn echo_team(&self, _: &Context, request: EchoTeamRequest) -> Result<Team, Fault> {
        Ok(request.v)
    }

    async fn get_team(&self, _: &Context) -> Result<Team, Fault> {
        Ok(Team::default())
    }

    async fn rank(&self, _: &Context, request: RankRequest) -> Result<Level, Fault> {
        assert_ne!(request.rate, Rate::Value20);
        Ok(request.v)
    }

    async fn echo_row(&self, _: &Context, request: EchoRowRequest) -> Result<AnyRow, Fault> {
        Ok(request.v)
    }

    async fn get_parcel(&self, _: &Context) -> Result<Parcel, Fault> {
        Ok(Parcel::default())
    }

    async fn weigh(&self, _: &Context, request: WeighRequest) -> Result<Parcel, Fault> {
        let area = Some(request.tags.join(" "));
        Ok(Parcel {
            area,
            ..Parcel::default()
        })
    }

    async fn get_presets(&self, _: &Context) -> Result<Presets, Fault> {
        Ok(Presets::default())
    }

    async fn presets(&self, _: &Context, request: PresetsRequest) -> Result<Presets, Fault> {
        Ok(request.v)
    }

    async fn fill(&self, _: &Context, request: FillRequest) -> Result<String, Fault> {
        Ok(format!("{} {}", request.count, request.unit))
    }

    async fn count_memos(&self, _: &Context, request: CountMemosRequest) -> Result<i32, Fault> {
        Ok(request.memos.len() as i32)
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
    let server = Running::of(GValuesServer::new(Lab));
    replay(&server, &["default", "gform", "pos", "time"], &[]);
}

/// Calls an operation with a body in which `|` marks the position of the error. Returns whether the
/// error is there, and the fault.
fn place(operation: &str, body: &str) -> (bool, String) {
    let message = format!(
        r#"<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><{operation} xmlns="http://lab.example/g">{body}{operation}></s:Body></s:Envelope>"#
    );
    let at = message.find('|').expect("a mark");
    let line = message[..at].matches('\n').count() + 1;
    let start = message[..at].rfind('\n').map_or(0, |end| end + 1);
    let column = message[start..at].encode_utf16().count() + 1;
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
        // A text is converted before its end tag is read.
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

/// Sends an object. Returns it as it is read and written again: attributes and content.
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
fn documents_describe_values_as_recorded() {
    let others = [
        "CountMemos",
        "Memo",
        "Fill",
        "Presets",
        "Tone",
        "Mood",
        "ArrayOfGDay",
        "Row",
        "Cells",
        "Parcel",
        "Weigh",
        "Zip",
        "Route",
        "ArrayOfArrayOfString",
        "ArrayOfDecimal",
        "Team",
        "Rank",
        "Level",
        "Rate",
        "Marks",
        "ArrayOfInt",
        "ArrayOfShort",
        "Texts",
        "Pack",
        "Motto",
        "\"Mode\"",
        "Names",
        "Words",
        "Pay",
        "Price",
        "Rebate",
        "Blob",
        "Temper",
        "Word",
        "Remark",
        "NMTOKEN",
    ];
    documents_are_recorded("values", &others);
    let definition = include_str!("../../definitions/lab/values.yaml");
    let described = Config::new().describe("values", definition).unwrap();
    let options = WsdlOptions {
        shape: Shape::Portable,
        documentation: false,
        ..WsdlOptions::default()
    };
    let written = described.with(|service| wsdl(service, "http://localhost/GWide.asmx", options));
    let wsdl = written.unwrap();
    for line in [
        r#"<s:attribute default="a &quot;b&quot; &amp; &lt;c&gt;" name="unit" type="s:token" />"#,
        r#"<s:attribute fixed="1.0" name="version" type="s:string" use="required" />"#,
        r#"<s:attribute fixed="preset" name="kind" type="s:string" />"#,
        r#"<s:attribute default="Bad" name="mood" type="tns:Mood" />"#,
        r#"<s:element minOccurs="0" maxOccurs="1" default="" name="Empty" type="s:string" />"#,
        r#"<s:element minOccurs="1" maxOccurs="1" fixed="true" name="Sign" type="s:boolean" />"#,
        r#"<s:element minOccurs="0" maxOccurs="1" default="3" name="count" type="s:int" />"#,
        r#"<s:element minOccurs="2" maxOccurs="5" name="Member" type="s:string" />"#,
        r#"<s:element minOccurs="1" maxOccurs="unbounded" name="int" type="s:int" />"#,
        r#"<s:element minOccurs="0" maxOccurs="unbounded" name="short" type="s:short" />"#,
        r#"<s:restriction base="s:decimal">"#,
        r#"<s:enumeration value="-1" />"#,
    ] {
        assert!(wsdl.contains(line), "{line}: {wsdl}");
    }
}

#[test]
fn lists_of_any_length_are_read() {
    let team = "><Member>a</Member><Marks /><Others><short>1</short></Others>";
    assert_eq!(echoed("EchoTeam", team), team);
}

#[test]
fn enumerations_of_numbers_are_compared_as_texts() {
    use svcgen::codegen::Enumeration;
    let values = [Level::Value1, Level::ValueMinus1, Level::Most];
    assert_eq!(values.map(Level::as_str), ["1", "-1", "10"]);
    let (is_there, answer) = place("Rank", "<v>01</v></|");
    assert!(is_there, "{answer}");
    let answer = |request: Request<Bytes>| {
        let response = wait(GValuesServer::new(Lab).answer(request));
        String::from_utf8(response.body().to_vec()).unwrap()
    };
    let message = concat!(
        r#"<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>"#,
        r#"<Rank xmlns="http://lab.example/g"><v>-1</v><rate>7</rate></Rank></s:Body></s:Envelope>"#,
    );
    let request = Request::post("/GWide.asmx").header("Content-Type", "text/xml");
    let soap = answer(request.body(message.into()).unwrap());
    assert!(soap.contains("<RankResult>-1</RankResult>"), "{soap}");
    let url = "/GWide.asmx/Rank?v=10&rate=1.5";
    let form = answer(Request::get(url).body(Bytes::new()).unwrap());
    assert!(form.contains(">10</Level>"), "{form}");
}

#[test]
fn facets_are_in_the_wsdl_and_not_checked() {
    let definition = include_str!("../../definitions/lab/values.yaml");
    let described = Config::new().describe("values", definition).unwrap();
    let options = WsdlOptions {
        shape: Shape::Portable,
        documentation: false,
        ..WsdlOptions::default()
    };
    let written = described.with(|service| wsdl(service, "http://localhost/GWide.asmx", options));
    let wsdl = written.unwrap();
    let wsdl: String = wsdl.lines().map(str::trim).collect();
    let zip = r#"<s:restriction base="s:string"><s:pattern value="[0-9]{5}" /><s:whiteSpace value="collapse" /></s:restriction>"#;
    for text in [
        format!(r#"<s:attribute name="area"><s:simpleType>{zip}</s:simpleType></s:attribute>"#),
        format!(r#"<s:attribute name="codes" use="required"><s:simpleType><s:list><s:simpleType>{zip}</s:simpleType></s:list></s:simpleType></s:attribute>"#),
        format!(r#"<s:element minOccurs="1" maxOccurs="1" name="Zip"><s:simpleType>{zip}</s:simpleType></s:element>"#),
        // Lists of one type differ in their facets and counts, so that the type only has the common
        // ones.
        r#"<s:complexType name="ArrayOfString1"><s:sequence><s:element minOccurs="0" maxOccurs="unbounded" name="string" type="s:string" />"#.to_owned(),
        r#"<s:element minOccurs="0" maxOccurs="unbounded" name="ArrayOfString1" type="tns:ArrayOfString1" />"#.to_owned(),
        r#"<s:complexType name="ArrayOfInt"><s:sequence><s:element minOccurs="1" maxOccurs="unbounded" name="int" type="s:int" />"#.to_owned(),
        r#"<s:complexType name="ArrayOfDecimal"><s:sequence><s:element minOccurs="0" maxOccurs="2" name="decimal"><s:simpleType><s:restriction base="s:decimal"><s:totalDigits value="3" />"#.to_owned(),
        concat!(
            r#"<s:element minOccurs="0" maxOccurs="1" default="1.5" name="Price"><s:simpleType><s:restriction base="s:decimal">"#,
            r#"<s:minExclusive value="0" /><s:totalDigits value="5" /><s:fractionDigits value="2" /></s:restriction>"#,
        ).to_owned(),
        r#"<s:element minOccurs="0" maxOccurs="3" name="Sizes"><s:simpleType><s:restriction base="s:int"><s:maxInclusive value="200" />"#.to_owned(),
        r#"<s:list><s:simpleType><s:restriction base="s:short"><s:minInclusive value="1" />"#.to_owned(),
        r#"<s:restriction base="s:base64Binary"><s:length value="8" />"#.to_owned(),
        concat!(
            r#"<s:complexType name="Row"><s:simpleContent><s:extension base="tns:RowText"><s:attribute name="n" type="s:int" />"#,
            r#"</s:extension></s:simpleContent></s:complexType><s:simpleType name="RowText"><s:list><s:simpleType>"#,
            r#"<s:restriction base="s:int"><s:minInclusive value="0" /></s:restriction></s:simpleType></s:list></s:simpleType>"#,
        ).to_owned(),
        r#"<s:restriction base="s1:guid"><s:pattern value="0.*" />"#.to_owned(),
        r#"name="Until" nillable="true"><s:simpleType><s:restriction base="s:date"><s:maxInclusive value="2030-12-31" />"#.to_owned(),
    ] {
        assert!(wsdl.contains(&text), "{text}: {wsdl}");
    }
    let url = "/GWide.asmx/Weigh?grams=-5&tags=longer+than+that";
    let response =
        wait(GValuesServer::new(Lab).answer(Request::get(url).body(Bytes::new()).unwrap()));
    let answer = String::from_utf8(response.body().to_vec()).unwrap();
    assert!(answer.contains(r#" area="longer than that""#), "{answer}");
}

#[test]
fn the_text_of_an_object_is_a_list_of_values() {
    let echoed = |row: &str| echoed("EchoRow", row);
    assert_eq!(echoed(r#" n="1">1 -2 3"#), r#" n="1">1 -2 3"#);
    assert_eq!(echoed(r#" n="1">1&#10;2"#), r#" n="1">1 2"#);
    assert_eq!(echoed(r#" n="1">12<![CDATA[ 3]]>"#), r#" n="1">12 3"#);
    let derived =
        r#" xmlns:i="http://www.w3.org/2001/XMLSchema-instance" i:type="Cells" unit="m">4 5"#;
    assert_eq!(echoed(derived), r#" xsi:type="Cells" unit="m">4 5"#);
    let (is_there, answer) = place("EchoRow", "<v>1 x</|v>");
    assert!(is_there, "{answer}");
    let (is_there, answer) = place("EchoRow", "<v>1  2</|v>");
    assert!(is_there, "{answer}");
    // An empty list is an empty text.
    let message = concat!(
        r#"<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>"#,
        r#"<EchoRow xmlns="http://lab.example/g"><v> </v></EchoRow></s:Body></s:Envelope>"#,
    );
    let request = Request::post("/GWide.asmx").header("Content-Type", "text/xml");
    let response = wait(GValuesServer::new(Lab).answer(request.body(message.into()).unwrap()));
    let answer = String::from_utf8(response.body().to_vec()).unwrap();
    assert!(answer.contains("<EchoRowResult />"), "{answer}");
}

#[test]
fn forms_quote_the_names_of_enumerations_in_dotnet() {
    let url = "/GWide.asmx/EchoAccess?v=Nope";
    let response =
        wait(GValuesServer::new(Lab).answer(Request::get(url).body(Bytes::new()).unwrap()));
    let answer = String::from_utf8(response.body().to_vec()).unwrap();
    assert!(
        answer.starts_with("Cannot convert Nope to Lab.G.Access.\r\n"),
        "{answer}"
    );
}

#[test]
fn text_that_is_not_there_is_the_default() {
    let echoed = |texts: &str| echoed("EchoTexts", &format!(">{texts}"));
    let nothing = r#"><Price>0</Price><Rebate /><Blob /><Temper>Good</Temper><Word /><Remark /><Pack>12</Pack><Motto>ora et labora</Motto><Mode>Bad</Mode>"#;
    assert_eq!(echoed(""), nothing);
    let empty = "<Price/><Rebate></Rebate><Blob/><Temper></Temper><Word/><Remark/><Pack/><Motto></Motto><Mode />";
    assert_eq!(echoed(empty), nothing);
    assert_eq!(
        echoed(
            "<Price n='1'> \n</Price><Rebate n='2'>\t</Rebate><Blob> </Blob><Temper> </Temper><Word> </Word><Remark> </Remark><Pack unit='x'> </Pack><Motto> </Motto><Mode>\n</Mode>"
        ),
        r#"><Price n="1">0</Price><Rebate n="2" /><Blob /><Temper>Good</Temper><Word> </Word><Remark /><Pack unit="x">12</Pack><Motto> </Motto><Mode>Bad</Mode>"#
    );
    let full = r#"<Price n="1">1.50</Price><Rebate>2</Rebate><Blob>AQ==</Blob><Temper>Bad</Temper><Word> a </Word><Remark> b </Remark><Pack>0</Pack><Motto>x</Motto><Mode>Good</Mode>"#;
    assert_eq!(echoed(full), format!(">{full}"));
}

#[test]
fn what_equals_its_default_is_left_out() {
    let echoed = |object: &str| echoed("Presets", object);
    // NaN is not equal to any number.
    let nothing = r#" version="1.0"><Never>NaN</Never><Sign>true</Sign>"#;
    assert_eq!(echoed(">"), nothing);
    let defaults = concat!(
        r#" unit="a &quot;b&quot; &amp; &lt;c&gt;" mood="Bad"><Byte>-128</Byte><Most>18446744073709551615</Most>"#,
        "<Endless>-INF</Endless><Letter>65</Letter><Large>123456789012345678901234567890</Large>",
        "<Id>6F9619FF-8B86-D011-B42D-00CF4FC964FF</Id><Since>2000-01-01T00:00:00</Since><Day>2000-02-29</Day>",
        "<At>12:30:00Z</At><Span>P1DT12H</Span><Empty/><Rights>Write Read</Rights><NoRights/><Tone>Calm</Tone><Own>9</Own>",
    );
    assert_eq!(echoed(defaults), nothing);
    // For value types, an empty element means the default, whatever follows it.
    let empty = concat!(
        "><Byte/><Most/><Endless/><Letter/><Id/><Since/><Day/><At/><Rights/><NoRights/><Tone/><Own/>",
        "<Byte>1</Byte>",
    );
    assert_eq!(echoed(empty), nothing);
    let others = concat!(
        r#" unit="" version="2" kind="k" mood="Good"><Byte>0</Byte><Most>0</Most><Never>NaN</Never><Endless>0</Endless><Letter>0</Letter>"#,
        "<Large>0</Large><Id>00000000-0000-0000-0000-000000000000</Id><Since>2000-01-01T00:00:01</Since><Day>2000-03-01</Day>",
        "<At>12:30:01.0000000+00:00</At><Span>P1D</Span><Empty>x</Empty><Rights>Read</Rights><NoRights>del</NoRights><Tone>Dull</Tone>",
        "<Own>0</Own><Sign>false</Sign>",
    );
    assert_eq!(echoed(others), others);
}

proptest! {
    #[test]
    fn values_with_defaults_are_read_as_they_were(
        unit in random::text(),
        byte in prop_oneof![Just(-128), any::<i8>()],
        never in any::<f32>(),
        empty in prop_oneof![Just(String::new()), random::text()],
        tone in select(vec![Tone::Calm, Tone::Loud, Tone::Other("Dull".to_owned())]),
    ) {
        let presets = Presets { unit, byte, never, empty, tone, ..Presets::default() };
        let mut document = Vec::new();
        let mut out = Content::compact(&mut document);
        out.element("a", &presets);
        out.finish().unwrap();
        let document = String::from_utf8(document).unwrap();
        prop_assert_eq!(document.contains("<Byte>"), presets.byte != -128);
        check_xml(&PresetsRequest { v: presets })?;
    }

    #[test]
    fn texts_with_defaults_are_read_as_they_were(
        value in any::<i32>(),
        // An empty text is read as the default.
        motto in random::text().prop_filter("a text", |text| !text.is_empty()),
        mode in random::value_of::<Mood>(),
        unit in prop::option::of(random::text()),
    ) {
        let texts = Texts {
            pack: Pack { unit, value },
            motto: Motto { value: motto },
            mode: Mode { value: mode },
            ..Texts::default()
        };
        check_xml(&EchoTextsRequest { v: texts })?;
    }
}

#[test]
fn empty_elements_of_text_and_with_an_end_tag_hold_nothing() {
    assert_eq!(echoed("EchoDefaults", "><Abc/><Five/>"), "><Abc />");
    let (is_there, answer) = place("EchoDefaults", "<v><Five></Five></|v>");
    assert!(is_there, "{answer}");
}

#[test]
fn parameters_have_defaults_in_soap_alone() {
    let answer = |request: Request<Bytes>| {
        let response = wait(GValuesServer::new(Lab).answer(request));
        String::from_utf8(response.body().to_vec()).unwrap()
    };
    let message = concat!(
        r#"<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>"#,
        r#"<Fill xmlns="http://lab.example/g"/></s:Body></s:Envelope>"#,
    );
    let request = Request::post("/GWide.asmx").header("Content-Type", "text/xml");
    let soap = answer(request.body(message.into()).unwrap());
    assert!(soap.contains("<FillResult>3 box</FillResult>"), "{soap}");
    let get = |query: &str| {
        let url = format!("/GWide.asmx/Fill{query}");
        answer(Request::get(url).body(Bytes::new()).unwrap())
    };
    let full = get("?count=2&unit=");
    assert!(full.contains(">2 </string>"), "{full}");
    assert_eq!(get("?count=2"), "Missing parameter: unit.\n");
    // Clients send every field.
    let mut form = Vec::new();
    let mut content = Content::form(&mut form);
    FillRequest::default().write_elements(&mut content);
    content.finish().unwrap();
    assert_eq!(form, b"count=3&unit=box");
}

#[test]
fn texts_of_defaults_take_room() {
    let memos = "<Memo/>".repeat(100_000);
    let document = format!("<a><memos>{memos}</memos></a>");
    let read = |limits: &Limits| {
        let mut reader = Reader::new(&document, limits);
        let mut request = CountMemosRequest::default();
        reader.root().unwrap();
        reader.read(&mut request).map(|()| request.memos.len())
    };
    let error = read(&Limits::default()).unwrap_err();
    assert_eq!(error.kind(), ReadErrorKind::Limit, "{error}");
    assert_eq!(read(&Limits::default().with_values(100)).unwrap(), 100_000);
}

#[test]
fn simple_types_that_others_use_are_what_dotnet_keeps() {
    let names = concat!(
        r#" id="a" lang="en-GB"><Name>a:b</Name><NCName>a</NCName><NMTOKEN>1</NMTOKEN><NMTOKENS>1 2</NMTOKENS><IDREF>a</IDREF>"#,
        "<IDREFS>a  b</IDREFS><ENTITY>e</ENTITY><ENTITIES>e f</ENTITIES><NOTATION>n</NOTATION><gYear>2024Z</gYear>",
        "<gYearMonth>2024-02</gYearMonth><gMonth>--02</gMonth><gMonthDay>--02-30</gMonthDay><gDay>no day</gDay>",
        "<nonNegativeInteger>-1</nonNegativeInteger><positiveInteger>0</positiveInteger>",
        "<nonPositiveInteger>1</nonPositiveInteger><negativeInteger>123456789012345678901234567890</negativeInteger>",
    );
    assert_eq!(echoed("EchoNames", names), names);
    let form = "/GWide.asmx/Words?Id=a&Year=2024&Count=007&Days=---01&Days=x";
    let response =
        wait(GValuesServer::new(Lab).answer(Request::get(form).body("".into()).unwrap()));
    let answer = String::from_utf8(response.body().to_vec()).unwrap();
    let words = ["a", "2024", "007", "---01", "x"];
    let items = words
        .map(|word| format!("  <NMTOKEN>{word}</NMTOKEN>\n"))
        .concat();
    assert!(
        answer.ends_with(&format!("\n{items}</ArrayOfNMTOKEN>")),
        "{answer}"
    );
}
