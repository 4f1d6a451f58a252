//! The fast path and the tokenizer read a document alike, to the same values or the same error at
//! the same place. The same document with another notation gets the same verdict and the same
//! values.

use std::collections::HashSet;
use std::fmt::{Debug, Write};

use roxmltree::{Document, Node, NodeType};
use svcgen::codegen::{Complex, Reader};
use svcgen::{Limits, ReadError};
use svcgen_tests::device_login_service::{
    DeviceLoginResponse, LoginRequest, LoginWithEncryptedPasswordRequest,
};

use super::round_trip::read;
use super::source::Source;

/// Checks an input whose first byte selects the type, and whose second byte is the number of bytes
/// that select the notation; the rest is the document.
pub fn check(input: &[u8]) {
    let mut source = Source(input);
    let choice = source.below(3);
    let length = source.below(64);
    let dress = source.bytes(length);
    let Ok(text) = std::str::from_utf8(source.0) else {
        return;
    };
    let limits = limits(dress);
    for strict in [false, true] {
        match choice {
            0 => alike::<LoginRequest>(text, &limits, strict),
            1 => alike::<LoginWithEncryptedPasswordRequest>(text, &limits, strict),
            _ => alike::<DeviceLoginResponse>(text, &limits, strict),
        }
    }
    // A declaration does not affect values. roxmltree keeps a carriage return before a reference,
    // so it gets normalised line ends (XML 1.0 §2.11).
    let normalised = text.replace("\r\n", "\n").replace('\r', "\n");
    let Ok(document) = Document::parse(&normalised) else {
        return;
    };
    // roxmltree treats an attribute such as `i:xmlns` as a declaration of the default namespace.
    if read::<()>(text).is_err() || text.contains(":xmlns") {
        return;
    }
    let dressed = Dress {
        choices: Source(dress),
        turn: 0,
        out: String::new(),
    }
    .document(&document);
    match choice {
        0 => same::<LoginRequest>(text, &dressed),
        1 => same::<LoginWithEncryptedPasswordRequest>(text, &dressed),
        _ => same::<DeviceLoginResponse>(text, &dressed),
    }
}

/// Returns the default limits; a long notation also lowers them, so that documents exceed them.
fn limits(dress: &[u8]) -> Limits {
    let limits = Limits::default();
    match dress.get(32..36) {
        Some(&[depth, elements, name, text]) => limits
            .with_depth(usize::from(depth % 8))
            .with_elements(usize::from(elements % 64))
            .with_name(usize::from(name % 40))
            .with_text(usize::from(text % 64)),
        _ => limits,
    }
}

fn alike<T: Complex + PartialEq + Debug>(text: &str, limits: &Limits, strict: bool) {
    let reader = || Reader::new(text, limits).with_strict(strict);
    let fast = whole::<T>(reader());
    let slow = whole::<T>(reader().without_fast_path());
    assert_eq!(fast, slow, "{text}");
}

/// Returns the value of a document, or everything in its error.
pub(crate) fn whole<T: Complex>(
    mut reader: Reader<'_>,
) -> Result<T, impl PartialEq + Debug + use<T>> {
    let mut value = T::default();
    let read = reader
        .root()
        .and_then(|()| reader.read(&mut value))
        .and_then(|()| reader.finish());
    let told = |error: ReadError| {
        let place = (error.line(), error.column(), error.path().to_owned());
        (error.kind(), error.to_string(), place)
    };
    read.map(|()| value).map_err(told)
}

fn same<T: Complex + PartialEq + Debug>(text: &str, dressed: &str) {
    match (read::<T>(text), read::<T>(dressed)) {
        (Ok(one), Ok(other)) => assert_eq!(one, other, "{text}\n{dressed}"),
        (Err(_), Err(_)) => {}
        (one, other) => panic!("{one:?}\n{other:?}\n{text}\n{dressed}"),
    }
}

const XML: &str = "http://www.w3.org/XML/1998/namespace";

/// Insertions between elements that have no meaning.
const BETWEEN: [&str; 6] = [
    "",
    " ",
    "\r\n  ",
    "<!-- <a> -->",
    "<?a b?>",
    "<unknown xmlns='urn:other'><b/>x</unknown>",
];

struct Dress<'d> {
    choices: Source<'d>,
    turn: u8,
    out: String,
}

impl Dress<'_> {
    /// Returns the next decision; after the last given byte, decisions are derived from the
    /// previous ones.
    fn choose(&mut self, end: u8) -> u8 {
        self.turn = self.turn.wrapping_mul(77).wrapping_add(31);
        self.choices.byte().wrapping_add(self.turn >> 3) % end
    }

    fn document(mut self, document: &Document<'_>) -> String {
        for node in document.root().children() {
            self.node(node);
        }
        self.out
    }

    fn node(&mut self, node: Node<'_, '_>) {
        match node.node_type() {
            NodeType::Root => {}
            NodeType::Element => self.element(node),
            NodeType::Comment => self.out += &format!("<!--{}-->", node.text().unwrap_or_default()),
            NodeType::PI => {
                let instruction = node.pi().expect("an instruction");
                let value = instruction.value.unwrap_or_default();
                let blank = if value.is_empty() { "" } else { " " };
                self.out += &format!("<?{}{blank}{value}?>", instruction.target);
            }
            NodeType::Text => self.text(node.text().unwrap_or_default()),
        }
    }

    fn element(&mut self, node: Node<'_, '_>) {
        let prefix = ["", "p", "long-prefix."][usize::from(self.choose(3))];
        let namespace = node.tag_name().namespace().unwrap_or_default();
        let (prefix, colon) = if namespace.is_empty() || prefix.is_empty() {
            ("", "")
        } else {
            (prefix, ":")
        };
        let name = format!("{prefix}{colon}{}", node.tag_name().name());
        self.out += &format!("<{name}");
        match prefix {
            "" => self.attribute("xmlns", namespace),
            _ => self.attribute(&format!("xmlns:{prefix}"), namespace),
        }
        self.attributes(node);
        let blank = ["", " ", "\n\t"][usize::from(self.choose(3))];
        if !node.has_children() && self.choose(2) == 0 {
            self.out += &format!("{blank}/>");
            return;
        }
        self.out += &format!("{blank}>");
        self.children(node);
        let blank = ["", "\r\n"][usize::from(self.choose(2))];
        self.out += &format!("</{name}{blank}>");
    }

    fn attributes(&mut self, node: Node<'_, '_>) {
        for (index, attribute) in node.attributes().enumerate() {
            match attribute.namespace() {
                None => self.attribute(attribute.name(), attribute.value()),
                Some(XML) => {
                    self.attribute(&format!("xml:{}", attribute.name()), attribute.value())
                }
                Some(namespace) => {
                    self.attribute(&format!("xmlns:a{index}"), namespace);
                    self.attribute(&format!("a{index}:{}", attribute.name()), attribute.value());
                }
            }
        }
        if self.choose(4) == 0 {
            self.attribute("xmlns:other", "urn:other");
            self.attribute("other:ignored", "<&>");
        }
    }

    fn attribute(&mut self, name: &str, value: &str) {
        let blank = [" ", "\n", "  "][usize::from(self.choose(3))];
        let equals = ["=", " = "][usize::from(self.choose(2))];
        let quote = ['"', '\''][usize::from(self.choose(2))];
        self.out += &format!("{blank}{name}{equals}{quote}");
        for character in value.chars() {
            match character {
                '<' | '>' | '&' | '"' | '\'' | '\t' | '\n' | '\r' => self.reference(character),
                _ => self.out.push(character),
            }
        }
        self.out.push(quote);
    }

    fn children(&mut self, node: Node<'_, '_>) {
        let mut children: Vec<Node<'_, '_>> = node.children().collect();
        // Between elements without text, insertions are allowed, and, if all names are distinct,
        // another order.
        let between = !children.is_empty() && children.iter().all(Node::is_element);
        let mut names = HashSet::new();
        if between
            && children
                .iter()
                .all(|child| names.insert((child.tag_name().namespace(), child.tag_name().name())))
        {
            let turn = usize::from(self.choose(255)) % children.len();
            children.rotate_left(turn);
        }
        for child in children {
            if between {
                let more = usize::from(self.choose(6));
                self.out += BETWEEN[more];
            }
            self.node(child);
        }
    }

    fn text(&mut self, text: &str) {
        match self.choose(3) {
            0 if !text.contains('\r') => {
                self.out += &format!("<![CDATA[{}]]>", text.replace("]]>", "]]]]><![CDATA[>"))
            }
            how => {
                for character in text.chars() {
                    match character {
                        '<' | '&' | '>' | '\r' => self.reference(character),
                        'a'..='e' if how == 1 => self.reference(character),
                        _ => self.out.push(character),
                    }
                }
            }
        }
    }

    fn reference(&mut self, character: char) {
        let code = u32::from(character);
        let written = match self.choose(2) {
            0 => write!(self.out, "&#{code};"),
            _ => write!(self.out, "&#x{code:x};"),
        };
        written.expect("a text takes everything");
    }
}
