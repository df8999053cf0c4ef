//! Measures the log on a real disk: `cargo run --release --example log_latency [-- FOLDER]`.
//!
//! One writer, each step one append and one sync: small batches for latency, large ones for
//! throughput, in files that were prepared ahead and in files that were not. The folder should be
//! on the disk in question; a temporary one is made in it.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use millrace_store_embedded::LogOptions;
use millrace_store_embedded::base::error::{Error, Result};
use millrace_store_embedded::folder::Folder;
use millrace_store_embedded::io::Machine;
use millrace_store_embedded::log::{Demand, FrameRef, LogWriter, recover};

fn main() -> Result<()> {
    let parent = std::env::args_os().nth(1).map_or_else(std::env::temp_dir, PathBuf::from);
    let folder = tempfile::tempdir_in(&parent).map_err(|e| Error::io(&parent, "write", e))?;
    for (name, payload_bytes, steps) in [
        ("4 KiB batches", 3_900, 2_000),
        ("64 KiB batches", 65_000, 1_000),
        ("1 MiB batches", 1_048_000, 300),
    ] {
        for prepared in [true, false] {
            let place = folder.path().join(format!("{payload_bytes}-{prepared}"));
            measure(&place, name, payload_bytes, steps, prepared)?;
        }
    }
    Ok(())
}

fn measure(
    place: &Path,
    name: &str,
    payload_bytes: usize,
    steps: u64,
    prepared: bool,
) -> Result<()> {
    let mut log = open(place)?;
    let payload = vec![7; payload_bytes];
    let mut times = Vec::new();
    let mut preparing = Duration::ZERO;
    for position in 1..=steps {
        if prepared && let Some(next) = log.next_file() {
            let start = Instant::now();
            log.install_next(next.prepare(&|| 0)?);
            preparing += start.elapsed();
        }
        let start = Instant::now();
        log.append(&[FrameRef::new(position, 0, 0, &payload)])?;
        times.push(start.elapsed());
    }
    drop(log);
    let start = Instant::now();
    drop(open(place)?);
    report(name, prepared, &mut times, payload_bytes, preparing, start.elapsed());
    Ok(())
}

fn open(place: &Path) -> Result<LogWriter> {
    let Machine { disk, random, .. } = Machine::real();
    let folder = Arc::new(Folder::open(disk, place)?);
    let recovered =
        recover(&folder, &random, LogOptions::default(), Demand::from(1), &mut |_| Ok(()))?;
    Ok(recovered.writer)
}

fn report(
    name: &str,
    prepared: bool,
    times: &mut [Duration],
    payload_bytes: usize,
    preparing: Duration,
    reopening: Duration,
) {
    let total: Duration = times.iter().sum();
    times.sort_unstable();
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
    let bytes = (payload_bytes * times.len()) as f64;
    println!(
        "{name:14} prepared={prepared:5}  median {:>9.1?}  p99 {:>9.1?}  max {:>9.1?}  {:>7.1} MB/s  \
         (preparing {preparing:.1?}, recovering {:.0} MB {reopening:.1?})",
        at(0.5),
        at(0.99),
        at(1.0),
        bytes / total.as_secs_f64() / 1e6,
        bytes / 1e6,
    );
}
