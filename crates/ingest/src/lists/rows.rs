//! A block of a list to columns, on a parser thread. Names that are not known yet are left to the consumer.

use super::fields::{Separator, is_comment};
use super::head::Head;
use super::options::Property;
use crate::csv::{FieldType, IdType, PropertyOptions, Space};
use crate::error::{BadRow, Fault, excerpt};
use crate::source::Block;
use millrace_model::{Column, Strings, Value, VertexId};
use std::borrow::Cow;
use std::sync::{Arc, PoisonError, RwLock};

/// Stands in a column until the consumer has the vertex.
const UNKNOWN: VertexId = VertexId(u64::MAX);

/// Digits that always fit 64 bits.
const DIGITS_MAX: usize = 18;

/// How the rows of a list are read.
pub(super) struct RowForm<'a> {
    pub(super) heads: &'a [Head],
    pub(super) id_type: IdType,
    pub(super) properties: &'a [Property],
}

/// Nodes by their ids, of each kind, and the kinds at sources and at targets.
pub(super) struct Names {
    pub(super) spaces: Vec<Space>,
    pub(super) ends: [usize; 2],
}

impl Names {
    /// Bytes of the names, about.
    pub(super) fn byte_size(&self) -> u64 {
        self.spaces.iter().map(Space::byte_size).sum()
    }
}

/// The rows of a block.
#[derive(Default)]
pub(super) struct Rows {
    pub(super) sources: Vec<VertexId>,
    pub(super) targets: Vec<VertexId>,
    /// Ends that have no vertex yet: the row, whether it is the target, and the name at the same place.
    pub(super) unknown: Vec<(u32, bool)>,
    pub(super) names: Strings,
    /// Of the properties that are loaded.
    pub(super) columns: Vec<Column>,
    pub(super) bad: Vec<BadRow>,
}

/// Reads all rows of a block, and looks their names up.
pub(super) fn parse(block: &Block, form: &RowForm<'_>, names: &RwLock<Names>) -> Rows {
    let mut rows = Rows::default();
    let loaded = form.properties.iter().filter(|property| property.kind.is_some()).count();
    rows.columns.resize_with(loaded, Column::default);
    let head = &form.heads[block.source];
    let line_count = memchr::memchr_iter(b'\n', &block.bytes).count() + 1;
    let mut ids: Vec<[Cow<'_, str>; 2]> = Vec::with_capacity(line_count);
    let (mut fields, mut values) = (Vec::new(), Vec::new());
    for (number, line) in (block.first_line..).zip(block.bytes.split(|byte| *byte == b'\n')) {
        if is_comment(line) || number == head.names_line {
            continue;
        }
        fields.clear();
        let taken =
            split(line, head.separator, &mut fields).and_then(|()| form.row(&fields, &mut values));
        match taken {
            Ok(ends) => {
                ids.push(ends);
                rows.columns.iter_mut().zip(&mut values).for_each(|(column, value)| {
                    column.push_entry(value.take());
                });
            }
            Err(Fault { at, detail }) => {
                let (file, column) = (Arc::clone(&block.file), at as u64 + 1);
                rows.bad.push(BadRow { file, line: number, column, detail });
            }
        }
    }
    rows.look_up(&ids, names);
    rows
}

fn split<'l>(line: &'l [u8], separator: Separator, fields: &mut Vec<&'l str>) -> Result<(), Fault> {
    let line = str::from_utf8(line)
        .map_err(|_| Fault::new(0, "expected UTF-8 text, found other bytes: convert the file"))?;
    separator.split(line, fields);
    Ok(())
}

impl RowForm<'_> {
    /// The ids of a row, and its values.
    fn row<'l>(
        &self,
        fields: &[&'l str],
        values: &mut Vec<Option<Value>>,
    ) -> Result<[Cow<'l, str>; 2], Fault> {
        let [source, target, others @ ..] = fields else {
            let found = excerpt(fields.first().unwrap_or(&""));
            return Err(Fault::new(0, format!("expected the ids of two nodes, found '{found}'")));
        };
        if self.properties.len() < others.len() {
            let (expected, found) = (self.properties.len() + 2, fields.len());
            let detail =
                format!("expected at most {expected} fields as in the first rows, found {found}");
            return Err(Fault::new(expected, detail));
        }
        let id = |at: usize, field: &'l str| name(self.id_type, field, at);
        let ids = [id(0, source)?, id(1, target)?];
        values.clear();
        for (at, property) in self.properties.iter().enumerate() {
            let Some(kind) = property.kind else { continue };
            let field = others.get(at).copied().filter(|field| !field.is_empty());
            let value = field.map(|field| value(property, kind, field)).transpose();
            values.push(value.map_err(|detail| Fault::new(at + 2, detail))?);
        }
        Ok(ids)
    }
}

/// The name that an id says: equal ids have equal names.
#[inline]
fn name(id_type: IdType, field: &str, at: usize) -> Result<Cow<'_, str>, Fault> {
    let is_plain = match id_type {
        IdType::Text => !field.is_empty(),
        IdType::Integer => {
            let digits =
                field.len() <= DIGITS_MAX && field.bytes().all(|byte| byte.is_ascii_digit());
            digits && !field.is_empty() && (field == "0" || !field.starts_with('0'))
        }
    };
    match is_plain {
        true => Ok(Cow::Borrowed(field)),
        false if field.is_empty() => {
            Err(Fault::new(at, "expected the id of a node, found an empty field"))
        }
        false => id_type.name(field).map_err(|detail| {
            Fault::new(
                at,
                format!("{detail}; for ids that are texts say --types 'id:string', or --max-bad N to leave such rows out"),
            )
        }),
    }
}

#[cold]
fn does_not_fit(property: &Property, kind: FieldType, detail: &str) -> String {
    let name = &property.name;
    match property.is_guessed {
        false => format!("{name}: {detail}"),
        true => format!(
            "{name}: {detail}; the first rows made it a {}: say --types '{name}:{}', or --max-bad N to leave such \
             rows out",
            kind.word(),
            if kind.word() == "long" { "double" } else { "string" }
        ),
    }
}

fn value(property: &Property, kind: FieldType, field: &str) -> Result<Value, String> {
    let options = PropertyOptions { is_guessed: property.is_guessed, ..PropertyOptions::default() };
    let value = kind.parse(field, ';', &options);
    value.map_err(|detail| does_not_fit(property, kind, &detail))
}

impl Rows {
    fn look_up(&mut self, ids: &[[Cow<'_, str>; 2]], names: &RwLock<Names>) {
        self.sources.reserve_exact(ids.len());
        self.targets.reserve_exact(ids.len());
        let names = names.read().unwrap_or_else(PoisonError::into_inner);
        for (row, [source, target]) in ids.iter().enumerate() {
            for (is_target, name) in [(false, source), (true, target)] {
                let space = &names.spaces[names.ends[usize::from(is_target)]];
                let column = if is_target { &mut self.targets } else { &mut self.sources };
                column.push(space.find(name).unwrap_or(UNKNOWN));
                if column.last() == Some(&UNKNOWN) {
                    self.unknown.push((row as u32, is_target));
                    self.names.push(name);
                }
            }
        }
    }

    /// Sets the vertex of an end.
    pub(super) fn set(&mut self, (row, is_target): (u32, bool), vertex: VertexId) {
        let column = if is_target { &mut self.targets } else { &mut self.sources };
        column[row as usize] = vertex;
    }
}
