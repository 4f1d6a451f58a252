//! Sessions, over every binding.

use std::sync::Arc;

use bytes::Bytes;
use http::header::{COOKIE, SET_COOKIE};
use svcgen::{
    Binding, CallError, Context, Documents, Fault, MemorySessions, SessionStore, Transport,
};
use svcgen_http::Cookies;
use svcgen_tests::lab::{Departure, replay};
use svcgen_tests::raw_http::Running;
use tower::layer::util::Identity;

svcgen::include_service!("g_sessions");
use g_sessions::*;

/// Counters by session.
#[derive(Clone, Default)]
struct Handlers(Arc<MemorySessions>);

impl Handlers {
    async fn count(&self, context: &Context) -> Result<i32, Fault> {
        let session = context.session().unwrap();
        assert_eq!(context.session(), Some(session));
        let count = |state: &mut Option<String>| {
            let before: i32 = state.as_deref().map_or(0, |text| text.parse().unwrap());
            assert!(before == 0 || !session.is_new());
            *state = Some((before + 1).to_string());
            before + 1
        };
        self.0.update(session, count).await
    }
}

impl GSessionsHandler for Handlers {
    async fn counter(&self, context: &Context) -> Result<i32, Fault> {
        self.count(context).await
    }

    async fn restart(&self, context: &Context) -> Result<String, Fault> {
        let old = context.session().unwrap();
        let new = context.new_session().unwrap();
        assert!(new.is_new() && (old.is_new() || old.id() != new.id()));
        assert_eq!(context.session(), Some(new));
        Ok(new.id().to_owned())
    }

    async fn refuse(&self, context: &Context) -> Result<(), Fault> {
        let count = self.count(context).await?;
        Err(Fault::client(format_args!("refused {count}")))
    }

    async fn idle(&self, _: &Context) -> Result<(), Fault> {
        Ok(())
    }

    async fn fire(&self, context: &Context) -> Result<(), Fault> {
        self.count(context).await?;
        Ok(())
    }

    async fn plain(&self, context: &Context) -> Result<bool, Fault> {
        Ok(context.session().is_some() || context.new_session().is_some())
    }
}

#[test]
fn calls_are_answered_as_recorded() {
    let server = Running::of(GSessionsServer::new(Handlers::default()));
    let departure = Departure {
        name: "state/session",
        why: "an id of its own, and the attributes that .NET gives the cookie since 2019",
        status: 200,
        holds: &["<int xmlns=\"http://lab.example/g\">1</int>"],
    };
    replay(&server, &["state/session"], &[departure]);
}

fn server() -> GSessionsServer<Handlers> {
    GSessionsServer::new(Handlers::default())
}

fn client<T: Transport>(transport: T, binding: Binding) -> GSessionsClient<T> {
    let client = GSessionsClient::new(transport, "http://localhost").unwrap();
    client.with_binding(binding)
}

/// Returns the cookie in the answer to a call with another one.
async fn cookie(
    server: &GSessionsServer<Handlers>,
    binding: Binding,
    operation: usize,
    given: Option<&str>,
) -> Option<String> {
    let client = client(server, binding);
    let client: &svcgen::codegen::Client<_> = client.as_ref();
    let mut request = client.request(operation, &(), &()).unwrap();
    if let Some(given) = given {
        let cookie = format!("a=b; {given}");
        let cookie = cookie.try_into().unwrap();
        request.headers_mut().insert(COOKIE, cookie);
    }
    let answer = server.send(request).await.unwrap();
    let cookies = answer.headers().get_all(SET_COOKIE).iter();
    let cookies: Vec<_> = cookies.map(|cookie| cookie.to_str().unwrap()).collect();
    assert!(cookies.len() <= 1, "{cookies:?}");
    cookies.first().map(|cookie| (*cookie).to_owned())
}

const COUNTER: usize = 0;
const RESTART: usize = 1;
const REFUSE: usize = 2;
const IDLE: usize = 3;
const FIRE: usize = 4;
const PLAIN: usize = 5;

#[tokio::test]
async fn the_cookie_is_that_of_dotnet_and_sent_once() {
    // The result is the same with a layer.
    let layered = || server().with_layer(Identity::new());
    for (binding, server) in Binding::ALL
        .into_iter()
        .flat_map(|binding| [(binding, server()), (binding, layered())])
    {
        let cookie =
            async |operation, given: Option<&str>| cookie(&server, binding, operation, given).await;
        for operation in [COUNTER, REFUSE] {
            let set = cookie(operation, None).await;
            if (binding, operation) == (Binding::Json, REFUSE) {
                // Over JSON, an error has none of the headers that the call has set.
                assert_eq!(set, None);
                continue;
            }
            let set = set.unwrap();
            let (pair, rest) = set.split_once(';').unwrap();
            assert_eq!(rest, " path=/; HttpOnly; SameSite=Lax");
            let id = pair.strip_prefix("ASP.NET_SessionId=").unwrap();
            assert_eq!(id.len(), 24);
            let is_of_id = |c: char| c.is_ascii_lowercase() || ('0'..='5').contains(&c);
            assert!(id.chars().all(is_of_id), "{id}");
            for operation in [COUNTER, REFUSE, IDLE, FIRE, PLAIN] {
                assert_eq!(cookie(operation, Some(pair)).await, None);
            }
            let renewed = cookie(RESTART, Some(pair)).await.unwrap();
            assert!(!renewed.starts_with(pair));
        }
        // An id that no server creates counts as no id.
        let other = Some("ASP.NET_SessionId=0123456789ABCDEF01234567");
        assert!(cookie(COUNTER, other).await.is_some());
        for operation in [IDLE, PLAIN] {
            assert_eq!(cookie(operation, None).await, None);
        }
    }
}

#[test]
fn the_cookie_is_for_tls_alone_if_the_caller_speaks_it() {
    let proxy = "127.0.0.1".parse().unwrap();
    let documents = Documents::new().with_trusted_proxies([proxy]);
    let trusting = Running::of(server().with_documents(documents));
    let others = Running::of(server());
    for (server, scheme, is_secure) in [
        (&trusting, "https", true),
        (&trusting, "http", false),
        (&others, "https", false),
    ] {
        let answer = server.exchange(
            format!(
                "GET /GWide.asmx/Counter HTTP/1.1\r\nHost: h\r\nX-Forwarded-Proto: {scheme}\r\n\r\n"
            )
            .as_bytes(),
        );
        let cookie = answer.header("set-cookie").unwrap();
        assert_eq!(cookie.contains("; secure;"), is_secure, "{cookie}");
    }
}

#[tokio::test]
async fn clients_keep_cookies_if_they_are_told_to() {
    for binding in Binding::ALL {
        let server = server();
        let without = client(&server, binding);
        assert_eq!(without.counter().await.unwrap(), 1);
        assert_eq!(without.counter().await.unwrap(), 1);
        let cookies = Cookies::new(&server);
        let one = client(cookies.clone(), binding);
        let other = client(Cookies::new(&server), binding);
        assert_eq!(one.counter().await.unwrap(), 1);
        assert_eq!(one.clone().counter().await.unwrap(), 2);
        assert_eq!(other.counter().await.unwrap(), 1);
        let refused = match one.refuse().await.unwrap_err() {
            CallError::Fault(fault) => fault.text().to_owned(),
            CallError::Status { text, .. } => text,
            error => panic!("{error}"),
        };
        assert!(refused.contains("refused 3"), "{refused}");
        one.fire().await.unwrap();
        assert_eq!(one.counter().await.unwrap(), 5);
        assert_eq!(one.restart().await.unwrap().len(), 24);
        assert_eq!(one.counter().await.unwrap(), 1);
        assert!(!one.plain().await.unwrap());
        cookies.clear();
        assert_eq!(one.counter().await.unwrap(), 1);
    }
}

#[tokio::test]
async fn cookies_stand_behind_those_of_the_request() {
    let server = server();
    let client = client(&server, Binding::HttpGet);
    let client: &svcgen::codegen::Client<_> = client.as_ref();
    let mut request = client.request(COUNTER, &(), &()).unwrap();
    request.headers_mut().insert(COOKIE, "a=b".parse().unwrap());
    let cookies = Cookies::new(svcgen::transport::transport_fn(
        |request: http::Request<Bytes>| {
            let cookies = request.headers().get_all(COOKIE).iter().cloned();
            let cookies: Vec<_> = cookies.collect();
            let mut answer = http::Response::new(Bytes::new());
            answer
                .headers_mut()
                .append(SET_COOKIE, "c=d".parse().unwrap());
            answer.extensions_mut().insert(cookies);
            std::future::ready(Ok(answer))
        },
    ));
    for expected in ["a=b", "a=b; c=d"] {
        let answer = cookies.send(request.clone()).await.unwrap();
        let sent: &Vec<http::HeaderValue> = answer.extensions().get().unwrap();
        assert_eq!(sent, &[expected]);
    }
    assert!(format!("{cookies:?}").contains("kept: 1"));
}
