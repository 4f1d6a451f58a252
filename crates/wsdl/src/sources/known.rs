//! Built-in schemas and a WSDL that documents refer to on the network and that are the same
//! everywhere: the parts that importers need, written for this crate.

/// The built-in document for a namespace: the name of its file, and its text.
pub(crate) fn document(namespace: &str) -> Option<(&'static str, &'static str)> {
    let row = DOCUMENTS.iter().find(|(of, ..)| *of == namespace);
    row.map(|(_, name, text)| (*name, *text))
}

macro_rules! documents {
    ($($namespace:literal $name:literal;)+) => {
        const DOCUMENTS: &[(&str, &str, &str)] = &[
            $(($namespace, $name, include_str!(concat!("../known/", $name)))),+
        ];
    };
}

documents! {
    "http://www.w3.org/XML/1998/namespace" "xml.xsd";
    "http://schemas.xmlsoap.org/soap/encoding/" "soap-encoding-11.xsd";
    "http://www.w3.org/2003/05/soap-encoding" "soap-encoding-12.xsd";
    "http://schemas.xmlsoap.org/soap/envelope/" "soap-envelope-11.xsd";
    "http://www.w3.org/2003/05/soap-envelope" "soap-envelope-12.xsd";
    "http://microsoft.com/wsdl/types/" "wsdl-types.xsd";
    "http://schemas.microsoft.com/2003/10/Serialization/" "serialization.xsd";
    "http://schemas.microsoft.com/2003/10/Serialization/Arrays" "serialization-arrays.xsd";
    "http://schemas.xmlsoap.org/ws/2004/08/addressing" "addressing-2004-08.xsd";
    "http://www.w3.org/2005/08/addressing" "addressing-2005-08.xsd";
    "http://docs.oasis-open.org/wsn/b-2" "wsn-b-2.xsd";
    "http://docs.oasis-open.org/wsn/br-2" "wsn-br-2.xsd";
    "http://docs.oasis-open.org/wsn/bw-2" "wsn-bw-2.wsdl";
    "http://docs.oasis-open.org/wsn/t-1" "wsn-t-1.xsd";
    "http://docs.oasis-open.org/wsrf/bf-2" "wsrf-bf-2.xsd";
    "http://docs.oasis-open.org/wsrf/r-2" "wsrf-r-2.xsd";
    "http://docs.oasis-open.org/wsrf/rw-2" "wsrf-rw-2.wsdl";
    "http://www.w3.org/2004/08/xop/include" "xop-include.xsd";
    "http://www.w3.org/2005/05/xmlmime" "xmlmime.xsd";
    "http://ws-i.org/profiles/basic/1.1/xsd" "swaref.xsd";
    "http://www.w3.org/2000/09/xmldsig#" "xmldsig.xsd";
    "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd" "wss-utility.xsd";
    "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd" "wss-security.xsd";
}

#[cfg(test)]
mod tests {
    use roxmltree::Document;

    use super::DOCUMENTS;
    use crate::sources::facts::{Facts, MissingNames};

    #[test]
    fn documents_are_of_their_namespaces_and_refer_to_what_is_there() {
        let mut names = MissingNames::default();
        for (namespace, name, text) in DOCUMENTS {
            let tree = Document::parse(text).expect(name);
            let facts = Facts::of(&tree);
            let namespaces: Vec<_> = facts.services.iter().chain(&facts.schemas).collect();
            assert_eq!(namespaces, [*namespace], "{name}");
            for used in &facts.used {
                assert!(super::document(used).is_some(), "{name} refers to {used}");
            }
            names.add(&tree);
        }
        for (namespace, name, _) in DOCUMENTS {
            assert!(!names.is_any(namespace), "{name}: {names:?}");
        }
    }
}
