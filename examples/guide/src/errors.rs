//! A handler whose work fails.

// ANCHOR: errors
use std::path::PathBuf;

use svcgen::{Context, Fault};
use tokio::task::spawn_blocking;

use crate::basket::{AddRequest, BasketHandler};

/// A shop with a report in a file, which sells articles by their numbers.
#[derive(Debug)]
pub struct Archive(pub PathBuf);

impl BasketHandler for Archive {
    /// The caller gets the fault; the log gets the cause as well.
    async fn add(&self, _: &Context, request: AddRequest) -> Result<i32, Fault> {
        let article = request.article.unwrap_or_default();
        article.parse().map_err(|error| {
            Fault::client(format!("There is no article {article}.")).with_cause(error)
        })
    }

    /// The caller only learns that there was an error; the log has the error.
    async fn report(&self, _: &Context) -> Result<Option<String>, Fault> {
        let file = self.0.clone();
        let report = spawn_blocking(|| std::fs::read_to_string(file)).await??;
        Ok(Some(report))
    }
}
// ANCHOR_END: errors

#[cfg(test)]
mod tests {
    use svcgen::{Binding, CallError, FaultCode, HttpTransport};
    use tokio::net::TcpListener;

    use super::*;
    use crate::basket::{BasketClient, BasketServer};

    #[tokio::test]
    async fn callers_are_told_what_is_meant_for_them() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let shop = BasketServer::new(Archive("/no/such/file".into()));
        tokio::spawn(async { svcgen::serve(listener, shop).await });
        let client = BasketClient::new(HttpTransport::new(), &url).unwrap();
        let told = |error: &CallError| error.fault().unwrap().text().to_owned();
        for binding in Binding::DEFAULT {
            let client = client.clone().with_binding(binding);
            let error = client.report().await.unwrap_err();
            let sentence = if binding.is_soap() {
                "Server was unable to process request. ---> "
            } else {
                ""
            };
            let expected = format!("{sentence}There was an error processing the request.");
            assert_eq!(told(&error), expected, "{binding}");
            let request = AddRequest {
                article: Some("pot".to_owned()),
            };
            let error = client.add(&request).await.unwrap_err();
            assert_eq!(told(&error), "There is no article pot.", "{binding}");
            if binding.is_soap() {
                assert_eq!(*error.fault().unwrap().code(), FaultCode::Client);
            }
        }
    }

    #[test]
    fn without_a_log_the_standard_error_stream_has_the_causes() {
        let test = "errors::tests::callers_are_told_what_is_meant_for_them";
        let output = std::process::Command::new(std::env::current_exe().unwrap())
            .args([test, "--exact", "--nocapture"])
            .output()
            .unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        let error = std::fs::read_to_string("/no/such/file").unwrap_err();
        for line in [
            format!("Report failed: There was an error processing the request. Cause: {error}"),
            "Add failed: There is no article pot. Cause: invalid digit found in string".to_owned(),
        ] {
            let line = format!("svcgen: Basket/{line}");
            let calls = Binding::DEFAULT.into_iter().count();
            assert_eq!(told.matches(&line).count(), calls, "{told}");
        }
    }

    #[tokio::test]
    async fn the_log_has_the_cause() {
        let shop = Archive("/no/such/file".into());
        let context = Context::for_test(&crate::basket::MODULE, "Report");
        let fault = shop.report(&context).await.unwrap_err();
        let cause = fault.cause().unwrap();
        let error = cause.downcast_ref::<std::io::Error>().unwrap();
        assert_eq!(error.kind(), std::io::ErrorKind::NotFound);
    }
}
