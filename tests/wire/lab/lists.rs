//! Enumerations, flags, lists, and optional values.

use std::collections::BTreeMap;
use std::path::Path;
use std::pin::pin;
use std::task::{self, Poll, Waker};

use bytes::Bytes;
use proptest::collection::vec;
use proptest::option::of;
use proptest::prelude::*;
use proptest::sample::select;
use svcgen::codegen::{Enumeration, Flags};
use svcgen::documents::{InvokeForm, Shape};
use svcgen::types::Decimal;
use svcgen::{Binding, Context, Documents, Fault};
use svcgen_codegen::Config;
use svcgen_tests::lab::{Departure, replay};
use svcgen_tests::random;
use svcgen_tests::raw_http::Running;

use crate::round_trip::{check_form, check_xml};

svcgen::include_service!("wide_lists");

use wide_lists::*;

struct Original;

macro_rules! echoes {
    ($($method:ident($request:ident) -> $result:ty;)*) => {
        $(
            async fn $method(&self, _: &Context, request: $request) -> Result<$result, Fault> {
                Ok(request.v)
            }
        )*
    };
}

impl WideListsHandler for Original {
    echoes! {
        echo_odd(EchoOddRequest) -> Odd;
        echo_odds(EchoOddsRequest) -> Option<Vec<Odd>>;
        echo_num(EchoNumRequest) -> Num;
        echo_access(EchoAccessRequest) -> Access;
        echo_no_zero(EchoNoZeroRequest) -> NoZero;
        echo_nils(EchoNilsRequest) -> Option<Nils>;
        echo_lists(EchoListsRequest) -> Option<Lists>;
        echo_arrays(EchoArraysRequest) -> Option<Arrays>;
    }

    async fn get_num(&self, _: &Context, request: GetNumRequest) -> Result<Num, Fault> {
        let undefined = || Fault::exception(format!("{} is not a number of Num", request.n));
        Num::from_number(request.n.into()).ok_or_else(undefined)
    }

    async fn show_access(
        &self,
        _: &Context,
        request: ShowAccessRequest,
    ) -> Result<Option<String>, Fault> {
        Ok(Some(format!("{}={}", request.v, request.v.bits())))
    }

    async fn list_ns(
        &self,
        _: &Context,
        request: ListNsRequest,
    ) -> Result<Option<Vec<Option<String>>>, Fault> {
        let text = |id: i32| Some(id.to_string());
        Ok(request.ids.map(|ids| ids.into_iter().map(text).collect()))
    }

    async fn flat(&self, _: &Context, request: FlatRequest) -> Result<FlatResponse, Fault> {
        // The original has null for negative numbers, which is omitted.
        let numbers = request.n.into_iter().filter(|number| *number >= 0);
        let item = numbers.map(|number| format!("v{number}")).collect();
        Ok(FlatResponse { item })
    }

    async fn flat_nil(
        &self,
        _: &Context,
        request: FlatNilRequest,
    ) -> Result<FlatNilResponse, Fault> {
        let items = [Some("a".to_owned()), None];
        let item = items.into_iter().filter(|_| request.n != 0).collect();
        Ok(FlatNilResponse { item })
    }

    async fn choose(&self, _: &Context, request: ChooseRequest) -> Result<ChooseResponse, Fault> {
        let answer = match request.asked {
            ChooseRequestAsked::Text(text) => Some(ChooseResponseAnswer::Said(text)),
            ChooseRequestAsked::Number(0) => None,
            ChooseRequestAsked::Number(number) => Some(ChooseResponseAnswer::Counted(number)),
        };
        Ok(ChooseResponse { answer })
    }

    async fn show_texts(
        &self,
        _: &Context,
        request: ShowTextsRequest,
    ) -> Result<Option<String>, Fault> {
        let texts = request.v.unwrap_or_default();
        Ok(Some(format!("{}:{}", texts.len(), joined(&texts))))
    }

    async fn show_lists(
        &self,
        _: &Context,
        request: ShowListsRequest,
    ) -> Result<Option<String>, Fault> {
        Ok(Some(format!("{:?} {:?}", request.v, request.more)))
    }

    async fn show_nils(
        &self,
        _: &Context,
        request: ShowNilsRequest,
    ) -> Result<Option<String>, Fault> {
        fn number(length: Option<usize>) -> String {
            length.map_or("null".to_owned(), |length| length.to_string())
        }
        fn text(text: &Option<String>) -> String {
            let shown = text.as_ref().map(|text| format!("[{text}]"));
            shown.unwrap_or("null".to_owned())
        }
        fn truth(truth: bool) -> &'static str {
            if truth { "True" } else { "False" }
        }
        let v = request.v.unwrap_or_default();
        let items = v.items.map_or("null".to_owned(), |items| joined(&items));
        let no_nil = v
            .no_nil_items
            .map_or("null".to_owned(), |items| items.join("|"));
        Ok(Some(format!(
            "Obj={} NilObj={} Bytes={} NilBytes={} Text={} NilText={} Int={} List={} NilList={} Items={items} NoNil={no_nil} E={}",
            truth(v.obj.is_none()),
            truth(v.nil_obj.is_none()),
            number(v.bytes.map(|bytes| bytes.len())),
            number(v.nil_bytes.map(|bytes| bytes.len())),
            text(&v.text),
            text(&v.nil_text),
            v.int.map_or(String::new(), |int| int.to_string()),
            number(v.list.map(|list| list.len())),
            number(v.nil_list.map(|list| list.len())),
            v.e.map_or(String::new(), |e| e.to_string()),
        )))
    }

    async fn get_access(&self, _: &Context, request: GetAccessRequest) -> Result<Access, Fault> {
        Ok(Access::from_bits(request.n.into()))
    }
}

fn joined(texts: &[Option<String>]) -> String {
    let texts: Vec<_> = texts
        .iter()
        .map(|text| text.as_deref().unwrap_or("NULL"))
        .collect();
    texts.join("|")
}

const DEPARTURES: &[Departure] = &[
    Departure {
        name: "enum/get-00",
        why: "a form may hold the text on the wire instead of the name in .NET",
        status: 200,
        holds: &[">two words</Odd>"],
    },
    Departure {
        name: "enum/get-10",
        why: "only flags are added up: of `Two,Plain` the original makes a third value",
        status: 500,
        holds: &["Requested value &#39;Two,Plain&#39; was not found."],
    },
    Departure {
        name: "enum/out-undefined",
        why: "a handler cannot return a number that the enumeration does not have",
        status: 500,
        holds: &["99 is not a number of Num"],
    },
    Departure {
        name: "array/get-out",
        why: "the definition is without this operation, whose type has items of any type, and text beside elements",
        status: 500,
        holds: &["Web Service method name is not valid."],
    },
    Departure {
        name: "list/get-flat",
        why: "the handler has no null to leave out over SOAP, and to answer over HTTP",
        status: 200,
        holds: &[
            "<ArrayOfString xmlns:xsd=",
            ">\n  <string>v1</string>\n  <string>v3</string>\n</ArrayOfString>",
        ],
    },
    Departure {
        name: "nil/show-all",
        why: "an object, bytes or text with `xsi:nil` is absent, whether or not it is nillable",
        status: 200,
        holds: &[
            "Obj=True NilObj=True Bytes=null NilBytes=null Text=null NilText=null Int= List=null NilList=null Items=NULL NoNil= E=",
        ],
    },
];

fn server() -> WideListsServer<Original> {
    let documents = Documents::new()
        .with_shape(Shape::Original)
        .with_invoke_form(InvokeForm::Always);
    WideListsServer::new(Original).with_documents(documents)
}

#[test]
fn recorded_exchanges_are_answered_as_they_were() {
    let running = Running::of(server());
    replay(
        &running,
        &["array", "enum", "flags", "list", "nil"],
        DEPARTURES,
    );
}

/// Returns the types and elements of a WSDL by their tag and name.
fn components(wsdl: &str) -> BTreeMap<(String, String), String> {
    let document = roxmltree::Document::parse(wsdl).unwrap();
    let schemas = document.descendants();
    let schemas = schemas.filter(|node| {
        let namespace = node.attribute("targetNamespace");
        node.tag_name().name() == "schema" && namespace == Some("http://lab.example/g")
    });
    let children = schemas.flat_map(|schema| schema.children());
    let named = children.filter_map(|child| {
        let key = (child.tag_name().name(), child.attribute("name")?);
        let text = wsdl[child.range()].to_owned();
        Some(((key.0.to_owned(), key.1.to_owned()), text))
    });
    named.collect()
}

#[test]
fn the_wsdl_describes_messages_and_types_as_the_original_does() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("recorded/lab/wsdl/GWide.wsdl");
    let recorded = components(&std::fs::read_to_string(path).unwrap());
    let request = http::Request::get("/GWide.asmx?wsdl").header("host", "localhost");
    let answer = wait(server().answer(request.body(Bytes::new()).unwrap()));
    let written = components(std::str::from_utf8(answer.body()).unwrap());
    assert!(written.len() > 20, "{}", written.len());
    // For these, the original has other operations.
    let own = [
        "Arrays",
        "EchoArrays",
        "ListNs",
        "Choose",
        "EchoLists",
        "ShowLists",
        "Lists",
        "Size",
        "ArrayOfPT1",
    ];
    let is_own = |name: &str| own.iter().any(|own| name.starts_with(own));
    for (key, text) in written.into_iter().filter(|(key, _)| !is_own(&key.1)) {
        assert_eq!(recorded.get(&key), Some(&text), "{key:?}");
    }
}

/// Calls each operation with its values over these bindings. Each answer must be the same value.
macro_rules! round_trips {
    ($bindings:expr; $($method:ident($request:ident: $values:expr);)*) => {
        for binding in $bindings {
            let client = WideListsClient::new(server(), "http://localhost").unwrap();
            let client = client.with_binding(binding);
            $(for value in $values {
                let answer = wait(client.$method(&$request { v: value.clone() }));
                assert_eq!(answer.unwrap(), value, "over {binding}");
            })*
        }
    };
}

#[test]
fn values_come_back_over_every_binding() {
    round_trips! { Binding::DEFAULT;
        echo_odd(EchoOddRequest: Odd::VALUES.to_vec());
        echo_odds(EchoOddsRequest: [None, Some(Odd::VALUES.to_vec())]);
        echo_num(EchoNumRequest: Num::VALUES.to_vec());
        echo_access(EchoAccessRequest: (0..8).map(Access::from_bits));
        echo_no_zero(EchoNoZeroRequest: (0..8).map(NoZero::from_bits));
    }
}

/// Returns the content of an operation's result for this content of its `v`.
fn echo(operation: &str, v: &str) -> String {
    let body = format!(
        "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">\
         <s:Body><{operation} xmlns=\"http://lab.example/g\">{v}</{operation}></s:Body></s:Envelope>"
    );
    let request = http::Request::post("/GWide.asmx")
        .header("content-type", "text/xml; charset=utf-8")
        .header("soapaction", format!("http://lab.example/g/{operation}"));
    let answer = wait(server().answer(request.body(Bytes::from(body)).unwrap()));
    let text = String::from_utf8(answer.body().to_vec()).unwrap();
    let (_, text) = text.split_once("<soap:Body>").unwrap();
    let (text, _) = text.split_once("</soap:Body>").unwrap();
    let start = format!("<{operation}Response xmlns=\"http://lab.example/g\">");
    let text = text.strip_prefix(start.as_str()).unwrap_or(text);
    let end = format!("</{operation}Response>");
    text.strip_suffix(end.as_str()).unwrap_or(text).to_owned()
}

#[test]
fn of_repeated_elements_the_first_of_lists_the_last_of_collections_all_count() {
    let int = |number: u8| format!("<int>{number}</int>");
    let point = |x: u8| format!("<Pt><X>{x}</X><Y>0</Y></Pt>");
    let lists = format!(
        "<v><A>{}{}</A><L>{}</L><More>{}</More><Either>a</Either><Struct><Width>1</Width></Struct>\
         <A>{}</A><L>{}{}</L><More>{}</More><Either>b</Either><Struct><Width>2</Width></Struct></v>",
        int(1),
        int(2),
        int(3),
        point(1),
        int(4),
        int(5),
        int(6),
        point(2),
    );
    let expected = format!(
        "<EchoListsResult><A>{}</A><L>{}{}{}</L><Struct><Width>1</Width></Struct><MayBe xsi:nil=\"true\" />\
         <Either>a</Either><More>{}{}</More></EchoListsResult>",
        int(4),
        int(3),
        int(5),
        int(6),
        point(1),
        point(2),
    );
    assert_eq!(echo("EchoLists", &lists), expected);
}

#[test]
fn a_list_that_is_nil_replaces_one_before_if_it_is_nillable() {
    let nil = |name: &str| format!("<{name} xsi:nil=\"true\"><int>9</int></{name}>");
    let one = |name: &str| format!("<{name}><int>1</int></{name}>");
    let result = |lists: &str| {
        format!(
            "<EchoListsResult>{lists}<Struct><Width>0</Width></Struct><MayBe xsi:nil=\"true\" />"
        )
    };
    for (lists, a, l, either) in [
        (
            ["A", "L", "EitherList"].map(|name| one(name) + &nil(name)),
            one("A"),
            one("L"),
            false,
        ),
        (
            ["A", "L", "EitherList"].map(|name| nil(name) + &one(name)),
            one("A"),
            one("L"),
            true,
        ),
        (
            ["A", "L", "EitherList"].map(|name| nil(name) + &nil(name)),
            String::new(),
            "<L />".to_owned(),
            false,
        ),
    ] {
        let answer = echo("EchoLists", &format!("<v>{}</v>", lists.concat()));
        assert!(
            answer.starts_with(&result(&(a + &l))),
            "{lists:?}: {answer}"
        );
        assert_eq!(
            answer.contains(&one("EitherList")),
            either,
            "{lists:?}: {answer}"
        );
    }
    let answer = echo(
        "EchoNils",
        &format!("<v>{}{}</v>", one("NilList"), nil("NilList")),
    );
    assert!(answer.contains("<NilList xsi:nil=\"true\" />"), "{answer}");
}

#[test]
fn of_repeated_lists_that_are_parameters_the_first_counts() {
    let list = |name: &str, number: u8| format!("<{name}><int>{number}</int></{name}>");
    for (parameters, shown) in [
        (list("v", 1) + &list("v", 2) + "<v />", "Some([1]) []"),
        (
            list("more", 1) + &list("v", 2) + &list("more", 3) + &list("v", 4),
            "Some([2]) [1, 3]",
        ),
        ("<v xsi:nil=\"1\" />".to_owned() + &list("v", 2), "None []"),
    ] {
        let expected = format!("<ShowListsResult>{shown}</ShowListsResult>");
        assert_eq!(echo("ShowLists", &parameters), expected, "{parameters}");
    }
}

#[test]
fn choices_and_unwrapped_lists_are_parameters_and_results() {
    for binding in Binding::DEFAULT {
        let client = WideListsClient::new(server(), "http://localhost").unwrap();
        let client = client.with_binding(binding);
        let flat = wait(client.flat(&FlatRequest { n: vec![1, 3] })).unwrap();
        assert_eq!(flat.item, ["v1", "v3"]);
        let flat = wait(client.flat(&FlatRequest { n: vec![0] })).unwrap();
        assert_eq!(flat.item, ["v0"]);
    }
    for binding in [Binding::Soap11, Binding::Soap12] {
        let client = WideListsClient::new(server(), "http://localhost").unwrap();
        let client = client.with_binding(binding);
        let choose = |asked| {
            wait(client.choose(&ChooseRequest { asked }))
                .unwrap()
                .answer
        };
        let text = || "a".to_owned();
        let said = ChooseResponseAnswer::Said(text());
        assert_eq!(choose(ChooseRequestAsked::Text(text())), Some(said));
        let counted = ChooseResponseAnswer::Counted(7);
        assert_eq!(choose(ChooseRequestAsked::Number(7)), Some(counted));
        assert_eq!(choose(ChooseRequestAsked::Number(0)), None);
        let flat = wait(client.flat_nil(&FlatNilRequest { n: 1 })).unwrap();
        assert_eq!(flat.item, [Some(text()), None]);
        let flat = wait(client.flat_nil(&FlatNilRequest { n: 0 })).unwrap();
        assert!(flat.item.is_empty());
    }
}

#[test]
fn lists_in_one_text_are_divided_by_blanks() {
    for (value, answer) in [
        (
            r#"nums="1 -2" enums="Zero Six""#,
            r#"nums="1 -2" enums="Zero Six""#,
        ),
        (r#"nums="" enums="Six""#, r#"enums="Six""#),
        (r#"names="a &quot; &amp;""#, r#"names="a &quot; &amp;""#),
        (r#"names="""#, ""),
    ] {
        let written = echo("EchoArrays", &format!("<v {value}/>"));
        let blank = if answer.is_empty() { "" } else { " " };
        let bare = format!(
            "<EchoArraysResult{blank}{answer}><Bytes /><MayBe xsi:nil=\"true\" /></EchoArraysResult>"
        );
        assert_eq!(written, bare, "{value}");
    }
    let elements = "<Bytes>AQ== Ag==</Bytes><MayBe>1.50 2</MayBe>";
    let answer = echo("EchoArrays", &format!("<v>{elements}</v>"));
    assert_eq!(
        answer,
        format!("<EchoArraysResult>{elements}</EchoArraysResult>")
    );
    let answer = echo("EchoArrays", "<v><MayBe/></v>");
    assert_eq!(
        answer,
        "<EchoArraysResult><Bytes /><MayBe /></EchoArraysResult>"
    );
    for (value, why) in [
        (
            r#"<v nums="1  2"/>"#,
            "Input string was not in a correct format.",
        ),
        (
            r#"<v nums="1 2 "/>"#,
            "Input string was not in a correct format.",
        ),
        (
            r#"<v enums="Zero Two"/>"#,
            "'Two' is not a valid value for Num.",
        ),
        (
            "<v><MayBe>1 x</MayBe></v>",
            "Input string was not in a correct format.",
        ),
    ] {
        let answer = echo("EchoArrays", value);
        assert!(
            answer.contains("soap:Client") && answer.contains(why),
            "{answer}"
        );
    }
}

#[test]
fn a_value_with_a_blank_has_no_place_among_values_divided_by_blanks() {
    let client = WideListsClient::new(server(), "http://localhost").unwrap();
    for (name, is_written) in [
        ("a\"b&c", true),
        ("a b", false),
        ("", false),
        ("a\rb", false),
    ] {
        let names = Some(vec!["first".to_owned(), name.to_owned()]);
        let v = Some(Arrays {
            names,
            ..Arrays::default()
        });
        let answer = wait(client.echo_arrays(&EchoArraysRequest { v: v.clone() }));
        match answer {
            Ok(answer) => assert!(is_written && answer == v, "{name:?}: {answer:?}"),
            Err(error) => {
                let text = error.to_string();
                assert!(
                    !is_written && text.contains("holds a blank"),
                    "{name:?}: {text}"
                );
            }
        }
    }
}

#[test]
fn what_is_absent_is_written_as_the_original_does() {
    let empty = "<EchoListsResult><L /><Struct><Width>0</Width></Struct><MayBe xsi:nil=\"true\" /><More /></EchoListsResult>";
    let nil = |name: &str| format!("<{name} xsi:nil=\"true\" />");
    let nils = ["A", "MayBe", "Either", "EitherList"].map(nil).concat();
    assert_eq!(echo("EchoLists", "<v/>"), empty);
    assert_eq!(echo("EchoLists", &format!("<v>{nils}</v>")), empty);
    let items = "<v><Flat><X>1</X></Flat><Flat xsi:nil=\"true\"/></v>";
    let answer = echo("EchoLists", items);
    let flat = "<L /><Flat><X>1</X><Y>0</Y></Flat><Flat xsi:nil=\"true\" /><Struct>";
    assert!(answer.contains(flat), "{answer}");
}

#[test]
fn the_wsdl_tells_structs_collections_and_what_may_be_nil() {
    let wsdl = get("?wsdl");
    for element in [
        r#"minOccurs="0" maxOccurs="unbounded" name="Flat" nillable="true" type="tns:Pt""#,
        r#"minOccurs="1" maxOccurs="1" name="Struct" type="tns:Size""#,
        r#"minOccurs="1" maxOccurs="1" name="MayBe" nillable="true" type="tns:Size""#,
        r#"minOccurs="0" maxOccurs="1" name="Either" nillable="true" type="s:string""#,
        r#"minOccurs="0" maxOccurs="1" name="EitherList" nillable="true" type="tns:ArrayOfInt1""#,
        r#"minOccurs="0" maxOccurs="1" name="More" type="tns:ArrayOfPT1""#,
        r#"<s:list itemType="s:base64Binary" />"#,
        r#"<s:list itemType="s:int" />"#,
        r#"<s:attribute name="enums" type="tns:Num" use="required" />"#,
        r#"<s:attribute name="nums" use="required">"#,
    ] {
        assert!(wsdl.contains(element), "{element}: {wsdl}");
    }
}

const DEFINITION: &str = include_str!("../../definitions/lab/lists.yaml");

/// Returns the answer to a GET request.
fn get(query: &str) -> String {
    let request = http::Request::get(format!("/GWide.asmx{query}")).header("host", "localhost");
    let answer = wait(server().answer(request.body(Bytes::new()).unwrap()));
    let text = String::from_utf8(answer.body().to_vec()).unwrap();
    let text = text
        .split_once("?>\n")
        .map_or(text.as_str(), |(_, text)| text);
    text.replace(" xmlns=\"http://lab.example/g\"", "")
}

#[test]
fn forms_hold_names_and_numbers_of_net() {
    for (query, answer) in [
        ("EchoOdd?v=Lower", "<Odd>plain</Odd>"),
        ("EchoOdd?v=plain", "<Odd>plain</Odd>"),
        ("EchoOdd?v=Plain", "<Odd>Plain</Odd>"),
        ("EchoOdd?v=+First+", "<Odd>1st</Odd>"),
        ("EchoOdd?v=3", "<Odd>Plain</Odd>"),
        ("EchoOdd?v=Nothing", "<Odd />"),
        ("EchoNum?v=5", "<Num>Five</Num>"),
        ("EchoNum?v=6", "<Num>Six</Num>"),
        ("EchoAccess?v=Delete,+Read", "<Access>Read del</Access>"),
        ("EchoAccess?v=Read&v=del", "<Access>Read del</Access>"),
        ("EchoAccess?v=5", "<Access>Read del</Access>"),
        ("EchoAccess?v=Read,Write,Delete", "<Access>All</Access>"),
        ("EchoAccess?v=0", "<Access>None</Access>"),
        ("EchoNoZero?v=0", "<NoZero />"),
    ] {
        assert_eq!(get(&format!("/{query}")), answer, "{query}");
    }
    for query in [
        "EchoOdd?v=two",
        "EchoOdd?v=7",
        "EchoNum?v=1",
        "EchoAccess?v=8",
        "EchoAccess?v=Read,",
        "EchoAccess?v=read",
    ] {
        let answer = get(&format!("/{query}"));
        assert!(answer.starts_with("Cannot convert "), "{query}: {answer}");
        assert!(answer.contains("was not found."), "{query}: {answer}");
    }
    for query in ["EchoOdd?v=", "EchoOdd?v=+"] {
        let answer = get(&format!("/{query}"));
        let why = "---> Must specify valid information for parsing in the string.";
        assert!(answer.contains(why), "{query}: {answer}");
    }
    for query in ["EchoOdd?v=2147483648", "EchoAccess?v=99999999999999999999"] {
        let answer = get(&format!("/{query}"));
        let why = "---> Value was either too large or too small for an Int32.";
        assert!(answer.contains(why), "{query}: {answer}");
    }
}

#[test]
fn documents_tell_the_names_of_forms() {
    let described = Config::new().describe("lists.yaml", DEFINITION).unwrap();
    let reference = described
        .with(svcgen_documents::reference::markdown)
        .unwrap();
    for words in [
        "- `two words` (.NET\\: Two)",
        "- `Five` (.NET\\: 5)",
        "Any number of these, divided by blanks; in forms by commas.",
    ] {
        assert!(reference.contains(words), "{words}: {reference}");
    }
    let page = get("?op=EchoAccess");
    for words in [
        "data-value multiple",
        "<option data-net=\"Delete\">del</option>",
    ] {
        assert!(page.contains(words), "{words}: {page}");
    }
}

/// Returns the output of a future, which never waits as the call stays in the process.
fn wait<F: Future>(future: F) -> F::Output {
    match pin!(future).poll(&mut task::Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => output,
        Poll::Pending => panic!("a call in the process waits"),
    }
}

/// A combination of the named flags.
fn access() -> BoxedStrategy<Access> {
    let some = select(vec![
        Access::NONE,
        Access::READ,
        Access::WRITE,
        Access::DELETE,
        Access::ALL,
    ]);
    (some.clone(), some)
        .prop_map(|(one, other)| one | other)
        .boxed()
}

fn bytes() -> BoxedStrategy<Vec<u8>> {
    vec(any::<u8>(), 0..9).boxed()
}

fn point() -> BoxedStrategy<Pt> {
    (any::<i32>(), any::<i32>())
        .prop_map(|(x, y)| Pt { x, y })
        .boxed()
}

fn nils() -> BoxedStrategy<Nils> {
    let numbers = || of(vec(any::<i32>(), 0..4));
    let own = (of(point()), of(point()), of(bytes()), of(bytes()));
    let texts = (of(random::text()), of(random::text()), of(any::<i32>()));
    let lists = (numbers(), numbers(), of(vec(random::text(), 0..4)));
    let items = (
        of(vec(of(random::text()), 0..4)),
        of(vec(of(bytes()), 0..4)),
        of(random::value_of::<Num>()),
    );
    (own, texts, lists, items)
        .prop_map(|(own, texts, lists, items)| Nils {
            obj: own.0,
            nil_obj: own.1,
            bytes: own.2,
            nil_bytes: own.3,
            text: texts.0,
            nil_text: texts.1,
            int: texts.2,
            list: lists.0,
            nil_list: lists.1,
            no_nil_items: lists.2,
            items: items.0,
            blobs: items.1,
            e: items.2,
            any: None,
        })
        .boxed()
}

/// Lists in one text: a word has no blanks and is not empty.
fn arrays() -> BoxedStrategy<Arrays> {
    let words = vec("[^ \\t\\n\\r\\p{C}\\p{Z}]{1,5}", 1..4);
    let decimal = (any::<i64>(), 0..19_u32).prop_map(|(number, scale)| Decimal::new(number, scale));
    let parts = (
        vec(any::<i32>(), 0..4),
        vec(random::value_of::<Num>(), 0..4),
        of(words),
        vec(vec(any::<u8>(), 1..9), 0..4),
        of(vec(decimal, 0..4)),
    );
    parts
        .prop_map(|(nums, enums, names, bytes, may_be)| Arrays {
            nums,
            enums,
            names,
            bytes,
            may_be,
        })
        .boxed()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn flags_come_back_as_they_were(v in access()) {
        let request = EchoAccessRequest { v };
        check_xml(&request)?;
        check_form(&request)?;
    }

    #[test]
    fn what_is_nil_comes_back_as_it_was(nils in nils()) {
        check_xml(&EchoNilsRequest { v: Some(nils) })?;
    }

    #[test]
    fn lists_in_texts_come_back_as_they_were(arrays in arrays()) {
        check_xml(&EchoArraysRequest { v: Some(arrays) })?;
    }
}
