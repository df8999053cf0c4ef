//! Paths of variable length over relationships that are walked both ways, none of them twice in a path.

use super::adjacency::Lists;

/// Relationships by the nodes at both of their ends. One from a node to itself is listed there twice.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Relationships {
    /// Source and target by number.
    pub ends: Vec<(u32, u32)>,
    /// The numbers of a node's relationships.
    pub lists: Lists,
}

impl Relationships {
    /// Relationships between so many nodes.
    pub fn new(nodes: usize, ends: Vec<(u32, u32)>) -> Relationships {
        let numbered = ends.iter().enumerate().flat_map(|(number, (source, target))| {
            [(*source, number as u32), (*target, number as u32)]
        });
        let lists = Lists::from_pairs(nodes, numbered);
        Relationships { ends, lists }
    }

    /// The other end.
    #[inline]
    pub fn across(&self, relationship: u32, node: u32) -> u32 {
        let (source, target) = self.ends[relationship as usize];
        if source == node { target } else { source }
    }
}

/// The first so many paths from a node with 1 to `length_max` relationships, as their numbers, depth first.
pub fn first_paths(
    graph: &Relationships,
    start: u32,
    length_max: usize,
    count: usize,
) -> Vec<Vec<u32>> {
    let mut found = Vec::with_capacity(count);
    let mut path: Vec<u32> = Vec::with_capacity(length_max);
    // A node, and what of its list comes next.
    let mut open = vec![(start, 0)];
    while let Some((node, next)) = open.last_mut() {
        let (node, list) = (*node, graph.lists.list(*node));
        let Some(relationship) = list.get(*next).copied().filter(|_| path.len() < length_max)
        else {
            open.pop();
            path.pop();
            continue;
        };
        *next += 1;
        if path.contains(&relationship) {
            continue;
        }
        path.push(relationship);
        found.push(path.clone());
        if found.len() == count {
            break;
        }
        open.push((graph.across(relationship, node), 0));
    }
    found
}

/// The number of relationships to the end of a chain, whose nodes have one neighbour each but the last.
pub fn chain_length(next: &Lists, start: u32) -> usize {
    let (mut node, mut path) = (start, Vec::new());
    while let [neighbour] = next.list(node) {
        path.push(node);
        node = *neighbour;
    }
    std::hint::black_box(path).len()
}

/// Searches over nodes, breadth first, with room for all of them.
pub struct BreadthFirst<'a> {
    graph: &'a Relationships,
    /// The number of the search that reached a node last.
    reached: Vec<u32>,
    searches: u32,
    level: Vec<u32>,
    next: Vec<u32>,
}

impl<'a> BreadthFirst<'a> {
    /// None yet.
    pub fn new(graph: &'a Relationships) -> BreadthFirst<'a> {
        let reached = vec![0; graph.lists.len()];
        BreadthFirst { graph, reached, searches: 0, level: Vec::new(), next: Vec::new() }
    }

    /// The length of the shortest path of 1 to `length_max` relationships that are accepted to another node that
    /// is an end.
    pub fn shortest(
        &mut self,
        start: u32,
        length_max: usize,
        accepts: impl Fn(u32) -> bool,
        is_end: impl Fn(u32) -> bool,
    ) -> Option<usize> {
        self.searches += 1;
        self.reached[start as usize] = self.searches;
        self.level.clear();
        self.level.push(start);
        for length in 1..=length_max {
            self.next.clear();
            for node in &self.level {
                for relationship in self.graph.lists.list(*node) {
                    if !accepts(*relationship) {
                        continue;
                    }
                    let neighbour = self.graph.across(*relationship, *node);
                    if self.reached[neighbour as usize] == self.searches {
                        continue;
                    }
                    if is_end(neighbour) {
                        return Some(length);
                    }
                    self.reached[neighbour as usize] = self.searches;
                    self.next.push(neighbour);
                }
            }
            if self.next.is_empty() {
                return None;
            }
            std::mem::swap(&mut self.level, &mut self.next);
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A triangle with a tail, and a node alone.
    fn graph() -> Relationships {
        Relationships::new(5, vec![(0, 1), (1, 2), (2, 0), (2, 3)])
    }

    #[test]
    fn paths_use_no_relationship_twice_and_come_depth_first() {
        let paths = first_paths(&graph(), 0, 6, 100);
        let expected: [&[u32]; 8] =
            [&[0], &[0, 1], &[0, 1, 2], &[0, 1, 3], &[2], &[2, 1], &[2, 1, 0], &[2, 3]];
        assert_eq!(paths, expected);
        assert_eq!(first_paths(&graph(), 0, 1, 100), [[0], [2]]);
        assert_eq!(first_paths(&graph(), 0, 6, 3), &expected[..3]);
        assert!(first_paths(&graph(), 4, 6, 3).is_empty());
    }

    #[test]
    fn a_shortest_path_has_accepted_relationships_only() {
        let graph = graph();
        let mut search = BreadthFirst::new(&graph);
        assert_eq!(search.shortest(0, 6, |_| true, |node| node == 3), Some(2));
        assert_eq!(search.shortest(0, 6, |it| it != 2, |node| node == 3), Some(3));
        assert_eq!(search.shortest(0, 2, |it| it != 2, |node| node == 3), None);
        assert_eq!(search.shortest(0, 6, |_| true, |node| node == 4), None);
    }

    #[test]
    fn a_chain_is_walked_to_its_end() {
        let next = Lists::from_pairs(4, [(0, 1), (1, 2), (2, 3)].into_iter());
        assert_eq!((chain_length(&next, 0), chain_length(&next, 3)), (3, 0));
    }
}
