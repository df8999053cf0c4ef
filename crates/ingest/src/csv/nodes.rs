//! A block of node rows to columns, on a parser thread. Rows are grouped by their label text, so
//! that each group is one block for the store.

use super::delimiters;
use super::dialect::Dialect;
use super::header::{Header, Role};
use super::options::PropertyOptions;
use super::record::{Record, RecordReader};
use super::value::FieldType;
use crate::error::{BadRow, Fault, excerpt};
use crate::graph::{Dictionary, push_text};
use crate::source::Block;
use millrace_model::{Column, Strings, Value};
use std::borrow::Cow;
use std::sync::Arc;

/// The parsed rows of one block of a node table.
#[derive(Default)]
pub(super) struct NodeRows {
    /// Label texts as written; the number of one is its place in `groups`.
    pub(super) labels: Dictionary,
    pub(super) groups: Vec<NodeGroup>,
    pub(super) bad: Vec<BadRow>,
    pub(super) rows: u64,
}

/// Nodes with the same labels.
#[derive(Default)]
pub(super) struct NodeGroup {
    /// The name of each node; empty where it has none.
    pub(super) ids: Strings,
    /// The line of each node.
    pub(super) lines: Vec<u64>,
    /// One for each property field.
    pub(super) properties: Vec<Column>,
}

/// Property fields of a table: where, and of which type.
pub(super) struct PropertyFields {
    fields: Vec<(usize, FieldType, PropertyOptions)>,
    array_delimiter: char,
    json_lists: bool,
}

impl PropertyFields {
    pub(super) fn new(header: &Header, dialect: Dialect) -> Self {
        let property = |(at, role): (usize, &Role)| match role {
            Role::Property { kind, options, .. } => Some((at, *kind, options.clone())),
            _ => None,
        };
        let fields = header.roles.iter().enumerate().filter_map(property).collect();
        Self { fields, array_delimiter: dialect.array_delimiter, json_lists: header.json_lists }
    }

    /// The values of a record that need parsing; plain text is taken by [`PropertyFields::push`].
    pub(super) fn parse(
        &self,
        record: &Record<'_>,
        header: &Header,
        values: &mut Vec<Option<Value>>,
    ) -> Result<(), Fault> {
        values.clear();
        for (at, kind, options) in &self.fields {
            let field = record.field(*at);
            let value = match *kind == FieldType::TEXT || field.is_empty() {
                true => None,
                false => {
                    let value = match self.json_lists && kind.array {
                        true => kind.parse_json(field),
                        false => kind.parse(field, self.array_delimiter, options),
                    };
                    Some(value.map_err(|detail| header.fault(*at, &detail))?)
                }
            };
            values.push(value);
        }
        Ok(())
    }

    /// Appends a record's values, parsed before, to the columns.
    pub(super) fn push(
        &self,
        record: &Record<'_>,
        values: &mut [Option<Value>],
        columns: &mut Vec<Column>,
    ) {
        columns.resize_with(self.fields.len(), Column::default);
        for ((column, value), (at, kind, _)) in columns.iter_mut().zip(values).zip(&self.fields) {
            match value.take() {
                Some(value) => column.push(value),
                None if record.is_absent(*at) || *kind != FieldType::TEXT => column.push_absent(),
                None => push_text(column, record.field(*at)),
            }
        }
    }
}

/// Reads all rows of a block of one node table.
pub(super) fn parse_nodes(block: Block, header: &Header, dialect: Dialect) -> NodeRows {
    let fields = PropertyFields::new(header, dialect);
    let id = header.id();
    let labels_at = header.place(|role| matches!(role, Role::Labels));
    let mut rows = NodeRows::default();
    let mut values = Vec::new();
    rows.bad = for_each_record(block, header, dialect, |record| {
        fields.parse(record, header, &mut values)?;
        let name = match id {
            Some((at, id_type)) => {
                id_type.name(record.field(at)).map_err(|detail| header.fault(at, &detail))?
            }
            None => Cow::Borrowed(""),
        };
        let labels = labels_at.map_or("", |at| record.field(at));
        let group = rows.labels.group(&mut rows.groups, labels);
        group.ids.push(&name);
        group.lines.push(record.line);
        fields.push(record, &mut values, &mut group.properties);
        rows.rows += 1;
        Ok(())
    });
    rows
}

/// Hands over each record with as many fields as the header has; gives back the rows that are bad
/// or were refused.
pub(super) fn for_each_record(
    block: Block,
    header: &Header,
    dialect: Dialect,
    mut take: impl FnMut(&Record<'_>) -> Result<(), Fault>,
) -> Vec<BadRow> {
    let Block { file, first_line, mut bytes, .. } = block;
    if !bytes.ends_with(b"\n") {
        bytes.push(b'\n');
    }
    let (mut rest, mut bad) = (bytes.as_slice(), Vec::new());
    let mut reader = RecordReader::new(dialect, first_line);
    let roles = header.roles.iter().enumerate();
    let nameless: Vec<usize> =
        roles.filter(|(_, role)| **role == Role::Nameless).map(|(at, _)| at).collect();
    while let Some(next) = reader.next(&mut rest) {
        let taken = next.and_then(|record| {
            let fits = fits(&record, header, &nameless, dialect);
            fits.and_then(|()| take(&record)).map_err(|fault| (record.line, fault))
        });
        if let Err((line, Fault { at, detail })) = taken {
            bad.push(BadRow { file: Arc::clone(&file), line, column: at as u64 + 1, detail });
        }
    }
    bad
}

fn fits(
    record: &Record<'_>,
    header: &Header,
    nameless: &[usize],
    dialect: Dialect,
) -> Result<(), Fault> {
    let (found, expected) = (record.len(), header.roles.len());
    if found != expected {
        let hint = (found == 1).then(|| delimiters::of_row(record.field(0), expected, dialect));
        let hint = hint.flatten().map_or_else(String::new, |hint| format!("; {hint}"));
        let detail = format!("expected {expected} fields as in the header, found {found}{hint}");
        return Err(Fault::new(found.min(expected), detail));
    }
    match nameless.iter().find(|at| !record.field(**at).is_empty()) {
        Some(at) => {
            let value = excerpt(record.field(*at));
            let detail = format!(
                "the header does not name this field, and it has a value, '{value}': name it, as NAME or NAME:IGNORE"
            );
            Err(Fault::new(*at, detail))
        }
        None => Ok(()),
    }
}
