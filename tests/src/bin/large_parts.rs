//! `large_parts LENGTH`: a server that keeps parts on disk receives a part of this length and sends
//! it back, in little memory.

use std::fmt::Display;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, ExitCode, Stdio};

use svcgen::types::LargeBytes;
use svcgen::{Context, Fault};
use svcgen_attachments::{Attachments, PartsOnDisk, ServerAttachments as _};
use tokio::net::TcpListener;

use archive::{ArchiveHandler, ArchiveServer, BothRequest, EchoRequest, LengthRequest};

svcgen::include_service!("archive");

const USAGE: &str = "usage: large_parts LENGTH

Sends a part of so many bytes to a server, which it starts in a process of its own, and gets it back. The
server must have taken less than 64 MiB of memory at any time. Runs on Linux.";

/// The limit for the memory of the server, in KiB.
const MOST_MEMORY: u64 = 64 << 10;

struct Keeper;

impl ArchiveHandler for Keeper {
    async fn echo(&self, _: &Context, request: EchoRequest) -> Result<Option<LargeBytes>, Fault> {
        Ok(request.report)
    }

    async fn both(&self, _: &Context, request: BothRequest) -> Result<bool, Fault> {
        Ok(request.first == request.second)
    }

    async fn length(&self, _: &Context, request: LengthRequest) -> Result<i32, Fault> {
        Ok(i32::try_from(request.data.len())?)
    }
}

#[tokio::main]
async fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let outcome = match arguments.as_slice() {
        [word] if word == "serve" => serve().await.map_err(|error| error.to_string()),
        [length] => length.parse().map_err(text).and_then(echo),
        _ => Err(USAGE.to_owned()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("large_parts: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn serve() -> std::io::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("{}", listener.local_addr()?);
    let attachments = Attachments::new()
        .with_bytes(usize::MAX)
        .with_part_bytes(usize::MAX)
        .with_parts_on_disk(PartsOnDisk::above(1 << 20));
    let server = ArchiveServer::new(Keeper).with_attachments(attachments);
    svcgen::serve(listener, server)
        .with_max_body_memory(8 << 20)
        .await?;
    Ok(())
}

fn text(error: impl Display) -> String {
    error.to_string()
}

/// A server, killed when dropped.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Fills a piece of the part that starts at the offset `from`. No two pages of the part are equal.
fn fill(bytes: &mut [u8], from: usize) {
    for (at, byte) in bytes.iter_mut().enumerate() {
        let at = from + at;
        *byte = (at ^ (at >> 8) ^ (at >> 16) ^ (at >> 24)) as u8;
    }
}

fn echo(length: usize) -> Result<(), String> {
    let program = std::env::current_exe().map_err(text)?;
    let child = Command::new(program)
        .arg("serve")
        .stdout(Stdio::piped())
        .spawn();
    let mut server = Process(child.map_err(text)?);
    let output = server.0.stdout.take().ok_or("no output")?;
    let mut address = String::new();
    BufReader::new(output)
        .read_line(&mut address)
        .map_err(text)?;
    let mut connection = TcpStream::connect(address.trim_end()).map_err(text)?;
    send(&mut connection, length).map_err(text)?;
    receive(BufReader::with_capacity(PIECE, connection), length)?;
    let status =
        std::fs::read_to_string(format!("/proc/{}/status", server.0.id())).map_err(text)?;
    let most = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let most = most.and_then(|most| most.trim().strip_suffix("kB")?.trim().parse::<u64>().ok());
    let most = most.ok_or("the system does not tell the memory of the server")?;
    println!("{length} bytes there and back; the server took {most} KiB at most");
    if most >= MOST_MEMORY {
        return Err(format!("the server may take {MOST_MEMORY} KiB"));
    }
    Ok(())
}

/// The number of bytes that are sent and compared at a time.
const PIECE: usize = 256 << 10;

fn send(connection: &mut TcpStream, length: usize) -> std::io::Result<()> {
    let start = "--b\r\nContent-Type: application/xop+xml; type=\"text/xml\"\r\n\r\n<s:Envelope xmlns:s='http://schemas.xmlsoap.org/soap/envelope/'><s:Body><Echo xmlns='urn:example:archive'><report><x:Include xmlns:x='http://www.w3.org/2004/08/xop/include' href='cid:p'/></report></Echo></s:Body></s:Envelope>\r\n--b\r\nContent-ID: <p>\r\n\r\n";
    let end = "\r\n--b--\r\n";
    let whole = start.len() + length + end.len();
    write!(
        connection,
        "POST /Archive.asmx HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: multipart/related; type=\"application/xop+xml\"; boundary=b\r\nSOAPAction: \"urn:example:archive/Echo\"\r\nContent-Length: {whole}\r\n\r\n{start}"
    )?;
    let (mut sent, mut piece) = (0, vec![0; PIECE]);
    while sent < length {
        let piece = &mut piece[..PIECE.min(length - sent)];
        fill(piece, sent);
        connection.write_all(piece)?;
        sent += piece.len();
    }
    connection.write_all(end.as_bytes())
}

fn receive(mut answer: impl BufRead, length: usize) -> Result<(), String> {
    let mut status = String::new();
    answer.read_line(&mut status).map_err(text)?;
    if !status.starts_with("HTTP/1.1 200 ") {
        let mut rest = String::new();
        answer
            .take(10_000)
            .read_to_string(&mut rest)
            .map_err(text)?;
        return Err(format!("{status}{rest}"));
    }
    // The heads of the answer, of the message and of the part each end with an empty line.
    for _ in 0..3 {
        let mut line = String::new();
        while line != "\r\n" {
            line.clear();
            if answer.read_line(&mut line).map_err(text)? == 0 {
                return Err("the answer has no part".to_owned());
            }
        }
    }
    let (mut received, mut piece, mut expected) = (0, vec![0; PIECE], vec![0; PIECE]);
    while received < length {
        let piece_length = PIECE.min(length - received);
        let (piece, expected) = (&mut piece[..piece_length], &mut expected[..piece_length]);
        answer.read_exact(piece).map_err(text)?;
        fill(expected, received);
        if piece != expected {
            return Err(format!("other bytes came back after {received}"));
        }
        received += piece_length;
    }
    let mut end = String::new();
    answer.read_to_string(&mut end).map_err(text)?;
    let is_ended = end.starts_with("\r\n--") && end.ends_with("--\r\n");
    is_ended
        .then_some(())
        .ok_or("the answer does not end after the part".to_owned())
}
