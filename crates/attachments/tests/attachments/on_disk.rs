//! Parts on disk: the same bytes as in memory, in files that leave nothing behind.

use std::pin::Pin;
use std::task::{Context as TaskContext, Poll};

use bytes::Bytes;
use http::header::{CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE};
use http::{Request, Response, StatusCode};
use http_body::{Body, Frame};
use proptest::prelude::*;
use svcgen::transport::{TransportError, transport_fn};
use svcgen::types::LargeBytes;
use svcgen::{Binding, Context, Fault, ServerOptions, Transport};
use svcgen_attachments::internals::{Bounds, Multipart, Part};
use svcgen_attachments::{
    Attachments, ClientAttachments as _, PartsOnDisk, ServerAttachments as _,
};
use tempfile::TempDir;
use tower_service::Service as _;

use archive::{
    ArchiveClient, ArchiveHandler, ArchiveServer, BothRequest, EchoRequest, LengthRequest,
};

#[derive(svcgen::Service)]
#[service(definition = "tests/attachments/archive.yaml")]
struct Archive;

/// The length in bytes above which a part is on disk.
const ABOVE: usize = 1000;

struct Keeper;

impl ArchiveHandler for Keeper {
    async fn echo(&self, _: &Context, request: EchoRequest) -> Result<Option<LargeBytes>, Fault> {
        let report = request.report;
        let is_long = report
            .as_ref()
            .is_some_and(|report| report.len() > ABOVE as u64);
        let is_on_disk = report
            .as_ref()
            .is_some_and(|report| report.in_memory().is_none());
        assert_eq!(is_long, is_on_disk);
        Ok(report)
    }

    async fn both(&self, _: &Context, request: BothRequest) -> Result<bool, Fault> {
        Ok(request.first == request.second)
    }

    async fn length(&self, _: &Context, request: LengthRequest) -> Result<i32, Fault> {
        Ok(i32::try_from(request.data.len())?)
    }
}

fn bytes(length: usize) -> Vec<u8> {
    (0..length).map(|at| (at * 7 % 251) as u8).collect()
}

/// Creates a server that keeps long parts in a directory.
fn server(change: impl FnOnce(PartsOnDisk) -> PartsOnDisk) -> (ArchiveServer<Keeper>, TempDir) {
    let directory = tempfile::tempdir().unwrap();
    let disk = change(PartsOnDisk::above(ABOVE).with_directory(directory.path()));
    let server = ArchiveServer::new(Keeper)
        .with_options(ServerOptions::new().with_gzip(true).with_facets(true))
        .with_attachments(Attachments::new().with_parts_on_disk(disk));
    (server, directory)
}

fn client(
    server: &ArchiveServer<Keeper>,
    binding: Binding,
    mtom: bool,
) -> ArchiveClient<impl Transport> {
    let server = server.clone();
    let transport = transport_fn(move |request: Request<Bytes>| {
        let server = server.clone();
        async move {
            let response: Response<Bytes> = Transport::send(&server, request).await?;
            Ok::<_, TransportError>(response)
        }
    });
    let client = ArchiveClient::new(transport, "http://h")
        .unwrap()
        .with_binding(binding);
    client.with(|client| {
        let attachments = Attachments::new().with_mtom(mtom).with_threshold(1);
        client.with_attachments(attachments)
    })
}

/// Returns the number of files of a directory that this process has open. They have no names there.
#[cfg(target_os = "linux")]
fn open_files(directory: &TempDir) -> usize {
    let directory = directory.path().canonicalize().unwrap();
    assert_eq!(std::fs::read_dir(&directory).unwrap().count(), 0);
    let open = std::fs::read_dir("/proc/self/fd").unwrap();
    let open = open.filter_map(|file| std::fs::read_link(file.ok()?.path()).ok());
    open.filter(|path| path.starts_with(&directory)).count()
}

#[cfg(not(target_os = "linux"))]
fn open_files(_: &TempDir) -> usize {
    0
}

#[tokio::test]
async fn values_are_the_same_and_no_file_is_left() {
    let (server, directory) = server(|disk| disk);
    for (binding, mtom) in [
        (Binding::Soap11, true),
        (Binding::Soap12, true),
        (Binding::Soap11, false),
        (Binding::HttpPost, false),
        (Binding::Json, false),
    ] {
        let client = client(&server, binding, mtom);
        for length in [0, 1, ABOVE, ABOVE + 1, 200_000] {
            // Without parts, bytes are in memory.
            if length > ABOVE && !mtom {
                continue;
            }
            let report = LargeBytes::from(bytes(length));
            let request = EchoRequest {
                report: Some(report.clone()),
            };
            let echoed = client.echo(&request).await.unwrap();
            assert_eq!(echoed, Some(report), "{binding} {length}");
            assert_eq!(open_files(&directory), 0);
        }
    }
}

/// Answers with a file of `length` bytes, of which `left` remain when it is read.
struct Answers {
    length: u64,
    left: u64,
}

impl ArchiveHandler for Answers {
    async fn echo(&self, _: &Context, _: EchoRequest) -> Result<Option<LargeBytes>, Fault> {
        let file = tempfile::tempfile()?;
        file.set_len(self.length)?;
        let report = LargeBytes::from_file(file.try_clone()?)?;
        file.set_len(self.left)?;
        Ok(Some(report))
    }

    async fn both(&self, _: &Context, _: BothRequest) -> Result<bool, Fault> {
        Ok(false)
    }

    async fn length(&self, _: &Context, _: LengthRequest) -> Result<i32, Fault> {
        Ok(0)
    }
}

#[tokio::test]
async fn files_are_answered_without_parts_up_to_a_length() {
    let limits = svcgen::Limits::default()
        .with_body(64 << 20)
        .with_text(64 << 20);
    for (binding, length, is_answered) in [
        (Binding::Soap11, 5000, true),
        (Binding::HttpPost, 5000, true),
        (Binding::Json, 5000, true),
        (Binding::Soap12, 16 << 20, true),
        (Binding::Soap12, (16 << 20) + 1, false),
    ] {
        let answers = Answers {
            length,
            left: length,
        };
        let client = ArchiveClient::new(ArchiveServer::new(answers), "http://h").unwrap();
        let client = client.with_binding(binding);
        let client = client.with(|client| client.with_limits(limits));
        match client.echo(&EchoRequest::default()).await {
            Ok(answered) => {
                assert!(is_answered);
                let expected = vec![0; usize::try_from(length).unwrap()];
                assert_eq!(answered, Some(expected.into()));
            }
            Err(error) => {
                let error = error.to_string();
                assert!(!is_answered, "{error}");
                let why = "'EchoResult' has 16777217 bytes in a file";
                assert!(error.contains(why), "{error}");
            }
        }
    }
}

#[tokio::test]
async fn an_answer_whose_file_became_shorter_is_broken_off() {
    let answers = Answers {
        length: 200_000,
        left: 100_000,
    };
    let mut server = ArchiveServer::new(answers).with_attachments(Attachments::new());
    let sent = || whole("Echo", 10).map(http_body_util::Full::new);
    let mut body = server.call(sent()).await.unwrap().into_body();
    let mut last = None;
    while let Some(frame) = http_body_util::BodyExt::frame(&mut body).await {
        last = Some(frame);
    }
    let error = last.unwrap().unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::UnexpectedEof);
    // The whole answer must be in memory here before its head is sent.
    let answer = server.answer(whole("Echo", 10)).await;
    assert_eq!(answer.status(), StatusCode::INTERNAL_SERVER_ERROR);
    assert_eq!(answer.body(), "A file of the answer cannot be read.\n");
}

#[tokio::test]
async fn facets_count_the_bytes_on_disk() {
    let (server, _directory) = server(|disk| disk);
    let client = client(&server, Binding::Soap11, true);
    for length in [50_000, 50_001] {
        let large = LargeBytes::from(bytes(length));
        let request = BothRequest {
            first: large.clone(),
            second: large,
        };
        match client.both(&request).await {
            Ok(are_equal) => assert!(are_equal && length == 50_000),
            Err(error) => {
                let error = error.to_string();
                assert!(error.contains("50001 bytes violate maxLength"), "{error}");
            }
        }
    }
}

#[tokio::test]
async fn values_in_memory_take_no_part_on_disk() {
    let (server, directory) = server(|disk| disk);
    let client = client(&server, Binding::Soap11, true);
    let length = |length| {
        let data = bytes(length);
        let client = &client;
        async move { client.length(&LengthRequest { data }).await }
    };
    assert_eq!(length(ABOVE).await.unwrap(), 1000);
    let error = length(5000).await.unwrap_err().to_string();
    for told in [
        "5000 bytes, more than are held in memory",
        "LargeBytes",
        "Length/data",
    ] {
        assert!(error.contains(told), "{error}");
    }
    assert_eq!(open_files(&directory), 0);
}

const PACKAGE: &str = "multipart/related; type=\"application/xop+xml\"; boundary=b";

/// Returns the text before the bytes of a part in a call of `Echo`, or of `Both` with the part
/// twice.
fn start(operation: &str) -> String {
    let include = "<x:Include xmlns:x='http://www.w3.org/2004/08/xop/include' href='cid:p'/>";
    let inside = match operation {
        "Echo" => format!("<report>{include}</report>"),
        _ => format!("<first>{include}</first><second>{include}</second>"),
    };
    format!(
        "--b\r\nContent-Type: application/xop+xml; type=\"text/xml\"\r\n\r\n<s:Envelope xmlns:s='http://schemas.xmlsoap.org/soap/envelope/'><s:Body><{operation} xmlns='urn:example:archive'>{inside}</{operation}></s:Body></s:Envelope>\r\n--b\r\nContent-ID: <p>\r\n\r\n"
    )
}

fn request<B>(operation: &str, body: B) -> Request<B> {
    Request::post("/Archive.asmx")
        .header(CONTENT_TYPE, PACKAGE)
        .header("SOAPAction", format!("urn:example:archive/{operation}"))
        .header("Accept-Encoding", "gzip")
        .body(body)
        .unwrap()
}

/// Returns a call with a part of this length in bytes.
fn whole(operation: &str, length: usize) -> Request<Bytes> {
    let body = [start(operation).as_bytes(), &bytes(length), b"\r\n--b--"].concat();
    request(operation, body.into())
}

async fn told(server: &ArchiveServer<Keeper>, request: Request<Bytes>) -> (StatusCode, String) {
    let answer = server.answer(request).await;
    let text = String::from_utf8_lossy(answer.body()).into_owned();
    (answer.status(), text)
}

#[tokio::test]
async fn a_part_is_included_once() {
    let (server, _directory) = server(|disk| disk);
    let (status, text) = told(&server, whole("Both", 5000)).await;
    assert_eq!(status, StatusCode::BAD_REQUEST, "{text}");
    assert!(
        text.contains("The part 'cid:p' is included twice."),
        "{text}"
    );
}

#[tokio::test]
async fn a_disk_that_fails_is_the_failure_of_the_server() {
    let (server, _directory) = server(|disk| disk.with_directory("/nowhere/to/be/found"));
    let (status, text) = told(&server, whole("Echo", 5000)).await;
    assert_eq!(status, StatusCode::INTERNAL_SERVER_ERROR);
    let fault = "<faultcode>soap:Server</faultcode>";
    assert!(text.contains(fault), "{text}");
    assert!(
        text.contains("The server cannot keep the attachments of this request."),
        "{text}"
    );
    assert!(!text.contains("nowhere"), "{text}");
    // Parts that stay in memory need no disk.
    let (status, text) = told(&server, whole("Echo", ABOVE)).await;
    assert_eq!(status, StatusCode::OK, "{text}");
}

#[tokio::test]
async fn all_calls_share_the_space_on_disk() {
    let (server, directory) = server(|disk| disk.with_disk_space(8000));
    // The part is too long even without other parts.
    let (status, text) = told(&server, whole("Echo", 8001)).await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
    assert!(text.contains("has more than 8000 bytes"), "{text}");
    let mut sending = server.clone();
    let answer = sending
        .call(whole("Echo", 5000).map(http_body_util::Full::new))
        .await;
    // The answer is not read yet, and keeps the file.
    let (status, text) = told(&server, whole("Echo", 5000)).await;
    assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE, "{text}");
    assert!(
        text.contains("the limit of disk space for attachments is reached"),
        "{text}"
    );
    drop(answer);
    for _ in 0..3 {
        let (status, text) = told(&server, whole("Echo", 8000)).await;
        assert_eq!(status, StatusCode::OK, "{text}");
    }
    assert_eq!(open_files(&directory), 0);
}

/// A body that breaks off after its bytes.
struct Breaking(Option<Bytes>);

impl Body for Breaking {
    type Data = Bytes;
    type Error = std::io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut TaskContext<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, std::io::Error>>> {
        let broken = || Err(std::io::ErrorKind::ConnectionReset.into());
        Poll::Ready(Some(
            self.0
                .take()
                .map_or_else(broken, |bytes| Ok(Frame::data(bytes))),
        ))
    }
}

#[tokio::test]
async fn nothing_is_left_of_a_caller_who_breaks_off() {
    let (mut server, directory) = server(|disk| disk.with_disk_space(8000));
    for _ in 0..3 {
        let sent = [start("Echo").into_bytes(), bytes(8000)].concat();
        let broken = request("Echo", Breaking(Some(sent.into())));
        let answer = server.call(broken).await.unwrap();
        assert_eq!(answer.status(), StatusCode::BAD_REQUEST);
        assert_eq!(open_files(&directory), 0);
    }
    let (status, text) = told(&server, whole("Echo", 8000)).await;
    assert_eq!(status, StatusCode::OK, "{text}");
}

#[tokio::test]
async fn answers_are_read_from_disk_piece_by_piece() {
    let (mut server, directory) = server(|disk| disk);
    let length = 300_000;
    let sent = whole("Echo", length).map(http_body_util::Full::new);
    let answer = server.call(sent).await.unwrap();
    // Compression would need the answer in memory.
    assert!(!answer.headers().contains_key(CONTENT_ENCODING));
    let announced = answer.headers()[CONTENT_LENGTH]
        .to_str()
        .unwrap()
        .to_owned();
    let mut body = answer.into_body();
    assert_eq!(
        body.size_hint().exact().map(|exact| exact.to_string()),
        Some(announced.clone())
    );
    assert_eq!(
        open_files(&directory),
        usize::from(cfg!(target_os = "linux"))
    );
    let mut pieces = Vec::new();
    while let Some(frame) = http_body_util::BodyExt::frame(&mut body).await {
        pieces.push(frame.unwrap().into_data().unwrap());
    }
    assert!(body.is_end_stream());
    drop(body);
    assert_eq!(open_files(&directory), 0);
    assert!(pieces.iter().all(|piece| piece.len() <= 64 << 10));
    let whole = pieces.concat();
    assert_eq!(whole.len().to_string(), announced);
    assert!(memchr::memmem::find(&whole, &bytes(length)).is_some());
}

const BOUNDS: Bounds = Bounds {
    parts: 8,
    head: 200,
    part: 4000,
    root: 3000,
};

/// Returns the parts of a body that arrives in pieces of these lengths.
fn read(body: &[u8], sizes: &[usize], disk: Option<PartsOnDisk>) -> Result<Vec<Part>, String> {
    let mut multipart = Multipart::new("b", None, BOUNDS, disk);
    let (mut rest, mut sizes) = (body, sizes.iter().cycle());
    while let (false, Some(size)) = (rest.is_empty(), sizes.next()) {
        let (piece, after) = rest.split_at(rest.len().min(*size));
        multipart.push(piece).map_err(|why| why.to_string())?;
        rest = after;
    }
    let held = multipart.held();
    let parts = multipart.finish().map_err(|why| why.to_string())?;
    let on_disk = parts.iter().filter(|part| part.bytes.in_memory().is_none());
    let on_disk: u64 = on_disk.map(|part| part.bytes.len()).sum();
    assert_eq!(held as u64, body.len() as u64 - on_disk);
    Ok(parts)
}

proptest! {
    #[test]
    fn parts_are_the_same_whatever_the_pieces(
        lengths in prop::collection::vec(0usize..400, 1..6),
        sizes in prop::collection::vec(1usize..300, 1..5),
        above in 0usize..300,
    ) {
        let part = |length: &usize| [b"--b\r\n\r\n", &*bytes(*length), b"\r\n"].concat();
        let body = [lengths.iter().map(part).collect::<Vec<_>>().concat(), b"--b--".to_vec()];
        let body = body.concat();
        let on_disk = read(&body, &sizes, Some(PartsOnDisk::above(above))).unwrap();
        prop_assert_eq!(&on_disk, &read(&body, &sizes, None).unwrap());
        for (index, part) in on_disk.iter().enumerate() {
            // The message itself is in memory.
            let is_on_disk = index > 0 && part.bytes.len() > above as u64;
            prop_assert_eq!(part.bytes.in_memory().is_none(), is_on_disk);
        }
    }
}

#[test]
fn encoded_parts_are_in_memory() {
    let body = |length: usize| {
        let digits = "QUJD".repeat(length / 4);
        format!("--b\r\n\r\n\r\n--b\r\nContent-Transfer-Encoding: base64\r\n\r\n{digits}\r\n--b--")
    };
    let disk = || Some(PartsOnDisk::above(ABOVE));
    let parts = read(body(1000).as_bytes(), &[7, 100], disk()).unwrap();
    assert_eq!(
        parts[1].bytes.in_memory().unwrap(),
        "ABC".repeat(250).as_bytes()
    );
    let error = read(body(1004).as_bytes(), &[7, 100], disk()).unwrap_err();
    let why = "Part 2 of the multipart body has more than 1000 bytes in its encoding";
    assert!(error.contains(why), "{error}");
    assert!(read(body(1004).as_bytes(), &[7, 100], None).is_ok());
}
