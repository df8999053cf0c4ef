//! Edge types that are sets: is there an edge from this source to that target already?

use std::ops::ControlFlow;

use millrace_model::{EdgeId, Result, VertexId};
use rustc_hash::FxHashSet;

use crate::reads::run::{Run, RunSink};

/// A source and a target.
pub type Pair = (VertexId, VertexId);

/// A pair that is there twice.
pub fn repeated_pair(mut pairs: Vec<Pair>) -> Option<Pair> {
    pairs.sort_unstable();
    pairs.windows(2).find(|two| two[0] == two[1]).map(|two| two[0])
}

/// A pair that the lists of the sources hold. `expand` walks the out lists, of the one type, of a
/// frontier; edges that `is_gone` names do not count.
pub fn listed_pair(
    pairs: &[Pair],
    is_gone: impl Fn(EdgeId) -> bool,
    expand: impl FnOnce(&[VertexId], &mut dyn RunSink) -> Result<()>,
) -> Result<Option<Pair>> {
    let wanted: FxHashSet<Pair> = pairs.iter().copied().collect();
    let mut sources: Vec<VertexId> = pairs.iter().map(|pair| pair.0).collect();
    sources.sort_unstable();
    sources.dedup();
    let mut by_source = pairs.to_vec();
    by_source.sort_unstable();
    let mut found = None;
    expand(&sources, &mut |row: usize, run: Run<'_>| {
        let source = sources[row];
        let first = by_source.partition_point(|pair| pair.0 < source);
        let own = by_source[first..].iter().take_while(|pair| pair.0 == source);
        found = match run.sorted {
            // A long list is searched for the few that are wanted, not walked.
            true => own.copied().find(|pair| holds(&run, pair.1, &is_gone)),
            false => (0..run.len())
                .filter(|at| !is_gone(run.edge(*at)))
                .map(|at| (source, run.neighbours.get(at)))
                .find(|pair| wanted.contains(pair)),
        };
        if found.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    Ok(found)
}

/// Whether a sorted run has an edge to the target.
fn holds(run: &Run<'_>, target: VertexId, is_gone: &impl Fn(EdgeId) -> bool) -> bool {
    let (mut low, mut high) = (0, run.len());
    while low < high {
        let middle = low + (high - low) / 2;
        if run.neighbours.get(middle) < target { low = middle + 1 } else { high = middle }
    }
    let equal = (low..run.len()).take_while(|at| run.neighbours.get(*at) == target);
    equal.into_iter().any(|at| !is_gone(run.edge(at)))
}
