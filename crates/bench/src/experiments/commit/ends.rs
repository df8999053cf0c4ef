//! Random ends of edges, the same for the same seed, so that a check can sample them again.

use std::ops::Range;

use millrace_model::VertexId;

use millrace_model::random::SplitMix64;

/// Samples the ends of one edge after the other.
#[derive(Clone, Debug)]
pub(super) struct Ends {
    random: SplitMix64,
    vertices: Range<u64>,
    hub: bool,
}

impl Ends {
    /// Both ends random.
    pub(super) fn random(vertices: &Range<u64>, seed: u64) -> Ends {
        Ends { random: SplitMix64::new(seed), vertices: vertices.clone(), hub: false }
    }

    /// Random sources, and the first vertex as the target of all.
    pub(super) fn into_hub(vertices: &Range<u64>, seed: u64) -> Ends {
        Ends { hub: true, ..Ends::random(vertices, seed) }
    }

    /// Source and target of the next edge.
    pub(super) fn sample(&mut self) -> (VertexId, VertexId) {
        let count = self.vertices.end - self.vertices.start;
        let source = self.vertices.start + self.random.below(count);
        let target = match self.hub {
            true => self.vertices.start,
            false => self.vertices.start + self.random.below(count),
        };
        (VertexId(source), VertexId(target))
    }
}
