//! Scans in a transaction: vertices merged by id; edges type by type, own ones last, by source.

use millrace_model::{EdgeId, EdgeTypeId, LabelId, Result, VertexId};

use crate::reads::{EdgeRows, ScanCursor};
use crate::transaction::state::own_edges::Place;
use crate::transaction::view::View;

/// Bits of the write-set cursor of an edge scan that count own edges of a source; the bits above
/// count the types that are done.
const OWN_ROW_BITS: u32 = 40;

impl View<'_> {
    pub(in crate::transaction) fn scan_vertices(
        &self,
        label: Option<LabelId>,
        cursor: &mut ScanCursor,
        rows_max: usize,
        vertices: &mut Vec<VertexId>,
    ) -> Result<()> {
        if self.set.is_empty() {
            return self.snapshot.scan_vertices(label, cursor, rows_max, vertices);
        }
        while !cursor.finished && rows_max != 0 {
            let first = vertices.len();
            self.scan_some_vertices(label, cursor, rows_max, vertices)?;
            if first < vertices.len() {
                break;
            }
        }
        Ok(())
    }

    fn scan_some_vertices(
        &self,
        label: Option<LabelId>,
        cursor: &mut ScanCursor,
        rows_max: usize,
        vertices: &mut Vec<VertexId>,
    ) -> Result<()> {
        let start = VertexId(cursor.next);
        let mut merged = Vec::new();
        let mut inner = *cursor;
        self.snapshot.scan_vertices(label, &mut inner, rows_max, &mut merged)?;
        merged.retain(|vertex| !self.is_gone(*vertex) && !self.set.relabelled.contains_key(vertex));
        // Own vertices up to where the snapshot has been looked at; one too many shows that there
        // are more.
        let end = if inner.finished { VertexId(u64::MAX) } else { VertexId(inner.next) };
        let created = self.set.created.scan(start, label).take_while(|vertex| *vertex < end);
        let as_created = |vertex: &VertexId| !self.set.relabelled.contains_key(vertex);
        merged.extend(created.filter(as_created).take(rows_max + 1));
        let relabelled = self.set.relabelled.range(start..end);
        let holding = relabelled.filter(|(vertex, labels)| {
            !self.is_gone(**vertex) && label.is_none_or(|label| labels.contains(&label))
        });
        merged.extend(holding.map(|(vertex, _)| *vertex).take(rows_max + 1));
        merged.sort_unstable();
        if rows_max < merged.len() {
            merged.truncate(rows_max);
            cursor.next = merged[rows_max - 1].0 + 1;
        } else {
            (cursor.next, cursor.finished) = (inner.next, inner.finished);
        }
        vertices.append(&mut merged);
        Ok(())
    }

    pub(in crate::transaction) fn scan_edges(
        &self,
        types: Option<&[EdgeTypeId]>,
        cursor: &mut ScanCursor,
        rows_max: usize,
        edges: &mut EdgeRows,
    ) -> Result<()> {
        if self.set.counts.edges.is_empty() {
            return self.snapshot.scan_edges(types, cursor, rows_max, edges);
        }
        let all: Vec<_> = (0..self.set.catalog.edge_types.len() as u32).map(EdgeTypeId).collect();
        let types = types.unwrap_or(&all);
        let first = edges.edges.len();
        while !cursor.finished && edges.edges.len() == first {
            let done = (cursor.write_set >> OWN_ROW_BITS) as usize;
            let Some(edge_type) = types.get(done) else {
                cursor.finished = true;
                break;
            };
            self.scan_edges_of_type(*edge_type, cursor, rows_max.max(1), edges)?;
        }
        Ok(())
    }

    pub(in crate::transaction) fn scan_edge_ids(
        &self,
        types: Option<&[EdgeTypeId]>,
        cursor: &mut ScanCursor,
        rows_max: usize,
        edges: &mut Vec<EdgeId>,
    ) -> Result<()> {
        if self.set.counts.edges.is_empty() {
            return self.snapshot.scan_edge_ids(types, cursor, rows_max, edges);
        }
        let mut rows = EdgeRows::default();
        self.scan_edges(types, cursor, rows_max, &mut rows)?;
        edges.append(&mut rows.edges);
        Ok(())
    }

    /// In the write-set cursor's low bits, 0 is the snapshot's share; in the own edges' share,
    /// `next` is a source, and n stands for n - 1 of its edges that are behind.
    fn scan_edges_of_type(
        &self,
        edge_type: EdgeTypeId,
        cursor: &mut ScanCursor,
        rows_max: usize,
        edges: &mut EdgeRows,
    ) -> Result<()> {
        let own = cursor.write_set & ((1 << OWN_ROW_BITS) - 1);
        if own == 0 {
            let mut inner = ScanCursor { next: cursor.next, ..ScanCursor::default() };
            let mut rows = EdgeRows::default();
            self.snapshot.scan_edges(Some(&[edge_type]), &mut inner, rows_max, &mut rows)?;
            for at in 0..rows.edges.len() {
                if !self.set.deleted_edges.contains_key(&rows.edges[at]) {
                    edges.push(rows.edges[at], rows.types[at], rows.sources[at], rows.targets[at]);
                }
            }
            cursor.next = if inner.finished { 0 } else { inner.next };
            cursor.write_set |= u64::from(inner.finished);
            return Ok(());
        }
        let place = Place { source: VertexId(cursor.next), behind: own - 1 };
        let stretch = self.set.own_edges(edge_type, place)?;
        let (given, are_last) = stretch.edges_from(place, rows_max);
        for own in given.iter().filter(|own| !self.set.dead_edges.contains_key(&own.edge)) {
            edges.push(own.edge, edge_type, own.source, own.target);
        }
        let done = cursor.write_set >> OWN_ROW_BITS;
        if are_last {
            cursor.next = 0;
            cursor.write_set = (done + 1) << OWN_ROW_BITS;
        } else {
            let after = stretch.place_after(given, place);
            cursor.next = after.source.0;
            cursor.write_set = done << OWN_ROW_BITS | (after.behind + 1);
        }
        Ok(())
    }
}
