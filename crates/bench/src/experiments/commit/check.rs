//! Verifies that the graph holds exactly the edges from before the run and the acknowledged ones: the
//! degree of every vertex in both directions, and the number of edges.

use millrace_model::{Direction, Error, ErrorKind, Result, VertexId};

use super::ends::Ends;
use crate::experiments::graph::OpenGraph;

/// Vertices asked for at once.
const FRONTIER: usize = 4_096;

/// Degrees of all vertices, and the number of edges.
pub(super) struct Degrees {
    first: u64,
    out: Vec<u64>,
    into: Vec<u64>,
    edges: u64,
}

impl Degrees {
    /// As the graph has them now.
    pub(super) fn of(graph: &OpenGraph) -> Result<Degrees> {
        let snapshot = graph.store.snapshot()?;
        let (mut out, mut into) = (Vec::new(), Vec::new());
        let types = [graph.edge_type];
        let vertices: Vec<VertexId> = graph.vertices.clone().map(VertexId).collect();
        for frontier in vertices.chunks(FRONTIER) {
            snapshot.degrees(frontier, Some(&types), Direction::Out, &mut out)?;
            snapshot.degrees(frontier, Some(&types), Direction::In, &mut into)?;
        }
        let edges = snapshot.count_edges(Some(graph.edge_type))?;
        Ok(Degrees { first: graph.vertices.start, out, into, edges })
    }

    /// How many edges there are.
    pub(super) fn edges(&self) -> u64 {
        self.edges
    }

    /// Adds the first `count` edges that `ends` samples.
    pub(super) fn add(&mut self, mut ends: Ends, count: u64) {
        for _ in 0..count {
            let (source, target) = ends.sample();
            self.out[(source.0 - self.first) as usize] += 1;
            self.into[(target.0 - self.first) as usize] += 1;
        }
        self.edges += count;
    }

    /// Fails unless the graph has exactly these degrees and edges.
    pub(super) fn require(&self, graph: &OpenGraph) -> Result<()> {
        let found = Degrees::of(graph)?;
        let differ = |name: &str, expected: u64, found: u64| {
            let detail = format!("{name}: {expected} were expected and {found} are there");
            Err(Error::new(ErrorKind::Bug, detail))
        };
        let both = [("out", &self.out, &found.out), ("in", &self.into, &found.into)];
        for (direction, expected, found) in both {
            let pairs = expected.iter().zip(found).zip(self.first..);
            for ((expected, found), vertex) in pairs {
                if expected != found {
                    let name = format!("edges {direction} of vertex {vertex}");
                    return differ(&name, *expected, *found);
                }
            }
        }
        if self.edges == found.edges { Ok(()) } else { differ("edges", self.edges, found.edges) }
    }
}
