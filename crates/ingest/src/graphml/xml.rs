//! XML as a stream of tags and texts, each with its line. Bounded: no tag or text is longer than
//! [`LINE_BYTES_MAX`], nothing is nested deeper than [`XML_DEPTH_MAX`], and no entity is expanded but
//! those of XML itself.

use crate::error::excerpt;
use crate::limits::{LINE_BYTES_MAX, XML_DEPTH_MAX};
use quick_xml::events::{BytesDecl, BytesRef, BytesStart, Event};
use quick_xml::{Reader, XmlVersion};
use std::io::{self, BufRead, Read};

/// An error of a document, and its line.
#[derive(Debug)]
pub(super) struct XmlFault {
    pub(super) line: u64,
    pub(super) detail: String,
}

/// A piece of a document.
pub(super) enum Piece {
    /// A tag that opens; one that is empty is followed by its end.
    Start(Tag),
    /// The end of the innermost tag.
    End,
    /// Text between tags; one text may come in several pieces.
    Text(String),
    /// The end of the document.
    Eof,
}

/// An opening tag.
pub(super) struct Tag {
    /// The line it begins on.
    pub(super) line: u64,
    /// Its name, without a namespace.
    pub(super) name: String,
    attributes: Vec<(String, String)>,
}

impl Tag {
    /// The value of an attribute, by its whole name.
    pub(super) fn attribute(&self, name: &str) -> Option<&str> {
        let found = self.attributes.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }
}

/// Reads one document.
pub(super) struct Xml {
    reader: Reader<Counted>,
    buffer: Vec<u8>,
    depth: usize,
}

impl Xml {
    pub(super) fn new(stream: Box<dyn BufRead + Send>) -> Self {
        let counted = Counted { stream, lines: 1, left: LINE_BYTES_MAX };
        let mut reader = Reader::from_reader(counted);
        reader.config_mut().expand_empty_elements = true;
        Self { reader, buffer: Vec::new(), depth: 0 }
    }

    /// The line that is read next.
    pub(super) fn line(&self) -> u64 {
        self.reader.get_ref().lines
    }

    /// The next piece; comments and instructions to programs are passed over.
    pub(super) fn next(&mut self) -> Result<Piece, XmlFault> {
        loop {
            let line = self.line();
            self.buffer.clear();
            self.reader.get_mut().left = LINE_BYTES_MAX;
            let fault = |detail: String| XmlFault { line, detail };
            let event = match self.reader.read_event_into(&mut self.buffer) {
                Ok(event) => event,
                Err(quick_xml::Error::Encoding(_)) => return Err(fault(NOT_TEXT.into())),
                Err(error) => {
                    let line = self.reader.get_ref().lines;
                    return Err(XmlFault { line, detail: format!("this is not XML: {error}") });
                }
            };
            let piece = match event {
                Event::Start(start) | Event::Empty(start) => {
                    self.depth += 1;
                    if XML_DEPTH_MAX < self.depth {
                        let most =
                            format!("tags may be nested {XML_DEPTH_MAX} deep, and not deeper");
                        return Err(fault(most));
                    }
                    Piece::Start(tag(&start, line).map_err(fault)?)
                }
                Event::End(_) => {
                    self.depth = self.depth.saturating_sub(1);
                    Piece::End
                }
                Event::Text(text) => Piece::Text(text.xml10_content().into_owned()),
                Event::CData(text) => Piece::Text(text.xml10_content().into_owned()),
                Event::GeneralRef(reference) => {
                    Piece::Text(resolved(&reference).map_err(fault)?.to_string())
                }
                Event::Eof if self.depth == 0 => Piece::Eof,
                Event::Eof => {
                    return Err(fault("the file ends inside a tag: is it complete?".into()));
                }
                Event::Decl(declaration) => {
                    check_encoding(&declaration).map_err(fault)?;
                    continue;
                }
                Event::DocType(_) => {
                    let detail = "a DTD is not read, since its entities could be of any size: \
                                  remove <!DOCTYPE …>";
                    return Err(fault(detail.into()));
                }
                Event::Comment(_) | Event::PI(_) => continue,
            };
            return Ok(piece);
        }
    }

    /// The text up to the end of the tag that is open; fails at a tag within, after all of it was passed.
    pub(super) fn text(&mut self) -> Result<Result<String, String>, XmlFault> {
        let (mut text, mut inside) = (String::new(), None);
        loop {
            match self.next()? {
                Piece::Text(piece) if LINE_BYTES_MAX < text.len() + piece.len() => {
                    let detail = format!("a text is longer than {LINE_BYTES_MAX} bytes");
                    return Err(XmlFault { line: self.line(), detail });
                }
                Piece::Text(piece) => text.push_str(&piece),
                Piece::Start(tag) => {
                    self.pass()?;
                    inside.get_or_insert(tag.name);
                }
                Piece::End | Piece::Eof => break,
            }
        }
        Ok(match inside {
            Some(name) => Err(format!("expected text, found the tag <{}>", excerpt(&name))),
            None => Ok(text),
        })
    }

    /// Passes over everything up to the end of the tag that is open.
    pub(super) fn pass(&mut self) -> Result<(), XmlFault> {
        let depth = self.depth;
        while depth <= self.depth {
            if let Piece::Eof = self.next()? {
                break;
            }
        }
        Ok(())
    }
}

fn tag(start: &BytesStart<'_>, line: u64) -> Result<Tag, String> {
    let name = start.local_name().as_ref().to_owned();
    let mut attributes = Vec::new();
    for attribute in start.attributes() {
        let attribute = attribute.map_err(|error| format!("<{}>: {error}", excerpt(&name)))?;
        let key = attribute.key.as_ref().to_owned();
        let value = attribute.normalized_value(XmlVersion::Implicit1_0);
        let value = value.map_err(|error| format!("{}: {error}", excerpt(&key)))?.into_owned();
        attributes.push((key, value));
    }
    Ok(Tag { line, name, attributes })
}

const NOT_TEXT: &str = "expected UTF-8 text, found other bytes: convert the file";

fn resolved(reference: &BytesRef<'_>) -> Result<char, String> {
    if let Ok(Some(character)) = reference.resolve_char_ref() {
        return Ok(character);
    }
    match &**reference {
        "lt" => Ok('<'),
        "gt" => Ok('>'),
        "amp" => Ok('&'),
        "apos" => Ok('\''),
        "quot" => Ok('"'),
        other => Err(format!(
            "the entity &{}; is not known: only those of XML itself are, lt, gt, amp, apos, quot",
            excerpt(other)
        )),
    }
}

fn check_encoding(declaration: &BytesDecl<'_>) -> Result<(), String> {
    let Some(Ok(encoding)) = declaration.encoding() else { return Ok(()) };
    let known = ["utf-8", "utf8", "us-ascii", "ascii"];
    match known.iter().any(|known| known.eq_ignore_ascii_case(&encoding)) {
        true => Ok(()),
        false => {
            Err(format!("the encoding {} is not read: convert it to UTF-8", excerpt(&encoding)))
        }
    }
}

/// Counts lines, and stops at a piece that is too long.
struct Counted {
    stream: Box<dyn BufRead + Send>,
    /// The line of the next byte.
    lines: u64,
    /// Bytes that the piece may still have.
    left: usize,
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let filled = self.fill_buf()?;
        let length = filled.len().min(buffer.len());
        buffer[..length].copy_from_slice(&filled[..length]);
        self.consume(length);
        Ok(length)
    }
}

impl BufRead for Counted {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.left == 0 {
            let detail = format!("a tag or text is longer than {LINE_BYTES_MAX} bytes");
            return Err(io::Error::other(detail));
        }
        let filled = self.stream.fill_buf()?;
        Ok(&filled[..filled.len().min(self.left)])
    }

    fn consume(&mut self, length: usize) {
        if let Ok(filled) = self.stream.fill_buf() {
            self.lines += memchr::memchr_iter(b'\n', &filled[..length]).count() as u64;
        }
        self.left -= length;
        self.stream.consume(length);
    }
}
