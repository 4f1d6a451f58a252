//! HTTP/1 as bytes on a socket, for details that an HTTP library would hide.

use std::io::{self, Read, Write};
use std::net::{IpAddr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::thread::JoinHandle;
use std::time::Duration;

use socket2::{Domain, SockRef, Socket, Type};
use svcgen::codegen::Endpoint;
use svcgen::serve::Serve;
use svcgen::{Router, Server};
use tokio::sync::oneshot;

/// An answer as received from the socket.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The status in the status line.
    pub status: u16,
    /// The names as they were written, and the values.
    pub headers: Vec<(String, String)>,
    /// The body without its transfer coding.
    pub body: Vec<u8>,
    /// The statuses of the interim answers before this one (`100 Continue`).
    pub interim: Vec<u16>,
}

impl Answer {
    /// Returns the first value of a header, by its name in any letter case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(header, _)| header.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.as_str())
    }

    /// Returns the body as text.
    ///
    /// # Panics
    ///
    /// The body is not UTF-8.
    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.body).expect("an answer in UTF-8")
    }
}

/// Splits a message at the empty line after its headers.
///
/// # Panics
///
/// There is no empty line.
pub fn split(message: &[u8]) -> (&[u8], &[u8]) {
    let end = head_end(message).expect("an empty line after the headers");
    (&message[..end - 4], &message[end..])
}

fn head_end(bytes: &[u8]) -> Option<usize> {
    bytes
        .windows(4)
        .position(|window| window == b"\r\n\r\n")
        .map(|start| start + 4)
}

/// Parses the first line and the headers in the head of a message.
pub fn parse_head(head: &[u8]) -> (String, Vec<(String, String)>) {
    let text = String::from_utf8_lossy(head);
    let mut lines = text.split("\r\n");
    let first = lines.next().unwrap_or_default().to_owned();
    let headers = lines.filter_map(|line| line.split_once(':'));
    (
        first,
        headers
            .map(|(name, value)| (name.to_owned(), value.trim().to_owned()))
            .collect(),
    )
}

/// Parses a recorded answer.
pub fn parse_answer(message: &[u8]) -> Answer {
    let (head, body) = split(message);
    let (first, headers) = parse_head(head);
    Answer {
        status: status_of(&first),
        headers,
        body: body.to_vec(),
        interim: Vec::new(),
    }
}

fn status_of(status_line: &str) -> u16 {
    status_line
        .split(' ')
        .nth(1)
        .and_then(|status| status.parse().ok())
        .unwrap_or(0)
}

/// A connection that sends bytes unchanged.
#[derive(Debug)]
pub struct Connection {
    stream: TcpStream,
    buffer: Vec<u8>,
}

impl Connection {
    /// Connects, with a timeout of 20 seconds for reads.
    ///
    /// # Errors
    ///
    /// An error of the socket.
    pub fn open(address: SocketAddr) -> io::Result<Self> {
        Self::of(TcpStream::connect(address)?)
    }

    /// Connects from an address of this machine, with the smallest receive buffer of the system, so
    /// that an unread answer keeps the server waiting.
    ///
    /// # Errors
    ///
    /// An error of the socket.
    pub fn open_from(from: IpAddr, address: SocketAddr) -> io::Result<Self> {
        let socket = Socket::new(Domain::for_address(address), Type::STREAM, None)?;
        socket.set_recv_buffer_size(1)?;
        socket.bind(&SocketAddr::new(from, 0).into())?;
        socket.connect(&address.into())?;
        Self::of(socket.into())
    }

    /// Takes over a socket, with a timeout of 20 seconds for reads.
    ///
    /// # Errors
    ///
    /// An error of the socket.
    pub fn of(stream: TcpStream) -> io::Result<Self> {
        stream.set_read_timeout(Some(Duration::from_secs(20)))?;
        stream.set_nodelay(true)?;
        Ok(Self {
            stream,
            buffer: Vec::new(),
        })
    }

    /// Sends these bytes.
    ///
    /// # Errors
    ///
    /// An error of the socket, also when the other side has closed the connection.
    pub fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.stream.write_all(bytes)
    }

    /// Closes the sending side of the connection.
    ///
    /// # Errors
    ///
    /// An error of the socket.
    pub fn finish(&mut self) -> io::Result<()> {
        self.stream.shutdown(Shutdown::Write)
    }

    /// Closes the connection with a reset, as the system does when the process of a caller ends
    /// early.
    ///
    /// # Panics
    ///
    /// The socket refuses the option.
    pub fn reset(self) {
        SockRef::from(&self.stream)
            .set_linger(Some(Duration::ZERO))
            .expect("SO_LINGER");
    }

    /// Reads one answer, with the interim answers before it.
    ///
    /// # Errors
    ///
    /// An error of the socket, or [`io::ErrorKind::UnexpectedEof`] if the connection ends before
    /// the answer does.
    pub fn answer(&mut self) -> io::Result<Answer> {
        let mut interim = Vec::new();
        loop {
            let (status, headers) = self.head()?;
            if (100..200).contains(&status) {
                interim.push(status);
                continue;
            }
            let mut answer = Answer {
                status,
                headers,
                body: Vec::new(),
                interim,
            };
            answer.body = self.body(&answer)?;
            return Ok(answer);
        }
    }

    /// Reads the head of the next answer, which may be an interim one.
    ///
    /// # Errors
    ///
    /// As [`Connection::answer`].
    pub fn head(&mut self) -> io::Result<(u16, Vec<(String, String)>)> {
        let end = loop {
            match head_end(&self.buffer) {
                Some(end) => break end,
                None => self.fill()?,
            }
        };
        let head: Vec<u8> = self.buffer.drain(..end).collect();
        let (first, headers) = parse_head(&head[..end - 4]);
        Ok((status_of(&first), headers))
    }

    fn body(&mut self, answer: &Answer) -> io::Result<Vec<u8>> {
        // RFC 9112 §6.3.
        if [204, 304].contains(&answer.status) {
            return Ok(Vec::new());
        }
        if answer
            .header("transfer-encoding")
            .is_some_and(|coding| coding.eq_ignore_ascii_case("chunked"))
        {
            return self.chunks();
        }
        match answer
            .header("content-length")
            .and_then(|length| length.parse().ok())
        {
            Some(length) => self.read_exactly(length),
            None => self.rest(),
        }
    }

    /// Reads the bytes of the next request, whose body has a `Content-Length` or none.
    ///
    /// # Errors
    ///
    /// An error of the socket, or [`io::ErrorKind::UnexpectedEof`] if the connection ends before
    /// the request does.
    pub fn request(&mut self) -> io::Result<Vec<u8>> {
        let end = loop {
            match head_end(&self.buffer) {
                Some(end) => break end,
                None => self.fill()?,
            }
        };
        let (_, headers) = parse_head(&self.buffer[..end - 4]);
        let length = headers
            .iter()
            .find(|(name, _)| name.eq_ignore_ascii_case("content-length"));
        let length: usize = length.map_or(Ok(0), |(_, length)| {
            length.parse().map_err(io::Error::other)
        })?;
        self.read_exactly(end + length)
    }

    /// Reads this many bytes.
    ///
    /// # Errors
    ///
    /// As [`Connection::answer`].
    pub fn read_exactly(&mut self, length: usize) -> io::Result<Vec<u8>> {
        while self.buffer.len() < length {
            self.fill()?;
        }
        Ok(self.buffer.drain(..length).collect())
    }

    fn chunks(&mut self) -> io::Result<Vec<u8>> {
        let mut body = Vec::new();
        loop {
            let size = self.chunk_size()?;
            let chunk = self.read_exactly(size + 2)?;
            body.extend_from_slice(&chunk[..size]);
            if size == 0 {
                return Ok(body);
            }
        }
    }

    fn chunk_size(&mut self) -> io::Result<usize> {
        let end = loop {
            match self.buffer.windows(2).position(|window| window == b"\r\n") {
                Some(end) => break end,
                None => self.fill()?,
            }
        };
        let line: Vec<u8> = self.buffer.drain(..end + 2).collect();
        usize::from_str_radix(String::from_utf8_lossy(&line).trim(), 16).map_err(io::Error::other)
    }

    /// Reads at most this many bytes. Returns their number, 0 at the end.
    ///
    /// # Errors
    ///
    /// An error of the socket.
    pub fn read_some(&mut self, most: usize) -> io::Result<usize> {
        self.read(&mut vec![0; most])
    }

    /// Reads the available bytes, even after a signal that another test sends to the process.
    fn read(&mut self, chunk: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.stream.read(chunk) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => return read,
            }
        }
    }

    /// Reads until the other side closes the connection.
    ///
    /// # Errors
    ///
    /// An error of the socket.
    pub fn rest(&mut self) -> io::Result<Vec<u8>> {
        self.stream.read_to_end(&mut self.buffer)?;
        Ok(std::mem::take(&mut self.buffer))
    }

    fn fill(&mut self) -> io::Result<()> {
        let mut chunk = [0; 16 * 1024];
        match self.read(&mut chunk)? {
            0 => Err(io::ErrorKind::UnexpectedEof.into()),
            read => {
                self.buffer.extend_from_slice(&chunk[..read]);
                Ok(())
            }
        }
    }
}

/// A server on a separate thread, which is stopped when dropped.
#[derive(Debug)]
pub struct Running {
    /// The address on which it listens.
    pub address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<io::Result<()>>>,
}

/// The settings of a server.
pub type SetUp<V> = Box<dyn FnOnce(Serve<V>) -> Serve<V> + Send>;

/// A service for [`Running::with`], without the types of handlers, so that the functions below are
/// compiled once here, and not once for each service.
pub trait Served: Sized {
    /// The type of the service.
    type Service;

    /// Starts the server on a free port.
    fn start(self, set_up: SetUp<Self::Service>) -> Running;
}

macro_rules! served {
    ($service:ty) => {
        impl Served for $service {
            type Service = Self;

            fn start(self, set_up: SetUp<Self>) -> Running {
                Running::start(|listener, stopped| async {
                    let serve = set_up(svcgen::serve(listener, self));
                    serve.with_shutdown(async { drop(stopped.await) }).await
                })
            }
        }
    };
}

served!(Endpoint);
served!(Router);
#[cfg(feature = "programs")]
served!(axum::Router);

impl<S, H> Served for Server<S, H> {
    type Service = Endpoint;

    fn start(self, set_up: SetUp<Endpoint>) -> Running {
        Endpoint::from(self).start(set_up)
    }
}

impl Running {
    /// Serves on a free port of the loopback address.
    pub fn of(service: impl Served) -> Self {
        Self::with(service, |serve| serve)
    }

    /// Serves on a free port of the loopback address, with settings.
    pub fn with<S: Served>(
        service: S,
        set_up: impl FnOnce(Serve<S::Service>) -> Serve<S::Service> + Send + 'static,
    ) -> Self {
        service.start(Box::new(set_up))
    }

    /// Runs `serve` with a listener on a free port of the loopback address. It has to end soon
    /// after the receiver resolves.
    ///
    /// # Panics
    ///
    /// No socket can be opened.
    pub fn start<F, T>(
        serve: impl FnOnce(tokio::net::TcpListener, oneshot::Receiver<()>) -> F + Send + 'static,
    ) -> Self
    where
        F: Future<Output = io::Result<T>>,
    {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("the address of the listener");
        listener
            .set_nonblocking(true)
            .expect("a listener that does not block");
        let (stop, stopped) = oneshot::channel();
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()?;
            runtime.block_on(async {
                serve(tokio::net::TcpListener::from_std(listener)?, stopped).await
            })?;
            Ok(())
        });
        Self {
            address,
            stop: Some(stop),
            thread: Some(thread),
        }
    }

    /// Asks the server to stop, without waiting for it.
    pub fn ask_to_stop(&mut self) {
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(());
        }
    }

    /// Stops the server and waits for its end.
    ///
    /// # Errors
    ///
    /// The error with which the server ended.
    ///
    /// # Panics
    ///
    /// The server panicked.
    pub fn stop(mut self) -> io::Result<()> {
        self.ask_to_stop();
        self.thread.take().map_or(Ok(()), |thread| {
            thread.join().expect("a server that does not panic")
        })
    }

    /// Opens a connection to the server.
    ///
    /// # Panics
    ///
    /// The server cannot be reached.
    pub fn connect(&self) -> Connection {
        Connection::open(self.address).expect("a connection to the server")
    }

    /// Sends one request on a new connection, and reads the answer.
    ///
    /// # Panics
    ///
    /// There is no answer.
    pub fn exchange(&self, request: &[u8]) -> Answer {
        let mut connection = self.connect();
        // A server that refuses a long body may close the connection before it has read all of it;
        // only its answer counts.
        let sent = connection.send(request);
        connection
            .answer()
            .unwrap_or_else(|error| panic!("no answer: {error} (sending: {sent:?})"))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.ask_to_stop();
    }
}
