//! Schemas that documents refer to on the network, and that are the same everywhere: what importers need of them, in own words.

/// A built-in schema: the name of its file, and its text.
pub(crate) fn schema(namespace: &str) -> Option<(&'static str, &'static str)> {
    let row = SCHEMAS.iter().find(|(of, ..)| *of == namespace);
    row.map(|(_, name, text)| (*name, *text))
}

macro_rules! schemas {
    ($($namespace:literal $name:literal;)+) => {
        const SCHEMAS: &[(&str, &str, &str)] = &[
            $(($namespace, $name, include_str!(concat!("../known/", $name)))),+
        ];
    };
}

schemas! {
    "http://www.w3.org/XML/1998/namespace" "xml.xsd";
}

#[cfg(test)]
mod tests {
    use super::SCHEMAS;
    use crate::import::sources::facts::Facts;
    use roxmltree::Document;

    #[test]
    fn schemas_are_of_their_namespaces_and_refer_to_each_other_alone() {
        for (namespace, name, text) in SCHEMAS {
            let facts = Facts::of(&Document::parse(text).expect(name));
            assert_eq!(facts.schemas, [*namespace], "{name}");
            for used in &facts.used {
                assert!(super::schema(used).is_some(), "{name} refers to {used}");
            }
        }
    }
}
