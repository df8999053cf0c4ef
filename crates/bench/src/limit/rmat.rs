//! R-MAT: a power-law graph from four probabilities (Chakrabarti, Zhan, Faloutsos, 2004), with the
//! parameters that the Graph500 benchmark made usual.

use millrace_model::random::SplitMix64;

/// A random graph with hubs; the same numbers make the same graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rmat {
    /// Vertices, from 0. A sample of the next power of two that is none of them is taken again.
    pub vertices: u32,
    /// Edges, with repeats and loops as they fall.
    pub edges: u32,
    /// Where the random numbers start.
    pub seed: u64,
}

/// Chances, in 2^16ths, of the quadrants (source half, target half): 0.57, 0.19, 0.19, rest.
const QUADRANT_ENDS: [u64; 3] = [37_356, 49_808, 62_260];

impl Rmat {
    /// All edges, (source, target).
    pub fn edges(&self) -> impl Iterator<Item = (u32, u32)> + Clone + use<> {
        let (vertices, mut random) = (self.vertices, SplitMix64::new(self.seed));
        let scale = vertices.next_power_of_two().ilog2();
        let samples = std::iter::repeat_with(move || sample(scale, &mut random));
        samples
            .filter(move |(source, target)| *source < vertices && *target < vertices)
            .take(self.edges as usize)
    }
}

fn sample(scale: u32, random: &mut SplitMix64) -> (u32, u32) {
    let (mut source, mut target) = (0, 0);
    for _ in 0..scale {
        let quadrant = quadrant(random.next_u64() & 0xffff);
        source = source << 1 | quadrant >> 1;
        target = target << 1 | quadrant & 1;
    }
    (source, target)
}

fn quadrant(random: u64) -> u32 {
    QUADRANT_ENDS.iter().map(|end| u32::from(*end <= random)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_makes_one_graph_with_hubs() {
        let rmat = Rmat { vertices: 1_000, edges: 16_384, seed: 1 };
        let edges: Vec<_> = rmat.edges().collect();
        assert_eq!(edges, rmat.edges().collect::<Vec<_>>());
        assert_ne!(edges, Rmat { seed: 2, ..rmat }.edges().collect::<Vec<_>>());
        let mut degrees = vec![0_u32; 1_000];
        edges.iter().for_each(|(source, _)| degrees[*source as usize] += 1);
        degrees.sort_unstable();
        let (median, most) = (degrees[degrees.len() / 2], degrees[degrees.len() - 1]);
        assert!(20 * median < most, "median degree {median}, largest {most}");
    }
}
