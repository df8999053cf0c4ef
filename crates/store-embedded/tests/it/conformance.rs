//! The suite that every backend passes, on this one: with threads on a real folder, and step by
//! step on a simulated machine; and random transactions compared with the memory store. Whatever a
//! case leaves on the simulated machine must pass the deep check, open and closed.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use millrace_store::Backend;
use millrace_store::conformance::{self, Harness};
use millrace_store::memory::MemoryBackend;
use millrace_store_embedded::check::{check_folder, quiet};
use millrace_store_embedded::io::sim::SimDisk;
use millrace_store_embedded::{EmbeddedBackend, Options};

/// Small tables and files, so that a case costs milliseconds.
fn options() -> Options {
    let mut options = Options { conflict_bits: 16, ..Options::default() };
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
        self.disk.power_cut();
        self.open();
    }
}

#[test]
fn the_embedded_store_conforms_with_threads_on_a_real_folder() {
    conformance::run_all(&|| Box::new(Threaded::new(options())));
}

#[test]
fn the_embedded_store_conforms_step_by_step_and_across_power_cuts() {
    conformance::run_all(&|| Box::new(Stepped::new(7, options())));
}

#[test]
fn commits_that_go_beside_the_log_conform_too() {
    let options = Options { large_commit_bytes: 64, ..options() };
    conformance::run_all(&|| Box::new(Stepped::new(8, options)));
}

#[test]
fn random_transactions_leave_what_they_leave_in_the_memory_store() {
    for seed in 0..30 {
        let memory = MemoryBackend::new();
        let large_commit_bytes = if seed % 3 == 0 { 64 } else { 1 << 20 };
        let embedded = Stepped::new(seed, Options { large_commit_bytes, ..options() });
        conformance::differential(&memory, &*embedded.backend(), seed);
    }
}
