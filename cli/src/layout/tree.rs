//! A text as a tree that remembers how it was written.

use std::iter::Peekable;

use granit_parser::{Event, Marker, Parser, ScalarStyle, ScanError, Span, StructureStyle};

/// A map or a list.
#[derive(Debug)]
pub(super) struct Collection {
    pub is_map: bool,
    /// Whether it was written in braces or brackets.
    pub flow: bool,
    /// Where a block begins: the column of its keys or dashes.
    pub column: usize,
    pub slots: Vec<Slot>,
    /// The comments after the last slot.
    pub below: Vec<Comment>,
    pub end: Marker,
}

/// An entry of a map, or an item of a list.
#[derive(Debug)]
pub(super) struct Slot {
    pub above: Vec<Comment>,
    /// Whether a blank line stands before it, after the comments.
    pub blank: bool,
    /// The key of an entry.
    pub key: Option<Node>,
    pub value: Node,
    /// The comment at the end of its first line.
    pub right: Option<Comment>,
    pub start: Marker,
    /// Where its last token ends.
    pub end: Marker,
}

#[derive(Debug)]
pub(super) struct Node {
    pub anchor: Option<String>,
    pub content: Content,
}

#[derive(Debug)]
pub(super) enum Content {
    /// Nothing at all, as after `Logout:`.
    Nothing,
    Scalar(Scalar),
    Alias {
        name: String,
        at: usize,
    },
    Collection(Collection),
}

#[derive(Debug)]
pub(super) struct Scalar {
    pub text: String,
    pub style: ScalarStyle,
    /// Whether it was written in several lines.
    pub wrapped: bool,
}

#[derive(Debug)]
pub(super) struct Comment {
    /// With its `#`.
    pub text: String,
    /// Whether a blank line stands before it.
    pub blank: bool,
    /// Whether something other than a comment stands before it in its line.
    pub is_right: bool,
    pub start: Marker,
}

/// The map of a file, and its comments in the order of the text.
pub(super) fn read(text: &str) -> Result<(Collection, Vec<Comment>), String> {
    let options = granit_parser::options! { emit_anchor_events: true };
    let events = Parser::new_from_str_with_options(text, options);
    let mut reader = Reader {
        text,
        lines: text.lines().collect(),
        events: events.peekable(),
        comments: Vec::new(),
        end: Marker::default(),
    };
    let (event, span) = reader.next()?;
    let file = match event {
        Event::MappingStart(..) => reader.node(event, span)?,
        _ => return Err(at(span.start, "a definition is a map")),
    };
    while reader.next().is_ok() {}
    match file.content {
        Content::Collection(file) => Ok((file, reader.comments)),
        _ => Err("a definition is a map".to_owned()),
    }
}

struct Reader<'t, E: Iterator<Item = Result<(Event<'t>, Span), ScanError>>> {
    text: &'t str,
    lines: Vec<&'t str>,
    events: Peekable<E>,
    comments: Vec<Comment>,
    /// Where the last token ended.
    end: Marker,
}

fn at(place: Marker, complaint: &str) -> String {
    format!(
        "line {}, column {}: {complaint}",
        place.line(),
        place.col() + 1
    )
}

impl<'t, E: Iterator<Item = Result<(Event<'t>, Span), ScanError>>> Reader<'t, E> {
    /// The next event that is part of the tree; comments are put aside.
    fn next(&mut self) -> Result<(Event<'t>, Span), String> {
        loop {
            let (event, span) = match self.events.next() {
                None => return Err("the definition ends too early".to_owned()),
                Some(Err(error)) => return Err(error.to_string()),
                Some(Ok(next)) => next,
            };
            match event {
                Event::Comment(text, _) => {
                    let comment = self.comment(&text, span.start);
                    self.comments.push(comment);
                }
                Event::StreamStart | Event::DocumentStart(..) => {}
                _ => return Ok((event, span)),
            }
        }
    }

    fn comment(&self, text: &str, start: Marker) -> Comment {
        let line = self
            .lines
            .get(start.line() - 1)
            .copied()
            .unwrap_or_default();
        Comment {
            text: format!("#{}", text.trim_end()),
            blank: self.blank_before(start),
            is_right: !line.trim_start().starts_with('#'),
            start,
        }
    }

    fn blank_before(&self, place: Marker) -> bool {
        let before = place
            .line()
            .checked_sub(2)
            .and_then(|line| self.lines.get(line));
        before.is_some_and(|line| line.trim().is_empty())
    }

    fn node(&mut self, event: Event<'t>, span: Span) -> Result<Node, String> {
        if span.tag_start().is_some() {
            return Err(at(span.start, "a YAML tag means nothing here"));
        }
        let anchor = self.anchor();
        let content = match event {
            Event::Scalar(..) if span.is_empty() => Content::Nothing,
            Event::Scalar(text, style, ..) => {
                self.end = last_character(span, style);
                Content::Scalar(Scalar {
                    text: text.into_owned(),
                    style,
                    wrapped: self.end.line() > span.start.line(),
                })
            }
            Event::Alias(_) => {
                self.end = span.end;
                let name = span.slice(self.text).unwrap_or_default();
                Content::Alias {
                    name: name.trim_start_matches('*').to_owned(),
                    at: span.start.index(),
                }
            }
            Event::MappingStart(style, ..) => {
                Content::Collection(self.collection(true, style, span)?)
            }
            Event::SequenceStart(style, ..) => {
                Content::Collection(self.collection(false, style, span)?)
            }
            _ => return Err(at(span.start, "a value is missing")),
        };
        Ok(Node { anchor, content })
    }

    fn anchor(&mut self) -> Option<String> {
        let next = self
            .events
            .next_if(|next| matches!(next, Ok((Event::Anchor(..), _))))?;
        match next {
            Ok((Event::Anchor(_, name), _)) => Some(name.into_owned()),
            _ => None,
        }
    }

    fn collection(
        &mut self,
        is_map: bool,
        style: StructureStyle,
        start: Span,
    ) -> Result<Collection, String> {
        self.end = start.end;
        let column = start.start.col();
        let flow = style == StructureStyle::Flow;
        let mut slots = Vec::new();
        loop {
            let (event, span) = self.next()?;
            if matches!(event, Event::MappingEnd | Event::SequenceEnd) {
                if flow {
                    self.end = span.end;
                }
                let (below, end) = (Vec::new(), self.end);
                return Ok(Collection {
                    is_map,
                    flow,
                    column,
                    slots,
                    below,
                    end,
                });
            }
            slots.push(self.slot(is_map, event, span)?);
        }
    }

    fn slot(&mut self, is_map: bool, event: Event<'t>, span: Span) -> Result<Slot, String> {
        let start = span.start;
        let first = self.node(event, span)?;
        let (key, value) = match is_map {
            false => (None, first),
            true if matches!(first.content, Content::Scalar(_) | Content::Alias { .. }) => {
                let (event, span) = self.next()?;
                (Some(first), self.node(event, span)?)
            }
            true => return Err(at(start, "a key is a name")),
        };
        Ok(Slot {
            above: Vec::new(),
            blank: self.blank_before(start),
            key,
            value,
            right: None,
            start,
            end: self.end,
        })
    }
}

/// Where a scalar ends. The parser says of blocks where the next token can start.
fn last_character(span: Span, style: ScalarStyle) -> Marker {
    match style {
        ScalarStyle::Literal | ScalarStyle::Folded => {
            let last_line = span.end.line().saturating_sub(1).max(span.start.line());
            Marker::new(span.end.index().saturating_sub(1), last_line, 0)
        }
        _ => span.end,
    }
}
