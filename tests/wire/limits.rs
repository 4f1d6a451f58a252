//! Every field of `Limits` is exact: N is accepted, N + 1 is refused, in every way of reading the
//! document.

use bytes::Bytes;
use svcgen::codegen::{List, Reader, Value};
use svcgen::types::{QName, XmlFragment};
use svcgen::{Limits, ReadErrorKind};
use svcgen_tests::authenticator::LoginRequest;
use svcgen_tests::device_login_service::DeviceLoginResponse;
use svcgen_tests::fixture;

/// The way of reading a document.
#[derive(Debug, Clone, Copy)]
enum Way {
    Skip,
    Request,
    Response,
}

const WAYS: [Way; 3] = [Way::Skip, Way::Request, Way::Response];

fn read(way: Way, document: &str, limits: &Limits) -> Result<(), ReadErrorKind> {
    match way {
        Way::Skip => finish(document, limits, |reader| reader.skip().map(drop)),
        Way::Request => finish(document, limits, value::<LoginRequest>),
        Way::Response => finish(document, limits, value::<DeviceLoginResponse>),
    }
}

fn value<T: Value + Default>(reader: &mut Reader<'_>) -> Result<(), svcgen::ReadError> {
    reader.read(&mut T::default())
}

fn finish(
    document: &str,
    limits: &Limits,
    go: impl Fn(&mut Reader<'_>) -> Result<(), svcgen::ReadError>,
) -> Result<(), ReadErrorKind> {
    let mut reader = Reader::new(document, limits);
    let result = reader
        .root()
        .and_then(|()| go(&mut reader))
        .and_then(|()| reader.finish());
    result.map_err(|error| error.kind())
}

/// Fails unless the document is accepted with this limit and refused with a limit that is one less.
#[track_caller]
fn exact(
    what: &str,
    ways: &[Way],
    document: &str,
    limits: impl Fn(usize) -> Limits,
    needed: usize,
) {
    for &way in ways {
        assert_eq!(
            read(way, document, &limits(needed)),
            Ok(()),
            "{what}, {way:?}: {document}"
        );
        let refused = read(way, document, &limits(needed - 1));
        assert_eq!(
            refused,
            Err(ReadErrorKind::Limit),
            "{what} + 1, {way:?}: {document}"
        );
    }
}

const RESPONSE: &str = "<r><AdditionalInfo><NewsSearchSourceTypes><SearchSourceType><Name>x</Name></SearchSourceType></NewsSearchSourceTypes></AdditionalInfo></r>";

#[test]
fn depth() {
    let limits = |depth| Limits::default().with_depth(depth);
    exact("one level", &WAYS, "<a/>", limits, 1);
    exact("empty child", &WAYS, "<a><b/></a>", limits, 2);
    exact(
        "unknown children",
        &WAYS,
        "<a><b><c><d></d></c></b></a>",
        limits,
        4,
    );
    exact("known children", &WAYS, RESPONSE, limits, 5);
    exact(
        "known children in the tokenizer",
        &WAYS,
        &RESPONSE.replace('>', " >"),
        limits,
        5,
    );
    exact(
        "siblings are no levels",
        &WAYS,
        "<a><b/><b/><b><c/></b></a>",
        limits,
        3,
    );
}

#[test]
fn elements() {
    let limits = |elements| Limits::default().with_elements(elements);
    exact("one", &WAYS, "<a/>", limits, 1);
    exact("siblings", &WAYS, "<a><b/><b></b><c/></a>", limits, 4);
    exact("known", &WAYS, RESPONSE, limits, 5);
    exact(
        "known request",
        &WAYS,
        "<a><username>x</username><password/></a>",
        limits,
        3,
    );
    exact(
        "known twice",
        &WAYS,
        "<a><username>x</username><username>x</username></a>",
        limits,
        3,
    );
    let items: String = (0..10).map(|index| format!("<int>{index}</int>")).collect();
    let list =
        format!("<r><AdditionalInfo><Capabilities>{items}</Capabilities></AdditionalInfo></r>");
    exact("items", &WAYS, &list, limits, 13);
    exact(
        "items in the tokenizer",
        &WAYS,
        &list.replace("<int>", "<int >"),
        limits,
        13,
    );
}

#[test]
fn attributes() {
    let limits = |attributes| Limits::default().with_attributes(attributes);
    exact("attributes", &WAYS, "<a b='' c='' d=''/>", limits, 3);
    exact(
        "declarations count",
        &WAYS,
        "<a b='' xmlns='u' xmlns:p='v'/>",
        limits,
        3,
    );
    exact(
        "of one element",
        &WAYS,
        "<a b=''><c b='' c=''/><d b=''/></a>",
        limits,
        2,
    );
    exact(
        "of a known element",
        &WAYS,
        "<a><username b='' c=''>x</username></a>",
        limits,
        2,
    );
    let many: String = (0..100).map(|index| format!(" a{index}=''")).collect();
    exact("many", &WAYS, &format!("<a{many}/>"), limits, 100);
}

#[test]
fn namespaces() {
    let limits = |namespaces| Limits::default().with_namespaces(namespaces);
    exact(
        "of one element",
        &WAYS,
        "<a xmlns='u' xmlns:p='v'/>",
        limits,
        2,
    );
    exact(
        "in force",
        &WAYS,
        "<a xmlns:p='u'><b xmlns:p='v'><c xmlns:q='w'/></b></a>",
        limits,
        3,
    );
    exact(
        "no longer in force",
        &WAYS,
        "<a xmlns:p='u'><b xmlns:p='v'/><c xmlns:q='w'/></a>",
        limits,
        2,
    );
    exact(
        "of known elements",
        &WAYS,
        "<a><username xmlns:p='v'>x</username><password xmlns:p='v' xmlns:q='w'>x</password></a>",
        limits,
        2,
    );
}

#[test]
fn name() {
    let limits = |name| Limits::default().with_name(name);
    exact("element", &WAYS, "<abcde/>", limits, 5);
    exact(
        "prefix and colon count",
        &WAYS,
        "<ab:cd xmlns:ab='u'/>",
        limits,
        8,
    );
    exact(
        "prefixed",
        &WAYS,
        "<abcdefgh:ijkl xmlns:abcdefgh='u'/>",
        limits,
        14,
    );
    exact("attribute", &WAYS, "<a bcdef=''/>", limits, 5);
    exact("instruction", &WAYS, "<a><?bcdef?></a>", limits, 5);
    exact(
        "known element",
        &WAYS,
        "<a><username>x</username></a>",
        limits,
        8,
    );
    exact(
        "known element with a prefix",
        &WAYS,
        "<p:a xmlns:p='u'><p:username>x</p:username></p:a>",
        limits,
        10,
    );
    exact(
        "bytes, not characters",
        &WAYS,
        "<\u{e9}\u{65e5}/>",
        limits,
        5,
    );
}

#[test]
fn attribute_value() {
    let limits = |bytes| Limits::default().with_attribute_value(bytes);
    exact("quotes", &WAYS, "<a b=\"12345\"/>", limits, 5);
    exact("apostrophes", &WAYS, "<a b='12345'/>", limits, 5);
    exact("as written", &WAYS, "<a b='&#65;'/>", limits, 5);
    exact("namespace name", &WAYS, "<a xmlns:p='12345'/>", limits, 5);
    exact(
        "known element",
        &WAYS,
        "<a><username b='12345'>x</username></a>",
        limits,
        5,
    );
}

#[test]
fn text() {
    let limits = |bytes| Limits::default().with_text(bytes);
    let request = |text: &str| format!("<a><username>{text}</username></a>");
    exact(
        "plain",
        &[Way::Request, Way::Skip],
        &request("12345"),
        limits,
        5,
    );
    exact(
        "section",
        &[Way::Request, Way::Skip],
        &request("<![CDATA[12345]]>"),
        limits,
        5,
    );
    exact("between children", &WAYS, "<a>12345<b/></a>", limits, 5);
    exact(
        "references count as what they mean",
        &[Way::Request],
        &request("1&amp;&#51;4&lt;"),
        limits,
        5,
    );
    exact(
        "pieces add up",
        &[Way::Request],
        &request("1<![CDATA[23]]>&#52;5"),
        limits,
        5,
    );
    exact("unknown element", &WAYS, "<a><b>12345</b></a>", limits, 5);
    exact(
        "tokenizer",
        &[Way::Request],
        "<a><username >12345</username></a>",
        limits,
        5,
    );
}

/// A short prefix can denote a long name, in many values.
#[test]
fn memory_of_values() {
    fn exact<T: Value + Default>(item: &str) {
        let (name, items) = ("u".repeat(60_000), 30);
        let document = format!("<r xmlns:p='{name}'>{}</r>", item.repeat(items));
        let read = |values| {
            let limits = Limits::default().with_values(values);
            finish(&document, &limits, |reader| {
                reader.read(&mut List::<Vec<T>>::of(["i"]))
            })
        };
        // The message counts as 4.
        let names = items * name.len() - Limits::LEAST_VALUES;
        let needed = names / document.len() + 4;
        assert_eq!(read(needed), Err(ReadErrorKind::Limit));
        // The list itself, the memory of a call, and two copies while a fragment is read.
        assert_eq!(read(needed + 8), Ok(()));
    }
    exact::<QName>("<i>p:a</i>");
    exact::<XmlFragment>("<i><p:a/></i>");
}

#[test]
fn processing_instructions() {
    let refused = Limits::default().with_processing_instructions(false);
    for document in [
        "<?x?><a/>",
        "<a><?x y?></a>",
        "<a/><?x?>",
        "<a><b><?x?></b></a>",
    ] {
        for way in WAYS {
            assert_eq!(
                read(way, document, &Limits::default()),
                Ok(()),
                "{document}"
            );
            assert!(
                read(way, document, &refused).is_err(),
                "{way:?}: {document}"
            );
        }
    }
    assert_eq!(
        read(Way::Skip, "<?xml version='1.0'?><a/>", &refused),
        Ok(()),
        "a declaration is no instruction"
    );
}

fn answer(limits: Limits, request: http::request::Builder, body: String) -> u16 {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .expect("a runtime");
    let server = fixture::authenticator_server().with_limits(limits);
    let request = request.body(Bytes::from(body)).expect("a request");
    runtime.block_on(server.answer(request)).status().as_u16()
}

#[test]
fn parameters() {
    const PATH: &str = "/SvcDotNet/Authenticator.asmx/Login";
    let form = |count: usize| {
        let extra: String = (2..count).map(|index| format!("&x{index}=")).collect();
        format!("username=alice&password=secret{extra}")
    };
    for limit in [2, 10, 1_000] {
        let limits = Limits::default().with_parameters(limit);
        for (count, served) in [(limit, true), (limit + 1, false)] {
            let get = answer(
                limits,
                http::Request::get(format!("{PATH}?{}", form(count))),
                String::new(),
            );
            assert_eq!(get == 200, served, "GET, {count} of {limit}: {get}");
            let post = http::Request::post(PATH)
                .header("Content-Type", "application/x-www-form-urlencoded");
            let post = answer(limits, post, form(count));
            assert_eq!(post == 200, served, "POST, {count} of {limit}: {post}");
        }
    }
}

#[test]
fn bytes_of_a_form_may_be_many() {
    let path = "/SvcDotNet/Mobile/Services/DeviceLoginService.asmx/LoginWithEncryptedPassword";
    let bytes = "&encryptedPassword=65".repeat(100_000);
    let form = format!("username=alice&devicePin=1&userInitiated=true{bytes}");
    let post =
        http::Request::post(path).header("Content-Type", "application/x-www-form-urlencoded");
    let post = post.body(Bytes::from(form)).expect("a request");
    let answer = crate::shapes::wait(fixture::device_login_server().answer(post));
    assert_eq!(answer.status(), 200);
}

#[test]
fn body() {
    const PATH: &str = "/SvcDotNet/Authenticator.asmx";
    let soap = "<s:Envelope xmlns:s='http://schemas.xmlsoap.org/soap/envelope/'><s:Body><Login xmlns='http://example.com/svc/auth'/></s:Body></s:Envelope>";
    let form = "username=alice&password=secret";
    let cases = [
        (PATH.to_owned(), "text/xml", soap),
        (
            format!("{PATH}/Login"),
            "application/x-www-form-urlencoded",
            form,
        ),
    ];
    for (path, media_type, body) in cases {
        for (limit, served) in [(body.len(), true), (body.len() - 1, false)] {
            let post = http::Request::post(&path).header("Content-Type", media_type);
            let status = answer(Limits::default().with_body(limit), post, body.to_owned());
            assert_eq!(
                status == 200,
                served,
                "{media_type}, {limit} of {}: {status}",
                body.len()
            );
        }
    }
}

/// The length of an error is bounded by the limits, not by the document.
#[test]
fn errors_are_short() {
    let limits = Limits::default();
    let name = "n".repeat(limits.name);
    let deep = format!("<{name}>").repeat(limits.depth + 1);
    let documents = [
        deep.clone(),
        deep[..deep.len() - limits.name].to_owned(),
        format!("<a b='{}", "x".repeat(1 << 20)),
        format!("<a>&{};</a>", "e".repeat(1 << 20)),
    ];
    for document in documents {
        let mut reader = Reader::new(&document, &limits);
        let error = reader
            .root()
            .and_then(|()| reader.skip())
            .expect_err("an error");
        let bound = 2 * limits.depth * (limits.name + 2) + 1_000;
        assert!(
            error.to_string().len() <= bound,
            "{} bytes",
            error.to_string().len()
        );
    }
}
