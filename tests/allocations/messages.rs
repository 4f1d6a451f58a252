//! The peak memory for messages with the values that are read from them: the worst known shapes,
//! over every binding, for servers and clients.

use bytes::Bytes;
use http::Request;
use http::header::CONTENT_TYPE;
use stats_alloc::INSTRUMENTED_SYSTEM;
use svcgen::{CallError, Limits};
use svcgen_tests::few_or_all;
use svcgen_tests::memory::{All, HoldRequest, Large, MemoryClient, MemoryServer, Wide};

use crate::cost::{Allocator, Canned, Holds, block_on, cost};
use crate::lengths;

/// Markup in an `All`: the start, the repeated part, and the end.
type Shape = (&'static str, &'static str, &'static str);

/// The start of a set with a table, up to its columns.
macro_rules! set_start {
    () => {
        "<Sets><DataSet xmlns:x='http://www.w3.org/2001/XMLSchema' xmlns:m='urn:schemas-microsoft-com:xml-msdata' xmlns:d='urn:schemas-microsoft-com:xml-diffgram-v1'><x:schema><x:element name='D' m:IsDataSet='true'><x:complexType><x:choice><x:element name='R'><x:complexType><x:sequence>"
    };
}

/// The start of a set with a table of one column, up to its rows.
macro_rules! set {
    () => {
        concat!(
            set_start!(),
            "<x:element name='a' type='x:string' minOccurs='0'/></x:sequence></x:complexType></x:element></x:choice></x:complexType></x:element></x:schema><d:diffgram><D xmlns=''>"
        )
    };
}

const SHAPES: [Shape; 55] = [
    ("<Spoken>", "a<!---->", "</Spoken>"),
    ("<Spoken>", "<![CDATA[]]><Loud/>", "</Spoken>"),
    ("<Spoken>", "&#32;<x/>", "</Spoken>"),
    ("<Wide>", "<Wide/>", "</Wide>"),
    ("<Wide>", "<Wide><Column07>x</Column07></Wide>", "</Wide>"),
    ("<Large>", "<Large/>", "</Large>"),
    ("<LargeOrAbsent>", "<Large/>", "</LargeOrAbsent>"),
    (
        "<LargeOrAbsent>",
        "<Large xsi:nil='1'/>",
        "</LargeOrAbsent>",
    ),
    ("", "<One/>", ""),
    ("", "<Many/>", ""),
    ("", "<Many><Held/></Many>", ""),
    ("", "<Many><Big/></Many>", ""),
    ("", "<Many><Small>1</Small></Many>", ""),
    ("<Tree><Children>", "<Tree/>", "</Children></Tree>"),
    (
        "<Tree><Children>",
        "<Tree><Next><Next/></Next></Tree>",
        "</Children></Tree>",
    ),
    (
        "<Tree><Children>",
        "<Tree><Inner/></Tree>",
        "</Children></Tree>",
    ),
    (
        "<Tree><Children>",
        "<Tree><Children><Tree/></Children></Tree>",
        "</Children></Tree>",
    ),
    (
        "<Tree><Children>",
        "<Tree><Heir xsi:type='Grandchild'><Tree/></Heir></Tree>",
        "</Children></Tree>",
    ),
    ("<Texts>", "<ArrayOfString/>", "</Texts>"),
    (
        "<Texts>",
        "<ArrayOfString><string/></ArrayOfString>",
        "</Texts>",
    ),
    (
        "<Texts><ArrayOfString>",
        "<string/>",
        "</ArrayOfString></Texts>",
    ),
    (
        "<Texts><ArrayOfString>",
        "<string>&amp;</string>",
        "</ArrayOfString></Texts>",
    ),
    (
        "<Texts><ArrayOfString><string>",
        "<![CDATA[x]]>",
        "</string></ArrayOfString></Texts>",
    ),
    (
        "<Texts><ArrayOfString><string>",
        "&#x20;",
        "</string></ArrayOfString></Texts>",
    ),
    ("<Names>", "<QName/>", "</Names>"),
    ("<Names xmlns:p='LONG'>", "<QName>p:a</QName>", "</Names>"),
    ("<Any xmlns:p='LONG'>", "<any><p:a/></any>", "</Any>"),
    ("<Any xmlns:p='LONG'><any>", "<p:a/>", "</any></Any>"),
    ("<Any>", "<any/>", "</Any>"),
    ("<Objects>", "<anyType/>", "</Objects>"),
    ("<Objects>", "<anyType xsi:type='Large'/>", "</Objects>"),
    (
        "<Objects>",
        "<anyType xsi:type='ArrayOfAnyType'><anyType/></anyType>",
        "</Objects>",
    ),
    (
        "<Objects><anyType xsi:type='ArrayOfInt'>",
        "<int>1</int>",
        "</anyType></Objects>",
    ),
    ("<Any>", "<any a=''/>", "</Any>"),
    ("<Any xmlns:p='LONG'>", "<any p:a=''/>", "</Any>"),
    ("<Any xmlns:p='LONG'>", "<any a='p:a'/>", "</Any>"),
    (
        "<Any xmlns='u'>",
        "<any xmlns='u' xsi:type='' xsi:a='xsi:'/>",
        "</Any>",
    ),
    ("<Any><any>", "<a> </a>", "</any></Any>"),
    (
        "<Binary><base64Binary>",
        "QUJD ",
        "</base64Binary></Binary>",
    ),
    ("<Families>", "<Family xsi:type='Relative'/>", "</Families>"),
    ("<Marks>", "<Mark a=''/>", "</Marks>"),
    ("<Tones>", "<Tone>x</Tone>", "</Tones>"),
    ("", "<Big/>", ""),
    ("", "<Pair/>", ""),
    ("", "<Row/><Word/>", ""),
    ("", "<Left/>", ""),
    ("", "<Number>1</Number>", ""),
    ("", "<Tiny>1</Tiny><Word2/>", ""),
    ("<Many><Small>", ">", "</Small></Many>"),
    ("<Sets>", "<DataSet/>", "</Sets>"),
    (set!(), "<R/>", "</D></d:diffgram></DataSet></Sets>"),
    (set!(), "<R><a/></R>", "</D></d:diffgram></DataSet></Sets>"),
    (
        set!(),
        "<R d:id='1' d:hasChanges='modified'/>",
        "</D><d:before><R xmlns='' d:id='1'/></d:before><d:errors><R xmlns='' d:id='1' d:Error=''><a d:Error=''/></R></d:errors></d:diffgram></DataSet></Sets>",
    ),
    (
        set_start!(),
        "<x:element name='a' type='x:int' minOccurs='0'/>",
        "</x:sequence></x:complexType></x:element></x:choice></x:complexType></x:element></x:schema></DataSet></Sets>",
    ),
    (
        "<Sets><DataSet xmlns:x='http://www.w3.org/2001/XMLSchema' xmlns:m='urn:schemas-microsoft-com:xml-msdata'><x:schema><x:element m:IsDataSet='true'><x:complexType><x:choice>",
        "<x:element name='a' m:a=''><x:complexType/></x:element>",
        "</x:choice></x:complexType></x:element></x:schema></DataSet></Sets>",
    ),
];

/// Returns a message of about this size.
fn message(shape: Shape, version: &str, wrapper: [&str; 2], size: usize) -> String {
    let (before, item, after) = shape;
    let before = before.replace("LONG", &"u".repeat((size / 4).min(60_000)));
    let items = item.repeat((size - before.len()) / item.len());
    enveloped(&format!("{before}{items}{after}"), version, wrapper)
}

/// Returns a message with content in a parameter or a result.
fn enveloped(content: &str, version: &str, wrapper: [&str; 2]) -> String {
    let namespace = match version {
        "1.1" => "http://schemas.xmlsoap.org/soap/envelope/",
        _ => "http://www.w3.org/2003/05/soap-envelope",
    };
    let [outer, inner] = wrapper;
    format!(
        "<s:Envelope xmlns:s='{namespace}' xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance'><s:Body><{outer} xmlns='urn:memory'><{inner}>{content}</{inner}></{outer}></s:Body></s:Envelope>"
    )
}

#[track_caller]
pub fn is_bounded(what: &dyn std::fmt::Debug, length: usize, peak: usize) {
    let most = Limits::default().values * length + Limits::LEAST_VALUES;
    assert!(
        peak <= most,
        "{what:?}: {peak} bytes of memory for {length} bytes, more than {most}"
    );
}

/// Returns the status of a server's answer, and the peak memory.
fn serve(allocator: &Allocator, limits: Limits, request: Request<Bytes>) -> (u16, usize) {
    let server = MemoryServer::new(Holds).with_limits(limits);
    let answer = || block_on(server.answer(request));
    let (response, cost) = cost(allocator, &INSTRUMENTED_SYSTEM, 0, answer);
    (response.status().as_u16(), cost.memory)
}

fn soap(version: &str, body: String) -> Request<Bytes> {
    let media_type = match version {
        "1.1" => "text/xml; charset=utf-8",
        _ => "application/soap+xml; charset=utf-8",
    };
    let request = Request::post("/Memory.asmx").header(CONTENT_TYPE, media_type);
    let request = request.header("SOAPAction", "\"urn:memory/Hold\"");
    request.body(Bytes::from(body)).expect("a request")
}

fn receive(allocator: &Allocator, body: String) -> (Result<Option<All>, CallError>, usize) {
    let client = MemoryClient::new(
        Canned("text/xml; charset=utf-8", Bytes::from(body)),
        "http://localhost/Memory.asmx",
    );
    let client = client.expect("a client");
    {
        let call = || block_on(client.hold(&HoldRequest::default()));
        let (result, cost) = cost(allocator, &INSTRUMENTED_SYSTEM, 0, call);
        (result, cost.memory)
    }
}

/// Checks the worst inputs found by fuzzing.
pub fn the_worst_finds_are_bounded(allocator: &Allocator) {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/fuzz/worst_costs.txt");
    let worst = std::fs::read_to_string(folder).expect("a file");
    let inputs = crate::cost::inputs(&worst);
    assert!(!inputs.is_empty());
    for input in inputs {
        // Panics if the limit is exceeded.
        crate::cost::check(allocator, &INSTRUMENTED_SYSTEM, &input);
    }
}

pub fn are_bounded_whatever_they_hold(allocator: &Allocator) {
    let limits = Limits::default().with_elements(usize::MAX);
    for shape in SHAPES {
        for &size in lengths() {
            // The versions differ only around the message.
            for &version in few_or_all(&["1.1"][..], &["1.1", "1.2"]) {
                let body = message(shape, version, ["Hold", "all"], size);
                let length = body.len();
                let (status, peak) = serve(allocator, limits, soap(version, body));
                assert!([200, 400, 500].contains(&status), "{shape:?}");
                is_bounded(&(shape, version, size, status), length, peak);
            }
            let body = message(shape, "1.1", ["HoldResponse", "HoldResult"], size);
            let length = body.len();
            let (_, peak) = receive(allocator, body);
            is_bounded(&(shape, "client", size), length, peak);
        }
    }
}

pub fn forms_are_bounded(allocator: &Allocator) {
    let limits = Limits::default().with_parameters(usize::MAX);
    let fields = [
        "=&",
        "texts=&",
        "texts=a&texts=%u00e9a%u00e9a&",
        "dates=&",
        "names=%7Burn:u%7Da&",
        "bytes=1&",
        "text=&",
        "number=%3e%3e%3e%3e%3e%3e%3e%3e%3e%3e%3e&",
        "text=%u00e9x%u00e9x%u00e9x%u00e9x%u00e9x%e9&",
    ];
    for field in fields {
        for &size in lengths() {
            let form = format!("text=&number=1&names=&{}", field.repeat(size / field.len()));
            let length = form.len();
            let get = Request::get(format!(
                "/Memory.asmx/Count?{}",
                &form[..form.len().min(60_000)]
            ));
            let post = Request::post("/Memory.asmx/Count")
                .header(CONTENT_TYPE, "application/x-www-form-urlencoded");
            let get = get.body(Bytes::new()).expect("a request");
            let post = post.body(Bytes::from(form)).expect("a request");
            let (_, peak) = serve(allocator, limits, get);
            is_bounded(&(field, "GET", size), length.min(60_000), peak);
            let (_, peak) = serve(allocator, limits, post);
            is_bounded(&(field, "POST", size), length, peak);
        }
    }
}

/// Reads realistic messages: wide records with few elements each.
pub fn wide_lists_are_read(allocator: &Allocator) {
    let record = "<Wide><Column07>Stockholm</Column07><Column42>2024-05-01</Column42></Wide>";
    let body = message(
        ("<Wide>", record, "</Wide>"),
        "1.1",
        ["HoldResponse", "HoldResult"],
        1_000 * record.len() + 6,
    );
    let length = body.len();
    let (all, peak) = receive(allocator, body);
    let all = all.expect("an answer").expect("a result");
    let wide = all.wide.as_slice();
    assert_eq!(wide.len(), 1_000);
    let second = Wide {
        column07: Some("Stockholm".to_owned()),
        column42: Some("2024-05-01".to_owned()),
        ..Wide::default()
    };
    assert!(wide.iter().all(|record| *record == second));
    is_bounded(&"wide records", length, peak);
}

/// Checks that exactly as many items as the memory allows are read.
pub fn the_bound_is_sharp(allocator: &Allocator) {
    let read = |count: usize| {
        let shape = ("<Large>", "<Large/>", "</Large>");
        let body = message(shape, "1.1", ["HoldResponse", "HoldResult"], count * 8 + 7);
        receive(allocator, body).0
    };
    let size = size_of::<Large>();
    let most = Limits::LEAST_VALUES / size;
    let items = |count| read(count).map(|all| all.map_or(0, |all| all.large.len()));
    let counts: Vec<_> = (most - 4..most + 2)
        .map(|count| items(count).is_ok())
        .collect();
    let first = counts
        .iter()
        .position(|read| !read)
        .expect("too many are refused");
    assert!(
        first > 0 && counts[first..].iter().all(|read| !read),
        "{counts:?}"
    );
    let refused = read(most + 1).expect_err("too many").to_string();
    for part in [
        "HoldResult/Large",
        "more than 16 bytes of memory for each byte of the message and 1048576 bytes besides",
        "Limits::with_values",
    ] {
        assert!(refused.contains(part), "{refused}");
    }
    let raised = Limits::default().with_values(10_000);
    let body = message(
        ("<Large>", "<Large/>", "</Large>"),
        "1.1",
        ["Hold", "all"],
        (most + 1) * 8 + 7,
    );
    assert_eq!(serve(allocator, raised, soap("1.1", body)).0, 200);
}

/// Checks the figures in the book about bodies of hundreds of megabytes: the additional memory of a
/// call for each byte of its message.
pub fn long_bodies_take_what_the_book_says(allocator: &Allocator) {
    let size = few_or_all(16 << 20, 300 << 20);
    let bytes = vec![b'A'; size / 4 * 3];
    let content = format!(
        "<Binary><base64Binary>{}</base64Binary></Binary>",
        "QUFB".repeat(size / 4)
    );
    let limits = Limits::default().with_body(1 << 30).with_text(1 << 30);
    let is_at_most = |what: &str, memory: usize, share: f64| {
        let found = memory as f64 / size as f64;
        assert!(found <= share, "{what}: {found}");
    };

    let (status, memory) = serve(
        allocator,
        limits,
        soap("1.1", enveloped(&content, "1.1", ["Hold", "all"])),
    );
    assert_eq!(status, 200);
    is_at_most("a server reads it", memory, 0.76);

    let answer = enveloped(&content, "1.1", ["HoldResponse", "HoldResult"]);
    let canned = Canned("text/xml; charset=utf-8", Bytes::from(answer));
    let client = MemoryClient::new(canned, "http://localhost/Memory.asmx").expect("a client");
    let client = client.with(|client| client.with_limits(limits));
    let call = |request: &HoldRequest| {
        let call = || {
            block_on(client.hold(request))
                .expect("an answer")
                .expect("a result")
        };
        let (all, cost) = cost(allocator, &INSTRUMENTED_SYSTEM, 0, call);
        assert_eq!(all.binary[0].len(), bytes.len());
        cost.memory
    };
    is_at_most("a client reads it", call(&HoldRequest::default()), 0.76);
    let binary = vec![bytes.clone()];
    let all = Some(All {
        binary,
        ..All::default()
    });
    is_at_most(
        "a client writes and reads it",
        call(&HoldRequest { all }),
        2.8,
    );
}
