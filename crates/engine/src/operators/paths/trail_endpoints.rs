//! `TrailEndpoints`: each row, once for every way to walk the edges of a list, by one look at the ends of
//! all edges of a batch.

use millrace_model::{Batch, Column, Direction, EdgeId, Error, ErrorKind, Result, Value, VertexId};
use millrace_plan::op;

use crate::compile::{Compile, Compiler, Place, Placed};
use crate::pipeline::{Keep, Operator, Upstream, add};
use crate::run::Run;

pub(crate) struct TrailEndpoints {
    list: usize,
    direction: Direction,
    /// Whether the start and the end are read later.
    from: bool,
    to: bool,
    keep: Keep,
}

impl TrailEndpoints {
    fn walk(&self, batch: &Batch, run: &Run<'_>) -> Result<Batch> {
        let lists: Vec<Vec<EdgeId>> = (0..batch.len)
            .map(|row| edges(batch.columns[self.list].get(row)))
            .collect::<Result<_>>()?;
        let ends = run.context.graph().ends(&lists.concat())?;
        let (mut rows, mut froms, mut tos) = (Vec::new(), Vec::new(), Vec::new());
        let mut first = 0;
        for (row, list) in lists.iter().enumerate() {
            let places = first..first + list.len();
            first = places.end;
            if !is_trail(list) || !places.clone().all(|place| ends.exist.get(place)) {
                continue;
            }
            let steps: Vec<(VertexId, VertexId)> =
                places.map(|place| (ends.sources[place], ends.targets[place])).collect();
            for start in starts(steps[0], self.direction) {
                if let Some(end) = end(&steps, self.direction, start) {
                    rows.push(row as u32);
                    froms.push(start);
                    tos.push(end);
                }
            }
        }
        let mut result = self.keep.take(batch, &rows);
        let wanted = [(self.from, froms), (self.to, tos)];
        for (_, vertices) in wanted.into_iter().filter(|(wanted, _)| *wanted) {
            add(&mut result, Column::vertices(vertices));
        }
        Ok(result)
    }
}

fn edges(entry: Option<Value>) -> Result<Vec<EdgeId>> {
    let wrong = |found: &Value| {
        let detail = format!("a chain expects a list of edges but got a {}", found.type_name());
        Error::new(ErrorKind::BadQuery, detail)
    };
    let edge = |value: &Value| match value {
        Value::Edge(edge) => Ok(*edge),
        other => Err(wrong(other)),
    };
    match entry.unwrap_or_default() {
        Value::Null => Ok(Vec::new()),
        Value::List(values) => values.iter().map(edge).collect(),
        other => Err(wrong(&other)),
    }
}

/// Whether there are edges, and none of them twice.
fn is_trail(list: &[EdgeId]) -> bool {
    let mut sorted = list.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    !list.is_empty() && sorted.len() == list.len()
}

fn starts((source, target): (VertexId, VertexId), direction: Direction) -> Vec<VertexId> {
    match direction {
        Direction::Out => vec![source],
        Direction::In => vec![target],
        Direction::Both if source == target => vec![source],
        Direction::Both => vec![source, target],
    }
}

/// Where the edges lead from a vertex, one behind the other.
fn end(steps: &[(VertexId, VertexId)], direction: Direction, start: VertexId) -> Option<VertexId> {
    steps.iter().try_fold(start, |at, &(source, target)| match direction {
        Direction::Out | Direction::Both if at == source => Some(target),
        Direction::In | Direction::Both if at == target => Some(source),
        Direction::Out | Direction::In | Direction::Both => None,
    })
}

impl Operator for TrailEndpoints {
    fn begin(&mut self, _run: &Run<'_>) {}

    fn next(&mut self, input: &mut Upstream<'_>, run: &Run<'_>) -> Result<Option<Batch>> {
        while let Some(batch) = input.next(run)? {
            let result = self.walk(&batch, run)?;
            if 0 < result.len {
                return Ok(Some(result));
            }
        }
        Ok(None)
    }
}

impl Compile for op::TrailEndpoints {
    fn compile(&self, compiler: &Compiler<'_>, place: &Place<'_>) -> Result<Placed> {
        let (keep, after, [from, to]) = place.keep_and([self.from, self.to]);
        let list = compiler.slot(place.layout, self.list)?;
        let direction = self.direction;
        Ok((Box::new(TrailEndpoints { list, direction, from, to, keep }), after))
    }
}
