//! Scans in a transaction: vertices merged by id, edges type by type with own ones last.

use millrace_model::{EdgeTypeId, LabelId, Result, VertexId};

use super::view::View;
use crate::snapshot::{EdgeRows, ScanCursor};

/// Bits of the overlay cursor of an edge scan that count own rows of the current type; the bits
/// above count the types that are done.
const OWN_ROW_BITS: u32 = 40;

impl View<'_> {
    pub(super) fn scan_vertices(
        &self,
        label: Option<LabelId>,
        cursor: &mut ScanCursor,
        rows_max: usize,
        vertices: &mut Vec<VertexId>,
    ) -> Result<()> {
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
        // Own vertices up to where the snapshot has been looked at; one too many tells that there
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

    pub(super) fn scan_edges(
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
            let done = (cursor.overlay >> OWN_ROW_BITS) as usize;
            let Some(edge_type) = types.get(done) else {
                cursor.finished = true;
                break;
            };
            self.scan_edges_of_type(*edge_type, cursor, rows_max.max(1), edges)?;
        }
        Ok(())
    }

    /// In the overlay's low bits, 0 is the snapshot's share; n is the own row n - 1.
    fn scan_edges_of_type(
        &self,
        edge_type: EdgeTypeId,
        cursor: &mut ScanCursor,
        rows_max: usize,
        edges: &mut EdgeRows,
    ) -> Result<()> {
        let own = cursor.overlay & ((1 << OWN_ROW_BITS) - 1);
        if own == 0 {
            let mut inner = ScanCursor { next: cursor.next, ..ScanCursor::default() };
            let mut rows = EdgeRows::default();
            self.snapshot.scan_edges(Some(&[edge_type]), &mut inner, rows_max, &mut rows)?;
            for at in 0..rows.edges.len() {
                if !self.set.deleted_edges.contains_key(&rows.edges[at]) {
                    edges.push(rows.edges[at], rows.types[at], rows.sources[at], rows.targets[at]);
                }
            }
            cursor.next = inner.next;
            cursor.overlay |= u64::from(inner.finished);
            return Ok(());
        }
        let read = self.scan_own_edges(edge_type, own - 1, rows_max, edges)?;
        cursor.overlay += read;
        if read < rows_max as u64 {
            cursor.next = 0;
            cursor.overlay = ((cursor.overlay >> OWN_ROW_BITS) + 1) << OWN_ROW_BITS;
        }
        Ok(())
    }

    /// Reads own rows of a type from the `skip`th on, and says how many it looked at.
    fn scan_own_edges(
        &self,
        edge_type: EdgeTypeId,
        mut skip: u64,
        rows_max: usize,
        edges: &mut EdgeRows,
    ) -> Result<u64> {
        let mut left = rows_max as u64;
        for part in 0..=self.set.spilled.len() {
            let loaded = match self.set.spilled.get(part) {
                Some(spilled) => {
                    let count = spilled.summary.edge_counts.get(&edge_type).copied().unwrap_or(0);
                    if count <= skip {
                        skip -= count;
                        continue;
                    }
                    Some(self.load(part)?)
                }
                None => None,
            };
            let blocks = &loaded.as_deref().unwrap_or(&self.set.open).changes.edges;
            for block in blocks.iter().filter(|block| block.edge_type == edge_type) {
                let count = block.ids.len() as u64;
                let first = skip.min(count);
                skip -= first;
                let taken = left.min(count - first);
                left -= taken;
                for row in first as usize..(first + taken) as usize {
                    if !self.set.dead_edges.contains_key(&block.ids[row]) {
                        let (source, target) = (block.sources[row], block.targets[row]);
                        edges.push(block.ids[row], edge_type, source, target);
                    }
                }
            }
        }
        Ok(rows_max as u64 - left)
    }
}
