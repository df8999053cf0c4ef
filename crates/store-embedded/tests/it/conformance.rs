//! The suite that every backend passes, on this one: with threads on a real folder, and step by
//! step on a simulated machine; and random transactions compared with the memory store. Whatever a
//! case leaves on the simulated machine must pass the deep check, open and closed.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use millrace_model::{Bits, Column, KeyId, Value, VertexId};
use millrace_store::conformance::{self, ANOMALIES, Harness};
use millrace_store::memory::MemoryBackend;
use millrace_store::{Backend, Elements, Isolation, Labels, NameKind, Snapshot, Transaction};
use millrace_store_embedded::io::sim::SimDisk;
use millrace_store_embedded::maintenance::check::{check_folder, quiet};
use millrace_store_embedded::{EmbeddedBackend, Options, Step};

/// Small files, so that a case costs milliseconds, and the smallest table: whatever conflicts there
/// by chance must not be seen.
fn options() -> Options {
    let mut options = Options { conflict_bits: 8, ..Options::default() };
    options.log.first_file_bytes = 64 << 10;
    options.log.file_bytes = 256 << 10;
    options
}

struct Threaded {
    folder: tempfile::TempDir,
    options: Options,
    backend: Option<Arc<EmbeddedBackend>>,
}

impl Threaded {
    fn new(options: Options) -> Threaded {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let backend = Some(EmbeddedBackend::open(folder.path(), options).expect("it opens"));
        Threaded { folder, options, backend }
    }
}

impl Harness for Threaded {
    fn backend(&self) -> Arc<dyn Backend> {
        self.backend.clone().expect("it is open")
    }

    fn reopen(&mut self) {
        self.backend = None;
        let backend = EmbeddedBackend::open(self.folder.path(), self.options).expect("it reopens");
        self.backend = Some(backend);
    }
}

struct Stepped {
    disk: SimDisk,
    options: Options,
    backend: Option<Arc<EmbeddedBackend>>,
}

impl Stepped {
    fn new(seed: u64, options: Options) -> Stepped {
        let mut stepped = Stepped { disk: SimDisk::new(seed), options, backend: None };
        stepped.open();
        stepped
    }

    fn open(&mut self) {
        let machine = self.disk.machine(1);
        let folder: PathBuf = Path::new("/data").into();
        let backend = EmbeddedBackend::open_stepped(machine, &folder, self.options);
        self.backend = Some(backend.expect("it opens"));
    }
}

impl Stepped {
    fn check_and_close(&mut self) {
        let Some(backend) = self.backend.take() else { return };
        let report = backend.check(true, &mut quiet).expect("it can be looked at");
        assert_eq!(report.findings, [], "open");
        drop(backend);
        self.disk.process_kill();
        let machine = self.disk.machine(2);
        let report = check_folder(&machine, Path::new("/data"), true, &mut quiet);
        assert_eq!(report.expect("it can be looked at").findings, [], "closed");
    }
}

impl Drop for Stepped {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            self.check_and_close();
        }
    }
}

impl Harness for Stepped {
    fn backend(&self) -> Arc<dyn Backend> {
        self.backend.clone().expect("it is open")
    }

    fn reopen(&mut self) {
        self.check_and_close();
        self.disk.power_loss();
        self.open();
    }
}

#[test]
fn the_embedded_store_conforms_with_threads_on_a_real_folder() {
    conformance::run_all(&|| Box::new(Threaded::new(options())));
}

#[test]
fn the_embedded_store_conforms_step_by_step_and_across_power_losses() {
    conformance::run_all(&|| Box::new(Stepped::new(7, options())));
}

#[test]
fn commits_that_all_go_beside_the_log_conform_too() {
    // With a transaction layer for each edge, snapshots would become too old before they are used.
    for layer_rows_min in [4, 1 << 20] {
        let options = Options { out_of_line_bytes_min: 0, layer_rows_min, ..options() };
        conformance::run_all(&|| Box::new(Stepped::new(8, options)));
    }
}

#[test]
fn the_page_of_guarantees_says_what_the_backend_says() {
    let page = include_str!("../../../../docs/reference/store-guarantees.md");
    for (name, value) in Threaded::new(options()).backend().guarantees().rows() {
        assert!(page.contains(&format!("- {name}: {value}\n")), "{name} is {value}");
    }
}

/// The table of the LDBC suite as the notes have it, where they are there to be read.
#[test]
fn every_row_of_the_table_of_anomalies_has_a_case() {
    let ldbc = [
        ("Atomicity-C", true, true),
        ("Atomicity-RB", true, true),
        ("G0", true, true),
        ("G1a", true, true),
        ("G1b", true, true),
        ("G1c", true, true),
        ("IMP", true, true),
        ("PMP", true, true),
        ("OTV", true, true),
        ("FR", true, true),
        ("LU", true, true),
        ("WS", false, true),
        ("Durability", true, true),
    ];
    let tried: Vec<_> =
        ANOMALIES.iter().map(|row| (row.name, row.snapshot, row.serializable)).collect();
    for row in ldbc {
        assert!(tried.contains(&row), "no case, or another expectation, for {row:?}");
    }
    let Some(notes) = millrace_testkit::shared() else { return };
    let notes =
        std::fs::read_to_string(notes.join("notes/storage.md")).expect("the notes are there");
    let table = notes.split("**LDBC ACID**").nth(1).expect("the table is in the notes");
    let is_row = |line: &&str| line.starts_with('|');
    let rows = table.lines().skip_while(|line| !is_row(line)).take_while(is_row).skip(2);
    let mut count = 0;
    for row in rows {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let mut prefix = String::new();
        for name in cells[1].split([',', ';']).map(str::trim) {
            // "Atomicity-C, -RB" names two.
            let name = match name.strip_prefix('-') {
                Some(rest) => format!("{prefix}-{rest}"),
                None => name.to_string(),
            };
            prefix = name.split('-').next().expect("a name has a beginning").to_string();
            let expected = (&*name, cells[4] == "yes", cells[5] == "yes");
            assert!(tried.contains(&expected), "no case, or another expectation, for {expected:?}");
            count += 1;
        }
    }
    assert_eq!(count, ldbc.len(), "as many as were read when this was written");
    let added = ["long fork", "read-only anomaly", "predicate write skew", "phantom on a list"];
    let added = added.into_iter().chain(["dangling edge", "hub inserts", "uniqueness conflict"]);
    for name in added {
        assert!(ANOMALIES.iter().any(|row| row.name.starts_with(name)), "no case for {name}");
    }
}

/// Explicit transactions are never run again, so a cell that two keys share must never show: two
/// that have nothing in common both commit, whatever happened between.
#[test]
fn two_unrelated_transactions_never_conflict_in_the_smallest_table() {
    let stepped = Stepped::new(3, options());
    let store = stepped.backend().create_graph("g").unwrap();
    let age = KeyId(store.intern(&[(NameKind::Key, "age")]).unwrap()[0]);
    let begin = || Transaction::begin(Arc::clone(&store), Isolation::Serializable).unwrap();
    let labels: Labels = Arc::from([]);
    let make = begin();
    let vertices = make.create_vertices(&labels, 3_000, &[]).unwrap();
    make.commit().unwrap().wait().unwrap();
    let set = |transaction: &Transaction, row: usize| {
        let owner = &vertices[row..=row];
        transaction.gather(Elements::Vertices(owner), &[age]).unwrap();
        let ages = Column::from_values([Value::I64(row as i64)]);
        transaction.set_vertex_properties(age, owner, &ages).unwrap();
    };
    for round in 0..20 {
        let first = round * 101;
        let (one, other) = (begin(), begin());
        set(&one, first);
        set(&other, first + 1);
        // More than enough to touch every cell.
        for row in first + 2..first + 80 {
            let between = begin();
            set(&between, row);
            between.claim([row as u64]).unwrap();
            between.commit().unwrap();
        }
        one.commit().unwrap();
        other.commit().unwrap().wait().unwrap();
    }
}

/// A lease waits for the disk, so the next one is asked for while the last is in use.
#[test]
fn under_steady_load_nobody_waits_for_ids() {
    let stepped = Stepped::new(4, Options { id_block_size: 1_000, ..options() });
    let store = stepped.backend().create_graph("g").unwrap();
    let metric = |name: &str| {
        let metrics = stepped.backend().metrics();
        metrics.iter().find(|(own, ..)| *own == name).expect("it is a metric").2 as u64
    };
    let mut given = 0;
    for commit in 0..10_000u64 {
        let count = 1 + commit % 7;
        given +=
            store.lease_vertices(count).unwrap().iter().map(|ids| ids.end - ids.start).sum::<u64>();
        // The disk syncs now and then, as it does under load.
        if commit % 30 == 0 {
            stepped.backend.as_ref().unwrap().step(Step::Log).unwrap();
        }
    }
    assert_eq!(metric("millrace_id_waits_total"), 0);
    let blocks = metric("millrace_id_blocks_total");
    assert!(
        (given / 1_000..=given / 1_000 + 2).contains(&blocks),
        "{given} ids in {blocks} blocks"
    );
    // A caller that takes all there is waits, once, and is noticed.
    store.lease_vertices(5_000).unwrap();
    assert_eq!(metric("millrace_id_waits_total"), 1);
}

#[test]
fn what_is_near_the_slots_in_use_is_a_slot_and_anything_else_is_not() {
    let stepped = Stepped::new(5, options());
    let store = stepped.backend().create_graph("g").unwrap();
    let claim = |ids: &[u64]| store.claim_vertices(ids, &Bits::unset(ids.len())).unwrap();
    let near: Vec<u64> = (10..2_000_000).collect();
    assert!(claim(&near).iter().zip(&near).all(|(internal, id)| internal.0 == *id));
    assert_eq!(store.snapshot().unwrap().catalog().indexes, [], "internal ids need no index");
    let external = claim(&[1 << 30, 1 << 32, u64::MAX]);
    assert_eq!(external, [VertexId(1), VertexId(2), VertexId(3)]);
    assert_eq!(store.snapshot().unwrap().catalog().indexes.len(), 1);
    assert_eq!(store.lease_vertices(7).unwrap(), [4..10, 2_000_000..2_000_001]);
}

#[test]
fn random_transactions_leave_what_they_leave_in_the_memory_store() {
    for seed in 0..30 {
        let memory = MemoryBackend::new();
        let out_of_line_bytes_min = if seed % 3 == 0 { 64 } else { 1 << 20 };
        let embedded = Stepped::new(seed, Options { out_of_line_bytes_min, ..options() });
        conformance::differential(&memory, &*embedded.backend(), seed);
    }
}
