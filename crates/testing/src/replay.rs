//! Replay of recorded exchanges as tests.

use std::path::{Path, PathBuf};

use http::header::{
    CONNECTION, CONTENT_LENGTH, DATE, HeaderName, SERVER, TRANSFER_ENCODING, X_CONTENT_TYPE_OPTIONS,
};

use crate::difference::differences;
use crate::error::ReplayError;
use crate::exchange::RecordedExchange;
use svcgen_core::transport::Transport;

/// The headers that are ignored when an answer is compared with a recorded one: they depend on the
/// time, the machine or the connection, or only svcgen writes them.
pub const IGNORED_HEADERS: [HeaderName; 9] = [
    CONNECTION,
    CONTENT_LENGTH,
    DATE,
    HeaderName::from_static("keep-alive"),
    SERVER,
    TRANSFER_ENCODING,
    HeaderName::from_static("x-aspnet-version"),
    X_CONTENT_TYPE_OPTIONS,
    HeaderName::from_static("x-powered-by"),
];

/// Sends each recorded request in a folder to a service, and checks that the answer is the recorded
/// one. [`Replay`] has options for this.
///
/// ```no_run
/// # async fn example(server: svcgen::Router) -> Result<(), svcgen_testing::ReplayError> {
/// svcgen_testing::replay(&server, "tests/recorded").await?;
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// The same as for [`Replay::run`].
pub async fn replay<T: Transport>(service: T, folder: impl AsRef<Path>) -> Result<(), ReplayError> {
    Replay::new(folder).run(service).await
}

/// Recorded exchanges to replay: a folder with a folder for each exchange, at any depth, which
/// contains the files `request.http` and `response.http`.
///
/// Each file is an HTTP/1.1 message as sent over the connection: first line, headers, an empty
/// line, the body. Lines of the head end with CR LF or with LF. The length of the body is given by
/// `Content-Length` or by chunks; otherwise, the body is the rest of the file. Interim responses
/// (`100 Continue`) are skipped. Compressed bodies cannot be compared: record without
/// `Accept-Encoding`. Proxies store messages in this form, and so does `curl --trace` apart from
/// its own lines:
///
/// ```text
/// POST /Greeter.asmx HTTP/1.1
/// Host: svc.corp.example
/// Content-Type: text/xml; charset=utf-8
/// SOAPAction: "http://example.com/svc/greeter/Greet"
/// Content-Length: 289
///
/// <?xml version="1.0" encoding="utf-8"?><soap:Envelope …
/// ```
///
/// The status, the headers and the body of an answer must equal the recorded ones, byte for byte.
/// These headers are ignored: `Connection`, `Content-Length`, `Date`, `Keep-Alive`, `Server`,
/// `Transfer-Encoding`, `X-AspNet-Version`, `X-Content-Type-Options` and `X-Powered-By`.
///
/// ```no_run
/// use svcgen_testing::Replay;
///
/// # async fn example(server: svcgen::Router) -> Result<(), svcgen_testing::ReplayError> {
/// let replay = Replay::new("tests/recorded").with_ignored_header("set-cookie");
/// replay.run(&server).await?;
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct Replay {
    folder: PathBuf,
    ignored: Vec<HeaderName>,
}

impl Replay {
    /// Creates a replay of the exchanges in a folder. A relative path starts from the current
    /// folder, which in a test is the folder of the package.
    pub fn new(folder: impl AsRef<Path>) -> Self {
        Self {
            folder: folder.as_ref().to_owned(),
            ignored: IGNORED_HEADERS.to_vec(),
        }
    }

    /// Ignores a header in comparisons, in addition to [`IGNORED_HEADERS`].
    ///
    /// # Panics
    ///
    /// The name is not a valid header name in lower case.
    #[must_use]
    pub fn with_ignored_header(mut self, name: &'static str) -> Self {
        self.ignored.push(HeaderName::from_static(name));
        self
    }

    /// Sends the requests to the service, in the order of their names, and compares the answers.
    ///
    /// # Errors
    ///
    /// An answer is not the recorded one, a file cannot be read, or there are no exchanges. The
    /// text has a paragraph for each exchange that differs, up to a hundred: the differing status,
    /// headers, and first line of the body, with XML indented. `?` in a test and `unwrap` show this
    /// text.
    pub async fn run<T: Transport>(&self, service: T) -> Result<(), ReplayError> {
        const MOST: usize = 100;
        let exchanges = RecordedExchange::in_folder(&self.folder)?;
        let exchanges = exchanges.into_iter().map(|exchange| {
            let request = exchange.request()?;
            let response = exchange.response(request.method())?;
            Ok((exchange, request, response))
        });
        // Nothing is sent if a file cannot be read.
        let exchanges = exchanges.collect::<Result<Vec<_>, _>>()?;
        let count = exchanges.len();
        let mut differing = 0;
        let mut report = String::new();
        for (exchange, request, response) in exchanges {
            let told = match service.send(request).await {
                Ok(answer) => differences(&response, &answer, &self.ignored),
                Err(error) => format!("  no answer: {error}\n"),
            };
            if told.is_empty() {
                continue;
            }
            differing += 1;
            if differing <= MOST {
                report += &format!("{}:\n{told}", exchange.name());
            }
        }
        if differing == 0 {
            return Ok(());
        }
        Err(ReplayError::new(format!(
            "{differing} of {count} exchanges in {} are not answered as recorded\n{report}",
            self.folder.display()
        )))
    }
}
