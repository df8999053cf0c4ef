//! The store on a real, small disk that others fill: writes are refused by name before an accepted
//! one could fail, reads go on, and writing goes on by itself when there is room again.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use millrace_model::{Column, ErrorKind, KeyId, Value, VertexId};
use millrace_store::{
    Backend, Changes, Elements, Labels, NameKind, PropertyBlock, ScanCursor, Store, VertexBlock,
    WriteBatch,
};
use millrace_store_embedded::{EmbeddedBackend, Options};
use millrace_testkit::small_disk::{SmallDisk, Subject, live_on_a_small_disk};

const DISK_BYTES: u64 = 160 << 20;

/// Four of them fill a file of the log.
const OVERWRITE_BYTES: u64 = 1_000_000;

/// How often the store looks at the disk while there are no writes.
const LOOK_EVERY: Duration = Duration::from_millis(200);
const LOOKS: u64 = 4;

/// How long a refused write is tried again.
const NOTICE_MAX: Duration = Duration::from_secs(60);

fn options() -> Options {
    let mut options = Options {
        conflict_bits: 12,
        checkpoint_log_bytes: 3 << 20,
        log_bytes_max: 24 << 20,
        ..Options::default()
    };
    options.log.first_file_bytes = 1 << 20;
    options.log.file_bytes = 4 << 20;
    options
}

struct Folder {
    path: PathBuf,
    options: Options,
    open: Option<Open>,
}

struct Open {
    backend: Arc<EmbeddedBackend>,
    store: Arc<dyn Store>,
    number: KeyId,
    noise: KeyId,
}

impl Folder {
    fn opened(&self) -> &Open {
        self.open.as_ref().expect("it is open")
    }

    fn open(&mut self) {
        let backend = EmbeddedBackend::open(&self.path, self.options).expect("it opens");
        let store = match backend.graph("graph") {
            Ok(store) => store,
            Err(_) => backend.create_graph("graph").expect("there is room at first"),
        };
        let names = [(NameKind::Key, "number"), (NameKind::Key, "noise")];
        let keys = store.intern(&names).expect("there is room, or they are known");
        let (number, noise) = (KeyId(keys[0]), KeyId(keys[1]));
        self.open = Some(Open { backend, store, number, noise });
    }

    fn vertices(&self) -> Vec<VertexId> {
        let snapshot = self.opened().store.snapshot().expect("reads go on");
        let (mut cursor, mut vertices) = (ScanCursor::default(), Vec::new());
        while !cursor.finished {
            snapshot.scan_vertices(None, &mut cursor, 1_000, &mut vertices).expect("reads go on");
        }
        vertices
    }

    fn commit(&self, changes: Changes) -> Result<(), String> {
        let store = &self.opened().store;
        let snapshot = store.snapshot().map_err(|error| message(&error))?.position();
        let batch = WriteBatch { snapshot, changes, ..WriteBatch::default() };
        let ticket = store.commit(batch).map_err(|error| message(&error))?;
        ticket.wait().map(|_| ()).map_err(|error| panic!("accepted, then failed: {error:?}"))
    }

    /// Writes other bytes over those of a vertex: the log grows, the graph does not.
    fn overwrite(&self, vertex: VertexId, number: u64) -> Result<(), String> {
        let noise = Value::Bytes(noise(number, OVERWRITE_BYTES).into());
        let block = PropertyBlock {
            key: self.opened().noise,
            owners: vec![vertex],
            values: Column::from_values([noise]),
        };
        self.commit(Changes { vertex_properties: vec![block], ..Changes::default() })
    }
}

/// Bytes that do not shrink, others for each number.
fn noise(number: u64, bytes: u64) -> Vec<u8> {
    (0..bytes).map(|at| (at.wrapping_mul(number * 2 + 1) >> 7) as u8).collect()
}

impl Subject for Folder {
    /// A vertex with a number, and 20,000 bytes that make it matter.
    fn write(&mut self, number: u64) -> Result<(), String> {
        let Open { store, number: key, noise: noise_key, .. } = self.opened();
        let ids = store.lease_vertices(1).map_err(|error| message(&error))?;
        let noise = noise(number, 20_000);
        let values = [Value::I64(number as i64)];
        let block = VertexBlock {
            labels: Labels::from([]),
            ids: vec![VertexId(ids[0].start)],
            properties: vec![
                (*key, Column::from_values(values)),
                (*noise_key, Column::from_values([Value::Bytes(noise.into())])),
            ],
        };
        let changes = Changes { vertices: vec![block], ..Changes::default() };
        self.commit(changes)
    }

    fn read(&mut self) -> BTreeSet<u64> {
        let Open { store, number: key, .. } = self.opened();
        let snapshot = store.snapshot().expect("reads go on");
        let vertices = self.vertices();
        let numbers = snapshot.gather(Elements::Vertices(&vertices), &[*key]).expect("they do");
        (0..vertices.len())
            .map(|row| numbers[0].get(row).and_then(|value| value.as_int()).expect("a number"))
            .map(|number| number as u64)
            .collect()
    }

    fn reopen(&mut self) {
        self.open = None;
        self.open();
    }
}

fn message(error: &millrace_model::Error) -> String {
    assert_eq!(error.kind, ErrorKind::ReadOnly, "{error:?}");
    error.to_string()
}

#[test]
fn a_disk_that_others_fill_stops_writes_by_name_and_never_an_accepted_one() {
    let Some(disk) = SmallDisk::for_test("a small disk that fills up", DISK_BYTES) else { return };
    let mut folder = Folder { path: disk.path().join("data"), options: options(), open: None };
    folder.open();
    let lefts = [0, 1 << 20, 5 << 20, 12 << 20, 100 << 10, 0, 18 << 20];
    let written = live_on_a_small_disk(&disk, &mut folder, "disk is nearly full", &lefts);
    println!("{written} things written");
    folder.open = None;
}

/// A folder with a log that alone may be larger than the disk, and its one vertex.
fn with_large_log(disk: &SmallDisk) -> (Folder, VertexId) {
    let options = Options { checkpoint_log_bytes: 1 << 30, log_bytes_max: 2 << 30, ..options() };
    let mut folder = Folder { path: disk.path().join("data"), options, open: None };
    folder.open();
    folder.write(1).expect("there is room at first");
    let vertex = folder.vertices()[0];
    (folder, vertex)
}

#[test]
fn a_log_that_fills_the_disk_is_given_back_by_a_checkpoint_also_after_a_reopen() {
    let Some(disk) = SmallDisk::for_test("a small disk that fills up", DISK_BYTES) else { return };
    let (mut folder, vertex) = with_large_log(&disk);
    let mut refused = 0;
    for number in 0..2 * DISK_BYTES / OVERWRITE_BYTES {
        let began = Instant::now();
        while let Err(why) = folder.overwrite(vertex, number) {
            assert!(began.elapsed() < NOTICE_MAX, "{number}: {why}");
            refused += 1;
            if refused == 1 {
                folder.reopen();
            }
        }
    }
    assert_ne!(refused, 0, "the disk was never nearly full");
    assert_eq!(folder.read(), BTreeSet::from([1]));
}

/// Attack: a replay makes all versions that the log has, and these take more room than is free.
#[test]
fn unread_versions_of_a_replay_take_no_room_on_the_disk() {
    let Some(disk) = SmallDisk::for_test("a small disk that fills up", DISK_BYTES) else { return };
    let (mut folder, vertex) = with_large_log(&disk);
    for number in 0..DISK_BYTES / 2 / OVERWRITE_BYTES {
        folder.overwrite(vertex, number).expect("there is room still");
    }
    folder.reopen();
    // For as long as several looks at the disk, of which the first finds too little.
    for number in 0..LOOKS * 10 {
        let began = Instant::now();
        while let Err(why) = folder.overwrite(vertex, number) {
            assert!(began.elapsed() < NOTICE_MAX, "{number}: {why}");
        }
        std::thread::sleep(LOOK_EVERY / 10);
    }
    assert_eq!(folder.read(), BTreeSet::from([1]));
}

/// Symptom: a folder on a full disk could not be opened, so nothing could be read either.
#[test]
fn a_folder_opens_for_reading_on_a_disk_that_is_full_before_it_starts() {
    let Some(disk) = SmallDisk::for_test("a small disk that fills up", DISK_BYTES) else { return };
    let mut folder = Folder { path: disk.path().join("data"), options: options(), open: None };
    folder.open();
    let mut written = BTreeSet::new();
    for round in 0..3 {
        for number in round * 100..round * 100 + 20 {
            let began = Instant::now();
            while let Err(why) = folder.write(number) {
                assert!(began.elapsed() < NOTICE_MAX, "{number}: {why}");
            }
            written.insert(number);
        }
        // The first opening may find files of the log that were never used.
        for _ in 0..3 {
            folder.open = None;
            disk.free();
            disk.fill(0);
            folder.open();
            assert_eq!(folder.read(), written);
            let why = folder.write(99).expect_err("there is no room");
            assert!(why.contains("nearly full"), "{why}");
            let message = folder.opened().backend.read_only_reason();
            assert!(message.is_some_and(|message| message.contains("nearly full")));
        }
        disk.free();
    }
    folder.open = None;
}
