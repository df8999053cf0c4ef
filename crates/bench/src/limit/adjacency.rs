//! Compressed lists: all neighbours in one array, and where each list begins.

/// Lists of 4-byte ids.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lists {
    offsets: Vec<u32>,
    neighbours: Vec<u32>,
}

/// A graph in both directions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Adjacency {
    /// Targets by source.
    pub out: Lists,
    /// Sources by target.
    pub into: Lists,
}

impl Lists {
    /// Sorts pairs (owner, neighbour) into lists by counting; a list keeps the order of its pairs.
    pub fn from_pairs(owners: usize, pairs: impl Iterator<Item = (u32, u32)> + Clone) -> Self {
        let mut offsets = vec![0_u32; owners + 1];
        let mut edge_count = 0_usize;
        for (owner, _) in pairs.clone() {
            offsets[owner as usize + 1] += 1;
            edge_count += 1;
        }
        assert!(u32::try_from(edge_count).is_ok(), "offsets of 4 bytes reach below 2^32 edges");
        for owner in 0..owners {
            offsets[owner + 1] += offsets[owner];
        }
        let mut next = offsets.clone();
        let mut neighbours = vec![0; edge_count];
        for (owner, neighbour) in pairs {
            let place = &mut next[owner as usize];
            neighbours[*place as usize] = neighbour;
            *place += 1;
        }
        Self { offsets, neighbours }
    }

    /// How many lists there are.
    pub fn len(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The list of an owner.
    #[inline]
    pub fn list(&self, owner: u32) -> &[u32] {
        let owner = owner as usize;
        &self.neighbours[self.offsets[owner] as usize..self.offsets[owner + 1] as usize]
    }

    /// The length of the list of an owner.
    #[inline]
    pub fn degree(&self, owner: u32) -> u32 {
        self.offsets[owner as usize + 1] - self.offsets[owner as usize]
    }
}

impl Adjacency {
    /// Both directions of an edge list.
    pub fn from_edges(sources: usize, targets: usize, edges: &[(u32, u32)]) -> Self {
        let out = Lists::from_pairs(sources, edges.iter().copied());
        let swapped = edges.iter().map(|(source, target)| (*target, *source));
        Self { out, into: Lists::from_pairs(targets, swapped) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_hold_every_edge_in_both_directions() {
        let edges = [(2, 0), (0, 1), (2, 1), (2, 0)];
        let graph = Adjacency::from_edges(4, 2, &edges);
        assert_eq!(
            [0, 1, 2, 3].map(|v| graph.out.list(v).to_vec()),
            [vec![1], vec![], vec![0, 1, 0], vec![]]
        );
        assert_eq!([0, 1].map(|v| graph.into.list(v).to_vec()), [vec![2, 2], vec![0, 2]]);
        assert_eq!((graph.out.degree(2), graph.out.len(), graph.into.len()), (3, 4, 2));
    }
}
