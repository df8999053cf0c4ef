//! `Degree`: each row, as often as its vertex has edges to vertices with some labels.
//!
//! Labels are tested for whole lists. Once many tests were made, each label's vertices are set in a bitmap, where
//! ids are dense enough for one.

use millrace_model::{Batch, Bits, LabelId, Result, VertexId};
use millrace_plan::op;
use millrace_store::ScanCursor;

use crate::compile::{Compile, Compiler, Place, Placed};
use crate::context::{EdgeTypes, Resolved};
use crate::operators::vertices::Vertices;
use crate::pipeline::{Keep, Operator, Upstream};
use crate::rows::multiplied;
use crate::run::{Charge, Run};
use crate::traversal::Walk;

/// A bitmap is made once as many tests were made as this share of the vertices with the label.
const TESTS_A_VERTEX: u64 = 8;

/// Vertices of a label that are read at once.
const SCANNED_MAX: usize = 1 << 16;

pub(crate) struct Degree {
    from: usize,
    walk: Walk,
    labels: Vec<LabelTest>,
    or_once: bool,
    keep: Keep,
    charge: Charge,
}

/// A label that vertices are tested for.
struct LabelTest {
    label: Resolved<LabelId>,
    tests: u64,
    vertices: Option<Bits>,
}

impl LabelTest {
    fn new(label: &millrace_plan::Name) -> LabelTest {
        LabelTest { label: Resolved::new(label), tests: 0, vertices: None }
    }

    /// Takes out those that do not have it.
    fn retain(
        &mut self,
        vertices: &[VertexId],
        passed: &mut [bool],
        charge: &mut Charge,
        run: &Run<'_>,
    ) -> Result<()> {
        let Some(label) = self.label.label(run.context) else {
            passed.fill(false);
            return Ok(());
        };
        self.tests += vertices.len() as u64;
        if self.vertices.is_none() {
            self.vertices = self.bitmap(label, charge, run)?;
        }
        if let Some(bits) = &self.vertices {
            let len = bits.len() as u64;
            for (vertex, passed) in vertices.iter().zip(passed) {
                *passed &= vertex.0 < len && bits.get(vertex.0 as usize);
            }
            return Ok(());
        }
        let have = run.context.graph().have_label(vertices, label)?;
        passed.iter_mut().enumerate().for_each(|(at, passed)| *passed &= have.get(at));
        Ok(())
    }

    /// Its vertices, where they are worth a scan.
    fn bitmap(&self, label: LabelId, charge: &mut Charge, run: &Run<'_>) -> Result<Option<Bits>> {
        let graph = run.context.graph();
        let space = graph.id_space();
        let count = graph.count_vertices(Some(label))?;
        if !space.dense || self.tests < count / TESTS_A_VERTEX {
            return Ok(None);
        }
        charge.grow(space.bound / 8, run)?;
        let mut bits = Bits::unset(space.bound as usize);
        let mut cursor = ScanCursor::default();
        let mut found = Vec::new();
        while !cursor.finished {
            found.clear();
            graph.scan_vertices(Some(label), &mut cursor, SCANNED_MAX, &mut found)?;
            run.context.guard().check()?;
            // One that was made after the bound was asked is new to a snapshot that writes.
            if found.iter().any(|vertex| space.bound <= vertex.0) {
                return Ok(None);
            }
            found.iter().for_each(|vertex| bits.set(vertex.0 as usize, true));
        }
        Ok(Some(bits))
    }
}

impl Degree {
    /// The number of edges of each vertex that lead to one with the labels.
    fn degrees(&mut self, vertices: &[VertexId], run: &Run<'_>) -> Result<Vec<u64>> {
        let (graph, guard) = (run.context.graph(), run.context.guard());
        let Some(walk) = self.walk.resolve(run.context) else { return Ok(vec![0; vertices.len()]) };
        if self.labels.is_empty() {
            return walk.degrees(graph, guard, vertices);
        }
        let (ends, lengths) = walk.lists(graph, guard, vertices)?;
        let mut passed = vec![true; ends.len()];
        for label in &mut self.labels {
            label.retain(&ends, &mut passed, &mut self.charge, run)?;
        }
        let mut rest = &passed[..];
        let degree = |length: usize| {
            let (own, others) = rest.split_at(length);
            rest = others;
            own.iter().map(|&passed| u64::from(passed)).sum()
        };
        Ok(lengths.into_iter().map(degree).collect())
    }

    fn weigh(&mut self, batch: &Batch, run: &Run<'_>) -> Result<Option<Batch>> {
        let vertices = Vertices::of(batch, self.from, "a degree")?;
        let degrees = self.degrees(&vertices.ids, run)?;
        let (rows, times): (Vec<u32>, Vec<u64>) = if self.or_once {
            let mut times = vec![1; batch.len];
            for (place, degree) in degrees.into_iter().enumerate() {
                times[vertices.row(place) as usize] = degree.max(1);
            }
            ((0..batch.len as u32).collect(), times)
        } else {
            let there = degrees.into_iter().enumerate().filter(|(_, degree)| 0 < *degree);
            there.map(|(place, degree)| (vertices.row(place), degree)).unzip()
        };
        if rows.is_empty() {
            return Ok(None);
        }
        let kept = self.keep.take(batch, &rows);
        let by = times.iter().any(|&times| times != 1).then_some(&times[..]);
        multiplied(kept, by, run.context.guard()).map(Some)
    }
}

impl Operator for Degree {
    fn begin(&mut self, run: &Run<'_>) {
        // The graph may have changed since.
        for label in &mut self.labels {
            (label.tests, label.vertices) = (0, None);
        }
        self.charge.release(run);
    }

    fn next(&mut self, input: &mut Upstream<'_>, run: &Run<'_>) -> Result<Option<Batch>> {
        while let Some(batch) = input.next(run)? {
            if let Some(result) = self.weigh(&batch, run)? {
                return Ok(Some(result));
            }
        }
        Ok(None)
    }
}

impl Compile for op::Degree {
    fn compile(&self, compiler: &Compiler<'_>, place: &Place<'_>) -> Result<Placed> {
        let (keep, after) = place.keep();
        let walk = Walk::new(EdgeTypes::new(self.types.as_deref()), self.direction, self.loops);
        let from = compiler.slot(place.layout, self.from)?;
        let labels = self.labels.iter().map(LabelTest::new).collect();
        let (or_once, charge) = (self.or_once, Charge::default());
        Ok((Box::new(Degree { from, walk, labels, or_once, keep, charge }), after))
    }
}
