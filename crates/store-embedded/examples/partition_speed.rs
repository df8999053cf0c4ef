//! How fast the live partition is: single-edge commits, a hop over a clean frontier, its locks.
//!
//! `cargo run --release -p millrace-store-embedded --example partition_speed`. The figures in
//! `docs/decisions/` come from here. One thread, one million vertices in 16 partitions.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Instant;

use millrace_model::{
    Column, ColumnValues, Direction, EdgeId, EdgeTypeId, KeyId, LogPosition, VertexId,
};
use millrace_store::{Changes, EdgeBlock, Neighbours, Run};
use millrace_store_embedded::live::{Commit, Partitions, route};
use millrace_store_embedded::persistent::image::{EdgeRows, ImageBuilder};

/// The allocator of the program; the tails of lists are many small allocations.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const VERTICES: u64 = 1 << 20;
const PARTITIONS: u32 = 16;
const GROUP_COMMITS: usize = 1_000;
const INSERTS: usize = 4_000_000;
const DEGREE: usize = 16;
const LIKES: EdgeTypeId = EdgeTypeId(0);
const WEIGHT: KeyId = KeyId(0);

fn main() {
    inserts();
    let (partitions, plain) = loaded();
    let sorted: Vec<VertexId> = (0..VERTICES).map(VertexId).collect();
    let mut random = Random(7);
    let scattered: Vec<VertexId> = (0..VERTICES).map(|_| VertexId(random.vertex())).collect();
    let mut every_third = scattered.clone();
    every_third.truncate(VERTICES as usize / 3);
    every_third.sort_unstable();
    for (name, frontier) in
        [("all, by id", &sorted), ("a third, by id", &every_third), ("in any order", &scattered)]
    {
        hop(&partitions, &plain, name, frontier);
    }
    modified(&partitions, &sorted);
    locks(&partitions);
}

struct Random(u64);

impl Random {
    fn vertex(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) % VERTICES
    }
}

/// One commit for each edge, in commit groups as they form during a sync.
fn inserts() {
    let partitions = Partitions::default();
    let (mut random, mut at) = (Random(1), 0);
    let (mut routing, mut applying) = (Vec::new(), Vec::new());
    for _ in 0..INSERTS / GROUP_COMMITS {
        let group: Vec<Changes> =
            (0..GROUP_COMMITS).map(|_| edge(&partitions, &mut random)).collect();
        let commits: Vec<Commit<'_>> = group
            .iter()
            .map(|changes| {
                at += 1;
                Commit::new(LogPosition(at), changes)
            })
            .collect();
        let begin = Instant::now();
        let parts = route(&commits);
        routing.push(begin.elapsed().as_secs_f64());
        let begin = Instant::now();
        for part in &parts {
            partitions.get_or_create(part.ordinal).apply(&commits, part).expect("no file is read");
        }
        applying.push(begin.elapsed().as_secs_f64());
    }
    let bytes: usize = partitions.iter().map(|partition| partition.byte_size()).sum();
    let (routing, applying) = (median(routing), median(applying));
    println!(
        "inserts: {:.2} M edges/s (routing {:.0} ns, applying {:.0} ns an edge), {} B an edge",
        GROUP_COMMITS as f64 / (routing + applying) / 1e6,
        routing / GROUP_COMMITS as f64 * 1e9,
        applying / GROUP_COMMITS as f64 * 1e9,
        bytes / INSERTS,
    );
    let begin = Instant::now();
    let images: Vec<_> =
        partitions.iter().map(|partition| partition.image_at(LogPosition(at))).collect();
    let making = begin.elapsed().as_secs_f64() / f64::from(PARTITIONS);
    let begin = Instant::now();
    for (partition, image) in partitions.iter().zip(images) {
        partition.install_base(Arc::new(image.expect("no file is read")));
    }
    let installing = begin.elapsed().as_secs_f64() / f64::from(PARTITIONS);
    println!(
        "checkpoint of a partition: image {:.0} ms, install {:.1} ms",
        making * 1e3,
        installing * 1e3
    );
}

fn edge(partitions: &Partitions, random: &mut Random) -> Changes {
    let (source, target) = (random.vertex(), random.vertex());
    let mut id = EdgeId(0);
    let ordinal = (source >> 16) as u32;
    partitions.lease_edges(ordinal, LIKES, 1, |edge| id = edge).expect("slots are left");
    let weight = Column::of(ColumnValues::F64(vec![source as f64]));
    let edges = EdgeBlock {
        edge_type: LIKES,
        ids: vec![id],
        sources: vec![VertexId(source)],
        targets: vec![VertexId(target)],
        properties: vec![(WEIGHT, weight)],
    };
    Changes { edges: vec![edges], ..Changes::default() }
}

/// The same random graph as base images and as plain arrays.
fn loaded() -> (Partitions, Plain) {
    let partitions = Partitions::default();
    let mut random = Random(3);
    let mut plain = Plain { offsets: vec![0], neighbours: Vec::new() };
    for ordinal in 0..PARTITIONS {
        let (mut sources, mut targets) = (Vec::new(), Vec::new());
        for local in 0..=u16::MAX {
            let mut list: Vec<u32> = (0..DEGREE).map(|_| random.vertex() as u32).collect();
            list.sort_unstable();
            sources.extend(std::iter::repeat_n(local, DEGREE));
            plain.neighbours.extend_from_slice(&list);
            plain.offsets.push(plain.neighbours.len() as u32);
            targets.extend(list);
        }
        let slots: Vec<u32> = (0..sources.len() as u32).collect();
        let mut builder = ImageBuilder::new();
        let rows = EdgeRows { sources: &sources, targets: &targets, slots: &slots };
        builder.edges(LIKES, rows);
        let image = builder.finish(ordinal, LogPosition(1)).expect("a small section");
        assert!(partitions.open(Arc::new(image)), "an ordinal comes once");
    }
    (partitions, plain)
}

struct Plain {
    offsets: Vec<u32>,
    neighbours: Vec<u32>,
}

fn hop(partitions: &Partitions, plain: &Plain, name: &str, frontier: &[VertexId]) {
    let limit = best(|| {
        let mut sum = 0u64;
        for vertex in frontier {
            let place = vertex.0 as usize;
            let list = plain.offsets[place] as usize..plain.offsets[place + 1] as usize;
            sum += plain.neighbours[list].iter().map(|id| u64::from(*id)).sum::<u64>();
        }
        sum
    });
    let own = best(|| sum(partitions, frontier));
    let degrees = best(|| {
        let mut degrees = Vec::with_capacity(frontier.len());
        let types = Some(&[LIKES][..]);
        partitions
            .degrees(LogPosition(9), frontier, types, Direction::Out, &mut degrees)
            .expect("no file is read");
        degrees.iter().sum()
    });
    let per = |seconds: f64| seconds / frontier.len() as f64 * 1e9;
    println!(
        "hop, {name}: {:.1} ns a row ({:.1} ns in plain arrays), degree {:.1} ns",
        per(own),
        per(limit),
        per(degrees),
    );
}

fn sum(partitions: &Partitions, frontier: &[VertexId]) -> u64 {
    let mut sum = 0u64;
    let mut sink = |_: usize, run: Run<'_>| {
        if let Neighbours::Narrow(ids) = run.neighbours {
            sum += ids.iter().map(|id| u64::from(*id)).sum::<u64>();
        }
        ControlFlow::Continue(())
    };
    partitions
        .expand(LogPosition(9), frontier, Some(&[LIKES]), Direction::Out, &mut sink)
        .expect("no file is read");
    sum
}

/// The same hop when one vertex in a hundred has a tail.
fn modified(partitions: &Partitions, frontier: &[VertexId]) {
    let mut random = Random(11);
    let group: Vec<Changes> = (0..VERTICES / 100).map(|_| edge(partitions, &mut random)).collect();
    let commits: Vec<Commit<'_>> =
        group.iter().map(|changes| Commit::new(LogPosition(5), changes)).collect();
    for part in route(&commits) {
        partitions.get_or_create(part.ordinal).apply(&commits, &part).expect("no file is read");
    }
    let own = best(|| sum(partitions, frontier));
    println!("hop, all, 1 % modified: {:.1} ns a row", own / frontier.len() as f64 * 1e9);
}

/// A frontier of one row, over and over: lock, root, lane and sink each time.
fn locks(partitions: &Partitions) {
    let rows: Vec<VertexId> = (0..1 << 20).map(|row: u64| VertexId(row & 7)).collect();
    let apart = best(|| rows.chunks(1).map(|row| sum(partitions, row)).sum());
    let together = best(|| sum(partitions, &rows));
    let chunk = (apart - together) / rows.len() as f64 * 1e9;
    println!("a chunk: {chunk:.0} ns beyond its rows, for lock, root and lane");
}

/// The median group: other processes on the machine disturb some groups and not it.
fn median(mut times: Vec<f64>) -> f64 {
    times.sort_unstable_by(f64::total_cmp);
    times[times.len() / 2]
}

/// The best of seven.
fn best(mut run: impl FnMut() -> u64) -> f64 {
    let times = (0..7).map(|_| {
        let begin = Instant::now();
        std::hint::black_box(run());
        begin.elapsed().as_secs_f64()
    });
    times.fold(f64::INFINITY, f64::min)
}
