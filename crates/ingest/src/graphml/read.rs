//! A whole document to records, some thousand at a time.

use super::element::{Unread, edge, node};
use super::key::{Content, Domain, Key, Keys, parse_value};
use super::xml::{Piece, Tag, Xml, XmlFault};
use crate::elements::Records;
use crate::error::{BadRow, LoadError, excerpt};
use crate::limits::SEEK_ROWS;
use std::io::BufRead;
use std::sync::Arc;

/// Takes records; an error ends the load.
pub(super) type Take<'t> = &'t mut dyn FnMut(Records) -> Result<(), LoadError>;

/// Reads a file; returns a note for each kind of content that is not in the graph.
pub(super) fn read(
    file: &Arc<str>,
    stream: Box<dyn BufRead + Send>,
    take: Take<'_>,
) -> Result<Vec<String>, LoadError> {
    let document = Document {
        file,
        xml: Xml::new(stream),
        keys: Keys::default(),
        records: Records::default(),
        unread: Unread::default(),
        is_undirected: false,
        take,
    };
    document.read()
}

/// A document under way.
struct Document<'a, 't> {
    file: &'a Arc<str>,
    xml: Xml,
    keys: Keys,
    records: Records,
    unread: Unread,
    /// Whether edges of this graph have no direction unless they say so.
    is_undirected: bool,
    take: Take<'t>,
}

impl Document<'_, '_> {
    fn read(mut self) -> Result<Vec<String>, LoadError> {
        match self.next()? {
            Some(tag) if tag.name == "graphml" => {}
            Some(tag) => {
                let found = format!("expected <graphml>, found <{}>", excerpt(&tag.name));
                return Err(self.fault(XmlFault { line: tag.line, detail: found }));
            }
            None => {
                let detail = "expected <graphml>, found the end of the file".into();
                return Err(self.fault(XmlFault { line: self.xml.line(), detail }));
            }
        }
        while let Some(tag) = self.next()? {
            match tag.name.as_str() {
                "key" => self.key(&tag)?,
                // The classic graph as TinkerPop ships it has the second.
                "graph" | "originalGraph" => self.graph(&tag)?,
                "data" => {
                    self.unread.of_graphs += 1;
                    self.pass()?;
                }
                "desc" => self.pass()?,
                _ => self.refuse(&tag)?,
            }
        }
        let records = std::mem::take(&mut self.records);
        (self.take)(records)?;
        Ok(self.notes())
    }

    /// The next tag inside the one that is open; `None` at its end.
    fn next(&mut self) -> Result<Option<Tag>, LoadError> {
        loop {
            match self.xml.next() {
                Ok(Piece::Start(tag)) => return Ok(Some(tag)),
                Ok(Piece::End | Piece::Eof) => return Ok(None),
                Ok(Piece::Text(text)) if text.trim().is_empty() => {}
                Ok(Piece::Text(text)) => {
                    let detail = format!("expected a tag, found '{}'", excerpt(text.trim()));
                    let line = self.xml.line();
                    return Err(self.fault(XmlFault { line, detail }));
                }
                Err(fault) => return Err(self.fault(fault)),
            }
        }
    }

    fn graph(&mut self, tag: &Tag) -> Result<(), LoadError> {
        self.is_undirected = tag.attribute("edgedefault") == Some("undirected");
        while let Some(tag) = self.next()? {
            match tag.name.as_str() {
                "node" => {
                    let read = node(&mut self.xml, &tag, &self.keys, &mut self.unread);
                    match read.map_err(|fault| self.fault(fault))? {
                        Ok(vertex) => self.records.vertices.push(vertex),
                        Err(detail) => self.bad(tag.line, detail),
                    }
                }
                "edge" => self.edge(&tag)?,
                "data" => {
                    self.unread.of_graphs += 1;
                    self.pass()?;
                }
                "desc" => self.pass()?,
                _ => self.refuse(&tag)?,
            }
            if SEEK_ROWS <= self.records.vertices.len() + self.records.edges.len() {
                (self.take)(std::mem::take(&mut self.records))?;
            }
        }
        Ok(())
    }

    fn edge(&mut self, tag: &Tag) -> Result<(), LoadError> {
        let is_undirected = match tag.attribute("directed") {
            Some(word) => word == "false",
            None => self.is_undirected,
        };
        self.unread.undirected += u64::from(is_undirected);
        let read = edge(&mut self.xml, tag, &self.keys, &mut self.unread);
        match read.map_err(|fault| self.fault(fault))? {
            Ok(edge) => self.records.edges.push(edge),
            Err(detail) => self.bad(tag.line, detail),
        }
        Ok(())
    }

    fn key(&mut self, tag: &Tag) -> Result<(), LoadError> {
        let fault = |detail| XmlFault { line: tag.line, detail };
        let (domain, id, mut key) = Key::of(tag).map_err(|detail| self.fault(fault(detail)))?;
        while let Some(inside) = self.next()? {
            match (inside.name.as_str(), &key.content) {
                ("default", Content::Value { kind, list }) => {
                    let text = self.xml.text().map_err(|fault| self.fault(fault))?;
                    if text.as_ref().is_ok_and(String::is_empty) {
                        // yEd writes `<default/>` where there is none.
                        continue;
                    }
                    let value = text.and_then(|text| parse_value(*kind, *list, &text));
                    let value = value.map_err(|detail| {
                        self.fault(fault(format!("the key '{}': {detail}", excerpt(&id))))
                    })?;
                    key.default = Some(value);
                }
                _ => self.pass()?,
            }
        }
        if domain != Domain::Other {
            self.keys.add(domain, &id, key);
        }
        Ok(())
    }

    /// An element that is none of a graph's.
    fn refuse(&mut self, tag: &Tag) -> Result<(), LoadError> {
        let hint = match tag.name.as_str() {
            "hyperedge" => ": write a node, and an edge to each of its ends",
            _ => "",
        };
        self.bad(tag.line, format!("<{}> is not read here{hint}", excerpt(&tag.name)));
        self.pass()
    }

    fn pass(&mut self) -> Result<(), LoadError> {
        self.xml.pass().map_err(|fault| self.fault(fault))
    }

    fn bad(&mut self, line: u64, detail: String) {
        self.records.bad.push(BadRow { file: Arc::clone(self.file), line, column: 1, detail });
    }

    fn fault(&self, fault: XmlFault) -> LoadError {
        let XmlFault { line, detail } = fault;
        LoadError::BadRow(BadRow { file: Arc::clone(self.file), line, column: 1, detail })
    }

    /// A note for each kind of content that is not in the graph.
    fn notes(&self) -> Vec<String> {
        let Unread { drawings, undirected, of_graphs } = self.unread;
        let file = self.file;
        let said = [
            (undirected, "undirected edges were loaded from their source to their target"),
            (drawings, "yEd's drawings were not loaded, except for their texts"),
            (of_graphs, "values of the graph itself were not loaded"),
        ];
        let said = said.into_iter().filter(|(count, _)| *count != 0);
        said.map(|(count, what)| format!("{file}: {count} {what}")).collect()
    }
}
