//! Disks that several owners write to, one after the other, and files of the format before.

use super::*;
use crate::log::format::LOG_FORMAT;

/// Attack: owners of a shared disk follow one another, each with names of its own, and readers of the
/// files before them go on.
#[test]
fn on_a_disk_that_recycles_nothing_released_files_go_and_owners_never_share_a_name() {
    let disk = SimDisk::new(1);
    let mut last = 0_u64;
    for term in 2..5 {
        disk.begin_names_at(term << 40);
        let mut log = reopen(&disk, last.saturating_sub(9).max(1)).unwrap().log;
        let before = log_files(&disk);
        for position in last + 1..=last + 60 {
            if let Some(next) = log.next_file() {
                assert!(!next.is_reused(), "before {position}");
                log.install_next(next.prepare(&|| 0).unwrap());
            }
            append(&mut log, position);
            if position % 30 == 0 {
                log.release(position - 9).remove().unwrap();
            }
        }
        last += 60;
        let begin = Path::new("/data").join(format!("log-{:016x}.mlog", term << 40));
        assert!(before.iter().any(|path| begin <= *path), "the open made a file");
        let made = log_files(&disk).into_iter().filter(|path| !before.contains(path));
        assert!(made.inspect(|path| assert!(begin <= *path, "{path:?}")).count() > 1);
    }
}

#[test]
fn a_log_file_of_the_format_before_is_read_as_it_is() {
    let disk = SimDisk::new(1);
    let mut log = open(&disk).log;
    (1..=3).for_each(|position| append(&mut log, position));
    let path = log_files(&disk)[0].clone();
    drop(log);
    let set_version = |version: u32| {
        let mut header = disk.contents(&path).unwrap()[..44].to_vec();
        put(&mut header, 8, &version.to_le_bytes());
        let sum = checksum(&header[..40]);
        put(&mut header, 40, &sum.to_le_bytes());
        let file = disk.open(&path).unwrap();
        file.write_at(0, &header).unwrap();
        file.sync_data().unwrap();
    };
    assert_eq!(LOG_FORMAT.version, 5);
    set_version(4);
    assert_eq!(positions(&open(&disk)), [1, 2, 3]);
}
