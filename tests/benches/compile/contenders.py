"""The same operations and types in three notations, each made into the source of a crate."""

from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[3]


def definition(size):
    """So many operations, with as many types, each of which may hold the one of half its number."""
    operations = "".join(
        f"  Do{n}: {{ parameters: {{ id: int, name: string?, record: Record{n} }}, result: Record{n} }}\n" for n in range(size)
    )
    types = "".join(
        f"  Record{n}: {{ elements: {{ Id: int, Name: string?, Amount: double, Active: boolean, "
        f'Tags: "string[]", Inner: Record{n // 2}? }} }}\n'
        for n in range(size)
    )
    return (
        "service: Scale\nnamespace: urn:example:scale\npath: /Scale.asmx\nbindings: [soap11, soap12]\n"
        f"operations:\n{operations}types:\n{types}"
    )


def proto(size):
    """The same for protoc."""
    operations = "".join(f"  rpc Do{n}(Do{n}Request) returns (Record{n});\n" for n in range(size))
    messages = "".join(
        f"message Do{n}Request {{ int32 id = 1; optional string name = 2; Record{n} record = 3; }}\n"
        f"message Record{n} {{ int32 id = 1; optional string name = 2; double amount = 3; bool active = 4; "
        f"repeated string tags = 5; Record{n // 2} inner = 6; }}\n"
        for n in range(size)
    )
    return f'syntax = "proto3";\npackage scale;\nservice Scale {{\n{operations}}}\n{messages}'


def handler(size):
    """A handler for our code that answers with the record of each request, and what calls it."""
    methods = "".join(
        f"    async fn do{n}(&self, _: &svcgen::Context, request: Do{n}Request) -> Result<Record{n}, svcgen::Fault> {{\n"
        "        Ok(request.record)\n    }\n"
        for n in range(size)
    )
    return (
        f"pub struct Echo;\nimpl ScaleHandler for Echo {{\n{methods}}}\n"
        "type Answer<'a> = std::pin::Pin<Box<dyn Future<Output = Result<svcgen::codegen::Reply, svcgen::codegen::Failure>> + Send + 'a>>;\n"
        "pub fn answer<'a>(handler: &'a Echo, operation: usize, call: svcgen::codegen::Call<'a>) -> Answer<'a> {\n"
        "    Box::pin(<ScaleService as svcgen::codegen::DispatchTo<Echo>>::call(handler, operation, call))\n}\n"
    )


def tonic_handler(size):
    """The same for tonic."""
    methods = "".join(
        f"    async fn do{n}(&self, request: tonic::Request<Do{n}Request>) -> Result<tonic::Response<Record{n}>, tonic::Status> {{\n"
        "        Ok(tonic::Response::new(request.into_inner().record.unwrap_or_default()))\n    }\n"
        for n in range(size)
    )
    return (
        f"pub struct Echo;\n#[tonic::async_trait]\nimpl scale_server::Scale for Echo {{\n{methods}}}\n"
        "type Message = tonic::codegen::http::Request<tonic::body::Body>;\n"
        "type Answer = tonic::codegen::http::Response<tonic::body::Body>;\n"
        "type Answering = tonic::codegen::BoxFuture<Answer, std::convert::Infallible>;\n"
        "pub fn answer(mut server: scale_server::ScaleServer<Echo>, message: Message) -> Answering {\n"
        "    tonic::codegen::Service::call(&mut server, message)\n}\n"
    )


def serde(size):
    """The same by hand, for quick-xml: each operation with a function that reads and writes its request and its answer."""
    derived = "#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]\n"
    items = "".join(
        f'{derived}#[serde(rename_all = "PascalCase")]\npub struct Record{n} {{\n'
        "    pub id: i32,\n    pub name: Option<String>,\n    pub amount: f64,\n    pub active: bool,\n    pub tags: Tags,\n"
        f"    pub inner: Option<Box<Record{n // 2}>>,\n}}\n"
        f"{derived}pub struct Do{n} {{\n    pub id: i32,\n    pub name: Option<String>,\n    pub record: Record{n},\n}}\n"
        f"pub fn do{n}(text: &str) -> Result<(String, String), Box<dyn std::error::Error>> {{\n"
        f"    let request: Do{n} = quick_xml::de::from_str(text)?;\n"
        f"    let answer: Record{n} = quick_xml::de::from_str(text)?;\n"
        "    Ok((quick_xml::se::to_string(&request)?, quick_xml::se::to_string(&answer)?))\n}\n"
        for n in range(size)
    )
    return (
        f"use serde::{{Deserialize, Serialize}};\n{derived}"
        f"pub struct Tags {{\n    #[serde(default)]\n    pub string: Vec<String>,\n}}\n{items}"
    )


def runtime(*features):
    """Our runtime with these features alone."""
    wanted = ", ".join(f'"{feature}"' for feature in features)
    return f'svcgen = {{ path = "{REPOSITORY}/crates/svcgen", default-features = false, features = [{wanted}] }}'


TONIC_CODE = 'tonic = { version = "=0.14.9", default-features = false, features = ["codegen"] }\ntonic-prost = "=0.14.9"\nprost = "=0.14.4"'
TONIC = 'tonic = "=0.14.9"\ntonic-prost = "=0.14.9"\nprost = "=0.14.4"'
TONIC_BUILD = 'protox = "=0.10.0"\ntonic-prost-build = "=0.14.9"'
QUICK_XML = 'serde = { version = "=1.0.229", features = ["derive"] }\nquick-xml = { version = "=0.42.0", features = ["serialize"] }'
