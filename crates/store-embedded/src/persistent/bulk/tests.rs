//! Loads against plain maps, in memory and over budget, with and without given ids.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use millrace_model::{
    Bits, Column, EdgeId, EdgeTypeId, GraphId, KeyId, LabelId, LogPosition, Value, VertexId,
};
use millrace_store::run::{EDGE_SLOT_BITS, PARTITION_BITS};
use millrace_store::{Changes, EdgeBlock, Labels, VertexBlock};

use super::*;
use crate::base::error::Error;
use crate::base::random::SimNumbers;
use crate::folder::Folder;
use crate::io::sim::SimDisk;
use crate::io::{FileKind, FileName};
use crate::persistent::home;
use crate::persistent::image::{Half, Image};

const OLD_VERTEX: u64 = 4 << PARTITION_BITS | 100;

fn folder(disk: &SimDisk) -> Arc<Folder> {
    Arc::new(Folder::open(Arc::new(disk.clone()), Path::new("/data")).unwrap())
}

/// A graph with one vertex; each partition leases runs from a cursor of its own.
#[derive(Default)]
struct OneVertex {
    images: BTreeMap<u32, Image>,
    next_run: BTreeMap<u32, u32>,
    /// Runs that an ordinal has; `None`: as many as are wanted.
    runs_max: Option<u32>,
}

impl LoadTarget for OneVertex {
    fn exist(&mut self, vertices: &[VertexId]) -> millrace_model::Result<Bits> {
        Ok(vertices.iter().map(|vertex| vertex.0 == OLD_VERTEX).collect())
    }

    fn lease_runs(&mut self, ordinal: u32, runs: u32) -> millrace_model::Result<Range<u32>> {
        let next = self.next_run.entry(ordinal).or_insert(40);
        let first = *next;
        *next += runs.min(self.runs_max.map_or(runs, |most| 40 + most - first));
        Ok(first..*next)
    }

    fn take(&mut self, image: Image) -> millrace_model::Result<()> {
        assert!(self.images.last_key_value().is_none_or(|(last, _)| *last < image.ordinal));
        self.images.insert(image.ordinal, image);
        Ok(())
    }
}

/// An edge as the load was told: type, source, target, id if given, values by key.
type EdgeRow = (EdgeTypeId, u64, u64, Option<u64>, Vec<Option<Value>>);

#[derive(Default, Debug, PartialEq)]
struct Expected {
    vertices: BTreeMap<u64, (Vec<LabelId>, Vec<Option<Value>>)>,
    edges: Vec<EdgeRow>,
}

const KEYS: u32 = 3;

/// How a random load gives edge ids.
#[derive(Clone, Copy, PartialEq)]
enum Ids {
    Given,
    Assigned,
    Mixed,
}

fn random_parts(random: &mut SimNumbers, ids: Ids) -> (Vec<Changes>, Expected) {
    let mut expected = Expected::default();
    let mut parts = Vec::new();
    let mut next_vertex = 0;
    let mut next_slots = BTreeMap::new();
    for _ in 0..1 + random.below(6) {
        let mut part = Changes::default();
        for _ in 0..random.below(3) {
            part.vertices.push(vertex_block(random, &mut next_vertex, &mut expected));
        }
        for _ in 0..random.below(4) {
            let given = ids == Ids::Given || ids == Ids::Mixed && random.chance(1, 2);
            part.edges.push(edge_block(random, given, &mut next_slots, &mut expected));
        }
        parts.push(part);
    }
    // Ends may come in a later part, and all that were sampled must come.
    let vertices = (next_vertex..MAPPED).map(vertex).map(VertexId).collect::<Vec<_>>();
    for &vertex in &vertices {
        expected.vertices.insert(vertex.0, (vec![], vec![None; KEYS as usize]));
    }
    let block = VertexBlock { ids: vertices, ..VertexBlock::default() };
    parts.push(Changes { vertices: vec![block], ..Changes::default() });
    (parts, expected)
}

const MAPPED: u64 = 60;

/// A few vertices in each of a few partitions that are not neighbours.
fn vertex(number: u64) -> u64 {
    ((number % 3 * 2) << PARTITION_BITS) + number * 17
}

fn columns(random: &mut SimNumbers, rows: usize) -> Vec<(KeyId, Column)> {
    let keys = (0..KEYS).filter(|_| random.chance(1, 2)).collect::<Vec<_>>();
    keys.into_iter().map(|key| (KeyId(key), column(random, key, rows))).collect()
}

fn column(random: &mut SimNumbers, key: u32, rows: usize) -> Column {
    let mut column = Column::default();
    for _ in 0..rows {
        match (key, random.below(8)) {
            (0, _) => column.push(Value::F64(random.next_u64() as f64)),
            (1, 0) => column.push_absent(),
            (1, _) => column.push(Value::string(&random.next_u64().to_string())),
            (_, 0) => column.push(Value::Null),
            (_, number) => column.push(Value::I32(number as i32)),
        }
    }
    column
}

fn row_values(columns: &[(KeyId, Column)], row: usize) -> Vec<Option<Value>> {
    let of = |key| columns.iter().find(|(other, _)| other.0 == key);
    (0..KEYS).map(|key| of(key).and_then(|(_, column)| column.get(row))).collect()
}

fn vertex_block(random: &mut SimNumbers, next: &mut u64, expected: &mut Expected) -> VertexBlock {
    let count = random.below(MAPPED / 10);
    let ids: Vec<VertexId> = (*next..*next + count).map(vertex).map(VertexId).collect();
    *next += count;
    let labels: Vec<LabelId> = (0..2).filter(|_| random.chance(1, 2)).map(LabelId).collect();
    let properties = columns(random, ids.len());
    for (row, id) in ids.iter().enumerate() {
        expected.vertices.insert(id.0, (labels.clone(), row_values(&properties, row)));
    }
    VertexBlock { labels: Labels::from(labels), ids, properties }
}

fn edge_block(
    random: &mut SimNumbers,
    given: bool,
    next_slots: &mut BTreeMap<(u64, EdgeTypeId), u64>,
    expected: &mut Expected,
) -> EdgeBlock {
    let edge_type = EdgeTypeId(random.below(2) as u32);
    let mut block = EdgeBlock { edge_type, ..EdgeBlock::default() };
    let rows = random.below(400) as usize;
    block.properties = columns(random, rows);
    for row in 0..rows {
        let mut end = || match random.below(10) {
            0 => OLD_VERTEX,
            1..4 => vertex(3),
            _ => vertex(random.below(MAPPED)),
        };
        let (source, target) = (end(), end());
        let id = given.then(|| {
            let ordinal = source >> PARTITION_BITS;
            let next = next_slots.entry((ordinal, edge_type)).or_default();
            *next += 1 + u64::from(random.chance(1, 50)) * 100;
            // Types own runs by turns; ids come in no order.
            let run = (*next >> 10) * 2 + u64::from(edge_type.0);
            ordinal << EDGE_SLOT_BITS | run << 10 | (1023 - (*next & 1023))
        });
        block.ids.extend(id.map(EdgeId));
        block.sources.push(VertexId(source));
        block.targets.push(VertexId(target));
        expected.edges.push((edge_type, source, target, id, row_values(&block.properties, row)));
    }
    block
}

fn load(disk: &SimDisk, parts: &[Changes], memory: usize) -> Result<OneVertex, BulkError> {
    load_into(OneVertex::default(), disk, parts, memory)
}

fn load_into(
    mut target: OneVertex,
    disk: &SimDisk,
    parts: &[Changes],
    memory: usize,
) -> Result<OneVertex, BulkError> {
    let mut builder = BulkBuilder::new(folder(disk), memory);
    for part in parts {
        builder.push(&mut part.clone())?;
    }
    builder.finish(&mut target)?;
    Ok(target)
}

fn vertex_values(image: &Image, local: u16) -> Vec<Option<Value>> {
    let column = |key| image.vertex_columns.get(&KeyId(key));
    (0..KEYS).map(|key| column(key)?.get().unwrap().get(u32::from(local))).collect()
}

fn edge_values(image: &Image, edge_type: EdgeTypeId, slot: u32) -> Vec<Option<Value>> {
    let row = image.edges[&edge_type].get().unwrap().slots.row(slot).expect("an edge");
    let column = |key| image.edge_columns.get(&(edge_type, KeyId(key)));
    (0..KEYS).map(|key| column(key)?.get().unwrap().get(row)).collect()
}

/// Reads the images, and verifies that both directions, ends and runs agree.
fn read(images: &BTreeMap<u32, Image>) -> Expected {
    let mut expected = Expected::default();
    let (mut out, mut incoming) = (BTreeSet::new(), BTreeSet::new());
    for image in images.values() {
        let base = u64::from(home(image.ordinal)) << PARTITION_BITS;
        let records = image.records.get().unwrap();
        for local in records.scan(None) {
            let labels = records.labels(local).unwrap().to_vec();
            expected
                .vertices
                .insert(base | u64::from(local), (labels, vertex_values(image, local)));
        }
        for (&(edge_type, half), lists) in &image.lists {
            for (local, list) in lists.get().unwrap().iter() {
                assert!(list.iter().is_sorted(), "by neighbour, then slot");
                let near = base | u64::from(local);
                for (far, slot) in list.iter().map(|(far, slot)| (u64::from(far), slot)) {
                    if half == Half::In {
                        assert!(incoming.insert((edge_type, far, near, slot)));
                        continue;
                    }
                    assert!(out.insert((edge_type, near, far, slot)));
                    assert_eq!(image.runs.edge_type(slot), Some(edge_type));
                    let ends = image.ends(edge_type, &[slot]).unwrap();
                    assert_eq!(ends, [Some((local, far as u32))]);
                    let id = u64::from(image.ordinal) << EDGE_SLOT_BITS | u64::from(slot);
                    let values = edge_values(image, edge_type, slot);
                    expected.edges.push((edge_type, near, far, Some(id), values));
                }
            }
        }
        let counted: u64 = image.counts.edges.values().sum();
        let sections = image.edges.values().map(|edges| edges.get().unwrap().slots.edge_count());
        assert_eq!(counted, sections.sum::<usize>() as u64);
    }
    assert_eq!(out, incoming, "both directions have the same edges");
    expected
}

/// Orders edges, and forgets ids where the store assigned them.
fn normalized(mut expected: Expected, given: &BTreeSet<u64>) -> Expected {
    for edge in &mut expected.edges {
        edge.3 = edge.3.filter(|id| given.contains(id));
    }
    expected.edges.sort();
    expected
}

fn check_loads(ids: Ids, memory: usize) {
    for seed in 0..40 {
        println!("seed {seed}");
        let (parts, expected) = random_parts(&mut SimNumbers::new(seed), ids);
        let given: BTreeSet<u64> = expected.edges.iter().filter_map(|edge| edge.3).collect();
        let disk = SimDisk::new(seed);
        let target = load(&disk, &parts, memory).unwrap();
        let read = read(&target.images);
        let unique: BTreeSet<u64> = read.edges.iter().filter_map(|edge| edge.3).collect();
        assert_eq!(unique.len(), expected.edges.len(), "every edge has an id of its own");
        assert_eq!(normalized(read, &given), normalized(expected, &given));
        assert_eq!(disk.files(), [], "the temporary file is gone");
    }
}

#[test]
fn a_load_in_memory_makes_the_images_of_its_input() {
    for ids in [Ids::Given, Ids::Assigned, Ids::Mixed] {
        check_loads(ids, 1 << 30);
    }
}

#[test]
fn a_load_far_over_its_memory_makes_the_same_images() {
    for ids in [Ids::Given, Ids::Assigned, Ids::Mixed] {
        check_loads(ids, 1000);
    }
}

/// In half of the seeds an ordinal has room for one run, and in the others for two: types share it.
#[test]
fn edges_that_find_no_slot_in_an_ordinal_are_in_the_images_of_the_next() {
    let mut overflow = 0;
    for (seed, ids, memory) in (0..60).flat_map(|seed| {
        let memories = [1 << 30, 1_000].into_iter();
        memories.flat_map(move |memory| [Ids::Assigned, Ids::Mixed].map(|ids| (seed, ids, memory)))
    }) {
        println!("seed {seed}");
        let (parts, expected) = random_parts(&mut SimNumbers::new(seed), ids);
        let given: BTreeSet<u64> = expected.edges.iter().filter_map(|edge| edge.3).collect();
        let disk = SimDisk::new(seed);
        let narrow = OneVertex { runs_max: Some(1 + seed as u32 % 2), ..OneVertex::default() };
        let target = load_into(narrow, &disk, &parts, memory).unwrap();
        overflow += target.images.keys().filter(|ordinal| home(**ordinal) != **ordinal).count();
        let read = read(&target.images);
        let unique: BTreeSet<u64> = read.edges.iter().filter_map(|edge| edge.3).collect();
        assert_eq!(unique.len(), expected.edges.len(), "every edge has an id of its own");
        assert_eq!(normalized(read, &given), normalized(expected, &given));
        assert_eq!(disk.files(), [], "the temporary file is gone");
    }
    assert!(100 < overflow, "only {overflow} images were of overflow partitions");
}

#[test]
fn an_edge_id_of_another_partition_is_refused_at_once() {
    let mut part = one_edge(vertex(1), vertex(1));
    part.edges[0].ids = vec![EdgeId(5), EdgeId(vertex(1) >> PARTITION_BITS << EDGE_SLOT_BITS)];
    let mut builder = BulkBuilder::new(folder(&SimDisk::new(1)), 1 << 20);
    let error = builder.push(&mut part).unwrap_err().to_string();
    assert!(error.contains("the id 5 was not leased"), "{error}");
}

#[test]
fn assigned_slots_follow_the_out_lists_so_that_nothing_but_lists_is_stored() {
    let (parts, _) = random_parts(&mut SimNumbers::new(9), Ids::Assigned);
    let target = load(&SimDisk::new(1), &parts, 1 << 30).unwrap();
    let sections = target.images.values().flat_map(|image| &image.edges);
    let sizes: Vec<usize> = sections.map(|(_, edges)| edges.byte_size()).collect();
    assert!(sizes.len() > 2 && sizes.iter().all(|&size| size < 200), "{sizes:?}");
}

fn one_edge(source: u64, target: u64) -> Changes {
    let vertices = VertexBlock { ids: vec![VertexId(vertex(1))], ..VertexBlock::default() };
    let edges = EdgeBlock {
        edge_type: EdgeTypeId(1),
        sources: vec![VertexId(vertex(1)), VertexId(source)],
        targets: vec![VertexId(OLD_VERTEX), VertexId(target)],
        ..EdgeBlock::default()
    };
    Changes { vertices: vec![vertices], edges: vec![edges], ..Changes::default() }
}

#[test]
fn an_end_that_does_not_exist_fails_the_load_and_says_which_edge() {
    let (made, missing) = (vertex(1), 9 << PARTITION_BITS | 5);
    for memory in [1 << 30, 0] {
        for (source, target) in [(missing, made), (made, missing)] {
            let disk = SimDisk::new(1);
            let mut builder = BulkBuilder::new(folder(&disk), memory);
            builder.push(&mut one_edge(source, target)).unwrap();
            let mut graph = OneVertex::default();
            let error = builder.finish(&mut graph).unwrap_err();
            let BulkError::MissingEnd { vertex, edge_type, source: from, target: to } = error
            else {
                panic!("{error}")
            };
            assert_eq!((vertex.0, edge_type.0, from.0, to.0), (missing, 1, source, target));
            assert!(graph.images.is_empty(), "ends are checked before any image is given");
            assert_eq!(disk.files(), []);
        }
    }
}

#[test]
fn a_vertex_beyond_the_range_is_refused_at_once() {
    for (source, target) in [(1 << 32, 0), (0, 1 << 40)] {
        let mut builder = BulkBuilder::new(folder(&SimDisk::new(1)), 1 << 20);
        let error = builder.push(&mut one_edge(source, target)).unwrap_err();
        assert!(matches!(error, BulkError::BeyondRange { vertex } if vertex.0 == source + target));
    }
}

#[test]
fn what_is_not_created_stays_in_the_part() {
    let mut part = one_edge(vertex(1), vertex(1));
    part.deleted_vertices.push(VertexId(1));
    part.labels.push((VertexId(1), Labels::default()));
    BulkBuilder::new(folder(&SimDisk::new(1)), 1 << 20).push(&mut part).unwrap();
    assert!(part.vertices.is_empty() && part.edges.is_empty());
    assert_eq!((part.deleted_vertices.len(), part.labels.len()), (1, 1));
}

#[test]
fn a_disk_that_fills_while_spilling_fails_the_load_and_leaves_no_file() {
    let (parts, _) = random_parts(&mut SimNumbers::new(2), Ids::Given);
    let mut failed = 0;
    for writes in 0..12 {
        let disk = SimDisk::new(writes);
        disk.full_after(writes);
        let Err(error) = load(&disk, &parts, 1000) else { continue };
        assert!(matches!(error, BulkError::Store(Error::DiskFull { .. })), "{error}");
        assert_eq!(disk.files(), []);
        failed += 1;
    }
    assert!(failed > 6, "only {failed} loads ran into the full disk");
}

#[test]
fn damage_in_the_temporary_file_fails_the_load() {
    let (parts, _) = random_parts(&mut SimNumbers::new(2), Ids::Given);
    let disk = SimDisk::new(1);
    let mut builder = BulkBuilder::new(folder(&disk), 1000);
    for part in &parts {
        builder.push(&mut part.clone()).unwrap();
    }
    let (path, length) = disk.files().pop().expect("the load spilled");
    disk.flip_bit(&path, length / 2, 3);
    let error = builder.finish(&mut OneVertex::default()).unwrap_err();
    assert!(matches!(error, BulkError::Store(Error::Corrupt { .. })), "{error}");
}

#[test]
fn transaction_layers_of_a_load_merge_over_the_base_of_another() {
    let (parts, expected) = random_parts(&mut SimNumbers::new(5), Ids::Assigned);
    let bases = load(&SimDisk::new(1), &parts, 1 << 30).unwrap();
    let edges = EdgeBlock {
        edge_type: EdgeTypeId(0),
        sources: vec![VertexId(vertex(1)); 3],
        targets: vec![VertexId(vertex(2)), VertexId(OLD_VERTEX), VertexId(vertex(1))],
        ..EdgeBlock::default()
    };
    let mut builder = BulkBuilder::new(folder(&SimDisk::new(2)), 1 << 20);
    builder.push(&mut Changes { edges: vec![edges], ..Changes::default() }).unwrap();
    // The target has the elements of the first load, and goes on with its runs.
    let mut graph = Grown(OneVertex { next_run: bases.next_run, ..OneVertex::default() });
    builder.finish(&mut graph).unwrap();
    let mut merged = bases.images;
    for (ordinal, layer) in graph.0.images {
        let base = merged.remove(&ordinal).unwrap_or_else(|| Image::empty(ordinal, LogPosition(0)));
        merged.insert(ordinal, Image::merge(&base, &layer, LogPosition(3)).unwrap());
    }
    assert_eq!(read(&merged).edges.len(), expected.edges.len() + 3);
}

/// A graph in which every vertex exists.
struct Grown(OneVertex);

impl LoadTarget for Grown {
    fn exist(&mut self, vertices: &[VertexId]) -> millrace_model::Result<Bits> {
        Ok(vertices.iter().map(|_| true).collect())
    }

    fn lease_runs(&mut self, ordinal: u32, runs: u32) -> millrace_model::Result<Range<u32>> {
        self.0.lease_runs(ordinal, runs)
    }

    fn take(&mut self, image: Image) -> millrace_model::Result<()> {
        self.0.take(image)
    }
}

#[test]
fn a_spill_file_reads_back_and_every_flipped_or_missing_bit_is_reported() {
    let disk = SimDisk::new(1);
    let folder = folder(&disk);
    let part = b"the part of a large transaction".to_vec();
    let name = write_spill_file(&folder, GraphId(2), &part).unwrap();
    let file = folder.disk().open(&folder.path_of(name)).unwrap();
    let read = |name: FileName| read_spill_file(&folder, name, GraphId(2));
    assert_eq!(read(name).unwrap(), part);
    assert!(matches!(read_spill_file(&folder, name, GraphId(3)), Err(Error::Corrupt { .. })));
    let length = file.size().unwrap();
    for offset in 0..length {
        for bit in 0..8 {
            disk.flip_bit(file.path(), offset, bit);
            assert!(matches!(read(name), Err(Error::Corrupt { .. })), "byte {offset} bit {bit}");
            disk.flip_bit(file.path(), offset, bit);
        }
    }
    for length in (0..length).chain([length + 1]) {
        file.set_size(length).unwrap();
        assert!(matches!(read(name), Err(Error::Corrupt { .. })), "{length} bytes");
    }
}

#[test]
fn a_spill_file_survives_power_loss_once_it_and_its_name_are_synced() {
    let disk = SimDisk::new(7);
    let first = folder(&disk);
    let part: Vec<u8> = (0..20_000u32).flat_map(u32::to_le_bytes).collect();
    let name = write_durable_spill_file(&first, GraphId(2), &part).unwrap();
    first.sync().unwrap();
    disk.power_loss();
    drop(first);
    let folder = folder(&disk);
    assert_eq!(folder.names(FileKind::Spill).unwrap(), [name]);
    assert_eq!(read_spill_file(&folder, name, GraphId(2)).unwrap(), part);
}
