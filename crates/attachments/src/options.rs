//! The options of servers and clients.

use crate::multipart::Bounds;
use crate::part_bytes::PartsOnDisk;

/// How messages with attachments are read and written.
#[derive(Debug, Clone)]
pub struct Attachments {
    pub(crate) bounds: Bounds,
    pub(crate) disk: Option<PartsOnDisk>,
    /// How many bytes a whole body may have.
    pub(crate) most_bytes: usize,
    /// The least bytes of a value that becomes a part.
    pub(crate) threshold: usize,
    pub(crate) mtom: bool,
    pub(crate) policy: bool,
}

impl Attachments {
    /// The defaults: bodies of up to 64 MiB with up to 100 parts, each with a head of up to 8 KiB.
    pub const fn new() -> Self {
        Self {
            bounds: Bounds {
                parts: 100,
                head: 8 << 10,
                part: 64 << 20,
                root: usize::MAX,
            },
            disk: None,
            most_bytes: 64 << 20,
            threshold: 1024,
            mtom: false,
            policy: false,
        }
    }

    /// Sets how many bytes a body may have, the message and all its parts. The message itself may
    /// be as long as one without parts ([`Limits::body`](svcgen_core::Limits::body)).
    ///
    /// Bytes that have arrived and are not on disk count towards the memory that the bodies of all
    /// calls of a server may take together.
    #[must_use]
    pub const fn with_bytes(mut self, bytes: usize) -> Self {
        self.most_bytes = bytes;
        self
    }

    /// Sets how many bytes one part may have.
    #[must_use]
    pub const fn with_part_bytes(mut self, bytes: usize) -> Self {
        self.bounds.part = bytes;
        self
    }

    /// Sets how many parts a body may have, the message included.
    #[must_use]
    pub const fn with_parts(mut self, parts: usize) -> Self {
        self.bounds.parts = parts;
        self
    }

    /// Keeps long parts of received messages on disk. By default, all parts are in memory.
    ///
    /// Parts with a `Content-Transfer-Encoding` of `base64` or `quoted-printable` are decoded in
    /// memory, and refused if they are longer than other parts may be there.
    #[must_use]
    pub fn with_parts_on_disk(mut self, disk: PartsOnDisk) -> Self {
        self.disk = Some(disk);
        self
    }

    /// Sets from how many bytes on a value is written as a part; shorter values stay in the message,
    /// in base64. The default is 1,024.
    #[must_use]
    pub const fn with_threshold(mut self, bytes: usize) -> Self {
        self.threshold = bytes;
        self
    }

    /// Sets whether a client sends its requests in MTOM. By default it does not. Servers answer as
    /// their callers ask.
    #[must_use]
    pub const fn with_mtom(mut self, mtom: bool) -> Self {
        self.mtom = mtom;
        self
    }

    /// Sets whether the WSDL of a server has a policy that says that messages may be in MTOM
    /// (WS-MTOMPolicy), so that WCF and JAX-WS make clients that send it. By default it has none:
    /// the WSDL is that of the original, and clients made from it send base64.
    #[must_use]
    pub const fn with_policy(mut self, policy: bool) -> Self {
        self.policy = policy;
        self
    }
}

impl Default for Attachments {
    fn default() -> Self {
        Self::new()
    }
}
