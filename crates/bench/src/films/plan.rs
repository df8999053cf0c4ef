//! What is varied: each thing by itself, while the others stay as they usually are.

use super::queries::By;

/// The usual number of connections.
const CONNECTIONS: usize = 50;

/// Under which conditions queries are asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Conditions {
    /// Processors for the server and the client together; none where the servers are not ours.
    pub(super) cores: Option<usize>,
    pub(super) endpoints: usize,
    pub(super) connections: usize,
}

/// What is asked under some conditions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) conditions: Conditions,
    /// The ways to name the node.
    pub(super) by: Vec<By>,
}

/// The values of what is varied; none is empty but that of processors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Varied {
    pub(super) connections: Vec<usize>,
    pub(super) cores: Vec<usize>,
    pub(super) endpoints: Vec<usize>,
    pub(super) by: Vec<By>,
}

impl Varied {
    /// The conditions when something else is varied.
    pub(super) fn usual(&self) -> Conditions {
        let has_usual = self.connections.contains(&CONNECTIONS);
        let first = self.connections.first().copied().unwrap_or(CONNECTIONS);
        Conditions {
            cores: self.cores.iter().max().copied(),
            endpoints: self.endpoints.first().copied().unwrap_or(1),
            connections: if has_usual { CONNECTIONS } else { first },
        }
    }

    /// All conditions, those of the same servers behind one another. Only under the usual ones nodes are named in
    /// more than one way.
    pub(super) fn steps(&self) -> Vec<Step> {
        let usual = self.usual();
        let mut all = vec![usual];
        all.extend(self.connections.iter().map(|&connections| Conditions { connections, ..usual }));
        all.extend(self.cores.iter().map(|&cores| Conditions { cores: Some(cores), ..usual }));
        all.extend(self.endpoints.iter().map(|&endpoints| Conditions { endpoints, ..usual }));
        all.sort_unstable();
        all.dedup();
        let step = |conditions| Step {
            conditions,
            by: match conditions == usual {
                true => self.by.clone(),
                false => self.by.iter().take(1).copied().collect(),
            },
        };
        all.into_iter().map(step).collect()
    }
}

/// Numbers of processors up to those that there are: each twice the one before.
pub(super) fn doubled_up_to(most: usize) -> Vec<usize> {
    let mut counts: Vec<usize> = std::iter::successors(Some(1), |count| Some(count * 2))
        .take_while(|count| *count < most)
        .collect();
    counts.push(most);
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_thing_is_varied_by_itself() {
        let varied = Varied {
            connections: vec![1, 50, 200],
            cores: vec![1, 2],
            endpoints: vec![1, 2],
            by: vec![By::Uid, By::Eq],
        };
        let steps = varied.steps();
        let shown: Vec<(usize, usize, usize, usize)> = steps
            .iter()
            .map(|Step { conditions, by }| {
                let Conditions { cores, endpoints, connections } = conditions;
                (cores.unwrap_or(0), *endpoints, *connections, by.len())
            })
            .collect();
        assert_eq!(
            shown,
            [(1, 1, 50, 1), (2, 1, 1, 1), (2, 1, 50, 2), (2, 1, 200, 1), (2, 2, 50, 1)]
        );
    }

    #[test]
    fn one_value_of_each_is_one_step() {
        let varied =
            Varied { connections: vec![7], cores: vec![], endpoints: vec![3], by: vec![By::Xid] };
        let conditions = Conditions { cores: None, endpoints: 3, connections: 7 };
        assert_eq!(varied.steps(), [Step { conditions, by: vec![By::Xid] }]);
    }

    #[test]
    fn processors_double_up_to_all() {
        assert_eq!(doubled_up_to(1), [1]);
        assert_eq!(doubled_up_to(2), [1, 2]);
        assert_eq!(doubled_up_to(6), [1, 2, 4, 6]);
    }
}
