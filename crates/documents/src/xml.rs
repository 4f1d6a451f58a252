//! Writes XML in the layout of ASMX: one element per line, two spaces per level, ` />` for empty
//! elements.

use crate::template::Template;

/// The declaration of documents.
pub(crate) const DECLARATION: &str = "<?xml version=\"1.0\" encoding=\"utf-8\"?>";

/// An XML document being written.
pub(crate) struct Xml {
    text: Template,
    depth: usize,
    /// The names of the open elements.
    names: Vec<String>,
    /// Whether the last start tag still lacks its `>`.
    open: bool,
    /// The number of open elements around the outermost text between elements: content after it is
    /// on the same line.
    mixed: Option<usize>,
}

impl Xml {
    /// Creates an XML document, with its declaration.
    pub fn document() -> Self {
        let mut document = Self::part(0);
        document.text.text(DECLARATION);
        document
    }

    /// Creates a part of a document, inside `depth` elements.
    pub fn part(depth: usize) -> Self {
        Self {
            text: Template::default(),
            depth,
            names: Vec::new(),
            open: false,
            mixed: None,
        }
    }

    /// Writes an element around `content`.
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

    /// Writes an empty element.
    pub fn empty(&mut self, name: &str, attributes: &[(&str, &str)]) {
        self.element(name, attributes, |_| {});
    }

    /// Writes an element around text.
    pub fn text(&mut self, name: &str, text: &str) {
        self.start(name, &[]);
        self.end_with(|out| out.escaped(text));
    }

    /// Writes elements, each inside the one before.
    pub fn nested(&mut self, elements: &[(&str, &[(&str, &str)])]) {
        for (name, attributes) in elements {
            self.start(name, attributes);
        }
        elements.iter().for_each(|_| self.end());
    }

    /// Whether nothing is written.
    pub fn is_empty(&self) -> bool {
        self.text.as_str().is_empty()
    }

    /// Writes a line of text.
    pub fn line_of(&mut self, text: impl FnOnce(&mut Template)) {
        self.close_start();
        self.line();
        text(&mut self.text);
    }

    /// Writes text between elements. Content after it in the same element is on the same line, as
    /// white space would be part of the text.
    pub fn characters(&mut self, text: impl FnOnce(&mut Template)) {
        self.close_start();
        text(&mut self.text);
        self.mixed.get_or_insert(self.names.len());
    }

    /// Inserts a part that was written separately.
    pub fn insert(&mut self, part: &Self) {
        if !part.is_empty() {
            self.close_start();
            self.text.append(&part.text);
        }
    }

    /// Returns the document.
    pub fn finish(self) -> Template {
        self.text
    }

    /// Starts an element.
    pub fn start(&mut self, name: &str, attributes: &[(&str, &str)]) {
        self.close_start();
        self.line();
        self.text.text("<");
        self.text.text(name);
        self.names.push(name.to_owned());
        self.open = true;
        for (name, value) in attributes {
            self.attribute(name, |out| out.escaped(value));
        }
    }

    /// Adds an attribute to the start tag just written.
    pub fn attribute(&mut self, name: &str, value: impl FnOnce(&mut Template)) {
        self.text.text(" ");
        self.text.text(name);
        self.text.text("=\"");
        value(&mut self.text);
        self.text.text("\"");
    }

    /// Ends the innermost open element.
    pub fn end(&mut self) {
        if std::mem::take(&mut self.open) {
            self.names.pop();
            self.text.text(" />");
        } else {
            let name = self.names.pop().unwrap_or_default();
            self.line();
            self.end_tag(&name);
            let around = self.names.len();
            self.mixed = self.mixed.filter(|mixed| *mixed <= around);
        }
    }

    /// Ends the innermost open element on its line, after text.
    pub fn end_with(&mut self, text: impl FnOnce(&mut Template)) {
        self.close_start();
        text(&mut self.text);
        let name = self.names.pop().unwrap_or_default();
        self.end_tag(&name);
    }

    fn close_start(&mut self) {
        if std::mem::take(&mut self.open) {
            self.text.text(">");
        }
    }

    fn line(&mut self) {
        if self.mixed.is_some() {
            return;
        }
        self.text.text("\n");
        for _ in 0..self.depth + self.names.len() {
            self.text.text("  ");
        }
    }

    fn end_tag(&mut self, name: &str) {
        self.text.text("</");
        self.text.text(name);
        self.text.text(">");
    }
}

#[cfg(test)]
mod tests {
    use super::Xml;

    #[test]
    fn text_is_escaped() {
        let mut xml = Xml::part(0);
        xml.element("a", &[("b", "<\"&'>")], |xml| {
            xml.text("c", "]]> <d/> \u{1}\u{202E}");
            xml.empty("e", &[]);
        });
        let expected = "\n<a b=\"&lt;&quot;&amp;'&gt;\">\n  <c>]]&gt; &lt;d/&gt; \u{fffd}&#x202E;</c>\n  <e />\n</a>";
        assert_eq!(xml.finish().as_str(), expected);
    }
}
