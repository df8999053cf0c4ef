//! Frontiers under way: vertices with weights, summed as neighbours are added.
//!
//! Two forms. *Sparse*: a hash map from id to place. *Dense*: an array of weights over the id
//! range, where an update is one addition; a bitmap where weights are forgotten. An accumulator
//! starts sparse and turns dense after more additions than a fraction of the range, if the store's
//! ids are dense.
//!
//! Two orders. *Free*: a dense accumulator comes out in id order, by a sweep. *Ordered*: order of
//! first addition, for which the first addition of a vertex is recorded: one predictable branch.
//!
//! The loops add without an overflow check. While the sum of *all* weights added fits 64 bits, which is
//! checked once for each run of neighbours, no slot can overflow. After that, neighbours are added one
//! by one, and the overflow of a slot is stored separately.

use std::collections::BTreeMap;

use millrace_model::{Bits, VertexId};
use millrace_store::{IdSpace, Neighbours};
use rustc_hash::FxHashMap;

use crate::limits;
use crate::rows::Tally;

/// Vertices and their summed weights.
pub(crate) struct Accumulator {
    /// Whether vertices come out in order of first addition.
    ordered: bool,
    /// Whether weights are forgotten, so that a bit for each vertex is enough.
    distinct: bool,
    /// Where to turn dense, and how large the array is; 0 is never.
    bound: u64,
    additions: u64,
    total: u128,
    form: Form,
    /// How often a vertex has `u64::MAX` beside the weight in its slot; few vertices have an entry.
    full: BTreeMap<VertexId, u64>,
}

enum Form {
    Sparse { places: FxHashMap<u64, u32>, ids: Vec<VertexId>, weights: Vec<u64> },
    Dense { weights: Vec<u64>, first_added: Vec<u32>, others: Box<Form> },
    Bitmap { bits: Bits, first_added: Vec<u32>, others: Box<Form> },
}

impl Form {
    fn sparse() -> Form {
        Form::Sparse { places: FxHashMap::default(), ids: Vec::new(), weights: Vec::new() }
    }

    /// Where a vertex's weights are added up; nowhere if they are forgotten.
    #[inline]
    fn slot(&mut self, vertex: VertexId) -> Option<&mut u64> {
        match self {
            Form::Sparse { places, ids, weights } => {
                let fresh = ids.len() as u32;
                let place = *places.entry(vertex.0).or_insert(fresh);
                if place == fresh {
                    ids.push(vertex);
                    weights.push(0);
                }
                weights.get_mut(place as usize)
            }
            Form::Dense { weights, first_added, others } => {
                let place = usize::try_from(vertex.0).ok().filter(|&place| place < weights.len());
                let Some(place) = place else { return others.slot(vertex) };
                if weights[place] == 0 {
                    first_added.push(place as u32);
                }
                Some(&mut weights[place])
            }
            Form::Bitmap { .. } => None,
        }
    }
}

impl Accumulator {
    /// An empty accumulator for the vertices of this id space.
    pub(crate) fn new(space: IdSpace, ordered: bool, distinct: bool) -> Accumulator {
        let dense = space.dense && space.bound <= limits::DENSE_BOUND_MAX;
        let bound = if dense { space.bound } else { 0 };
        let (form, full) = (Form::sparse(), BTreeMap::new());
        let mut accumulator =
            Accumulator { ordered, distinct, bound, additions: 0, total: 0, form, full };
        if 0 < bound && bound <= limits::DENSE_AT_ONCE_BOUND {
            accumulator.turn_dense();
        }
        accumulator
    }

    /// An empty one of the same kind, for another thread.
    pub(crate) fn fellow(&self, space: IdSpace) -> Accumulator {
        Accumulator::new(space, self.ordered, self.distinct)
    }

    /// Bytes used.
    pub(crate) fn bytes(&self) -> u64 {
        form_bytes(&self.form) + self.full.len() as u64 * 32
    }

    /// Adds `weight` to each of the neighbours.
    pub(crate) fn add_run(&mut self, neighbours: Neighbours<'_>, weight: u64) {
        let len = neighbours.len() as u64;
        let weight = if self.distinct { 0 } else { weight };
        self.total = self.total.saturating_add(u128::from(weight) * u128::from(len));
        self.count_additions(len);
        if u128::from(u64::MAX) < self.total {
            return self.add_with_care(neighbours, weight);
        }
        match (&mut self.form, neighbours) {
            (Form::Dense { weights, first_added, others }, Neighbours::Narrow(ids)) => {
                // A narrow run may hold an id that was created after the array was made.
                if self.ordered {
                    add_all_ordered(weights, first_added, others, ids, weight);
                } else {
                    add_all(weights, others, ids, weight);
                }
            }
            (Form::Dense { weights, first_added, others }, Neighbours::Wide(ids)) => {
                for &id in ids {
                    match u32::try_from(id.0) {
                        Ok(id) => add_ordered(weights, first_added, others, id, weight),
                        Err(_) => add_sparse(others, id, weight),
                    }
                }
            }
            (Form::Bitmap { bits, first_added, others }, Neighbours::Narrow(ids)) => {
                let order = self.ordered.then_some(first_added);
                set_all(bits, self.bound, order, others, ids);
            }
            (Form::Bitmap { bits, first_added, others }, Neighbours::Wide(ids)) => {
                for &id in ids {
                    let order = self.ordered.then_some(&mut *first_added);
                    match u32::try_from(id.0) {
                        Ok(id) => set_all(bits, self.bound, order, others, &[id]),
                        Err(_) => add_sparse(others, id, 0),
                    }
                }
            }
            (sparse @ Form::Sparse { .. }, Neighbours::Narrow(ids)) => {
                for &id in ids {
                    add_sparse(sparse, VertexId(u64::from(id)), weight);
                }
            }
            (sparse @ Form::Sparse { .. }, Neighbours::Wide(ids)) => {
                for &id in ids {
                    add_sparse(sparse, id, weight);
                }
            }
        }
    }

    /// The same where a slot might not have the room.
    #[cold]
    fn add_with_care(&mut self, neighbours: Neighbours<'_>, weight: u64) {
        for at in 0..neighbours.len() {
            let vertex = neighbours.get(at);
            let Some(slot) = self.form.slot(vertex) else { continue };
            let (sum, passed) = slot.overflowing_add(weight);
            // Not 0 either way: a slot of 0 has no additions.
            *slot = sum + u64::from(passed);
            if passed {
                self.fill(vertex, 1);
            }
        }
    }

    fn fill(&mut self, vertex: VertexId, times: u64) {
        let full = self.full.entry(vertex).or_default();
        *full = full.saturating_add(times);
    }

    /// Adds one vertex.
    pub(crate) fn add(&mut self, vertex: VertexId, weight: u64) {
        self.add_run(Neighbours::Wide(&[vertex]), weight);
    }

    /// Counts additions, and turns dense when there were enough.
    fn count_additions(&mut self, count: u64) {
        self.additions += count;
        if matches!(self.form, Form::Sparse { .. })
            && 0 < self.bound
            && self.bound / limits::DENSE_FRACTION < self.additions
        {
            self.turn_dense();
        }
    }

    fn turn_dense(&mut self) {
        let sparse = std::mem::replace(&mut self.form, Form::sparse());
        if self.distinct {
            self.turn_bitmap(sparse);
            return;
        }
        let mut dense = vec![0; self.bound as usize];
        let mut first_added = Vec::new();
        let mut others = Box::new(Form::sparse());
        if let Form::Sparse { ids, weights, .. } = sparse {
            for (id, weight) in ids.into_iter().zip(weights) {
                match u32::try_from(id.0) {
                    Ok(id) => {
                        add_ordered(&mut dense, &mut first_added, &mut others, id, weight);
                    }
                    Err(_) => add_sparse(&mut others, id, weight),
                }
            }
        }
        self.form = Form::Dense { weights: dense, first_added, others };
    }

    fn turn_bitmap(&mut self, sparse: Form) {
        let mut bits = Bits::unset(self.bound as usize);
        let mut first_added = Vec::new();
        let mut others = Box::new(Form::sparse());
        if let Form::Sparse { ids, .. } = sparse {
            for id in ids {
                let order = Some(&mut first_added);
                match u32::try_from(id.0) {
                    Ok(id) => set_all(&mut bits, self.bound, order, &mut others, &[id]),
                    Err(_) => add_sparse(&mut others, id, 0),
                }
            }
        }
        self.form = Form::Bitmap { bits, first_added, others };
    }

    /// Adds the weights of another accumulator; its first additions come after those so far.
    pub(crate) fn absorb(&mut self, other: &mut Accumulator) {
        let full = std::mem::take(&mut other.full);
        let filled: u128 = full.values().map(|&times| u128::from(times)).sum();
        self.total = self.total.saturating_add(filled.saturating_mul(u64::MAX.into()));
        let (ids, weights) = other.drain_slots();
        ids.into_iter().zip(weights).for_each(|(id, weight)| self.add(id, weight));
        full.into_iter().for_each(|(vertex, times)| self.fill(vertex, times));
    }

    /// Hands everything out and is empty again, keeping the array.
    pub(crate) fn drain(&mut self) -> (Vec<VertexId>, Tally) {
        let full = std::mem::take(&mut self.full);
        let (ids, weights) = self.drain_slots();
        let mut sums = Tally::of(weights);
        if !full.is_empty() {
            for (place, id) in ids.iter().enumerate() {
                let times = full.get(id).copied().unwrap_or(0);
                sums.add_times(place, u64::MAX, times);
            }
        }
        (ids, sums)
    }

    fn drain_slots(&mut self) -> (Vec<VertexId>, Vec<u64>) {
        self.total = 0;
        match &mut self.form {
            Form::Sparse { places, ids, weights } => {
                self.additions = 0;
                places.clear();
                (std::mem::take(ids), std::mem::take(weights))
            }
            Form::Dense { weights, first_added, others } => {
                let mut drained = if self.ordered {
                    drain_ordered(weights, first_added)
                } else {
                    first_added.clear();
                    sweep(weights)
                };
                drain_others(others, &mut drained);
                drained
            }
            Form::Bitmap { bits, first_added, others } => {
                let bits = std::mem::replace(bits, Bits::unset(self.bound as usize));
                let added = std::mem::take(first_added);
                let id = |id: u64| VertexId(id);
                let ids: Vec<VertexId> = match self.ordered {
                    true => added.into_iter().map(|added| id(added.into())).collect(),
                    false => bits.ones().map(|set| id(set as u64)).collect(),
                };
                let weights = vec![0; ids.len()];
                let mut drained = (ids, weights);
                drain_others(others, &mut drained);
                drained
            }
        }
    }
}

/// One addition for each neighbour: the loop that bulk answers spend their time in. Ids beyond the array,
/// created after it was made, are rare: a second look keeps the loop small.
#[inline(never)]
fn add_all(weights: &mut [u64], others: &mut Form, ids: &[u32], weight: u64) {
    let mut beyond = false;
    let mut add = |id: u32| match weights.get_mut(id as usize) {
        Some(slot) => *slot += weight,
        None => beyond = true,
    };
    // Several per iteration: the alignment of the loop in the program then matters less.
    let (groups, rest) = ids.as_chunks::<4>();
    groups.iter().for_each(|group| group.iter().for_each(|&id| add(id)));
    rest.iter().for_each(|&id| add(id));
    if beyond {
        let len = weights.len();
        let far = ids.iter().filter(|&&id| len <= id as usize);
        far.for_each(|&id| add_sparse(others, VertexId(u64::from(id)), weight));
    }
}

/// The same, with the first addition of each vertex recorded.
#[inline(never)]
fn add_all_ordered(
    weights: &mut [u64],
    first_added: &mut Vec<u32>,
    others: &mut Form,
    ids: &[u32],
    weight: u64,
) {
    for &id in ids {
        add_ordered(weights, first_added, others, id, weight);
    }
}

#[inline]
fn add_ordered(
    weights: &mut [u64],
    first_added: &mut Vec<u32>,
    others: &mut Form,
    id: u32,
    weight: u64,
) {
    match weights.get_mut(id as usize) {
        Some(slot) => {
            if *slot == 0 {
                first_added.push(id);
            }
            *slot += weight;
        }
        None => add_sparse(others, VertexId(u64::from(id)), weight),
    }
}

#[inline]
fn add_sparse(form: &mut Form, id: VertexId, weight: u64) {
    if let Some(slot) = form.slot(id) {
        *slot += weight;
    }
}

/// One bit for each neighbour.
#[inline(never)]
fn set_all(
    bits: &mut Bits,
    bound: u64,
    mut first_added: Option<&mut Vec<u32>>,
    others: &mut Form,
    ids: &[u32],
) {
    for &id in ids {
        if bound <= u64::from(id) {
            add_sparse(others, VertexId(u64::from(id)), 0);
        } else if bits.insert(id as usize)
            && let Some(added) = &mut first_added
        {
            added.push(id);
        }
    }
}

fn drain_others(others: &mut Form, drained: &mut (Vec<VertexId>, Vec<u64>)) {
    if let Form::Sparse { places, ids, weights } = others {
        places.clear();
        drained.0.append(ids);
        drained.1.append(weights);
    }
}

fn drain_ordered(weights: &mut [u64], added: &mut Vec<u32>) -> (Vec<VertexId>, Vec<u64>) {
    let sums = added.iter().map(|&id| std::mem::take(&mut weights[id as usize])).collect();
    let ids = added.drain(..).map(|id| VertexId(u64::from(id))).collect();
    (ids, sums)
}

fn sweep(weights: &mut [u64]) -> (Vec<VertexId>, Vec<u64>) {
    let count = weights.iter().filter(|&&weight| weight != 0).count();
    let mut drained = (Vec::with_capacity(count), Vec::with_capacity(count));
    for (id, weight) in weights.iter_mut().enumerate() {
        if *weight != 0 {
            drained.0.push(VertexId(id as u64));
            drained.1.push(std::mem::take(weight));
        }
    }
    drained
}

fn form_bytes(form: &Form) -> u64 {
    match form {
        Form::Sparse { places, ids, .. } => places.capacity() as u64 * 16 + ids.len() as u64 * 16,
        Form::Dense { weights, first_added, others } => {
            weights.len() as u64 * 8 + first_added.len() as u64 * 4 + form_bytes(others)
        }
        Form::Bitmap { bits, first_added, others } => {
            bits.words().len() as u64 * 8 + first_added.len() as u64 * 4 + form_bytes(others)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPACES: [IdSpace; 3] = [
        IdSpace { dense: false, bound: 0 },
        IdSpace { dense: true, bound: 100 },
        IdSpace { dense: true, bound: 100_000 },
    ];

    fn counts(sums: &Tally) -> Vec<u128> {
        (0..sums.len()).map(|place| sums.count(place)).collect()
    }

    fn add_neighbours(accumulator: &mut Accumulator) {
        accumulator.add_run(Neighbours::Narrow(&[7, 3, 7]), 2);
        accumulator.add_run(Neighbours::Wide(&[VertexId(90), VertexId(3)]), 1);
        accumulator.add_run(Neighbours::Narrow(&[200_000]), 5);
    }

    #[test]
    fn every_form_sums_alike_and_can_be_used_again() {
        for space in SPACES {
            let mut accumulator = Accumulator::new(space, true, false);
            for _ in 0..2 {
                add_neighbours(&mut accumulator);
                let (ids, sums) = accumulator.drain();
                assert_eq!(ids, [7, 3, 90, 200_000].map(VertexId), "{space:?}");
                assert_eq!(counts(&sums), [4, 3, 1, 5], "{space:?}");
            }
            assert!(accumulator.drain().0.is_empty());
        }
    }

    #[test]
    fn a_dense_accumulator_in_free_order_comes_out_in_id_order() {
        let mut accumulator = Accumulator::new(SPACES[1], false, false);
        add_neighbours(&mut accumulator);
        assert_eq!(accumulator.drain().0, [3, 7, 90, 200_000].map(VertexId));
    }

    #[test]
    fn distinct_vertices_need_no_weights() {
        for space in SPACES {
            for (ordered, expected) in [(true, [7, 3, 90, 200_000]), (false, [3, 7, 90, 200_000])] {
                let mut accumulator = Accumulator::new(space, ordered, true);
                accumulator.add(VertexId(7), u64::MAX);
                add_neighbours(&mut accumulator);
                let mut ids = accumulator.drain().0;
                if !ordered {
                    ids.sort();
                }
                assert_eq!(ids, expected.map(VertexId), "{space:?}");
                assert!(accumulator.drain().0.is_empty());
            }
        }
    }

    #[test]
    fn turning_dense_on_the_way_keeps_sums_and_order() {
        let space = IdSpace { dense: true, bound: 20_000 };
        let mut accumulator = Accumulator::new(space, true, false);
        let ids: Vec<u32> = (0..10_000).rev().collect();
        for piece in ids.chunks(100).chain(ids.chunks(100)) {
            accumulator.add_run(Neighbours::Narrow(piece), 3);
        }
        assert!(matches!(accumulator.form, Form::Dense { .. }));
        let (drained, sums) = accumulator.drain();
        assert!(drained.iter().map(|id| id.0 as u32).eq(ids));
        assert!(counts(&sums).iter().all(|&count| count == 6));
    }

    #[test]
    fn sums_beyond_64_bits_are_exact_in_every_form_and_shared_among_threads() {
        let most = u128::from(u64::MAX);
        for space in SPACES {
            let mut accumulator = Accumulator::new(space, true, false);
            for _ in 0..2 {
                for _ in 0..5 {
                    accumulator.add_run(Neighbours::Narrow(&[7, 3]), u64::MAX);
                    accumulator.add(VertexId(200_000), 2);
                }
                accumulator.add(VertexId(3), 1);
                let mut fellow = accumulator.fellow(space);
                for vertex in [9, 3, 3] {
                    fellow.add(VertexId(vertex), u64::MAX);
                }
                accumulator.absorb(&mut fellow);
                let (ids, sums) = accumulator.drain();
                let found: BTreeMap<_, _> = ids.iter().map(|id| id.0).zip(counts(&sums)).collect();
                let expected = [(3, 7 * most + 1), (7, 5 * most), (9, most), (200_000, 10)];
                assert_eq!(found, BTreeMap::from(expected), "{space:?}");
            }
            assert!(accumulator.drain().0.is_empty());
        }
    }
}
