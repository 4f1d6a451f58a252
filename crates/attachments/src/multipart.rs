//! The reader of multipart bodies (RFC 2046 §5.1), which arrive in pieces.

use std::collections::HashSet;

use memchr::memmem::{self, Finder};
use svcgen_core::internals::{UnpackError, printable};
use svcgen_core::types::LargeBytes;

use crate::encoding::TransferEncoding;
use crate::part_bytes::{PartBytes, PartsOnDisk};
use crate::part_head::PartHead;

/// The limits of a body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bounds {
    /// The number of parts.
    pub parts: usize,
    /// The length of the head of a part, of the preamble and of the epilogue, in bytes each.
    pub head: usize,
    /// The length of a part in bytes.
    pub part: usize,
    /// The length of the root in bytes.
    pub root: usize,
}

/// A part.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    /// The head of the part.
    pub head: PartHead,
    /// The decoded bytes.
    pub bytes: LargeBytes,
}

/// A reader of a body. The result does not depend on the pieces in which the body arrives.
#[derive(Debug)]
pub struct Multipart {
    /// CR LF, two hyphens and the boundary.
    delimiter: Finder<'static>,
    bounds: Bounds,
    /// The place for long parts on disk; `None` if all parts are in memory.
    disk: Option<PartsOnDisk>,
    /// The id of the root; `None` if the first part is the root.
    start: Option<String>,
    place: Place,
    /// Bytes that cannot be interpreted yet: the beginning of a delimiter or of a head.
    held: Vec<u8>,
    parts: Vec<Part>,
    /// The bytes of the last part, while they arrive.
    bytes: PartBytes,
    ids: HashSet<String>,
    /// The number of bytes that have arrived.
    arrived: usize,
    /// The number of these bytes that are on disk, in parts that have ended.
    on_disk: usize,
}

/// The section of a body that is being read.
#[derive(Debug)]
enum Place {
    /// The text before the first part, with the number of bytes read so far.
    Preamble(usize),
    /// The head of the next part, with the number of its bytes in which no end was found.
    Head(usize),
    /// The bytes of the last part.
    Content {
        /// The maximum number of bytes.
        most: usize,
        /// Whether the bytes may be on disk.
        may_leave: bool,
        /// Whether the line end before the bytes is not read yet, as it may belong to a delimiter.
        is_before: bool,
    },
    /// The text after the last part, with the number of bytes read so far.
    Epilogue(usize),
}

/// The kind of a line that may be a delimiter.
enum Line {
    /// Not a delimiter.
    Other,
    /// Possibly a delimiter, but the end of the line has not arrived.
    Unfinished,
    /// The delimiter before a part, with its length in bytes.
    Part(usize),
    /// The last delimiter, with its length in bytes.
    End(usize),
}

/// The maximum number of blanks after a boundary.
const PADDING: usize = 64;

/// The number of bytes of a piece that are added to the held bytes at once.
const STEP: usize = 1024;

impl Multipart {
    /// Creates a reader of a body with this boundary. `start` is the id of the root; without it,
    /// the first part is the root.
    pub fn new(
        boundary: &str,
        start: Option<String>,
        bounds: Bounds,
        disk: Option<PartsOnDisk>,
    ) -> Self {
        let delimiter = [b"\r\n--", boundary.as_bytes()].concat();
        Self {
            delimiter: Finder::new(&delimiter).into_owned(),
            bounds,
            disk,
            start,
            place: Place::Preamble(0),
            // The first delimiter may be the first line.
            held: b"\r\n".to_vec(),
            parts: Vec::new(),
            bytes: PartBytes::default(),
            ids: HashSet::new(),
            arrived: 0,
            on_disk: 0,
        }
    }

    /// Reads the next bytes.
    ///
    /// # Errors
    ///
    /// The body is malformed or exceeds a limit, or its parts cannot be kept on disk.
    pub fn push(&mut self, mut bytes: &[u8]) -> Result<(), UnpackError> {
        self.arrived += bytes.len();
        while !bytes.is_empty() {
            if self.held.is_empty() {
                let read = self.read(bytes)?;
                self.held.extend_from_slice(&bytes[read..]);
                return Ok(());
            }
            let mut held = std::mem::take(&mut self.held);
            let before = held.len();
            let more = bytes.len().min(STEP);
            held.extend_from_slice(&bytes[..more]);
            let read = self.read(&held)?;
            match read.checked_sub(before) {
                // All held bytes are read, so the rest need not be copied.
                Some(of_more) => bytes = &bytes[of_more..],
                None => {
                    held.drain(..read);
                    self.held = held;
                    bytes = &bytes[more..];
                }
            }
        }
        Ok(())
    }

    /// Returns the number of arrived bytes that are not on disk.
    pub fn held(&self) -> usize {
        self.arrived - self.on_disk - self.bytes.on_disk()
    }

    /// Ends the body and returns its parts.
    ///
    /// # Errors
    ///
    /// The body ends too early, or has no part.
    pub fn finish(self) -> Result<Vec<Part>, String> {
        match self.place {
            Place::Epilogue(_) if self.parts.is_empty() => {
                Err("The multipart body has no part.".to_owned())
            }
            Place::Epilogue(_) => Ok(self.parts),
            Place::Preamble(_) => {
                let delimiter = String::from_utf8_lossy(self.delimiter.needle());
                let message = format!(
                    "The multipart body has no line '{}', as its boundary says. Lines end with CR LF.",
                    printable(delimiter.trim_ascii())
                );
                Err(message)
            }
            Place::Head(_) => Err(self.of_next("has a head that ends early")),
            Place::Content { .. } => Err(self.of_part("is not ended by the boundary")),
        }
    }

    /// Reads bytes as far as they can be interpreted. Returns the number of bytes read.
    fn read(&mut self, bytes: &[u8]) -> Result<usize, UnpackError> {
        let mut read = 0;
        loop {
            let rest = &bytes[read..];
            let (more, goes_on) = match self.place {
                Place::Preamble(before) => self.read_preamble(rest, before)?,
                Place::Head(searched) => self.read_head(rest, searched)?,
                Place::Content {
                    most,
                    may_leave,
                    is_before,
                } => self.read_content(rest, most, may_leave, is_before)?,
                Place::Epilogue(before) => {
                    let length = before + rest.len();
                    self.check_outside(length)?;
                    self.place = Place::Epilogue(length);
                    (rest.len(), false)
                }
            };
            read += more;
            if !goes_on {
                return Ok(read);
            }
        }
    }

    fn read_preamble(&mut self, bytes: &[u8], before: usize) -> Result<(usize, bool), String> {
        let (length, line) = self.find_line(bytes);
        self.check_outside(before + length)?;
        self.place = Place::Preamble(before + length);
        Ok((length + self.pass_line(&line), line.is_delimiter()))
    }

    fn check_outside(&self, length: usize) -> Result<(), String> {
        if length <= self.bounds.head {
            return Ok(());
        }
        Err(format!(
            "More than {} bytes stand before or after the parts of the multipart body.",
            self.bounds.head
        ))
    }

    /// Starts the section after a delimiter. Returns the length of the delimiter.
    fn pass_line(&mut self, line: &Line) -> usize {
        match line {
            Line::Part(length) => {
                self.place = Place::Head(0);
                *length
            }
            Line::End(length) => {
                self.place = Place::Epilogue(0);
                *length
            }
            Line::Other | Line::Unfinished => 0,
        }
    }

    fn read_head(&mut self, bytes: &[u8], searched: usize) -> Result<(usize, bool), String> {
        if self.parts.len() == self.bounds.parts {
            let most = self.bounds.parts;
            return Err(format!("The multipart body has more than {most} parts."));
        }
        // Up to three bytes at the end may be the beginning of the empty line.
        let from = searched.saturating_sub(3);
        // The line end of the empty line stays unread, as it may belong to the next delimiter.
        let end = match bytes {
            [b'\r', b'\n', ..] => Some(0),
            _ => memmem::find(&bytes[from..], b"\r\n\r\n").map(|at| from + at),
        };
        if end.unwrap_or(bytes.len().saturating_sub(3)) > self.bounds.head {
            let most = self.bounds.head;
            return Err(self.of_next(&format!("has a head of more than {most} bytes")));
        }
        let Some(end) = end else {
            self.place = Place::Head(bytes.len());
            return Ok((0, false));
        };
        // With a colon in its boundary, a delimiter resembles a field.
        let delimiter = &self.delimiter.needle()[2..];
        let mut lines = bytes[..end].split(|byte| *byte == b'\n');
        if lines.any(|line| line.starts_with(delimiter)) {
            return Err(self.of_next("has a head that no empty line ends"));
        }
        let head = PartHead::read(&bytes[..end]);
        let head = head.map_err(|why| self.of_next(&format!("has a head that {why}")))?;
        if let Some(id) = &head.id
            && !self.ids.insert(id.clone())
        {
            let id = printable(id);
            return Err(format!("Two parts have the Content-ID '{id}'."));
        }
        let is_root = match &self.start {
            Some(start) => head.id.as_ref() == Some(start),
            None => self.parts.is_empty(),
        };
        let may_leave = !is_root && head.encoding == TransferEncoding::Plain;
        let most = match &self.disk {
            _ if is_root => self.bounds.root,
            None => usize::MAX,
            Some(disk) if may_leave => disk.most(),
            // The part is decoded in memory.
            Some(disk) => disk.above,
        };
        self.parts.push(Part {
            head,
            bytes: LargeBytes::default(),
        });
        self.place = Place::Content {
            most: most.min(self.bounds.part),
            may_leave,
            is_before: true,
        };
        Ok((if end == 0 { 0 } else { end + 2 }, true))
    }

    fn read_content(
        &mut self,
        bytes: &[u8],
        most: usize,
        may_leave: bool,
        is_before: bool,
    ) -> Result<(usize, bool), UnpackError> {
        let (length, line) = self.find_line(bytes);
        let content = &bytes[..length];
        let content = match content {
            [] => content,
            _ if is_before => &content[2..],
            _ => content,
        };
        if self.bytes.len() + content.len() > most {
            let encoded = match self.parts.last() {
                Some(part) if part.head.encoding != TransferEncoding::Plain => " in its encoding",
                _ => "",
            };
            let why = format!("has more than {most} bytes{encoded}");
            return Err(self.of_part(&why).into());
        }
        let disk = self.disk.as_ref().filter(|_| may_leave);
        self.bytes.push(content, disk)?;
        if !line.is_delimiter() {
            self.place = Place::Content {
                most,
                may_leave,
                is_before: is_before && length == 0,
            };
            return Ok((length, false));
        }
        let bytes = std::mem::take(&mut self.bytes);
        let encoding = self.parts.last().map(|part| part.head.encoding);
        let decode = |bytes| {
            let decoded = encoding.unwrap_or_default().decode(bytes);
            decoded.map_err(|why| self.of_part(&why))
        };
        let bytes = bytes.finish(decode)?;
        if bytes.in_memory().is_none() {
            self.on_disk += usize::try_from(bytes.len()).unwrap_or(usize::MAX);
        }
        if let Some(part) = self.parts.last_mut() {
            part.bytes = bytes;
        }
        Ok((length + self.pass_line(&line), true))
    }

    /// Returns the number of bytes before the next delimiter, and the delimiter. A line that only
    /// begins with the boundary is not a delimiter.
    fn find_line(&self, bytes: &[u8]) -> (usize, Line) {
        let needle = self.delimiter.needle();
        let mut from = 0;
        while let Some(at) = self.delimiter.find(&bytes[from..]) {
            let (start, end) = (from + at, from + at + needle.len());
            match Line::of(&bytes[end..], needle.len()) {
                Line::Other => from = end,
                line => return (start, line),
            }
        }
        // The possible beginning of a delimiter stays unread.
        let tail = (bytes.len() + 1).saturating_sub(needle.len()).max(from);
        let start = (tail..bytes.len()).find(|at| needle.starts_with(&bytes[*at..]));
        (start.unwrap_or(bytes.len()), Line::Unfinished)
    }

    /// Returns the text of an error about the last part.
    fn of_part(&self, why: &str) -> String {
        format!("Part {} of the multipart body {why}.", self.parts.len())
    }

    /// Returns the text of an error about the part after the last one.
    fn of_next(&self, why: &str) -> String {
        format!("Part {} of the multipart body {why}.", self.parts.len() + 1)
    }
}

impl Line {
    /// Classifies a delimiter of this length in bytes by the bytes after it.
    fn of(after: &[u8], delimiter: usize) -> Self {
        if after.starts_with(b"--") {
            return Self::End(delimiter + 2);
        }
        let blanks = after.iter().take_while(|byte| matches!(byte, b' ' | b'\t'));
        let blanks = blanks.take(PADDING + 1).count();
        match &after[blanks..] {
            _ if blanks > PADDING => Self::Other,
            [b'\r', b'\n', ..] => Self::Part(delimiter + blanks + 2),
            [] | [b'\r'] => Self::Unfinished,
            [b'-'] if blanks == 0 => Self::Unfinished,
            _ => Self::Other,
        }
    }

    fn is_delimiter(&self) -> bool {
        matches!(self, Self::Part(_) | Self::End(_))
    }
}
