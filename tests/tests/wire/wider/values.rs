//! Simple values: dates and times, and numbers in forms.

use svcgen::types::{DateTime, Zone};
use svcgen::{Context, Fault};
use svcgen_tests::raw_http::Running;
use svcgen_tests::wider::replay;

svcgen::include_service!("g_values");

use g_values::*;

struct Lab;

/// A date and time and its kind, as .NET shows them.
fn shown(value: DateTime) -> String {
    let kind = match value.zone {
        Zone::Unspecified => "Unspecified",
        Zone::Utc => "Utc",
        Zone::Offset(_) => "Local",
    };
    let (date, time) = (value.local.date(), value.local.time());
    let offset = value.zone;
    format!("{date}T{time}.0000000{offset} {kind}")
}

impl GValuesHandler for Lab {
    async fn get_date(&self, _: &Context, request: GetDateRequest) -> Result<DateTime, Fault> {
        let zone = match request.kind.as_deref() {
            Some("Utc") => "Z",
            _ => "",
        };
        let text = format!("2024-02-29T12:34:56{zone}");
        text.parse().map_err(Fault::server)
    }

    async fn show_time(
        &self,
        _: &Context,
        request: ShowTimeRequest,
    ) -> Result<Option<String>, Fault> {
        let first_day = DateTime::default().local.date();
        let time = request.t;
        Ok(Some(shown(DateTime::new(
            first_day.and_time(time.local),
            time.zone,
        ))))
    }

    async fn show_date(
        &self,
        _: &Context,
        request: ShowDateRequest,
    ) -> Result<Option<String>, Fault> {
        Ok(Some(shown(request.d)))
    }

    async fn echo_int(&self, _: &Context, request: EchoIntRequest) -> Result<i32, Fault> {
        Ok(request.v)
    }

    async fn echo_double(&self, _: &Context, request: EchoDoubleRequest) -> Result<f64, Fault> {
        Ok(request.v)
    }
}

#[test]
fn recorded_calls_are_answered_as_recorded() {
    let server = Running::start(|listener, stopped| async {
        let serving = svcgen::serve(listener, GValuesServer::new(Lab));
        let stopped = async {
            let _ = stopped.await;
        };
        serving.with_shutdown(stopped).await
    });
    replay(&server, &["time"], &[]);
}
