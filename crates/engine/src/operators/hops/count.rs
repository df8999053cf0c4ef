//! Counts that list nothing: from degrees, from the store's counters; and "has an edge".

use millrace_model::{Batch, Column, ColumnValues, LabelId, Result};
use millrace_plan::{ApplyKind, Fold, Op, op};

use crate::compile::{Compiler, Place, Placed};
use crate::context::{EdgeTypes, Resolved};
use crate::operators::vertices::Vertices;
use crate::pipeline::{Keep, Operator, Scopes, Upstream, add};
use crate::rows::Tally;
use crate::run::Run;
use crate::traversal::Walk;

/// Counts by scope, under way.
#[derive(Default)]
struct Counts {
    by_ordinal: Tally,
    done: bool,
}

impl Counts {
    fn begin(&mut self) {
        self.by_ordinal.clear();
        self.done = false;
    }

    fn add(&mut self, ordinal: u32, weight: u64, times: u64) {
        let place = ordinal as usize;
        if self.by_ordinal.len() <= place {
            self.by_ordinal.resize(place + 1);
        }
        self.by_ordinal.add_times(place, weight, times);
    }

    /// One row for each scope, counted or not.
    fn rows(&mut self, scopes: &Scopes, live: bool) -> Result<Option<Batch>> {
        if std::mem::replace(&mut self.done, true) || scopes.len() == 0 {
            return Ok(None);
        }
        let counts = self.by_ordinal.column(scopes.iter().map(|ordinal| ordinal as usize))?;
        let mut batch = Batch { len: counts.len(), ..Batch::default() };
        if live {
            batch.columns.push(counts.into());
        }
        if 1 < scopes.bound() {
            batch.ordinals = Some(scopes.iter().collect::<Vec<_>>().into());
        }
        Ok(Some(batch))
    }
}

/// `Expand` and a keyless count: Σ weight × degree.
pub(crate) struct CountEdges {
    from: usize,
    walk: Walk,
    live: bool,
    counts: Counts,
}

impl CountEdges {
    pub(crate) fn new(from: usize, walk: Walk, live: bool) -> CountEdges {
        CountEdges { from, walk, live, counts: Counts::default() }
    }
}

impl Operator for CountEdges {
    fn begin(&mut self, _run: &Run<'_>) {
        self.counts.begin();
    }

    fn next(&mut self, input: &mut Upstream<'_>, run: &Run<'_>) -> Result<Option<Batch>> {
        while !self.counts.done {
            let Some(batch) = input.next(run)? else { break };
            let vertices = Vertices::of(&batch, self.from, "an expansion")?;
            let Some(walk) = self.walk.resolve(run.context) else { continue };
            let (graph, guard) = (run.context.graph(), run.context.guard());
            let degrees = walk.degrees(graph, guard, &vertices.ids)?;
            for (place, degree) in degrees.into_iter().enumerate() {
                let row = vertices.row(place) as usize;
                self.counts.add(batch.ordinal(row), batch.weight(row), degree);
            }
        }
        self.counts.rows(input.scopes(), self.live)
    }
}

/// Elements that the store has counters for.
pub(crate) enum Counted {
    Vertices(Option<Resolved<LabelId>>),
    Edges(EdgeTypes),
}

/// `Scan` and a keyless count: the store's counters.
pub(crate) struct CountScanned {
    counted: Counted,
    live: bool,
    counts: Counts,
}

impl CountScanned {
    pub(crate) fn new(counted: Counted, live: bool) -> CountScanned {
        CountScanned { counted, live, counts: Counts::default() }
    }

    fn count(&mut self, run: &Run<'_>) -> Result<u64> {
        let graph = run.context.graph();
        match &mut self.counted {
            Counted::Vertices(None) => graph.count_vertices(None),
            Counted::Vertices(Some(label)) => match label.label(run.context) {
                Some(label) => graph.count_vertices(Some(label)),
                None => Ok(0),
            },
            Counted::Edges(types) => match types.resolve(run.context) {
                None => graph.count_edges(None),
                // Together no more than there are ids.
                Some(types) => types
                    .iter()
                    .try_fold(0, |sum: u64, kind| Ok(sum + graph.count_edges(Some(*kind))?)),
            },
        }
    }
}

impl Operator for CountScanned {
    fn begin(&mut self, _run: &Run<'_>) {
        self.counts.begin();
    }

    fn next(&mut self, input: &mut Upstream<'_>, run: &Run<'_>) -> Result<Option<Batch>> {
        while !self.counts.done {
            let Some(batch) = input.next(run)? else { break };
            let count = self.count(run)?;
            for row in 0..batch.len {
                self.counts.add(batch.ordinal(row), batch.weight(row), count);
            }
        }
        self.counts.rows(input.scopes(), self.live)
    }
}

/// The last hop of an `exists`, or all of one: keeps rows with an edge at their vertex, or those without, and walks none.
pub(crate) struct HasEdges {
    from: usize,
    walk: Walk,
    wanted: bool,
    keep: Keep,
}

impl HasEdges {
    pub(crate) fn new(from: usize, walk: Walk, wanted: bool, keep: Keep) -> HasEdges {
        HasEdges { from, walk, wanted, keep }
    }

    fn rows(&mut self, batch: &Batch, run: &Run<'_>) -> Result<Vec<u32>> {
        let vertices = Vertices::of(batch, self.from, "an expansion")?;
        let degrees = match self.walk.resolve(run.context) {
            Some(walk) => walk.degrees(run.context.graph(), run.context.guard(), &vertices.ids)?,
            None => Vec::new(),
        };
        let places = (0..degrees.len()).filter(|&place| 0 < degrees[place]);
        let with_edges = places.map(|place| vertices.row(place));
        if self.wanted {
            return Ok(with_edges.collect());
        }
        let mut without = vec![true; batch.len];
        with_edges.for_each(|row| without[row as usize] = false);
        Ok((0..batch.len as u32).filter(|row| without[*row as usize]).collect())
    }
}

/// An `Apply` that asks for an edge of a vertex of its outer rows, or counts them, as one operator.
pub(crate) fn of_edges(
    apply: &op::Apply,
    compiler: &Compiler<'_>,
    place: &Place<'_>,
) -> Result<Option<Placed>> {
    let [Op::Expand(op::Expand { from, types, direction, loops, .. })] = apply.sub.ops.as_slice()
    else {
        return Ok(None);
    };
    let walk = Walk::new(EdgeTypes::new(types.as_deref()), *direction, *loops);
    let from = compiler.slot(place.layout, *from)?;
    if let ApplyKind::Value { fold: Fold::Count, to } = apply.kind {
        let (keep, after, [to]) = place.keep_and([Some(to)]);
        return Ok(Some((Box::new(DegreeValue { from, walk, to, keep }), after)));
    }
    let wanted = apply.kind == ApplyKind::Exists;
    if !wanted && apply.kind != ApplyKind::Absent {
        return Ok(None);
    }
    let (keep, after) = place.keep();
    Ok(Some((Box::new(HasEdges::new(from, walk, wanted, keep)), after)))
}

/// Each row with the number of its vertex's edges.
struct DegreeValue {
    from: usize,
    walk: Walk,
    /// Whether the number is read later.
    to: bool,
    keep: Keep,
}

impl DegreeValue {
    fn numbers(&mut self, batch: &Batch, run: &Run<'_>) -> Result<Column> {
        let vertices = Vertices::of(batch, self.from, "an expansion")?;
        let mut numbers = vec![0; batch.len];
        if let Some(walk) = self.walk.resolve(run.context) {
            let degrees = walk.degrees(run.context.graph(), run.context.guard(), &vertices.ids)?;
            for (at, degree) in degrees.into_iter().enumerate() {
                // A vertex has fewer edges than there are ids of edges.
                numbers[vertices.row(at) as usize] = degree as i64;
            }
        }
        Ok(Column::of(ColumnValues::I64(numbers)))
    }
}

impl Operator for DegreeValue {
    fn begin(&mut self, _run: &Run<'_>) {}

    fn next(&mut self, input: &mut Upstream<'_>, run: &Run<'_>) -> Result<Option<Batch>> {
        let Some(batch) = input.next(run)? else { return Ok(None) };
        let numbers = self.numbers(&batch, run)?;
        let mut result = self.keep.same(batch);
        if self.to {
            add(&mut result, numbers);
        }
        Ok(Some(result))
    }
}

impl Operator for HasEdges {
    fn begin(&mut self, _run: &Run<'_>) {}

    fn next(&mut self, input: &mut Upstream<'_>, run: &Run<'_>) -> Result<Option<Batch>> {
        loop {
            let Some(batch) = input.next(run)? else { return Ok(None) };
            let rows = self.rows(&batch, run)?;
            if !rows.is_empty() {
                return Ok(Some(self.keep.take(&batch, &rows)));
            }
        }
    }
}
