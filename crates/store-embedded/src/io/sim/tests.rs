//! The simulated machine keeps synced writes, and only sometimes the rest.

use std::collections::BTreeSet;

use super::*;
use crate::base::error::Error;
use crate::io::Disk;

fn path() -> &'static Path {
    Path::new("/data/file")
}

/// A disk with one synced file of sectors of ones.
fn disk_with_ones(seed: u64, sectors: usize) -> SimDisk {
    let disk = SimDisk::new(seed);
    let file = disk.create(path()).unwrap();
    file.write_at(0, &vec![1; sectors * 512]).unwrap();
    file.sync_data().unwrap();
    disk.sync_folder(Path::new("/data")).unwrap();
    disk
}

/// Which sectors of a file of ones and twos are twos.
fn twos(disk: &SimDisk) -> Vec<bool> {
    let contents = disk.contents(path()).unwrap();
    contents
        .chunks(512)
        .map(|sector| {
            assert!(sector.iter().all(|byte| *byte == sector[0]), "a sector is never torn");
            sector[0] == 2
        })
        .collect()
}

#[test]
fn a_power_loss_keeps_any_subset_of_the_sectors_of_one_write() {
    let outcomes: BTreeSet<Vec<bool>> = (0..500)
        .map(|seed| {
            let disk = disk_with_ones(seed, 3);
            disk.open(path()).unwrap().write_at(0, &[2; 3 * 512]).unwrap();
            disk.power_loss();
            twos(&disk)
        })
        .collect();
    assert_eq!(outcomes.len(), 8);
}

#[test]
fn a_synced_write_and_a_synced_name_survive_and_others_may_not() {
    let mut lost = BTreeSet::new();
    for seed in 0..50 {
        let disk = disk_with_ones(seed, 1);
        let file = disk.open(path()).unwrap();
        file.write_at(0, &[2; 512]).unwrap();
        file.sync_data().unwrap();
        disk.rename(path(), Path::new("/data/other")).unwrap();
        disk.power_loss();
        let renamed = disk.contents(path()).is_none();
        let there = if renamed { Path::new("/data/other") } else { path() };
        assert_eq!(disk.contents(there).unwrap(), [2; 512], "seed {seed}");
        lost.insert(renamed);
        assert!(file.read_at(0, &mut [0]).is_err(), "a handle does not outlive its process");
    }
    assert_eq!(lost.len(), 2);
}

#[test]
fn a_killed_process_loses_nothing() {
    let disk = disk_with_ones(1, 1);
    disk.open(path()).unwrap().write_at(0, &[2; 512]).unwrap();
    disk.process_kill();
    assert_eq!(twos(&disk), [true]);
}

#[test]
fn after_a_failed_sync_the_next_one_succeeds_and_the_write_may_be_gone() {
    let kept: BTreeSet<bool> = (0..50)
        .map(|seed| {
            let disk = disk_with_ones(seed, 1);
            let file = disk.open(path()).unwrap();
            file.write_at(0, &[2; 512]).unwrap();
            disk.fail_sync_after(0);
            assert!(file.sync_data().is_err());
            file.sync_data().unwrap();
            disk.power_loss();
            twos(&disk)[0]
        })
        .collect();
    assert_eq!(kept.len(), 2);
}

#[test]
fn a_full_disk_stays_full_until_the_restart() {
    let disk = disk_with_ones(1, 1);
    let file = disk.open(path()).unwrap();
    disk.full_after(1);
    file.write_at(512, &[2; 512]).unwrap();
    for _ in 0..2 {
        assert!(matches!(file.write_at(1024, &[3; 512]), Err(Error::DiskFull { .. })));
    }
    file.write_at(0, &[3; 512]).unwrap();
    disk.copy_on_write();
    assert!(matches!(file.write_at(0, &[3; 512]), Err(Error::DiskFull { .. })));
    disk.process_kill();
    disk.open(path()).unwrap().write_at(1024, &[3; 512]).unwrap();
}

#[test]
fn a_crash_comes_at_the_operation_asked_for_and_ends_everything() {
    let disk = disk_with_ones(1, 1);
    let file = disk.open(path()).unwrap();
    disk.crash_after(1);
    file.write_at(0, &[2; 512]).unwrap();
    assert!(!disk.is_crashed());
    assert!(file.sync_data().is_err());
    assert!(disk.is_crashed());
    assert!(disk.create(Path::new("/data/new")).is_err());
}

#[test]
fn damage_is_where_it_was_put() {
    let disk = disk_with_ones(1, 2);
    disk.flip_bit(path(), 700, 1);
    let contents = disk.contents(path()).unwrap();
    assert!(contents.iter().enumerate().all(|(i, byte)| *byte == if i == 700 { 3 } else { 1 }));
    disk.corrupt(path(), 0, 512);
    assert!(disk.contents(path()).unwrap()[..512].iter().all(|byte| *byte != 1));
}
