//! GraphML: keys first, so the graph is read once for their types and once for its elements.
//!
//! A key with values of several types is several keys of one name, which readers take apart by their
//! ids. A type that GraphML has no word for is refused, or is text. Labels are TinkerPop's `labelV` and `labelE`; several of a vertex are APOC's `labels`.

use super::output::Output;
use super::scan::{Edges, Vertices, for_each_edges, for_each_vertices, key, name, no_word};
use super::text::value_text;
use super::{ExportSummary, Watch, refused};
use crate::limits::KEYS_NAMED_MAX;
use millrace_model::column::Field;
use millrace_model::{Catalog, KeyId, Result, Value};
use millrace_store::Snapshot;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
                    <graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n";

/// Values that GraphML has words for, in its words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Kind {
    word: &'static str,
    list: bool,
}

/// The keys of elements of one domain: their numbers by name and type.
#[derive(Default)]
struct Keys {
    numbers: BTreeMap<(KeyId, Kind), usize>,
}

struct Writer<'a> {
    snapshot: &'a dyn Snapshot,
    catalog: Arc<Catalog>,
    output: Output<'a>,
    text: String,
    of_nodes: Keys,
    of_edges: Keys,
    summary: ExportSummary,
    texts: Texts,
}

/// Types that GraphML has no words for.
struct Texts {
    /// Whether their values are written as text.
    allowed: bool,
    /// The keys of values that are, each with its types: the note of the summary.
    found: BTreeSet<(KeyId, &'static str)>,
}

pub(super) fn write<'a>(
    snapshot: &'a dyn Snapshot,
    output: Output<'a>,
    unsupported_as_text: bool,
    watch: &mut Watch<'_>,
) -> Result<ExportSummary> {
    let mut writer = Writer {
        snapshot,
        catalog: snapshot.catalog(),
        output,
        text: HEAD.to_owned(),
        of_nodes: Keys::default(),
        of_edges: Keys::default(),
        summary: ExportSummary::default(),
        texts: Texts { allowed: unsupported_as_text, found: BTreeSet::new() },
    };
    writer.find_keys(watch)?;
    writer.note_texts()?;
    writer.keys()?;
    writer.text.push_str("  <graph id=\"G\" edgedefault=\"directed\">\n");
    for_each_vertices(snapshot, watch, "writing nodes", |vertices| writer.nodes(vertices))?;
    for_each_edges(snapshot, watch, "writing edges", |edges| writer.edges(edges))?;
    writer.text.push_str("  </graph>\n</graphml>\n");
    let Writer { mut output, text, summary, .. } = writer;
    output.write(&text)?;
    output.finish()?;
    Ok(summary)
}

impl Writer<'_> {
    fn find_keys(&mut self, watch: &mut Watch<'_>) -> Result<()> {
        let (snapshot, catalog) = (self.snapshot, Arc::clone(&self.catalog));
        for_each_vertices(snapshot, watch, "reading types", |vertices| {
            for (row, fields) in vertices.fields.iter().enumerate() {
                let owner = || format!("the vertex {}", vertices.id(row));
                self.of_nodes.add(
                    fields,
                    &catalog,
                    &["labelV", "labels"],
                    &mut self.texts,
                    &owner,
                )?;
            }
            Ok(())
        })?;
        for_each_edges(snapshot, watch, "reading types", |edges| {
            for (row, fields) in edges.fields.iter().enumerate() {
                let owner = || format!("the edge {}", edges.id(row));
                self.of_edges.add(
                    fields,
                    &catalog,
                    &["labelE", "label"],
                    &mut self.texts,
                    &owner,
                )?;
            }
            Ok(())
        })
    }

    /// Says which keys have values that are written as text.
    fn note_texts(&mut self) -> Result<()> {
        if self.texts.found.is_empty() {
            return Ok(());
        }
        let all = self.texts.found.len();
        let mut parts = Vec::new();
        for (key, type_name) in self.texts.found.iter().take(KEYS_NAMED_MAX) {
            parts.push(format!("{} ({type_name})", name(&self.catalog.keys, key.0)?));
        }
        if KEYS_NAMED_MAX < all {
            parts.push(format!("and {} more", all - KEYS_NAMED_MAX));
        }
        let list = parts.join(", ");
        let note = format!(
            "GraphML has no words for values of these keys, and a load of the file reads them as text: {list}"
        );
        self.summary.notes.push(note);
        Ok(())
    }

    fn keys(&mut self) -> Result<()> {
        for (id, domain) in [("labelV", "node"), ("labels", "node"), ("labelE", "edge")] {
            self.text.push_str(&format!(
                "  <key id=\"{id}\" for=\"{domain}\" attr.name=\"{id}\" attr.type=\"string\"/>\n"
            ));
        }
        for (keys, letter, domain) in [(&self.of_nodes, 'n', "node"), (&self.of_edges, 'e', "edge")]
        {
            for ((key, kind), number) in &keys.numbers {
                let name = name(&self.catalog.keys, key.0)?;
                let head = format!("  <key id=\"{letter}{number}\" for=\"{domain}\" attr.name=\"");
                self.text.push_str(&head);
                push_xml(name, &mut self.text)
                    .map_err(|letter| no_letter("a name of a key", letter))?;
                let word = kind.word;
                self.text.push_str(&match kind.list {
                    true => format!("\" attr.type=\"string\" attr.list=\"{word}\"/>\n"),
                    false => format!("\" attr.type=\"{word}\"/>\n"),
                });
            }
        }
        Ok(())
    }

    fn nodes(&mut self, vertices: &Vertices) -> Result<()> {
        for (row, labels) in vertices.labels.iter().enumerate() {
            let id = vertices.id(row).to_string();
            let owner = || format!("the vertex {}", vertices.id(row));
            let no = |letter| no_letter(&format!("an id or a label of {}", owner()), letter);
            self.text.push_str("    <node id=\"");
            push_xml(&id, &mut self.text).map_err(no)?;
            self.text.push_str("\">");
            let names = labels.iter().map(|label| name(&self.catalog.labels, label.0));
            let names = names.collect::<Result<Vec<_>>>()?;
            let (key, text) = match names[..] {
                [] => ("", String::new()),
                [label] => ("labelV", label.to_owned()),
                _ => match names.iter().find(|name| name.contains(':') || name.is_empty()) {
                    Some(label) => {
                        let detail = format!(
                            "{} has several labels and among them '{label}': between labels GraphML has \
                             colons",
                            owner()
                        );
                        return Err(refused(detail).with_help("export as CSV"));
                    }
                    None => ("labels", format!(":{}", names.join(":"))),
                },
            };
            if !key.is_empty() {
                self.text.push_str(&format!("<data key=\"{key}\">"));
                push_xml(&text, &mut self.text).map_err(no)?;
                self.text.push_str("</data>");
            }
            push_data(&vertices.fields[row], &self.of_nodes, 'n', &owner, &mut self.text)?;
            self.text.push_str("</node>\n");
        }
        self.summary.vertices += vertices.slots.len() as u64;
        self.flush()
    }

    fn edges(&mut self, edges: &Edges) -> Result<()> {
        for row in 0..edges.len() {
            let owner = || format!("the edge {}", edges.id(row));
            let no = |letter| no_letter(&format!("an id or the type of {}", owner()), letter);
            let names = [
                ("    <edge id=\"", edges.id(row).to_string()),
                ("\" source=\"", edges.source(row).to_string()),
                ("\" target=\"", edges.target(row).to_string()),
                (
                    "\"><data key=\"labelE\">",
                    name(&self.catalog.edge_types, edges.rows.types[row].0)?.to_owned(),
                ),
            ];
            for (before, text) in names {
                self.text.push_str(before);
                push_xml(&text, &mut self.text).map_err(no)?;
            }
            self.text.push_str("</data>");
            push_data(&edges.fields[row], &self.of_edges, 'e', &owner, &mut self.text)?;
            self.text.push_str("</edge>\n");
        }
        self.summary.edges += edges.len() as u64;
        self.flush()
    }

    fn flush(&mut self) -> Result<()> {
        self.output.write(&self.text)?;
        self.text.clear();
        Ok(())
    }
}

impl Keys {
    /// Notes the types of an element's values. `labels` are names that mean labels to a reader.
    fn add(
        &mut self,
        fields: &[Field],
        catalog: &Catalog,
        labels: &[&str],
        texts: &mut Texts,
        owner: &dyn Fn() -> String,
    ) -> Result<()> {
        for field in fields {
            let key = key(catalog, field)?;
            if labels.contains(&key) {
                let detail =
                    format!("the property '{key}' of {} would be read as a label", owner());
                return Err(refused(detail).with_help("export as GraphSON or CSV, or rename it"));
            }
            let refuse = |what: &str, help| no_word("GraphML", &owner(), key, what, help);
            let kind = Kind::of(&field.value).map_err(|what| refuse(&what, OTHER_FORMATS))?;
            if let Some(without_word) = without_word(&field.value) {
                if !texts.allowed {
                    return Err(refuse(&format!("a {without_word}"), AS_TEXT));
                }
                texts.found.insert((field.key, without_word));
            }
            let next = self.numbers.len();
            self.numbers.entry((field.key, kind)).or_insert(next);
        }
        Ok(())
    }
}

const OTHER_FORMATS: &str = "export as GraphSON or CSV, which hold more types";

const AS_TEXT: &str = "write such values as text by --unsupported-types text, or export as GraphSON or CSV, \
                       which hold more types";

/// The name of a type that GraphML has no word for, and that text can show: of a value, or of one in a list.
fn without_word(value: &Value) -> Option<&'static str> {
    match value {
        Value::List(values) => values.iter().find_map(without_word),
        Value::Decimal(_)
        | Value::Uuid(_)
        | Value::Date(_)
        | Value::Time(_)
        | Value::DateTime(_)
        | Value::ZonedDateTime(_)
        | Value::Duration(_)
        | Value::Point(_)
        | Value::Geometry(_) => Some(value.type_name()),
        _ => None,
    }
}

impl Kind {
    /// The kind of a value; the error names a value without one.
    fn of(value: &Value) -> std::result::Result<Kind, String> {
        let Value::List(values) = value else {
            return Ok(Kind { word: word(value)?, list: false });
        };
        let mut words = values.iter().map(|value| match value {
            Value::F64(number) if !number.is_finite() => {
                Err("a list with a number that is not finite".into())
            }
            Value::F32(number) if !number.is_finite() => {
                Err("a list with a number that is not finite".into())
            }
            value => word(value),
        });
        let first = words.next().transpose()?.unwrap_or("string");
        for other in words {
            if other? != first {
                return Err("a list of values of several types".into());
            }
        }
        Ok(Kind { word: first, list: true })
    }
}

fn word(value: &Value) -> std::result::Result<&'static str, String> {
    Ok(match value {
        Value::Bool(_) => "boolean",
        Value::I32(_) => "int",
        Value::I64(_) => "long",
        Value::F32(_) => "float",
        Value::F64(_) => "double",
        Value::String(_) => "string",
        other if without_word(other).is_some() => "string",
        Value::PropertyValues(_) => return Err("several values, or one with properties".into()),
        other => return Err(format!("a {}", other.type_name())),
    })
}

fn push_data(
    fields: &[Field],
    keys: &Keys,
    letter: char,
    owner: &dyn Fn() -> String,
    text: &mut String,
) -> Result<()> {
    for field in fields {
        let kind = Kind::of(&field.value).map_err(refused)?;
        let number = keys.numbers.get(&(field.key, kind)).copied().unwrap_or_default();
        text.push_str(&format!("<data key=\"{letter}{number}\">"));
        let written = match &field.value {
            Value::List(values) => {
                let elements: Vec<String> = values.iter().map(json).collect();
                format!("[{}]", elements.join(","))
            }
            value => value_text(value),
        };
        push_xml(&written, text)
            .map_err(|letter| no_letter(&format!("a text of {}", owner()), letter))?;
        text.push_str("</data>");
    }
    Ok(())
}

fn json(value: &Value) -> String {
    match value {
        Value::F32(_) | Value::F64(_) | Value::Bool(_) => value_text(value),
        whole if whole.as_int().is_some() => value_text(whole),
        other => serde_json::Value::from(value_text(other)).to_string(),
    }
}

/// Appends text as XML has it, in a tag or between tags; fails with a letter that XML cannot hold.
fn push_xml(written: &str, text: &mut String) -> std::result::Result<(), char> {
    for letter in written.chars() {
        match letter {
            '<' => text.push_str("&lt;"),
            '>' => text.push_str("&gt;"),
            '&' => text.push_str("&amp;"),
            '"' => text.push_str("&quot;"),
            '\t' | '\n' | '\r' => text.push_str(&format!("&#{};", u32::from(letter))),
            '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => return Err(letter),
            '\u{85}' | '\u{2028}' => text.push_str(&format!("&#{};", u32::from(letter))),
            letter => text.push(letter),
        }
    }
    Ok(())
}

fn no_letter(what: &str, letter: char) -> millrace_model::Error {
    let detail =
        format!("{what} holds the character U+{:04X}, which XML cannot contain", u32::from(letter));
    refused(detail).with_help("export as GraphSON or CSV")
}
