//! `attached serve` serves the services `Files` and `Scans` to callers with attachments; `attached
//! call` and `attached turn` call such services of another stack, and compare the answers.

use std::process::ExitCode;

use svcgen::types::LargeBytes;
use svcgen::{Binding, Context, Fault, HttpTransport, Limits, Router, ServerOptions};
use svcgen_attachments::{
    Attachment, Attachments, CallAttachments as _, ClientAttachments as _, OutgoingAttachment,
    OutgoingAttachments, ReceivedAttachments, ServerAttachments as _,
};
use tokio::net::TcpListener;

use files::{
    EchoRequest, FilesClient, FilesHandler, FilesServer, Folder, KeepRequest, NamedRequest,
};

use scans::{ScansClient, ScansHandler, ScansServer, TurnRequest, Turned};

svcgen::include_service!("files");
svcgen::include_service!("scans");

const USAGE: &str = "usage: attached serve
       attached call URL BINDING mtom|text LENGTH
       attached turn URL BINDING mtom|text LENGTH

serve prints the address as `listening on http://HOST:PORT`; call prints `result kept LENGTH` and `result echoed`, turn `result turned LENGTH`, or `error TEXT`.";

/// The maximum length of a message of a script.
const MOST: usize = 300 << 20;

const ATTACHMENTS: Attachments = Attachments::new().with_bytes(MOST).with_part_bytes(MOST);

struct Told;

impl FilesHandler for Told {
    async fn echo(&self, _: &Context, request: EchoRequest) -> Result<Folder, Fault> {
        Ok(request.folder)
    }

    async fn keep(&self, _: &Context, request: KeepRequest) -> Result<i32, Fault> {
        Ok(i32::try_from(request.data.len())?)
    }

    async fn named(&self, _: &Context, _: NamedRequest) -> Result<Option<Vec<u8>>, Fault> {
        Ok(None)
    }
}

struct Turning;

impl ScansHandler for Turning {
    /// Answers with the data and a new part: the bytes of the received part, or of the data if
    /// there is no part, in reverse order.
    async fn turn(&self, context: &Context, request: TurnRequest) -> Result<Turned, Fault> {
        let received = ReceivedAttachments::of(context.extensions());
        let part = received.and_then(|all| all.get(&request.reference));
        let bytes = part.and_then(Attachment::take).map(LargeBytes::into_vec);
        let bytes = bytes.transpose()?.or(request.data.clone());
        let mut bytes = bytes.ok_or_else(|| Fault::client("No part has this reference."))?;
        bytes.reverse();
        let content_type = part.map_or("application/x-scan", Attachment::content_type);
        let turned = OutgoingAttachment::new(content_type, bytes)?;
        let reference = turned.reference();
        OutgoingAttachments::of(context)?.add(turned);
        Ok(Turned {
            reference,
            data: request.data,
        })
    }

    async fn forget(&self, _: &Context) -> Result<(), Fault> {
        Ok(())
    }
}

#[tokio::main]
async fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match &*arguments {
        ["serve"] => serve().await.map_err(|error| error.to_string()),
        ["call", url, binding, packaging, length] => call(url, binding, packaging, length).await,
        ["turn", url, binding, packaging, length] => turn(url, binding, packaging, length).await,
        _ => Err(USAGE.to_owned()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            println!("error {error}");
            ExitCode::FAILURE
        }
    }
}

async fn serve() -> std::io::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("listening on http://{}", listener.local_addr()?);
    let options = ServerOptions::new().with_limits(limits());
    let files = FilesServer::new(Told).with_options(options.clone());
    let scans = ScansServer::new(Turning).with_options(options);
    // Calling stacks read the policy or ignore it.
    let attachments = ATTACHMENTS.with_policy(true);
    let router = Router::new()
        .with_service(files.with_attachments(attachments.clone()))
        .with_service(scans.with_attachments(attachments));
    svcgen::serve(listener, router)
        .with_max_body_memory(2 * MOST)
        .await?;
    Ok(())
}

fn limits() -> Limits {
    Limits::default().with_body(2 * MOST).with_text(2 * MOST)
}

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}

fn binding_of(key: &str) -> Result<Binding, String> {
    let mut bindings = Binding::ALL.into_iter();
    let binding = bindings.find(|known| known.key() == key);
    binding.ok_or_else(|| format!("{key} is no binding"))
}

fn data_of(length: &str) -> Result<Vec<u8>, String> {
    let length = length.parse::<usize>().map_err(text)?;
    Ok((0..length).map(|at| (at * 7 % 251) as u8).collect())
}

async fn call(url: &str, binding: &str, packaging: &str, length: &str) -> Result<(), String> {
    let (binding, data) = (binding_of(binding)?, data_of(length)?);
    let transport = HttpTransport::new().with_body_limit(2 * MOST);
    let client = FilesClient::new(transport, url).map_err(text)?;
    let attachments = ATTACHMENTS.with_mtom(packaging == "mtom");
    let client = client
        .with_binding(binding)
        .with(|client| client.with_limits(limits()).with_attachments(attachments));
    let request = KeepRequest { data };
    let kept = client.keep(&request).await.map_err(text)?;
    println!("result kept {kept}");
    let folder = Folder {
        first: Some(request.data),
        ..Folder::default()
    };
    let request = EchoRequest { folder };
    let echoed = client.echo(&request).await.map_err(text)?;
    if echoed != request.folder {
        return Err("other bytes came back".to_owned());
    }
    println!("result echoed");
    Ok(())
}

async fn turn(url: &str, binding: &str, packaging: &str, length: &str) -> Result<(), String> {
    let (binding, data) = (binding_of(binding)?, data_of(length)?);
    let client = ScansClient::connect(url).map_err(text)?;
    let attachments = ATTACHMENTS.with_mtom(packaging == "mtom");
    let client = client
        .with_binding(binding)
        .with(|client| client.with_attachments(attachments));
    let part = OutgoingAttachment::new("application/x-scan", data.clone()).map_err(text)?;
    let request = TurnRequest {
        reference: part.reference(),
        data: Some(data.clone()),
    };
    let answered = client.turn(&request).with_attachment(part).answered().await;
    let turned = answered.result.map_err(text)?;
    let received = ReceivedAttachments::of(&answered.extensions);
    let part = received.and_then(|all| all.get(&turned.reference));
    let bytes = part.and_then(Attachment::take);
    let mut bytes = bytes.ok_or("no part came back")?.into_vec().map_err(text)?;
    bytes.reverse();
    if bytes != data || turned.data != request.data {
        return Err("other bytes came back".to_owned());
    }
    println!("result turned {}", bytes.len());
    Ok(())
}
