//! A block of relationship rows to columns, on a parser thread. The names of the ends are looked up
//! right here: by now all nodes are known and no thread changes the dictionaries.

use super::dialect::Dialect;
use super::header::{Header, Role};
use super::nodes::{PropertyFields, for_each_record};
use super::record::Record;
use super::value::IdType;
use crate::error::{BadRow, Fault, excerpt};
use crate::graph::Dictionary;
use crate::source::Block;
use millrace_model::{Column, VertexId};
use std::borrow::Cow;

/// Nodes by name, within one id space.
#[derive(Default)]
pub(crate) struct Space {
    pub(crate) names: Dictionary,
    /// The vertex of each name.
    pub(crate) vertices: Vec<VertexId>,
    /// How names are compared.
    pub(crate) id_type: IdType,
}

impl Space {
    /// Bytes of the names, about.
    pub(crate) fn byte_size(&self) -> u64 {
        self.names.byte_size() + 16 * self.vertices.len() as u64
    }

    #[inline]
    pub(crate) fn find(&self, name: &str) -> Option<VertexId> {
        self.names.find(name).map(|number| self.vertices[number as usize])
    }
}

/// A relationship table and where its ends are looked up.
pub(super) struct EdgeTable<'a> {
    pub(super) header: &'a Header,
    pub(super) dialect: Dialect,
    /// The type of rows that don't say.
    pub(super) edge_type: Option<&'a str>,
    /// The fields that name the ends, and where they are looked up.
    pub(super) ends: [(usize, &'a Space); 2],
    /// Whether an unknown end is left to the consumer, which may find or make it, instead of refused.
    pub(super) ends_later: bool,
}

/// The parsed rows of one block of a relationship table.
#[derive(Default)]
pub(super) struct EdgeRows {
    /// Types; the number of one is its place in `groups`.
    pub(super) types: Dictionary,
    pub(super) groups: Vec<EdgeGroup>,
    pub(super) bad: Vec<BadRow>,
    pub(super) rows: u64,
}

/// Edges of one type.
#[derive(Default)]
pub(super) struct EdgeGroup {
    pub(super) sources: Vec<VertexId>,
    pub(super) targets: Vec<VertexId>,
    /// The line of each edge.
    pub(super) lines: Vec<u64>,
    pub(super) properties: Vec<Column>,
    /// Ends that have no vertex yet.
    pub(super) unknown: Vec<UnknownEnd>,
}

/// An end that is no node of this load.
pub(super) struct UnknownEnd {
    /// Which row of the group.
    pub(super) row: u32,
    /// Whether it is the target.
    pub(super) is_target: bool,
    /// Its name.
    pub(super) name: Box<str>,
    /// The row's line.
    pub(super) line: u64,
}

/// Stands in a column until the consumer has made the vertex.
const UNKNOWN: VertexId = VertexId(u64::MAX);

/// Reads all rows of a block.
pub(super) fn parse_edges(block: Block, table: &EdgeTable<'_>) -> EdgeRows {
    let header = table.header;
    let fields = PropertyFields::new(header, table.dialect);
    let [(source_at, source_space), (target_at, target_space)] = table.ends;
    let type_at = header.place(|role| matches!(role, Role::Type));
    let mut rows = EdgeRows::default();
    let mut values = Vec::new();
    rows.bad = for_each_record(block, header, table.dialect, |record| {
        let source = table.end(record, source_at, source_space)?;
        let target = table.end(record, target_at, target_space)?;
        let edge_type = table.edge_type(record, type_at)?;
        fields.parse(record, header, &mut values)?;
        let group = rows.types.group(&mut rows.groups, edge_type);
        let row = group.sources.len() as u32;
        let ends = [(false, source, table.ends[0]), (true, target, table.ends[1])];
        for (is_target, end, (at, space)) in ends {
            if end == UNKNOWN {
                let name = table.name(record.field(at), at, space.id_type)?;
                let (name, line) = (Box::from(&*name), record.line);
                group.unknown.push(UnknownEnd { row, is_target, name, line });
            }
        }
        group.sources.push(source);
        group.targets.push(target);
        group.lines.push(record.line);
        fields.push(record, &mut values, &mut group.properties);
        rows.rows += 1;
        Ok(())
    });
    rows
}

impl EdgeTable<'_> {
    #[inline]
    fn end(&self, record: &Record<'_>, at: usize, space: &Space) -> Result<VertexId, Fault> {
        let name = record.field(at);
        let found = match space.id_type {
            IdType::Text => space.find(name),
            id_type => space.find(&self.name(name, at, id_type)?),
        };
        match found {
            Some(vertex) => Ok(vertex),
            None if self.ends_later && !name.is_empty() => Ok(UNKNOWN),
            None => Err(self.unknown_end(name, at)),
        }
    }

    fn name<'r>(&self, field: &'r str, at: usize, id_type: IdType) -> Result<Cow<'r, str>, Fault> {
        id_type.name(field).map_err(|detail| self.header.fault(at, &detail))
    }

    #[cold]
    fn unknown_end(&self, name: &str, at: usize) -> Fault {
        let field = &self.header.names[at];
        let detail = match name {
            "" => format!("{field}: expected a node's id, found an empty field"),
            name => format!("{field}: no node of this load has the id '{}'", excerpt(name)),
        };
        Fault::new(at, detail)
    }

    fn edge_type<'r>(&'r self, record: &Record<'r>, at: Option<usize>) -> Result<&'r str, Fault> {
        let written = at.map(|at| (at, record.field(at))).filter(|(_, name)| !name.is_empty());
        match (written, self.edge_type) {
            (Some((_, name)), _) => Ok(name),
            (None, Some(name)) => Ok(name),
            (None, None) => {
                Err(Fault::new(at.unwrap_or(0), ":TYPE: expected a type, found an empty field"))
            }
        }
    }
}
