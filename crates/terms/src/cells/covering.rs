//! The ranges of keys that cover an area.
//!
//! From the whole grid, cells on the edge of the area are split, the coarsest first, until there are as many as a covering may
//! have. What is left on the edge is taken whole.

use std::collections::VecDeque;

use super::curve::curve_index;
use super::geometry::{Area, CellBounds, Overlap};
use super::grid::{CellGrid, Dimensions, IRREGULAR};
use crate::limits::COVERING_RANGES_MAX;
use crate::question::{KeyPattern, KeyQuestion};

/// A cell of the grid with `bits` bits for each coordinate.
#[derive(Clone, Copy)]
struct Cell<const N: usize> {
    axes: [u32; N],
    bits: u32,
}

impl CellGrid {
    /// The question for the points in an area. Every point that lies in it is a candidate.
    pub fn question_of(&self, area: &Area) -> KeyQuestion {
        let runs = match self.dimensions {
            Dimensions::Two => covering::<2>(self, area),
            Dimensions::Three => covering::<3>(self, area),
        };
        let ranges = runs.into_iter().map(|(first, last)| {
            let mut ends = [Vec::new(), Vec::new()];
            self.put(first, &mut ends[0]);
            self.put(last, &mut ends[1]);
            let [from, last] = ends;
            let until = millrace_model::order_key::after_prefix(&last);
            KeyQuestion::Keys { from, until, pattern: KeyPattern::Any }
        });
        KeyQuestion::any(ranges.chain([KeyQuestion::Key(IRREGULAR.to_vec())]))
    }
}

/// Runs of the curve, each by its first and last index, in order, none next to another.
fn covering<const N: usize>(grid: &CellGrid, area: &Area) -> Vec<(u128, u128)> {
    let mut inside: Vec<Cell<N>> = Vec::new();
    let mut edge = VecDeque::new();
    sort_in(grid, area, Cell { axes: [0; N], bits: 0 }, &mut inside, &mut edge);
    while let Some(cell) = edge.pop_front() {
        let is_finest = cell.bits == 32;
        let mut parts = (Vec::new(), VecDeque::new());
        if !is_finest {
            for part in cell.parts() {
                sort_in(grid, area, part, &mut parts.0, &mut parts.1);
            }
        }
        let count = inside.len() + edge.len() + parts.0.len() + parts.1.len();
        if is_finest || COVERING_RANGES_MAX < count {
            edge.push_front(cell);
            break;
        }
        inside.append(&mut parts.0);
        edge.append(&mut parts.1);
    }
    let mut runs: Vec<_> = inside.into_iter().chain(edge).map(|cell| cell.runs()).collect();
    runs.sort_unstable();
    let mut merged: Vec<(u128, u128)> = Vec::new();
    for (first, last) in runs {
        match merged.last_mut() {
            Some(before) if before.1 + 1 == first => before.1 = last,
            _ => merged.push((first, last)),
        }
    }
    merged
}

fn sort_in<const N: usize>(
    grid: &CellGrid,
    area: &Area,
    cell: Cell<N>,
    inside: &mut Vec<Cell<N>>,
    edge: &mut VecDeque<Cell<N>>,
) {
    match area.overlap(&cell.bounds(grid)) {
        Overlap::None => {}
        Overlap::Whole => inside.push(cell),
        Overlap::Part => edge.push_back(cell),
    }
}

impl<const N: usize> Cell<N> {
    /// The cells of the next finer grid.
    fn parts(self) -> impl Iterator<Item = Cell<N>> {
        (0..1u32 << N).map(move |number| {
            let mut axes = self.axes;
            for (axis, own) in axes.iter_mut().enumerate() {
                *own = *own << 1 | (number >> axis & 1);
            }
            Cell { axes, bits: self.bits + 1 }
        })
    }

    fn bounds(self, grid: &CellGrid) -> CellBounds {
        let shift = 32 - self.bits;
        let mut bounds = CellBounds { low: [0.0; 3], high: [0.0; 3] };
        for axis in 0..N {
            let first = (u64::from(self.axes[axis]) << shift) as u32;
            let last = (((u64::from(self.axes[axis]) + 1) << shift) - 1) as u32;
            let (low, high) = grid.extent(axis).interval(first, last);
            bounds.low[axis] = low;
            bounds.high[axis] = high;
        }
        bounds
    }

    /// The first and the last place of the finest grid in it.
    fn runs(self) -> (u128, u128) {
        let shift = N as u32 * (32 - self.bits);
        let first = curve_index(self.axes, self.bits) << shift;
        (first, first + ((1u128 << shift) - 1))
    }
}
