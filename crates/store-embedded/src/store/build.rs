//! Scans of the data for a schema change: the entries of a new index, elements that violate a new
//! definition, unique values that occur twice.
//!
//! All of it is read at one position, and writers go on. They add the entries of later writes to
//! the index themselves; see `store/schema_change.rs` for the order.

use std::collections::HashSet;
use std::sync::Arc;

use millrace_model::schema::{IndexDefinition, PropertyDefinition};
use millrace_model::{
    Catalog, Column, EdgeId, EdgeTypeId, Error, ErrorKind, KeyId, LogPosition, MemoryShare, Owner,
    Phase, Result, Value, VertexId,
};
use millrace_store::index_keys::{each_key, keys_of};
use millrace_store::key_hash::hash_row;
use millrace_store::ordered_keys::KeyMaker;
use millrace_store::{EdgeRows, Elements, ScanCursor, constraint};

use crate::base::commit_limits::SCAN_ROWS;
use crate::base::limits::INDEX_SHARDS;
use crate::commit::prepare::Parts;
use crate::commit::prepare::modified::Modified;
use crate::commit::prepare::rules::{changed_entries, check_property, same};
use crate::graph::{Graph, GraphView, is_of_edges};
use crate::index::{BuildProgress, IndexBase, IndexEntry, RangePart, SortedRuns, Usage, shard_of};
use crate::persistent::image::Section;

/// The scan of the elements of an owner, for all indexes of them that are being built.
pub(crate) struct IndexScan {
    owner: Owner,
    /// The keys of all of them.
    keys: Vec<KeyId>,
    cursor: ScanCursor,
    builds: Vec<IndexBuild>,
}

/// An index that is being built.
pub(crate) struct IndexBuild {
    pub(crate) index: IndexDefinition,
    /// Where its keys are among those of the scan.
    columns: Vec<usize>,
    /// By shard.
    hashed: Vec<Vec<IndexEntry>>,
    ordered: SortedRuns,
    made: Usage,
    progress: Arc<BuildProgress>,
    memory: MemoryShare,
}

/// The scan of a property that is being defined.
pub(crate) struct PropertyScan {
    property: PropertyDefinition,
    cursor: ScanCursor,
    /// Elements that the transaction itself writes, which are checked when it commits.
    skipped: HashSet<u64>,
}

impl IndexScan {
    /// Scans of the elements of a view, one for each owner of the indexes.
    pub(crate) fn of(
        indexes: &[IndexDefinition],
        view: &GraphView<'_>,
        mut share: impl FnMut() -> MemoryShare,
    ) -> Result<Vec<IndexScan>> {
        let mut scans: Vec<IndexScan> = Vec::new();
        for index in indexes {
            let at = scans.iter().position(|scan| scan.owner == index.owner);
            let at = at.unwrap_or_else(|| {
                let (cursor, owner) = (ScanCursor::default(), index.owner);
                scans.push(IndexScan { owner, keys: Vec::new(), cursor, builds: Vec::new() });
                scans.len() - 1
            });
            let IndexScan { keys, builds, .. } = &mut scans[at];
            let place = |key: &KeyId| {
                keys.iter().position(|own| own == key).unwrap_or_else(|| {
                    keys.push(*key);
                    keys.len() - 1
                })
            };
            let columns = index.keys.iter().map(place).collect();
            builds.push(IndexBuild::new(index.clone(), columns, view, share())?);
        }
        Ok(scans)
    }

    pub(crate) fn is_done(&self) -> bool {
        self.cursor.finished
    }

    /// Takes the entries of the next rows.
    pub(crate) fn step(&mut self, view: &GraphView<'_>) -> Result<()> {
        let IndexScan { owner, keys, cursor, builds } = self;
        builds.iter().try_for_each(|build| check_goes_on(view, &build.index, &build.progress))?;
        let (ids, columns) = next_rows(view, *owner, keys, cursor)?;
        builds.iter_mut().try_for_each(|build| build.take(&ids, &columns, view))
    }

    /// What was built.
    pub(crate) fn into_builds(self) -> Vec<IndexBuild> {
        self.builds
    }
}

impl IndexBuild {
    fn new(
        index: IndexDefinition,
        columns: Vec<usize>,
        view: &GraphView<'_>,
        memory: MemoryShare,
    ) -> Result<IndexBuild> {
        let progress = view.graph.indexes.build(index.id).unwrap_or_default();
        progress.begin(count_rows(view, index.owner)?);
        let hashed = vec![Vec::new(); INDEX_SHARDS];
        let (ordered, made) = (SortedRuns::default(), Usage::default());
        Ok(IndexBuild { index, columns, hashed, ordered, made, progress, memory })
    }

    /// Takes the entries of rows, of which there are the columns of the scan.
    fn take(&mut self, ids: &[u64], all: &[Column], view: &GraphView<'_>) -> Result<()> {
        let IndexBuild { index, columns, hashed, ordered, made, progress, memory } = self;
        let columns: Vec<&Column> = columns.iter().map(|column| &all[*column]).collect();
        let maker = KeyMaker::of(index)?;
        for (row, id) in ids.iter().copied().enumerate() {
            if index.kind.is_ordered() {
                maker
                    .each_of_row(&columns, row, |key| {
                        made.entries += 1;
                        ordered.push(key, id);
                    })
                    .map_err(|error| constraint::of_stored(&view.catalog, index, id, error))?;
                continue;
            }
            each_key(&columns, row, |columns, row| {
                if let Some(hash) = hash_row(columns, row) {
                    made.entries += 1;
                    hashed[shard_of(hash)].push(IndexEntry { index: index.id, hash, id });
                }
            });
        }
        made.bytes = match index.kind.is_ordered() {
            true => ordered.byte_size() as u64,
            false => made.entries * 2 * size_of::<IndexEntry>() as u64,
        };
        progress.add(ids.len() as u64, *made);
        memory.reserve(made.bytes)
    }

    /// Puts the entries, which are those of the checkpoint position, below the entries that writers
    /// added to the index.
    pub(crate) fn install(self, graph: &Graph, checkpoint: LogPosition) {
        let IndexBuild { index, hashed, ordered, .. } = self;
        if let Some(shards) = graph.indexes.get(index.id) {
            for (shard, mut entries) in shards.iter().zip(hashed) {
                entries.sort_unstable();
                shard.install_base(IndexBase { checkpoint, entries }.into());
            }
        }
        if let Some(range) = graph.indexes.ordered(index.id) {
            // One shard, whatever its size: the checkpoint that makes it durable splits it, by one record.
            let base = ordered.finish();
            let (entries, base) = (base.len() as u64, Section::of(base).into());
            range.install(
                vec![RangePart { number: 0, lower: Vec::new(), base, entries }],
                checkpoint,
            );
        }
    }
}

/// Fails where a build is to end without an index, as that was dropped.
fn check_goes_on(
    view: &GraphView<'_>,
    index: &IndexDefinition,
    progress: &BuildProgress,
) -> Result<()> {
    let is_there = view.graph.catalog.newest().building.get(&index.id).is_some();
    if is_there && !progress.is_stopped() {
        return Ok(());
    }
    let (done, total) = progress.elements();
    let detail = format!(
        "the index was dropped while it was being built; {done} of {total} elements had been read"
    );
    Err(Error::new(ErrorKind::NotFound, detail).in_phase(Phase::Commit))
}

/// How many elements an owner has.
fn count_rows(view: &GraphView<'_>, owner: Owner) -> Result<u64> {
    let partitions = &view.graph.partitions;
    match owner {
        Owner::Label(label) => partitions.count_vertices(view.at, Some(label)),
        Owner::AllVertices => partitions.count_vertices(view.at, None),
        Owner::EdgeType(edge_type) => partitions.count_edges(view.at, Some(edge_type)),
        Owner::AllEdges => partitions.count_edges(view.at, None),
    }
}

impl PropertyScan {
    pub(crate) fn new(property: PropertyDefinition, parts: Parts<'_>) -> Result<PropertyScan> {
        let mut skipped = HashSet::new();
        parts.each(|part| {
            if is_of_edges(property.owner) {
                let owners = part.edge_properties.iter().flat_map(|block| &block.owners);
                skipped.extend(owners.map(|edge| edge.0));
                skipped.extend(part.deleted_edges.iter().map(|ends| ends.edge.0));
            } else {
                let owners = part.vertex_properties.iter().flat_map(|block| &block.owners);
                skipped.extend(owners.map(|vertex| vertex.0));
                skipped.extend(part.labels.iter().map(|(vertex, _)| vertex.0));
                skipped.extend(part.deleted_vertices.iter().map(|vertex| vertex.0));
            }
            Ok(())
        })?;
        Ok(PropertyScan { property, cursor: ScanCursor::default(), skipped })
    }

    pub(crate) fn is_done(&self) -> bool {
        self.cursor.finished
    }

    /// Requires the next rows to be as defined.
    pub(crate) fn step(&mut self, view: &GraphView<'_>) -> Result<()> {
        let PropertyScan { property, cursor, skipped } = self;
        let (ids, columns) = next_rows(view, property.owner, &[property.key], cursor)?;
        for (row, id) in ids.into_iter().enumerate() {
            if !skipped.contains(&id) {
                check_property(&view.catalog, property, id, columns[0].get(row))?;
            }
        }
        Ok(())
    }
}

/// Requires each value of a unique index to be there once. Elements with entries that the
/// transaction changes are checked when it commits.
pub(crate) fn find_clash(
    view: &GraphView<'_>,
    index: &IndexDefinition,
    parts: Parts<'_>,
) -> Result<()> {
    let Some(shards) = view.graph.indexes.get(index.id) else { return Ok(()) };
    // Asked for only if some hash is there twice.
    let mut changed: Option<HashSet<u64>> = None;
    for shard in shards.iter() {
        let entries = shard.base_at(view.at, |_| true)?.entries;
        for group in entries.chunk_by(|left, right| left.hash == right.hash) {
            if group.len() == 1 {
                continue;
            }
            let skipped = match changed.take() {
                Some(skipped) => skipped,
                None => changed_by(view, index, parts)?,
            };
            check_group(view, index, group.iter().map(|entry| entry.id), &skipped)?;
            changed = Some(skipped);
        }
    }
    Ok(())
}

fn check_group(
    view: &GraphView<'_>,
    index: &IndexDefinition,
    ids: impl Iterator<Item = u64>,
    skipped: &HashSet<u64>,
) -> Result<()> {
    let mut ids: Vec<u64> = ids.filter(|id| !skipped.contains(id)).collect();
    ids.sort_unstable();
    ids.dedup();
    let columns = view.values(index, &ids)?;
    let values = |row: usize| -> Option<Vec<Value>> {
        columns.iter().map(|column| column.get(row).filter(|value| !value.is_null())).collect()
    };
    let mut seen: Vec<(u64, Vec<Value>)> = Vec::new();
    // An element of several keys of one hash is looked at once; its keys are distinct.
    let rows = ids.iter().enumerate().filter_map(|(row, id)| Some((*id, values(row)?)));
    let keys =
        rows.flat_map(|(id, values)| keys_of(values).into_iter().map(move |values| (id, values)));
    for (id, values) in keys {
        if let Some((first, _)) = seen.iter().find(|(_, other)| same(other, &values)) {
            let ids = (*first, Some(id));
            let error = constraint::duplicate(&view.catalog, index, ids, &values);
            return Err(error.in_phase(Phase::Commit));
        }
        seen.push((id, values));
    }
    Ok(())
}

fn changed_by(
    view: &GraphView<'_>,
    index: &IndexDefinition,
    parts: Parts<'_>,
) -> Result<HashSet<u64>> {
    let of_edges = is_of_edges(index.owner);
    let mut alone = Catalog::default();
    alone.indexes.push(index.clone());
    let modified = match of_edges {
        true => Modified::edges(view, parts, [&alone; 2])?,
        false => Modified::vertices(view, parts, [&alone; 2])?,
    };
    Ok(changed_entries(index, &modified))
}

/// The next elements of an owner, with their values of some keys.
fn next_rows(
    view: &GraphView<'_>,
    owner: Owner,
    keys: &[KeyId],
    cursor: &mut ScanCursor,
) -> Result<(Vec<u64>, Vec<Column>)> {
    let partitions = &view.graph.partitions;
    let label = match owner {
        Owner::EdgeType(edge_type) => return next_edges(view, &[edge_type], keys, cursor),
        Owner::AllEdges => {
            let types = 0..view.catalog.edge_types.len() as u32;
            let types: Vec<EdgeTypeId> = types.map(EdgeTypeId).collect();
            return next_edges(view, &types, keys, cursor);
        }
        Owner::Label(label) => Some(label),
        Owner::AllVertices => None,
    };
    let mut vertices = Vec::<VertexId>::new();
    partitions.scan_vertices(view.at, label, cursor, SCAN_ROWS, &mut vertices)?;
    let columns = partitions.gather(view.at, Elements::Vertices(&vertices), keys)?;
    Ok((vertices.into_iter().map(|vertex| vertex.0).collect(), columns))
}

fn next_edges(
    view: &GraphView<'_>,
    types: &[EdgeTypeId],
    keys: &[KeyId],
    cursor: &mut ScanCursor,
) -> Result<(Vec<u64>, Vec<Column>)> {
    let (partitions, mut rows) = (&view.graph.partitions, EdgeRows::default());
    partitions.scan_edges(view.at, types, cursor, SCAN_ROWS, &mut rows)?;
    let edges: &[EdgeId] = &rows.edges;
    let columns = partitions.gather(view.at, Elements::Edges(edges), keys)?;
    Ok((edges.iter().map(|edge| edge.0).collect(), columns))
}
