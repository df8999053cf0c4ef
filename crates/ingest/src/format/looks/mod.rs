//! Recognizes a file's format by its first bytes, so that a file of another format is refused by name,
//! with the remedy, and its first line is not reported as a syntax error.
//!
//! The first bytes never overrule the format that the user named. They only refuse a file that cannot
//! be of that format, and decide the format where neither the file's name nor an option does.

mod binary;
mod list;
mod text;

use crate::error::LoadError;
use crate::format::Format;
use crate::source::{BlockReader, LineEnds, Source};
use std::path::Path;
use std::sync::Arc;

/// The format that the first bytes suggest.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Looks {
    /// A format that is read.
    Read(Format),
    /// A format that is not read, as a message: its name and the remedy.
    Other(&'static str),
}

/// Refuses a file that begins with the bytes of another format.
pub(crate) fn check(reader: &mut BlockReader, format: Format) -> Result<(), LoadError> {
    let looks = of_head(reader.head()?);
    refuse(&reader.file, looks.as_ref(), format)
}

/// The same for a part of a table, which has no header: only the formats of `binary` are refused.
pub(crate) fn check_part(reader: &mut BlockReader) -> Result<(), LoadError> {
    let looks = binary::looks(reader.head()?).map(Looks::Other);
    refuse(&reader.file, looks.as_ref(), Format::Csv)
}

fn refuse(file: &str, looks: Option<&Looks>, format: Format) -> Result<(), LoadError> {
    let detail = match looks {
        Some(Looks::Other(detail)) => (*detail).to_owned(),
        Some(Looks::Read(found)) if *found != format => {
            let (name, word) = (found.name(), found.word());
            let schema = if *found == Format::DgraphJson { " and --schema" } else { "" };
            format!("this looks like {name}: use --format {word}{schema}")
        }
        Some(Looks::Read(_)) | None => return Ok(()),
    };
    Err(LoadError::Input(format!("{file}: {detail}")))
}

/// The format of a file with a name that does not determine it.
pub(crate) fn format_of_file(path: &Path) -> Result<Option<Format>, LoadError> {
    let mut reader = BlockReader::open(Source::file(path)?, 0, LineEnds::All, Arc::default())?;
    match of_head(reader.head()?) {
        Some(Looks::Read(format)) => Ok(Some(format)),
        Some(Looks::Other(detail)) => Err(LoadError::Input(format!("{}: {detail}", reader.file))),
        None => Ok(list::is_list(reader.head()?).then_some(Format::EdgeList)),
    }
}

fn of_head(head: &[u8]) -> Option<Looks> {
    if head.starts_with(b"PAR1") {
        return Some(Looks::Read(Format::Parquet));
    }
    binary::looks(head).map(Looks::Other).or_else(|| text::looks(head))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(head: &str) -> String {
        match of_head(head.as_bytes()) {
            Some(Looks::Read(format)) => format!("{format:?}"),
            Some(Looks::Other(detail)) => detail.to_owned(),
            None => String::new(),
        }
    }

    #[test]
    fn unsupported_formats_are_refused_by_name() {
        for (head, words) in [
            ("ORC\u{1}", "ORC"),
            ("PK\u{3}\u{4}", "zip"),
            ("SQLite format 3\0", "SQLite"),
            ("DZV1\u{1}", "dump of Neo4j"),
            ("version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "Git LFS"),
            ("<!DOCTYPE html><html>", "a web page"),
            ("@prefix a: <http://e.org/> .\na:b a:c a:d .\n", "Turtle"),
            ("# a comment\n\nPREFIX a: <http://e.org/>\n", "Turtle"),
            ("<?xml version=\"1.0\"?>\n<!-- x -->\n<rdf:RDF xmlns:rdf=\"…\">", "RDF/XML"),
            ("<?xml version=\"1.0\"?><gexf xmlns=\"…\">", "GEXF"),
            ("<?xml version=\"1.0\"?><mxfile>", "XML"),
            ("[{\"@class\":\"java.util.HashMap\"", "GraphSON 1 with types"),
            (
                "{\"id\":1,\"label\":\"v\",\"@class\":\"java.util.HashMap\"}",
                "GraphSON 1 with types",
            ),
            ("{\"_id\":1,\"name\":\"saturn\",\"_type\":\"vertex\",\"_outE\":[]}", "Blueprints"),
            ("{\"graph\":{\"mode\":\"NORMAL\",\"vertices\":[]}}", "Blueprints"),
            ("{\"directed\":true,\"nodes\":[{\"id\":1}],\"links\":[]}", "nodes and links"),
            ("{\"@context\":{},\"@graph\":[]}", "JSON-LD"),
            ("// people\nCREATE (a:Person {name: 'x'})\n", "Cypher"),
            (":begin\nCREATE CONSTRAINT …", "Cypher"),
            ("-- MySQL dump 10.13\n", "SQL"),
            ("CREATE TABLE t (id int);", "SQL"),
            ("<name>: string @index(exact) .\n", "schema of Dgraph"),
            ("# types\nfriend: [uid] @reverse .\n", "schema of Dgraph"),
            ("type Person {\n  name\n}\n", "schema of Dgraph"),
            ("graph [\n  node [\n", "GML"),
            ("digraph g {\n", "DOT"),
            ("*Vertices 3\n", "Pajek"),
        ] {
            assert!(said(head).contains(words), "{head}: {}", said(head));
        }
        assert!(of_head(b"\x1f\x8b\x08").is_some(), "gzip in gzip");
        assert!(of_head(b"\xff\xfe<\0").is_some(), "UTF-16");
        let tar = [&[b'a'; 257][..], b"ustar\0"].concat();
        assert!(matches!(of_head(&tar), Some(Looks::Other(detail)) if detail.contains("tar")));
    }

    #[test]
    fn supported_formats_are_recognized() {
        for (head, format) in [
            ("<?xml version=\"1.0\"?>\n<!-- a > b --><graphml>", "GraphMl"),
            ("<graphml xmlns=\"…\">", "GraphMl"),
            ("<a> <p> <b> .\n", "NQuads"),
            ("<graphml> <is> \"a format\" .\n", "NQuads"),
            (
                "{\"id\":1,\"label\":\"v\",\"properties\":{\"@class\":[{\"value\":\"V\"}]}}",
                "GraphSon",
            ),
            ("# comment\n_:a <p> \"x\" .\n", "NQuads"),
            ("{\"id\":{\"@type\":\"g:Int32\",\"@value\":1},\"label\":\"person\"}", "GraphSon"),
            ("{\"type\":\"node\",\"id\":\"0\",\"labels\":[\"A\"]}", "GraphSon"),
            ("{\"id\":1,\"properties\":{\"uid\":[{\"value\":1}],\"_type\":[]}}", "GraphSon"),
            ("id:ID,name\n", "Csv"),
            (":START_ID(P)|:END_ID(P)\n", "Csv"),
            ("\"_id\",\"_labels\",\"name\",\"_start\",\"_end\",\"_type\"\n", "Csv"),
            ("{\"uid\":\"0x1\",\"name\":\"a\"}", "DgraphJson"),
            ("[{\"uid\":\"0x1\"}]", "DgraphJson"),
            ("[{\"namespace\":\"0x0\",\"uid\":\"0x1\"}]", "DgraphJson"),
            ("name,age\n", ""),
            ("create,merge\n", ""),
            ("type,Person\n", ""),
            ("", ""),
        ] {
            assert_eq!(said(head), format, "{head}");
        }
    }
}
