//! SOAP encoding, and literal messages in rpc style.

mod clients;
mod headers;
mod hostile;
mod reading;
mod repeated;

use http::Request;
use svcgen::types::Object;
use svcgen::{Context, Fault, Router};
use svcgen_tests::lab::{Departure, replay};
use svcgen_tests::raw_http::Running;

use super::original_wsdl;
use crate::shapes::wait;

svcgen::include_service!("wide_encoded");
svcgen::include_service!("wide_rpc");
use wide_encoded::{WideEncodedHandler, WideEncodedServer};
use wide_rpc::*;

type Result<T> = std::result::Result<T, Fault>;

/// The operations of `GRpc`.
struct Rpc;

fn point(x: i32) -> AnyPt {
    AnyPt::Pt(Pt { x, y: 0 })
}

fn leaf(name: &str) -> Tree {
    Tree {
        name: Some(name.to_owned()),
        ..Tree::default()
    }
}

fn tree() -> Tree {
    Tree {
        at: Some("x".to_owned()),
        left: Some(Box::new(leaf("shared"))),
        right: Some(Box::new(leaf("shared"))),
        tags: Some(vec![Some("a".to_owned()), None]),
        any: Some(Object::Int(5)),
        b: Some(vec![1]),
        e: Num::Five,
        renamed: Some("o".to_owned()),
        ..leaf("root")
    }
}

fn show(point: &Option<AnyPt>) -> String {
    match point {
        None => "null".to_owned(),
        Some(AnyPt::Pt(point)) => format!("Pt{}", point.x),
        Some(AnyPt::Pt3(point)) => format!("Pt3{}", point.x),
    }
}

impl WideRpcHandler for Rpc {
    async fn sum(&self, _: &Context, request: SumRequest) -> Result<i32> {
        Ok(request.a.wrapping_add(request.b))
    }

    async fn text(&self, _: &Context, request: TextRequest) -> Result<Option<String>> {
        let text = request.s.map(|text| format!("[{text}]"));
        Ok(Some(text.unwrap_or("null".to_owned())))
    }

    async fn null_text(&self, _: &Context) -> Result<Option<String>> {
        Ok(None)
    }

    async fn echo_pt(&self, _: &Context, request: EchoPtRequest) -> Result<Option<AnyPt>> {
        Ok(request.p)
    }

    async fn echo_pts(
        &self,
        _: &Context,
        request: EchoPtsRequest,
    ) -> Result<Option<Vec<Option<AnyPt>>>> {
        Ok(request.p)
    }

    async fn show_pts(&self, _: &Context, request: ShowPtsRequest) -> Result<Option<String>> {
        let shown = request.p.map(|points| {
            let shown: Vec<_> = points.iter().map(show).collect();
            format!("{}:{}", points.len(), shown.join(","))
        });
        Ok(Some(shown.unwrap_or("null".to_owned())))
    }

    async fn echo_texts(
        &self,
        _: &Context,
        request: EchoTextsRequest,
    ) -> Result<Option<Vec<Option<String>>>> {
        Ok(request.s)
    }

    async fn show_texts(&self, _: &Context, request: ShowTextsRequest) -> Result<Option<String>> {
        let shown = request.s.map(|texts| {
            let texts = texts.into_iter();
            let texts = texts.map(|text| text.unwrap_or("NULL".to_owned()));
            texts.collect::<Vec<_>>().join("|")
        });
        Ok(Some(shown.unwrap_or("null".to_owned())))
    }

    async fn echo_tree(&self, _: &Context, request: EchoTreeRequest) -> Result<Option<Tree>> {
        Ok(request.t)
    }

    async fn get_tree(&self, _: &Context) -> Result<Option<Tree>> {
        Ok(Some(tree()))
    }

    async fn get_loop(&self, _: &Context) -> Result<Option<Tree>> {
        Ok(Some(leaf("loop")))
    }

    async fn out_ref(&self, _: &Context, request: OutRefRequest) -> Result<OutRefResponse> {
        Ok(OutRefResponse {
            out_ref_result: Some("r".to_owned()),
            b: Some(format!("{}!", request.b.unwrap_or_default())),
            c: Some(point(request.a)),
        })
    }

    async fn nothing(&self, _: &Context) -> Result<()> {
        Ok(())
    }

    async fn echo_object(
        &self,
        _: &Context,
        request: EchoObjectRequest,
    ) -> Result<Option<Object<AnyObject>>> {
        Ok(request.o)
    }

    async fn get_derived(&self, _: &Context) -> Result<Option<AnyPt>> {
        Ok(Some(AnyPt::Pt3(Pt3 { x: 1, y: 0, z: 3 })))
    }

    async fn echo_jag(
        &self,
        _: &Context,
        request: EchoJagRequest,
    ) -> Result<Option<Vec<Option<Vec<i32>>>>> {
        Ok(request.v)
    }

    async fn echo_date(
        &self,
        _: &Context,
        request: EchoDateRequest,
    ) -> Result<svcgen::types::DateTime> {
        Ok(request.d)
    }

    async fn echo_num(&self, _: &Context, request: EchoNumRequest) -> Result<Num> {
        Ok(request.n)
    }

    async fn throw(&self, _: &Context) -> Result<Option<String>> {
        Err(Fault::exception("boom"))
    }

    async fn fire(&self, _: &Context, _: FireRequest) -> Result<()> {
        Ok(())
    }

    async fn renamed(&self, _: &Context, request: RenamedRequest) -> Result<Option<String>> {
        Ok(request.s)
    }

    async fn lit_pt(&self, _: &Context, request: LitPtRequest) -> Result<Option<AnyPt>> {
        Ok(request.p)
    }

    async fn doc_enc(&self, _: &Context, request: DocEncRequest) -> Result<Option<AnyPt>> {
        Ok(request.p)
    }
}

/// The operations of `GEnc`.
struct Encoded;

impl WideEncodedHandler for Encoded {
    async fn rpc_enc(
        &self,
        _: &Context,
        request: wide_encoded::RpcEncRequest,
    ) -> Result<Option<wide_encoded::Pt>> {
        Ok(request.p)
    }

    async fn rpc_lit(
        &self,
        _: &Context,
        request: wide_encoded::RpcLitRequest,
    ) -> Result<Option<wide_encoded::Pt>> {
        Ok(request.p)
    }

    async fn rpc_lit_out(
        &self,
        _: &Context,
        request: wide_encoded::RpcLitOutRequest,
    ) -> Result<wide_encoded::RpcLitOutResponse> {
        Ok(wide_encoded::RpcLitOutResponse {
            rpc_lit_out_result: (request.a != 0).then(|| "r".to_owned()),
            b: None,
        })
    }

    async fn doc_enc(
        &self,
        _: &Context,
        request: wide_encoded::DocEncRequest,
    ) -> Result<Option<wide_encoded::Pt>> {
        Ok(request.p)
    }

    async fn doc_lit(
        &self,
        _: &Context,
        request: wide_encoded::DocLitRequest,
    ) -> Result<Option<wide_encoded::Pt>> {
        Ok(request.p)
    }
}

fn running() -> Running {
    let services = Router::new().with_service(WideRpcServer::new(Rpc));
    let services = services.with_service(WideEncodedServer::new(Encoded));
    Running::of(services)
}

const TREES: &str = "values are trees, so that each use of an object is one of its own";

#[test]
fn messages_are_answered_as_recorded() {
    let shared = |name| Departure {
        name,
        why: TREES,
        status: 200,
        holds: &["<Left href=\"#id2\" /><Right href=\"#id3\" />"],
    };
    replay(
        &running(),
        &["rpc", "rpc-client"],
        &[
            shared("rpc/tree-in"),
            shared("rpc/tree-out"),
            shared("rpc-client/dotnet-tree"),
            shared("rpc-client/php-tree-shared"),
            Departure {
                name: "rpc/pts-same",
                why: TREES,
                status: 200,
                holds: &[">2:Pt1,Pt1</ShowPtsResult>"],
            },
            Departure {
                name: "rpc/pt-soap12",
                why: "`href` is read in SOAP 1.2, too, which the original ignores",
                status: 200,
                holds: &["<X xsi:type=\"xsd:int\">1</X>"],
            },
            Departure {
                name: "rpc-client/php-tree-shared-soap12",
                why: "the reference that PHP writes in SOAP 1.2 is read",
                status: 200,
                holds: &[
                    "<Right soapenc:id=\"id3\" xsi:type=\"types:Tree\"><Name xsi:type=\"xsd:string\">leaf</Name>",
                ],
            },
            Departure {
                name: "rpc-client/soaplite-default-namespace",
                why: "parameters in the namespace of the operation are read, which the original ignores",
                status: 200,
                holds: &["<SumResult xsi:type=\"xsd:int\">3</SumResult>"],
            },
        ],
    );
}

/// The end of the type `Pt` in WSDLs.
const POINT: &str = r#"          <s:element minOccurs="1" maxOccurs="1" name="Y" type="s:int" />
        </s:sequence>
      </s:complexType>
"#;

/// Returns the type that extends `Pt` in WSDLs, whose namespace has this prefix.
fn derived_point(prefix: &str) -> String {
    format!(
        r#"      <s:complexType name="Pt3">
        <s:complexContent mixed="false">
          <s:extension base="{prefix}:Pt">
            <s:sequence>
              <s:element minOccurs="1" maxOccurs="1" name="Z" type="s:int" />
            </s:sequence>
          </s:extension>
        </s:complexContent>
      </s:complexType>
"#
    )
}

/// Checks that the WSDL of a definition is the recorded one with some replaced pieces.
#[track_caller]
fn document_is_recorded(definition: &str, recorded: &str, replaced: &[(&str, &str)]) {
    let written = original_wsdl(definition, false);
    let mut expected = recorded.to_owned();
    for (piece, ours) in replaced {
        assert!(expected.contains(piece), "{piece}");
        expected = expected.replace(piece, ours);
    }
    for (line, (ours, original)) in written.lines().zip(expected.lines()).enumerate() {
        assert_eq!(ours, original, "line {}", line + 1);
    }
    assert_eq!(written, expected);
}

#[test]
fn documents_are_as_recorded() {
    // In the original, elements of a class have other names in literal messages, and the type that
    // is only included for encoded messages is not in a literal message.
    let tree = [
        r#"          <s:element minOccurs="0" maxOccurs="1" name="Other" type="s:string" />
          <s:element minOccurs="0" maxOccurs="1" name="Hidden" type="s:string" />
          <s:element minOccurs="0" maxOccurs="1" name="at" type="s:string" />
          <s:element minOccurs="1" maxOccurs="1" name="D" type="s:dateTime" />
        </s:sequence>
"#,
        r#"          <s:element minOccurs="0" maxOccurs="1" name="renamed" type="s:string" />
          <s:element minOccurs="1" maxOccurs="1" name="D" type="s:dateTime" />
        </s:sequence>
        <s:attribute name="at" type="s:string" />
"#,
    ];
    let with_derived = format!("{POINT}{}", derived_point("s1"));
    let forms = r#"xmlns:s2="http://lab.example/g/rpc/AbstractTypes" "#;
    let before = r#"xmlns:http="http://schemas.xmlsoap.org/wsdl/http/" "#;
    document_is_recorded(
        "rpc",
        include_str!("../../recorded/lab/wsdl/GRpc.wsdl"),
        &[
            (tree[0], tree[1]),
            (POINT, &with_derived),
            // .NET does not sort prefixes.
            (forms, ""),
            (before, &format!("{forms}{before}")),
        ],
    );
    let get = r#"  <wsdl:binding name="GEncHttpGet" type="tns:GEncHttpGet">
    <http:binding verb="GET" />
  </wsdl:binding>
  <wsdl:binding name="GEncHttpPost" type="tns:GEncHttpPost">
    <http:binding verb="POST" />
  </wsdl:binding>
"#;
    let ports = r#"    <wsdl:port name="GEncHttpGet" binding="tns:GEncHttpGet">
      <http:address location="http://localhost/GEnc.asmx" />
    </wsdl:port>
    <wsdl:port name="GEncHttpPost" binding="tns:GEncHttpPost">
      <http:address location="http://localhost/GEnc.asmx" />
    </wsdl:port>
"#;
    let types =
        "  <wsdl:portType name=\"GEncHttpGet\" />\n  <wsdl:portType name=\"GEncHttpPost\" />\n";
    // Ports without operations are omitted.
    document_is_recorded(
        "encoded",
        include_str!("../../recorded/lab/wsdl/GEnc.wsdl"),
        &[(get, ""), (ports, ""), (types, "")],
    );
}

/// Returns a SOAP 1.1 message with this content of the Body.
fn message(body: &str) -> String {
    format!(
        r#"<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:tns="http://lab.example/g/rpc" xmlns:soapenc="http://schemas.xmlsoap.org/soap/encoding/"><soap:Body>{body}</soap:Body></soap:Envelope>"#
    )
}

/// Sends a message over SOAP 1.1. Returns the status and the body of the answer.
fn post(action: &str, body: &str) -> (u16, String) {
    let request = Request::post("/GRpc.asmx")
        .header("content-type", "text/xml; charset=utf-8")
        .header(
            "soapaction",
            format!("\"http://lab.example/g/rpc/{action}\""),
        )
        .body(message(body).into())
        .unwrap();
    let response = wait(WideRpcServer::new(Rpc).answer(request));
    let body = String::from_utf8(response.body().to_vec()).unwrap();
    (response.status().as_u16(), body)
}

/// Checks that a message is refused with this text.
#[track_caller]
fn refused(action: &str, body: &str, text: &str) {
    let (status, answer) = post(action, body);
    assert!(status >= 400 && answer.contains(text), "{status} {answer}");
}

/// Checks that the answer to a message contains this piece.
#[track_caller]
fn answered(action: &str, body: &str, piece: &str) {
    let (status, answer) = post(action, body);
    assert!(status == 200 && answer.contains(piece), "{status} {answer}");
}
