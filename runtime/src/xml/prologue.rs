//! The starts of messages that most senders write letter for letter.
//!
//! What the general lane would make of them is known, so they are compared instead of read. Its rule: nothing is taken unless every limit allows the largest of them.

use super::namespaces::Namespace;
use super::tokens::{Open, Tokens};

/// XML declarations that name UTF-8.
const DECLARATIONS: [&str; 3] = [
    r#"<?xml version="1.0" encoding="utf-8"?>"#,
    r#"<?xml version="1.0" encoding="UTF-8"?>"#,
    "<?xml version='1.0' encoding='utf-8'?>",
];

/// A start tag that declares namespaces, the first of them its own, and has no other attributes.
struct Root {
    text: &'static str,
    prefix: &'static str,
    name: &'static str,
    /// Prefixes and names.
    declarations: &'static [(&'static str, &'static str)],
}

macro_rules! envelope {
    ($own:literal: $($prefix:literal = $name:expr),*) => {
        Root {
            text: concat!("<", $own, ":Envelope", $(" xmlns:", $prefix, "=\"", $name, "\"",)* ">"),
            prefix: $own,
            name: concat!($own, ":Envelope"),
            declarations: &[$(($prefix, $name)),*],
        }
    };
}

/// Of .NET and of this crate; of .NET by hand-written callers; of zeep; of WCF.
#[rustfmt::skip]
const ROOTS: [Root; 7] = [
    envelope!("soap": "soap" = "http://schemas.xmlsoap.org/soap/envelope/", "xsi" = "http://www.w3.org/2001/XMLSchema-instance", "xsd" = "http://www.w3.org/2001/XMLSchema"),
    envelope!("soap": "soap" = "http://www.w3.org/2003/05/soap-envelope", "xsi" = "http://www.w3.org/2001/XMLSchema-instance", "xsd" = "http://www.w3.org/2001/XMLSchema"),
    envelope!("soap": "xsi" = "http://www.w3.org/2001/XMLSchema-instance", "xsd" = "http://www.w3.org/2001/XMLSchema", "soap" = "http://schemas.xmlsoap.org/soap/envelope/"),
    envelope!("soap12": "xsi" = "http://www.w3.org/2001/XMLSchema-instance", "xsd" = "http://www.w3.org/2001/XMLSchema", "soap12" = "http://www.w3.org/2003/05/soap-envelope"),
    envelope!("soap-env": "soap-env" = "http://schemas.xmlsoap.org/soap/envelope/"),
    envelope!("soap-env": "soap-env" = "http://www.w3.org/2003/05/soap-envelope"),
    envelope!("s": "s" = "http://schemas.xmlsoap.org/soap/envelope/"),
];

/// No start tag above has a longer name or value, or more attributes.
const LONGEST: usize = 64;
const MOST: usize = 4;

impl Tokens<'_> {
    /// Takes the XML declaration, if it is one of those that most senders write.
    pub(super) fn take_declaration(&mut self) -> bool {
        let rest = self.rest();
        let known = DECLARATIONS
            .iter()
            .find(|known| rest.starts_with(known.as_bytes()));
        let allowed = self
            .encoding
            .is_none_or(|encoding| encoding.eq_ignore_ascii_case("utf-8"));
        match known {
            Some(known) if allowed => {
                self.at += known.len();
                true
            }
            _ => false,
        }
    }

    /// Takes the start tag of the root, if it is one of those that most senders write.
    pub(super) fn take_root(&mut self) -> bool {
        let rest = self.rest();
        let Some(root) = ROOTS
            .iter()
            .find(|root| rest.starts_with(root.text.as_bytes()))
        else {
            return false;
        };
        let limits = &self.limits;
        let counts = [limits.attributes, limits.namespaces];
        let lengths = [limits.name, limits.attribute_value];
        let allowed = limits.depth > 0
            && limits.elements > 0
            && counts.iter().all(|count| *count >= MOST)
            && lengths.iter().all(|length| *length >= LONGEST);
        if !allowed {
            return false;
        }
        let mut namespace = Namespace::NONE;
        for (prefix, name) in root.declarations {
            let declared = self.namespaces.push(prefix, (*name).into());
            if *prefix == root.prefix {
                namespace = declared;
            }
        }
        self.open.push(Open {
            start: self.at + 1,
            length: root.name.len() as u32,
            prefix: root.prefix.len() as u32,
            namespace,
            bindings: 0,
        });
        self.elements += 1;
        self.at += root.text.len();
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;

    /// What is known of a document after its root's start tag.
    fn state(tokens: &Tokens<'_>) -> impl PartialEq + std::fmt::Debug {
        let root = &tokens.open[0];
        (
            tokens.at,
            (tokens.name(), root.start, root.prefix, root.bindings),
            tokens.namespace().to_owned(),
            tokens.namespaces.keep(),
            (
                tokens.elements,
                tokens.empty,
                tokens.nil,
                tokens.attributes.len(),
            ),
        )
    }

    #[test]
    fn the_general_lane_makes_the_same_of_them() {
        for declaration in DECLARATIONS {
            for root in &ROOTS {
                let text = format!("{declaration}\n{}x", root.text);
                let limits = Limits::default();
                let mut fast = Tokens::new(&text, &limits);
                assert!(fast.take_declaration());
                fast.outside_root().unwrap();
                assert!(fast.take_root());
                // Less than what the lane asks for, and enough for the general one.
                let mut slow = Tokens::new(&text, &limits.with_attributes(MOST - 1));
                slow.declaration().unwrap();
                slow.outside_root().unwrap();
                assert!(!slow.take_root());
                slow.start_tag().unwrap();
                assert_eq!(format!("{:?}", state(&fast)), format!("{:?}", state(&slow)));
            }
        }
    }

    #[test]
    fn another_encoding_is_not_taken() {
        let mut tokens = Tokens::new(DECLARATIONS[0], &Limits::default());
        tokens.encoding = Some("utf-16");
        assert!(!tokens.take_declaration());
        assert!(tokens.declaration().is_err());
    }

    #[test]
    fn none_exceeds_what_the_limits_are_held_to() {
        for root in &ROOTS {
            assert!(root.declarations.len() < MOST && root.name.len() <= LONGEST);
            assert!(
                root.declarations
                    .iter()
                    .all(|(_, name)| name.len() <= LONGEST)
            );
        }
    }
}
