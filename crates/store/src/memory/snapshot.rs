//! Reading a version: each call is the sentence of its contract, written with maps.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::{Bound, ControlFlow};
use std::sync::Arc;

use millrace_model::column::Field;
use millrace_model::compare::{self, CompareMode};
use millrace_model::{
    Bits, Catalog, Column, Direction, EXTERNAL_ID_KEY, EdgeId, EdgeTypeId, IndexId, KeyId, LabelId,
    LogPosition, Result, Value, VertexId, query_limits,
};
use millrace_terms::KeyQuestion;
use millrace_terms::score::TextStatistics;

use super::graph_version::{GraphVersion, IndexKey, Properties};
use crate::changes::Labels;
use crate::constraint::{check_candidates, check_ranges};
use crate::reads::key_range::ByteRange;
use crate::reads::nearest::{NearestMatches, NearestQuery, vector_space};
use crate::reads::ordered_keys::KeyForm;
use crate::reads::postings::{Exactness, PostingsSink, add_texts, texts_of};
use crate::reads::question::{KeySink, KeySource, answer};
use crate::reads::run::{Neighbours, Run, RunEdges, RunSink};
use crate::reads::{
    EdgeRows, Elements, Ends, IdSpace, IndexState, IndexUsage, KeyRanges, RangeBound, ScanCursor,
    Scanned, SeekMatches, non_blocking,
};
use crate::snapshot::Snapshot;

/// The entries of an index of made keys.
struct MadeKeys<'g>(&'g BTreeMap<IndexKey, BTreeSet<u64>>);

impl KeySource for MadeKeys<'_> {
    fn count(&mut self, ranges: &[ByteRange]) -> Result<Vec<u64>> {
        let mut counts = vec![0; ranges.len()];
        for (count, range) in counts.iter_mut().zip(ranges) {
            self.walk(range, &mut |_, ids| {
                *count += ids.len() as u64;
                Ok(true)
            })?;
        }
        Ok(counts)
    }

    fn walk(&mut self, range: &ByteRange, sink: KeySink<'_>) -> Result<()> {
        for (key, ids) in self.0 {
            let [Value::Bytes(key)] = &key.0[..] else { continue };
            let ids: Vec<u64> = ids.iter().copied().collect();
            if range.contains(key) && !sink(key, &ids)? {
                break;
            }
        }
        Ok(())
    }
}

impl Snapshot for GraphVersion {
    fn position(&self) -> LogPosition {
        self.position
    }

    fn catalog(&self) -> Arc<Catalog> {
        self.catalog.clone()
    }

    fn id_space(&self) -> IdSpace {
        IdSpace { dense: true, bound: self.id_bound }
    }

    fn scan_vertices(
        &self,
        label: Option<LabelId>,
        cursor: &mut ScanCursor,
        rows_max: usize,
        vertices: &mut Vec<VertexId>,
    ) -> Result<()> {
        non_blocking::would_block()?;
        let until = VertexId(cursor.until.unwrap_or(u64::MAX).max(cursor.next));
        let rest = self.vertices.range(VertexId(cursor.next)..until);
        let labelled = rest.filter(|(_, record)| label.is_none_or(|l| record.labels.contains(&l)));
        let mut found = labelled.map(|(vertex, _)| *vertex);
        for vertex in found.by_ref().take(rows_max) {
            vertices.push(vertex);
            cursor.next = vertex.0 + 1;
        }
        cursor.finished = found.next().is_none();
        Ok(())
    }

    fn scan_edges(
        &self,
        types: Option<&[EdgeTypeId]>,
        cursor: &mut ScanCursor,
        rows_max: usize,
        edges: &mut EdgeRows,
    ) -> Result<()> {
        non_blocking::would_block()?;
        let types = self.types(types);
        let mut rows = types.iter().flat_map(|kind| {
            let first = Bound::Included((*kind, Direction::Out, VertexId(0)));
            let last = Bound::Excluded((*kind, Direction::In, VertexId(0)));
            let lists = self.lists.range((first, last));
            lists.flat_map(|(key, list)| list.iter().map(|entry| (*key, *entry)))
        });
        let until = cursor.until.unwrap_or(u64::MAX).max(cursor.next);
        let mut rest = rows.by_ref().take(until as usize).skip(cursor.next as usize);
        for ((edge_type, _, source), (target, edge)) in rest.by_ref().take(rows_max.max(1)) {
            edges.edges.push(edge);
            edges.types.push(edge_type);
            edges.sources.push(source);
            edges.targets.push(target);
            cursor.next += 1;
        }
        cursor.finished = rest.next().is_none();
        Ok(())
    }

    fn scan_pieces(&self, scanned: Scanned<'_>, elements: u64) -> Result<Vec<ScanCursor>> {
        let bounds: Vec<u64> = match scanned {
            Scanned::Vertices(label) => {
                let has = |labels: &Labels| label.is_none_or(|own| labels.contains(&own));
                let found = self.vertices.iter().filter(|(_, record)| has(&record.labels));
                found.map(|(vertex, _)| vertex.0).step_by(elements.max(1) as usize).collect()
            }
            Scanned::Edges(types) => {
                let mut cursor = ScanCursor::default();
                let mut rows = EdgeRows::default();
                self.scan_edges(types, &mut cursor, usize::MAX, &mut rows)?;
                (0..rows.edges.len() as u64).step_by(elements.max(1) as usize).collect()
            }
        };
        let ends = bounds.iter().skip(1).copied().map(Some).chain([None]);
        let pieces = bounds.iter().zip(ends);
        Ok(pieces
            .map(|(next, until)| ScanCursor { next: *next, until, ..ScanCursor::default() })
            .collect())
    }

    fn count_vertices(&self, label: Option<LabelId>) -> Result<u64> {
        let records = self.vertices.values();
        let count = records.filter(|record| label.is_none_or(|l| record.labels.contains(&l)));
        Ok(count.count() as u64)
    }

    fn count_edges(&self, edge_type: Option<EdgeTypeId>) -> Result<u64> {
        let records = self.edges.values();
        let count = records.filter(|record| edge_type.is_none_or(|t| record.edge_type == t));
        Ok(count.count() as u64)
    }

    fn seek(&self, index: IndexId, keys: &[&Column], matches: &mut SeekMatches) -> Result<()> {
        let Some(entries) = self.indexes.get(&index) else { return Ok(()) };
        for row in 0..keys.first().map_or(0, |column| column.len()) {
            let values = keys.iter().map(|column| column.get(row).filter(|v| !v.is_null()));
            let Some(values) = values.collect::<Option<Vec<Value>>>() else { continue };
            for id in entries.get(&IndexKey(values)).into_iter().flatten() {
                matches.rows.push(row as u32);
                matches.ids.push(*id);
            }
        }
        Ok(())
    }

    fn seek_ranges(
        &self,
        index: IndexId,
        ranges: &KeyRanges<'_>,
        matches: &mut SeekMatches,
    ) -> Result<()> {
        let Some(entries) = self.indexes.get(&index) else { return Ok(()) };
        let defined = self.catalog.indexes.get(&index);
        check_ranges(&self.catalog, defined.expect("entries have an index"), ranges)?;
        for row in 0..ranges.rows {
            let inside = entries.iter().filter(|(key, _)| is_inside(&key.0, ranges, row));
            let mut found: Vec<u64> = inside.flat_map(|(_, ids)| ids.iter().copied()).collect();
            if ranges.descending {
                found.reverse();
            }
            let mut seen = BTreeSet::new();
            found.retain(|id| seen.insert(*id));
            found.truncate(ranges.limit);
            matches.rows.extend(found.iter().map(|_| row as u32));
            matches.ids.append(&mut found);
        }
        Ok(())
    }

    fn candidates(
        &self,
        index: IndexId,
        questions: &[KeyQuestion],
        limit: usize,
        matches: &mut SeekMatches,
    ) -> Result<()> {
        let (Some(entries), Some(defined)) =
            (self.indexes.get(&index), self.catalog.indexes.get(&index))
        else {
            return Ok(());
        };
        check_candidates(&self.catalog, defined)?;
        let mut source = MadeKeys(entries);
        for (row, question) in questions.iter().enumerate() {
            let found = answer(question, KeyForm::of(defined), limit, &mut source)?;
            matches.rows.extend(found.iter().map(|_| row as u32));
            matches.ids.extend(found);
        }
        Ok(())
    }

    fn nearest(
        &self,
        index: IndexId,
        query: &NearestQuery<'_>,
        matches: &mut NearestMatches,
    ) -> Result<()> {
        let (Some(entries), Some(defined)) =
            (self.indexes.get(&index), self.catalog.indexes.get(&index))
        else {
            return Ok(());
        };
        vector_space(defined)?;
        non_blocking::walk(entries.len())?;
        let best_of = |query: &NearestQuery<'_>, limit| {
            let mut best = query.heaps(limit);
            for (key, ids) in entries {
                let [Value::Bytes(key)] = &key.0[..] else { continue };
                let ids = ids.iter().filter(|id| query.counts(**id));
                ids.for_each(|id| query.compare(key, *id, &mut best));
                query_limits::step(1)?;
            }
            Ok(best)
        };
        let columns_of = |ids: &[u64]| {
            let held = |id: &u64| self.owned(defined.owner, *id);
            let column = |key: &KeyId| {
                let mut column = Column::default();
                let value = |id| held(id).and_then(|own| own.get(key).cloned());
                ids.iter().for_each(|id| column.push_entry(value(id)));
                column
            };
            let covered = ids.iter().map(|id| held(id).is_some()).collect();
            Ok((defined.keys.iter().map(column).collect(), covered))
        };
        query.search(defined, best_of, columns_of, matches)
    }

    fn postings(
        &self,
        index: IndexId,
        ranges: &[ByteRange],
        visit: PostingsSink<'_>,
    ) -> Result<Exactness> {
        let (Some(entries), Some(defined)) =
            (self.indexes.get(&index), self.catalog.indexes.get(&index))
        else {
            return Ok(Exactness::Exact);
        };
        check_candidates(&self.catalog, defined)?;
        for (number, range) in ranges.iter().enumerate() {
            MadeKeys(entries).walk(range, &mut |key, ids| {
                visit(number, key, ids)?;
                Ok(true)
            })?;
        }
        Ok(Exactness::Exact)
    }

    fn count_entries(&self, index: IndexId, ranges: &[ByteRange]) -> Result<Vec<u64>> {
        let mut counts = vec![0; ranges.len()];
        self.postings(index, ranges, &mut |range, _, ids| {
            counts[range] += ids.len() as u64;
            Ok(())
        })?;
        Ok(counts)
    }

    fn index_usage(&self, indexes: &[IndexId]) -> Result<Vec<IndexUsage>> {
        let usage = |index: &IndexId| {
            let state = IndexState::of(&self.catalog, *index);
            let mut usage = IndexUsage { index: *index, state, ..IndexUsage::default() };
            for (key, ids) in self.indexes.get(index).into_iter().flatten() {
                let of_key: usize = key.0.iter().map(Value::heap_size).sum();
                usage.entries += ids.len() as u64;
                usage.bytes += (of_key + ids.len() * size_of::<u64>()) as u64;
            }
            usage
        };
        Ok(indexes.iter().map(usage).collect())
    }

    fn text_statistics(&self, index: IndexId, field: usize) -> Result<TextStatistics> {
        let mut statistics = TextStatistics::default();
        if let Some(defined) = self.catalog.indexes.get(&index) {
            let texts = texts_of(defined, field);
            self.postings(index, &[texts], &mut |_, key, ids| {
                add_texts(&mut statistics, key, ids);
                Ok(())
            })?;
        }
        Ok(statistics)
    }

    fn expand(
        &self,
        frontier: &[VertexId],
        types: Option<&[EdgeTypeId]>,
        direction: Direction,
        sink: &mut dyn RunSink,
    ) -> Result<()> {
        let types = self.types(types);
        non_blocking::walk_runs(sink, |sink| {
            for (row, vertex) in frontier.iter().enumerate() {
                for half in direction.halves() {
                    for edge_type in &types {
                        let Some(list) = self.lists.get(&(*edge_type, *half, *vertex)) else {
                            continue;
                        };
                        if emit(row, *edge_type, *half, list, sink).is_break() {
                            return Ok(());
                        }
                    }
                }
            }
            Ok(())
        })
    }

    fn degrees(
        &self,
        frontier: &[VertexId],
        types: Option<&[EdgeTypeId]>,
        direction: Direction,
        degrees: &mut Vec<u64>,
    ) -> Result<()> {
        let types = self.types(types);
        let length = |kind, half, vertex| {
            self.lists.get(&(kind, half, vertex)).map_or(0, |list| list.len() as u64)
        };
        degrees.extend(frontier.iter().map(|vertex| -> u64 {
            let halves = direction.halves().iter();
            halves.flat_map(|half| types.iter().map(|kind| length(*kind, *half, *vertex))).sum()
        }));
        Ok(())
    }

    fn exist(&self, elements: Elements<'_>) -> Result<Bits> {
        Ok(self.properties(elements).into_iter().map(|found| found.is_some()).collect())
    }

    fn labels(&self, vertices: &[VertexId]) -> Result<Vec<Labels>> {
        let labels = |vertex| self.vertices.get(vertex).map(|record| record.labels.clone());
        Ok(vertices.iter().map(|vertex| labels(vertex).unwrap_or_default()).collect())
    }

    fn ends(&self, edges: &[EdgeId]) -> Result<Ends> {
        let mut ends = Ends::default();
        for edge in edges {
            let record = self.edges.get(edge);
            ends.exist.push(record.is_some());
            ends.types.push(record.map_or_else(EdgeTypeId::default, |record| record.edge_type));
            ends.sources.push(record.map_or_else(VertexId::default, |record| record.source));
            ends.targets.push(record.map_or_else(VertexId::default, |record| record.target));
        }
        Ok(ends)
    }

    fn gather(&self, elements: Elements<'_>, keys: &[KeyId]) -> Result<Vec<Column>> {
        let mut columns = vec![Column::default(); keys.len()];
        for found in self.properties(elements) {
            for (key, column) in keys.iter().zip(&mut columns) {
                column.push_entry(found.and_then(|properties| properties.get(key)).cloned());
            }
        }
        Ok(columns)
    }

    fn fields(&self, elements: Elements<'_>) -> Result<Vec<Arc<[Field]>>> {
        let fields = |properties: &Properties| {
            properties
                .iter()
                .filter(|(key, _)| **key != EXTERNAL_ID_KEY)
                .map(|(key, value)| Field { key: *key, value: value.clone() })
                .collect()
        };
        let found = self.properties(elements).into_iter();
        Ok(found.map(|properties| properties.map_or_else(|| Arc::from([]), fields)).collect())
    }
}

impl GraphVersion {
    fn properties(&self, elements: Elements<'_>) -> Vec<Option<&Properties>> {
        match elements {
            Elements::Vertices(ids) => {
                ids.iter().map(|id| self.vertices.get(id).map(|r| &r.properties)).collect()
            }
            Elements::Edges(ids) => {
                ids.iter().map(|id| self.edges.get(id).map(|r| &r.properties)).collect()
            }
        }
    }
}

/// Whether a key is in the range of a row.
fn is_inside(key: &[Value], ranges: &KeyRanges<'_>, row: usize) -> bool {
    let equal = |(value, column): (&Value, &&Column)| {
        column.get(row).is_some_and(|own| !own.is_null() && compare::order(value, &own).is_eq())
    };
    let within = |bound: Option<RangeBound<'_>>, beyond: Ordering| {
        let Some(bound) = bound else { return true };
        let value = bound.values.get(row).unwrap_or_default();
        let order = compare::compare(&key[ranges.prefix.len()], &value, CompareMode::Plain);
        order.is_some_and(|order| order == beyond || bound.inclusive && order.is_eq())
    };
    key.iter().zip(ranges.prefix).all(equal)
        && within(ranges.lower, Ordering::Greater)
        && within(ranges.upper, Ordering::Less)
}

fn emit(
    row: usize,
    edge_type: EdgeTypeId,
    direction: Direction,
    list: &BTreeSet<(VertexId, EdgeId)>,
    sink: &mut dyn RunSink,
) -> ControlFlow<()> {
    let (neighbours, edges): (Vec<_>, Vec<_>) = list.iter().copied().unzip();
    let (neighbours, edges) = (Neighbours::Wide(&neighbours), RunEdges::Wide(&edges));
    sink.run(row, Run { edge_type, direction, sorted: true, neighbours, edges })
}
