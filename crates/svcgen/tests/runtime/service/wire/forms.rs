//! HTTP GET and HTTP POST on the server.

use http::Method;

use super::calls::{Answer, PATH, answer, get, post, ready, request};
use super::service::{Server, Shows};

fn assert_error(answer: &Answer, text: &str) {
    assert_eq!((answer.status, answer.body.as_str()), (500, text));
    assert_eq!(answer.header("content-type"), "text/plain; charset=utf-8");
}

const ALICE: &str = concat!(
    "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n",
    r#"<Account xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns="urn:accounts">"#,
    "\n  <Id>3</Id>\n  <Name>Some(\"alice\") Some(6)</Name>\n</Account>"
);

#[test]
fn objects() {
    for fields in [
        "username=alice&password=secret&tries=3",
        "TRIES=+3&PassWord=s%65cret&username=alice&extra=1&flag",
    ] {
        for answer in [
            get(&format!("{PATH}/Login?{fields}")),
            post(&format!("{PATH}/Login"), fields),
        ] {
            assert_eq!(answer.status, 200, "{}", answer.body);
            assert_eq!(answer.body, ALICE);
            assert_eq!(answer.header("content-type"), "text/xml; charset=utf-8");
            assert_eq!(answer.header("cache-control"), "private, max-age=0");
            assert_eq!(answer.header("x-content-type-options"), "nosniff");
            assert_eq!(answer.headers.len(), 4);
        }
    }
}

#[test]
fn crlf_is_an_option() {
    let server = Server::new(Shows).with_options(svcgen::ServerOptions::new().with_crlf(true));
    let target = format!("{PATH}/Login?username=alice&password=secret&tries=3");
    let answer: Answer = ready(server.answer(request(Method::GET, &target, &[], ""))).into();
    assert_eq!(answer.body, ALICE.replace('\n', "\r\n"));
}

#[test]
fn simple_and_absent_results() {
    let echoed = get(&format!("{PATH}/Echo?text=%u00E9%E6%97%A5+%uD83D%uDE00"));
    assert_eq!(
        echoed.body,
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<string xmlns=\"urn:accounts\">é日 😀</string>"
    );
    let nothing = post(&format!("{PATH}/NoOp"), "");
    assert_eq!(
        (
            nothing.status,
            nothing.body.as_str(),
            nothing.headers.get("content-type")
        ),
        (200, "", None)
    );
    assert_eq!(nothing.headers.len(), 2);
    let nil = get(&format!("{PATH}/Count"));
    assert!(nil.body.ends_with(concat!(
        "?>\n<int xmlns:xsd=\"http://www.w3.org/2001/XMLSchema\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" ",
        "xsi:nil=\"true\" xmlns=\"urn:accounts\" />"
    )), "{}", nil.body);
}

#[test]
fn query_and_body_do_not_mix() {
    let target = format!("{PATH}/Echo?text=query");
    assert_error(
        &answer(request(
            Method::GET,
            &format!("{PATH}/Echo"),
            &[],
            "text=body",
        )),
        "Missing parameter: text.\n",
    );
    assert!(post(&target, "text=body").body.contains(">body<"));
    assert_error(&post(&target, ""), "Missing parameter: text.\n");
    assert!(get(&format!("{PATH}/NoOp?")).body.is_empty());
}

#[test]
fn repeated_text_is_joined() {
    assert!(
        get(&format!("{PATH}/Echo?text=a&Text=b"))
            .body
            .contains(">a,b<")
    );
}

#[test]
fn charset_of_a_body() {
    let send = |content_type: &str| {
        let headers = [("content-type", content_type)];
        answer(request(
            Method::POST,
            &format!("{PATH}/Echo"),
            &headers,
            "text=%E9",
        ))
    };
    for content_type in [
        "application/x-www-form-urlencoded; charset=iso-8859-1",
        "Application/X-WWW-Form-URLencoded",
        "application/x-www-form-urlencoded ; charset=none",
    ] {
        assert!(send(content_type).body.contains(">é<"), "{content_type}");
    }
}

#[test]
fn media_type_of_a_body() {
    let send = |operation: &str, headers: &[(&str, &str)]| {
        answer(request(
            Method::POST,
            &format!("{PATH}/{operation}"),
            headers,
            "text=x",
        ))
    };
    assert_error(
        &send("Echo", &[("content-type", "text/xml; charset=utf-8")]),
        "Request format is invalid: text/xml; charset=utf-8.\n",
    );
    assert_error(&send("Echo", &[]), "Request format is invalid: .\n");
    assert_eq!(send("NoOp", &[("content-type", "text/xml")]).status, 200);
}

#[test]
fn wrong_values() {
    let refused = get(&format!("{PATH}/Login?username=alice&password=x&tries=abc"));
    assert_error(
        &refused,
        "Cannot convert abc to System.Int32.\r\nParameter name: type ---> Input string was not in a correct format.\n",
    );
    assert_eq!(refused.header("cache-control"), "private");
    assert_error(
        &get(&format!("{PATH}/Login?username=alice&password=x")),
        "Missing parameter: tries.\n",
    );
}

#[test]
fn unknown_operations() {
    assert_error(
        &get(&format!("{PATH}/Nope?x=1")),
        "Nope Web Service method name is not valid.\n",
    );
    assert_error(
        &get(&format!("{PATH}/%3Cb%3E")),
        "&lt;b&gt; Web Service method name is not valid.\n",
    );
    assert_error(
        &get(&format!("{PATH}/SoapOnly")),
        "SoapOnly Web Service method name is not valid.\n",
    );
    assert_error(
        &get(&format!("{PATH}/Echo/x")),
        "Echo/x Web Service method name is not valid.\n",
    );
    assert_error(
        &get(&format!("{PATH}/login?username=alice")),
        "Invalid method name &#39;login&#39;,  method names are case sensitive.   The method name &#39;Login&#39; with the same name but different casing was found.\nParameter name: methodName\n",
    );
    assert!(get(&format!("{PATH}/%45cho?text=x")).body.contains(">x<"));
}

#[test]
fn handlers_that_fail() {
    let thrown = get(&format!("{PATH}/Login?username=throw&password=&tries=0"));
    assert_error(&thrown, "boom &lt;&amp;&gt; &#233;\n");
    assert_eq!(thrown.header("cache-control"), "private, max-age=0");
    assert_error(
        &get(&format!("{PATH}/Login?username=refuse&password=&tries=0")),
        "locked\n",
    );
    assert_error(
        &get(&format!("{PATH}/Login?username=panic&password=&tries=0")),
        "The handler panicked.\n",
    );
}

#[test]
fn number_of_parameters() {
    let fields = |count: usize| format!("text=x{}", "&a=1".repeat(count - 1));
    assert_eq!(post(&format!("{PATH}/Echo"), &fields(500_000)).status, 200);
    assert_error(
        &post(&format!("{PATH}/Echo"), &fields(500_001)),
        "The form has more than 500000 parameters.\n",
    );
}

#[test]
fn routers_serve_several_paths() {
    let router = svcgen::Router::new().with_service(Server::new(Shows));
    let answer =
        |target: &str| Answer::from(ready(router.answer(request(Method::GET, target, &[], ""))));
    assert!(
        answer("/svc/accounts.asmx/Echo?text=x")
            .body
            .contains(">x<")
    );
    assert_eq!(answer("/svc/others.asmx/Echo?text=x").status, 404);
    assert_eq!(
        format!("{router:?}"),
        r#"{"Accounts": ["/Svc/Accounts.asmx"]}"#
    );
}
