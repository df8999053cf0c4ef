//! The results of reads, by the very calls that readers make, against the contents of the images.
//!
//! Merging makes images, and readers merge nothing. This proves that both give the same lists,
//! degrees, ends, existence and counts.

use std::ops::ControlFlow;

use millrace_model::{Direction, EdgeId, EdgeTypeId, Result, VertexId};
use millrace_store::{Elements, Run, ScanCursor};

use super::GraphCheck;
use super::directions::{Directions, Sum};
use super::partition::Several;
use super::report::Stage;
use crate::base::limits::CHECK_ROWS;
use crate::persistent::image::Half;

impl GraphCheck<'_, '_, '_, '_> {
    pub(super) fn reading(&mut self, directions: &Directions) -> Result<()> {
        let outcome = self.read_all(directions);
        self.met("reading", outcome).map(drop)
    }

    fn read_all(&mut self, directions: &Directions) -> Result<()> {
        let (at, partitions) = (self.view.at, &self.view.graph.partitions);
        let (mut cursor, mut vertices) = (ScanCursor::default(), Vec::new());
        let mut sums = [Sum::default(), Sum::default()];
        let mut count = 0;
        while !cursor.finished {
            vertices.clear();
            partitions.scan_vertices(at, None, &mut cursor, CHECK_ROWS, &mut vertices)?;
            let exist = partitions.exist(at, Elements::Vertices(&vertices))?;
            let mut absent = Several::default();
            let rows = vertices.iter().enumerate().filter(|(row, _)| !exist.get(*row));
            rows.for_each(|(_, vertex)| absent.add(vertex));
            if let Some(fault) = absent.tell("vertices", "are scanned, and do not exist") {
                self.find("reading", fault);
            }
            self.walk(&vertices, Direction::Out, &mut sums[Half::Out as usize])?;
            self.walk(&vertices, Direction::In, &mut sums[Half::In as usize])?;
            count += vertices.len() as u64;
            let total = self.checked.vertices;
            self.watcher.step(Stage::Reading, &self.checked.name, count, total)?;
        }
        for (half, way) in [(Half::Out, "out"), (Half::In, "in")] {
            if sums[half as usize] != directions.total(half) {
                self.find(
                    "reading",
                    format!("the {way} lists readers see are not the stored ones"),
                );
            }
        }
        self.counts(count)
    }

    fn counts(&mut self, scanned: u64) -> Result<()> {
        let (at, partitions) = (self.view.at, &self.view.graph.partitions);
        let counted = (partitions.count_vertices(at, None)?, partitions.count_edges(at, None)?);
        let there = (scanned, self.checked.edges);
        if counted != there {
            let fault = format!("counts say {counted:?} vertices and edges, there are {there:?}");
            self.find("reading", fault);
        }
        Ok(())
    }

    /// Walks the lists of vertices: degrees, and the type and ends of each edge.
    fn walk(&mut self, vertices: &[VertexId], direction: Direction, sum: &mut Sum) -> Result<()> {
        let (at, partitions) = (self.view.at, &self.view.graph.partitions);
        let mut degrees = Vec::new();
        partitions.degrees(at, vertices, None, direction, &mut degrees)?;
        let mut lengths = vec![0; vertices.len()];
        let mut listed: Vec<(EdgeId, EdgeTypeId, VertexId, VertexId)> = Vec::new();
        let mut sink = |row: usize, run: Run<'_>| {
            lengths[row] += run.len() as u64;
            for place in 0..run.len() {
                let (own, other) = (vertices[row], run.neighbours.get(place));
                let (source, target) = match direction {
                    Direction::In => (other, own),
                    Direction::Out | Direction::Both => (own, other),
                };
                listed.push((run.edge(place), run.edge_type, source, target));
            }
            ControlFlow::Continue(())
        };
        partitions.expand(at, vertices, None, direction, &mut sink)?;
        let (mut degree, mut wrong_ends) = (Several::default(), Several::default());
        for (row, vertex) in
            vertices.iter().enumerate().filter(|(row, _)| degrees[*row] != lengths[*row])
        {
            degree.add(format!("{vertex}: {}, not {}", degrees[row], lengths[row]));
        }
        for chunk in listed.chunks(CHECK_ROWS) {
            let edges: Vec<EdgeId> = chunk.iter().map(|row| row.0).collect();
            let ends = partitions.ends(at, &edges)?;
            for (row, (edge, edge_type, source, target)) in chunk.iter().enumerate() {
                sum.add(*edge_type, source.0 as u32, target.0 as u32, edge.0 as u32);
                let said = (ends.types[row], ends.sources[row], ends.targets[row]);
                if !ends.exist.get(row) || said != (*edge_type, *source, *target) {
                    wrong_ends.add(edge);
                }
            }
        }
        let faults = [
            degree.tell("vertices", "have another degree than their lists are long"),
            wrong_ends.tell("edges", "have other ends by their id than in a list"),
        ];
        faults.into_iter().flatten().for_each(|fault| self.find("reading", fault));
        Ok(())
    }
}
