//! `fixture_server [--port N] [--host H] [--inherited]`: serves the fixture services and the
//! library until it is stopped.

use std::io::{self, Write};
use std::process::ExitCode;

use svcgen::serve::{AnyListener, inherited_listeners};
use svcgen_tests::{echo, fixture};
use tokio::net::TcpListener;

const USAGE: &str = "usage: fixture_server [--port N] [--host H] [--inherited]

Serves both fixture services and the library over all four bindings until Ctrl-C or SIGTERM.

  --port N   the port to listen on; 0, the default, takes a free one
  --host H   the name or address to listen on; default 127.0.0.1
  --inherited  the sockets that LISTEN_FDS names, instead; their number is printed as `2 sockets`

The address is printed as `listening on http://HOST:PORT`.";

struct Options {
    host: String,
    port: u16,
    is_inherited: bool,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments
        .iter()
        .any(|argument| argument == "--help" || argument == "-h")
    {
        println!("{USAGE}");
        return ExitCode::SUCCESS;
    }
    match options(&arguments) {
        Ok(options) => run(&options),
        Err(error) => {
            eprintln!("fixture_server: {error}\n\n{USAGE}");
            ExitCode::from(2)
        }
    }
}

fn options(arguments: &[String]) -> Result<Options, String> {
    let mut options = Options {
        host: "127.0.0.1".to_owned(),
        port: 0,
        is_inherited: false,
    };
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        let (flag, value) = match argument.split_once('=') {
            Some((flag, value)) => (flag, Some(value)),
            None => (argument.as_str(), None),
        };
        let mut value = || {
            value
                .or_else(|| rest.next().map(String::as_str))
                .ok_or(format!("{flag} needs a value"))
        };
        match flag {
            "--port" => options.port = port(value()?)?,
            "--inherited" => options.is_inherited = true,
            "--host" => options.host = value()?.to_owned(),
            _ => return Err(format!("unknown argument `{argument}`")),
        }
    }
    Ok(options)
}

fn port(text: &str) -> Result<u16, String> {
    text.parse()
        .map_err(|_| format!("`{text}` is not a port (0 to 65535)"))
}

fn run(options: &Options) -> ExitCode {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build();
    let served = runtime.and_then(|runtime| runtime.block_on(serve(options)));
    match served {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("fixture_server: {}:{}: {error}", options.host, options.port);
            ExitCode::FAILURE
        }
    }
}

async fn serve(options: &Options) -> io::Result<()> {
    // The signal handlers are installed before the address is printed, so that a reader of the
    // address can stop the server at once.
    let stop = svcgen::stop_signal()?;
    let listeners = if options.is_inherited {
        let listeners = inherited_listeners()?;
        println!("{} sockets", listeners.len());
        listeners
    } else {
        let listener = TcpListener::bind((options.host.as_str(), options.port)).await?;
        println!("listening on http://{}", listener.local_addr()?);
        vec![AnyListener::new(listener)]
    };
    io::stdout().flush()?;
    let services = fixture::router().with_service(echo::server());
    svcgen::serve(listeners, services)
        .with_shutdown(stop)
        .await?;
    Ok(())
}
