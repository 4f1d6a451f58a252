//! Authentication over sockets: the challenges of a server, the users that it accepts, and the
//! state that it keeps for a connection.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use http::request::Parts;
use svcgen::authentication::{Authenticate, Authentication, Basic, Login, Verdict};
use svcgen::layer::{CallRequest, CallService};
use svcgen::{Binding, Context, Fault, HttpTransport, Router, Secret, User};
use svcgen_tests::raw_http::{Answer, Running};
use svcgen_tests::work::WorkClient;
use tower::layer::layer_fn;
use tower::{Service, service_fn};

use crate::http2::{Caller, serving};
use crate::worker::{
    NotifyRequest, ReadRequest, StoreRequest, WorkHandler, WorkServer, Worker, call, call_over,
    head,
};

const IIS: &str = "You do not have permission to view this directory or page.";

/// Returns the user and the text.
struct Told;

impl WorkHandler for Told {
    async fn store(&self, context: &Context, request: StoreRequest) -> Result<String, Fault> {
        let user = context.user().unwrap_or("nobody");
        Ok(format!("{user}: {}", request.text))
    }

    async fn read(&self, _: &Context, request: ReadRequest) -> Result<String, Fault> {
        Ok(request.text)
    }

    async fn notify(&self, _: &Context, _: NotifyRequest) -> Result<(), Fault> {
        Ok(())
    }
}

fn basic() -> Basic {
    Basic::new("Work", |login: &Login| {
        login.matches((login.user() == "ann").then_some("s3cret"))
    })
}

/// A handshake of three legs like that of NTLM: `1`, then the nonce and the name. Each handshake
/// has its own nonce.
#[derive(Default)]
struct Legs(AtomicUsize);

impl Authenticate for Legs {
    const SCHEME: &'static str = "Legs";
    const IS_FOR_CONNECTION: bool = true;
    type Handshake = Option<usize>;

    async fn authenticate(
        &self,
        credentials: &str,
        nonce: &mut Option<usize>,
        _: &Parts,
    ) -> Result<Verdict, Fault> {
        // Like a handshake on another thread, this is not ready at once.
        tokio::task::yield_now().await;
        match (credentials, nonce.take()) {
            ("1", None) => {
                let next = self.0.fetch_add(1, Ordering::Relaxed);
                *nonce = Some(next);
                Ok(Verdict::Challenged(format!("n{next}")))
            }
            ("broken", _) => Err(Fault::exception("The directory is away.")),
            ("two lines", _) => Ok(Verdict::Challenged("a\nb".to_owned())),
            (_, Some(nonce)) => {
                let user = credentials.strip_prefix(&format!("n{nonce}-"));
                Ok(user.map_or(Verdict::Refused, |user| Verdict::Admitted {
                    user: User::new(user),
                    token: Some("mutual".to_owned()),
                }))
            }
            _ => Ok(Verdict::Refused),
        }
    }
}

fn server(authentication: Authentication) -> WorkServer<Told> {
    WorkServer::new(Told).with_authentication(authentication)
}

fn both() -> Authentication {
    Authentication::new(Legs::default()).or(basic())
}

/// Returns the request with further headers.
fn with(request: Vec<u8>, headers: &str) -> Vec<u8> {
    let request = String::from_utf8(request).unwrap();
    let (head, body) = request.split_once("\r\n\r\n").unwrap();
    format!("{head}\r\n{headers}\r\n\r\n{body}").into_bytes()
}

fn as_user(user: &str, password: &str) -> String {
    let both = STANDARD.encode(format!("{user}:{password}"));
    format!("Authorization: Basic {both}")
}

fn store(headers: &str) -> Vec<u8> {
    let request = call("Store", "hello");
    if headers.is_empty() {
        return request;
    }
    with(request, headers)
}

fn challenges(answer: &Answer) -> Vec<&str> {
    let headers = answer.headers.iter();
    let named = headers.filter(|(name, _)| name == "Www-Authenticate");
    named.map(|(_, value)| &**value).collect()
}

const BASIC: &str = "Basic realm=\"Work\", charset=\"UTF-8\"";

#[test]
fn users_of_basic_are_known_over_every_binding() {
    let server = running!(server(Authentication::new(basic())));
    for binding in Binding::ALL {
        let request = call_over(binding, "Store", "hello");
        let refused = server.exchange(&request);
        assert_eq!((refused.status, refused.text()), (401, IIS), "{binding}");
        assert_eq!(challenges(&refused), [BASIC]);
        assert_eq!(refused.header("Content-Type"), Some("text/html"));
        let admitted = server.exchange(&with(request, &as_user("ann", "s3cret")));
        assert_eq!(admitted.status, 200, "{binding}");
        assert!(admitted.text().contains("ann: hello"), "{binding}");
        assert_eq!(challenges(&admitted), [""; 0]);
        assert_eq!(admitted.header("Persistent-Auth"), None);
    }
}

#[test]
fn what_is_no_right_login_is_refused_and_the_connection_stays() {
    let server = running!(server(Authentication::new(basic())));
    let mut connection = server.connect();
    let right = as_user("ann", "s3cret");
    for headers in [
        String::new(),
        as_user("ann", "s3cret "),
        as_user("bob", "s3cret"),
        as_user("", ""),
        "Authorization: Basic".to_owned(),
        "Authorization: Basic %%%".to_owned(),
        "Authorization: \u{e9}".to_owned(),
        "Authorization: Negotiate YII=".to_owned(),
        format!("{right}\r\n{}", as_user("bob", "x")),
        format!("{right}\r\n{right}"),
    ] {
        connection.send(&store(&headers)).unwrap();
        let answer = connection.answer().unwrap();
        assert_eq!(answer.status, 401, "{headers}");
        assert_eq!(challenges(&answer), [BASIC], "{headers}");
    }
    let lower = right.replace("Basic", "bAsIc ");
    for headers in [&right, &lower] {
        connection.send(&store(headers)).unwrap();
        assert_eq!(connection.answer().unwrap().status, 200, "{headers}");
    }
    connection.send(&store("")).unwrap();
    let answer = connection.answer().unwrap();
    assert_eq!(
        answer.status, 401,
        "users of Basic are those of one request"
    );
}

/// Performs the three legs on a connection.
fn identify(connection: &mut svcgen_tests::raw_http::Connection, user: &str) -> Answer {
    connection.send(&store("")).unwrap();
    let asked = connection.answer().unwrap();
    assert_eq!(asked.status, 401);
    assert_eq!(challenges(&asked), ["Legs", BASIC]);
    connection.send(&store("Authorization: Legs 1")).unwrap();
    let challenged = connection.answer().unwrap();
    assert_eq!((challenged.status, challenged.text()), (401, IIS));
    let [challenge] = *challenges(&challenged) else {
        panic!("{challenged:?}");
    };
    let nonce = challenge.strip_prefix("Legs ").unwrap();
    let last = format!("Authorization: legs {nonce}-{user}");
    connection.send(&store(&last)).unwrap();
    connection.answer().unwrap()
}

#[test]
fn a_handshake_identifies_one_connection() {
    let server = running!(server(both()));
    let [mut ann, mut bob, mut other] = [(); 3].map(|()| server.connect());
    for (connection, user) in [(&mut ann, "ann"), (&mut bob, "bob")] {
        let answer = identify(connection, user);
        assert!(answer.text().contains(&format!("{user}: hello")));
        assert_eq!(challenges(&answer), ["Legs mutual"]);
        assert_eq!(answer.header("Persistent-Auth"), Some("true"));
    }
    for _ in 0..2 {
        for (connection, user) in [(&mut ann, "ann"), (&mut bob, "bob")] {
            connection.send(&store("")).unwrap();
            let answer = connection.answer().unwrap();
            assert!(answer.text().contains(&format!("{user}: hello")));
        }
    }
    // A nonce of another connection.
    other.send(&store("Authorization: Legs n0-ann")).unwrap();
    assert_eq!(other.answer().unwrap().status, 401);
    other.send(&store("")).unwrap();
    assert_eq!(other.answer().unwrap().status, 401);
    // New credentials replace the known user, valid or not.
    ann.send(&store("Authorization: Legs wrong")).unwrap();
    assert_eq!(ann.answer().unwrap().status, 401);
    ann.send(&store("")).unwrap();
    assert_eq!(ann.answer().unwrap().status, 401);
}

#[test]
fn a_request_between_the_legs_ends_a_handshake() {
    let server = running!(server(both()));
    for between in [String::new(), as_user("ann", "s3cret"), as_user("ann", "x")] {
        let mut connection = server.connect();
        connection.send(&store("Authorization: Legs 1")).unwrap();
        let challenged = connection.answer().unwrap();
        let nonce = challenges(&challenged)[0].replace("Legs ", "");
        connection.send(&store(&between)).unwrap();
        connection.answer().unwrap();
        let last = format!("Authorization: Legs {nonce}-ann");
        connection.send(&store(&last)).unwrap();
        let answer = connection.answer().unwrap();
        assert_eq!(answer.status, 401, "{between}");
    }
}

#[test]
fn a_connection_of_a_proxy_has_no_user() {
    let server = running!(server(both()));
    let mut connection = server.connect();
    connection
        .send(&store("Via: 1.1 proxy\r\nAuthorization: Legs 1"))
        .unwrap();
    let challenged = connection.answer().unwrap();
    let nonce = challenges(&challenged)[0].replace("Legs ", "");
    let last = format!("Via: 1.1 proxy\r\nAuthorization: Legs {nonce}-ann");
    connection.send(&store(&last)).unwrap();
    let answer = connection.answer().unwrap();
    assert!(answer.text().contains("ann: hello"));
    assert_eq!(answer.header("Persistent-Auth"), Some("false"));
    connection.send(&store("Via: 1.1 proxy")).unwrap();
    assert_eq!(connection.answer().unwrap().status, 401);
}

#[test]
fn a_refused_body_is_not_held_and_one_that_waits_is_not_asked_for() {
    let server = running!(server(both()).with_limits(svcgen::Limits::default().with_body(1000)));
    let length = 3000;
    let long = |headers: &str| with(head("Store", length).into_bytes(), headers);
    let mut connection = server.connect();
    connection.send(&long("Expect: 100-continue")).unwrap();
    let answer = connection.answer().unwrap();
    assert_eq!((answer.status, answer.interim), (401, vec![]));
    // A body that is sent anyway is discarded.
    let mut connection = server.connect();
    for _ in 0..2 {
        let mut request = long("X: y");
        request.extend(vec![b' '; length]);
        connection.send(&request).unwrap();
        assert_eq!(connection.answer().unwrap().status, 401);
    }
    // Between the legs of a handshake it is read, because the connection must stay open.
    let mut request = store("Expect: 100-continue\r\nAuthorization: Legs 1");
    let body = request.split_off(
        String::from_utf8(request.clone())
            .unwrap()
            .find("<s:")
            .unwrap(),
    );
    connection.send(&request).unwrap();
    connection.send(&body).unwrap();
    let challenged = connection.answer().unwrap();
    assert_eq!(
        (challenged.status, challenged.header("Connection")),
        (401, None)
    );
    let nonce = challenges(&challenged)[0].replace("Legs ", "");
    connection
        .send(&store(&format!("Authorization: Legs {nonce}-ann")))
        .unwrap();
    assert_eq!(connection.answer().unwrap().status, 200);
}

#[test]
fn what_cannot_be_decided_is_said_and_forgotten() {
    let server = running!(server(both()));
    let mut connection = server.connect();
    for (token, expected) in [
        ("broken", "The directory is away.\n"),
        ("two lines", "The token of Legs cannot stand in a header.\n"),
    ] {
        connection
            .send(&store(&format!("Authorization: Legs {token}")))
            .unwrap();
        let answer = connection.answer().unwrap();
        assert_eq!((answer.status, answer.text()), (500, expected));
    }
    assert_eq!(identify(&mut connection, "ann").status, 200);
}

const GET_WSDL: &[u8] = b"GET /Work.asmx?wsdl HTTP/1.1\r\nHost: h\r\n\r\n";

#[test]
fn callers_without_credentials_pass_where_that_is_open() {
    let status = |server: &Running, request: &[u8]| server.exchange(request).status;
    let ping = call_over(Binding::HttpGet, "Read", "x");
    let closed = running!(server(Authentication::new(basic())));
    for request in [
        GET_WSDL,
        &ping,
        b"GET /Work.asmx/None HTTP/1.1\r\nHost: h\r\n\r\n",
    ] {
        assert_eq!(status(&closed, request), 401);
    }
    let documents = running!(server(
        Authentication::new(basic()).with_open_documents(true)
    ));
    assert_eq!(
        [status(&documents, GET_WSDL), status(&documents, &ping)],
        [200, 401]
    );
    let wrong = with(GET_WSDL.to_vec(), &as_user("ann", "wrong"));
    assert_eq!(status(&documents, &wrong), 401);
    let open = Authentication::new(basic())
        .with_open_requests(|parts: &Parts| parts.uri.path() == "/Work.asmx/Read");
    let open = running!(server(open));
    assert_eq!([status(&open, GET_WSDL), status(&open, &ping)], [401, 200]);
    let optional = running!(server(both().with_optional(true)));
    let answer = optional.exchange(&store(""));
    assert!(answer.text().contains("nobody: hello"));
    let answer = optional.exchange(&store(&as_user("ann", "s3cret")));
    assert!(answer.text().contains("ann: hello"));
    let mut connection = optional.connect();
    connection.send(&store(&as_user("ann", "wrong"))).unwrap();
    let answer = connection.answer().unwrap();
    assert_eq!(challenges(&answer), ["Legs", BASIC]);
}

#[test]
fn a_router_asks_for_services_that_ask_for_nothing() {
    let own = Basic::new("Own", |login: &Login| login.matches(Some("own")));
    let own = WorkServer::new(Told)
        .with_paths(["/Own.asmx"])
        .unwrap()
        .with_authentication(Authentication::new(own).or(Legs::default()));
    for router in [
        Router::new()
            .with_authentication(both())
            .with_service(WorkServer::new(Told))
            .with_service(own.clone()),
        Router::new()
            .with_service(WorkServer::new(Told))
            .with_service(own)
            .with_authentication(both()),
    ] {
        let server = running!(router);
        let to_own = |headers: &str| {
            let request = String::from_utf8(store(headers)).unwrap();
            request.replace("/Work.asmx", "/Own.asmx").into_bytes()
        };
        let own = "Basic realm=\"Own\", charset=\"UTF-8\"";
        assert_eq!(challenges(&server.exchange(&to_own(""))), [own, "Legs"]);
        assert_eq!(
            server.exchange(&to_own(&as_user("ann", "s3cret"))).status,
            401
        );
        assert_eq!(server.exchange(&to_own(&as_user("ann", "own"))).status, 200);
        for path in ["/", "/none"] {
            let request = format!("GET {path} HTTP/1.1\r\nHost: h\r\n\r\n").into_bytes();
            assert_eq!(challenges(&server.exchange(&request)), ["Legs", BASIC]);
        }
        // The user of one service is not known to the other.
        let mut connection = server.connect();
        assert_eq!(identify(&mut connection, "ann").status, 200);
        connection.send(&to_own("")).unwrap();
        assert_eq!(connection.answer().unwrap().status, 401);
    }
}

#[test]
fn layers_see_the_user_and_refusals() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let layer = {
        let seen = Arc::clone(&seen);
        layer_fn(move |inner: CallService| {
            let seen = Arc::clone(&seen);
            service_fn(move |request: CallRequest| {
                let (seen, mut inner) = (Arc::clone(&seen), inner.clone());
                async move {
                    let user = request.extensions().get::<User>();
                    let user = user.map(|user| user.name().to_owned());
                    let answer = inner.call(request).await?;
                    let line = (user, answer.outcome().to_string(), answer.status().as_u16());
                    seen.lock().unwrap().push(line);
                    Ok::<_, std::convert::Infallible>(answer)
                }
            })
        })
    };
    let server = running!(server(Authentication::new(basic())).with_layer(layer));
    server.exchange(&store(""));
    server.exchange(&store(&as_user("ann", "s3cret")));
    assert_eq!(
        *seen.lock().unwrap(),
        [
            (None, "refused".to_owned(), 401),
            (Some("ann".to_owned()), "answered".to_owned(), 200)
        ]
    );
}

/// The client's side of the same handshake.
struct Client(&'static str);

impl svcgen::http_transport::Handshake for Client {
    fn answer(
        &mut self,
        challenges: &[&str],
    ) -> Result<Option<Secret<String>>, Box<dyn std::error::Error + Send + Sync>> {
        let legs = challenges.iter().find_map(|text| text.strip_prefix("Legs"));
        Ok(legs.map(|nonce| match nonce.trim() {
            "" => "Legs 1".into(),
            nonce => format!("Legs {nonce}-{}", self.0).into(),
        }))
    }
}

#[tokio::test]
async fn clients_of_this_crate_log_in() {
    let server = running!(server(both()));
    let url = format!("http://{}", server.address);
    let request = svcgen_tests::work::StoreRequest {
        text: "hello".to_owned(),
    };
    let handshake = HttpTransport::new().with_handshake(|_| Client("eve"));
    let basic = HttpTransport::new()
        .with_basic_auth("ann", "s3cret")
        .unwrap();
    for (transport, expected) in [(handshake, "eve: hello"), (basic, "ann: hello")] {
        let client = WorkClient::new(transport, &url).unwrap();
        for _ in 0..3 {
            assert_eq!(client.store(&request).await.unwrap(), expected);
        }
    }
    let nobody = WorkClient::new(HttpTransport::new(), &url).unwrap();
    let error = nobody.store(&request).await.unwrap_err();
    assert!(error.to_string().contains("401"), "{error}");
}

#[tokio::test]
async fn over_http2_a_login_of_connections_sends_clients_to_http1() {
    let send = async |authentication| {
        let server = serving(server(authentication), |serve| serve);
        let caller = Caller::new(&server).await;
        caller.send(&store("Authorization: Legs 1")).await
    };
    let answer = send(both()).await.unwrap();
    assert_eq!(answer.status(), 401);
    assert_eq!(answer.headers()["WWW-Authenticate"], BASIC);
    let error = send(Authentication::new(Legs::default()))
        .await
        .unwrap_err();
    assert!(
        format!("{error:?}").contains("HTTP_1_1_REQUIRED"),
        "{error:?}"
    );
}

#[tokio::test]
async fn in_other_servers_only_schemes_of_requests_are_offered() {
    let request = |authorization: &str| {
        let request = http::Request::get("/Work.asmx/Store?text=x").header("Host", "h");
        let request = request.header("Authorization", authorization);
        request.body(svcgen::bytes::Bytes::new()).unwrap()
    };
    let answer = server(both()).answer(request("Legs 1")).await;
    let challenges: Vec<_> = answer
        .headers()
        .get_all("WWW-Authenticate")
        .iter()
        .collect();
    assert_eq!(challenges, [BASIC]);
    let answer = server(Authentication::new(Legs::default()))
        .answer(request("Legs 1"))
        .await;
    assert_eq!(answer.status(), 500);
    assert!(
        answer
            .body()
            .starts_with(b"This service asks who calls on a connection over HTTP/1.1")
    );
}

#[tokio::test(start_paused = true)]
async fn a_decision_has_the_time_of_a_call() {
    struct Slow;
    impl svcgen::authentication::VerifyLogin for Slow {
        async fn verify(&self, _: &Login) -> Result<bool, Fault> {
            std::future::pending().await
        }
    }
    let server = WorkServer::new(Worker::new())
        .with_authentication(Authentication::new(Basic::new("x", Slow)));
    let request = http::Request::get("/Work.asmx/Store?text=x").header("Host", "h");
    let request = request.header("Authorization", "Basic YTpi");
    let request = request.body(svcgen::bytes::Bytes::new()).unwrap();
    let begun = tokio::time::Instant::now();
    let answer = server.answer(request).await;
    assert_eq!(
        (answer.status(), &**answer.body()),
        (
            http::StatusCode::INTERNAL_SERVER_ERROR,
            &b"Request timed out.\n"[..]
        )
    );
    assert_eq!(begun.elapsed().as_secs(), 110);
}
