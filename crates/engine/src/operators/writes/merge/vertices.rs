//! Vertices by labels and keys.

use millrace_model::{Column, Result, VertexId};
use millrace_plan::{Name, OwnerName};

use super::Matched;
use crate::operators::sources::seek::{Finder, SeekOwner};
use crate::operators::writes::claim::vertices_number;
use crate::operators::writes::create::CreateTemplate;
use crate::run::Run;

/// Matches vertices that have all labels and values; makes one with them.
pub(crate) struct VertexMatch {
    labels: Vec<Name>,
    keys: Vec<Name>,
    finder: Finder,
    pub(super) create: CreateTemplate,
}

impl VertexMatch {
    pub(crate) fn new(labels: &[Name], keys: &[Name]) -> VertexMatch {
        let owner = match labels.first() {
            Some(label) => OwnerName::Label(label.clone()),
            None => OwnerName::AllVertices,
        };
        VertexMatch {
            labels: labels.to_vec(),
            keys: keys.to_vec(),
            finder: Finder::new(SeekOwner::new(&owner), keys),
            create: CreateTemplate::Vertex { labels: labels.to_vec() },
        }
    }

    pub(super) fn match_named(&mut self, labels: &[Name]) {
        if self.labels != labels {
            *self = VertexMatch::new(labels, &self.keys);
        }
    }

    pub(super) fn match_on(&mut self, keys: &[Name]) {
        if self.keys != keys {
            *self = VertexMatch::new(&self.labels, keys);
        }
    }

    pub(super) fn find(
        &mut self,
        values: &[&Column],
        len: usize,
        run: &Run<'_>,
    ) -> Result<Matched> {
        let (mut rows, mut ids) = self.finder.find(values, len, run)?;
        let known = |name: &Name| run.context.look(|catalog| catalog.label(name));
        let others: Option<Vec<_>> = self.labels.iter().skip(1).map(known).collect();
        match others {
            None => (rows, ids) = (Vec::new(), Vec::new()),
            Some(others) if !others.is_empty() => {
                let vertices: Vec<VertexId> = ids.iter().map(|&id| VertexId(id)).collect();
                let labels = run.context.graph().labels(&vertices)?;
                let all = |place: &usize| others.iter().all(|label| labels[*place].contains(label));
                let kept: Vec<usize> = (0..rows.len()).filter(all).collect();
                rows = kept.iter().map(|&place| rows[place]).collect();
                ids = kept.iter().map(|&place| ids[place]).collect();
            }
            Some(_) => {}
        }
        Ok(Matched { rows, ids, skipped: vec![false; len] })
    }

    pub(super) fn identity(&self, values: u64) -> u64 {
        vertices_number(&self.labels, &self.keys, values)
    }
}
