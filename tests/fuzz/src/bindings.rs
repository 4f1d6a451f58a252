//! Any bytes through each binding: an orderly answer, and never success for a message that is not
//! well-formed.

use std::sync::LazyLock;

use bytes::Bytes;
use http::{Request, Response};
use svcgen::Router;
use svcgen_tests::{echo, fixture};

use super::source::now;

const AUTHENTICATOR: &str = "/SvcDotNet/Authenticator.asmx";
const DEVICE_LOGIN: &str = "/SvcDotNet/Mobile/Services/DeviceLoginService.asmx";
const LIBRARY: &str = "/Library.asmx";

/// Services, and operations for the paths of forms; SOAP messages name their operations themselves.
const TARGETS: [(&str, &str); 11] = [
    (AUTHENTICATOR, "Login"),
    (DEVICE_LOGIN, "Login"),
    (AUTHENTICATOR, "ClientAuthWithResult"),
    (DEVICE_LOGIN, "LoginWithEncryptedPassword"),
    (AUTHENTICATOR, "Nope"),
    (DEVICE_LOGIN, "EmailPassword"),
    (LIBRARY, "EchoUses"),
    (LIBRARY, "Lines"),
    (LIBRARY, "EchoStates"),
    (LIBRARY, "EchoDate"),
    (LIBRARY, "EchoDecimal"),
];

static ROUTER: LazyLock<Router> = LazyLock::new(|| fixture::router().with_service(echo::server()));

/// Returns the answer of the fixture, whose handlers never wait.
pub fn answer(request: Request<Bytes>) -> Response<Bytes> {
    now(ROUTER.answer(request))
}

/// Checks an input whose first byte selects the service, the operation and the binding; the rest is
/// the message.
pub fn check(input: &[u8]) {
    let Some((&choice, message)) = input.split_first() else {
        return;
    };
    let (path, operation) = TARGETS[usize::from(choice & 0xf) % TARGETS.len()];
    let Some(request) = request(choice >> 4, path, operation, message) else {
        return;
    };
    let soap = !request.uri().path().ends_with(operation);
    let response = answer(request);
    check_answer(&response);
    if soap && response.status() == 200 {
        let well_formed = std::str::from_utf8(message).map_or(true, |text| {
            roxmltree::Document::parse(text.trim_start_matches('\u{feff}')).is_ok()
        });
        assert!(
            well_formed,
            "served: {:?}",
            String::from_utf8_lossy(message)
        );
    }
}

/// Returns calls over each binding: its number, a path and an operation. SOAP messages name their
/// operations themselves.
pub(crate) fn calls() -> impl Iterator<Item = (u8, &'static str, &'static str)> {
    let paths = [AUTHENTICATOR, DEVICE_LOGIN, LIBRARY].into_iter();
    let over_soap = paths.flat_map(|path| [(0, path, ""), (1, path, "")]);
    let forms = TARGETS.into_iter().step_by(3);
    let forms = forms.flat_map(|(path, operation)| [(4, path, operation), (5, path, operation)]);
    over_soap.chain(forms)
}

pub(crate) fn request(
    binding: u8,
    path: &str,
    operation: &str,
    message: &[u8],
) -> Option<Request<Bytes>> {
    let request = match binding % 6 {
        0 => Request::post(path).header("Content-Type", "text/xml; charset=utf-8"),
        1 => Request::post(path).header("Content-Type", "application/soap+xml; charset=utf-8"),
        2 => Request::post(path).header("Content-Type", "text/xml"),
        3 => Request::post(path).header("Content-Type", "text/xml; charset=utf-16"),
        4 => Request::post(format!("{path}/{operation}"))
            .header("Content-Type", "application/x-www-form-urlencoded"),
        _ => {
            let query = std::str::from_utf8(message).ok()?;
            return Request::get(format!("{path}/{operation}?{query}"))
                .body(Bytes::new())
                .ok();
        }
    };
    request.body(Bytes::copy_from_slice(message)).ok()
}

/// Fails unless the answer has a known status and a body of its media type, for any request. A
/// panic, even one that the server catches, ends the process: libFuzzer's hook aborts it.
pub fn check_answer(response: &Response<Bytes>) {
    assert!(
        matches!(
            response.status().as_u16(),
            200 | 202 | 400 | 404 | 405 | 413 | 414 | 415 | 500
        ),
        "{}",
        response.status()
    );
    let body = std::str::from_utf8(response.body()).expect("an answer in UTF-8");
    let media_type = response
        .headers()
        .get("Content-Type")
        .map_or("", |value| value.to_str().expect("a plain header"));
    if media_type.contains("xml") {
        assert!(roxmltree::Document::parse(body).is_ok(), "{body}");
    } else if !body.is_empty() {
        assert_eq!(media_type, "text/plain; charset=utf-8", "{body}");
    }
}
