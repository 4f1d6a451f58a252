//! Reads YAML: a text → the tree of its nodes, with spans, styles and comments.
//!
//! The generator reads definitions from the tree, the command formats it. An alias is one node that
//! refers to its target, so that a tree is no larger than its text; repeated nodes still count
//! towards the limits, since definitions repeat them.

mod complaint;
mod scalar;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::iter::Peekable;
use std::ops::Range;
use std::rc::Rc;

pub use granit_parser::ScalarStyle;
use granit_parser::{Event, Marker, Parser, ScanError, Span, StrInput, StructureStyle};

use crate::diagnostic::Diagnostics;
use crate::sink::Sink;
pub use crate::span::NodeId;
use crate::span::Spans;
use crate::text;
use complaint::{Complaint, MOST_NESTED, MOST_NODES, Open, token_length};
pub use scalar::{can_be_block, scalar, value};

/// The maximum number of reported YAML tags.
const MOST_TAGS: usize = 100;

/// The start or the end of a token, with line and column for the layout.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Position {
    /// The offset in bytes, from 0.
    pub byte: usize,
    /// The line, from 1.
    pub line: usize,
    /// The column, from 0, in characters.
    pub column: usize,
}

impl From<Marker> for Position {
    fn from(marker: Marker) -> Self {
        Self {
            byte: marker.byte_offset().unwrap_or_default(),
            line: marker.line(),
            column: marker.col(),
        }
    }
}

/// The tree of a file.
#[derive(Debug)]
pub struct Tree {
    /// The root of the document.
    pub root: Rc<Node>,
    /// The comments, in the order of the text.
    pub comments: Vec<Comment>,
    /// The spans of its nodes.
    pub spans: Spans,
}

/// A scalar, a list, a map, or an alias for one.
#[derive(Debug)]
pub struct Node {
    /// Its number.
    pub id: NodeId,
    /// The name by which aliases refer to it.
    pub anchor: Option<String>,
    /// Its start, after its anchor.
    pub start: Position,
    /// The end of its last token.
    pub end: Position,
    /// Its content.
    pub content: Content,
    /// The number of nodes with aliases followed.
    size: usize,
    /// The depth of nested lists and maps with aliases followed.
    height: usize,
}

impl Node {
    /// Returns the target of an alias, or the node itself.
    pub fn target(&self) -> &Self {
        match &self.content {
            Content::Alias { target, .. } => target,
            _ => self,
        }
    }
}

/// The content of a node.
#[derive(Debug)]
pub enum Content {
    /// An empty value, as after `Logout:`.
    Nothing,
    /// A text.
    Scalar {
        /// The text, whatever type YAML has for it: `no`, `1.10` and `null` are texts.
        text: String,
        /// Plain, in quotes, or as a block.
        style: ScalarStyle,
    },
    /// `*name`.
    Alias {
        /// The name.
        name: String,
        /// The node of the anchor.
        target: Rc<Node>,
    },
    /// A map or a list.
    Collection(Collection),
}

/// A map or a list.
#[derive(Debug)]
pub struct Collection {
    /// Whether it is a map.
    pub is_map: bool,
    /// Whether it was written in braces or brackets.
    pub flow: bool,
    /// Its entries or items.
    pub slots: Vec<Slot>,
}

/// An entry of a map, or an item of a list.
#[derive(Debug)]
pub struct Slot {
    /// The key of an entry.
    pub key: Option<Rc<Node>>,
    /// The value of an entry, or the item.
    pub value: Rc<Node>,
}

impl Slot {
    /// Returns the key, if it has one, and the value.
    pub fn nodes(&self) -> impl Iterator<Item = &Node> {
        self.key.iter().chain([&self.value]).map(Rc::as_ref)
    }

    /// Returns its first node.
    pub fn first(&self) -> &Node {
        self.key.as_ref().unwrap_or(&self.value)
    }
}

/// A comment.
#[derive(Debug)]
pub struct Comment {
    /// The text, with `#` and without trailing blanks.
    pub text: String,
    /// The position of `#`.
    pub start: Position,
}

/// Reads the tree of a file, for its layout.
///
/// # Errors
///
/// The bytes are not UTF-8 or not YAML, or have a YAML tag.
pub fn parse(file: &str, bytes: &[u8]) -> Result<Tree, Diagnostics> {
    let (text, mark) = text::without_mark(text::decode(file, bytes)?);
    let mut sink = Sink::default();
    let tree = read(text, &mut sink);
    let diagnostics = sink.finish(file, text, mark, &Spans::default());
    match tree {
        Some(tree) if diagnostics.is_empty() => Ok(tree),
        _ => Err(diagnostics),
    }
}

/// Reads a tree. Tags are reported and ignored.
pub fn read(text: &str, sink: &mut Sink) -> Option<Tree> {
    if !text::is_text(text, sink) {
        return None;
    }
    // The size of comments is limited by the text; nesting is limited by `MOST_NESTED`, and by the
    // parser for the tokens that it reads ahead.
    let options = granit_parser::options! {
        emit_anchor_events: true,
        max_buffered_comment_events: usize::MAX,
    };
    let mut reader = Reader {
        text,
        sink,
        events: Parser::new_from_str_with_options(text, options).peekable(),
        spans: Spans::default(),
        comments: Vec::new(),
        anchors: HashMap::new(),
        open: Vec::new(),
        end: Position::default(),
        nodes: 0,
        tags: 0,
    };
    let root = reader.document().ok()?;
    Some(Tree {
        root,
        comments: reader.comments,
        spans: reader.spans,
    })
}

/// The error of reading; its diagnostics are in the sink.
struct Refused;

struct Reader<'t, 's> {
    text: &'t str,
    sink: &'s mut Sink,
    events: Peekable<Parser<'t, StrInput<'t>>>,
    spans: Spans,
    comments: Vec<Comment>,
    /// Complete nodes, by the parser's ids of their anchors.
    anchors: HashMap<usize, Rc<Node>>,
    open: Vec<Open>,
    /// The end of the last token.
    end: Position,
    /// The number of nodes so far with aliases followed.
    nodes: usize,
    tags: usize,
}

impl<'t> Reader<'t, '_> {
    /// Reads the only document of the text.
    fn document(&mut self) -> Result<Rc<Node>, Refused> {
        let (event, span) = loop {
            match self.next()? {
                (Event::StreamStart | Event::DocumentStart(..), _) => {}
                (Event::StreamEnd, _) => return Err(self.refuse(Complaint::empty)),
                next => break next,
            }
        };
        let root = self.node(event, span)?;
        if matches!(root.content, Content::Nothing) {
            return Err(self.refuse(Complaint::empty));
        }
        loop {
            match self.next()? {
                (Event::StreamEnd, _) => return Ok(root),
                (Event::DocumentStart(..), span) => {
                    return Err(self.refuse_at(span.start, Complaint::second_document));
                }
                _ => {}
            }
        }
    }

    /// The next event that is not a comment. Comments are collected.
    fn next(&mut self) -> Result<(Event<'t>, Span), Refused> {
        loop {
            match self.events.next() {
                Some(Ok((Event::Comment(text, _), span))) => self.comments.push(Comment {
                    text: format!("#{}", text.trim_end()),
                    start: span.start.into(),
                }),
                Some(Ok(next)) => return Ok(next),
                Some(Err(error)) => {
                    return Err(self.refuse_at(*error.marker(), |complaint, sink| {
                        complaint.syntax(error.kind(), sink);
                    }));
                }
                None => return Err(self.refuse(Complaint::empty)),
            }
        }
    }

    fn node(&mut self, event: Event<'t>, span: Span) -> Result<Rc<Node>, Refused> {
        self.report_tag(&span);
        let anchor = self.anchor();
        let before = self.nodes;
        let id = self.spans.push(self.span(&event, &span));
        if !matches!(event, Event::Alias(_)) {
            self.count(1, span)?;
        }
        let content = match event {
            Event::Scalar(..) if span.is_empty() => Content::Nothing,
            Event::Scalar(text, style, ..) => {
                self.end = last_character(span, style);
                Content::Scalar {
                    text: text.into_owned(),
                    style,
                }
            }
            Event::Alias(number) => self.alias(number, span)?,
            Event::MappingStart(style, ..) => self.collection(true, style, span)?,
            Event::SequenceStart(style, ..) => self.collection(false, style, span)?,
            _ => return Err(self.refuse_at(span.start, Complaint::nothing)),
        };
        let (number, name) = anchor.unzip();
        let node = Rc::new(Node {
            id,
            anchor: name,
            start: span.start.into(),
            end: self.end,
            height: height(&content),
            content,
            size: self.nodes - before,
        });
        if let Some(number) = number {
            self.anchors.insert(number, Rc::clone(&node));
        }
        Ok(node)
    }

    fn span(&self, event: &Event<'_>, span: &Span) -> Range<usize> {
        let (start, end) = (
            Position::from(span.start).byte,
            Position::from(span.end).byte,
        );
        let rest = &self.text[start..];
        match event {
            // An empty value comes after the colon of its key.
            Event::Scalar(..) if span.is_empty() => {
                let start = start + usize::from(rest.starts_with(':'));
                start..start
            }
            Event::Scalar(..) | Event::Alias(_)
                if !self.text[start..end].contains(['\n', '\r']) =>
            {
                start..end
            }
            _ => start..start + token_length(rest),
        }
    }

    fn count(&mut self, nodes: usize, span: Span) -> Result<(), Refused> {
        self.nodes += nodes;
        if self.nodes > MOST_NODES {
            Err(self.refuse_at(span.start, Complaint::too_many_nodes))
        } else {
            Ok(())
        }
    }

    fn report_tag(&mut self, span: &Span) {
        let Some(start) = span.tag_start() else {
            return;
        };
        self.tags += 1;
        if self.tags <= MOST_TAGS {
            self.refuse_at(start, Complaint::tag);
        }
    }

    fn anchor(&mut self) -> Option<(usize, String)> {
        let is_anchor = |next: &Result<(Event<'_>, Span), ScanError>| {
            matches!(next, Ok((Event::Anchor(..), _)))
        };
        match self.events.next_if(is_anchor)? {
            Ok((Event::Anchor(number, name), _)) => Some((number, name.into_owned())),
            _ => None,
        }
    }

    fn alias(&mut self, number: usize, span: Span) -> Result<Content, Refused> {
        let Some(target) = self.anchors.get(&number).map(Rc::clone) else {
            return Err(self.refuse_at(span.start, Complaint::alias_of_itself));
        };
        if self.open.len() + target.height > MOST_NESTED {
            return Err(self.refuse_at(span.start, Complaint::too_deep));
        }
        self.count(target.size, span)?;
        self.end = span.end.into();
        let name = span.slice(self.text).unwrap_or_default();
        Ok(Content::Alias {
            name: name.trim_start_matches('*').to_owned(),
            target,
        })
    }

    fn collection(
        &mut self,
        is_map: bool,
        style: StructureStyle,
        span: Span,
    ) -> Result<Content, Refused> {
        if self.open.len() >= MOST_NESTED {
            return Err(self.refuse_at(span.start, Complaint::too_deep));
        }
        let flow = style == StructureStyle::Flow;
        let start = Position::from(span.start).byte;
        self.open.push(Open { start, flow });
        self.end = span.end.into();
        let mut slots = Vec::new();
        loop {
            let (event, span) = self.next()?;
            if matches!(event, Event::MappingEnd | Event::SequenceEnd) {
                if flow {
                    self.end = span.end.into();
                }
                self.open.pop();
                return Ok(Content::Collection(Collection {
                    is_map,
                    flow,
                    slots,
                }));
            }
            let first = self.node(event, span)?;
            let (key, value) = if is_map {
                let (event, span) = self.next()?;
                (Some(first), self.node(event, span)?)
            } else {
                (None, first)
            };
            slots.push(Slot { key, value });
        }
    }

    /// Reports a complaint at the end of the text.
    fn refuse(&mut self, report: impl FnOnce(&Complaint<'t>, &mut Sink)) -> Refused {
        self.report(self.text.len(), report)
    }

    fn refuse_at(&mut self, at: Marker, report: impl FnOnce(&Complaint<'t>, &mut Sink)) -> Refused {
        self.report(Position::from(at).byte, report)
    }

    fn report(&mut self, at: usize, report: impl FnOnce(&Complaint<'t>, &mut Sink)) -> Refused {
        let complaint = Complaint {
            text: self.text,
            at: at.min(self.text.len()),
            read: self.end.byte,
            open: self.open.last().copied(),
        };
        report(&complaint, self.sink);
        Refused
    }
}

fn height(content: &Content) -> usize {
    match content {
        Content::Nothing | Content::Scalar { .. } => 0,
        Content::Alias { target, .. } => target.height,
        Content::Collection(collection) => {
            let within = collection.slots.iter().flat_map(Slot::nodes);
            1 + within.map(|node| node.height).max().unwrap_or_default()
        }
    }
}

/// The end of a scalar. The parser sets that of a block to the place where the next token can
/// start.
fn last_character(span: Span, style: ScalarStyle) -> Position {
    let end = Position::from(span.end);
    match style {
        ScalarStyle::Literal | ScalarStyle::Folded => Position {
            byte: end.byte.saturating_sub(1),
            line: end.line.saturating_sub(1).max(span.start.line()),
            column: 0,
        },
        _ => end,
    }
}
