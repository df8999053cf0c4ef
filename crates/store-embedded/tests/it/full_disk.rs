//! The store on a real, small disk that others fill: writes are refused by name before an accepted
//! one could fail, reads go on, and writing goes on by itself when there is room again.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use millrace_model::{Column, ErrorKind, KeyId, Value, VertexId};
use millrace_store::{
    Backend, Changes, Elements, Labels, NameKind, ScanCursor, Store, VertexBlock, WriteBatch,
};
use millrace_store_embedded::{EmbeddedBackend, Options};
use millrace_testkit::require;
use millrace_testkit::small_disk::{SmallDisk, Subject, live_on_a_small_disk};

const DISK_BYTES: u64 = 160 << 20;

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
    open: Option<Open>,
}

struct Open {
    _backend: Arc<EmbeddedBackend>,
    store: Arc<dyn Store>,
    number: KeyId,
    noise: KeyId,
}

impl Folder {
    fn opened(&self) -> &Open {
        self.open.as_ref().expect("it is open")
    }

    fn open(&mut self) {
        let backend = EmbeddedBackend::open(&self.path, options()).expect("it opens");
        let store = match backend.graph("graph") {
            Ok(store) => store,
            Err(_) => backend.create_graph("graph").expect("there is room at first"),
        };
        let names = [(NameKind::Key, "number"), (NameKind::Key, "noise")];
        let keys = store.intern(&names).expect("there is room, or they are known");
        let (number, noise) = (KeyId(keys[0]), KeyId(keys[1]));
        self.open = Some(Open { _backend: backend, store, number, noise });
    }
}

impl Subject for Folder {
    /// A vertex with a number, and 20,000 bytes that make it matter.
    fn write(&mut self, number: u64) -> Result<(), String> {
        let Open { store, number: key, noise: noise_key, .. } = self.opened();
        let ids = store.lease_vertices(1).map_err(|error| told(&error))?;
        let noise: Vec<u8> =
            (0..20_000u64).map(|at| (at.wrapping_mul(number * 2 + 1) >> 7) as u8).collect();
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
        let snapshot = store.snapshot().map_err(|error| told(&error))?.position();
        let batch = WriteBatch { snapshot, changes, ..WriteBatch::default() };
        let ticket = store.commit(batch).map_err(|error| told(&error))?;
        ticket.wait().map(|_| ()).map_err(|error| panic!("accepted, then failed: {error:?}"))
    }

    fn read(&mut self) -> BTreeSet<u64> {
        let Open { store, number: key, .. } = self.opened();
        let snapshot = store.snapshot().expect("reads go on");
        let (mut cursor, mut vertices) = (ScanCursor::default(), Vec::new());
        while !cursor.finished {
            snapshot.scan_vertices(None, &mut cursor, 1_000, &mut vertices).expect("reads go on");
        }
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

fn told(error: &millrace_model::Error) -> String {
    assert_eq!(error.kind, ErrorKind::ReadOnly, "{error:?}");
    error.to_string()
}

#[test]
fn a_disk_that_others_fill_stops_writes_by_name_and_never_an_accepted_one() {
    let disk = SmallDisk::mount(DISK_BYTES);
    if !require("a small disk that fills up", disk.is_some()) {
        return;
    }
    let disk = disk.expect("it was required");
    let mut folder = Folder { path: disk.path().join("data"), open: None };
    folder.open();
    let lefts = [0, 1 << 20, 5 << 20, 12 << 20, 100 << 10, 0, 18 << 20];
    let written = live_on_a_small_disk(&disk, &mut folder, "disk is nearly full", &lefts);
    println!("{written} things written");
    folder.open = None;
}
