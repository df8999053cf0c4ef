//! How fast commits are: `cargo run --release -p millrace-store-embedded --example commit_speed`.
//!
//! Optional arguments: a folder on the disk to measure (a fresh folder is made in it), and the
//! seconds each row takes. Every row runs with durability `sync`, and its rate is bounded by the
//! disk's own sync, which is printed first.

use std::collections::VecDeque;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use millrace_model::{EdgeTypeId, Result, VertexId};
use millrace_store::{
    Backend, Changes, EdgeBlock, Labels, NameKind, Store, Ticket, VertexBlock, WriteBatch,
};
use millrace_store_embedded::{EmbeddedBackend, Options};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const VERTICES: u64 = 1 << 18;
const IN_FLIGHT: usize = 1_024;
const CLIENTS: u64 = 2;
const BATCH_EDGES: u64 = 1_000;
const LOAD_EDGES: u64 = 10_000_000;
const LOAD_PART: u64 = 100_000;

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let parent = arguments.next().map_or_else(std::env::temp_dir, PathBuf::from);
    let seconds: u64 = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(5);
    let span = Duration::from_secs(seconds);
    let folder = parent.join(format!("millrace-commit-speed-{}", std::process::id()));
    println!("sync of 4 KiB            {:>12.0} a second", syncs(&parent, span / 5));
    let backend = EmbeddedBackend::open(&folder, Options::default())?;
    let store = backend.create_graph("speed")?;
    let likes = EdgeTypeId(store.intern(&[(NameKind::EdgeType, "LIKES")])?[0]);
    let first = create_vertices(&*store)?;
    println!("one client, one edge     {:>12.0} commits/s", serial(&*store, likes, first, span)?);
    let cpu_before = cpu_seconds();
    let rate = in_flight(&store, likes, first, span)?;
    let cpu = (cpu_seconds() - cpu_before) / (rate * span.as_secs_f64()) * 1e6;
    println!("{IN_FLIGHT} in flight, one edge {rate:>11.0} commits/s, {cpu:.2} us of CPU each");
    let rate = batches(&*store, likes, first, span)?;
    println!("batches of 1,000 edges   {rate:>12.0} batches/s, {:.2} M edges/s", rate / 1_000.0);
    let started = Instant::now();
    backend.checkpoint()?;
    println!("checkpoint of it all     {:>12.2} s", started.elapsed().as_secs_f64());
    let rate = bulk_load(&*backend.create_graph("load")?)?;
    println!("bulk load                {:>12.2} M edges/s", rate / 1e6);
    for (name, _, value) in backend.metrics() {
        println!("  {name} {value}");
    }
    drop((store, backend));
    let started = Instant::now();
    drop(EmbeddedBackend::open(&folder, Options::default())?);
    println!("open and close again     {:>12.2} s", started.elapsed().as_secs_f64());
    std::fs::remove_dir_all(&folder).expect("the folder is ours");
    Ok(())
}

fn syncs(parent: &std::path::Path, span: Duration) -> f64 {
    let path = parent.join(format!("millrace-sync-speed-{}", std::process::id()));
    let mut file = std::fs::File::create(&path).expect("the folder is there");
    let (mut count, started) = (0, Instant::now());
    while started.elapsed() < span {
        file.write_all(&[7; 4096]).expect("there is room");
        file.sync_data().expect("it syncs");
        count += 1;
    }
    std::fs::remove_file(&path).expect("the file is ours");
    f64::from(count) / started.elapsed().as_secs_f64()
}

/// CPU time of this process so far, where the system tells; it does not depend on the neighbours.
fn cpu_seconds() -> f64 {
    let Ok(text) = std::fs::read_to_string("/proc/self/stat") else { return f64::NAN };
    let fields: Vec<&str> = text.rsplit(')').next().unwrap_or("").split_whitespace().collect();
    let ticks = |field: usize| fields.get(field).and_then(|text| text.parse::<f64>().ok());
    (ticks(11).unwrap_or(f64::NAN) + ticks(12).unwrap_or(f64::NAN)) / 100.0
}

fn create_vertices(store: &dyn Store) -> Result<u64> {
    let ids = store.lease_vertices(VERTICES)?.remove(0);
    let first = ids.start;
    let block = VertexBlock {
        labels: Labels::from([]),
        ids: ids.map(VertexId).collect(),
        properties: Vec::new(),
    };
    let changes = Changes { vertices: vec![block], ..Changes::default() };
    store.commit(batch(store, changes)?)?.wait()?;
    Ok(first)
}

fn batch(store: &dyn Store, changes: Changes) -> Result<WriteBatch> {
    let snapshot = store.snapshot()?.position();
    Ok(WriteBatch { snapshot, changes, ..WriteBatch::default() })
}

/// Edges between random vertices.
struct Edges<'a> {
    store: &'a dyn Store,
    likes: EdgeTypeId,
    first: u64,
    random: u64,
}

impl Edges<'_> {
    fn vertex(&mut self) -> VertexId {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        VertexId(self.first + self.random % VERTICES)
    }

    fn changes(&mut self, count: u64) -> Result<Changes> {
        let sources: Vec<VertexId> = (0..count).map(|_| self.vertex()).collect();
        let targets: Vec<VertexId> = (0..count).map(|_| self.vertex()).collect();
        let ids = self.store.lease_edges(self.likes, &sources)?;
        let block =
            EdgeBlock { edge_type: self.likes, ids, sources, targets, properties: Vec::new() };
        Ok(Changes { edges: vec![block], ..Changes::default() })
    }

    fn commit(&mut self, count: u64) -> Result<Ticket> {
        let changes = self.changes(count)?;
        self.store.commit(batch(self.store, changes)?)
    }
}

fn serial(store: &dyn Store, likes: EdgeTypeId, first: u64, span: Duration) -> Result<f64> {
    let mut edges = Edges { store, likes, first, random: 88_172_645_463_325_252 };
    let (mut count, started) = (0, Instant::now());
    while started.elapsed() < span {
        edges.commit(1)?.wait()?;
        count += 1;
    }
    Ok(f64::from(count) / started.elapsed().as_secs_f64())
}

fn in_flight(store: &Arc<dyn Store>, likes: EdgeTypeId, first: u64, span: Duration) -> Result<f64> {
    let started = Instant::now();
    let client = |number: u64| {
        let store = Arc::clone(store);
        std::thread::spawn(move || -> Result<u64> {
            let mut edges = Edges { store: &*store, likes, first, random: 77 + number };
            let mut tickets: VecDeque<Ticket> = VecDeque::new();
            let mut count = 0;
            while started.elapsed() < span {
                while tickets.len() < IN_FLIGHT / CLIENTS as usize {
                    tickets.push_back(edges.commit(1)?);
                }
                // One wait answers for all that became visible with it.
                let oldest = tickets.pop_front().expect("there are some");
                let visible = {
                    oldest.wait()?;
                    oldest.watermark.visible()
                };
                count += 1;
                while tickets.front().is_some_and(|ticket| ticket.position <= visible) {
                    tickets.pop_front();
                    count += 1;
                }
            }
            Ok(count)
        })
    };
    let clients: Vec<_> = (0..CLIENTS).map(client).collect();
    let mut total = 0;
    for client in clients {
        total += client.join().expect("a client does not panic")?;
    }
    Ok(total as f64 / started.elapsed().as_secs_f64())
}

fn batches(store: &dyn Store, likes: EdgeTypeId, first: u64, span: Duration) -> Result<f64> {
    let mut edges = Edges { store, likes, first, random: 99 };
    let mut tickets: VecDeque<Ticket> = VecDeque::new();
    let (mut count, started) = (0, Instant::now());
    while started.elapsed() < span {
        tickets.push_back(edges.commit(BATCH_EDGES)?);
        if 8 < tickets.len() {
            tickets.pop_front().expect("there are some").wait()?;
            count += 1;
        }
    }
    Ok(f64::from(count) / started.elapsed().as_secs_f64())
}

fn bulk_load(store: &dyn Store) -> Result<f64> {
    let likes = EdgeTypeId(store.intern(&[(NameKind::EdgeType, "LIKES")])?[0]);
    let ids = store.lease_vertices(VERTICES)?.remove(0);
    let first = ids.start;
    let block = VertexBlock {
        labels: Labels::from([]),
        ids: ids.map(VertexId).collect(),
        properties: Vec::new(),
    };
    let mut edges = Edges { store, likes, first, random: 55 };
    let mut load = store.begin_bulk_load()?;
    load.push(Changes { vertices: vec![block], ..Changes::default() })?;
    let started = Instant::now();
    for _ in 0..LOAD_EDGES / LOAD_PART {
        let sources = (0..LOAD_PART).map(|_| edges.vertex()).collect();
        let targets = (0..LOAD_PART).map(|_| edges.vertex()).collect();
        let (ids, properties) = (Vec::new(), Vec::new());
        let block = EdgeBlock { edge_type: likes, ids, sources, targets, properties };
        load.push(Changes { edges: vec![block], ..Changes::default() })?;
    }
    load.finish()?;
    Ok(LOAD_EDGES as f64 / started.elapsed().as_secs_f64())
}
