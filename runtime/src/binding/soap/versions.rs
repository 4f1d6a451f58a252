//! The versions of SOAP that there are.

use super::version::Version;
use crate::binding::{soap11, soap12};

/// Both versions.
pub(super) static VERSIONS: [&Version; 2] = [&soap11::VERSION, &soap12::VERSION];
