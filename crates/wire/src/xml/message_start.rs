//! The fast path for the starts of messages, which most senders write in one of a few ways.
//!
//! They are compared instead of tokenized. Nothing is taken unless the limits allow the largest of
//! them.

use super::names::ascii_ncname;
use super::namespaces::{Namespace, XML, XMLNS};
use super::scan::{after_same, attribute_stop};
use super::tokens::{Open, Tokens};

/// XML declarations that name UTF-8.
const DECLARATIONS: [&str; 3] = [
    r#"<?xml version="1.0" encoding="utf-8"?>"#,
    r#"<?xml version="1.0" encoding="UTF-8"?>"#,
    "<?xml version='1.0' encoding='utf-8'?>",
];

/// A start tag without attributes except for namespace declarations, one of which is for its own
/// prefix.
struct Root {
    text: &'static str,
    prefix: &'static str,
    name: &'static str,
    /// Prefixes and namespaces.
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

/// The root elements of .NET and of this crate; of hand-written .NET callers; of zeep; of WCF.
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

/// Bounds of the start tags above: the length of names and values, and the number of attributes.
const LONGEST: usize = 64;
const MOST: usize = 4;

impl Tokens<'_> {
    /// Takes the XML declaration, if it is one of the usual ones.
    pub(crate) fn take_declaration(&mut self) -> bool {
        let rest = self.rest();
        let mut known = DECLARATIONS.iter();
        let known = known.find(|known| rest.starts_with(known.as_bytes()));
        self.at += known.map_or(0, |known| known.len());
        known.is_some()
    }

    /// Takes the start tag of the root, if it is one of the usual ones.
    pub(crate) fn take_root(&mut self) -> bool {
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
        let allowed = self.fast
            && limits.depth > 0
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

impl<'i> Tokens<'i> {
    /// Takes the start tag of the Body, or of the element in it.
    pub(crate) fn take_body_or_wrapper(&mut self) -> bool {
        match self.open[..] {
            [root] => self.take_body(root),
            [_, _] => self.take_wrapper(),
            _ => false,
        }
    }

    /// Takes the start tag of the Body, if it has the root's prefix and no attributes.
    fn take_body(&mut self, root: Open) -> bool {
        let [b'<', tag @ ..] = self.rest() else {
            return false;
        };
        let prefix = &self.input.as_bytes()[root.start..root.local_start()];
        let length = prefix.len() + "Body".len();
        let after = after_same(tag, prefix).and_then(|name| after_same(name, b"Body>"));
        if after.is_none() || !self.has_room(length) {
            return false;
        }
        self.push_taken(self.child_of(&root, self.at + 1, length));
        self.at += length + 2;
        true
    }

    /// Takes a start tag without a prefix that declares its namespace and has no other attribute:
    /// the usual element of an operation.
    fn take_wrapper(&mut self) -> bool {
        let [b'<', tag @ ..] = self.rest() else {
            return false;
        };
        let Some(length) = ascii_ncname(tag) else {
            return false;
        };
        let start = self.at + 1 + length + DECLARES.len();
        let Some(value) = after_same(&tag[length..], DECLARES) else {
            return false;
        };
        let Some((name, [b'"', b'>', ..])) =
            attribute_stop(value, b'"').and_then(|stop| value.split_at_checked(stop))
        else {
            return false;
        };
        let Some(name) = self.input.get(start..start + name.len()) else {
            return false;
        };
        let bindings = self.namespaces.count();
        let allowed = self.has_room(length)
            && self.limits.attributes > 0
            && name.len() <= self.limits.attribute_value
            && (bindings as usize) < self.limits.namespaces
            && !matches!(name, "" | XML | XMLNS);
        if !allowed {
            return false;
        }
        let namespace = self.namespaces.push("", name.into());
        self.push_taken(Open {
            start: self.at + 1,
            length: length as u32,
            prefix: 0,
            namespace,
            bindings,
        });
        self.at = start + name.len() + 2;
        true
    }

    /// Whether the limits allow another element with a name of this length.
    fn has_room(&self, length: usize) -> bool {
        self.fast
            && self.open.len() < self.limits.depth
            && self.elements < self.limits.elements
            && length <= self.limits.name
    }
}

/// The text between the name of an element and its namespace.
const DECLARES: &[u8] = b" xmlns=\"";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;

    /// The state of the tokenizer after the start tag of the root.
    fn state(tokens: &Tokens<'_>) -> impl PartialEq + std::fmt::Debug {
        let root = &tokens.open[0];
        (
            tokens.at,
            (tokens.name(), root.start, root.prefix, root.bindings),
            tokens.namespace().to_owned(),
            tokens
                .namespaces
                .declared(0)
                .map(|(prefix, name)| (prefix, name.to_string()))
                .collect::<Vec<_>>(),
            (
                tokens.elements,
                tokens.empty,
                tokens.nil,
                tokens.attributes.len(),
            ),
        )
    }

    #[test]
    fn the_tokenizer_makes_the_same_of_them() {
        for declaration in DECLARATIONS {
            for root in &ROOTS {
                let text = format!("{declaration}\n{}x", root.text);
                let limits = Limits::default();
                let mut fast = Tokens::new(&text, &limits);
                assert!(fast.take_declaration());
                fast.outside_root().unwrap();
                assert!(fast.take_root());
                // Less than this function requires, but enough for the tokenizer.
                let mut slow = Tokens::new(&text, &limits.with_attributes(MOST - 1));
                slow.declaration().unwrap();
                slow.outside_root().unwrap();
                assert!(!slow.take_root());
                slow.start_tag().unwrap();
                assert_eq!(format!("{:?}", state(&fast)), format!("{:?}", state(&slow)));
            }
        }
    }

    /// Reads a document up to the `|`; the elements before it are open.
    fn before<'t>(text: &'t str, limits: &Limits) -> Tokens<'t> {
        let mut tokens = Tokens::new(text, limits);
        tokens.root().unwrap();
        while tokens.rest()[0] != b'|' {
            tokens.start_tag().unwrap();
        }
        tokens.at += 1;
        tokens
    }

    #[test]
    fn the_tokenizer_makes_the_same_of_the_body_and_the_element_in_it() {
        for text in [
            "<e:Envelope xmlns:e='urn:e'>|<e:Body>x",
            "<Envelope xmlns='urn:e' xmlns:b='urn:b'>|<Body>x",
            "<e:Envelope xmlns:e='urn:e'><e:Body>|<Login xmlns=\"urn:s\">x",
            "<Envelope xmlns='urn:e'><Body>|<a-b.c_1 xmlns=\"http://example.com/a?b='%20!\">x",
        ] {
            let mut fast = before(text, &Limits::default());
            let mut slow = fast.clone();
            assert!(fast.take_body_or_wrapper(), "{text}");
            slow.start_tag().unwrap();
            let innermost = |tokens: &Tokens<'_>| {
                let open = tokens.open.last().unwrap();
                (open.start, open.length, open.prefix, open.bindings)
            };
            assert_eq!(innermost(&fast), innermost(&slow), "{text}");
            assert_eq!(format!("{:?}", state(&fast)), format!("{:?}", state(&slow)));
        }
    }

    #[test]
    fn other_starts_are_left_to_the_tokenizer() {
        for text in [
            "<e:Envelope xmlns:e='urn:e'>|<f:Body>x",
            "<e:Envelope xmlns:e='urn:e'>|<Body>x",
            "<e:Envelope xmlns:e='urn:e'>|<e:Body >x",
            "<e:Envelope xmlns:e='urn:e'>|<e:Bodyy>x",
            "<e:Envelope xmlns:e='urn:e'>|<Login xmlns=\"urn:s\">x",
            "<e:E xmlns:e='urn:e'><e:Body>|<Login xmlns=\"\">x",
            "<e:E xmlns:e='urn:e'><e:Body>|<Login xmlns=\"http://www.w3.org/2000/xmlns/\">x",
            "<e:E xmlns:e='urn:e'><e:Body>|<Login xmlns=\"http://www.w3.org/XML/1998/namespace\">x",
            "<e:E xmlns:e='urn:e'><e:Body>|<Login xmlns=\"a&amp;b\">x",
            "<e:E xmlns:e='urn:e'><e:Body>|<Login xmlns=\"a\tb\">x",
            "<e:E xmlns:e='urn:e'><e:Body>|<Login xmlns=\"a\"/>x",
            "<e:E xmlns:e='urn:e'><e:Body>|<Login xmlns=\"a\" b=\"c\">x",
            "<e:E xmlns:e='urn:e'><e:Body>|<Login xmlns='a'>x",
            "<e:E xmlns:e='urn:e'><e:Body>|<1 xmlns=\"a\">x",
            "<e:E xmlns:e='urn:e'><e:Body>|<t:Login xmlns=\"a\">x",
            "<e:E xmlns:e='urn:e'><e:Body><a>|<Login xmlns=\"a\">x",
        ] {
            let mut tokens = before(text, &Limits::default());
            let at = tokens.at;
            assert!(!tokens.take_body_or_wrapper(), "{text}");
            assert_eq!((tokens.at, tokens.namespaces.count()), (at, 1), "{text}");
        }
    }

    #[test]
    fn limits_leave_it_to_the_tokenizer() {
        let text = "<e:E xmlns:e='urn:e'><e:Body>|<Login xmlns=\"urn:service\">x";
        let exact = |limits: &Limits| before(text, limits).take_body_or_wrapper();
        let limits = Limits::default();
        for (enough, less) in [
            (limits.with_depth(3), limits.with_depth(2)),
            (limits.with_elements(3), limits.with_elements(2)),
            (limits.with_namespaces(2), limits.with_namespaces(1)),
            (
                limits.with_attribute_value(11),
                limits.with_attribute_value(10),
            ),
        ] {
            assert!(exact(&enough) && !exact(&less));
        }
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
