//! One test for each rule of the log; tests/it/log_simulator.rs is the one for all together.

use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::*;
use crate::base::bytes::{checksum, put};
use crate::base::error::{Error, Result};
use crate::base::options::LogOptions;
use crate::folder::{Folder, TickingClock};
use crate::io::sim::SimDisk;
use crate::io::{Disk, Machine};

mod carried;
mod shared_disk;

const OPTIONS: LogOptions =
    LogOptions { file_bytes: 64 << 10, first_file_bytes: 32 << 10, batch_bytes_max: 16 << 10 };

type Entry = (u64, u32, u16, Vec<u8>);

struct Opened {
    log: LogWriter,
    entries: Vec<Entry>,
}

fn reopen(disk: &SimDisk, replay_from: u64) -> Result<Opened> {
    try_open(disk, Demand::from(replay_from))
}

fn try_open(disk: &SimDisk, demand: Demand) -> Result<Opened> {
    let Machine { disk, random, .. } = disk.machine(disk.operation_count());
    let folder = Arc::new(Folder::open(disk, Path::new("/data"))?);
    let mut entries = Vec::new();
    let recovered = recover(&folder, &random, OPTIONS, demand, &mut |frame| {
        entries.push((frame.position, frame.graph, frame.kind, frame.payload.to_vec()));
        Ok(())
    })?;
    assert_eq!(recovered.frame_count, entries.len() as u64);
    assert_eq!(recovered.position_last, recovered.writer.durable());
    Ok(Opened { log: recovered.writer, entries })
}

fn open(disk: &SimDisk) -> Opened {
    reopen(disk, 1).unwrap()
}

fn append(log: &mut LogWriter, position: u64) {
    let payload = vec![position as u8; 100];
    assert_eq!(log.append(&[FrameRef::new(position, 7, 3, &payload)]).unwrap(), position);
}

fn positions(opened: &Opened) -> Vec<u64> {
    opened.entries.iter().map(|entry| entry.0).collect()
}

fn refusal(disk: &SimDisk, replay_from: u64) -> Error {
    reopen(disk, replay_from).err().expect("the log is damaged")
}

fn log_files(disk: &SimDisk) -> Vec<PathBuf> {
    let paths = disk.files().into_iter().map(|(path, _)| path);
    paths.filter(|path| path.to_string_lossy().ends_with(".mlog")).collect()
}

#[test]
fn frames_come_back_in_order_and_exact() {
    let disk = SimDisk::new(1);
    let mut log = open(&disk).log;
    let big = vec![9; 5000];
    let frames = [
        FrameRef::new(1, 0, 1, b""),
        FrameRef::new(2, u32::MAX, u16::MAX, b"two"),
        FrameRef::new(2, 5, 0, &big),
        FrameRef::new(4, 0, 1, b"four"),
    ];
    assert_eq!(log.append(&frames).unwrap(), 4);
    drop(log);
    let expected: Vec<Entry> =
        frames.iter().map(|f| (f.position, f.graph, f.kind, f.payload.to_vec())).collect();
    assert_eq!(open(&disk).entries, expected);
    assert_eq!(reopen(&disk, 3).unwrap().entries, expected[3..]);
}

#[test]
fn a_step_larger_than_a_batch_takes_several_but_never_splits_a_commit() {
    let disk = SimDisk::new(1);
    let mut log = open(&disk).log;
    let payload = vec![1; 6000];
    let frames: Vec<_> = [1, 1, 2, 2, 3, 3].map(|p| FrameRef::new(p, 0, 0, &payload)).into();
    assert_eq!(log.write(&frames).unwrap(), 2, "the fourth would fit, but not without its like");
    assert_eq!(log.durable(), 0);
    assert_eq!(log.append(&frames[2..]).unwrap(), 3);
    drop(log);
    assert_eq!(positions(&open(&disk)), [1, 1, 2, 2, 3, 3]);
}

#[test]
fn a_commit_that_no_batch_can_hold_is_refused_and_harms_nothing() {
    let disk = SimDisk::new(1);
    let mut log = open(&disk).log;
    let payload = vec![1; 20_000];
    let refused = log.append(&[FrameRef::new(1, 0, 0, &payload)]).unwrap_err();
    assert!(
        matches!(refused, Error::TooLarge { bytes: 20_104, bytes_max: 16_384, .. }),
        "{refused}"
    );
    append(&mut log, 1);
}

#[test]
fn a_step_that_fails_half_way_keeps_what_it_wrote_and_gives_the_error_next_time() {
    let disk = SimDisk::new(1);
    let mut log = open(&disk).log;
    let huge = vec![1; 20_000];
    let frames = [FrameRef::new(1, 0, 0, b"one"), FrameRef::new(2, 0, 0, &huge)];
    assert_eq!(log.append(&frames).unwrap(), 1);
    assert!(matches!(log.append(&frames[1..]), Err(Error::TooLarge { .. })));
    append(&mut log, 2);
}

#[test]
fn a_torn_batch_and_a_whole_one_after_it_in_the_same_sync_are_both_dropped() {
    let disk = SimDisk::new(1);
    let mut log = open(&disk).log;
    append(&mut log, 1);
    let torn = log.end;
    for position in [2, 3] {
        log.write(&[FrameRef::new(position, 0, 0, b"in flight")]).unwrap();
    }
    let path = log_files(&disk).remove(0);
    drop(log);
    disk.process_kill();
    disk.corrupt(&path, torn, 512);
    assert_eq!(positions(&open(&disk)), [1]);
    assert_eq!(positions(&open(&disk)), [1], "what was dropped stays dropped");
}

#[test]
fn damage_in_what_a_later_batch_vouches_for_is_refused_with_its_place() {
    let disk = SimDisk::new(1);
    let mut log = open(&disk).log;
    append(&mut log, 1);
    let place = log.end;
    append(&mut log, 2);
    append(&mut log, 3);
    let damaged = log_files(&disk).remove(0);
    drop(log);
    for offset in [0, 8, 30, 79, 80, 110, 203] {
        disk.flip_bit(&damaged, place + offset, 5);
        let refused = refusal(&disk, 1);
        let Error::Corrupt { path, offset: at, detail } = &refused else { panic!("{refused}") };
        assert_eq!((path, *at), (&damaged, place), "{detail}");
        assert!(detail.contains("after position 1"), "{detail}");
        disk.flip_bit(&damaged, place + offset, 5);
    }
    assert_eq!(positions(&open(&disk)), [1, 2, 3], "a refusal changes nothing");
}

#[test]
fn an_idle_log_vouches_for_its_last_commit_once() {
    let disk = SimDisk::new(1);
    let mut log = open(&disk).log;
    assert!(!log.append_idle().unwrap(), "there is nothing to vouch for");
    append(&mut log, 1);
    let place = log.end - 4096;
    assert!(log.append_idle().unwrap());
    assert!(!log.append_idle().unwrap());
    let path = log_files(&disk).remove(0);
    drop(log);
    disk.flip_bit(&path, place + 90, 0);
    assert!(matches!(refusal(&disk, 1), Error::Corrupt { .. }));
}

#[test]
fn what_an_open_showed_is_vouched_for_at_once() {
    let disk = SimDisk::new(1);
    append(&mut open(&disk).log, 1);
    assert!(!open(&disk).log.append_idle().unwrap());
    let path = log_files(&disk).pop().unwrap();
    disk.flip_bit(&path, 4096 + 90, 0);
    assert!(matches!(refusal(&disk, 1), Error::Corrupt { path: p, offset: 4096, .. } if p == path));
}

#[test]
fn a_batch_that_was_dropped_does_not_come_back_when_it_can_be_read_again() {
    let disk = SimDisk::new(1);
    let mut log = open(&disk).log;
    append(&mut log, 1);
    let misread = log.end;
    append(&mut log, 2);
    let path = log_files(&disk).remove(0);
    drop(log);
    disk.flip_bit(&path, misread + 90, 0);
    let mut log = open(&disk).log;
    log.append(&[FrameRef::new(2, 0, 0, b"another")]).unwrap();
    drop(log);
    disk.flip_bit(&path, misread + 90, 0);
    let entries = open(&disk).entries;
    assert_eq!(entries[1], (2, 0, 0, b"another".to_vec()));
}

#[test]
fn a_damaged_empty_batch_does_not_hide_what_follows_it() {
    let disk = SimDisk::new(1);
    let mut log = open(&disk).log;
    append(&mut log, 1);
    let empty = log.end;
    log.append_idle().unwrap();
    append(&mut log, 2);
    let path = log_files(&disk).remove(0);
    drop(log);
    disk.flip_bit(&path, empty + 40, 0);
    let refused = refusal(&disk, 1);
    assert!(matches!(refused, Error::Corrupt { offset, .. } if offset == empty), "{refused}");
}

#[test]
fn what_an_open_showed_survives_power_loss_though_it_was_never_synced() {
    let disk = SimDisk::new(1);
    let mut log = open(&disk).log;
    append(&mut log, 1);
    log.write(&[FrameRef::new(2, 0, 0, b"only in memory")]).unwrap();
    drop(log);
    disk.process_kill();
    assert_eq!(positions(&open(&disk)), [1, 2]);
    disk.power_loss();
    assert_eq!(positions(&open(&disk)), [1, 2]);
}

#[test]
fn a_crash_at_any_operation_of_an_open_loses_nothing() {
    for crash_at in 0..40 {
        let disk = SimDisk::new(crash_at);
        let mut log = open(&disk).log;
        for position in 1..=3 {
            append(&mut log, position);
        }
        drop(log);
        disk.crash_after(crash_at % 13);
        let crashed = reopen(&disk, 1).is_err();
        assert_eq!(crashed, disk.is_crashed());
        disk.power_loss();
        assert_eq!(positions(&open(&disk)), [1, 2, 3], "crash at operation {crash_at}");
    }
}

#[test]
fn a_failed_sync_ends_the_log_and_freezes_what_is_durable() {
    let disk = SimDisk::new(1);
    let mut log = open(&disk).log;
    append(&mut log, 1);
    disk.fail_sync_after(0);
    let failed = log.append(&[FrameRef::new(2, 0, 0, b"two")]).unwrap_err();
    assert!(matches!(failed, Error::Io { operation: "sync", .. }), "{failed}");
    for _ in 0..2 {
        assert!(matches!(log.append(&[FrameRef::new(3, 0, 0, b"")]), Err(Error::Poisoned { .. })));
        assert!(matches!(log.sync(), Err(Error::Poisoned { .. })));
        assert!(matches!(log.append_idle(), Err(Error::Poisoned { .. })));
    }
    assert!(log.is_poisoned());
    assert_eq!(log.durable(), 1);
}

#[test]
fn rotation_uses_the_prepared_file_and_release_frees_the_oldest() {
    let disk = SimDisk::new(1);
    let mut log = open(&disk).log;
    for position in 1..=32 {
        if let Some(next) = log.next_file() {
            log.install_next(next.prepare(&|| 0).unwrap());
        }
        append(&mut log, position);
    }
    assert_eq!(log_files(&disk).len(), 4, "8, 15 and 9 batches, and the fourth is ready");
    assert_eq!(log.bytes(), disk.files().iter().map(|(_, bytes)| bytes).sum::<u64>());
    let released = log.release(9);
    assert_eq!(released.bytes(), 36 << 10);
    released.remove().unwrap();
    assert!(log.release(9).is_empty());
    drop(log);
    assert_eq!(positions(&reopen(&disk, 9).unwrap()), (9..=32).collect::<Vec<_>>());
    let missing = refusal(&disk, 8);
    assert!(missing.to_string().contains("files of the log are missing"), "{missing}");
}

/// Attack: a sync of the log finds 64 MiB of zeros before it on their way to the disk.
#[test]
fn the_log_has_the_disk_between_the_slices_of_its_next_file_while_it_has_room() {
    const ROOM: u64 = 1 << 20;
    let paused = |used: u64| {
        let disk = SimDisk::new(1);
        let Machine { disk, random, .. } = disk.machine(1);
        let folder = Arc::new(Folder::open(disk, Path::new("/data")).unwrap());
        let options =
            LogOptions { file_bytes: 8 << 20, first_file_bytes: 4 << 20, ..LogOptions::default() };
        let all = Demand::from(1);
        let mut log = recover(&folder, &random, options, all, &mut |_| Ok(())).unwrap().writer;
        log.append(&[FrameRef::new(1, 0, 0, &[7; 3 << 20])]).unwrap();
        folder.pacer().pause_by(Arc::new(TickingClock::default()));
        let asked = Cell::new(0);
        let room = || {
            asked.set(asked.get() + 1);
            folder.pacer().note_log_sync();
            if asked.get() == 1 { ROOM } else { ROOM - used }
        };
        log.install_next(log.next_file().unwrap().prepare(&room).unwrap());
        (asked.get(), folder.pacer().pause_ns() / TickingClock::STEP_NS)
    };
    assert_eq!(paused(0), (9, 8), "one MiB at a time, a pause behind each");
    assert_eq!(paused(ROOM / 2), (9, 4), "none as long as less is made than used");
    assert_eq!(paused(ROOM), (9, 0));
}

#[test]
fn a_released_file_is_used_again_and_its_old_batches_count_for_nothing() {
    let disk = SimDisk::new(1);
    let mut log = open(&disk).log;
    let mut reused = 0;
    for position in 1..=90 {
        if let Some(next) = log.next_file() {
            reused += u64::from(next.is_reused());
            log.install_next(next.prepare(&|| 0).unwrap());
        }
        append(&mut log, position);
        if position % 30 == 0 {
            log.release(position - 9).remove().unwrap();
        }
    }
    assert!(1 < reused, "{reused}");
    disk.power_loss();
    drop(log);
    // Its file is in use for the second time, and full of whole batches behind the last one.
    assert_eq!(positions(&reopen(&disk, 81).unwrap()), (81..=90).collect::<Vec<_>>());
}

/// Attack: a backup copies a released file by its handle while the log writes it anew.
#[test]
fn a_file_released_for_good_is_never_written_again() {
    let disk = SimDisk::new(1);
    let mut log = open(&disk).log;
    for position in 1..=90 {
        if let Some(next) = log.next_file() {
            assert!(!next.is_reused(), "before {position}");
            log.install_next(next.prepare(&|| 0).unwrap());
        }
        append(&mut log, position);
        if position % 30 == 0 {
            log.release(position - 9).for_good().remove().unwrap();
        }
    }
}

#[test]
fn a_missing_file_in_the_middle_is_damage() {
    let disk = SimDisk::new(1);
    let mut log = open(&disk).log;
    (1..=30).for_each(|position| append(&mut log, position));
    drop(log);
    let files = log_files(&disk);
    disk.remove(&files[1]).unwrap();
    let refused = refusal(&disk, 1);
    assert!(matches!(refused, Error::Corrupt { path, offset: 4096, .. } if path == files[2]));
}

#[test]
fn a_log_that_ends_before_what_segments_hold_is_damage() {
    let disk = SimDisk::new(1);
    assert!(matches!(refusal(&disk, 5), Error::Corrupt { .. }));
    append(&mut open(&disk).log, 1);
    assert!(matches!(refusal(&disk, 3), Error::Corrupt { .. }));
    assert!(reopen(&disk, 2).unwrap().entries.is_empty());
}

#[test]
fn a_log_that_ends_before_what_the_manifest_vouches_for_is_damage() {
    let disk = SimDisk::new(1);
    let mut log = open(&disk).log;
    append(&mut log, 1);
    let place = log.end;
    append(&mut log, 2);
    drop(log);
    let path = log_files(&disk).remove(0);
    disk.flip_bit(&path, place + 90, 0);
    let refused = try_open(&disk, Demand { replay_from: 1, durable: 2 }).err().unwrap();
    let Error::Corrupt { path: at, offset, detail } = &refused else { panic!("{refused}") };
    assert_eq!((at, *offset), (&path, place), "{detail}");
    assert_eq!(positions(&open(&disk)), [1], "what nothing vouches for is a torn tail");
}

#[test]
fn the_file_with_the_newest_durable_batch_is_never_released() {
    let disk = SimDisk::new(1);
    let mut log = open(&disk).log;
    (1..=8).for_each(|position| append(&mut log, position));
    log.write(&[FrameRef::new(9, 0, 0, b"rotates")]).unwrap();
    assert!(log.release(9).is_empty());
    log.sync().unwrap();
    assert!(!log.release(9).is_empty());
}

#[test]
fn a_full_disk_at_rotation_leaves_the_log_as_it_was() {
    let disk = SimDisk::new(1);
    let mut log = open(&disk).log;
    (1..=8).for_each(|position| append(&mut log, position));
    disk.full_after(0);
    let full = log.append(&[FrameRef::new(9, 0, 0, b"")]).unwrap_err();
    assert!(matches!(full, Error::DiskFull { .. }), "{full}");
    assert!(!log.is_poisoned());
    assert_eq!((log.durable(), log_files(&disk).len()), (8, 1), "the half-made file is gone");
    disk.full_after(1000);
    append(&mut log, 9);
}

#[test]
fn a_damaged_file_header_is_refused_and_an_unfinished_one_is_not() {
    let disk = SimDisk::new(1);
    append(&mut open(&disk).log, 1);
    let path = log_files(&disk).remove(0);
    disk.flip_bit(&path, 25, 1);
    assert!(matches!(refusal(&disk, 1), Error::Corrupt { path: p, offset: 0, .. } if p == path));
    disk.flip_bit(&path, 25, 1);
    let unfinished = disk.create(Path::new("/data/log-00000000000000ff.mlog")).unwrap();
    unfinished.write_at(0, &[7; 600]).unwrap();
    assert_eq!(positions(&open(&disk)), [1]);
    assert!(!log_files(&disk).contains(&PathBuf::from("/data/log-00000000000000ff.mlog")));
}

#[test]
fn a_newer_log_file_is_refused_by_name() {
    let disk = SimDisk::new(1);
    append(&mut open(&disk).log, 1);
    let path = log_files(&disk).remove(0);
    let file = disk.open(&path).unwrap();
    let mut header = vec![0; 44];
    file.read_at(0, &mut header).unwrap();
    header[8] = 99;
    let sum = checksum(&header[..40]);
    put(&mut header, 40, &sum.to_le_bytes());
    file.write_at(0, &header).unwrap();
    let refused = refusal(&disk, 1);
    assert!(matches!(&refused, Error::Version { path: p, found: 99, supported: 5 } if *p == path));
    assert!(refused.to_string().contains("newer Millrace"), "{refused}");
}

#[test]
fn a_batch_that_a_client_put_in_a_property_is_not_taken_for_one() {
    let disk = SimDisk::new(1);
    let mut log = open(&disk).log;
    append(&mut log, 1);
    // In place of the batch that would follow a torn one: a header that vouches for everything,
    // with the right file number. Only the salt is not known to the client.
    let mut forged = vec![0; 8192];
    let header = format::BatchHeader {
        file: format::FileId { salt: log.current.id.salt ^ 1, number: log.current.id.number },
        sequence: 9,
        durable_batch: 8,
        durable_before: 8,
        first_position: 9,
        frame_count: 0,
        payload_bytes: 0,
        payload_checksum: checksum(b""),
        previous_checksum: 0,
    };
    let mut batch = Vec::new();
    format::begin_batch(&mut batch);
    header.finish_batch(&mut batch);
    let inside = 4096 - BATCH_HEADER_BYTES - format::FRAME_HEADER_BYTES;
    forged[inside..inside + batch.len()].copy_from_slice(&batch);
    let torn = log.end;
    log.write(&[FrameRef::new(2, 0, 0, &forged)]).unwrap();
    let path = log_files(&disk).remove(0);
    drop(log);
    disk.process_kill();
    disk.flip_bit(&path, torn + 8100, 1);
    disk.flip_bit(&path, torn, 1);
    assert_eq!(positions(&open(&disk)), [1]);
}

#[test]
fn a_header_with_numbers_that_none_can_have_is_no_header() {
    let sound = format::BatchHeader::empty(
        format::FileId { number: 1, salt: 7 },
        format::Mark { batch: 3, position: 5, checksum: 0 },
    );
    let read = |header: format::BatchHeader| {
        let mut batch = Vec::new();
        format::begin_batch(&mut batch);
        header.finish_batch(&mut batch);
        format::BatchHeader::decode(&batch).is_some()
    };
    assert!(read(sound));
    for number in [0, u64::MAX] {
        assert!(!read(format::BatchHeader { first_position: number, ..sound }));
        assert!(!read(format::BatchHeader { sequence: number, ..sound }));
    }
    assert!(!read(format::BatchHeader { durable_before: u64::MAX, ..sound }));
}
