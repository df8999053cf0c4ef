//! The effect of segment writes on the log's sync: `cargo run --release -p millrace-store-embedded
//! --example checkpoint_beside_log [-- FOLDER [SECONDS]]`.
//!
//! One thread appends 4 KiB to the log and syncs, over and over; beside it segments are written in
//! four ways. The store does *not* write them `at the end`; that way is here for comparison.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use millrace_model::{GraphId, IndexId, LogPosition};
use millrace_store_embedded::LogOptions;
use millrace_store_embedded::base::error::{Error, Result};
use millrace_store_embedded::folder::{FileKind, Folder};
use millrace_store_embedded::io::Machine;
use millrace_store_embedded::log::{Demand, FrameRef, LogWriter, recover};
use millrace_store_embedded::persistent::segment::{IndexBase, write_index_base};

const SEGMENT_BYTES: usize = 128 << 20;
const SLICE_BYTES: usize = 4 << 20;

/// How segments are written meanwhile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Nothing,
    AtTheEnd,
    Slices,
    Paced,
}

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let parent = arguments.next().map_or_else(std::env::temp_dir, PathBuf::from);
    let seconds = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(10);
    let place = tempfile::tempdir_in(&parent).map_err(|e| Error::io(&parent, "write", e))?;
    for way in [Way::Nothing, Way::AtTheEnd, Way::Slices, Way::Paced, Way::Nothing] {
        measure(&place.path().join(format!("{way:?}")), way, Duration::from_secs(seconds))?;
    }
    Ok(())
}

fn measure(place: &Path, way: Way, span: Duration) -> Result<()> {
    let Machine { disk, random, clock } = Machine::real();
    let folder = Arc::new(Folder::open(disk, place)?);
    if way == Way::Paced {
        folder.pacer().pause_by(clock);
    }
    let recovered =
        recover(&folder, &random, LogOptions::default(), Demand::from(1), &mut |_| Ok(()))?;
    let (stop, written) = (AtomicBool::new(false), AtomicU64::new(0));
    let mut times = std::thread::scope(|threads| -> Result<Vec<Duration>> {
        let writer = threads.spawn(|| write_segments(&folder, way, &stop, &written));
        let times = append(recovered.writer, &folder, span);
        stop.store(true, Ordering::Relaxed);
        writer.join().expect("the writer does not panic")?;
        times
    })?;
    times.sort_unstable();
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
    println!(
        "{way:10?} {:>6} syncs  median {:>9.1?}  p99 {:>9.1?}  p99.9 {:>9.1?}  max {:>9.1?}  \
         segments {:>6.1} MB/s",
        times.len(),
        at(0.5),
        at(0.99),
        at(0.999),
        at(1.0),
        written.load(Ordering::Relaxed) as f64 / span.as_secs_f64() / 1e6,
    );
    drop(folder);
    std::fs::remove_dir_all(place).map_err(|e| Error::io(place, "remove", e))
}

fn append(mut log: LogWriter, folder: &Folder, span: Duration) -> Result<Vec<Duration>> {
    let payload = vec![7; 3_900];
    let (began, mut times) = (Instant::now(), Vec::new());
    for position in 1.. {
        if span < began.elapsed() {
            break;
        }
        // In the store another thread does this.
        if let Some(next) = log.next_file() {
            log.install_next(next.prepare(&|| 0)?);
        }
        let start = Instant::now();
        log.append(&[FrameRef::new(position, 0, 0, &payload)])?;
        times.push(start.elapsed());
        folder.pacer().note_log_sync();
    }
    Ok(times)
}

fn write_segments(folder: &Folder, way: Way, stop: &AtomicBool, written: &AtomicU64) -> Result<()> {
    let count = SEGMENT_BYTES as u64 / 16;
    let base = IndexBase::of((0..count).map(|hash| (hash, hash)).collect());
    while way != Way::Nothing && !stop.load(Ordering::Relaxed) {
        if way == Way::AtTheEnd {
            write_at_the_end(folder)?;
        } else {
            let shard = (GraphId(1), IndexId(1), 1);
            let file = write_index_base(folder, shard, LogPosition(1), &base)?;
            folder.disk().remove(&folder.path_of(file.name))?;
        }
        written.fetch_add(SEGMENT_BYTES as u64, Ordering::Relaxed);
    }
    Ok(())
}

fn write_at_the_end(folder: &Folder) -> Result<()> {
    let path = folder.path_of(folder.new_name(FileKind::Segment));
    let (file, bytes) = (folder.disk().create(&path)?, vec![3; SLICE_BYTES]);
    for offset in (0..SEGMENT_BYTES).step_by(SLICE_BYTES) {
        file.write_at(offset as u64, &bytes)?;
    }
    file.sync_data()?;
    folder.disk().remove(&path)
}
