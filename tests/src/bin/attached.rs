//! `attached serve` serves the service `Files` to callers with attachments; `attached call` calls
//! such a service of another stack, and compares what comes back.

use std::process::ExitCode;

use svcgen::{Binding, Context, Fault, HttpTransport, Limits, ServerOptions};
use svcgen_attachments::{Attachments, ClientAttachments as _, ServerAttachments as _};
use tokio::net::TcpListener;

use files::{
    EchoRequest, FilesClient, FilesHandler, FilesServer, Folder, KeepRequest, NamedRequest,
};

svcgen::include_service!("files");

const USAGE: &str = "usage: attached serve
       attached call URL BINDING mtom|text LENGTH

serve prints the address as `listening on http://HOST:PORT`; call prints `result kept LENGTH` and `result echoed`, or `error TEXT`.";

/// As long as the longest message that a script sends.
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

#[tokio::main]
async fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match &*arguments {
        ["serve"] => serve().await.map_err(|error| error.to_string()),
        ["call", url, binding, packaging, length] => call(url, binding, packaging, length).await,
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
    let server = FilesServer::new(Told).with_options(options);
    let server = server.with_attachments(ATTACHMENTS);
    svcgen::serve(listener, server)
        .with_max_body_memory(2 * MOST)
        .await?;
    Ok(())
}

fn limits() -> Limits {
    Limits::default().with_body(2 * MOST).with_text(2 * MOST)
}

async fn call(url: &str, binding: &str, packaging: &str, length: &str) -> Result<(), String> {
    let text = |error: &dyn std::fmt::Display| error.to_string();
    let mut bindings = Binding::ALL.into_iter();
    let binding = bindings.find(|known| known.key() == binding);
    let binding = binding.ok_or("no such binding")?;
    let length = length.parse::<usize>().map_err(|error| text(&error))?;
    let transport = HttpTransport::new().with_body_limit(2 * MOST);
    let client = FilesClient::new(transport, url).map_err(|error| text(&error))?;
    let attachments = ATTACHMENTS.with_mtom(packaging == "mtom");
    let client = client
        .with_binding(binding)
        .with(|client| client.with_limits(limits()).with_attachments(attachments));
    let data: Vec<u8> = (0..length).map(|at| (at * 7 % 251) as u8).collect();
    let request = KeepRequest { data };
    let kept = client.keep(&request).await.map_err(|error| text(&error))?;
    println!("result kept {kept}");
    let folder = Folder {
        first: Some(request.data),
        ..Folder::default()
    };
    let request = EchoRequest { folder };
    let echoed = client.echo(&request).await.map_err(|error| text(&error))?;
    if echoed != request.folder {
        return Err("other bytes came back".to_owned());
    }
    println!("result echoed");
    Ok(())
}
