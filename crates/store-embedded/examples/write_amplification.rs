//! Bytes that random single-edge inserts write to segments: `cargo run --release -p
//! millrace-store-embedded --example write_amplification [-- FOLDER [VERTICES DEGREE INSERTS]]`.
//!
//! It runs twice: with every checkpoint a merge, as with `merge_percent` 0, and with delta layers.
//! Bytes of the log are not counted; each commit writes those anyway.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::time::Instant;

use millrace_model::{EdgeTypeId, Result, VertexId};
use millrace_store::{
    Backend, Changes, EdgeBlock, Labels, NameKind, Store, Ticket, VertexBlock, WriteBatch,
};
use millrace_store_embedded::{EmbeddedBackend, Options};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const LOAD_PART: u64 = 1_000_000;
const IN_FLIGHT: usize = 1_024;

struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % bound
    }
}

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let parent = arguments.next().map_or_else(std::env::temp_dir, PathBuf::from);
    let mut number = |default: u64| {
        arguments.next().map_or(default, |text| text.parse().expect("a whole number"))
    };
    let (vertices, degree, inserts) = (number(1 << 20), number(20), number(4_000_000));
    for merge_percent in [0, Options::default().merge_percent] {
        let folder = parent.join(format!("millrace-amplification-{}", std::process::id()));
        let options = Options { merge_percent, id_block_size: vertices, ..Options::default() };
        let backend = EmbeddedBackend::open(&folder, options)?;
        let store = backend.create_graph("graph")?;
        let likes = EdgeTypeId(store.intern(&[(NameKind::EdgeType, "LIKES")])?[0]);
        let first = load(&*store, likes, vertices, degree)?;
        backend.checkpoint()?;
        let before = metrics(&backend);
        let (cpu, started) = (cpu_seconds(), Instant::now());
        insert(&*store, likes, (first, vertices), inserts)?;
        backend.checkpoint()?;
        let after = metrics(&backend);
        let of = |place: usize| after[place] - before[place];
        println!(
            "merge_percent {merge_percent:2}: {inserts} inserts, {} checkpoints, {:.1} bytes of \
             log and {:.1} of segments a commit, {:.1} s of CPU in {:.1} s",
            of(0),
            of(1) / inserts as f64,
            of(2) / inserts as f64,
            cpu_seconds() - cpu,
            started.elapsed().as_secs_f64(),
        );
        drop((store, backend));
        let started = Instant::now();
        drop(EmbeddedBackend::open(&folder, options)?);
        println!("    opened again in {:.2} s", started.elapsed().as_secs_f64());
        std::fs::remove_dir_all(&folder).expect("the folder is ours");
    }
    Ok(())
}

fn metrics(backend: &EmbeddedBackend) -> [f64; 3] {
    let metrics = backend.metrics();
    let of = |name: &str| metrics.iter().find(|(own, ..)| *own == name).map_or(0.0, |own| own.2);
    [
        of("millrace_checkpoints_total"),
        of("millrace_log_written_bytes_total"),
        of("millrace_segment_written_bytes_total"),
    ]
}

/// CPU time of this process so far, where the system tells.
fn cpu_seconds() -> f64 {
    let Ok(text) = std::fs::read_to_string("/proc/self/stat") else { return f64::NAN };
    let fields: Vec<&str> = text.rsplit(')').next().unwrap_or("").split_whitespace().collect();
    let ticks = |field: usize| fields.get(field).and_then(|text| text.parse::<f64>().ok());
    (ticks(11).unwrap_or(f64::NAN) + ticks(12).unwrap_or(f64::NAN)) / 100.0
}

fn load(store: &dyn Store, likes: EdgeTypeId, vertices: u64, degree: u64) -> Result<u64> {
    let ids = store.lease_vertices(vertices)?.remove(0);
    let (first, ids) = (ids.start, ids.map(VertexId).collect());
    let block = VertexBlock { labels: Labels::from([]), ids, properties: Vec::new() };
    let mut load = store.begin_bulk_load()?;
    load.push(Changes { vertices: vec![block], ..Changes::default() })?;
    let mut random = Random(55);
    for _ in 0..(vertices * degree).div_ceil(LOAD_PART) {
        let mut end = |_| VertexId(first + random.below(vertices));
        let sources = (0..LOAD_PART).map(&mut end).collect();
        let targets = (0..LOAD_PART).map(&mut end).collect();
        let (ids, properties) = (Vec::new(), Vec::new());
        let block = EdgeBlock { edge_type: likes, ids, sources, targets, properties };
        load.push(Changes { edges: vec![block], ..Changes::default() })?;
    }
    load.finish()?;
    Ok(first)
}

fn insert(
    store: &dyn Store,
    likes: EdgeTypeId,
    (first, vertices): (u64, u64),
    count: u64,
) -> Result<()> {
    let mut random = Random(77);
    let mut tickets: VecDeque<Ticket> = VecDeque::new();
    for _ in 0..count {
        let mut end = || vec![VertexId(first + random.below(vertices))];
        let (sources, targets) = (end(), end());
        let ids = store.lease_edges(likes, &sources)?;
        let properties = Vec::new();
        let block = EdgeBlock { edge_type: likes, ids, sources, targets, properties };
        let changes = Changes { edges: vec![block], ..Changes::default() };
        let snapshot = store.snapshot()?.position();
        let batch = WriteBatch { snapshot, changes, ..WriteBatch::default() };
        tickets.push_back(store.commit(batch)?);
        if IN_FLIGHT < tickets.len() {
            tickets.pop_front().expect("there are some").wait()?;
        }
    }
    tickets.iter().try_for_each(|ticket| ticket.wait().map(|_| ()))
}
