//! The whole content of a snapshot as sorted lines, and the check that its calls agree.
//!
//! Two backends give their own ids, so elements are named by a [`Naming`], usually the order of
//! creation. Lists, scans, ends, counts and seeks are views of the same data; making the lines
//! asserts that they agree.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write;

use millrace_model::column::Field;
use millrace_model::property_values::each_value;
use millrace_model::schema::{IndexDefinition, IndexKind};
use millrace_model::{
    Catalog, Column, ColumnValues, Direction, EdgeId, LabelId, Owner, Result, VertexId,
};

use millrace_terms::KeyQuestion;

use crate::base::index_keys::expanded;
use crate::conformance::compared::range_check::check_ranges;
use crate::conformance::fixture::{scan, scan_edges, walk};
use crate::constraint::{holds_labels, holds_type, owner_name};
use crate::reads::ordered_keys::KeyMaker;
use crate::reads::{EdgeRows, Elements, SeekMatches};
use crate::snapshot::Snapshot;

/// Names of elements that do not depend on the ids a backend gave.
#[derive(Clone, Default)]
pub struct Naming {
    /// The number of each vertex.
    pub vertices: HashMap<VertexId, usize>,
    /// The number of each edge.
    pub edges: HashMap<EdgeId, usize>,
}

/// All there is in a snapshot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Content {
    /// One line for each fact, sorted.
    pub lines: Vec<String>,
}

const ROWS_MAX: usize = 7;

/// Reads everything.
pub fn content(snapshot: &dyn Snapshot, naming: &Naming) -> Result<Content> {
    let vertices = scan(snapshot, None, ROWS_MAX)?;
    let edges = scan_edges(snapshot, None, ROWS_MAX)?;
    let mut lines = catalog_lines(&snapshot.catalog());
    lines.extend(vertex_lines(snapshot, naming, &vertices)?);
    lines.extend(edge_lines(snapshot, naming, &edges)?);
    check_lists(snapshot, &vertices, &edges)?;
    check_labels(snapshot, &vertices)?;
    for index in &snapshot.catalog().indexes {
        check_index(snapshot, index, &vertices, &edges)?;
    }
    lines.sort();
    Ok(Content { lines })
}

impl Content {
    /// Panics with the lines that only one of them has.
    pub fn assert_same(&self, other: &Content, when: &str) {
        if self == other {
            return;
        }
        let mut text = String::new();
        for line in self.lines.iter().filter(|line| !other.lines.contains(line)) {
            let _ = writeln!(text, "- {line}");
        }
        for line in other.lines.iter().filter(|line| !self.lines.contains(line)) {
            let _ = writeln!(text, "+ {line}");
        }
        panic!("contents differ {when}:\n{text}");
    }
}

impl Naming {
    fn vertex(&self, id: VertexId) -> String {
        self.vertices.get(&id).map_or_else(|| format!("vertex {id}?"), |n| format!("v{n}"))
    }

    fn edge(&self, id: EdgeId) -> String {
        self.edges.get(&id).map_or_else(|| format!("edge {id}?"), |n| format!("e{n}"))
    }
}

fn catalog_lines(catalog: &Catalog) -> Vec<String> {
    let owner = |owner: Owner| owner_name(catalog, owner);
    let owners = catalog.owners.iter().map(|defined| format!("defined {}", owner(*defined)));
    let properties = catalog.properties.iter().map(|defined| {
        let (owner, kind, required) = (owner(defined.owner), defined.kind, defined.required);
        format!("property {owner} {:?} {kind} required {required}", defined.key)
    });
    let indexes = catalog
        .indexes
        .iter()
        .map(|index| format!("index {} {:?} {:?}", owner(index.owner), index.keys, index.kind));
    owners.chain(properties).chain(indexes).collect()
}

fn vertex_lines(
    snapshot: &dyn Snapshot,
    naming: &Naming,
    vertices: &[VertexId],
) -> Result<Vec<String>> {
    let elements = Elements::Vertices(vertices);
    assert_eq!(snapshot.exist(elements)?.count(), vertices.len(), "what is scanned exists");
    assert_eq!(snapshot.count_vertices(None)?, vertices.len() as u64);
    let (labels, fields) = (snapshot.labels(vertices)?, snapshot.fields(elements)?);
    check_gather(snapshot, elements, &fields)?;
    let rows = vertices.iter().zip(labels).zip(fields);
    Ok(rows
        .map(|((vertex, labels), fields)| {
            format!("{} {labels:?} {}", naming.vertex(*vertex), fields_text(&fields))
        })
        .collect())
}

fn edge_lines(snapshot: &dyn Snapshot, naming: &Naming, edges: &EdgeRows) -> Result<Vec<String>> {
    let elements = Elements::Edges(&edges.edges);
    let ends = snapshot.ends(&edges.edges)?;
    assert_eq!(ends.exist.count(), edges.edges.len(), "what is scanned exists");
    assert_eq!(snapshot.exist(elements)?.count(), edges.edges.len());
    assert_eq!((&ends.types, &ends.sources), (&edges.types, &edges.sources));
    assert_eq!(ends.targets, edges.targets);
    assert_eq!(snapshot.count_edges(None)?, edges.edges.len() as u64);
    let fields = snapshot.fields(elements)?;
    check_gather(snapshot, elements, &fields)?;
    let line = |row: usize| {
        let (source, target) = (edges.sources[row], edges.targets[row]);
        let (source, target) = (naming.vertex(source), naming.vertex(target));
        let (edge, fields) = (naming.edge(edges.edges[row]), fields_text(&fields[row]));
        format!("{edge} {source} {:?} {target} {fields}", edges.types[row])
    };
    Ok((0..edges.edges.len()).map(line).collect())
}

fn fields_text(fields: &[Field]) -> String {
    let pairs = fields.iter().map(|field| format!("{:?}: {:?}", field.key, field.value));
    pairs.collect::<Vec<_>>().join(", ")
}

fn check_gather(
    snapshot: &dyn Snapshot,
    elements: Elements<'_>,
    fields: &[std::sync::Arc<[Field]>],
) -> Result<()> {
    let keys: Vec<_> =
        (0..snapshot.catalog().keys.len() as u32).map(millrace_model::KeyId).collect();
    for (key, column) in keys.iter().zip(snapshot.gather(elements, &keys)?) {
        assert_eq!(column.len(), elements.len());
        for (row, fields) in fields.iter().enumerate() {
            let field = fields.iter().find(|field| field.key == *key);
            assert_eq!(column.get(row).as_ref(), field.map(|field| &field.value));
        }
    }
    Ok(())
}

/// The lists of both ends hold exactly the edges of the scan.
fn check_lists(snapshot: &dyn Snapshot, vertices: &[VertexId], edges: &EdgeRows) -> Result<()> {
    let rows = 0..edges.edges.len();
    let mut out: Vec<_> = rows
        .clone()
        .map(|row| (edges.sources[row], edges.types[row], edges.targets[row], edges.edges[row]))
        .collect();
    let mut into: Vec<_> = rows
        .map(|row| (edges.targets[row], edges.types[row], edges.sources[row], edges.edges[row]))
        .collect();
    out.sort_unstable();
    into.sort_unstable();
    for (direction, expected) in [(Direction::Out, out), (Direction::In, into)] {
        let runs = walk(snapshot, vertices, None, direction)?.into_iter();
        let mut found: Vec<_> = runs
            .flat_map(|(row, edge_type, _, pairs)| {
                let vertex = vertices[row];
                pairs.into_iter().map(move |(other, edge)| (vertex, edge_type, other, edge))
            })
            .collect();
        found.sort_unstable();
        assert_eq!(found, expected, "{direction} lists hold the edges");
    }
    walk(snapshot, vertices, None, Direction::Both)?;
    Ok(())
}

fn check_labels(snapshot: &dyn Snapshot, vertices: &[VertexId]) -> Result<()> {
    let labels = snapshot.labels(vertices)?;
    for label in (0..snapshot.catalog().labels.len() as u32).map(LabelId) {
        let holding = vertices.iter().zip(&labels).filter(|(_, labels)| labels.contains(&label));
        let holding: Vec<_> = holding.map(|(vertex, _)| *vertex).collect();
        let backwards: Vec<VertexId> = vertices.iter().rev().copied().collect();
        let have = snapshot.have_label(&backwards, label)?;
        let found: Vec<_> = have.ones().map(|row| backwards[row]).collect();
        assert_eq!(found, holding.iter().rev().copied().collect::<Vec<_>>());
        assert_eq!(scan(snapshot, Some(label), ROWS_MAX)?, holding);
        assert_eq!(snapshot.count_vertices(Some(label))?, holding.len() as u64);
    }
    Ok(())
}

/// A seek finds exactly the elements with values that are equal by order.
fn check_index(
    snapshot: &dyn Snapshot,
    index: &IndexDefinition,
    vertices: &[VertexId],
    edges: &EdgeRows,
) -> Result<()> {
    let (ids, columns): (Vec<u64>, Vec<Column>) = match index.owner {
        Owner::EdgeType(_) | Owner::AllEdges => {
            let rows = edges.edges.iter().zip(&edges.types);
            let held = rows.filter(|row| holds_type(index.owner, *row.1));
            let owned: Vec<_> = held.map(|row| *row.0).collect();
            let columns = snapshot.gather(Elements::Edges(&owned), &index.keys)?;
            (owned.into_iter().map(|edge| edge.0).collect(), columns)
        }
        Owner::Label(_) | Owner::AllVertices => {
            let rows = vertices.iter().zip(snapshot.labels(vertices)?);
            let owned = rows.filter(|(_, labels)| holds_labels(index.owner, labels));
            let owned: Vec<_> = owned.map(|(vertex, _)| *vertex).collect();
            let columns = snapshot.gather(Elements::Vertices(&owned), &index.keys)?;
            (owned.into_iter().map(|vertex| vertex.0).collect(), columns)
        }
    };
    let keys: Vec<&Column> = columns.iter().collect();
    if index.kind == IndexKind::Range {
        check_ranges(snapshot, index, &ids, &keys)?;
    }
    if index.kind == IndexKind::Made {
        return check_made_keys(snapshot, index, &ids, &keys);
    }
    // What has several values is sought by each of them.
    let expanded = expanded(&keys, ids.len());
    let (sought, rows): (Vec<&Column>, usize) = match &expanded {
        Some(all) => (all.columns.iter().collect(), all.rows.len()),
        None => (keys.clone(), ids.len()),
    };
    let mut matches = SeekMatches::default();
    snapshot.seek(index.id, &sought, &mut matches)?;
    let value = |row: usize, column: &Column| column.get(row).filter(|value| !value.is_null());
    let holds = |(own, sought): (&&Column, &&Column), left: usize, right: usize| {
        let (Some(sought), Some(own)) = (value(left, sought), value(right, own)) else {
            return false;
        };
        each_value(&own).any(|own| millrace_model::compare::order(own, &sought).is_eq())
    };
    let equal =
        |left: usize, right: usize| keys.iter().zip(&sought).all(|pair| holds(pair, left, right));
    let mut expected = Vec::new();
    for row in 0..rows {
        let mut found: Vec<_> =
            (0..ids.len()).filter(|other| equal(row, *other)).map(|other| ids[other]).collect();
        found.sort_unstable();
        expected.extend(found.into_iter().map(|id| (row as u32, id)));
    }
    let found: Vec<_> = matches.rows.into_iter().zip(matches.ids).collect();
    assert_eq!(found, expected, "index {index:?} finds what has the value");
    let nothing =
        vec![Column { values: ColumnValues::default(), nulls: None, absents: None }; keys.len()];
    let keys: Vec<&Column> = nothing.iter().collect();
    let mut matches = SeekMatches::default();
    snapshot.seek(index.id, &keys, &mut matches)?;
    assert!(matches.ids.is_empty(), "no keys find nothing");
    Ok(())
}

/// Each made key of the content finds all elements that have it.
fn check_made_keys(
    snapshot: &dyn Snapshot,
    index: &IndexDefinition,
    ids: &[u64],
    columns: &[&Column],
) -> Result<()> {
    let mut holders: BTreeMap<Vec<u8>, Vec<u64>> = BTreeMap::new();
    let maker = KeyMaker::of(index)?;
    for (row, id) in ids.iter().enumerate() {
        maker.each_of_row(columns, row, |key| holders.entry(key.into()).or_default().push(*id))?;
    }
    let questions: Vec<KeyQuestion> = holders.keys().cloned().map(KeyQuestion::Key).collect();
    let mut matches = SeekMatches::default();
    snapshot.candidates(index.id, &questions, usize::MAX, &mut matches)?;
    let found: BTreeSet<(u32, u64)> = matches.rows.into_iter().zip(matches.ids).collect();
    for (row, (key, holders)) in (0..).zip(&holders) {
        for id in holders {
            assert!(found.contains(&(row, *id)), "index {index:?} misses {id} by {key:?}");
        }
    }
    Ok(())
}
