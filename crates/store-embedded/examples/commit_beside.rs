//! Small commits beside a large transaction:
//! `cargo run --release -p millrace-store-embedded --example commit_beside -- FOLDER EDGES`.
//!
//! An open model: 1,000 one-edge commits a second, each timed from the moment it was meant to begin
//! to the moment it is visible, while a transaction of 10 million edges is built, committed and
//! merged. A commit that begins late because the one before it hung is timed from when it should
//! have begun.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use millrace_model::{EdgeTypeId, Result, VertexId};
use millrace_store::transaction::Transaction;
use millrace_store::{
    Backend, Changes, EdgeBlock, Isolation, Labels, NameKind, Store, Ticket, VertexBlock,
    WriteBatch,
};
use millrace_store_embedded::{EmbeddedBackend, Options};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const VERTICES: u64 = 1_000_000;
const RATE: u32 = 1_000;
const STATEMENT_EDGES: u64 = 10_000;
const PHASES: [&str; 5] =
    ["alone", "large transaction built", "out-of-line commit", "checkpoint", "end"];

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let parent = arguments.next().map_or_else(std::env::temp_dir, PathBuf::from);
    let edges = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(10_000_000);
    let folder = parent.join(format!("millrace-commit-beside-{}", std::process::id()));
    let backend = EmbeddedBackend::open(&folder, Options::default())?;
    let store = backend.create_graph("beside")?;
    let likes = EdgeTypeId(store.intern(&[(NameKind::EdgeType, "LIKES")])?[0]);
    let first = load(&*store)?;
    let phase = AtomicUsize::new(0);
    let mut latencies = vec![Vec::new(); PHASES.len()];
    std::thread::scope(|threads| -> Result<()> {
        let (send, tickets) = mpsc::channel();
        let (store, phase) = (&store, &phase);
        let writer = threads.spawn(move || write(&**store, (likes, first), phase, &send));
        let latencies = &mut latencies;
        let waiter = threads.spawn(move || -> Result<()> {
            for (meant, phase, ticket) in tickets {
                let ticket: Ticket = ticket;
                ticket.wait()?;
                latencies[phase].push(Instant::now() - meant);
            }
            Ok(())
        });
        std::thread::sleep(Duration::from_secs(3));
        let outcome = run_out_of_line(&*backend, store, (likes, first), edges, phase);
        phase.store(PHASES.len() - 1, Ordering::Relaxed);
        writer.join().expect("the writer does not panic")?;
        waiter.join().expect("the waiter does not panic")?;
        outcome
    })?;
    for (name, latencies) in PHASES.iter().zip(&mut latencies).take(PHASES.len() - 1) {
        report(name, latencies);
    }
    println!("peak memory {} MB", peak_kb() / 1024);
    drop((store, backend));
    std::fs::remove_dir_all(&folder).expect("the folder is ours");
    Ok(())
}

fn run_out_of_line(
    backend: &dyn Backend,
    store: &Arc<dyn Store>,
    (likes, first): (EdgeTypeId, u64),
    edges: u64,
    phase: &AtomicUsize,
) -> Result<()> {
    phase.store(1, Ordering::Relaxed);
    let started = Instant::now();
    let transaction = Transaction::begin(Arc::clone(store), Isolation::Snapshot)?;
    let mut random = 42;
    for _ in 0..edges / STATEMENT_EDGES {
        let mut ends = || (0..STATEMENT_EDGES).map(|_| vertex(&mut random, first)).collect();
        let (sources, targets): (Vec<VertexId>, Vec<VertexId>) = (ends(), ends());
        transaction.create_edges(likes, &sources, &targets, &[])?;
    }
    println!("built in {:.1} s, {} MB", started.elapsed().as_secs_f64(), peak_kb() / 1024);
    phase.store(2, Ordering::Relaxed);
    let started = Instant::now();
    transaction.commit()?.wait()?;
    println!("committed in {:.1} s, {} MB", started.elapsed().as_secs_f64(), peak_kb() / 1024);
    phase.store(3, Ordering::Relaxed);
    let started = Instant::now();
    backend.checkpoint()?;
    println!("checkpoint in {:.1} s", started.elapsed().as_secs_f64());
    Ok(())
}

/// Commits at the rate until the last phase begins.
fn write(
    store: &dyn Store,
    (likes, first): (EdgeTypeId, u64),
    phase: &AtomicUsize,
    send: &mpsc::Sender<(Instant, usize, Ticket)>,
) -> Result<()> {
    let (began, mut random) = (Instant::now(), 7);
    for turn in 0.. {
        let meant = began + Duration::from_secs(1) * turn / RATE;
        std::thread::sleep(meant.saturating_duration_since(Instant::now()));
        let phase = phase.load(Ordering::Relaxed);
        if phase == PHASES.len() - 1 {
            break;
        }
        let (sources, targets) =
            (vec![vertex(&mut random, first)], vec![vertex(&mut random, first)]);
        let ids = store.lease_edges(likes, &sources)?;
        let edges =
            vec![EdgeBlock { edge_type: likes, ids, sources, targets, properties: Vec::new() }];
        let changes = Changes { edges, ..Changes::default() };
        let snapshot = store.snapshot()?.position();
        let ticket = store.commit(WriteBatch { snapshot, changes, ..WriteBatch::default() })?;
        let _ = send.send((meant, phase, ticket));
    }
    Ok(())
}

fn load(store: &dyn Store) -> Result<u64> {
    let ids = store.lease_vertices(VERTICES)?.remove(0);
    let first = ids.start;
    let (labels, ids) = (Labels::from([]), ids.map(VertexId).collect());
    let vertices = vec![VertexBlock { labels, ids, properties: Vec::new() }];
    let mut load = store.begin_bulk_load()?;
    load.push(Changes { vertices, ..Changes::default() })?;
    load.finish()?;
    Ok(first)
}

fn vertex(random: &mut u64, first: u64) -> VertexId {
    *random ^= *random << 13;
    *random ^= *random >> 7;
    *random ^= *random << 17;
    VertexId(first + *random % VERTICES)
}

fn report(name: &str, latencies: &mut [Duration]) {
    latencies.sort_unstable();
    let at = |share: f64| {
        let index = (latencies.len() as f64 * share) as usize;
        latencies.get(index.min(latencies.len().saturating_sub(1))).copied().unwrap_or_default()
    };
    let ms = |latency: Duration| latency.as_secs_f64() * 1e3;
    println!(
        "{name:<24} {:>6} commits, p50 {:>7.2} p99 {:>7.2} p99.9 {:>7.2} longest {:>7.2} ms",
        latencies.len(),
        ms(at(0.5)),
        ms(at(0.99)),
        ms(at(0.999)),
        ms(at(1.0)),
    );
}

/// The most memory this process ever held.
fn peak_kb() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    peak.and_then(|text| text.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}
