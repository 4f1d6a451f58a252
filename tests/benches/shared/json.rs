//! The answer of `Login` in JSON, with our client and with the same types for serde.

use bytes::Bytes;
use http::{Request, Response};
use serde::{Deserialize, Serialize};
use svcgen::codegen::model::{
    Bindings, ComplexType, Element as Row, Module, Service, SimpleType, TypeRef, complex_type,
    element,
};
use svcgen::codegen::{Client, Complex, Content, Element, Fields, Value};
use svcgen::{Binding, CallError, Limits, ReadError};
use svcgen_tests::device_login_service as ours;

/// A client of the service over JSON, which the definition does not offer. It also sends the
/// record.
pub struct Json(Client<()>);

impl Json {
    pub fn new() -> Self {
        let service = ours::MODULE.service.expect("a service");
        let mut operations = service.operations.to_vec();
        for operation in &mut operations {
            let text = TypeRef::Simple(SimpleType::String);
            let record = operation.result.map_or(text, |result| result.type_ref);
            let parameters: &[Row<'_>] = Box::leak(Box::new([element("record", record)]));
            operation.parameters = complex_type("Login", parameters).message();
            operation.bindings = Bindings::SCRIPT;
        }
        let service = Service {
            operations: operations.leak(),
            ..service
        };
        let module = Module {
            service: Some(service),
            ..ours::MODULE
        };
        let module: &'static Module<'static> = Box::leak(Box::new(module));
        let client = Client::new(module, (), "http://localhost/S.asmx");
        let client = client.expect("a URL").with_binding(Binding::Json);
        Self(client.with_limits(Limits::default().with_json_length(usize::MAX)))
    }

    pub fn read(&self, response: &Response<Bytes>) -> ours::DeviceLoginResponse {
        self.read_as(response).expect("a response")
    }

    pub fn read_as<R: Value + Default>(&self, response: &Response<Bytes>) -> Result<R, CallError> {
        self.0.answer(0, response).read()
    }

    pub fn write(&self, record: &Record) -> Bytes {
        let request = self.0.request(0, &(), record);
        request.expect("a request").into_body()
    }
}

/// Returns a response with this body.
pub fn response(text: String) -> Response<Bytes> {
    let response = Response::builder().header("Content-Type", "application/json; charset=utf-8");
    response.body(Bytes::from(text)).expect("a response")
}

/// Returns a request with a value that serde writes.
pub fn request(value: &impl Serialize) -> Request<Bytes> {
    let body = serde_json::to_vec(value).expect("JSON");
    let request = Request::post("http://localhost/S.asmx/Login")
        .header("Content-Type", "application/json; charset=utf-8");
    request.body(Bytes::from(body)).expect("a request")
}

/// The record as a parameter.
#[derive(Default)]
pub struct Record(pub ours::DeviceLoginResponse);

impl Complex for Record {
    const TYPE: &'static ComplexType<'static> = &ComplexType::EMPTY;
}

impl Fields for Record {
    fn read_element(&mut self, _: usize, _: &mut Element<'_>) -> Result<(), ReadError> {
        Ok(())
    }

    fn write_elements(&self, out: &mut Content<'_>) {
        out.element("record", &self.0);
    }
}

/// An answer as serde reads it.
#[derive(Debug, Deserialize, Serialize)]
pub struct Answered<R> {
    pub d: R,
}

/// A request as serde writes it.
#[derive(Debug, Serialize)]
pub struct Sent<'r> {
    pub record: &'r DeviceLoginResponse,
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "PascalCase")]
pub struct DeviceLoginResponse {
    login_error_code: i32,
    login_error_message: Option<String>,
    encrypted_password: Option<Vec<u8>>,
    real_time_info: Option<RealTimeInfo>,
    entry_point_url: Option<String>,
    base_url: Option<String>,
    quotes_data_vendor_id: i32,
    user_id: i64,
    client_support_phone: Option<String>,
    mobile_support_email: Option<String>,
    additional_info: Option<AdditionalInfo>,
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "PascalCase")]
struct RealTimeInfo {
    real_time_host: Option<String>,
    real_time_port: i32,
    real_time_auth_host: Option<String>,
    real_time_auth_port: i32,
    real_time_protocol: Option<String>,
    real_time_auth_protocol: Option<String>,
    auth_info: Option<AuthInfo>,
    real_time_launch_reason: i32,
    launch_reason_text: Option<String>,
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "PascalCase")]
struct AuthInfo {
    zid: Option<String>,
    azid: Option<String>,
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "PascalCase")]
struct AdditionalInfo {
    max_news_headlines_cap: i32,
    min_news_auto_refresh_time: i32,
    enable_idms_mobile_quotes: bool,
    enable_security_profile_for_idms: bool,
    news_search_source_types: Option<Vec<Option<SourceType>>>,
    capabilities: Option<Vec<i32>>,
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "PascalCase")]
struct SourceType {
    id: i32,
    name: Option<String>,
    checked_by_default: bool,
}
