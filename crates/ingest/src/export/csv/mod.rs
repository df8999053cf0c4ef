//! CSV as `neo4j-admin database import` reads it, and `millrace load`: a file for the vertices of each
//! set of labels, one for the edges of each type, each with its header.
//!
//! Numbers have no widths here, since both readers make 64 bits of all. The id of an edge has no column,
//! so a load gives edges new ids.

mod kind;

use super::output::{Growing, Target};
use super::scan::{
    Edges, ExportedId, Vertices, for_each_edges, for_each_vertices, key, name, no_word,
};
use super::{ExportSummary, Watch, check_line, refused};
use crate::csv::{Dialect, Header, parse_header};
use millrace_model::column::Field;
use millrace_model::{Catalog, EdgeTypeId, KeyId, Result};
use millrace_store::{Labels, Snapshot};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use kind::Kind;

/// Text of a file that waits to be written.
const WAITING_BYTES_MAX: usize = 256 << 10;

/// Between fields.
const DELIMITER: char = ',';

const OTHER_FORMATS: &str = "export as GraphSON, which holds more types";

pub(super) fn write(
    snapshot: &dyn Snapshot,
    target: Target,
    array_delimiter: char,
    watch: &mut Watch<'_>,
) -> Result<ExportSummary> {
    if matches!(array_delimiter, DELIMITER | '"' | '\n' | '\r') {
        return Err(refused(format!("{array_delimiter:?} cannot stand between elements of lists")));
    }
    let mut writer = Writer {
        snapshot,
        catalog: snapshot.catalog(),
        array_delimiter,
        nodes: HashMap::new(),
        edges: HashMap::new(),
        summary: ExportSummary::default(),
        has_line_ends: false,
        chosen_ids: 0,
    };
    writer.find_keys(watch)?;
    writer.begin(target.folder()?)?;
    for_each_vertices(snapshot, watch, "writing nodes", |vertices| writer.nodes(vertices))?;
    for_each_edges(snapshot, watch, "writing relationships", |edges| writer.edges(edges))?;
    let summary = writer.finish()?;
    target.finish()?;
    Ok(summary)
}

struct Writer<'a> {
    snapshot: &'a dyn Snapshot,
    catalog: Arc<Catalog>,
    array_delimiter: char,
    /// By labels.
    nodes: HashMap<Labels, Table>,
    /// By type.
    edges: HashMap<EdgeTypeId, Table>,
    summary: ExportSummary,
    has_line_ends: bool,
    /// Edges with ids that clients chose.
    chosen_ids: u64,
}

/// One file.
#[derive(Default)]
struct Table {
    keys: BTreeMap<KeyId, Kind>,
    /// After the keys are known.
    file: Option<Growing>,
    /// The labels of each row, as their field.
    labels: String,
}

impl Writer<'_> {
    fn find_keys(&mut self, watch: &mut Watch<'_>) -> Result<()> {
        let (snapshot, catalog) = (self.snapshot, Arc::clone(&self.catalog));
        for_each_vertices(snapshot, watch, "reading types", |vertices| {
            for (row, fields) in vertices.fields.iter().enumerate() {
                let table = match self.nodes.get_mut(&vertices.labels[row]) {
                    Some(table) => table,
                    None => self.nodes.entry(vertices.labels[row].clone()).or_default(),
                };
                table.add(fields, &catalog, &|| format!("the vertex {}", vertices.id(row)))?;
            }
            Ok(())
        })?;
        for_each_edges(snapshot, watch, "reading types", |edges| {
            for (row, fields) in edges.fields.iter().enumerate() {
                let table = self.edges.entry(edges.rows.types[row]).or_default();
                table.add(fields, &catalog, &|| format!("the edge {}", edges.id(row)))?;
                self.chosen_ids += u64::from(edges.has_chosen_id(row));
            }
            Ok(())
        })
    }

    /// Begins each file with its header.
    fn begin(&mut self, folder: &Path) -> Result<()> {
        let mut taken = HashSet::new();
        let dialect = Dialect { array_delimiter: self.array_delimiter, ..Dialect::default() };
        let mut sets: Vec<_> = self.nodes.iter_mut().collect();
        sets.sort_by_key(|(labels, _)| Labels::clone(labels));
        for (labels, table) in sets {
            let names = labels.iter().map(|label| name(&self.catalog.labels, label.0));
            let names = names.collect::<Result<Vec<_>>>()?;
            for label in &names {
                if label.is_empty()
                    || label.trim() != *label
                    || label.contains(self.array_delimiter)
                {
                    let detail = format!("the label '{label}' cannot stand in a list of labels");
                    return Err(refused(detail).with_help("export as GraphSON or GraphML"));
                }
            }
            table.labels = names.join(self.array_delimiter.encode_utf8(&mut [0; 4]));
            let file = file_name("nodes", &names, &mut taken);
            table.begin(folder.join(file), &[":ID", ":LABEL"], dialect, &self.catalog)?;
        }
        let mut types: Vec<_> = self.edges.iter_mut().collect();
        types.sort_by_key(|(edge_type, _)| **edge_type);
        for (edge_type, table) in types {
            let name = name(&self.catalog.edge_types, edge_type.0)?;
            let file = file_name("relationships", &[name], &mut taken);
            let fixed = [":START_ID", ":END_ID", ":TYPE"];
            table.begin(folder.join(file), &fixed, dialect, &self.catalog)?;
        }
        Ok(())
    }

    fn nodes(&mut self, vertices: &Vertices) -> Result<()> {
        for (row, labels) in vertices.labels.iter().enumerate() {
            let owner = || format!("the vertex {}", vertices.id(row));
            let Some(table) = self.nodes.get_mut(labels) else { continue };
            let labels = table.labels.clone();
            let fixed = [id_field(&vertices.id(row), &owner)?, labels];
            let fields = &vertices.fields[row];
            self.has_line_ends |=
                table.row(&fixed, (fields, &self.catalog), self.array_delimiter, &owner)?;
        }
        self.summary.vertices += vertices.slots.len() as u64;
        Ok(())
    }

    fn edges(&mut self, edges: &Edges) -> Result<()> {
        for row in 0..edges.len() {
            let owner = || format!("the edge {}", edges.id(row));
            let edge_type = edges.rows.types[row];
            let Some(table) = self.edges.get_mut(&edge_type) else { continue };
            let name = name(&self.catalog.edge_types, edge_type.0)?;
            if name.is_empty() {
                return Err(refused(
                    "an edge type has an empty name, and CSV a type in each row".into(),
                ));
            }
            let fixed = [
                id_field(&edges.source(row), &owner)?,
                id_field(&edges.target(row), &owner)?,
                name.to_owned(),
            ];
            let fields = &edges.fields[row];
            self.has_line_ends |=
                table.row(&fixed, (fields, &self.catalog), self.array_delimiter, &owner)?;
        }
        self.summary.edges += edges.len() as u64;
        Ok(())
    }

    fn finish(self) -> Result<ExportSummary> {
        for table in self.nodes.into_values().chain(self.edges.into_values()) {
            table.file.map_or(Ok(()), Growing::finish)?;
        }
        let mut summary = self.summary;
        if self.has_line_ends {
            let note = "some texts go on over line ends: load the files with --multiline-fields";
            summary.notes.push(note.into());
        }
        if self.chosen_ids != 0 {
            let count = self.chosen_ids;
            let note = format!(
                "the ids of {count} relationships are not in the files: CSV has no ids of \
                 relationships"
            );
            summary.notes.push(note);
        }
        Ok(summary)
    }
}

impl Table {
    /// Notes the types of an element's values.
    fn add(
        &mut self,
        fields: &[Field],
        catalog: &Catalog,
        owner: &dyn Fn() -> String,
    ) -> Result<()> {
        for field in fields {
            let no = |what: &str, key: &str| no_word("CSV", &owner(), key, what, OTHER_FORMATS);
            let found = match Kind::of(&field.value) {
                Ok(found) => found,
                Err(what) => return Err(no(&what, key(catalog, field)?)),
            };
            let known = *self.keys.entry(field.key).or_insert(found);
            match known.with(found) {
                Some(kind) => self.keys.insert(field.key, kind),
                None => {
                    let what = format!("a {}, and a {} elsewhere", found.word(), known.word());
                    return Err(no(&what, key(catalog, field)?));
                }
            };
        }
        Ok(())
    }

    fn begin(
        &mut self,
        path: std::path::PathBuf,
        fixed: &[&str],
        dialect: Dialect,
        catalog: &Catalog,
    ) -> Result<()> {
        let mut file = Growing::new(path);
        let mut line = fixed.join(",");
        for (key, kind) in &self.keys {
            line.push(DELIMITER);
            push_field(&format!("{}:{}", name(&catalog.keys, key.0)?, kind.word()), &mut line);
        }
        let read = parse_header(&line, dialect);
        self.check_header(read.ok(), fixed.len(), catalog)?;
        file.text = line + "\n";
        self.file = Some(file);
        Ok(())
    }

    /// Refuses a header that would be read back as other keys: a key may contain characters of the header's syntax.
    fn check_header(&self, read: Option<Header>, fixed: usize, catalog: &Catalog) -> Result<()> {
        let roles = read.map_or_else(Vec::new, |header| header.roles);
        for (place, key) in self.keys.keys().enumerate() {
            let name = name(&catalog.keys, key.0)?;
            let is_read = match roles.get(fixed + place) {
                Some(crate::csv::Role::Property { key, .. }) => **key == *name,
                _ => false,
            };
            if !is_read {
                let detail = format!("the key '{name}' cannot stand in a header of CSV");
                return Err(refused(detail).with_help("export as GraphSON or GraphML"));
            }
        }
        Ok(())
    }

    /// Adds a row; says whether it holds a line end.
    fn row(
        &mut self,
        fixed: &[String],
        (fields, catalog): (&[Field], &Catalog),
        array_delimiter: char,
        owner: &dyn Fn() -> String,
    ) -> Result<bool> {
        let Some(file) = &mut self.file else { return Ok(false) };
        let begins = file.text.len();
        for (place, field) in fixed.iter().enumerate() {
            if place != 0 {
                file.text.push(DELIMITER);
            }
            push_fixed(field, &mut file.text);
        }
        let mut fields = fields.iter().peekable();
        for known in self.keys.keys() {
            file.text.push(DELIMITER);
            let Some(field) = fields.next_if(|field| field.key == *known) else { continue };
            let written = match kind::field(&field.value, array_delimiter) {
                Ok(written) => written,
                Err(what) => {
                    let help = "name another delimiter by --array-delimiter, or export as GraphSON";
                    return Err(no_word("CSV", &owner(), key(catalog, field)?, &what, help));
                }
            };
            push_field(&written, &mut file.text);
        }
        let has_line_ends = file.text[begins..].contains(['\n', '\r']);
        check_line(file.text.len() - begins, owner)?;
        file.text.push('\n');
        file.flush(WAITING_BYTES_MAX)?;
        Ok(has_line_ends)
    }
}

/// An id that names a row: any but an empty text.
fn id_field(id: &ExportedId, owner: &dyn Fn() -> String) -> Result<String> {
    match id {
        ExportedId::Text(text) if text.is_empty() => {
            let detail =
                format!("the id of {} is an empty text, which CSV cannot express", owner());
            Err(refused(detail).with_help("export as GraphSON"))
        }
        id => Ok(id.to_string()),
    }
}

/// A field that may be empty without being a text.
fn push_fixed(field: &str, line: &mut String) {
    if !field.is_empty() {
        push_field(field, line);
    }
}

/// A field, in quotes where it needs them; an empty text does.
fn push_field(field: &str, line: &mut String) {
    let needs_quotes = field.is_empty() || field.contains([DELIMITER, '"', '\n', '\r']);
    match needs_quotes {
        true => {
            line.push('"');
            line.push_str(&field.replace('"', "\"\""));
            line.push('"');
        }
        false => line.push_str(field),
    }
}

/// A name for a file, of letters that every system takes.
fn file_name(kind: &str, names: &[&str], taken: &mut HashSet<String>) -> String {
    let plain = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '_' };
    let mut name: String = names.join("-").chars().map(plain).take(80).collect();
    if name.is_empty() {
        name = "none".into();
    }
    let mut file = format!("{kind}-{name}.csv");
    let mut number = 1;
    while !taken.insert(file.to_ascii_lowercase()) {
        number += 1;
        file = format!("{kind}-{name}-{number}.csv");
    }
    file
}
