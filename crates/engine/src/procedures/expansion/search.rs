//! A breadth-first search, level by level, that finds each vertex once.

use std::ops::ControlFlow;

use millrace_model::{Catalog, Direction, EdgeId, LabelId, Result, VertexId};
use millrace_plan::{Loops, Name};
use rustc_hash::FxHashSet;

use super::settings::Settings;
use crate::context::{Context, EdgeTypes};
use crate::traversal::Walk;

/// Bytes for a vertex that was found: itself, and its entry in the set.
const FOUND_BYTES: usize = size_of::<Found>() + 4 * size_of::<VertexId>();

/// A vertex, and how the search came to it.
#[derive(Clone, Copy)]
pub(super) struct Found {
    pub(super) vertex: VertexId,
    /// The number of the one before it, and the edge from there; none of a start.
    pub(super) before: Option<(u32, EdgeId)>,
}

/// A search, as far as it went.
pub(super) struct Search {
    settings: Settings,
    walks: Vec<Walk>,
    labels: Labels,
    pub(super) found: Vec<Found>,
    seen: FxHashSet<VertexId>,
    /// Those from which it goes on, by number.
    frontier: Vec<u32>,
    level: u32,
    /// How many the limit lets be wanted still.
    left: u64,
    charged: usize,
}

/// Whether a vertex is one of the result, and whether the search goes on from it.
#[derive(Clone, Copy)]
struct Verdict {
    is_wanted: bool,
    goes_on: bool,
}

/// Labels of a filter as numbers; a list with a label that the graph does not have fits no vertex.
struct Labels {
    allowed: Vec<Vec<LabelId>>,
    denied: Vec<Vec<LabelId>>,
    ends: Vec<Vec<LabelId>>,
    terminators: Vec<Vec<LabelId>>,
    allows_all: bool,
    is_none: bool,
}

impl Search {
    /// Begins at vertices; gives the numbers of those that are wanted.
    pub(super) fn begin(
        starts: &[VertexId],
        settings: Settings,
        context: &Context,
    ) -> Result<(Search, Vec<u32>)> {
        let walks = walks(&settings);
        let labels = Labels::of(&settings, &context.catalog());
        let left = settings.limit.unwrap_or(u64::MAX);
        let (found, seen) = (Vec::new(), FxHashSet::default());
        let mut search = Search {
            settings,
            walks,
            labels,
            found,
            seen,
            frontier: Vec::new(),
            level: 0,
            left,
            charged: 0,
        };
        let starts = starts.iter().map(|vertex| Found { vertex: *vertex, before: None });
        let wanted = search.add(starts.collect(), context)?;
        Ok((search, wanted))
    }

    /// The numbers of those that are wanted one level further; `None` at the end.
    pub(super) fn next_level(&mut self, context: &Context) -> Result<Option<Vec<u32>>> {
        let is_deep = self.settings.level_max.is_some_and(|most| most <= self.level);
        if self.frontier.is_empty() || is_deep || self.left == 0 {
            return Ok(None);
        }
        self.level += 1;
        let frontier = std::mem::take(&mut self.frontier);
        let vertices: Vec<VertexId> =
            frontier.iter().map(|&number| self.found[number as usize].vertex).collect();
        let mut next: Vec<Found> = Vec::new();
        for walk in &mut self.walks {
            let Some(walk) = walk.resolve(context) else { continue };
            let seen = &mut self.seen;
            walk.expand(context.graph(), context.guard(), &vertices, |place, run| {
                for at in 0..run.len() {
                    let vertex = run.neighbours.get(at);
                    if seen.insert(vertex) {
                        let before = Some((frontier[place], run.edge(at)));
                        next.push(Found { vertex, before });
                    }
                }
                context.guard().require_room((next.len() * FOUND_BYTES) as u64)?;
                Ok(ControlFlow::Continue(()))
            })?;
        }
        self.add(next, context).map(Some)
    }

    /// How deep the search is.
    pub(super) fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Gives back what it held.
    pub(super) fn end(&mut self, context: &Context) -> Result<()> {
        context.charge(-(std::mem::take(&mut self.charged) as i64))
    }

    /// Adds those of a level, and judges all of them at once.
    fn add(&mut self, level: Vec<Found>, context: &Context) -> Result<Vec<u32>> {
        let bytes = level.len() * FOUND_BYTES;
        context.charge(bytes as i64)?;
        self.charged += bytes;
        let verdicts = self.judge(&level, context)?;
        let mut wanted = Vec::new();
        for (found, verdict) in level.into_iter().zip(verdicts) {
            if found.before.is_none() && !self.seen.insert(found.vertex) {
                continue;
            }
            let number = self.found.len() as u32;
            if verdict.goes_on {
                self.frontier.push(number);
            }
            if verdict.is_wanted && 0 < self.left {
                self.left -= 1;
                wanted.push(number);
            }
            self.found.push(found);
        }
        Ok(wanted)
    }

    fn judge(&self, level: &[Found], context: &Context) -> Result<Vec<Verdict>> {
        let settings = &self.settings;
        let is_deep = settings.level_min <= self.level;
        let has_nodes = !settings.ends.is_empty() || !settings.terminators.is_empty();
        let by_labels = self.by_labels(level, context)?;
        let verdict = |(found, labels): (&Found, Verdict)| {
            let vertex = &found.vertex;
            let is_allowed = settings.allowed.as_ref().is_none_or(|own| own.contains(vertex));
            let is_start = found.before.is_none() && !settings.filters_start;
            let is_entered = is_start || is_allowed && !settings.denied.contains(vertex);
            let stops = settings.terminators.contains(vertex);
            let is_end = !has_nodes || stops || settings.ends.contains(vertex);
            Verdict {
                is_wanted: is_deep && labels.is_wanted && is_entered && is_end,
                goes_on: labels.goes_on && is_entered && !(stops && is_deep),
            }
        };
        Ok(level.iter().zip(by_labels).map(verdict).collect())
    }

    fn by_labels(&self, level: &[Found], context: &Context) -> Result<Vec<Verdict>> {
        let has_ends = self.settings.labels.has_ends();
        let is_start = self.level == 0 && !self.settings.filters_start;
        let any = Verdict { is_wanted: !has_ends, goes_on: true };
        if is_start || self.labels.is_none {
            return Ok(vec![any; level.len()]);
        }
        let vertices: Vec<VertexId> = level.iter().map(|found| found.vertex).collect();
        let is_deep = self.settings.level_min <= self.level;
        let verdict = |own: &[LabelId]| {
            let labels = &self.labels;
            if fits(&labels.denied, own) {
                Verdict { is_wanted: false, goes_on: false }
            } else if fits(&labels.terminators, own) {
                Verdict { is_wanted: true, goes_on: !is_deep }
            } else if fits(&labels.ends, own) {
                Verdict { is_wanted: true, goes_on: true }
            } else if labels.allows_all || fits(&labels.allowed, own) {
                any
            } else {
                Verdict { is_wanted: false, goes_on: false }
            }
        };
        Ok(context.graph().labels(&vertices)?.iter().map(|own| verdict(own)).collect())
    }
}

/// Whether a vertex with these labels has all of one of the lists.
fn fits(lists: &[Vec<LabelId>], own: &[LabelId]) -> bool {
    lists.iter().any(|list| list.iter().all(|label| own.contains(label)))
}

impl Labels {
    fn of(settings: &Settings, catalog: &Catalog) -> Labels {
        let filter = &settings.labels;
        let known = |lists: &[Option<Vec<Name>>]| {
            let numbers = |names: &Option<Vec<Name>>| {
                let names = names.iter().flatten();
                names.map(|name| catalog.label(name)).collect::<Option<Vec<LabelId>>>()
            };
            lists.iter().filter_map(numbers).collect::<Vec<_>>()
        };
        let lists = [&filter.allowed, &filter.denied, &filter.ends, &filter.terminators];
        Labels {
            allowed: known(&filter.allowed),
            denied: known(&filter.denied),
            ends: known(&filter.ends),
            terminators: known(&filter.terminators),
            allows_all: filter.allowed.is_empty(),
            is_none: lists.iter().all(|list| list.is_empty()),
        }
    }
}

/// One for each direction: its types, or all.
fn walks(settings: &Settings) -> Vec<Walk> {
    let mut walks = Vec::new();
    for direction in [Direction::Out, Direction::In, Direction::Both] {
        let own: Vec<&Option<Name>> =
            settings.hops.iter().filter(|hop| hop.1 == direction).map(|hop| &hop.0).collect();
        if own.is_empty() {
            continue;
        }
        let mut names: Option<Vec<Name>> = own.into_iter().cloned().collect();
        if let Some(names) = &mut names {
            names.sort_unstable();
            names.dedup();
        }
        walks.push(Walk::new(EdgeTypes::new(names.as_deref()), direction, Loops::Once));
    }
    walks
}
