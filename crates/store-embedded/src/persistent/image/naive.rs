//! A partition as plain maps: the expected contents of an image, for differential tests.

use std::collections::{BTreeMap, BTreeSet};

use millrace_model::{Column, EdgeTypeId, KeyId, LabelId, LogPosition, Value};
use millrace_store::Labels;

use crate::base::codec::samples;
use crate::base::random::SimNumbers;
use crate::persistent::image::{EdgeRows, Half, Image, ImageBuilder, IncomingRows};

/// A partition's content, one entry at a time.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Naive {
    pub(crate) vertices: BTreeMap<u16, Vec<LabelId>>,
    pub(crate) vertex_values: BTreeMap<(KeyId, u16), Value>,
    /// (type, slot) to (source, target).
    pub(crate) edges: BTreeMap<(EdgeTypeId, u32), (u16, u32)>,
    pub(crate) edge_values: BTreeMap<(EdgeTypeId, KeyId, u32), Value>,
    /// (type, target, source, slot).
    pub(crate) incoming: BTreeSet<(EdgeTypeId, u16, u32, u32)>,
}

/// How large a random partition is.
#[derive(Clone, Copy)]
pub(crate) struct Shape {
    pub(crate) vertices: u64,
    /// All locals are below.
    pub(crate) locals: u64,
    pub(crate) edges: u64,
    /// Slots begin in this run of each type: parts of one partition do not share any.
    pub(crate) first_run: u32,
}

impl Shape {
    /// A random shape: small or large, dense or sparse.
    pub(crate) fn random(random: &mut SimNumbers) -> Shape {
        let locals = [10, 300, 1 << 16][random.below(3) as usize];
        let edges = [0, 5, 400, 3000][random.below(4) as usize];
        Shape { vertices: random.below(locals.min(200)), locals, edges, first_run: 0 }
    }
}

impl Naive {
    /// A random partition: hubs, loops, parallel edges, unused slots, values on some.
    pub(crate) fn random(random: &mut SimNumbers, shape: Shape) -> Naive {
        let mut naive = Naive::default();
        for _ in 0..shape.vertices {
            let labels = (0..3).filter(|_| random.chance(1, 2)).map(LabelId).collect();
            let local = random.below(shape.locals) as u16;
            naive.vertices.insert(local, labels);
            if random.chance(1, 2) {
                let key = KeyId(random.below(3) as u32);
                naive.vertex_values.insert((key, local), naive_value(random, key));
            }
        }
        let step = [1, 2, 40][random.below(3) as usize];
        for index in 0..shape.edges as u32 {
            naive.add_random_edge(random, shape, index * step);
        }
        naive
    }

    fn add_random_edge(&mut self, random: &mut SimNumbers, shape: Shape, index: u32) {
        let edge_type = EdgeTypeId(random.below(2) as u32);
        // Types own runs by turns, so that both have holes.
        let run = (index >> 10) * 2 + edge_type.0;
        let slot = (shape.first_run + run) << 10 | (index & 1023);
        let hub = random.chance(1, 4);
        let mut local = || if hub { 7 } else { random.below(shape.locals) as u16 };
        let (source, target) = (local(), local());
        let far = random.chance(1, 2);
        let target_id = u32::from(target) | if far { 3 << 16 } else { 0 };
        self.edges.insert((edge_type, slot), (source, target_id));
        self.incoming.insert((edge_type, target, u32::from(source) | 5 << 16, slot));
        if random.chance(1, 3) {
            let key = KeyId(random.below(2) as u32);
            self.edge_values.insert((edge_type, key, slot), naive_value(random, key));
        }
    }

    /// The union of both parts, the later winning.
    pub(crate) fn union(&self, later: &Naive) -> Naive {
        let mut both = self.clone();
        both.vertices.extend(later.vertices.clone());
        both.vertex_values.extend(later.vertex_values.clone());
        both.edges.extend(later.edges.clone());
        both.edge_values.extend(later.edge_values.clone());
        both.incoming.extend(later.incoming.iter().copied());
        both
    }

    /// The image of this, from rows in random order.
    pub(crate) fn build(
        &self,
        random: &mut SimNumbers,
        ordinal: u32,
        checkpoint: LogPosition,
    ) -> Image {
        let mut builder = ImageBuilder::new();
        for (local, labels) in &self.vertices {
            builder.vertices(&[*local], &Labels::from(labels.clone()));
        }
        for ((key, local), value) in shuffled(random, &self.vertex_values) {
            builder.vertex_values(key, &[local], &Column::from_values([value]));
        }
        for ((edge_type, slot), (source, target)) in shuffled(random, &self.edges) {
            let edges = EdgeRows { sources: &[source], targets: &[target], slots: &[slot] };
            builder.edges(edge_type, edges);
        }
        for ((edge_type, key, slot), value) in shuffled(random, &self.edge_values) {
            builder.edge_values(edge_type, key, &[slot], &Column::from_values([value]));
        }
        let incoming = self.incoming.iter().map(|row| (*row, ())).collect();
        for ((edge_type, target, source, slot), ()) in shuffled(random, &incoming) {
            let edges = IncomingRows { targets: &[target], sources: &[source], slots: &[slot] };
            builder.incoming(edge_type, edges);
        }
        builder.finish(ordinal, checkpoint).unwrap()
    }

    /// The contents of an image, read through all of its methods.
    pub(crate) fn read(image: &Image) -> Naive {
        let mut naive = Naive::default();
        let records = image.records.get().unwrap();
        for local in records.scan(None) {
            naive.vertices.insert(local, records.labels(local).unwrap().to_vec());
        }
        for (&key, column) in &image.vertex_columns {
            for (row, value) in column.get().unwrap().iter() {
                naive.vertex_values.insert((key, row as u16), value);
            }
        }
        for (&(edge_type, half), section) in &image.lists {
            for (local, list) in section.get().unwrap().iter() {
                for (neighbour, slot) in list.iter() {
                    match half {
                        Half::Out => {
                            naive.edges.insert((edge_type, slot), (local, neighbour)).is_none()
                        }
                        Half::In => naive.incoming.insert((edge_type, local, neighbour, slot)),
                    };
                }
            }
        }
        for (&(edge_type, key), column) in &image.edge_columns {
            let (column, edges) = (column.get().unwrap(), image.edges[&edge_type].get().unwrap());
            for (slot, row) in edges.slots.iter() {
                if let Some(value) = column.get(row) {
                    naive.edge_values.insert((edge_type, key, slot), value);
                }
            }
        }
        naive
    }

    /// Checks an image against this: content, order, look-ups, counts.
    pub(crate) fn check(&self, image: &Image) {
        assert_eq!(Naive::read(image), *self);
        self.check_lists(image);
        self.check_edges(image);
        assert_eq!(image.counts.vertices, self.vertices.len() as u64);
        let label = LabelId(1);
        let labelled = self.vertices.values().filter(|labels| labels.contains(&label)).count();
        assert_eq!(image.counts.labels.get(&label).copied().unwrap_or(0), labelled as u64);
        let scanned = image.records.get().unwrap().scan(Some(label)).count();
        assert_eq!(scanned, labelled);
        for edge_type in [EdgeTypeId(0), EdgeTypeId(1)] {
            let count = self.edges.keys().filter(|(of, _)| *of == edge_type).count();
            let counted = image.counts.edges.get(&edge_type).copied().unwrap_or(0);
            assert_eq!(counted, count as u64);
        }
    }

    fn check_lists(&self, image: &Image) {
        let mut expected: BTreeMap<_, BTreeSet<(u32, u32)>> = BTreeMap::new();
        for (&(edge_type, slot), &(source, target)) in &self.edges {
            expected.entry((edge_type, Half::Out, source)).or_default().insert((target, slot));
        }
        for &(edge_type, target, source, slot) in &self.incoming {
            expected.entry((edge_type, Half::In, target)).or_default().insert((source, slot));
        }
        for (&(edge_type, half), section) in &image.lists {
            let lists = section.get().unwrap();
            for local in (0..=u16::MAX).step_by(61).chain(0..300) {
                let list = expected.remove(&(edge_type, half, local)).unwrap_or_default();
                assert_eq!(lists.degree(local) as usize, list.len());
                assert!(lists.list(local).iter().eq(list.iter().copied()), "sorted and whole");
                expected.insert((edge_type, half, local), list);
            }
        }
    }

    fn check_edges(&self, image: &Image) {
        for edge_type in [EdgeTypeId(0), EdgeTypeId(1)] {
            let own = self.edges.iter().filter(|((of, _), _)| *of == edge_type);
            let (slots, ends): (Vec<u32>, Vec<_>) =
                own.map(|((_, slot), ends)| (*slot, Some(*ends))).unzip();
            assert_eq!(image.ends(edge_type, &slots).unwrap(), ends);
            for &slot in &slots {
                assert_eq!(image.runs.edge_type(slot), Some(edge_type));
            }
            let strangers: Vec<u32> = slots
                .iter()
                .flat_map(|slot| [slot.wrapping_sub(1), slot + 1, slot + (1 << 20)])
                .filter(|slot| !self.edges.contains_key(&(edge_type, *slot)))
                .collect();
            assert_eq!(image.ends(edge_type, &strangers).unwrap(), vec![None; strangers.len()]);
        }
    }
}

/// Mostly one type a key, so that typed columns and mixed ones both come up.
fn naive_value(random: &mut SimNumbers, key: KeyId) -> Value {
    match key.0 {
        0 => Value::F64(random.next_u64() as f64),
        1 if random.chance(19, 20) => Value::string(&random.next_u64().to_string()),
        _ => samples::value(random, 2),
    }
}

fn shuffled<K: Clone, V: Clone>(random: &mut SimNumbers, map: &BTreeMap<K, V>) -> Vec<(K, V)> {
    let mut pairs: Vec<_> = map.iter().map(|(key, value)| (key.clone(), value.clone())).collect();
    for end in (1..pairs.len()).rev() {
        pairs.swap(end, random.below(end as u64 + 1) as usize);
    }
    pairs
}
