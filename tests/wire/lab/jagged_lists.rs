//! Lists of lists, whose items are named like their types, with the numbers of .NET.

use bytes::Bytes;
use svcgen::documents::Shape;
use svcgen::types::XmlFragment;
use svcgen::{Binding, Context, Documents, Fault};

svcgen::include_service!("jagged");
use jagged::*;

struct Lister;

fn lists() -> Lists {
    Lists {
        jag: Some(vec![Some(vec![1])]),
        jag_n: Some(vec![Some(vec![2])]),
        jag_null: Some(vec![Some(vec![Some(3), None])]),
        named: Some(vec![Some(vec![4])]),
        cell: Some(vec![Some(vec![5])]),
        texts: Some(ListsTexts::All(vec![Some(vec![Some("s".to_owned())])])),
    }
}

fn xml() -> Option<Vec<Option<XmlFragment>>> {
    let one = XmlFragment::parse("<q xmlns=\"urn:q\">t</q>").unwrap();
    Some(vec![Some(one), None])
}

impl JaggedHandler for Lister {
    async fn ints(&self, _: &Context, request: IntsRequest) -> Result<Vec<i32>, Fault> {
        Ok(request.v)
    }

    async fn nil_ints(&self, _: &Context) -> Result<Option<Vec<Option<i32>>>, Fault> {
        Ok(Some(vec![Some(1), None]))
    }

    async fn jag(&self, _: &Context) -> Result<Option<Vec<Option<Vec<i32>>>>, Fault> {
        Ok(Some(vec![Some(vec![1]), None, Some(vec![])]))
    }

    async fn nil_jag(&self, _: &Context) -> Result<Option<Vec<Option<Vec<Option<i32>>>>>, Fault> {
        Ok(Some(vec![Some(vec![Some(1), None]), None]))
    }

    async fn echo(&self, _: &Context, request: EchoRequest) -> Result<Option<Lists>, Fault> {
        Ok(request.v)
    }

    async fn get(&self, _: &Context) -> Result<Option<Lists>, Fault> {
        Ok(Some(lists()))
    }

    async fn points(&self, _: &Context) -> Result<Vec<Option<Vec<Option<Pt>>>>, Fault> {
        Ok(vec![Some(vec![Some(Pt::default())])])
    }

    async fn xml(
        &self,
        _: &Context,
        request: XmlRequest,
    ) -> Result<Option<Vec<Option<XmlFragment>>>, Fault> {
        Ok(request.v)
    }

    async fn get_xml(&self, _: &Context) -> Result<Option<Vec<Option<XmlFragment>>>, Fault> {
        Ok(xml())
    }
}

fn server() -> JaggedServer<Lister> {
    let documents = Documents::new().with_shape(Shape::Original);
    JaggedServer::new(Lister).with_documents(documents)
}

async fn text_of(request: http::Request<Bytes>) -> String {
    let answer = server().answer(request).await;
    assert_eq!(answer.status(), 200, "{answer:?}");
    String::from_utf8(answer.into_body().to_vec()).unwrap()
}

/// Returns the answers of an operation without parameters: the result over SOAP 1.1, and the
/// content over HTTP GET, on one line from the root.
async fn answers(operation: &str) -> [String; 2] {
    let body = format!(
        "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\"><s:Body><{operation} xmlns=\"http://lab.example/g\"/></s:Body></s:Envelope>"
    );
    let soap = http::Request::post("/Jagged.asmx").header("content-type", "text/xml");
    let soap = text_of(soap.body(Bytes::from(body)).unwrap()).await;
    let (_, soap) = soap.split_once("Result>").unwrap();
    let (soap, _) = soap.rsplit_once("</").unwrap().0.rsplit_once("</").unwrap();
    let (soap, _) = soap.rsplit_once("</").unwrap().0.rsplit_once("</").unwrap();
    let get = http::Request::get(format!("/Jagged.asmx/{operation}?ids=1&v=2"));
    let get = text_of(get.body(Bytes::new()).unwrap()).await;
    let get = get.lines().skip(1).map(str::trim).collect::<String>();
    let declarations = " xmlns:xsd=\"http://www.w3.org/2001/XMLSchema\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xmlns=\"http://lab.example/g\"";
    [soap.to_owned(), get.replacen(declarations, "", 1)]
}

/// These answers were measured on the original.
#[tokio::test]
async fn items_have_the_numbers_of_their_types_over_soap_and_over_http() {
    for (operation, soap, get) in [
        (
            "NilInts",
            "<int>1</int><int xsi:nil=\"true\" />",
            "<ArrayOfInt1><int>1</int><int xsi:nil=\"true\" /></ArrayOfInt1>",
        ),
        (
            "Jag",
            "<ArrayOfInt1><int>1</int></ArrayOfInt1><ArrayOfInt1 xsi:nil=\"true\" /><ArrayOfInt1 />",
            "<ArrayOfArrayOfInt><ArrayOfInt><int>1</int></ArrayOfInt><ArrayOfInt xsi:nil=\"true\" /><ArrayOfInt /></ArrayOfArrayOfInt>",
        ),
        (
            "NilJag",
            "<ArrayOfInt2><int>1</int><int xsi:nil=\"true\" /></ArrayOfInt2><ArrayOfInt2 xsi:nil=\"true\" />",
            "<ArrayOfArrayOfInt1><ArrayOfInt1><int>1</int><int xsi:nil=\"true\" /></ArrayOfInt1><ArrayOfInt1 xsi:nil=\"true\" /></ArrayOfArrayOfInt1>",
        ),
        (
            "Get",
            "<Jag><ArrayOfInt1><int>1</int></ArrayOfInt1></Jag><JagN><n><int>2</int></n></JagN><JagNull><ArrayOfInt2><int>3</int><int xsi:nil=\"true\" /></ArrayOfInt2></JagNull><Named><row><cell>4</cell></row></Named><Cell><ArrayOfInt3><cell>5</cell></ArrayOfInt3></Cell><All><ArrayOfString><string>s</string></ArrayOfString></All>",
            "<Lists><Jag><ArrayOfInt><int>1</int></ArrayOfInt></Jag><JagN><n><int>2</int></n></JagN><JagNull><ArrayOfInt1><int>3</int><int xsi:nil=\"true\" /></ArrayOfInt1></JagNull><Named><row><cell>4</cell></row></Named><Cell><ArrayOfInt2><cell>5</cell></ArrayOfInt2></Cell><All><ArrayOfString><string>s</string></ArrayOfString></All></Lists>",
        ),
        (
            "Points",
            "<ArrayOfPT><Pt><X>0</X><Y>0</Y></Pt></ArrayOfPT>",
            "<ArrayOfArrayOfPT><ArrayOfPT><Pt><X>0</X><Y>0</Y></Pt></ArrayOfPT></ArrayOfArrayOfPT>",
        ),
        (
            "GetXml",
            "<XmlElement><q xmlns=\"urn:q\">t</q></XmlElement><XmlElement xsi:nil=\"true\" />",
            "<ArrayOfXmlElement><XmlElement><q xmlns=\"urn:q\">t</q></XmlElement><XmlElement xsi:nil=\"true\" /></ArrayOfXmlElement>",
        ),
    ] {
        let [over_soap, over_get] = answers(operation).await;
        assert_eq!(over_soap, soap, "{operation}");
        assert_eq!(over_get, get, "{operation}");
    }
}

#[tokio::test]
async fn clients_read_them_over_every_binding() {
    for binding in Binding::DEFAULT {
        let client = JaggedClient::new(server(), "http://h").unwrap();
        let client = client.with_binding(binding);
        assert_eq!(client.get().await.unwrap(), Some(lists()), "{binding}");
        let jag = client.jag().await.unwrap();
        assert_eq!(jag, Some(vec![Some(vec![1]), None, Some(vec![])]));
        let jag = client.nil_jag().await.unwrap();
        assert_eq!(jag, Some(vec![Some(vec![Some(1), None]), None]));
        assert_eq!(client.nil_ints().await.unwrap(), Some(vec![Some(1), None]));
        let came = client.get_xml().await.unwrap().unwrap();
        let nodes = came.iter().map(|one| one.as_ref()?.first_node());
        assert_eq!(Some(nodes.collect()), xml());
        let ids = IntsRequest {
            ids: vec![1],
            v: vec![2, 3],
        };
        assert_eq!(client.ints(&ids).await.unwrap(), [2, 3]);
        if binding.is_soap() {
            let echo = EchoRequest { v: Some(lists()) };
            assert_eq!(client.echo(&echo).await.unwrap(), echo.v);
            let echo = XmlRequest { v: xml() };
            assert_eq!(client.xml(&echo).await.unwrap(), echo.v);
        }
    }
}

/// The types of lists with their items, as in the original's document.
const TYPES: [(&str, &str); 14] = [
    ("ArrayOfInt", "name=\"id\" type=\"s:int\""),
    ("ArrayOfInt1", "name=\"int\" type=\"s:int\""),
    (
        "ArrayOfInt2",
        "name=\"int\" nillable=\"true\" type=\"s:int\"",
    ),
    (
        "ArrayOfArrayOfInt1",
        "name=\"ArrayOfInt1\" nillable=\"true\" type=\"tns:ArrayOfInt1\"",
    ),
    (
        "ArrayOfArrayOfInt2",
        "name=\"ArrayOfInt2\" nillable=\"true\" type=\"tns:ArrayOfInt2\"",
    ),
    (
        "ArrayOfArrayOfInt11",
        "name=\"n\" nillable=\"true\" type=\"tns:ArrayOfInt1\"",
    ),
    (
        "ArrayOfArrayOfInt3",
        "name=\"row\" nillable=\"true\" type=\"tns:ArrayOfInt3\"",
    ),
    ("ArrayOfInt3", "name=\"cell\" type=\"s:int\""),
    (
        "ArrayOfArrayOfInt31",
        "name=\"ArrayOfInt3\" nillable=\"true\" type=\"tns:ArrayOfInt3\"",
    ),
    (
        "ArrayOfArrayOfString",
        "name=\"ArrayOfString\" nillable=\"true\" type=\"tns:ArrayOfString\"",
    ),
    (
        "ArrayOfString",
        "name=\"string\" nillable=\"true\" type=\"s:string\"",
    ),
    (
        "ArrayOfArrayOfPT",
        "name=\"ArrayOfPT\" nillable=\"true\" type=\"tns:ArrayOfPT\"",
    ),
    ("ArrayOfPT", "name=\"Pt\" nillable=\"true\" type=\"tns:Pt\""),
    ("ArrayOfXmlElement", "name=\"XmlElement\" nillable=\"true\""),
];

#[tokio::test]
async fn the_wsdl_names_the_types_as_the_original_does() {
    let request = http::Request::get("/Jagged.asmx?wsdl").header("host", "localhost");
    let wsdl = text_of(request.body(Bytes::new()).unwrap()).await;
    let document = roxmltree::Document::parse(&wsdl).unwrap();
    let named = |tag: &str| {
        let nodes = document
            .descendants()
            .filter(|node| {
                node.parent_element()
                    .is_some_and(|parent| parent.tag_name().name() == "schema")
            })
            .filter(|node| node.has_tag_name(("http://www.w3.org/2001/XMLSchema", tag)));
        nodes
            .filter_map(|node| Some((node.attribute("name")?, &wsdl[node.range()])))
            .collect::<Vec<_>>()
    };
    let arrays: Vec<_> = named("complexType")
        .into_iter()
        .filter(|(name, _)| name.starts_with("ArrayOf"))
        .collect();
    assert_eq!(arrays.len(), TYPES.len());
    for ((name, text), (expected, item)) in arrays.into_iter().zip(TYPES) {
        assert_eq!(name, expected);
        let item = format!("<s:element minOccurs=\"0\" maxOccurs=\"unbounded\" {item}");
        assert!(text.contains(&item), "{item}: {text}");
        assert!(!text.contains("mixed"), "{text}");
    }
    // The names of root elements are those of the types here; on the wire, they have other numbers.
    let roots: Vec<_> = named("element")
        .into_iter()
        .map(|(name, _)| name)
        .filter(|name| name.starts_with("ArrayOf"))
        .collect();
    let roots: Vec<_> = roots
        .into_iter()
        .filter(|name| {
            wsdl.contains(&format!(
                "<wsdl:part name=\"Body\" element=\"tns:{name}\" />"
            ))
        })
        .collect();
    assert_eq!(
        roots,
        [
            "ArrayOfInt1",
            "ArrayOfInt2",
            "ArrayOfArrayOfInt1",
            "ArrayOfArrayOfInt2",
            "ArrayOfArrayOfPT",
            "ArrayOfXmlElement"
        ]
    );
}

#[tokio::test]
async fn samples_show_the_names_of_each_binding() {
    let request = http::Request::get("/Jagged.asmx?op=NilJag").header("host", "localhost");
    let page = text_of(request.body(Bytes::new()).unwrap()).await;
    for (name, count) in [
        ("ArrayOfInt2", 4),
        ("ArrayOfInt1", 4),
        ("ArrayOfArrayOfInt1", 2),
    ] {
        assert_eq!(
            page.matches(&format!("&lt;{name}")).count(),
            count,
            "{name}"
        );
    }
}
