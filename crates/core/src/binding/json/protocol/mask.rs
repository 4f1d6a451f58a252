//! Masks JSON: walks through its tokens, along with the matching parts of the model.

use svcgen_model::TypeAt;

use crate::binding::json::{Json, MEDIA_TYPE};
use crate::mask::{
    CUT, MaskedNotation, MessagePart, OMITTED, Root, SECRET, Secrets, ServiceRows, Text,
};
use svcgen_json::internals::{MOST_DEPTH, unescaped};

impl MaskedNotation for Json {
    fn media_type(&self) -> &'static str {
        MEDIA_TYPE
    }

    fn mask<'m>(
        &self,
        described: &ServiceRows<'m>,
        (text, is_cut): (&str, bool),
        root: Root<'m>,
        known: &mut Option<&mut Secrets>,
    ) -> String {
        let mut walk = Walk {
            described,
            text,
            at: 0,
            is_over: false,
            out: String::with_capacity(text.len()),
            known,
        };
        if matches!(root, Root::Unknown) {
            // The omitted text may be a secret.
            walk.instead(OMITTED);
            return OMITTED.to_owned();
        }
        let is_value = walk.root(root).is_some();
        walk.blanks();
        let is_whole = is_value && walk.at == text.len();
        if is_cut && (is_whole || walk.is_over) {
            walk.out.push_str(CUT);
        } else if !is_whole {
            // One quote too many or too few before this place turns names into values, and values
            // into names.
            if let Some(known) = walk.known.as_deref_mut() {
                known.add_unread();
            }
            return OMITTED.to_owned();
        }
        walk.out
    }
}

/// The role of an object.
enum Object<'m> {
    /// A value, or the parameters.
    Value(MessagePart<'m>),
    /// The object around a result.
    Answer(MessagePart<'m>),
    /// An error.
    Failure,
}

impl<'m> Object<'m> {
    fn member(&self, name: &str) -> MessagePart<'m> {
        match self {
            Self::Value(place) => place.member(name),
            Self::Answer(result) if name == "d" => result.clone(),
            Self::Failure if ["Message", "StackTrace", "ExceptionType"].contains(&name) => {
                MessagePart::Fault
            }
            Self::Answer(_) | Self::Failure => MessagePart::Unknown,
        }
    }
}

/// A walk through a document. Its functions return `None` where the document ends or is malformed.
struct Walk<'w, 'm, 'i, 'k> {
    described: &'w ServiceRows<'m>,
    text: &'i str,
    at: usize,
    /// Whether the text ended before its value.
    is_over: bool,
    out: String,
    known: &'w mut Option<&'k mut Secrets>,
}

impl<'m, 'i> Walk<'_, 'm, 'i, '_> {
    /// Masks the whole document.
    fn root(&mut self, root: Root<'m>) -> Option<()> {
        self.blanks();
        let is_object = self.peek()? == b'{';
        match root {
            Root::Parameters(parameters) => self.value(&MessagePart::object(parameters), 0),
            Root::Result(result) if is_object => self.object(Object::Answer(result), 0),
            Root::Failure if is_object => self.object(Object::Failure, 0),
            Root::Result(_) | Root::Unknown => self.value(&MessagePart::Unknown, 0),
            Root::Failure => self.value(&MessagePart::Fault, 0),
        }
    }

    /// Masks the next value.
    fn value(&mut self, place: &MessagePart<'m>, depth: usize) -> Option<()> {
        self.blanks();
        if depth > MOST_DEPTH {
            return None;
        }
        match (self.peek()?, place) {
            (_, MessagePart::Secret) => self.instead(SECRET),
            (_, MessagePart::Unknown) => self.instead(OMITTED),
            (b'{', _) => self.object(Object::Value(place.clone()), depth),
            (b'[', _) => self.list(&place.items(), depth),
            _ => {
                let start = self.at;
                let value = self.token()?;
                if self.text[self.at..].trim_start().starts_with(':') {
                    // The text is a name, so the end of the list is missing.
                    return None;
                }
                // If a quote is missing, the text that follows becomes part of this one.
                let is_odd = value.starts_with('\'') && value.contains('"');
                match place.text() {
                    Text::OfFault => return self.told(value),
                    Text::Shown if !is_odd => self.out.push_str(value),
                    _ if value == "null" => self.out.push_str(value),
                    _ => {
                        self.at = start;
                        return self.instead(OMITTED);
                    }
                }
                Some(())
            }
        }
    }

    /// Shows the text of an error. If it quotes a body that cannot be read, the quotation is at the
    /// end of the text, escaped and cut.
    fn told(&mut self, written: &str) -> Option<()> {
        let told = text_of(written);
        match self.known.as_deref() {
            Some(known) if *known.text(&told) == told => {}
            _ => return self.put(SECRET),
        }
        const QUOTED: &str = "): ";
        match written.split_once(QUOTED) {
            Some((told, _)) => self.out.extend([told, QUOTED, OMITTED, "\""]),
            None => self.out.push_str(written),
        }
        Some(())
    }

    fn list(&mut self, items: &MessagePart<'m>, depth: usize) -> Option<()> {
        self.pass(b'[')?;
        self.blanks();
        while self.peek()? != b']' {
            self.value(items, depth + 1)?;
            self.comma(b']')?;
        }
        self.pass(b']')
    }

    fn object(&mut self, mut object: Object<'m>, depth: usize) -> Option<()> {
        self.pass(b'{')?;
        self.blanks();
        while self.peek()? != b'}' {
            self.member(&mut object, depth)?;
            self.comma(b'}')?;
        }
        self.pass(b'}')
    }

    fn member(&mut self, object: &mut Object<'m>, depth: usize) -> Option<()> {
        let written = self.token()?;
        let name = text_of(written);
        if let Object::Value(place) = object
            && name == "__type"
            && place.is_open()
        {
            self.out.push_str(written);
            self.colon()?;
            return self.type_name(place);
        }
        let member = object.member(&name);
        // A name that is not in the model may be the rest of a secret whose quotes were not
        // escaped.
        match (&member, object) {
            (MessagePart::Unknown, _) => self.put(OMITTED)?,
            (_, Object::Value(place)) if !place.shows_names() => self.put(OMITTED)?,
            _ => self.out.push_str(written),
        }
        self.colon()?;
        self.value(&member, depth + 1)
    }

    /// Shows the name of a type, and sets `place` to this type to know its members.
    fn type_name(&mut self, place: &mut MessagePart<'m>) -> Option<()> {
        self.blanks();
        let start = self.at;
        let written = self.token()?;
        let name = text_of(written);
        let mut types = self.described.service.script_types();
        match types.find(|(_, known)| *known == name) {
            Some((TypeAt::Complex(complex), _)) => {
                place.add_type(complex);
                self.out.push_str(written);
                Some(())
            }
            _ => {
                self.at = start;
                self.instead(OMITTED)
            }
        }
    }

    fn colon(&mut self) -> Option<()> {
        self.blanks();
        self.pass(b':')
    }

    /// Copies the comma after a value, unless the list or the object ends.
    fn comma(&mut self, end: u8) -> Option<()> {
        self.blanks();
        if self.peek()? == end {
            return Some(());
        }
        self.pass(b',')?;
        self.blanks();
        Some(())
    }

    /// Writes a mark as a text.
    fn put(&mut self, mark: &str) -> Option<()> {
        self.out.push('"');
        self.out.push_str(mark);
        self.out.push('"');
        Some(())
    }

    /// Writes a mark instead of the next value, and adds its texts to the known secrets.
    fn instead(&mut self, mark: &str) -> Option<()> {
        self.put(mark)?;
        let mut depth = 0_usize;
        // A list of numbers may be the bytes of a secret.
        let mut bytes = Vec::new();
        loop {
            self.skip_blanks();
            match self.peek()? {
                b'{' | b'[' => depth += 1,
                b'}' | b']' => {
                    depth = depth.checked_sub(1)?;
                    if let Some(known) = self.known.as_deref_mut() {
                        known.add_bytes(&std::mem::take(&mut bytes));
                    }
                }
                b',' | b':' => {}
                _ => {
                    let token = self.token();
                    let text = text_of(token.unwrap_or(&self.text[self.at..]));
                    match self.known.as_deref_mut() {
                        Some(known) if mark == SECRET => known.add_found(&text),
                        Some(known) => known.add_omitted(&text),
                        None => {}
                    }
                    token?;
                    bytes.extend(text.parse::<u8>());
                    if depth == 0 {
                        return Some(());
                    }
                    continue;
                }
            }
            self.at += 1;
            if depth == 0 {
                return Some(());
            }
        }
    }

    fn peek(&mut self) -> Option<u8> {
        let next = self.text.as_bytes().get(self.at).copied();
        self.is_over |= next.is_none();
        next
    }

    /// Copies a byte of punctuation.
    fn pass(&mut self, byte: u8) -> Option<()> {
        self.peek().filter(|next| *next == byte)?;
        self.at += 1;
        self.out.push(char::from(byte));
        Some(())
    }

    /// Copies white space.
    fn blanks(&mut self) {
        let start = self.at;
        self.skip_blanks();
        self.out.push_str(&self.text[start..self.at]);
    }

    fn skip_blanks(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
    }

    /// Reads the next token: a text with its quotes, a name without quotes, a number or a word.
    fn token(&mut self) -> Option<&'i str> {
        let rest = &self.text[self.at..];
        let bytes = rest.as_bytes();
        let length = match *bytes.first()? {
            quote @ (b'"' | b'\'') => {
                let mut at = 1;
                loop {
                    let rest = bytes.get(at..).unwrap_or_default();
                    let Some(found) = memchr::memchr2(quote, b'\\', rest) else {
                        self.is_over = true;
                        return None;
                    };
                    at += found;
                    if bytes[at] == quote {
                        break at + 1;
                    }
                    at += 2;
                }
            }
            _ => {
                let ends = |c: char| c.is_whitespace() || "{}[],:\"'".contains(c);
                let length = rest.find(ends).unwrap_or(rest.len());
                (length > 0).then_some(length)?
            }
        };
        self.at += length;
        rest.get(..length)
    }
}

/// Returns the text of a token, without its quotes and escapes.
fn text_of(token: &str) -> String {
    let quotes: &[char] = &['"', '\''];
    let inner = token.strip_prefix(quotes);
    unescaped(inner.map_or(token, |inner| inner.strip_suffix(quotes).unwrap_or(inner)))
}
