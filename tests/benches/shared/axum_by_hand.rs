//! `Login` served with axum, as one would write it by hand with quick-xml and serde: requests are
//! checked, refused with a fault, and kept as owned values.

use std::sync::Arc;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{FromRequest, RawQuery, Request, State};
use axum::response::Response;
use axum::routing::{get, post};
use axum::serve::ListenerExt;
use http::header::{CACHE_CONTROL, CONTENT_TYPE, X_CONTENT_TYPE_OPTIONS};
use http::{HeaderValue, StatusCode};
use quick_xml::escape::partial_escape;
use svcgen_tests::device_login_service::DeviceLoginResponse;
use tokio::net::TcpListener;

use crate::login_by_hand::{Login, Refusal, from_form, from_json, from_soap};
use crate::{record_by_hand, record_in_json};

const XML: &str = "text/xml; charset=utf-8";
const TEXT: &str = "text/plain; charset=utf-8";
const JSON: &str = "application/json; charset=utf-8";

type Record = Arc<DeviceLoginResponse>;

pub async fn serve(listener: TcpListener, record: DeviceLoginResponse) {
    const PATH: &str = "/SvcDotNet/Mobile/Services/DeviceLoginService.asmx";
    let router = Router::new()
        .route(PATH, post(over_soap))
        .route(&format!("{PATH}/Login"), get(over_get).post(over_post))
        .with_state(Arc::new(record));
    let listener = listener.tap_io(|stream| stream.set_nodelay(true).expect("a connection"));
    axum::serve(listener, router).await.expect("a server");
}

async fn over_soap(State(record): State<Record>, request: Request) -> Response {
    if !has_media_type(&request, "text/xml") {
        return unsupported();
    }
    match body_of(request).await.and_then(|body| from_soap(&body)) {
        Ok(login) => {
            let record = answer_to(login, record);
            answer(
                StatusCode::OK,
                XML,
                record_by_hand::envelope(&record, escape),
            )
        }
        Err(refusal) => {
            let fault = record_by_hand::fault("Client", &refusal, escape);
            answer(StatusCode::INTERNAL_SERVER_ERROR, XML, fault)
        }
    }
}

async fn over_get(State(record): State<Record>, RawQuery(query): RawQuery) -> Response {
    to_form(from_form(query.unwrap_or_default().as_bytes()), record)
}

/// A form or JSON.
async fn over_post(State(record): State<Record>, request: Request) -> Response {
    if has_media_type(&request, "application/x-www-form-urlencoded") {
        let login = body_of(request).await.and_then(|body| from_form(&body));
        return to_form(login, record);
    }
    if !has_media_type(&request, "application/json") {
        return unsupported();
    }
    match body_of(request).await.and_then(|body| from_json(&body)) {
        Ok(login) => {
            let record = answer_to(login, record);
            answer(StatusCode::OK, JSON, record_in_json::answer(&record))
        }
        Err(refusal) => {
            let message = serde_json::json!({ "Message": refusal });
            answer(StatusCode::INTERNAL_SERVER_ERROR, JSON, message.to_string())
        }
    }
}

fn to_form(login: Result<Login, Refusal>, record: Record) -> Response {
    match login {
        Ok(login) => {
            let record = answer_to(login, record);
            answer(
                StatusCode::OK,
                XML,
                record_by_hand::document(&record, escape),
            )
        }
        Err(refusal) => answer(StatusCode::INTERNAL_SERVER_ERROR, TEXT, refusal),
    }
}

/// What the handler of all benches does. The optimiser may not leave out what nobody looks at.
fn answer_to(login: Login, record: Record) -> Record {
    std::hint::black_box(&login);
    record
}

fn has_media_type(request: &Request, media_type: &str) -> bool {
    let value = request.headers().get(CONTENT_TYPE);
    let value = value.and_then(|value| value.to_str().ok()).unwrap_or("");
    let found = value.split(';').next().unwrap_or("").trim();
    found.eq_ignore_ascii_case(media_type)
}

async fn body_of(request: Request) -> Result<Bytes, Refusal> {
    let body = Bytes::from_request(request, &()).await;
    body.map_err(|rejection| rejection.body_text())
}

fn escape(value: &str, text: &mut String) {
    text.push_str(&partial_escape(value));
}

fn unsupported() -> Response {
    let text = "The media type is not supported.".to_owned();
    answer(StatusCode::UNSUPPORTED_MEDIA_TYPE, TEXT, text)
}

fn answer(status: StatusCode, media_type: &'static str, body: impl Into<Body>) -> Response {
    let mut response = Response::new(body.into());
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(
        CACHE_CONTROL,
        HeaderValue::from_static("private, max-age=0"),
    );
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(media_type));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    response
}
