//! Results that are XML: over HTTP GET and POST they are the whole answer, as in .NET.

use bytes::Bytes;
use http::Request;
use svcgen::transport::transport_fn;
use svcgen::types::XmlFragment;
use svcgen::{Binding, CallError, Context, Fault};

use crate::shapes::samples::hold;

svcgen::include_service!("xml_results");
use xml_results::*;

/// Returns the XML that is requested; without a name, nothing.
#[derive(Clone, Copy)]
struct Echo;

fn xml(markup: &str) -> XmlFragment {
    XmlFragment::parse(markup).unwrap()
}

/// Returns the elements between these separators; `null` means none.
fn elements(markup: &str) -> Vec<Option<XmlFragment>> {
    let all = markup.split('|');
    all.map(|one| (one != "null").then(|| xml(one.replace("string", "<a />").as_str())))
        .collect()
}

impl XmlResultsHandler for Echo {
    async fn node(&self, _: &Context, request: NodeRequest) -> Result<Option<XmlFragment>, Fault> {
        Ok(request.which.map(|which| match &*which {
            // The value in the sample.
            "string" => xml("<a />"),
            markup => xml(markup),
        }))
    }

    async fn always(&self, _: &Context) -> Result<XmlFragment, Fault> {
        Ok(xml("<a>1</a>"))
    }

    async fn both(&self, _: &Context) -> Result<BothResponse, Fault> {
        let both_result = Some(xml("<b />"));
        Ok(BothResponse {
            both_result,
            count: 1,
        })
    }

    async fn nodes(
        &self,
        _: &Context,
        request: NodesRequest,
    ) -> Result<Option<Vec<Option<XmlFragment>>>, Fault> {
        Ok(request.which.map(|which| elements(&which)))
    }

    async fn one(&self, _: &Context, request: OneRequest) -> Result<OneResponse, Fault> {
        let any = request.which.and_then(|which| elements(&which).remove(0));
        Ok(OneResponse { any })
    }

    async fn many(&self, _: &Context, request: ManyRequest) -> Result<ManyResponse, Fault> {
        let any = request.which.map(|which| elements(&which));
        let any = any.into_iter().flatten().flatten().collect();
        Ok(ManyResponse { any })
    }

    async fn hold(&self, _: &Context, request: HoldRequest) -> Result<Option<Holder>, Fault> {
        let all = elements(&request.which.unwrap_or_default());
        Ok(Some(Holder {
            a: Some("a".to_owned()),
            e: all.first().cloned().flatten(),
            rest: all.into_iter().flatten().collect(),
        }))
    }

    async fn text(&self, _: &Context, request: TextRequest) -> Result<Option<Mixed>, Fault> {
        let value = xml(&request.which.unwrap_or_default());
        Ok(Some(Mixed { value }))
    }
}

async fn get(target: &str) -> (u16, String) {
    let request = Request::get(format!("/XmlResults.asmx{target}"));
    let request = request.header("Host", "localhost").body(Bytes::new());
    let server = XmlResultsServer::new(Echo);
    let response = server.answer(request.unwrap()).await;
    let body = String::from_utf8(response.body().to_vec()).unwrap();
    (response.status().as_u16(), body)
}

fn encoded(markup: &str) -> String {
    let bytes = markup.bytes().map(|byte| format!("%{byte:02X}"));
    bytes.collect()
}

/// Results, and the answers of an ASMX service after the XML declaration.
const ANSWERS: [(&str, &str); 9] = [
    ("<q a=\"1\">t<r /></q>", "\n<q a=\"1\">t<r /></q>"),
    (
        "<p:q xmlns:p=\"urn:p\" a=\"1\"><p:r>x</p:r><s xmlns=\"\" /></p:q>",
        "\n<p:q xmlns:p=\"urn:p\" a=\"1\">\n  <p:r>x</p:r>\n  <s xmlns=\"\" />\n</p:q>",
    ),
    (
        "<q xmlns=\"http://lab.example/g\"><r><z /></r></q>",
        "\n<q xmlns=\"http://lab.example/g\">\n  <r>\n    <z />\n  </r>\n</q>",
    ),
    (
        "<q><a><b>1</b></a><c>m<d /></c></q>",
        "\n<q>\n  <a>\n    <b>1</b>\n  </a>\n  <c>m<d /></c>\n</q>",
    ),
    ("<q>\n  <a />\n</q>", "\n<q>\n  <a />\n</q>"),
    (
        "<q>m<d><e><f /></e></d><!--c--><?p i?></q>",
        "\n<q>m<d><e><f /></e></d><!--c--><?p i?></q>",
    ),
    (
        "<q><a />m<b><c /></b><d /></q>",
        "\n<q>\n  <a />m<b><c /></b><d /></q>",
    ),
    (
        "<q><!--c--><?p i?><a><!--d--></a><b><![CDATA[x]]><c /></b><f><h /> </f></q>",
        "\n<q>\n  <!--c-->\n  <?p i?>\n  <a>\n    <!--d-->\n  </a>\n  <b><![CDATA[x]]><c /></b>\n  <f>\n    <h /> </f>\n</q>",
    ),
    ("", ""),
];

const DECLARATION: &str = r#"<?xml version="1.0" encoding="utf-8"?>"#;

#[tokio::test]
async fn documents_are_written_as_by_asmx() {
    for (markup, expected) in ANSWERS {
        let (status, body) = get(&format!("/Node?which={}", encoded(markup))).await;
        let expected = format!("{DECLARATION}{expected}");
        assert_eq!((status, &*body), (200, &*expected), "{markup}");
        // `[return: XmlAnyElement]` has no effect over HTTP GET and POST.
        let one = format!("/One?which={}", encoded(markup));
        if markup.starts_with('<') {
            assert_eq!(get(&one).await, (200, expected.clone()), "{markup}");
        }
        // Indented XML is unchanged.
        let again = expected.strip_prefix(DECLARATION).unwrap();
        let (_, body) = get(&format!("/Node?which={}", encoded(again))).await;
        assert_eq!(body, expected);
    }
    let (_, body) = get("/Node?which=%3C!--c--%3E%3Cq/%3E%3C?p?%3E").await;
    assert_eq!(body, format!("{DECLARATION}\n<!--c-->\n<q />\n<?p?>"));
}

/// XML in other results, as in the answers of an ASMX service after the XML declaration and the
/// start of the root, except the order and the number of declarations.
const INDENTED: [(&str, &str, &str); 9] = [
    (
        "Nodes",
        "<q a=\"1\">t<r /></q>|null|<t> <u /> </t>",
        "\n  <XmlElement>\n    <q xmlns=\"\" a=\"1\">t<r /></q>\n  </XmlElement>\n  <XmlElement xsi:nil=\"true\" />\n  <XmlElement>\n    <t xmlns=\"\"> <u /> </t>\n  </XmlElement>\n</ArrayOfXmlElement>",
    ),
    (
        "Nodes",
        "<q xmlns=\"urn:q\"><r><z>1</z></r><s /></q>|<p:w xmlns:p=\"urn:p\"><p:v><u xmlns=\"\" /></p:v></p:w>",
        "\n  <XmlElement>\n    <q xmlns=\"urn:q\">\n      <r>\n        <z>1</z>\n      </r>\n      <s />\n    </q>\n  </XmlElement>\n  <XmlElement>\n    <p:w xmlns=\"\" xmlns:p=\"urn:p\">\n      <p:v>\n        <u xmlns=\"\" />\n      </p:v>\n    </p:w>\n  </XmlElement>\n</ArrayOfXmlElement>",
    ),
    (
        "Nodes",
        "<q>\n  <a />\n</q>|<b><!--c--><c /></b>",
        "\n  <XmlElement>\n    <q xmlns=\"\">\n  <a />\n</q>\n  </XmlElement>\n  <XmlElement>\n    <b xmlns=\"\">\n      <!--c-->\n      <c />\n    </b>\n  </XmlElement>\n</ArrayOfXmlElement>",
    ),
    (
        "Hold",
        "<q a=\"1\">t<r /></q>",
        "\n  <A>a</A>\n  <E>\n    <q xmlns=\"\" a=\"1\">t<r /></q>\n  </E>\n  <q xmlns=\"\" a=\"1\">t<r /></q>\n</Holder>",
    ),
    (
        "Hold",
        "<q xmlns=\"urn:q\"><r><z>1</z></r><s /></q>",
        "\n  <A>a</A>\n  <E>\n    <q xmlns=\"urn:q\">\n      <r>\n        <z>1</z>\n      </r>\n      <s />\n    </q>\n  </E>\n  <q xmlns=\"urn:q\">\n    <r>\n      <z>1</z>\n    </r>\n    <s />\n  </q>\n</Holder>",
    ),
    (
        "Many",
        "<q><r /></q>|<t />",
        "\n  <XmlElement>\n    <q xmlns=\"\">\n      <r />\n    </q>\n  </XmlElement>\n  <XmlElement>\n    <t xmlns=\"\" />\n  </XmlElement>\n</ArrayOfXmlElement>",
    ),
    (
        "Text",
        "<a><b /></a>",
        "\n  <a xmlns=\"\">\n    <b />\n  </a>\n</Mixed>",
    ),
    (
        "Text",
        "<a><b /></a>t<c><d /></c>",
        "\n  <a xmlns=\"\">\n    <b />\n  </a>t<c xmlns=\"\"><d /></c></Mixed>",
    ),
    ("Text", "", ""),
];

#[tokio::test]
async fn xml_in_other_results_is_indented_as_by_asmx() {
    for (operation, which, expected) in INDENTED {
        let (status, body) = get(&format!("/{operation}?which={}", encoded(which))).await;
        let (_, after) = body.split_once("xmlns=\"http://lab.example/g\"").unwrap();
        let after = after.strip_prefix('>').unwrap_or_default();
        assert_eq!((status, after), (200, expected), "{which}");
    }
}

#[tokio::test]
async fn what_is_no_document_is_refused() {
    for markup in ["text", "<a/>text", "<a/><b/>", "<!--c-->", "<![CDATA[x]]>"] {
        let (status, body) = get(&format!("/Node?which={}", encoded(markup))).await;
        assert_eq!(status, 500, "{markup}");
        let told = "NodeResult&#39; is not one element, which an answer over HTTP GET or POST is.";
        assert!(body.contains(told), "{body}");
    }
}

#[tokio::test]
async fn results_come_back_over_every_binding() {
    for binding in Binding::DEFAULT {
        let transport = XmlResultsServer::new(Echo);
        let client = XmlResultsClient::new(transport, "http://localhost").unwrap();
        let client = client.with_binding(binding);
        for which in ["<a>1</a>", "<p:a xmlns:p=\"urn:p\" b=\"1\" />"] {
            let request = NodeRequest {
                which: Some(which.to_owned()),
            };
            assert_eq!(client.node(&request).await.unwrap(), Some(xml(which)));
        }
        assert_eq!(client.always().await.unwrap(), xml("<a>1</a>"));
        let which = |which: &str| Some(which.to_owned());
        let one = OneRequest {
            which: which("<a b=\"1\"><c /></a>"),
        };
        let one = client.one(&one).await.unwrap().any.unwrap();
        let line_ends = one.as_str().matches('\n').count();
        assert!(one.as_str().contains(" b=\"1\">"), "{one:?}");
        assert_eq!(line_ends, if binding.is_soap() { 0 } else { 2 });
        let many = ManyRequest {
            which: which("<a>1</a>|<p:b xmlns:p=\"urn:p\" />"),
        };
        let many = client.many(&many).await.unwrap().any;
        assert_eq!(many.len(), 2, "{many:?}");
        assert!(many[0].as_str().ends_with(">1</a>") && many[1].as_str().starts_with("<p:b"));
        let none = client.many(&ManyRequest::default()).await.unwrap().any;
        assert!(none.is_empty());
        if binding.is_soap() {
            let both = client.both().await.unwrap();
            assert_eq!((both.both_result, both.count), (Some(xml("<b />")), 1));
        }
    }
    // An answer without a result.
    for binding in [Binding::Soap11, Binding::Soap12] {
        let transport = XmlResultsServer::new(Echo);
        let client = XmlResultsClient::new(transport, "http://localhost").unwrap();
        let client = client.with_binding(binding);
        let none = NodeRequest::default();
        assert_eq!(client.node(&none).await.unwrap(), None);
    }
}

#[tokio::test]
async fn clients_read_documents_of_other_servers() {
    let answers = |body: &'static str| {
        let transport = transport_fn(move |_| async move {
            let response = http::Response::builder().header("Content-Type", "text/xml");
            Ok(response.body(Bytes::from_static(body.as_bytes())).unwrap())
        });
        let client = XmlResultsClient::new(transport, "http://localhost").unwrap();
        client.with_binding(Binding::HttpGet)
    };
    let nil = r#"<q xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:nil="true"/>"#;
    for (body, expected) in [
        (DECLARATION, None),
        ("\u{FEFF}<?xml version=\"1.0\"?>\r\n", None),
        ("", None),
        (
            "<?xml version=\"1.0\"?>\n<!--c--><q> 1 </q>\n",
            Some("<q> 1 </q>"),
        ),
        ("<q/>", Some("<q/>")),
        (nil, Some(nil)),
    ] {
        let client = answers(body);
        let came = client.node(&NodeRequest::default()).await.unwrap();
        assert_eq!(came, expected.map(xml), "{body}");
    }
    let missing = answers(DECLARATION).always().await.unwrap_err();
    assert!(
        matches!(missing, CallError::MissingResult { .. }),
        "{missing}"
    );
    for wrong in ["<q>", "text", "<q/><r/>"] {
        let client = answers(wrong);
        assert!(
            client.node(&NodeRequest::default()).await.is_err(),
            "{wrong}"
        );
    }
}

#[tokio::test]
async fn wsdls_leave_the_element_open() {
    for query in ["?wsdl", "?wsdl=original"] {
        let (_, wsdl) = get(query).await;
        for message in ["NodeHttpGetOut", "NodeHttpPostOut"] {
            let part = r#"<wsdl:part name="Body" />"#;
            let lines = format!("<wsdl:message name=\"{message}\">\n    {part}\n");
            assert!(wsdl.contains(&lines), "{message}");
        }
        assert!(!wsdl.contains("tns:any\""), "{wsdl}");
    }
}

#[test]
fn samples_are_what_goes_over_the_wire() {
    hold("lab/xml_results.yaml", XmlResultsServer::new(Echo), &[]);
}
