//! What grows, and what is asked at each size.

use std::time::{Duration, Instant};

use millrace_model::Result;

use super::sized_graph::SizedGraph;
use crate::experiments::measurement::Conditions;
use crate::measure::{median, seconds};
use crate::report::{Figure, Row, Unit};

/// Rounds of all statements before the clock counts.
const WARM_UP_ROUNDS: usize = 3;

/// Rounds at least, and seconds, if the row is not to take another time.
const ROUNDS_MIN: usize = 15;
const SECONDS_MIN: f64 = 3.0;

/// The least size.
const SIZE_MIN: u64 = 10;

/// What a time is divided by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Per {
    Statement,
    Element,
}

/// A statement that is measured.
pub(super) struct Cost {
    pub(super) name: &'static str,
    pub(super) per: Per,
    pub(super) ask: fn(&mut SizedGraph) -> Result<()>,
}

/// What grows.
pub(super) struct Law {
    pub(super) row: &'static str,
    /// Ascending, at full scale.
    pub(super) sizes: &'static [u64],
    /// Makes a graph of its size.
    pub(super) build: fn(&mut SizedGraph) -> Result<()>,
    pub(super) costs: &'static [Cost],
    /// Whether a graph holds what was acknowledged.
    pub(super) check: fn(&mut SizedGraph) -> Result<()>,
}

/// A cost at each size.
pub(super) struct Costs {
    pub(super) name: String,
    pub(super) measured_in: Unit,
    /// Size and cost, ascending by size.
    pub(super) sizes: Vec<(u64, f64)>,
}

impl Costs {
    /// The cost at the largest size, by the least one of the smaller sizes.
    pub(super) fn growth(&self) -> f64 {
        let Some(((_, largest), smaller)) = self.sizes.split_last() else { return f64::NAN };
        let least = smaller.iter().map(|(_, cost)| *cost).fold(f64::INFINITY, f64::min);
        largest / least
    }

    fn figures(&self) -> impl Iterator<Item = Figure> {
        let growth = Figure::new(&format!("{}_growth", self.name), self.growth(), Unit::Times);
        let costs = self.sizes.iter().map(|(size, cost)| {
            Figure::new(&format!("{}_at_{size}", self.name), *cost, self.measured_in)
        });
        costs.chain([growth])
    }
}

/// The row of some costs: the worst growth, and each cost at each size.
pub(super) fn row_of(costs: &[Costs]) -> Row {
    let worst = costs.iter().map(Costs::growth).fold(0.0, f64::max);
    Row::new(worst, Unit::Times).with_figures(costs.iter().flat_map(Costs::figures))
}

/// The sizes at the scale asked for.
pub(super) fn sizes(conditions: &Conditions, full: &[u64]) -> Vec<u64> {
    let scaled = |size: &u64| ((*size as f64 * conditions.scale) as u64).max(SIZE_MIN);
    let mut sizes: Vec<u64> = full.iter().map(scaled).collect();
    sizes.dedup();
    if let [only] = sizes[..] {
        sizes.push(10 * only);
    }
    sizes
}

impl Law {
    /// Measures it.
    pub(super) fn measure(&self, conditions: &Conditions) -> Result<Row> {
        let mut graphs = Vec::new();
        let mut making = Costs::new("making", Unit::Microseconds);
        let mut written = Costs::new("written", Unit::BytesEach);
        for size in sizes(conditions, self.sizes) {
            let mut graph = SizedGraph::start(conditions, self.row, size)?;
            let before = graph.written_bytes();
            let taken = seconds(&mut || (self.build)(&mut graph))?;
            making.add(size, taken * 1e6 / size as f64);
            if let Some((before, after)) = before.zip(graph.written_bytes()) {
                written.add(size, (after - before) / size as f64);
            }
            graphs.push(graph);
        }
        let mut costs = self.ask_all(conditions, &mut graphs)?;
        graphs.iter_mut().try_for_each(self.check)?;
        costs.push(making);
        // How often a checkpoint falls among few things decides what is written for each of them.
        let written = written.figures().filter(|figure| figure.unit == Unit::BytesEach);
        Ok(row_of(&costs).with_figures(written).with_figures(memory_each(&graphs)))
    }

    fn ask_all(&self, conditions: &Conditions, graphs: &mut [SizedGraph]) -> Result<Vec<Costs>> {
        for _ in 0..WARM_UP_ROUNDS {
            for graph in graphs.iter_mut() {
                self.costs.iter().try_for_each(|cost| (cost.ask)(graph))?;
            }
        }
        let mut times = vec![vec![Vec::new(); graphs.len()]; self.costs.len()];
        let time_min = Duration::from_secs_f64(conditions.seconds.unwrap_or(SECONDS_MIN));
        let began = Instant::now();
        let mut rounds = 0;
        while rounds < ROUNDS_MIN || began.elapsed() < time_min {
            for (at, graph) in graphs.iter_mut().enumerate() {
                for (cost, times) in self.costs.iter().zip(&mut times) {
                    times[at].push(seconds(&mut || (cost.ask)(graph))?);
                }
            }
            rounds += 1;
        }
        let costs = self.costs.iter().zip(times).map(|(cost, times)| {
            let (unit, scale) = match cost.per {
                Per::Statement => (Unit::Microseconds, 1e6),
                Per::Element => (Unit::Nanoseconds, 1e9),
            };
            let mut costs = Costs::new(cost.name, unit);
            for (graph, times) in graphs.iter().zip(times) {
                let elements = match cost.per {
                    Per::Statement => 1,
                    Per::Element => graph.size,
                };
                costs.add(graph.size, median(times) * scale / elements as f64);
            }
            costs
        });
        Ok(costs.collect())
    }
}

impl Costs {
    pub(super) fn new(name: &str, unit: Unit) -> Costs {
        Costs { name: name.to_owned(), measured_in: unit, sizes: Vec::new() }
    }

    pub(super) fn add(&mut self, size: u64, cost: f64) {
        self.sizes.push((size, cost));
    }
}

/// By how much the memory of the server with the most is larger than that of the next, for each thing it has more.
fn memory_each(graphs: &[SizedGraph]) -> Option<Figure> {
    let [.., smaller, largest] = graphs else { return None };
    let more = largest.memory_bytes()? - smaller.memory_bytes()?;
    let each = more / (largest.size - smaller.size) as f64;
    Some(Figure::new("memory_each", each, Unit::BytesEach))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn growth_is_seen_beside_the_least_cost_of_a_smaller_size() {
        let sizes = vec![(10, 90.0), (100, 20.0), (1_000, 50.0)];
        let square = Costs { name: "read".into(), measured_in: Unit::Microseconds, sizes };
        let flat = Costs { sizes: vec![(10, 9.0), (1_000, 9.0)], ..Costs::new("new", Unit::Count) };
        let row = row_of(&[square, flat]);
        assert_eq!((row.value, row.unit), (2.5, Unit::Times), "the worst of them");
        assert_eq!(row.figure("read_at_100"), Some(20.0));
        assert_eq!(row.figure("new_growth"), Some(1.0));
    }
}
