//! `signed serve FOLDER` serves the service `Work` to a partner who signs, and signs its answers;
//! `signed call` calls such a service; `signed sign` signs the message that it reads.
//!
//! `FOLDER` has `partner.pem`, `service.pem` and their keys, `partner.key` and `service.key`.

use std::error::Error;
use std::io::Read as _;
use std::path::Path;
use std::process::ExitCode;

use svcgen::{Binding, CallError, Context, Fault};
use svcgen_signatures::{
    Certificate, CertificateReference, ClientSignatures as _, ServerSignatures as _,
    SignaturePolicy, Signer, TrustedSigners, VerifiedSignature,
};
use svcgen_tests::work::{
    NotifyRequest, ReadRequest, StoreRequest, WorkClient, WorkHandler, WorkServer,
};
use tokio::net::TcpListener;

const USAGE: &str = "usage: signed serve FOLDER
       signed call FOLDER URL BINDING REFERENCE
       signed sign FOLDER REFERENCE

REFERENCE is token, number, identifier or thumbprint. serve prints the address as `listening on http://HOST:PORT`; call prints `result TEXT`, `fault TEXT` or `error TEXT`.";

struct Told;

impl WorkHandler for Told {
    async fn store(&self, context: &Context, request: StoreRequest) -> Result<String, Fault> {
        let signature = VerifiedSignature::of(context.extensions());
        let signer = signature.map_or("nobody", |it| it.certificate().subject());
        Ok(format!("{signer}: {}", request.text))
    }

    async fn read(&self, _: &Context, request: ReadRequest) -> Result<String, Fault> {
        Ok(request.text)
    }

    async fn notify(&self, _: &Context, _: NotifyRequest) -> Result<(), Fault> {
        Ok(())
    }
}

fn signer(folder: &Path, name: &str) -> Result<Signer, Box<dyn Error>> {
    let [certificate, key] =
        ["pem", "key"].map(|kind| std::fs::read(folder.join(name).with_extension(kind)));
    Ok(Signer::from_pem(&certificate?, &key?)?)
}

fn policy(folder: &Path, name: &str) -> Result<SignaturePolicy, Box<dyn Error>> {
    let certificate = std::fs::read(folder.join(name).with_extension("pem"))?;
    let certificate = Certificate::from_pem(&certificate)?;
    Ok(SignaturePolicy::new(
        TrustedSigners::new().with_certificate(certificate),
    ))
}

#[tokio::main]
async fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match &*arguments {
        ["serve", folder] => serve(Path::new(folder)).await,
        ["call", folder, url, binding, reference] => {
            call(Path::new(folder), url, binding, reference).await
        }
        ["sign", folder, reference] => sign(Path::new(folder), reference),
        _ => Err(USAGE.into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

async fn serve(folder: &Path) -> Result<(), Box<dyn Error>> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("listening on http://{}", listener.local_addr()?);
    let server = WorkServer::new(Told)
        .with_verified_requests(policy(folder, "partner")?)
        .with_signed_answers(signer(folder, "service")?);
    svcgen::serve(listener, server).await?;
    Ok(())
}

async fn call(
    folder: &Path,
    url: &str,
    binding: &str,
    reference: &str,
) -> Result<(), Box<dyn Error>> {
    let mut bindings = Binding::ALL.into_iter();
    let binding = bindings.find(|known| known.key() == binding);
    let signer = signer(folder, "partner")?.with_reference(reference_named(reference)?);
    let policy = policy(folder, "service")?;
    let client = WorkClient::connect(url)?.with_binding(binding.ok_or("no such binding")?);
    let client = client.with(|client| {
        let client = client.with_verified_answers(policy);
        client.with_signed_requests(signer)
    });
    let request = StoreRequest {
        text: "hello".to_owned(),
    };
    match client.store(&request).await {
        Ok(text) => println!("result {text}"),
        Err(CallError::Fault(fault)) => println!("fault {}", fault.text()),
        Err(error) => println!("error {error}"),
    }
    Ok(())
}

fn sign(folder: &Path, reference: &str) -> Result<(), Box<dyn Error>> {
    let mut message = String::new();
    std::io::stdin().read_to_string(&mut message)?;
    let signer = signer(folder, "service")?.with_reference(reference_named(reference)?);
    print!("{}", signer.with_signed_token(true).sign(&message)?);
    Ok(())
}

fn reference_named(name: &str) -> Result<CertificateReference, Box<dyn Error>> {
    Ok(match name {
        "token" => CertificateReference::Token,
        "number" => CertificateReference::IssuerSerial,
        "identifier" => CertificateReference::SubjectKeyIdentifier,
        "thumbprint" => CertificateReference::Thumbprint,
        _ => return Err(USAGE.into()),
    })
}
