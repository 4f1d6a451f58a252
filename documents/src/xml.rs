//! Writes XML as the original lays it out: one element a line, two spaces a level, ` />` where nothing is in one.

/// An XML document on its way.
pub(crate) struct Xml {
    text: String,
    depth: usize,
    /// The names of the elements that are not at their ends yet.
    names: Vec<String>,
    /// Whether the last start tag is still without its `>`.
    open: bool,
}

impl Xml {
    /// A document, after its declaration.
    pub fn document() -> Self {
        let text = "<?xml version=\"1.0\" encoding=\"utf-8\"?>".to_owned();
        Self {
            text,
            depth: 0,
            names: Vec::new(),
            open: false,
        }
    }

    /// A part of a document that stands below `depth` elements.
    pub fn part(depth: usize) -> Self {
        Self {
            text: String::new(),
            depth,
            names: Vec::new(),
            open: false,
        }
    }

    /// Writes an element; `content` writes what is in it.
    pub fn element(
        &mut self,
        name: &str,
        attributes: &[(&str, &str)],
        content: impl FnOnce(&mut Self),
    ) {
        self.start(name, attributes);
        content(self);
        self.end();
    }

    /// Writes an element with nothing in it.
    pub fn empty(&mut self, name: &str, attributes: &[(&str, &str)]) {
        self.element(name, attributes, |_| {});
    }

    /// Writes an element with text in it.
    pub fn text(&mut self, name: &str, text: &str) {
        self.start(name, &[]);
        self.close_start();
        escape(text, &mut self.text);
        self.names.pop();
        self.end_tag(name);
    }

    /// Puts in a part that was written on its own.
    pub fn insert(&mut self, part: Self) {
        if !part.text.is_empty() {
            self.close_start();
            self.text.push_str(&part.text);
        }
    }

    /// The document.
    pub fn finish(self) -> String {
        self.text
    }

    /// Starts an element.
    pub fn start(&mut self, name: &str, attributes: &[(&str, &str)]) {
        self.close_start();
        self.line();
        self.text.push('<');
        self.text.push_str(name);
        for (name, value) in attributes {
            self.text.push(' ');
            self.text.push_str(name);
            self.text.push_str("=\"");
            escape(value, &mut self.text);
            self.text.push('"');
        }
        self.names.push(name.to_owned());
        self.open = true;
    }

    /// Ends the element that was started last.
    pub fn end(&mut self) {
        if std::mem::take(&mut self.open) {
            self.names.pop();
            self.text.push_str(" />");
        } else {
            let name = self.names.pop().unwrap_or_default();
            self.line();
            self.end_tag(&name);
        }
    }

    fn close_start(&mut self) {
        if std::mem::take(&mut self.open) {
            self.text.push('>');
        }
    }

    fn line(&mut self) {
        self.text.push('\n');
        let depth = self.depth + self.names.len();
        self.text.extend(std::iter::repeat_n("  ", depth));
    }

    fn end_tag(&mut self, name: &str) {
        self.text.push_str("</");
        self.text.push_str(name);
        self.text.push('>');
    }
}

/// Appends text so that it means itself in content and in attributes. Characters that XML cannot carry become U+FFFD.
pub(crate) fn escape(text: &str, out: &mut String) {
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\r' => out.push_str("&#xD;"),
            '\n' | '\t' => out.push(character),
            '\0'..='\x1f' | '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            _ => out.push(character),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Xml;

    #[test]
    fn text_means_itself_whatever_it_holds() {
        let mut xml = Xml::part(0);
        xml.element("a", &[("b", "<\"&'>")], |xml| {
            xml.text("c", "]]> <d/> \u{1}");
            xml.empty("e", &[]);
        });
        let expected =
            "\n<a b=\"&lt;&quot;&amp;'&gt;\">\n  <c>]]&gt; &lt;d/&gt; \u{fffd}</c>\n  <e />\n</a>";
        assert_eq!(xml.finish(), expected);
    }
}
