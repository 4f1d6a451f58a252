//! The namespaces of sets.

/// The namespace of .NET's additions to a schema, and of the order of rows.
pub(crate) const MSDATA: &str = "urn:schemas-microsoft-com:xml-msdata";
/// The namespace of extended properties.
pub(crate) const MSPROP: &str = "urn:schemas-microsoft-com:xml-msprop";
/// The namespace of rows with their changes.
pub(crate) const DIFFGRAM: &str = "urn:schemas-microsoft-com:xml-diffgram-v1";
