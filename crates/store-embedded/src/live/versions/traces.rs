//! Traces of deleted vertices.
//!
//! A reader asks the delta first, so a transaction layer, which lies below it, cannot bring back a
//! vertex that the delta says is gone.

use millrace_model::VertexId;

use crate::live::{Partitions, local, ordinal_of_vertex};

impl Partitions {
    /// Whether the delta knows one of these vertices, gone or not.
    pub fn any_in_delta(&self, vertices: &[VertexId]) -> bool {
        let same = |left: &VertexId, right: &VertexId| {
            ordinal_of_vertex(*left) == ordinal_of_vertex(*right)
        };
        vertices.chunk_by(same).any(|chunk| {
            let Some(partition) = self.get(ordinal_of_vertex(chunk[0])) else { return false };
            let state = partition.state.read();
            let known = &state.newest().delta.vertices;
            chunk.iter().any(|vertex| known.get(local(*vertex)).is_some())
        })
    }
}
