//! YAML: a text → the tree of its nodes, with the place of each, how it was written, and the comments.
//!
//! The one reader: the generator makes definitions of the tree, the command lays it out. An alias stays one node that knows
//! its target, so a text takes as many nodes as it has, whatever it repeats; what it repeats is counted all the same, since
//! definitions hold it.

mod complaint;

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

/// The most YAML tags that are reported.
const MOST_TAGS: usize = 100;

/// Where a token starts or ends, with line and column for the layout.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Position {
    /// The byte, from 0.
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

/// A text that is YAML.
#[derive(Debug)]
pub struct Tree {
    /// What the file holds.
    pub root: Rc<Node>,
    /// The comments, in the order of the text.
    pub comments: Vec<Comment>,
    pub(crate) spans: Spans,
}

/// A scalar, a list, a map, or an alias for one.
#[derive(Debug)]
pub struct Node {
    /// Its number.
    pub id: NodeId,
    /// The name by which aliases repeat it.
    pub anchor: Option<String>,
    /// Where it starts, behind its anchor.
    pub start: Position,
    /// Where its last token ends.
    pub end: Position,
    /// What it is.
    pub content: Content,
    /// How many nodes it is once aliases are followed.
    size: usize,
    /// How many lists and maps are in one another in it once aliases are followed.
    height: usize,
}

impl Node {
    /// The node that an alias stands for; of anything else, itself.
    pub fn target(&self) -> &Self {
        match &self.content {
            Content::Alias { target, .. } => target,
            _ => self,
        }
    }
}

/// What a node is.
#[derive(Debug)]
pub enum Content {
    /// Nothing at all where a value could stand, as after `Logout:`.
    Nothing,
    /// A text.
    Scalar {
        /// The text as its author meant it: `no`, `1.10` and `null` are texts, too.
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
    /// The key, if it has one, and the value.
    pub fn nodes(&self) -> impl Iterator<Item = &Node> {
        self.key.iter().chain([&self.value]).map(Rc::as_ref)
    }

    /// What it starts with.
    pub fn first(&self) -> &Node {
        self.key.as_ref().unwrap_or(&self.value)
    }
}

/// A comment.
#[derive(Debug)]
pub struct Comment {
    /// What it says, with its `#` and without blanks at its end.
    pub text: String,
    /// Where its `#` stands.
    pub start: Position,
}

/// The tree of a file, for its layout.
///
/// # Errors
///
/// The bytes are no text, or no YAML, or have a YAML tag.
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

/// The tree of a text. Tags are reported, and passed over.
pub(crate) fn read(text: &str, sink: &mut Sink) -> Option<Tree> {
    if !text::is_text(text, sink) {
        return None;
    }
    // Comments are bounded by the text; nesting by `MOST_NESTED`, and in what is looked ahead at by the parser.
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

/// What is wrong is in the sink.
struct Refused;

struct Reader<'t, 's> {
    text: &'t str,
    sink: &'s mut Sink,
    events: Peekable<Parser<'t, StrInput<'t>>>,
    spans: Spans,
    comments: Vec<Comment>,
    /// Complete nodes, by the parser's numbers for their anchors.
    anchors: HashMap<usize, Rc<Node>>,
    open: Vec<Open>,
    /// Where the last token ended.
    end: Position,
    /// Nodes up to here, those that aliases repeat among them.
    nodes: usize,
    tags: usize,
}

impl<'t> Reader<'t, '_> {
    /// The one document of the text.
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

    /// The next event; comments are put aside.
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
            // Nothing stands behind the colon of its key.
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

    /// Reports something at the end of the text.
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

/// Where a scalar ends. The parser says of blocks where the next token can start.
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
