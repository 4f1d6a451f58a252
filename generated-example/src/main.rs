//! Serves both services on an account store, embedded or on a server.

use std::io::{self, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::process::ExitCode;

use clap::Parser;
use generated_example::router;
use generated_example::services::{authenticator, device_login_service};
use generated_example::store::{Database, Store, StoreOptions, demo};
use tokio::net::TcpListener;

/// Serves Authenticator and DeviceLoginService on an account store, embedded or on a server.
#[derive(Debug, Parser)]
#[command(name = "generated-example", version)]
struct Flags {
    /// The address to listen on; port 0 picks a free port
    #[arg(long, value_name = "HOST:PORT", default_value = "127.0.0.1:8080", value_parser = host_and_port)]
    address: String,
    /// The account store: an SQLite file or, with the feature postgres,
    /// postgres://USER:PASSWORD@HOST:PORT/DATABASE; created with the demo accounts if it does not
    /// exist
    #[arg(
        long,
        value_name = "FILE|URL",
        default_value = "svcgen-example.sqlite",
        env = "SVCGEN_EXAMPLE_DATABASE",
        hide_env_values = true
    )]
    database: Database,
    /// A proxy whose X-Forwarded-For names the callers; can be repeated
    #[arg(long, value_name = "IP")]
    trusted_proxy: Vec<IpAddr>,
    /// Unlock an account, then stop
    #[arg(long, value_name = "USERNAME", conflicts_with = "release_machines")]
    unlock: Option<String>,
    /// Release an account from its machines and end its devices' tokens, then stop
    #[arg(long, value_name = "USERNAME")]
    release_machines: Option<String>,
}

fn host_and_port(text: &str) -> Result<String, String> {
    let parts = text.rsplit_once(':').filter(|(host, _)| !host.is_empty());
    let (_, port) = parts.ok_or("it is not HOST:PORT, such as 127.0.0.1:8080")?;
    port.parse::<u16>()
        .map_err(|_| format!("{port:?} is not a port (0 to 65535)"))?;
    Ok(text.to_owned())
}

fn main() -> ExitCode {
    match run(&Flags::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(text) => {
            eprintln!("error: {text}");
            ExitCode::FAILURE
        }
    }
}

fn run(flags: &Flags) -> Result<(), String> {
    let runtime =
        tokio::runtime::Runtime::new().map_err(|error| format!("cannot start: {error}"))?;
    runtime.block_on(async {
        if let Some(username) = &flags.unlock {
            let store = existing(flags).await?;
            return store
                .unlock(username)
                .await
                .map_err(|error| error.to_string());
        }
        if let Some(username) = &flags.release_machines {
            let store = existing(flags).await?;
            let released = store.release_machines(username).await;
            return released.map_err(|error| error.to_string());
        }
        serve(flags).await
    })
}

async fn open(flags: &Flags) -> Result<Store, String> {
    Store::open(&flags.database, StoreOptions::default())
        .await
        .map_err(|error| error.to_string())
}

/// An administrator works on a store that exists; a typing error in its name must not create
/// another one.
async fn existing(flags: &Flags) -> Result<Store, String> {
    if flags.database.file().is_some_and(|file| !file.exists()) {
        return Err(format!(
            "there is no {}; name the account store with --database FILE",
            flags.database
        ));
    }
    open(flags).await
}

async fn serve(flags: &Flags) -> Result<(), String> {
    // Listens before it opens the store, so that a failure leaves no file behind.
    let listener = TcpListener::bind(&flags.address)
        .await
        .map_err(|error| cannot_listen(&flags.address, &error))?;
    let address = listener
        .local_addr()
        .map_err(|error| cannot_listen(&flags.address, &error))?;
    let stop =
        svcgen::stop_signal().map_err(|error| format!("cannot listen for signals: {error}"))?;
    let store = open(flags).await?;
    let proxies = flags.trusted_proxy.iter().copied().collect();
    say(&greeting(flags, &store, address));
    svcgen::serve(listener, router(&store, &proxies))
        .with_shutdown(stop)
        .await
        .map_err(|error| format!("the server on {address} failed: {error}"))?;
    say("Stopped.\n");
    Ok(())
}

fn cannot_listen(address: &str, error: &io::Error) -> String {
    let hint = match error.kind() {
        io::ErrorKind::AddrInUse => {
            "another program uses that port; stop it, or choose another with --address HOST:PORT (port 0 picks a free one)"
        }
        io::ErrorKind::PermissionDenied => {
            "ports below 1024 need rights; choose another with --address HOST:PORT"
        }
        _ => "choose another with --address HOST:PORT",
    };
    format!("cannot listen on {address}: {error}; {hint}")
}

fn greeting(flags: &Flags, store: &Store, address: SocketAddr) -> String {
    let base = format!("http://{}", reachable(address));
    let [authenticator, device_login] = [&authenticator::MODULE, &device_login_service::MODULE]
        .map(|module| module.service.expect("it has a service"));
    let made = if store.created() {
        format!(", made with {} demo accounts", demo::ACCOUNT_COUNT)
    } else {
        String::new()
    };
    format!(
        "Listening on {address}; accounts in {database}{made}\n\
         {auth:<20}{base}{auth_path}\n\
         {device:<20}{base}{device_path}\n\
         \n\
         Try:\n\
         curl '{base}{auth_path}/Login?username=alice&password={password}'\n\
         curl -H 'Content-Type: text/xml; charset=utf-8' -H 'SOAPAction: \"{namespace}/Login\"' \
         -d '<soap:Envelope xmlns:soap=\"http://schemas.xmlsoap.org/soap/envelope/\"><soap:Body>\
         <Login xmlns=\"{namespace}\"><username>alice</username><password>{password}</password></Login>\
         </soap:Body></soap:Envelope>' {base}{auth_path}\n\
         \n\
         Stop with Ctrl-C.\n",
        database = flags.database,
        auth = authenticator.name,
        auth_path = authenticator.path,
        device = device_login.name,
        device_path = device_login.path,
        namespace = authenticator.namespace,
        password = demo::PASSWORD,
    )
}

/// An address that a program on this machine can connect to.
fn reachable(address: SocketAddr) -> SocketAddr {
    let ip = match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
        IpAddr::V6(ip) if ip.is_unspecified() => IpAddr::V6(Ipv6Addr::LOCALHOST),
        ip => ip,
    };
    SocketAddr::new(ip, address.port())
}

/// The parent process may have closed the output; the server keeps serving.
fn say(text: &str) {
    let mut out = io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}
