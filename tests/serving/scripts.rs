//! Script proxies over HTTP.

use bytes::Bytes;
use http::{Request, Response};
use svcgen::Documents;
use svcgen_tests::{fixture, pages};

async fn asked(method: &str, path: &str, headers: &[(&str, &str)]) -> Response<Bytes> {
    let request = headers.iter();
    let request = request.fold(
        Request::builder().method(method).uri(path),
        |request, (name, value)| request.header(*name, *value),
    );
    let request = request.body(Bytes::new()).unwrap();
    pages::server().answer(request).await
}

fn text(response: &Response<Bytes>) -> &str {
    str::from_utf8(response.body()).unwrap()
}

#[tokio::test]
async fn any_verb_and_content_type_gets_one() {
    let json = ("Content-Type", "application/json");
    let form = ("Content-Type", "application/x-www-form-urlencoded");
    for (method, name, headers) in [
        ("GET", "js", &[][..]),
        ("GET", "JS", &[json]),
        ("POST", "Js", &[json]),
        ("POST", "js", &[form]),
        ("PUT", "js", &[]),
    ] {
        let response = asked(method, &format!("/Staff.asmx/{name}"), headers).await;
        assert_eq!(response.status(), 200, "{method} {name} {headers:?}");
        let content_type = "application/x-javascript; charset=utf-8";
        assert_eq!(response.headers()["content-type"], content_type);
        assert_eq!(response.headers()["cache-control"], "public");
        assert!(
            text(&response).starts_with(
                "Type.registerNamespace('Lab.Web');\r\nLab.Web.Staff=function() {\r\n"
            )
        );
        let class = "Lab.Web.Manager=gtc(\"boss\");\r\nLab.Web.Manager.registerClass('Lab.Web.Manager');\r\n";
        assert!(text(&response).contains(class));
    }
    let response = asked("HEAD", "/Staff.asmx/js", &[]).await;
    assert_eq!((response.status().as_u16(), text(&response)), (200, ""));
}

#[tokio::test]
async fn its_path_is_the_one_that_was_asked_for() {
    let response = asked("GET", "/sTAFF.asmx/js", &[]).await;
    let script = text(&response);
    assert!(
        script.contains(".set_path(\"/sTAFF.asmx\");\r\n"),
        "{script}"
    );
    let documents = Documents::new()
        .with_public_url("https://example.com/v1")
        .unwrap();
    let request = Request::get("/Staff.asmx/js").body(Bytes::new()).unwrap();
    let response = pages::server()
        .with_documents(documents)
        .answer(request)
        .await;
    assert!(text(&response).contains(".set_path(\"/v1/Staff.asmx\");\r\n"));
}

#[tokio::test]
async fn a_browser_that_has_it_keeps_it() {
    let response = asked("GET", "/Staff.asmx/js", &[]).await;
    let headers = response.headers();
    let date = |name: &str| {
        let date: httpdate::HttpDate = headers[name].to_str().unwrap().parse().unwrap();
        std::time::SystemTime::from(date)
    };
    let year = date("last-modified")
        .duration_since(date("expires"))
        .unwrap();
    assert_eq!(year.as_secs(), 365 * 24 * 60 * 60);
    let known = headers["last-modified"].to_str().unwrap();
    let response = asked("GET", "/Staff.asmx/js", &[("If-Modified-Since", known)]).await;
    assert_eq!((response.status().as_u16(), text(&response)), (304, ""));
    for older in [headers["expires"].to_str().unwrap(), "yesterday"] {
        let response = asked("GET", "/Staff.asmx/js", &[("If-Modified-Since", older)]).await;
        assert_eq!(response.status(), 200, "{older}");
    }
}

#[tokio::test]
async fn one_with_comments_is_not_kept() {
    let response = asked("GET", "/Staff.asmx/jsDebug", &[]).await;
    assert_eq!(response.headers()["cache-control"], "private");
    assert!(!response.headers().contains_key("last-modified"));
    assert!(
        text(&response).contains("/// <param name=\"a\" type=\"Number\">System.Int32</param>\r\n")
    );
}

#[tokio::test]
async fn there_is_none_without_documents_or_the_binding() {
    let get = |path: &str| Request::get(path).body(Bytes::new()).unwrap();
    let staff = pages::server().with_documents(Documents::off());
    let response = staff.answer(get("/Staff.asmx/js")).await;
    assert!(!response.status().is_success());
    let path = "/SvcDotNet/Authenticator.asmx/js";
    let response = fixture::authenticator_server().answer(get(path)).await;
    assert_eq!(response.status(), 500);
    assert!(text(&response).contains("js"));
}
