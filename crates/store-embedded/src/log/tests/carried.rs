//! Openings carry small batches of the log over to one file, and a close gives back room.

use super::*;

const LOG_BLOCK: u64 = crate::base::limits::LOG_BLOCK_BYTES as u64;

/// An opening carries over up to 16 blocks.
const ROOMY: LogOptions =
    LogOptions { file_bytes: 512 << 10, first_file_bytes: 256 << 10, ..OPTIONS };

/// Opens a log by these options, which must hold these positions.
fn open_by(disk: &SimDisk, options: LogOptions, expected: &[u64]) -> Result<LogWriter> {
    let Machine { disk, random, .. } = disk.machine(disk.operation_count());
    let folder = Arc::new(Folder::open(disk, Path::new("/data"))?);
    let mut found = Vec::new();
    let recovered = recover(&folder, &random, options, Demand::from(1), &mut |frame| {
        found.push(frame.position);
        Ok(())
    })?;
    assert_eq!(found, expected);
    Ok(recovered.writer)
}

/// A log of `lives` openings, each with a commit, and its files.
fn lived(disk: &SimDisk, options: LogOptions, lives: u64) -> Vec<(PathBuf, u64)> {
    for position in 1..=lives {
        let before: Vec<u64> = (1..position).collect();
        let mut log = open_by(disk, options, &before).unwrap();
        append(&mut log, position);
        log.append_idle().unwrap();
        log.trim().unwrap();
    }
    files_of(disk)
}

fn files_of(disk: &SimDisk) -> Vec<(PathBuf, u64)> {
    let mut files = disk.files();
    files.retain(|(path, _)| path.to_string_lossy().ends_with(".mlog"));
    files
}

#[test]
fn a_log_that_is_opened_and_closed_is_one_file_of_its_batches() {
    let disk = SimDisk::new(1);
    let files = lived(&disk, ROOMY, 3);
    assert_eq!(files.len(), 1, "{files:?}");
    assert_eq!(files[0].1, 7 * LOG_BLOCK, "a header, three commits, an empty batch after each");
    for _ in 0..5 {
        open_by(&disk, ROOMY, &[1, 2, 3]).unwrap().trim().unwrap();
        let bytes: Vec<u64> = files_of(&disk).into_iter().map(|(_, bytes)| bytes).collect();
        assert_eq!(bytes, [files[0].1], "an opening alone makes it no larger");
    }
}

#[test]
fn batches_that_are_many_together_stay_where_they_are() {
    for options in [OPTIONS, ROOMY] {
        let disk = SimDisk::new(1);
        let files = lived(&disk, options, 40);
        assert!(1 < files.len() && files.len() < 40, "{files:?}");
        let bytes: u64 = files.iter().map(|(_, bytes)| bytes).sum();
        assert!(bytes < 40 * 4 * LOG_BLOCK, "each file has what it uses: {bytes}");
        let most = options.carried_bytes_max() + 4 * LOG_BLOCK;
        assert!(files.iter().all(|(_, bytes)| *bytes <= most), "{files:?}");
    }
}

#[test]
fn batches_of_a_checkpoint_are_not_carried_over_and_their_files_are_released() {
    let disk = SimDisk::new(1);
    lived(&disk, ROOMY, 3);
    let mut log = reopen(&disk, 4).unwrap().log;
    log.release(4).remove().unwrap();
    log.trim().unwrap();
    drop(log);
    let files = files_of(&disk);
    assert!(files.len() == 1 && files[0].1 <= 3 * LOG_BLOCK, "{files:?}");
    assert_eq!(positions(&reopen(&disk, 4).unwrap()), [0_u64; 0]);
}

/// Attack: an opening that carries batches over, or the close after it, is cut off between any two
/// operations, by a kill or by a power loss, and so is the next one.
#[test]
fn an_opening_or_a_close_that_crashes_anywhere_loses_nothing() {
    let expected = [1, 2, 3, 4, 5];
    let cases = [(OPTIONS, false), (OPTIONS, true), (ROOMY, false), (ROOMY, true)];
    for (options, is_killed) in cases {
        for operations in 0..60 {
            let disk = SimDisk::new(operations);
            lived(&disk, options, 5);
            for again in 0..3 {
                disk.crash_after(operations / (again + 1));
                // Whatever it found was all; what it did last is cut off.
                let _cut_off = open_by(&disk, options, &expected).and_then(|mut log| log.trim());
                if is_killed {
                    disk.process_kill();
                } else {
                    disk.power_loss();
                }
            }
            open_by(&disk, options, &expected).unwrap();
        }
    }
}

/// Attack: files whose removal no sync made durable are there again.
#[test]
fn what_was_carried_over_counts_only_in_the_new_file() {
    let disk = SimDisk::new(1);
    lived(&disk, ROOMY, 2);
    let before = disk.copy();
    let mut log = open_by(&disk, ROOMY, &[1, 2]).unwrap();
    append(&mut log, 3);
    drop(log);
    disk.process_kill();
    let mut again = 0;
    for (path, _) in before.files() {
        if disk.contents(&path).is_none() {
            let file = disk.create(&path).unwrap();
            file.write_at(0, &before.contents(&path).unwrap()).unwrap();
            again += 1;
        }
    }
    assert_eq!(again, 1);
    open_by(&disk, ROOMY, &[1, 2, 3]).unwrap();
}

#[test]
fn a_log_in_a_small_file_may_release_all_before_it() {
    let disk = SimDisk::new(1);
    let mut log = open(&disk).log;
    (1..=30).for_each(|position| append(&mut log, position));
    log.begin_small_file().unwrap();
    log.release(31).remove().unwrap();
    log.trim().unwrap();
    let files = disk.files();
    let bytes: u64 = files.iter().map(|(_, bytes)| bytes).sum();
    assert_eq!((log_files(&disk).len(), bytes), (1, 2 * LOG_BLOCK), "{files:?}");
    append(&mut log, 31);
    drop(log);
    let opened = try_open(&disk, Demand { replay_from: 31, durable: 30 }).unwrap();
    assert_eq!(positions(&opened), [31]);
}
