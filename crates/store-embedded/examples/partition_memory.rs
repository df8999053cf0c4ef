//! Memory and speed of a partition: `cargo run --release -p
//! millrace-store-embedded --example partition_memory [thousands of vertices] [plain]`.
//!
//! A graph of degree 100 as a bulk load leaves it, both directions modified; then single-edge
//! commits with random ends, five for each vertex. It prints the counted bytes and those of the
//! process (RssAnon) for each edge; CPU time of an apply for each edge; a sweep over all lists,
//! clean and after one insert for each vertex; how long an install keeps others waiting; and the
//! bytes copied by deleting a hub. One thread, but for the install, beside which another thread
//! applies.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use millrace_model::{
    Column, ColumnValues, Direction, EdgeId, EdgeTypeId, KeyId, LogPosition, VertexId,
};
use millrace_store::{Changes, EdgeBlock, EdgeEnds, Neighbours, Run};
use millrace_store_embedded::live::{Commit, Partitions, PinnedSnapshots, route};
use millrace_store_embedded::persistent::image::{EdgeRows, ImageBuilder, IncomingRows};

/// The allocator of the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const DEGREE: u64 = 100;
const GROUP_COMMITS: u64 = 1_000;
const LIKES: EdgeTypeId = EdgeTypeId(0);
const WEIGHT: KeyId = KeyId(0);

fn main() {
    let mut args = std::env::args().skip(1);
    let thousands: u64 = args.next().map_or(262, |count| count.parse().expect("a number"));
    let weighted = args.next().is_none();
    let empty = rss_anon();
    let mut bench = Bench::loaded((thousands * 1_000) >> 16, weighted);
    let edges = bench.vertices * DEGREE;
    bench.report("loaded", empty, edges);
    let clean = bench.sweep();
    bench.insert(bench.vertices);
    bench.report("after 1 insert for each vertex", empty, edges + bench.vertices);
    let dirty = bench.sweep();
    println!("scan.dirty: {:.2} × clean ({clean:.1} ns a row)", dirty / clean);
    let cpu = bench.insert(4 * bench.vertices);
    println!("apply: {cpu:.0} ns CPU for each edge, both directions, routing included");
    bench.report("after 5 inserts for each vertex", empty, edges + 5 * bench.vertices);
    bench.installs();
    bench.report("checkpointed", empty, edges + 5 * bench.vertices);
    drop(bench);
    hub();
}

struct Bench {
    partitions: Partitions,
    vertices: u64,
    at: u64,
    random: Random,
    weighted: bool,
}

struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) % bound
    }
}

impl Bench {
    /// Ends so that every vertex has as many edges out as in, and no list is a range.
    fn loaded(partitions: u64, weighted: bool) -> Bench {
        let vertices = partitions << 16;
        let far = |vertex: u64, edge: u64| (vertex * 31 + edge * 104_729) % vertices;
        let mut incoming = vec![(Vec::new(), Vec::new(), Vec::new()); partitions as usize];
        for vertex in 0..vertices {
            for edge in 0..DEGREE {
                let target = far(vertex, edge);
                let (targets, sources, slots): &mut (Vec<u16>, Vec<u32>, Vec<u32>) =
                    &mut incoming[(target >> 16) as usize];
                targets.push(target as u16);
                sources.push(vertex as u32);
                slots.push(((vertex & 0xffff) * DEGREE + edge) as u32);
            }
        }
        let table = Partitions::default();
        for (ordinal, (into, from, in_slots)) in incoming.into_iter().enumerate() {
            let first = (ordinal as u64) << 16;
            let mut targets: Vec<u32> = Vec::with_capacity((DEGREE << 16) as usize);
            let mut sources: Vec<u16> = Vec::with_capacity((DEGREE << 16) as usize);
            for vertex in first..first + (1 << 16) {
                let mut list: Vec<u32> = (0..DEGREE).map(|e| far(vertex, e) as u32).collect();
                list.sort_unstable();
                targets.extend(list);
                sources.extend(std::iter::repeat_n(vertex as u16, DEGREE as usize));
            }
            let slots: Vec<u32> = (0..targets.len() as u32).collect();
            let mut builder = ImageBuilder::new();
            builder.edges(LIKES, EdgeRows { sources: &sources, targets: &targets, slots: &slots });
            let rows = IncomingRows { targets: &into, sources: &from, slots: &in_slots };
            builder.incoming(LIKES, rows);
            if weighted {
                let weights = slots.iter().map(|slot| f64::from(*slot)).collect();
                builder.edge_values(LIKES, WEIGHT, &slots, &Column::of(ColumnValues::F64(weights)));
            }
            let image = builder.finish(ordinal as u32, LogPosition(1)).expect("a small section");
            assert!(table.open(Arc::new(image)), "an ordinal comes once");
        }
        Bench { partitions: table, vertices, at: 1, random: Random(7), weighted }
    }

    fn report(&self, when: &str, empty: usize, edges: u64) {
        let counted: usize = self.partitions.iter().map(|partition| partition.byte_size()).sum();
        let real = rss_anon() - empty;
        println!(
            "{when}: {:.1} B an edge counted, {:.1} B in the process: ratio {:.3}",
            counted as f64 / edges as f64,
            real as f64 / edges as f64,
            real as f64 / counted as f64,
        );
    }

    fn group(&mut self, count: u64) -> Vec<Changes> {
        (0..count).map(|_| self.edge()).collect()
    }

    fn edge(&mut self) -> Changes {
        let (source, target) = (self.random.below(self.vertices), self.random.below(self.vertices));
        let mut id = EdgeId(0);
        let ordinal = (source >> 16) as u32;
        self.partitions.lease_edges(ordinal, LIKES, 1, |edge| id = edge).expect("slots are left");
        let weight = Column::of(ColumnValues::F64(vec![source as f64]));
        let edges = EdgeBlock {
            edge_type: LIKES,
            ids: vec![id],
            sources: vec![VertexId(source)],
            targets: vec![VertexId(target)],
            properties: if self.weighted { vec![(WEIGHT, weight)] } else { Vec::new() },
        };
        Changes { edges: vec![edges], ..Changes::default() }
    }

    /// One commit for each edge; nanoseconds of CPU for each.
    fn insert(&mut self, edges: u64) -> f64 {
        let mut busy = Duration::ZERO;
        for _ in 0..edges / GROUP_COMMITS {
            let group = self.group(GROUP_COMMITS);
            let begin = cpu_time();
            self.apply(&group);
            busy += cpu_time() - begin;
        }
        busy.as_nanos() as f64 / edges as f64
    }

    fn apply(&mut self, group: &[Changes]) {
        let commits: Vec<Commit<'_>> = group
            .iter()
            .zip(self.at + 1..)
            .map(|(changes, at)| Commit::new(LogPosition(at), changes))
            .collect();
        self.partitions.pin(PinnedSnapshots::since(LogPosition(self.at)));
        for part in route(&commits) {
            let partition = self.partitions.get_or_create(part.ordinal);
            partition.apply(&commits, &part).expect("no file is read");
        }
        self.at += group.len() as u64;
    }

    /// Nanoseconds of CPU for each row of a sweep over all lists, both directions: the best of
    /// five.
    fn sweep(&self) -> f64 {
        let frontier: Vec<VertexId> = (0..self.vertices).map(VertexId).collect();
        let sweep = |direction| {
            let mut sum = 0u64;
            let mut sink = |_: usize, run: Run<'_>| {
                if let Neighbours::Narrow(ids) = run.neighbours {
                    sum += ids.iter().map(|id| u64::from(*id)).sum::<u64>();
                }
                ControlFlow::Continue(())
            };
            self.partitions
                .expand(LogPosition(self.at), &frontier, Some(&[LIKES]), direction, &mut sink)
                .expect("no file is read");
            std::hint::black_box(sum);
        };
        let times = (0..5).map(|_| {
            let begin = cpu_time();
            sweep(Direction::Out);
            sweep(Direction::In);
            (cpu_time() - begin).as_nanos() as f64 / (2 * self.vertices) as f64
        });
        times.fold(f64::INFINITY, f64::min)
    }

    /// Checkpoints of all partitions while another thread applies: the longest an apply took, with
    /// and without them, and the time of the swap's lock.
    fn installs(&mut self) {
        let count = self.partitions.iter().count() as f64;
        let groups: Vec<Vec<Changes>> = (0..2_000).map(|_| self.group(20)).collect();
        let (done, mut waits) = (AtomicBool::new(false), Vec::new());
        let checkpoint = LogPosition(self.at);
        std::thread::scope(|threads| {
            let partitions = &self.partitions;
            let checkpoint = threads.spawn(|| {
                let begin = cpu_time();
                let mut installing = Duration::ZERO;
                for partition in partitions.iter() {
                    let image = Arc::new(partition.image_at(checkpoint).expect("no file is read"));
                    let begin = cpu_time();
                    partition.install_base(image);
                    installing += cpu_time() - begin;
                }
                done.store(true, Ordering::Relaxed);
                let all = (cpu_time() - begin).as_secs_f64() / count;
                println!(
                    "checkpoint of a partition: {:.0} ms CPU, of which install {:.1} ms",
                    all * 1e3,
                    installing.as_secs_f64() / count * 1e3
                );
            });
            for group in &groups {
                for changes in group {
                    self.at += 1;
                    let commits = [Commit::new(LogPosition(self.at), changes)];
                    for part in route(&commits) {
                        let partition = partitions.get_or_create(part.ordinal);
                        let begin = Instant::now();
                        partition.apply(&commits, &part).expect("no file is read");
                        waits.push((begin.elapsed(), done.load(Ordering::Relaxed)));
                    }
                }
                std::thread::sleep(Duration::from_micros(300));
            }
            checkpoint.join().expect("it does not panic");
        });
        self.partitions.iter().for_each(|partition| {
            partition.forget(&Arc::new(PinnedSnapshots::since(LogPosition(self.at))));
        });
        for (name, wanted) in [("beside it", false), ("after it", true)] {
            let mut own: Vec<Duration> =
                waits.iter().filter(|(_, done)| *done == wanted).map(|(wait, _)| *wait).collect();
            own.sort_unstable();
            if let Some(last) = own.last() {
                let most = own[own.len() * 999 / 1_000];
                println!("applies {name}: {} of them, p99.9 {most:?}, longest {last:?}", own.len());
            }
        }
    }
}

/// Deletes the edges of a hub of a million one by one.
fn hub() {
    const EDGES: u32 = 1_000_000;
    let targets: Vec<u32> = (0..EDGES).map(|edge| edge + 65_536).collect();
    let (sources, slots) = (vec![0u16; EDGES as usize], (0..EDGES).collect::<Vec<_>>());
    let mut builder = ImageBuilder::new();
    builder.edges(LIKES, EdgeRows { sources: &sources, targets: &targets, slots: &slots });
    let partitions = Partitions::default();
    assert!(partitions.open(Arc::new(builder.finish(0, LogPosition(1)).expect("a small section"))));
    let partition = partitions.get_or_create(0);
    let (mut left, mut random) = (slots, Random(3));
    for part in 1..=4 {
        let begin = cpu_time();
        let copied = partition.copied_bytes();
        for _ in 0..EDGES / 4 {
            let slot = left.swap_remove(random.below(left.len() as u64) as usize);
            let at = u64::from(EDGES) - left.len() as u64 + 1;
            let edge = EdgeEnds {
                edge: EdgeId(u64::from(slot)),
                edge_type: LIKES,
                source: VertexId(0),
                target: VertexId(u64::from(targets[slot as usize])),
            };
            let changes = Changes { deleted_edges: vec![edge], ..Changes::default() };
            let commits = [Commit::new(LogPosition(at), &changes)];
            partitions.pin(PinnedSnapshots::since(LogPosition(at - 1)));
            partition.apply(&commits, &route(&commits)[0]).expect("no file is read");
        }
        println!(
            "hub, quarter {part}: {:.0} ns CPU and {} bytes copied for each delete",
            (cpu_time() - begin).as_nanos() as f64 / f64::from(EDGES / 4),
            (partition.copied_bytes() - copied) / u64::from(EDGES / 4),
        );
    }
}

/// Anonymous memory of the process.
fn rss_anon() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").expect("this is Linux");
    let line = status.lines().find(|line| line.starts_with("RssAnon")).expect("it has the line");
    line.split_whitespace()
        .nth(1)
        .and_then(|kib| kib.parse().ok())
        .map_or(0, |kib: usize| kib << 10)
}

/// CPU time of this thread.
fn cpu_time() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").expect("this is Linux");
    let nanos = text.split_whitespace().next().and_then(|nanos| nanos.parse().ok());
    Duration::from_nanos(nanos.expect("a number of nanoseconds"))
}
