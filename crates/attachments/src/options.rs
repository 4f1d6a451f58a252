//! The options of servers and clients.

use crate::multipart::Bounds;
use crate::part_bytes::PartsOnDisk;

/// Options for reading and writing messages with attachments.
#[derive(Debug, Clone)]
pub struct Attachments {
    pub(crate) bounds: Bounds,
    pub(crate) disk: Option<PartsOnDisk>,
    /// The limit of a whole body in bytes.
    pub(crate) most_bytes: usize,
    /// The minimum length of a value that is written as a part, in bytes.
    pub(crate) threshold: usize,
    pub(crate) mtom: bool,
    pub(crate) policy: bool,
}

impl Attachments {
    /// Creates the default options: bodies of up to 64 MiB with up to 100 parts, each with a head
    /// of up to 8 KiB.
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

    /// Limits the length of a body in bytes: the message and all its parts. The message itself may
    /// be as long as a message without parts ([`Limits::body`](svcgen_core::Limits::body)).
    ///
    /// Bytes that have arrived and are not on disk count towards the memory limit for the bodies of
    /// all calls of a server.
    #[must_use]
    pub const fn with_bytes(mut self, bytes: usize) -> Self {
        self.most_bytes = bytes;
        self
    }

    /// Limits the length of each part in bytes.
    #[must_use]
    pub const fn with_part_bytes(mut self, bytes: usize) -> Self {
        self.bounds.part = bytes;
        self
    }

    /// Limits the number of parts of a body, including the message.
    #[must_use]
    pub const fn with_parts(mut self, parts: usize) -> Self {
        self.bounds.parts = parts;
        self
    }

    /// Keeps long parts of received messages on disk. By default, all parts are in memory.
    ///
    /// Parts with a `Content-Transfer-Encoding` of `base64` or `quoted-printable` are decoded in
    /// memory, and refused if they exceed the limit for parts in memory ([`PartsOnDisk::above`]).
    #[must_use]
    pub fn with_parts_on_disk(mut self, disk: PartsOnDisk) -> Self {
        self.disk = Some(disk);
        self
    }

    /// Sets the minimum length of a value that is written as a part, in bytes. Shorter values stay
    /// in the message, in base64. The default is 1,024.
    #[must_use]
    pub const fn with_threshold(mut self, bytes: usize) -> Self {
        self.threshold = bytes;
        self
    }

    /// Sets whether a client sends its requests in MTOM. By default, it does not. Servers ignore
    /// this option: each request determines whether its answer is in MTOM.
    #[must_use]
    pub const fn with_mtom(mut self, mtom: bool) -> Self {
        self.mtom = mtom;
        self
    }

    /// Sets whether the WSDL of a server has a policy that allows messages in MTOM (WS-MTOMPolicy),
    /// so that WCF and JAX-WS generate clients that send MTOM. By default, the WSDL has no such
    /// policy: it is the WSDL of the original, and clients generated from it send base64.
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
