//! Signing messages.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ring::rand::SystemRandom;
use ring::signature::{
    ECDSA_P256_SHA256_FIXED_SIGNING, ECDSA_P384_SHA384_FIXED_SIGNING, EcdsaKeyPair, KeyPair as _,
    RSA_PKCS1_SHA256, RsaKeyPair,
};
use rustls_pki_types::PrivateKeyDer;
use rustls_pki_types::pem::PemObject;
use svcgen_core::Limits;
use svcgen_ws::internals::write_time;

use crate::algorithm::{Method, SHA_256, sha_256};
use crate::canonical::{Target, all_prefixes_of_types, canonical};
use crate::certificate::{Certificate, KeyKind};
use crate::error::SignatureError;
use crate::names::{BASE64, DS, EXCLUSIVE, KEY_IDENTIFIER, THUMBPRINT, WSSE, WSU, X509_V3};
use crate::outline::{Outline, Part, Security};

/// The reference in a message to the certificate with the key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum CertificateReference {
    /// The certificate is in the message, as a `BinarySecurityToken`.
    #[default]
    Token,
    /// The name of its issuer and its serial number: `X509IssuerSerial`.
    IssuerSerial,
    /// The subject key identifier of the certificate.
    SubjectKeyIdentifier,
    /// The SHA-1 of the certificate.
    Thumbprint,
}

enum PrivateKey {
    Rsa(RsaKeyPair),
    Ecdsa(EcdsaKeyPair),
}

/// Signs messages: the requests of a client, or the answers of a server.
///
/// It signs the Body, a `Timestamp` and, if there is one, the `UsernameToken`, with SHA-256 (with
/// SHA-384 by a key on P-384), after exclusive canonicalisation.
///
/// ```no_run
/// # fn example() -> Result<(), Box<dyn std::error::Error>> {
/// use svcgen_signatures::Signer;
///
/// let signer = Signer::from_pem(&std::fs::read("own.pem")?, &std::fs::read("own.key")?)?
///     .with_signed_header("http://www.w3.org/2005/08/addressing", "To");
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Signer {
    certificate: Certificate,
    key: Arc<PrivateKey>,
    kind: KeyKind,
    reference: CertificateReference,
    clock: Arc<dyn Fn() -> SystemTime + Send + Sync>,
    validity: Duration,
    signs_body: bool,
    signs_token: bool,
    headers: Vec<(String, String)>,
}

impl Signer {
    /// Signs with the private key of a certificate, both in PEM.
    ///
    /// # Errors
    ///
    /// The certificate or the key cannot be read, the key does not belong to the certificate, or is
    /// neither RSA (PKCS #8 or PKCS #1) nor ECDSA on P-256 or P-384 (PKCS #8).
    pub fn from_pem(certificate: &[u8], key: &[u8]) -> Result<Self, SignatureError> {
        let certificate = Certificate::from_pem(certificate)?;
        let key = PrivateKeyDer::from_pem_slice(key).map_err(|error| {
            SignatureError::certificate(format!("no private key in PEM: {error}"))
        })?;
        let refused = |why: String| SignatureError::certificate(format!("the private key: {why}"));
        let kind = certificate
            .kind()
            .ok_or_else(|| refused("it is neither RSA nor ECDSA on P-256 or P-384".to_owned()))?;
        let algorithm = match kind {
            KeyKind::P384 => &ECDSA_P384_SHA384_FIXED_SIGNING,
            KeyKind::P256 | KeyKind::Rsa => &ECDSA_P256_SHA256_FIXED_SIGNING,
        };
        let pair = match (kind, &key) {
            (KeyKind::Rsa, PrivateKeyDer::Pkcs8(key)) => {
                RsaKeyPair::from_pkcs8(key.secret_pkcs8_der()).map(PrivateKey::Rsa)
            }
            (KeyKind::Rsa, PrivateKeyDer::Pkcs1(key)) => {
                RsaKeyPair::from_der(key.secret_pkcs1_der()).map(PrivateKey::Rsa)
            }
            (_, PrivateKeyDer::Pkcs8(key)) => {
                let random = SystemRandom::new();
                EcdsaKeyPair::from_pkcs8(algorithm, key.secret_pkcs8_der(), &random)
                    .map(PrivateKey::Ecdsa)
            }
            _ => {
                let why = "it is not in PKCS #8; `openssl pkcs8 -topk8 -nodes` writes it so";
                return Err(refused(why.to_owned()));
            }
        };
        let pair = pair.map_err(|error| refused(error.to_string()))?;
        let public = match &pair {
            PrivateKey::Rsa(pair) => pair.public_key().as_ref(),
            PrivateKey::Ecdsa(pair) => pair.public_key().as_ref(),
        };
        if public != certificate.public_key() {
            return Err(refused("it is not that of the certificate".to_owned()));
        }
        Ok(Self {
            certificate,
            key: Arc::new(pair),
            kind,
            reference: CertificateReference::default(),
            clock: Arc::new(SystemTime::now),
            validity: Duration::from_secs(300),
            signs_body: true,
            signs_token: false,
            headers: Vec::new(),
        })
    }

    /// Sets the reference in a message to the certificate with the key.
    #[must_use]
    pub fn with_reference(mut self, reference: CertificateReference) -> Self {
        self.reference = reference;
        self
    }

    /// Also signs SOAP headers with this namespace and name, if they are present.
    #[must_use]
    pub fn with_signed_header(mut self, namespace: &str, name: &str) -> Self {
        self.headers.push((namespace.to_owned(), name.to_owned()));
        self
    }

    /// Sets whether to sign the Body, which is the default, or only the `Timestamp`, if TLS
    /// protects the message (`EndorsingSupportingTokens` of WS-SecurityPolicy).
    #[must_use]
    pub fn with_signed_body(mut self, signed: bool) -> Self {
        self.signs_body = signed;
        self
    }

    /// Sets whether to sign the `BinarySecurityToken` (`ProtectTokens` of WS-SecurityPolicy).
    #[must_use]
    pub fn with_signed_token(mut self, signed: bool) -> Self {
        self.signs_token = signed;
        self
    }

    /// Sets the validity of a message in its `Timestamp`. By default, five minutes.
    #[must_use]
    pub fn with_validity(mut self, time: Duration) -> Self {
        self.validity = time;
        self
    }

    /// Sets the clock, for tests.
    #[must_use]
    pub fn with_clock(mut self, clock: impl Fn() -> SystemTime + Send + Sync + 'static) -> Self {
        self.clock = Arc::new(clock);
        self
    }

    /// Signs a message, given as the text of its envelope.
    ///
    /// # Errors
    ///
    /// The message is not a SOAP envelope, is already signed, or refers to a subject key identifier
    /// that the certificate does not have.
    ///
    /// # Panics
    ///
    /// The system provides no random bytes.
    pub fn sign(&self, message: &str) -> Result<String, SignatureError> {
        let (text, parts) = self.prepared(message)?;
        let outline = Outline::of(&text, &own_limits())?;
        // Values may use the prefixes of the Envelope, which nothing in the message shows.
        let mut prefixes = all_prefixes_of_types(&text, &own_limits())?;
        prefixes.extend(outline.prefixes.iter().cloned());
        let listed: Vec<_> = prefixes.iter().map(String::as_str).collect();
        let targets = parts.iter().map(|id| {
            let part = outline.part(id).ok_or_else(|| {
                SignatureError::security(format!("the id '{id}' cannot be given to its part."))
            })?;
            let prefixes = if part.is_of_security() {
                Vec::new()
            } else {
                listed.clone()
            };
            Ok(Target {
                start: part.start,
                prefixes,
                id: part.id.as_deref(),
                allows_unsigned_prefixes: false,
            })
        });
        let targets = targets.collect::<Result<Vec<_>, SignatureError>>()?;
        let forms = canonical(&text, &own_limits(), &targets)?;
        let info = self.signed_info(&targets, &forms);
        // The canonical form does not depend on outer elements, because it uses no other prefix.
        let root = Target {
            start: 1,
            prefixes: Vec::new(),
            id: None,
            allows_unsigned_prefixes: false,
        };
        let form = canonical(&info, &own_limits(), &[root])?.concat();
        let signature = self.signature(&info, &self.value(&form)?)?;
        let end = outline.security.and_then(|security| security.end);
        let end = end.ok_or_else(|| SignatureError::security("there is no place for it."))?;
        Ok([&text[..end], &signature, &text[end..]].concat())
    }

    /// Returns the message with its `Security` header, except for the signature, and the ids of the
    /// parts to sign.
    fn prepared(&self, message: &str) -> Result<(String, Vec<String>), SignatureError> {
        let outline = Outline::of(message, &own_limits())?;
        let mut edits = Edits::new(message);
        let own = self.token_and_timestamp(&outline);
        match (&outline.security, outline.header_content) {
            (Some(Security { end: Some(end), .. }), _) => edits.insert(*end, own.markup),
            (None, Some(at)) => edits.insert(at, security_header(&outline, &own.markup)),
            (None, None) if !outline.has_header => {
                let (prefix, header) = (&outline.prefix, security_header(&outline, &own.markup));
                let header = format!("<{prefix}Header>{header}</{prefix}Header>");
                edits.insert(outline.body.start - 1, header);
            }
            _ => return Err(SignatureError::security("the Header is an empty tag.")),
        }
        let mut ids = own.signed;
        for part in self.parts(&outline)? {
            match &part.id {
                Some(id) => ids.push(id.clone()),
                None => {
                    let id = new_id();
                    let declared = if part.declares_wsu {
                        String::new()
                    } else {
                        format!(" xmlns:wsu=\"{WSU}\"")
                    };
                    edits.insert(part.name_end, format!("{declared} wsu:Id=\"{id}\""));
                    ids.push(id);
                }
            }
        }
        Ok((edits.finish(), ids))
    }

    /// Returns the parts of a message to sign, except for those that are added with the signature.
    fn parts<'o>(&self, outline: &'o Outline) -> Result<Vec<&'o Part>, SignatureError> {
        let mut parts: Vec<_> = self
            .signs_body
            .then_some(&outline.body)
            .into_iter()
            .collect();
        let is_listed = |part: &&Part| {
            let mut listed = self.headers.iter();
            listed.any(|it| it.0 == part.namespace && it.1 == part.name)
        };
        parts.extend(outline.headers.iter().filter(is_listed));
        for (part, _) in outline
            .security
            .iter()
            .flat_map(|security| &security.children)
        {
            match (&*part.namespace, &*part.name) {
                (DS, "Signature") => {
                    return Err(SignatureError::security("the message is signed already."));
                }
                (WSU, "Timestamp") | (WSSE, "UsernameToken") => parts.push(part),
                _ => {}
            }
        }
        Ok(parts)
    }

    /// Returns the token, and the `Timestamp` unless the message has one.
    fn token_and_timestamp(&self, outline: &Outline) -> Added {
        let (mut markup, mut signed) = (String::new(), Vec::new());
        let children = outline
            .security
            .iter()
            .flat_map(|security| &security.children);
        let has_timestamp = children.clone().any(|(_, node)| node.is(WSU, "Timestamp"));
        // The `Timestamp` comes first, as in `LaxTsFirst` of WS-SecurityPolicy.
        if !has_timestamp {
            let (id, created) = (new_id(), (self.clock)());
            let expires = created.checked_add(self.validity).unwrap_or(created);
            let [created, expires] = [created, expires].map(write_time);
            markup.push_str(&format!(
                "<wsu:Timestamp xmlns:wsu=\"{WSU}\" wsu:Id=\"{id}\"><wsu:Created>{created}</wsu:Created><wsu:Expires>{expires}</wsu:Expires></wsu:Timestamp>"
            ));
            signed.push(id);
        }
        if self.reference == CertificateReference::Token {
            let (id, token) = (self.token_id(), STANDARD.encode(self.certificate.der()));
            markup.push_str(&format!(
                "<wsse:BinarySecurityToken xmlns:wsse=\"{WSSE}\" xmlns:wsu=\"{WSU}\" EncodingType=\"{BASE64}\" ValueType=\"{X509_V3}\" wsu:Id=\"{id}\">{token}</wsse:BinarySecurityToken>"
            ));
            if self.signs_token {
                signed.push(id);
            }
        }
        Added { markup, signed }
    }

    fn signed_info(&self, targets: &[Target<'_>], forms: &[Vec<u8>]) -> String {
        let method = Method::of_key(self.kind).uri;
        let mut info = format!(
            "<ds:SignedInfo xmlns:ds=\"{DS}\"><ds:CanonicalizationMethod Algorithm=\"{EXCLUSIVE}\"/><ds:SignatureMethod Algorithm=\"{method}\"/>"
        );
        for (target, form) in targets.iter().zip(forms) {
            let (id, digest) = (
                escaped(target.id.unwrap_or_default()),
                STANDARD.encode(sha_256(form)),
            );
            let list = match target.prefixes.join(" ") {
                list if list.is_empty() => String::new(),
                list => format!(
                    "<ec:InclusiveNamespaces xmlns:ec=\"{EXCLUSIVE}\" PrefixList=\"{list}\"/>"
                ),
            };
            info.push_str(&format!(
                "<ds:Reference URI=\"#{id}\"><ds:Transforms><ds:Transform Algorithm=\"{EXCLUSIVE}\">{list}</ds:Transform></ds:Transforms><ds:DigestMethod Algorithm=\"{SHA_256}\"/><ds:DigestValue>{digest}</ds:DigestValue></ds:Reference>"
            ));
        }
        info.push_str("</ds:SignedInfo>");
        info
    }

    /// Returns the signature of bytes.
    fn value(&self, bytes: &[u8]) -> Result<Vec<u8>, SignatureError> {
        let random = SystemRandom::new();
        let failed = |_| SignatureError::check("the key does not sign");
        match &*self.key {
            PrivateKey::Rsa(pair) => {
                let mut value = vec![0; pair.public().modulus_len()];
                let signed = pair.sign(&RSA_PKCS1_SHA256, &random, bytes, &mut value);
                signed.map_err(failed)?;
                Ok(value)
            }
            PrivateKey::Ecdsa(pair) => {
                let value = pair.sign(&random, bytes).map_err(failed)?;
                Ok(value.as_ref().to_vec())
            }
        }
    }

    fn signature(&self, info: &str, value: &[u8]) -> Result<String, SignatureError> {
        let (value, key) = (STANDARD.encode(value), self.key_info()?);
        let info = info.replacen(&format!(" xmlns:ds=\"{DS}\""), "", 1);
        Ok(format!(
            "<ds:Signature xmlns:ds=\"{DS}\">{info}<ds:SignatureValue>{value}</ds:SignatureValue><ds:KeyInfo><wsse:SecurityTokenReference xmlns:wsse=\"{WSSE}\">{key}</wsse:SecurityTokenReference></ds:KeyInfo></ds:Signature>"
        ))
    }

    fn key_info(&self) -> Result<String, SignatureError> {
        let certificate = &self.certificate;
        let identifier = |kind: &str, value: &[u8]| {
            let value = STANDARD.encode(value);
            format!(
                "<wsse:KeyIdentifier EncodingType=\"{BASE64}\" ValueType=\"{kind}\">{value}</wsse:KeyIdentifier>"
            )
        };
        Ok(match self.reference {
            CertificateReference::Token => {
                let id = self.token_id();
                format!("<wsse:Reference URI=\"#{id}\" ValueType=\"{X509_V3}\"/>")
            }
            CertificateReference::IssuerSerial => {
                let issuer = escaped(certificate.issuer());
                let number = certificate.serial_number();
                format!(
                    "<ds:X509Data><ds:X509IssuerSerial><ds:X509IssuerName>{issuer}</ds:X509IssuerName><ds:X509SerialNumber>{number}</ds:X509SerialNumber></ds:X509IssuerSerial></ds:X509Data>"
                )
            }
            CertificateReference::SubjectKeyIdentifier => {
                let id = certificate.key_identifier().ok_or_else(|| {
                    SignatureError::certificate("the certificate has no subject key identifier")
                })?;
                identifier(KEY_IDENTIFIER, id)
            }
            CertificateReference::Thumbprint => identifier(THUMBPRINT, &certificate.thumbprint()),
        })
    }

    /// Returns the id of the token, the same in each message, because the token is the same.
    fn token_id(&self) -> String {
        format!("X509-{}", hex(&self.certificate.thumbprint()))
    }
}

/// The parts that are added with the signature, and the ids of those to sign.
struct Added {
    markup: String,
    signed: Vec<String>,
}

/// Returns the header for a message without one. It must be understood.
fn security_header(outline: &Outline, content: &str) -> String {
    let (prefix, namespace) = (&outline.prefix, outline.namespace);
    // Only a prefix gives an attribute a namespace.
    let (prefix, declared) = match prefix.as_str() {
        "" => ("soap:", format!(" xmlns:soap=\"{namespace}\"")),
        prefix => (prefix, String::new()),
    };
    format!(
        "<wsse:Security xmlns:wsse=\"{WSSE}\"{declared} {prefix}mustUnderstand=\"1\">{content}</wsse:Security>"
    )
}

/// Returns no limits, because this program writes the message, except for the depth that nothing
/// exceeds.
fn own_limits() -> Limits {
    Limits::default()
        .with_depth(Limits::MOST_DEPTH)
        .with_elements(usize::MAX)
        .with_attributes(usize::MAX)
        .with_namespaces(usize::MAX)
        .with_name(usize::MAX)
        .with_attribute_value(usize::MAX)
        .with_text(usize::MAX)
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('"', "&quot;")
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns a new id. It makes each message different, even if two have the same content and time.
fn new_id() -> String {
    let mut random = [0; 16];
    getrandom::fill(&mut random).expect("the system gives random bytes");
    format!("id-{}", hex(&random))
}

/// Texts to insert into another one.
struct Edits<'t> {
    text: &'t str,
    inserted: Vec<(usize, String)>,
}

impl<'t> Edits<'t> {
    fn new(text: &'t str) -> Self {
        Self {
            text,
            inserted: Vec::new(),
        }
    }

    fn insert(&mut self, at: usize, text: String) {
        self.inserted.push((at, text));
    }

    fn finish(mut self) -> String {
        self.inserted.sort_by_key(|(at, _)| *at);
        let (mut out, mut from) = (String::new(), 0);
        for (at, text) in self.inserted {
            out.push_str(&self.text[from..at]);
            out.push_str(&text);
            from = at;
        }
        out.push_str(&self.text[from..]);
        out
    }
}

/// Omits the key.
impl fmt::Debug for Signer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Signer")
            .field("certificate", &self.certificate)
            .field("reference", &self.reference)
            .finish_non_exhaustive()
    }
}
