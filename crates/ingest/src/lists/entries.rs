//! The entries of matrices: an edge from the node of the row to that of the column. All rows and columns are
//! nodes, from 1 on, also those without an entry.
//!
//! A symmetric matrix holds an entry once for both of its places, and becomes the edges of both: the same
//! graph as the matrix written out.

use super::head::Head;
use super::load::{Loading, ids_of};
use super::matrix::{self, Field, Matrix, Symmetry};
use super::options::{Property, Said, set_types};
use crate::csv::PlainColumns;
use crate::error::{BadRow, Fault, LoadError, excerpt};
use crate::limits::PART_ROWS;
use crate::progress::{LoadPath, Meter, Summary};
use crate::source::{Block, BlockReader, Parsing, run};
use crate::text::{parse_double, parse_integer};
use millrace_model::column::ColumnValues;
use millrace_model::{Column, VertexId};
use millrace_store::Store;
use std::sync::Arc;

/// Loads all matrices as one commit.
pub(super) fn load(
    store: &dyn Store,
    readers: Vec<BlockReader>,
    columns: &PlainColumns,
    mut meter: Meter<'_>,
) -> Result<Summary, LoadError> {
    let (mut matrices, mut bytes) = (Vec::new(), 0);
    for mut reader in readers {
        let (matrix, read) = matrix::read(&mut reader)?;
        bytes += read;
        matrices.push((reader, matrix));
    }
    meter.hold(bytes)?;
    let mut said = None;
    for (reader, matrix) in &matrices {
        said = Some(matrix.said(columns, &reader.file)?);
    }
    let Some((said, (_, first))) =
        said.zip(matrices.first().map(|(reader, matrix)| (reader, *matrix)))
    else {
        return Err(LoadError::Input("no file to load".into()));
    };
    if matrices.iter().any(|(_, matrix)| matrix.field != first.field) {
        let detail = "matrices of one load have entries of one kind: load one kind after the other";
        return Err(LoadError::Input(detail.into()));
    }
    let (key, id_type) = ids_of(store, &said, columns, true)?;
    let mut properties = first.field.properties();
    set_types(&mut properties, &columns.types, &key)?;
    let mut loading = Loading::begin(store, &said, (&key, id_type), &properties, meter)?;
    let (mut nodes, ends) = (vec![Numbered::default(); said.labels.len()], said.ends());
    for (reader, matrix) in matrices {
        load_matrix(&mut loading, reader, matrix, (&mut nodes, ends), &properties)?;
    }
    loading.finish()
}

impl Matrix {
    fn said<'a>(&self, columns: &'a PlainColumns, file: &str) -> Result<Said<'a>, LoadError> {
        let Self { rows, columns: across, entries, .. } = *self;
        let is_bipartite = rows != across;
        let head = Head {
            format: "a matrix of Matrix Market",
            nodes: Some(if is_bipartite { rows + across } else { rows }),
            edges: Some(entries),
            is_bipartite,
            ..Head::default()
        };
        let said = Said::of(columns, file, &head)?;
        if self.symmetry != Symmetry::General && said.labels.len() != 1 {
            let detail = format!(
                "the nodes of a {} matrix are of one kind: say one label",
                self.symmetry.word()
            );
            return Err(LoadError::Input(format!("{file}: {detail}")));
        }
        Ok(said)
    }
}

/// Nodes of each kind, from 1 on, and the kinds of rows and of columns.
type MatrixNodes<'n> = (&'n mut [Numbered], [usize; 2]);

fn load_matrix(
    loading: &mut Loading<'_, '_>,
    mut reader: BlockReader,
    matrix: Matrix,
    (nodes, ends): MatrixNodes<'_>,
    properties: &[Property],
) -> Result<(), LoadError> {
    let file = Arc::clone(&reader.file);
    for (kind, count) in ends.into_iter().zip([matrix.rows, matrix.columns]) {
        number_nodes(loading, nodes, kind, count as usize)?;
    }
    // A transaction has nodes before their edges.
    if loading.meter.path() == LoadPath::Transaction {
        push_all_nodes(loading, nodes)?;
    }
    let by_end = ends.map(|kind| nodes[kind].vertices.as_slice());
    let is_loaded: Vec<bool> = properties.iter().map(|property| property.kind.is_some()).collect();
    let (mut lines, mut mirrored) = (0, 0);
    run(
        std::slice::from_mut(&mut reader),
        &Parsing::of(&loading.store.memory()),
        |block| parse(&block, matrix, by_end),
        |entries| {
            let MatrixEdges { sources, targets, columns, bad, good, .. } = entries;
            lines += good + bad.len() as u64;
            mirrored += sources.len() as u64 - good;
            loading.meter.rows(good, bad)?;
            let columns = columns.into_iter().zip(&is_loaded);
            let columns = columns.filter(|(_, is_loaded)| **is_loaded).map(|(column, _)| column);
            loading.push(Vec::new(), [sources, targets], columns.collect())
        },
    )?;
    if lines != matrix.entries {
        let expected = matrix.entries;
        let detail =
            format!("its size says {expected} entries, and it has {lines}: is it complete?");
        return Err(LoadError::Input(format!("{file}: {detail}")));
    }
    push_all_nodes(loading, nodes)?;
    if mirrored != 0 {
        let symmetry = matrix.symmetry.word();
        let detail = format!(
            "{symmetry}: {mirrored} entries beside the diagonal are edges in both directions"
        );
        loading.meter.note(format!("{file}: {detail}"));
    }
    Ok(())
}

/// The nodes of a kind, from 1 on.
#[derive(Clone, Default)]
struct Numbered {
    vertices: Vec<VertexId>,
    are_new: Vec<bool>,
    /// How many are in the store, or on their way.
    pushed: usize,
}

impl Numbered {
    /// Bytes that it holds.
    fn byte_size(&self) -> u64 {
        (size_of::<VertexId>() * self.vertices.capacity() + self.are_new.capacity()) as u64
    }
}

/// Finds the nodes that a kind lacks, or takes ids for them, part by part.
fn number_nodes(
    loading: &mut Loading<'_, '_>,
    nodes: &mut [Numbered],
    kind: usize,
    count: usize,
) -> Result<(), LoadError> {
    while nodes[kind].vertices.len() < count {
        let first = nodes[kind].vertices.len();
        let numbers = first as i64 + 1..count.min(first + PART_ROWS) as i64 + 1;
        let (vertices, are_new) = loading.nodes[kind].of_numbers(loading.store, numbers)?;
        nodes[kind].vertices.extend(vertices);
        nodes[kind].are_new.extend(are_new);
        loading.meter.hold(nodes.iter().map(Numbered::byte_size).sum())?;
        loading.meter.report()?;
    }
    Ok(())
}

/// Hands the new nodes over: in a bulk load behind the entries, since a header may say any number of nodes, and it is
/// wrong unless there are as many entries as it says.
fn push_all_nodes(loading: &mut Loading<'_, '_>, nodes: &mut [Numbered]) -> Result<(), LoadError> {
    (0..nodes.len()).try_for_each(|kind| push_nodes(loading, nodes, kind))
}

fn push_nodes(
    loading: &mut Loading<'_, '_>,
    nodes: &mut [Numbered],
    kind: usize,
) -> Result<(), LoadError> {
    let Numbered { vertices, are_new, pushed } = &mut nodes[kind];
    while *pushed < vertices.len() {
        let part = *pushed..vertices.len().min(*pushed + PART_ROWS);
        let new: Vec<usize> = part.clone().filter(|at| are_new[*at]).collect();
        let ids = new.iter().map(|at| vertices[*at]).collect();
        let numbers = new.iter().map(|at| *at as i64 + 1).collect();
        let block = loading.nodes[kind].block_of_numbers(ids, numbers);
        loading.push(block.into_iter().collect(), Default::default(), Vec::new())?;
        *pushed = part.end;
    }
    Ok(())
}

/// The entries of a block as edges.
#[derive(Default)]
struct MatrixEdges {
    sources: Vec<VertexId>,
    targets: Vec<VertexId>,
    columns: Vec<Column>,
    bad: Vec<BadRow>,
    /// Lines that are good.
    good: u64,
}

/// The values of entries by their parts.
#[derive(Default)]
struct Values {
    whole: Vec<i64>,
    real: Vec<f64>,
    imaginary: Vec<f64>,
}

/// The value of an entry.
#[derive(Clone, Copy)]
enum Entry {
    Nothing,
    Whole(i64),
    Real(f64),
    Complex(f64, f64),
}

fn parse(block: &Block, matrix: Matrix, nodes: [&[VertexId]; 2]) -> MatrixEdges {
    let (mut entries, mut values) = (MatrixEdges::default(), Values::default());
    for (number, line) in (block.first_line..).zip(block.bytes.split(|byte| *byte == b'\n')) {
        let is_blank = line.trim_ascii().is_empty();
        if number <= matrix.size_line || is_blank || line.starts_with(b"%") {
            continue;
        }
        let read = parse_entry(line, matrix).and_then(|(row, column, entry)| {
            let vertex = |at: usize, number: u64| {
                let place = number.checked_sub(1).and_then(|place| usize::try_from(place).ok());
                let most = [matrix.rows, matrix.columns][at];
                let in_matrix = place.filter(|_| number <= most);
                in_matrix.and_then(|place| nodes[at].get(place).copied()).ok_or_else(|| {
                    Fault::new(at, format!("expected a number from 1 to {most}, found {number}"))
                })
            };
            let mirrored = match matrix.symmetry {
                Symmetry::General => None,
                _ if row == column => None,
                symmetry => Some(entry.mirrored(symmetry).map_err(|detail| Fault::new(2, detail))?),
            };
            let ends = (vertex(0, row)?, vertex(1, column)?);
            Ok((ends, entry, mirrored))
        });
        match read {
            Ok(((source, target), entry, mirrored)) => {
                entries.good += 1;
                entries.push(source, target);
                values.push(entry);
                if let Some(entry) = mirrored {
                    entries.push(target, source);
                    values.push(entry);
                }
            }
            Err(Fault { at, detail }) => {
                let (file, column) = (Arc::clone(&block.file), at as u64 + 1);
                entries.bad.push(BadRow { file, line: number, column, detail });
            }
        }
    }
    entries.columns = match matrix.field {
        Field::Pattern => Vec::new(),
        Field::Integer => vec![Column::of(ColumnValues::I64(values.whole))],
        Field::Real => vec![Column::of(ColumnValues::F64(values.real))],
        Field::Complex => [values.real, values.imaginary]
            .map(|values| Column::of(ColumnValues::F64(values)))
            .into(),
    };
    entries
}

fn parse_entry(line: &[u8], matrix: Matrix) -> Result<(u64, u64, Entry), Fault> {
    let line = str::from_utf8(line)
        .map_err(|_| Fault::new(0, "expected numbers, found bytes that are no text"))?;
    let mut words = line.split_ascii_whitespace();
    let expected = match matrix.field {
        Field::Pattern => 2,
        Field::Real | Field::Integer => 3,
        Field::Complex => 4,
    };
    let count = words.clone().count();
    if count != expected {
        return Err(Fault::new(
            count.min(expected),
            format!("expected {expected} numbers, found {count}"),
        ));
    }
    let mut next = || words.next().unwrap_or_default();
    let number = |at: usize, word: &str| {
        word.parse::<u64>().map_err(|_| {
            Fault::new(
                at,
                format!("expected the number of a row or a column, found '{}'", excerpt(word)),
            )
        })
    };
    let place = (number(0, next())?, number(1, next())?);
    let real = |at: usize, word: &str| parse_double(word).map_err(|detail| Fault::new(at, detail));
    let entry = match matrix.field {
        Field::Pattern => Entry::Nothing,
        Field::Integer => {
            Entry::Whole(parse_integer(next(), 64).map_err(|detail| Fault::new(2, detail))?)
        }
        Field::Real => Entry::Real(real(2, next())?),
        Field::Complex => Entry::Complex(real(2, next())?, real(3, next())?),
    };
    Ok((place.0, place.1, entry))
}

impl Entry {
    /// The entry at the other side of the diagonal.
    fn mirrored(self, symmetry: Symmetry) -> Result<Self, String> {
        Ok(match (symmetry, self) {
            (Symmetry::Skew, Self::Whole(whole)) => {
                let opposite = whole.checked_neg();
                Self::Whole(
                    opposite
                        .ok_or_else(|| format!("the opposite of {whole} has more than 64 bits"))?,
                )
            }
            (Symmetry::Skew, Self::Real(real)) => Self::Real(-real),
            (Symmetry::Skew, Self::Complex(real, imaginary)) => Self::Complex(-real, -imaginary),
            (Symmetry::Hermitian, Self::Complex(real, imaginary)) => {
                Self::Complex(real, -imaginary)
            }
            (_, entry) => entry,
        })
    }
}

impl Values {
    fn push(&mut self, entry: Entry) {
        match entry {
            Entry::Nothing => {}
            Entry::Whole(whole) => self.whole.push(whole),
            Entry::Real(real) => self.real.push(real),
            Entry::Complex(real, imaginary) => {
                self.real.push(real);
                self.imaginary.push(imaginary);
            }
        }
    }
}

impl MatrixEdges {
    fn push(&mut self, source: VertexId, target: VertexId) {
        self.sources.push(source);
        self.targets.push(target);
    }
}
