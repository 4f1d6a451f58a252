//! The trusted signers of messages.

use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use rustls_pki_types::{CertificateDer, TrustAnchor, UnixTime};
use webpki::{
    ALL_VERIFICATION_ALGS, EndEntityCert, ExtendedKeyUsageValidator, KeyPurposeId,
    KeyPurposeIdIter, RequiredEkuNotFoundContext, anchor_from_trusted_cert,
};

use crate::certificate::Certificate;
use crate::error::SignatureError;

/// The signers whose signatures are accepted: single certificates, and certificates that an
/// authority issued.
///
/// ```no_run
/// # fn example() -> Result<(), Box<dyn std::error::Error>> {
/// use svcgen_signatures::{Certificate, TrustedSigners};
///
/// let partner = Certificate::from_pem(&std::fs::read("partner.pem")?)?;
/// let signers = TrustedSigners::new().with_certificate(partner);
/// # Ok(())
/// # }
/// ```
///
/// Revocation is not checked. With an authority, every certificate that it issued is accepted:
/// check the [subject](Certificate::subject) in the handler.
#[derive(Debug, Clone, Default)]
pub struct TrustedSigners {
    certificates: Arc<Vec<Certificate>>,
    authorities: Arc<Vec<TrustAnchor<'static>>>,
}

impl TrustedSigners {
    /// Creates an empty collection, which trusts nobody.
    pub fn new() -> Self {
        Self::default()
    }

    /// Trusts the key of this certificate, as long as the certificate is valid. Messages may refer
    /// to it by its issuer and serial number, its subject key identifier or its thumbprint.
    #[must_use]
    pub fn with_certificate(mut self, certificate: Certificate) -> Self {
        Arc::make_mut(&mut self.certificates).push(certificate);
        self
    }

    /// Trusts the certificates that an authority issued, a root or an intermediate one. Messages
    /// must contain the certificate, and those of authorities between it and this one
    /// (`X509PKIPathv1`). This authority is trusted even after its certificate has expired.
    ///
    /// # Errors
    ///
    /// The certificate does not belong to an authority.
    pub fn with_authority(mut self, authority: &Certificate) -> Result<Self, SignatureError> {
        if !authority.is_authority() {
            let why =
                "the certificate is not that of an authority: its basicConstraints do not say so";
            return Err(SignatureError::certificate(why));
        }
        let der = CertificateDer::from(authority.der());
        let anchor = anchor_from_trusted_cert(&der).map_err(|error| {
            SignatureError::certificate(format!(
                "the certificate is not that of an authority: {error}"
            ))
        })?;
        Arc::make_mut(&mut self.authorities).push(anchor.to_owned());
        Ok(self)
    }

    /// Returns the certificates that meet a condition.
    pub(crate) fn known(&self, is_it: impl Fn(&Certificate) -> bool) -> Vec<Certificate> {
        let known = self.certificates.iter();
        known.filter(|known| is_it(known)).cloned().collect()
    }

    /// Checks that signatures by a certificate are accepted at this time. `issuers` may be between
    /// it and the authority.
    pub(crate) fn check(
        &self,
        certificate: &Certificate,
        issuers: &[Certificate],
        now: SystemTime,
    ) -> Result<(), SignatureError> {
        certificate.check_usage(now)?;
        if self.certificates.contains(certificate) {
            return Ok(());
        }
        let der = CertificateDer::from(certificate.der());
        let issuers = issuers.iter();
        let issuers: Vec<_> = issuers.map(|it| CertificateDer::from(it.der())).collect();
        let time = now.duration_since(UNIX_EPOCH).unwrap_or_default();
        let checked = EndEntityCert::try_from(&der).and_then(|leaf| {
            let time = UnixTime::since_unix_epoch(time);
            leaf.verify_for_usage(
                ALL_VERIFICATION_ALGS,
                &self.authorities,
                &issuers,
                time,
                MessagePurposes,
                None,
                None,
            )
            .map(drop)
        });
        checked.map_err(|error| {
            let subject = certificate.subject();
            SignatureError::certificate(format!(
                "the certificate of {subject} is not trusted: {error}"
            ))
        })
    }
}

/// The purposes of certificates that may sign messages. No profile defines one, so certificates for
/// clients, servers, mail and documents are accepted, and certificates without purposes.
/// Certificates for code, timestamps or OCSP responses are not.
struct MessagePurposes;

impl ExtendedKeyUsageValidator for MessagePurposes {
    fn validate(&self, purposes: KeyPurposeIdIter<'_, '_>) -> Result<(), webpki::Error> {
        /// serverAuth, clientAuth, emailProtection, documentSigning, anyExtendedKeyUsage.
        const KNOWN: [KeyPurposeId<'_>; 5] = [
            KeyPurposeId::new(&[0x2B, 6, 1, 5, 5, 7, 3, 1]),
            KeyPurposeId::new(&[0x2B, 6, 1, 5, 5, 7, 3, 2]),
            KeyPurposeId::new(&[0x2B, 6, 1, 5, 5, 7, 3, 4]),
            KeyPurposeId::new(&[0x2B, 6, 1, 5, 5, 7, 3, 36]),
            KeyPurposeId::new(&[0x55, 0x1D, 0x25, 0]),
        ];

        let mut is_any = false;
        for purpose in purposes {
            let purpose = purpose?;
            if KNOWN.contains(&purpose) {
                return Ok(());
            }
            is_any = true;
        }
        if !is_any {
            return Ok(());
        }
        Err(webpki::Error::RequiredEkuNotFoundContext(
            RequiredEkuNotFoundContext {
                required: webpki::KeyUsage::client_auth(),
                present: Vec::new(),
            },
        ))
    }
}
