//! The vectors of an index that are nearest to others, at a position.

use millrace_model::Result;
use millrace_model::schema::IndexDefinition;
use millrace_store::nearest::{NearestMatches, NearestQuery, vector_space};

use crate::graph::GraphView;

impl GraphView<'_> {
    /// Finds the elements with the nearest vectors, of which the records are asked. Says whether a checkpoint would pay.
    pub(crate) fn nearest_of(
        &self,
        index: &IndexDefinition,
        query: &NearestQuery<'_>,
        matches: &mut NearestMatches,
    ) -> Result<bool> {
        let space = vector_space(index)?;
        let Some(ordered) = self.graph.indexes.ordered(index.id) else { return Ok(false) };
        let best_of =
            |query: &NearestQuery<'_>, limit| ordered.nearest(self.at, space, query, limit);
        let columns_of = |ids: &[u64]| {
            let covered = self.covered(index.owner, ids)?;
            let is_covered = |place| covered.as_ref().is_none_or(|covered| covered.get(place));
            Ok((self.values(index, ids)?, (0..ids.len()).map(is_covered).collect()))
        };
        query.search(index, best_of, columns_of, matches)?;
        Ok(ordered.wants_checkpoint())
    }
}
