//! Random histories of three partitions against a naive graph: every read, at every position a
//! reader holds, through checkpoints, transaction layers and forgetting. A failure names its seed.

mod changes;
mod graph;
mod verify;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use millrace_model::random::SplitMix64;
use millrace_model::{EdgeId, ErrorKind, LogPosition, VertexId};
use millrace_store::Changes;

use crate::live::checkpoint::imaging::Imaging;
use crate::live::{Commit, Partitions, PinnedSnapshots, route};
use crate::persistent::image::{EdgeRows, Image, ImageBuilder, IncomingRows};
use graph::{Graph, ORDINALS};

/// Seeds of one run.
const SEEDS: u64 = 200;

/// Steps of one seed.
const STEPS: usize = 32;

#[test]
fn every_read_at_every_pinned_snapshot_equals_the_naive_graph() {
    for seed in 0..SEEDS {
        let run = std::panic::AssertUnwindSafe(|| History::new(seed).run());
        if let Err(panic) = std::panic::catch_unwind(run) {
            eprintln!("failed with seed {seed}");
            std::panic::resume_unwind(panic);
        }
    }
}

/// Random numbers for positions in lists.
pub(in crate::live) struct Random(SplitMix64);

impl Random {
    pub(in crate::live) fn new(seed: u64) -> Random {
        Random(SplitMix64::new(seed))
    }

    pub(in crate::live) fn below(&mut self, bound: usize) -> usize {
        self.0.index(bound)
    }

    pub(in crate::live) fn one_in(&mut self, chances: usize) -> bool {
        self.below(chances) == 0
    }

    pub(in crate::live) fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        (!from.is_empty()).then(|| &from[self.below(from.len())])
    }
}

/// The partitions, the naive graph beside them, and the readers.
struct History {
    random: Random,
    partitions: Partitions,
    graph: Graph,
    at: LogPosition,
    pinned: Vec<(LogPosition, Graph)>,
    /// Checkpoint positions of each partition's bases, oldest first.
    positions: BTreeMap<u32, Vec<LogPosition>>,
    /// Images under way; each is a reader at its checkpoint position.
    pending: Vec<Imaging>,
}

impl History {
    fn new(seed: u64) -> History {
        // Every other seed has so few edge ids that overflow partitions are taken.
        let edge_runs_max = if seed.is_multiple_of(2) { 1 << 20 } else { 2 };
        let partitions = Partitions::with_edge_runs(edge_runs_max);
        ORDINALS.iter().for_each(|ordinal| {
            partitions.get_or_create(*ordinal);
        });
        History {
            random: Random::new(seed),
            partitions,
            graph: Graph::default(),
            at: LogPosition(seed % 3 * 5_000_000_000),
            pinned: Vec::new(),
            positions: BTreeMap::new(),
            pending: Vec::new(),
        }
    }

    fn run(&mut self) {
        for _ in 0..STEPS {
            match self.random.below(16) {
                0..7 => self.commit_group(),
                7 => self.commit_out_of_line(),
                8 | 9 => self.pin(),
                10 | 11 => self.release_and_forget(),
                12 | 13 => self.make_images(),
                _ => self.install_images(),
            }
            for imaging in &mut self.pending {
                let partition = self.partitions.get(Some(imaging.ordinal())).unwrap();
                let steps = self.random.below(40);
                (0..steps).take_while(|_| imaging.step(partition).unwrap()).count();
            }
            if self.random.one_in(3) {
                self.verify();
            }
        }
        self.install_images();
        self.verify();
    }

    /// Applies some commits at once, as the applier does.
    fn commit_group(&mut self) {
        let count = 1 + self.random.below(4);
        let group: Vec<(LogPosition, Changes)> = (0..count)
            .map(|_| {
                // Now and then a position so far on that stamps run out.
                self.at.0 += if self.random.one_in(60) { 5_000_000_000 } else { 1 };
                (self.at, self.graph.change(&mut self.random, &self.partitions))
            })
            .collect();
        self.apply(&group);
    }

    fn apply(&self, group: &[(LogPosition, Changes)]) {
        let commits: Vec<Commit<'_>> =
            group.iter().map(|(position, changes)| Commit::new(*position, changes)).collect();
        for part in route(&commits) {
            let partition = self.partitions.get_or_create(part.ordinal);
            partition.apply(&commits, &part).unwrap();
        }
    }

    /// A commit with its new elements as transaction layers, and the rest as of any other.
    fn commit_out_of_line(&mut self) {
        let has_layer = self.partitions.iter().find(|partition| partition.has_layer()).cloned();
        if let Some(partition) = has_layer {
            let next = LogPosition(self.at.0 + 1);
            let empty = Arc::new(Image::empty(partition.ordinal(), next));
            let error = partition.install_layer(next, empty).unwrap_err();
            assert_eq!(error.kind, ErrorKind::Unavailable);
            return;
        }
        self.at.0 += 1;
        let mut changes = self.graph.change(&mut self.random, &self.partitions);
        let overflow: BTreeSet<u32> =
            self.partitions.iter().map(|own| own.ordinal() >> 16).collect();
        let ordinals =
            overflow.iter().flat_map(|overflow| ORDINALS.map(|own| overflow << 16 | own));
        let ordinals: Vec<u32> = ordinals.collect();
        for image in take_created(&mut changes, self.at, &ordinals) {
            let partition = self.partitions.get_or_create(image.ordinal);
            partition.install_layer(self.at, Arc::new(image)).unwrap();
        }
        self.apply(&[(self.at, changes)]);
    }

    fn pin(&mut self) {
        if self.pinned.len() < 4 && self.pinned.last().is_none_or(|(at, _)| *at != self.at) {
            self.pinned.push((self.at, self.graph.clone()));
        }
    }

    fn release_and_forget(&mut self) {
        if !self.pinned.is_empty() {
            let place = self.random.below(self.pinned.len());
            self.pinned.remove(place);
        }
        let pinned = self.pinned.iter().map(|(at, _)| *at);
        let pending = self.pending.iter().map(|image| image.checkpoint());
        let mut positions: Vec<LogPosition> = pinned.chain(pending).collect();
        positions.sort_unstable();
        let pinned = Arc::new(PinnedSnapshots::new(positions, self.at));
        for partition in self.partitions.iter() {
            partition.forget(&pinned);
        }
    }

    /// Makes images of some partitions, at a pinned snapshot or the newest.
    fn make_images(&mut self) {
        let checkpoint = match self.random.pick(&self.pinned) {
            Some((at, _)) if self.random.below(2) == 0 => *at,
            _ => self.at,
        };
        for partition in self.partitions.iter() {
            let ordinal = partition.ordinal();
            let newest = self
                .positions
                .get(&ordinal)
                .map_or(LogPosition(0), |positions| positions[positions.len() - 1]);
            let free = self.pending.iter().all(|image| image.ordinal() != ordinal);
            if free && newest <= checkpoint && self.random.below(3) != 0 {
                self.pending.push(partition.begin_image(checkpoint).unwrap());
            }
        }
    }

    /// Installs the images under way, with commits between the steps.
    fn install_images(&mut self) {
        for mut imaging in std::mem::take(&mut self.pending) {
            let partition = self.partitions.get(Some(imaging.ordinal())).unwrap().clone();
            while imaging.step(&partition).unwrap() {}
            let image = imaging.finish();
            self.positions
                .entry(image.ordinal)
                .or_insert(vec![LogPosition(0)])
                .push(image.checkpoint);
            let mut moving = partition.begin_move(image.checkpoint);
            let among = self.random.below(150);
            (0..among).take_while(|_| partition.move_piece(&mut moving)).count();
            self.some_commits();
            while partition.move_piece(&mut moving) {}
            self.some_commits();
            partition.follow_move(&mut moving);
            self.some_commits();
            partition.swap_base(Arc::new(image), moving);
        }
        self.drop_readers_that_are_too_old();
    }

    fn some_commits(&mut self) {
        match self.random.below(4) {
            0 => self.commit_group(),
            1 => self.commit_out_of_line(),
            _ => {}
        }
    }

    /// A reader before the older of two roots gets an error; no other does.
    fn drop_readers_that_are_too_old(&mut self) {
        let partitions = &self.partitions;
        let positions = &self.positions;
        self.pinned.retain(|(at, _)| {
            let too_old = |(ordinal, positions): (&u32, &Vec<LogPosition>)| {
                let too_old = 2 <= positions.len() && *at < positions[positions.len() - 2];
                let partition = partitions.get(Some(*ordinal)).unwrap();
                let refused = partition.with_view(*at, |_| Ok(())).err();
                assert_eq!(refused.map(|error| error.kind), too_old.then_some(ErrorKind::Conflict));
                too_old
            };
            !positions.iter().any(too_old)
        });
    }

    fn verify(&mut self) {
        let ever = self.graph.edges.keys().chain(&self.graph.gone);
        let ever: Vec<EdgeId> = ever.copied().map(EdgeId).collect();
        let partitions = &self.partitions;
        verify::verify((partitions, self.at), &self.graph, &ever, &mut self.random);
        if let Some((at, graph)) = self.random.pick(&self.pinned).cloned() {
            verify::verify((partitions, at), &graph, &ever, &mut self.random);
        }
        for partition in partitions.iter() {
            for root in &partition.state.read().roots {
                assert_eq!(root.delta.byte_size(), root.delta.walked_byte_size());
            }
        }
    }
}

/// Takes created vertices and edges out of a commit, as images of the partitions.
fn take_created(changes: &mut Changes, at: LogPosition, ordinals: &[u32]) -> Vec<Image> {
    let (vertices, edges) =
        (std::mem::take(&mut changes.vertices), std::mem::take(&mut changes.edges));
    let images = ordinals.iter().map(|ordinal| {
        let mut builder = ImageBuilder::new();
        let mine = |vertex: &VertexId| vertex.0 >> 16 == u64::from(*ordinal % 65_536);
        for block in vertices.iter().filter(|_| *ordinal < 65_536) {
            for (row, vertex) in block.ids.iter().enumerate().filter(|(_, vertex)| mine(vertex)) {
                builder.vertices(&[vertex.0 as u16], &block.labels);
                for (key, column) in &block.properties {
                    let values = column.take(&[row as u32]);
                    builder.vertex_values(*key, &[vertex.0 as u16], &values);
                }
            }
        }
        for block in &edges {
            let own = |row: &usize| block.ids[*row].0 >> 48 == u64::from(*ordinal / 65_536);
            for row in (0..block.ids.len()).filter(own) {
                let (source, target) = (block.sources[row], block.targets[row]);
                let slot = [block.ids[row].0 as u32];
                if mine(&source) {
                    let (sources, targets) = ([source.0 as u16], [target.0 as u32]);
                    let rows = EdgeRows { sources: &sources, targets: &targets, slots: &slot };
                    builder.edges(block.edge_type, rows);
                    for (key, column) in &block.properties {
                        let values = column.take(&[row as u32]);
                        builder.edge_values(block.edge_type, *key, &slot, &values);
                    }
                }
                if mine(&target) {
                    let (targets, sources) = ([target.0 as u16], [source.0 as u32]);
                    let rows = IncomingRows { targets: &targets, sources: &sources, slots: &slot };
                    builder.incoming(block.edge_type, rows);
                }
            }
        }
        builder.finish(*ordinal, at).unwrap()
    });
    images.collect()
}
