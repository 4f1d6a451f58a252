//! A service whose partners sign their requests, and a client of it.

// ANCHOR: server
use std::error::Error;
use std::path::Path;

use svcgen::{Context, Fault};
use svcgen_signatures::{
    Certificate, ServerSignatures as _, SignaturePolicy, Signer, TrustedSigners, VerifiedSignature,
};

use crate::basket::{AddRequest, BasketHandler, BasketServer};

/// A shop that knows its partners by their certificates.
#[derive(Debug)]
pub struct Wholesale;

/// Returns the subject of the certificate that signed a request.
fn signer(context: &Context) -> Result<&str, Fault> {
    let signature = VerifiedSignature::of(context.extensions());
    let signature = signature.ok_or_else(|| Fault::client("Sign the request."))?;
    Ok(signature.certificate().subject())
}

impl BasketHandler for Wholesale {
    async fn add(&self, context: &Context, _: AddRequest) -> Result<i32, Fault> {
        match signer(context)? {
            "CN=partner" => Ok(1),
            _ => Err(Fault::client("You have no basket here.")),
        }
    }

    async fn report(&self, context: &Context) -> Result<Option<String>, Fault> {
        Ok(Some(format!(
            "The basket of {} is empty.",
            signer(context)?
        )))
    }
}

/// Accepts requests that the partner signed, and signs the answers.
///
/// # Errors
///
/// A file cannot be read, or the key is not that of the certificate.
pub fn server(folder: &Path) -> Result<BasketServer<Wholesale>, Box<dyn Error>> {
    let partner = Certificate::from_pem(&std::fs::read(folder.join("partner.pem"))?)?;
    let own = [
        std::fs::read(folder.join("shop.pem"))?,
        std::fs::read(folder.join("shop.key"))?,
    ];
    let policy = SignaturePolicy::new(TrustedSigners::new().with_certificate(partner));
    Ok(BasketServer::new(Wholesale)
        .with_verified_requests(policy)
        .with_signed_answers(Signer::from_pem(&own[0], &own[1])?))
}
// ANCHOR_END: server

// ANCHOR: client
use svcgen::Transport;
use svcgen_signatures::ClientSignatures as _;

use crate::basket::BasketClient;

/// Signs requests as the partner, and reads answers only if the shop signed them.
///
/// # Errors
///
/// A file cannot be read, or the key is not that of the certificate.
pub fn signing<T: Transport>(
    client: BasketClient<T>,
    folder: &Path,
) -> Result<BasketClient<impl Transport>, Box<dyn Error>> {
    let shop = Certificate::from_pem(&std::fs::read(folder.join("shop.pem"))?)?;
    let own = [
        std::fs::read(folder.join("partner.pem"))?,
        std::fs::read(folder.join("partner.key"))?,
    ];
    let policy = SignaturePolicy::new(TrustedSigners::new().with_certificate(shop));
    let signer = Signer::from_pem(&own[0], &own[1])?;
    Ok(client.with(|client| {
        let client = client.with_verified_answers(policy);
        client.with_signed_requests(signer)
    }))
}
// ANCHOR_END: client

#[cfg(test)]
mod tests {
    use rcgen::{CertificateParams, DnType, KeyPair};

    use super::*;

    #[tokio::test]
    async fn a_partner_is_known_by_the_signature() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["partner", "shop"] {
            let key = KeyPair::generate().unwrap();
            let mut params = CertificateParams::new([]).unwrap();
            params.distinguished_name.push(DnType::CommonName, name);
            let certificate = params.self_signed(&key).unwrap().pem();
            let file = |kind| folder.path().join(name).with_extension(kind);
            std::fs::write(file("pem"), certificate).unwrap();
            std::fs::write(file("key"), key.serialize_pem()).unwrap();
        }
        let server = std::sync::Arc::new(server(folder.path()).unwrap());
        let client = BasketClient::new(server.clone(), "http://localhost").unwrap();
        let request = AddRequest::default();
        let error = client.add(&request).await.unwrap_err();
        assert!(
            error.to_string().contains("no wsse:Security header"),
            "{error}"
        );
        let client = signing(client, folder.path()).unwrap();
        assert_eq!(client.add(&request).await.unwrap(), 1);
        let report = client.report().await.unwrap();
        assert_eq!(report.unwrap(), "The basket of CN=partner is empty.");
    }
}
