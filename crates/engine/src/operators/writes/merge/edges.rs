//! Edges by their ends, type and keys.

use millrace_model::{Batch, Column, Direction, EdgeId, KeyId, Result, Value};
use millrace_plan::{Loops, Name};
use millrace_store::Elements;
use millrace_store::key_hash::hash_row;

use super::Matched;
use crate::context::{EdgeTypes, Resolved};
use crate::operators::hops::between::Between;
use crate::operators::writes::claim::edges_number;
use crate::operators::writes::create::{CreateTemplate, EdgeEnds};
use crate::rows::row_equals;
use crate::run::Run;
use crate::traversal::Walk;

/// Matches edges of a type between two bound ends that have all values; makes one with them.
pub(crate) struct EdgeMatch {
    edge_type: Name,
    ends: EdgeEnds,
    keys: Vec<Resolved<KeyId>>,
    walk: Walk,
    pub(super) create: CreateTemplate,
}

impl EdgeMatch {
    pub(crate) fn new(edge_type: &Name, ends: EdgeEnds, keys: &[Name]) -> EdgeMatch {
        let types = EdgeTypes::new(Some(std::slice::from_ref(edge_type)));
        EdgeMatch {
            edge_type: edge_type.clone(),
            ends: ends.clone(),
            keys: keys.iter().map(Resolved::new).collect(),
            walk: Walk::new(types, Direction::Out, Loops::Twice),
            create: CreateTemplate::Edge { edge_type: edge_type.clone(), ends },
        }
    }

    pub(super) fn match_named(&mut self, edge_type: &Name) {
        if self.edge_type != *edge_type {
            let keys: Vec<Name> = self.keys.iter().map(|key| key.name().clone()).collect();
            *self = EdgeMatch::new(edge_type, self.ends.clone(), &keys);
        }
    }

    pub(super) fn match_on(&mut self, keys: &[Name]) {
        if !self.keys.iter().map(Resolved::name).eq(keys) {
            *self = EdgeMatch::new(&self.edge_type, self.ends.clone(), keys);
        }
    }

    pub(super) fn find(
        &mut self,
        batch: &Batch,
        values: &[&Column],
        run: &Run<'_>,
    ) -> Result<Matched> {
        let (bound, sources, targets) = self.ends.find(batch)?;
        let mut skipped = vec![true; batch.len];
        bound.iter().for_each(|&row| skipped[row as usize] = false);
        let mut matched = Matched { rows: Vec::new(), ids: Vec::new(), skipped };
        if let Some(walk) = self.walk.resolve(run.context) {
            let found = Between::find(walk, run.context, (&sources, &targets), true)?;
            matched.rows = found.pairs.iter().map(|&place| bound[place as usize]).collect();
            matched.ids = found.edges.iter().map(|edge| edge.0).collect();
        }
        self.keep_equal(&mut matched, values, run)?;
        Ok(matched)
    }

    /// Keeps candidates with properties equal to the values.
    fn keep_equal(&self, matched: &mut Matched, values: &[&Column], run: &Run<'_>) -> Result<()> {
        if self.keys.is_empty() || matched.rows.is_empty() {
            return Ok(());
        }
        let keys: Option<Vec<KeyId>> = self.keys.iter().map(|key| key.key(run.context)).collect();
        let Some(keys) = keys else {
            matched.rows.clear();
            matched.ids.clear();
            return Ok(());
        };
        let edges: Vec<EdgeId> = matched.ids.iter().map(|&id| EdgeId(id)).collect();
        let held = run.context.graph().gather(Elements::Edges(&edges), &keys)?;
        let held: Vec<&Column> = held.iter().collect();
        let equal = |place: &usize| {
            let row = matched.rows[*place] as usize;
            hash_row(&held, *place).is_some()
                && hash_row(values, row).is_some()
                && row_equals(&held, *place, values, row)
        };
        let kept: Vec<usize> = (0..edges.len()).filter(equal).collect();
        matched.rows = kept.iter().map(|&place| matched.rows[place]).collect();
        matched.ids = kept.iter().map(|&place| matched.ids[place]).collect();
        Ok(())
    }

    fn ends(&self, batch: &Batch, row: usize) -> (Option<Value>, Option<Value>) {
        (batch.columns[self.ends.source].get(row), batch.columns[self.ends.target].get(row))
    }

    pub(super) fn same_ends(&self, batch: &Batch, left: usize, right: usize) -> bool {
        self.ends(batch, left) == self.ends(batch, right)
    }

    pub(super) fn identity(&self, batch: &Batch, row: usize, values: u64) -> u64 {
        let keys = self.keys.iter().map(Resolved::name);
        edges_number(&self.edge_type, &self.ends(batch, row), (keys, values))
    }
}
