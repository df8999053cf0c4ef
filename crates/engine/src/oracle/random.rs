//! `Sample`, `Coin` and `Random`, and common neighbours.

use std::collections::BTreeMap;

use millrace_model::{Result, Value, VertexId};
use millrace_plan::op::Degree;
use millrace_plan::{Intersect, Random, RandomKind};

use super::Oracle;
use super::cell::{Cell, Row};
use super::elements::wrong_type;
use crate::run::RandomStream;

impl Oracle<'_> {
    fn stream(&mut self, number: u32) -> &mut RandomStream {
        let seed = self.seed;
        self.streams.entry(number).or_insert_with(|| RandomStream::new(seed, number, 0))
    }

    pub(super) fn random(&mut self, random: &Random, rows: Vec<Row>) -> Result<Vec<Row>> {
        let mut kept = Vec::new();
        match &random.kind {
            RandomKind::Sample { count } => {
                let numbers: Vec<u64> =
                    rows.iter().map(|_| self.stream(random.stream).next()).collect();
                let mut places: Vec<usize> = (0..rows.len()).collect();
                places.sort_by_key(|&place| numbers[place]);
                places.truncate(usize::try_from(*count).unwrap_or(usize::MAX));
                places.sort_unstable();
                kept.extend(places.into_iter().map(|place| rows[place].clone()));
            }
            RandomKind::Coin { probability } => {
                for row in rows {
                    let probability = match self.evaluate(probability, &row)?.value() {
                        Value::Null => 0.0,
                        value => value.as_double().ok_or_else(|| wrong_type("a throw", &value))?,
                    };
                    if self.stream(random.stream).next_share() < probability {
                        kept.push(row);
                    }
                }
            }
            RandomKind::Number { to } => {
                for row in rows {
                    let number = Value::F64(self.stream(random.stream).next_share());
                    kept.push(row.with(*to, Cell::Value(number)));
                }
            }
        }
        Ok(kept)
    }

    /// Each row, once for every edge to a vertex with the labels.
    pub(super) fn degree(&self, degree: &Degree, rows: &[Row]) -> Result<Vec<Row>> {
        let mut result = Vec::new();
        for row in rows {
            let (from, types) = (row.get(degree.from)?, degree.types.as_deref());
            let edges = self.expand(&from, types, degree.direction, degree.loops)?;
            let mut times = 0;
            for (_, other) in edges {
                let labels = self.labels(other)?;
                times += usize::from(degree.labels.iter().all(|label| labels.contains(label)));
            }
            let times = if degree.or_once { times.max(1) } else { times };
            result.extend(std::iter::repeat_n(row.clone(), times));
        }
        Ok(result)
    }

    /// Each row, once for every choice of one edge for each arm that lead to one vertex.
    pub(super) fn intersect(&self, intersect: &Intersect, rows: &[Row]) -> Result<Vec<Row>> {
        let mut result = Vec::new();
        for row in rows {
            let mut arms: Vec<BTreeMap<VertexId, usize>> = Vec::new();
            for arm in &intersect.arms {
                let mut edges = BTreeMap::new();
                let from = row.get(arm.from)?;
                let types = arm.types.as_deref();
                for (_, other) in self.expand(&from, types, arm.direction, arm.loops)? {
                    *edges.entry(other).or_default() += 1;
                }
                arms.push(edges);
            }
            for vertex in arms[0].keys() {
                let edges = |arm: &BTreeMap<_, usize>| arm.get(vertex).copied().unwrap_or(0);
                let found = row.with(intersect.to, Cell::Value(Value::Vertex(*vertex)));
                let choices = arms.iter().map(edges).product();
                result.extend(std::iter::repeat_n(found, choices));
            }
        }
        Ok(result)
    }
}
