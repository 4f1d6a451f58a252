//! Values whose type is named by `xsi:type`.

use proptest::collection::vec;
use proptest::prelude::*;
use svcgen::types::{Object, QName, XmlFragment};
use svcgen::{Binding, Context, Fault};
use svcgen_model::SimpleType;
use svcgen_tests::lab::{Departure, replay};
use svcgen_tests::random::text;
use svcgen_tests::raw_http::Running;

svcgen::include_service!("any_objects");
use any_objects::*;

type Any = Object<AnyObject>;

/// The handlers of `GWide.cs`.
struct Handlers;

fn own(value: impl Into<AnyObject>) -> Any {
    Object::Own(value.into())
}

fn point() -> Pt3 {
    Pt3 { x: 1, y: 0, z: 3 }
}

fn string(text: &str) -> Any {
    Object::String(text.to_owned())
}

fn bag() -> Bag {
    let many = [
        string("s"),
        Object::Int(1),
        Object::Long(2),
        Object::Short(3),
        Object::UnsignedByte(4),
        Object::Byte(-4),
        Object::Boolean(true),
        Object::Double(1.5),
        Object::Float(2.5),
        Object::Decimal("3.5".parse().unwrap()),
        Object::DateTime("2024-02-29T01:02:03Z".parse().unwrap()),
        Object::Guid(svcgen::types::Guid::nil()),
        Object::Char('c'),
        Object::Base64Binary(vec![1]),
        own(Odd::Two),
        own(Pt::default()),
    ];
    let more = [
        Object::Array(SimpleType::String, vec![Some(string("a"))]),
        Object::QName(QName::new("urn:q", "q")),
        Object::UnsignedInt(5),
        Object::UnsignedLong(6),
        Object::UnsignedShort(7),
        Object::List(vec![Some(Object::Int(1))]),
    ];
    let many = many.into_iter().map(Some).chain([None]);
    Bag {
        any: Some(own(point())),
        many: Some(many.chain(more.into_iter().map(Some)).collect()),
        list: Some(vec![Some(Object::Int(1)), Some(string("x"))]),
    }
}

impl AnyObjectsHandler for Handlers {
    async fn echo_object(
        &self,
        _: &Context,
        request: EchoObjectRequest,
    ) -> Result<Option<Any>, Fault> {
        Ok(request.v)
    }

    async fn get_derived(&self, _: &Context) -> Result<Option<AnyPt>, Fault> {
        let derived = Pt3 { x: 1, y: 2, z: 3 };
        Ok(Some(derived.into()))
    }

    async fn get_bag(&self, _: &Context) -> Result<Option<Bag>, Fault> {
        Ok(Some(bag()))
    }

    async fn get_one(&self, _: &Context, request: GetOneRequest) -> Result<Option<Any>, Fault> {
        Ok(match &*request.which {
            "null" => None,
            "empty" => Some(Object::Empty),
            "int" => Some(Object::Int(7)),
            "array" => Some(Object::Array(
                SimpleType::Int,
                vec![Some(Object::Int(7)), None],
            )),
            "wrong" => Some(Object::Array(SimpleType::Int, vec![Some(string("7"))])),
            _ => Some(own(point())),
        })
    }
}

const SEVERAL_NAMESPACES: &str =
    "types of other namespaces are not in the definition, and prefixes count in one element";

#[test]
fn objects_are_answered_as_recorded() {
    let server = Running::of(AnyObjectsServer::new(Handlers));
    let recorded = [
        "anytype/in-01",
        "anytype/in-02",
        "anytype/in-03",
        "anytype/in-05",
        "anytype/in-08",
        "anytype/in-12",
        "anytype/in-14",
        "anytype/derived",
        "anytype/getbag",
    ];
    let departures = [
        Departure {
            name: "anytype/in-02",
            why: SEVERAL_NAMESPACES,
            status: 200,
            holds: &[
                r#"<EchoObjectResult xsi:type="c:AddressType" xmlns:c="http://lab.example/g/common"><c:Street xmlns:c="http://lab.example/g/common">s</c:Street></EchoObjectResult>"#,
            ],
        },
        Departure {
            name: "anytype/in-12",
            why: SEVERAL_NAMESPACES,
            status: 200,
            holds: &[
                r#"<EchoObjectResult xsi:type="ArrayOfString"><string>a</string></EchoObjectResult>"#,
            ],
        },
        Departure {
            name: "anytype/getbag",
            why: SEVERAL_NAMESPACES,
            status: 200,
            holds: &[
                r#"<GetBagResult><Any xsi:type="Pt3"><X>1</X><Y>0</Y><Z>3</Z></Any><Many><anyType xsi:type="xsd:string">s</anyType><anyType xsi:type="xsd:int">1</anyType><anyType xsi:type="xsd:long">2</anyType><anyType xsi:type="xsd:short">3</anyType><anyType xsi:type="xsd:unsignedByte">4</anyType><anyType xsi:type="xsd:byte">-4</anyType><anyType xsi:type="xsd:boolean">true</anyType><anyType xsi:type="xsd:double">1.5</anyType><anyType xsi:type="xsd:float">2.5</anyType><anyType xsi:type="xsd:decimal">3.5</anyType><anyType xsi:type="xsd:dateTime">2024-02-29T01:02:03Z</anyType><anyType xmlns:q1="http://microsoft.com/wsdl/types/" xsi:type="q1:guid">00000000-0000-0000-0000-000000000000</anyType><anyType "#,
                r#" xsi:type="q1:char">99</anyType><anyType xsi:type="xsd:base64Binary">AQ==</anyType><anyType xsi:type="Odd">two words</anyType><anyType xsi:type="Pt"><X>0</X><Y>0</Y></anyType><anyType xsi:nil="true" /><anyType xsi:type="ArrayOfString"><string>a</string></anyType><anyType xsi:type="xsd:QName" xmlns:q1="urn:q">q1:q</anyType><anyType xsi:type="xsd:unsignedInt">5</anyType><anyType xsi:type="xsd:unsignedLong">6</anyType><anyType xsi:type="xsd:unsignedShort">7</anyType>"#,
                r#"<anyType xsi:type="ArrayOfAnyType"><anyType xsi:type="xsd:int">1</anyType></anyType></Many><List><anyType xsi:type="xsd:int">1</anyType><anyType xsi:type="xsd:string">x</anyType></List></GetBagResult>"#,
            ],
        },
    ];
    replay(&server, &recorded, &departures);
}

#[test]
fn documents_are_as_recorded() {
    super::documents_are_recorded("objects", &["GetOne", "\"Odd\""]);
}

fn client(binding: Binding) -> AnyObjectsClient<AnyObjectsServer<Handlers>> {
    let server = AnyObjectsServer::new(Handlers);
    let client = AnyObjectsClient::new(server, "http://localhost").unwrap();
    client.with_binding(binding)
}

#[tokio::test]
async fn objects_are_results_over_every_binding() {
    for binding in Binding::DEFAULT {
        let client = client(binding);
        assert_eq!(client.get_bag().await.unwrap(), Some(bag()));
        let one = async |which: &str| {
            let which = which.to_owned();
            client.get_one(&GetOneRequest { which }).await
        };
        assert_eq!(one("null").await.unwrap(), None, "{binding}");
        assert_eq!(
            one("empty").await.unwrap(),
            Some(Object::Empty),
            "{binding}"
        );
        assert_eq!(one("int").await.unwrap(), Some(Object::Int(7)), "{binding}");
        assert_eq!(one("own").await.unwrap(), Some(own(point())), "{binding}");
        let array = Object::Array(SimpleType::Int, vec![Some(Object::Int(7)), None]);
        assert_eq!(one("array").await.unwrap(), Some(array), "{binding}");
        assert!(one("wrong").await.is_err(), "{binding}");
    }
}

#[tokio::test]
async fn what_is_read_is_what_xsi_type_says() {
    let schema = "http://www.w3.org/2001/XMLSchema";
    let raw = |attributes: &str, content: &str| {
        let content = XmlFragment::parse(content).unwrap();
        Object::Xml(content.with_attributes(attributes.parse().unwrap()))
    };
    let rows: [(&str, Any); 12] = [
        ("<v/>", Object::Empty),
        ("<v></v>", Object::Empty),
        ("<v>1</v>", raw("", "1")),
        ("<v xsi:type='xsd:int'> 1 </v>", Object::Int(1)),
        ("<v xsi:type='xsd:string'/>", string("")),
        (
            "<v xsi:type='xsd:anyType'/>",
            raw(&format!("xsi:type='xsd:anyType' xmlns:xsd='{schema}'"), ""),
        ),
        ("<v xsi:type='xsd:duration'>P1D</v>", string("P1D")),
        ("<v xsi:type='xsd:gYear'>2024</v>", string("2024")),
        ("<v xsi:type='xsd:Pt'>2024</v>", string("2024")),
        ("<v xsi:type='Odd'>Plain</v>", own(Odd::Plain)),
        (
            "<v xsi:type='ArrayOfInt'><int>1</int><int xsi:nil='1'/></v>",
            Object::Array(SimpleType::Int, vec![Some(Object::Int(1)), None]),
        ),
        (
            "<v xsi:type='ArrayOfAnyType'><anyType/><anyType xsi:nil='true'/><anyType xsi:type='Pt'/></v>",
            Object::List(vec![Some(Object::Empty), None, Some(own(Pt::default()))]),
        ),
    ];
    let read = |markup: &str| {
        let document = format!(
            "<EchoObject xmlns='http://lab.example/g' xmlns:xsi='{schema}-instance' xmlns:xsd='{schema}'>{markup}</EchoObject>"
        );
        let limits = svcgen::Limits::default();
        let mut reader = svcgen::codegen::Reader::new(&document, &limits);
        let mut request = EchoObjectRequest::default();
        reader.root()?;
        reader.read(&mut request).map(|()| request.v)
    };
    for (markup, object) in rows {
        assert_eq!(read(markup), Ok(Some(object)), "{markup}");
    }
    assert_eq!(read(""), Ok(None));
    assert_eq!(read("<v xsi:nil='true'/>"), Ok(None));
    let error = read("<v xsi:type='nope:int'/>").unwrap_err();
    assert_eq!(error.message(), "Namespace prefix 'nope' is not defined.");
    for wrong in [
        "<v xsi:type='xsd:int'>x</v>",
        "<v xsi:type='Odd'>x</v>",
        "<v xsi:type='ArrayOfInt'><int>x</int></v>",
    ] {
        assert!(read(wrong).is_err(), "{wrong}");
    }
}

fn simple() -> BoxedStrategy<Any> {
    prop_oneof![
        Just(Object::Empty),
        text().prop_map(Object::String),
        any::<i32>().prop_map(Object::Int),
        any::<u64>().prop_map(Object::UnsignedLong),
        any::<bool>().prop_map(Object::Boolean),
        vec(any::<u8>(), 0..4).prop_map(Object::Base64Binary),
        (0..0xD800u32).prop_map(|code| Object::Char(char::from_u32(code).unwrap())),
        vec(proptest::option::of(text().prop_map(Object::String)), 0..3)
            .prop_map(|items| Object::Array(SimpleType::String, items)),
        any::<(i32, i32)>().prop_map(|(x, y)| own(Pt { x, y })),
        Just(own(Odd::Two)),
        Just(Object::Xml(
            XmlFragment::parse("a<b xmlns='http://lab.example/g'/>").unwrap()
        )),
    ]
    .boxed()
}

fn object() -> BoxedStrategy<Any> {
    simple()
        .prop_recursive(3, 12, 3, |inner| {
            let items = vec(proptest::option::of(inner.clone()), 0..3);
            prop_oneof![
                items.clone().prop_map(Object::List),
                (inner, items).prop_map(|(any, many)| own(Bag {
                    any: Some(any),
                    many: Some(many),
                    list: None,
                })),
            ]
        })
        .boxed()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn objects_come_back_as_they_were(object in object()) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        for binding in [Binding::Soap11, Binding::Soap12] {
            let request = EchoObjectRequest { v: Some(object.clone()) };
            let came = runtime.block_on(client(binding).echo_object(&request)).unwrap();
            prop_assert_eq!(came.as_ref(), Some(&object));
        }
    }
}

mod included {
    //! Values of types from an included file.

    svcgen::include_service!("goods");
    svcgen::include_service!("parcels");
    svcgen::include_service!("shelves");
}

use included::goods::{Fruit, Label, Size};
use included::parcels::{self, Parcel, ParcelsClient, ParcelsHandler, ParcelsServer, SendRequest};
use included::shelves::{Shelf, State};

type Sent = Object<parcels::AnyObject>;

struct Sender;

impl ParcelsHandler for Sender {
    async fn send(&self, _: &Context, request: SendRequest) -> Result<Option<Sent>, Fault> {
        Ok(request.v)
    }

    async fn last(&self, _: &Context) -> Result<Option<Sent>, Fault> {
        Ok(Some(Object::Own(fruit().into())))
    }
}

fn fruit() -> Fruit {
    Fruit {
        name: "pear".to_owned(),
        ripe: true,
    }
}

#[tokio::test]
async fn values_are_of_types_of_included_files_too() {
    let label = Label {
        text: "fragile".to_owned(),
    };
    let holds = [
        Object::Own(fruit().into()),
        Object::Own(label.clone().into()),
        Object::Own(Size::Large.into()),
        Object::Own(Shelf { holds: vec![1] }.into()),
        Object::Own(State::Empty.into()),
    ];
    let parcel = Parcel {
        weight: 1,
        holds: holds.iter().cloned().map(Some).collect(),
    };
    let values = holds.into_iter().chain([Object::Own(parcel.into())]);
    let values: Vec<Sent> = values.collect();
    for binding in Binding::DEFAULT {
        let client = ParcelsClient::new(ParcelsServer::new(Sender), "http://h");
        let client = client.unwrap().with_binding(binding);
        let last = client.last().await.unwrap();
        assert_eq!(last, Some(Object::Own(fruit().into())), "{binding}");
        for value in values.iter().filter(|_| binding.is_soap()) {
            let request = SendRequest {
                v: Some(value.clone()),
            };
            let answer = client.send(&request).await.unwrap();
            assert_eq!(answer.as_ref(), Some(value), "{binding}");
        }
    }
}

#[tokio::test]
async fn the_names_of_included_types_are_resolved_in_their_namespaces() {
    for (v, answered) in [
        (
            r#"<v xsi:type="Fruit"><Name>fig</Name><Ripe>0</Ripe></v>"#,
            r#"<SendResult xsi:type="Fruit"><Name>fig</Name><Ripe>false</Ripe></SendResult>"#,
        ),
        (
            r#"<v xsi:type="o:Label" xmlns:o="urn:example:other"><o:Text>t</o:Text></v>"#,
            r#"<SendResult xmlns:q1="urn:example:other" xsi:type="q1:Label"><q1:Text>t</q1:Text></SendResult>"#,
        ),
        (
            r#"<v xsi:type="Size">Large</v>"#,
            r#"<SendResult xsi:type="Size">Large</SendResult>"#,
        ),
        // A type of a file that the included file includes.
        (
            r#"<v xsi:type="o:Shelf" xmlns:o="urn:example:store"><o:Holds><o:int>1</o:int></o:Holds></v>"#,
            r#"<SendResult xmlns:q1="urn:example:store" xsi:type="q1:Shelf"><q1:Holds><q1:int>1</q1:int></q1:Holds></SendResult>"#,
        ),
        // An abstract type has no values.
        (
            r#"<v xsi:type="Good"><Name>n</Name></v>"#,
            r#"<SendResult xsi:type="Good"><Name>n</Name></SendResult>"#,
        ),
    ] {
        let body = format!(
            "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\"><s:Body><Send xmlns=\"urn:example:parcels\">{v}</Send></s:Body></s:Envelope>"
        );
        let request = http::Request::post("/Parcels.asmx").header("content-type", "text/xml");
        let request = request.body(bytes::Bytes::from(body)).unwrap();
        let answer = ParcelsServer::new(Sender).answer(request).await;
        let text = String::from_utf8(answer.into_body().to_vec()).unwrap();
        assert!(text.contains(answered), "{v}: {text}");
    }
}

#[tokio::test]
async fn the_wsdl_has_the_types_that_only_such_values_are_of() {
    let request = http::Request::get("/Parcels.asmx?wsdl").header("host", "localhost");
    let request = request.body(bytes::Bytes::new()).unwrap();
    let answer = ParcelsServer::new(Sender).answer(request).await;
    let wsdl = String::from_utf8(answer.into_body().to_vec()).unwrap();
    for name in ["Fruit", "Label", "Size", "Good", "Parcel", "Shelf", "State"] {
        assert!(
            wsdl.contains(&format!("Type name=\"{name}\"")),
            "{name}: {wsdl}"
        );
    }
}
