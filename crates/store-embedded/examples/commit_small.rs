//! The cost of a small commit, thread by thread:
//! `cargo run --release -p millrace-store-embedded --example commit_small -- FOLDER SECONDS
//! DEGREE`.
//!
//! One-edge transactions by tickets, 1,024 in flight from two clients, between random vertices of a
//! graph of a million vertices of the given degree, then all into one hub. CPU time is quoted for
//! each thread by name, since wall time on a shared machine says little; `other` are clients.

use std::collections::{BTreeMap, VecDeque};
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

const VERTICES: u64 = 1_000_000;
const HUB_EDGES: u64 = 1_000_000;
const IN_FLIGHT: usize = 1_024;
const CLIENTS: u64 = 2;
const LOAD_PART: u64 = 100_000;

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let parent = arguments.next().map_or_else(std::env::temp_dir, PathBuf::from);
    let mut number =
        |default| arguments.next().and_then(|text| text.parse().ok()).unwrap_or(default);
    let (span, degree) = (Duration::from_secs(number(10)), number(20));
    let folder = parent.join(format!("millrace-commit-small-{}", std::process::id()));
    let backend = EmbeddedBackend::open(&folder, Options::default())?;
    let store = backend.create_graph("small")?;
    let likes = EdgeTypeId(store.intern(&[(NameKind::EdgeType, "LIKES")])?[0]);
    let first = load(&*store, likes, degree)?;
    backend.checkpoint()?;
    for hub in [None, Some(VertexId(first))] {
        let before = Used::now(&*backend);
        let started = Instant::now();
        let commits = in_flight(&store, Edges::new(likes, first, hub), span)?;
        let seconds = started.elapsed().as_secs_f64();
        let name = if hub.is_some() { "commit.hub" } else { "commit.small" };
        println!("{name} {:.0} commits/s", commits as f64 / seconds);
        before.report(&Used::now(&*backend), commits as f64);
    }
    drop((store, backend));
    std::fs::remove_dir_all(&folder).expect("the folder is ours");
    Ok(())
}

/// A graph in which every vertex has `degree` edges, and the first of them a million more.
fn load(store: &dyn Store, likes: EdgeTypeId, degree: u64) -> Result<u64> {
    let ids = store.lease_vertices(VERTICES)?.remove(0);
    let first = ids.start;
    let (labels, ids) = (Labels::from([]), ids.map(VertexId).collect());
    let vertices = vec![VertexBlock { labels, ids, properties: Vec::new() }];
    let mut load = store.begin_bulk_load()?;
    load.push(Changes { vertices, ..Changes::default() })?;
    for hub in [None, Some(VertexId(first))] {
        let mut edges = Edges::new(likes, first, hub);
        let count = if hub.is_some() { HUB_EDGES } else { VERTICES * degree };
        for _ in 0..count / LOAD_PART {
            load.push(edges.changes(LOAD_PART, |_| Ok(Vec::new()))?)?;
        }
    }
    load.finish()?;
    Ok(first)
}

/// New edges between random vertices, or from them to a hub.
#[derive(Clone, Copy)]
struct Edges {
    likes: EdgeTypeId,
    first: u64,
    hub: Option<VertexId>,
    random: u64,
}

impl Edges {
    fn new(likes: EdgeTypeId, first: u64, hub: Option<VertexId>) -> Edges {
        Edges { likes, first, hub, random: 88_172_645_463_325_252 }
    }

    fn vertex(&mut self) -> VertexId {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        VertexId(self.first + self.random % VERTICES)
    }

    fn changes(
        &mut self,
        count: u64,
        lease: impl Fn(&[VertexId]) -> Result<Vec<millrace_model::EdgeId>>,
    ) -> Result<Changes> {
        let sources: Vec<VertexId> = (0..count).map(|_| self.vertex()).collect();
        let targets = (0..count).map(|_| self.hub.unwrap_or_else(|| self.vertex())).collect();
        let ids = lease(&sources)?;
        let edge_type = self.likes;
        let edges = vec![EdgeBlock { edge_type, ids, sources, targets, properties: Vec::new() }];
        Ok(Changes { edges, ..Changes::default() })
    }

    fn commit(&mut self, store: &dyn Store) -> Result<Ticket> {
        let likes = self.likes;
        let changes = self.changes(1, |sources| store.lease_edges(likes, sources))?;
        let snapshot = store.snapshot()?.position();
        store.commit(WriteBatch { snapshot, changes, ..WriteBatch::default() })
    }
}

fn in_flight(store: &Arc<dyn Store>, edges: Edges, span: Duration) -> Result<u64> {
    let started = Instant::now();
    let client = |number: u64| {
        let (store, mut edges) = (Arc::clone(store), edges);
        edges.random += number * 0x9e37_79b9_7f4a_7c15;
        let named = std::thread::Builder::new().name("client".to_string());
        let client = named.spawn(move || -> Result<u64> {
            let mut tickets: VecDeque<Ticket> = VecDeque::new();
            let mut count = 0;
            while started.elapsed() < span {
                while tickets.len() < IN_FLIGHT / CLIENTS as usize {
                    tickets.push_back(edges.commit(&*store)?);
                }
                // One wait answers for all that became visible with it.
                let oldest = tickets.front().expect("there are some");
                oldest.wait()?;
                let visible = oldest.watermark.visible();
                while tickets.front().is_some_and(|ticket| ticket.position <= visible) {
                    tickets.pop_front();
                    count += 1;
                }
            }
            Ok(count)
        });
        client.expect("there is room for a thread")
    };
    let clients: Vec<_> = (0..CLIENTS).map(client).collect();
    let counts = clients.into_iter().map(|client| client.join().expect("a client does not panic"));
    counts.sum()
}

/// Resources used by the process so far.
struct Used {
    /// Nanoseconds of CPU and bytes written, by thread name; the remainder of the whole is that of
    /// ended threads.
    threads: BTreeMap<String, (f64, f64)>,
    metrics: BTreeMap<&'static str, f64>,
}

impl Used {
    fn now(backend: &dyn Backend) -> Used {
        let mut threads = BTreeMap::new();
        for task in std::fs::read_dir("/proc/self/task").into_iter().flatten().flatten() {
            let read = |file: &str| std::fs::read_to_string(task.path().join(file));
            let (Ok(name), Ok(stat), Ok(io)) = (read("comm"), read("schedstat"), read("io")) else {
                continue;
            };
            let ns = stat.split_whitespace().next().and_then(|text| text.parse::<f64>().ok());
            let used: &mut (f64, f64) = threads.entry(name.trim().to_string()).or_default();
            *used = (used.0 + ns.unwrap_or(0.0), used.1 + written_bytes(&io));
        }
        let io = std::fs::read_to_string("/proc/self/io").unwrap_or_default();
        threads.insert("all".to_string(), (cpu_ns(), written_bytes(&io)));
        let metrics = backend.metrics().into_iter().map(|(name, _, value)| (name, value));
        Used { threads, metrics: metrics.collect() }
    }

    fn report(&self, after: &Used, commits: f64) {
        let line = |name: &str, (ns, bytes): (f64, f64)| {
            let (ns, bytes) = (ns / commits, bytes / commits);
            println!("  {name:<18} {ns:>8.0} ns {bytes:>8.0} bytes written a commit");
        };
        let mut rest = (0.0, 0.0);
        for (name, used) in &after.threads {
            let before = self.threads.get(name).copied().unwrap_or_default();
            let own = (used.0 - before.0, used.1 - before.1);
            if name == "all" {
                rest = (rest.0 + own.0, rest.1 + own.1);
            } else {
                rest = (rest.0 - own.0, rest.1 - own.1);
            }
            line(name, own);
        }
        line("client", rest);
        for name in ["millrace_checkpoints_total", "millrace_log_syncs_total"] {
            println!("  {name} {}", after.metrics[name] - self.metrics[name]);
        }
    }
}

fn written_bytes(io: &str) -> f64 {
    let written = io.lines().find_map(|line| line.strip_prefix("write_bytes: "));
    written.and_then(|text| text.parse().ok()).unwrap_or(f64::NAN)
}

/// CPU time of this process so far, ended threads included.
fn cpu_ns() -> f64 {
    let Ok(text) = std::fs::read_to_string("/proc/self/stat") else { return f64::NAN };
    let fields: Vec<&str> = text.rsplit(')').next().unwrap_or("").split_whitespace().collect();
    let ticks = |field: usize| fields.get(field).and_then(|text| text.parse::<f64>().ok());
    (ticks(11).unwrap_or(f64::NAN) + ticks(12).unwrap_or(f64::NAN)) * 1e7
}
