//! The names that XML Schema and the SOAP encoding define.

use roxmltree::Node;

/// The namespace of XML Schema.
pub const XML_SCHEMA: &str = "http://www.w3.org/2001/XMLSchema";
pub(crate) const SOAP_ENCODING: &str = "http://schemas.xmlsoap.org/soap/encoding/";

/// A qualified name; the namespace is empty for none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Name<'s> {
    /// Its namespace.
    pub namespace: &'s str,
    /// Its local name.
    pub local: &'s str,
}

/// The namespace of .NET's attributes in the schema of a `DataSet`.
const MSDATA: &str = "urn:schemas-microsoft-com:xml-msdata";

/// The namespace of the SOAP encoding of SOAP 1.2.
const SOAP_ENCODING_12: &str = "http://www.w3.org/2003/05/soap-encoding";

/// Types of XML Schema, sorted by bytes.
const BUILTINS: [&str; 46] = [
    "ENTITIES",
    "ENTITY",
    "ID",
    "IDREF",
    "IDREFS",
    "NCName",
    "NMTOKEN",
    "NMTOKENS",
    "NOTATION",
    "Name",
    "QName",
    "anySimpleType",
    "anyType",
    "anyURI",
    "base64Binary",
    "boolean",
    "byte",
    "date",
    "dateTime",
    "decimal",
    "double",
    "duration",
    "float",
    "gDay",
    "gMonth",
    "gMonthDay",
    "gYear",
    "gYearMonth",
    "hexBinary",
    "int",
    "integer",
    "language",
    "long",
    "negativeInteger",
    "nonNegativeInteger",
    "nonPositiveInteger",
    "normalizedString",
    "positiveInteger",
    "short",
    "string",
    "time",
    "token",
    "unsignedByte",
    "unsignedInt",
    "unsignedLong",
    "unsignedShort",
];

/// Whether a namespace is that of XML Schema or of its drafts of 1999 and 2000.
pub(crate) fn is_xml_schema(namespace: &str) -> bool {
    matches!(
        namespace,
        XML_SCHEMA
            | "http://www.w3.org/1999/XMLSchema"
            | "http://www.w3.org/2000/08/XMLSchema"
            | "http://www.w3.org/2000/10/XMLSchema"
    )
}

/// Whether an element of a schema is a typed set of tables.
pub(crate) fn is_set(node: Node<'_, '_>) -> bool {
    let name = node.tag_name();
    name.name() == "element"
        && name.namespace().is_some_and(is_xml_schema)
        && node.attribute((MSDATA, "IsDataSet")) == Some("true")
}

/// Whether a namespace is that of the SOAP encoding.
pub(crate) fn is_soap_encoding(namespace: &str) -> bool {
    matches!(namespace, SOAP_ENCODING | SOAP_ENCODING_12)
}

/// The type of XML Schema or of the SOAP encoding with this name.
pub fn builtin(name: Name<'_>) -> Option<&'static str> {
    let find = |local: &str| {
        let at = BUILTINS.binary_search(&local).ok()?;
        Some(BUILTINS[at])
    };
    if is_xml_schema(name.namespace) {
        return find(name.local);
    }
    if !is_soap_encoding(name.namespace) {
        return None;
    }
    match name.local {
        "Array" => Some("Array"),
        "Struct" => Some("Struct"),
        "base64" => Some("base64Binary"),
        local => find(local),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn builtins_are_sorted() {
        assert!(super::BUILTINS.is_sorted());
    }
}
