//! Services whose namespace ends with a slash, or is a URN.

use svcgen::{Context, Fault};
use svcgen_tests::lab::replay;
use svcgen_tests::raw_http::Running;

svcgen::include_service!("g_tempuri");
svcgen::include_service!("g_urn");

use g_tempuri::{AddRequest, BlobRequest, GTempuriHandler, GTempuriServer, HelloWorldRequest};
use g_urn::{GUrnHandler, GUrnServer, HiRequest};

struct Lab;

impl GTempuriHandler for Lab {
    async fn hello_world(
        &self,
        _: &Context,
        request: HelloWorldRequest,
    ) -> Result<Option<String>, Fault> {
        let count = request.who.map(|who| who.len().to_string());
        Ok(Some(count.unwrap_or_else(|| "null".to_owned())))
    }

    async fn add(&self, _: &Context, request: AddRequest) -> Result<i32, Fault> {
        Ok(request.a.wrapping_add(request.b))
    }

    async fn blob(&self, _: &Context, request: BlobRequest) -> Result<Option<Vec<u8>>, Fault> {
        Ok(request.b)
    }
}

impl GUrnHandler for Lab {
    async fn hi(&self, _: &Context, request: HiRequest) -> Result<Option<String>, Fault> {
        Ok(request.s)
    }
}

#[test]
fn recorded_calls_are_answered_as_recorded() {
    let services = svcgen::Router::new()
        .with_service(GTempuriServer::new(Lab))
        .with_service(GUrnServer::new(Lab));
    let server = Running::of(services);
    replay(&server, &["svc"], &[]);
}
