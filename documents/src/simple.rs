//! The simple types of the definition language, as far as documents tell them apart.

/// Whether .NET holds a simple type by value: an element of it is always there or nil, never left out.
pub fn is_value(name: &str) -> bool {
    !matches!(
        name,
        "string"
            | "normalizedString"
            | "token"
            | "anyURI"
            | "base64Binary"
            | "hexBinary"
            | "integer"
            | "duration"
            | "QName"
            | "any"
    )
}

/// A simple type that XML Schema does not have; Microsoft's own namespace of types defines it.
pub(crate) struct MicrosoftType {
    pub name: &'static str,
    /// What it restricts.
    pub base: &'static str,
    pub pattern: Option<&'static str>,
}

/// The namespace of Microsoft's own types.
pub(crate) const MICROSOFT: &str = "http://microsoft.com/wsdl/types/";

/// As .NET's `XmlSerializer` defines them.
pub(crate) const MICROSOFT_TYPES: [MicrosoftType; 2] = [
    MicrosoftType {
        name: "char",
        base: "s:unsignedShort",
        pattern: None,
    },
    MicrosoftType {
        name: "guid",
        base: "s:string",
        pattern: Some(
            "[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}",
        ),
    },
];
