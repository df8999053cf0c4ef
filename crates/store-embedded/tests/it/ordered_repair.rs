//! Ordered indexes: a check finds the damage of a shard, and a repair makes all of them anew
//! from the records.

#![expect(clippy::unwrap_used, reason = "whatever fails here fails the test")]

use std::path::Path;
use std::sync::Arc;

use millrace_model::schema::{IndexDefinition, IndexKind};
use millrace_model::{CatalogChange, KeyId, LabelId, Owner};
use millrace_store::{Backend, Isolation, KeyRanges, NameKind, SeekMatches, Transaction};
use millrace_store_embedded::folder::{FileKind, FileName, Folder};
use millrace_store_embedded::io::Disk;
use millrace_store_embedded::io::sim::SimDisk;
use millrace_store_embedded::persistent::segment::{
    RangeBaseBuilder, RangeEntry, SectionKey, SegmentFile, Subject, open_range, write_range_base,
};
use millrace_store_embedded::{EmbeddedBackend, Options, Step};

use crate::check::{FOLDER, assert_finds, check, create, options};
use crate::repair::repaired;

/// Thirty people, an entry each in a unique and in an ordered index of their names.
const WHOLE: (u64, u64, u64) = (30, 0, 60);

fn open(disk: &SimDisk) -> Arc<EmbeddedBackend> {
    let options = Options { range_shard_bytes: 64, ..options() };
    EmbeddedBackend::open_stepped(disk.machine(3), Path::new(FOLDER), options).unwrap()
}

fn people() -> SimDisk {
    let disk = SimDisk::new(1);
    let backend = open(&disk);
    let store = backend.create_graph("people").unwrap();
    create(&store, 30);
    let numbers = store.intern(&[(NameKind::Label, "Person"), (NameKind::Key, "name")]).unwrap();
    let index = IndexDefinition::new(
        Owner::Label(LabelId(numbers[0])),
        vec![KeyId(numbers[1])],
        IndexKind::Range,
    );
    let transaction = Transaction::begin(Arc::clone(&store), Isolation::Snapshot).unwrap();
    transaction.change_schema(&[CatalogChange::CreateIndex(index)]).unwrap();
    transaction.commit().unwrap().wait().unwrap();
    backend.step(Step::Checkpoint).unwrap();
    drop(backend);
    disk.process_kill();
    disk
}

/// All names, as the ordered index has them.
fn in_order(disk: &SimDisk) -> Vec<u64> {
    disk.process_kill();
    let snapshot = open(disk).graph("people").unwrap().snapshot().unwrap();
    let catalog = snapshot.catalog();
    let index = catalog.indexes.iter().find(|index| index.kind == IndexKind::Range).unwrap();
    let (prefix, lower, upper) = (&[][..], None, None);
    let ranges = KeyRanges { rows: 1, prefix, lower, upper, descending: false, limit: usize::MAX };
    let mut matches = SeekMatches::default();
    snapshot.seek_ranges(index.id, &ranges, &mut matches).unwrap();
    matches.ids
}

fn folder(disk: &SimDisk) -> Folder {
    disk.process_kill();
    Folder::open(Arc::new(disk.clone()), Path::new(FOLDER)).unwrap()
}

/// The shards of the ordered index.
fn shards(folder: &Folder) -> Vec<SegmentFile> {
    let names = folder.names(FileKind::Segment).unwrap();
    let files = names.into_iter().map(|name| SegmentFile::open(folder, name).unwrap());
    files.filter(|file| file.keys().any(|key| key == SectionKey::RangeBase)).collect()
}

#[test]
fn damage_to_shards_of_an_ordered_index_costs_nothing_but_a_repair() {
    let whole = in_order(&people());
    assert_eq!(whole.len(), 30);
    for key in [SectionKey::RangeBase, SectionKey::RangeBounds] {
        for all in [false, true] {
            let disk = people();
            let folder = folder(&disk);
            let shards = shards(&folder);
            assert!(2 < shards.len(), "it was split");
            let damaged = if all { &shards[..] } else { &shards[1..2] };
            for file in damaged {
                disk.flip_bit(file.path(), file.extent(key).unwrap().offset, 1);
            }
            drop((shards, folder));
            assert_finds(&disk, &["seg-"]);
            let (done, left) = repaired(&disk);
            assert_eq!(left, WHOLE, "{done:?}");
            assert_eq!(in_order(&disk), whole);
        }
    }
}

#[test]
fn a_shard_that_is_gone_is_made_anew() {
    let disk = people();
    let whole = in_order(&disk);
    let folder = folder(&disk);
    let path = shards(&folder)[1].path().to_path_buf();
    drop(folder);
    disk.remove(&path).unwrap();
    disk.sync_folder(Path::new(FOLDER)).unwrap();
    assert!(!check(&disk).findings.is_empty());
    let (done, left) = repaired(&disk);
    assert_eq!(left, WHOLE, "{done:?}");
    assert_eq!(in_order(&disk), whole);
}

/// Replaces a shard by one with other entries, all checksums right.
fn tamper(disk: &SimDisk, change: impl FnOnce(&mut Vec<RangeEntry>)) {
    let folder = folder(disk);
    let file = shards(&folder).remove(1);
    let (name, checkpoint): (FileName, _) = (file.name, file.positions.checkpoint);
    let Subject::Index { graph, index, shard } = file.subject else { unreachable!() };
    let stored = open_range(&folder, name, (graph, index, shard)).unwrap();
    let mut entries: Vec<RangeEntry> = stored.base.get().unwrap().iter().collect();
    change(&mut entries);
    entries.sort_unstable();
    let mut builder = RangeBaseBuilder::default();
    entries.iter().for_each(|(key, id)| builder.push(key, *id));
    let subject = (graph, index, shard);
    let (written, _) =
        write_range_base(&folder, subject, checkpoint, (&stored.bounds.lower, &builder.finish()))
            .unwrap();
    disk.rename(&folder.path_of(written.name), &folder.path_of(name)).unwrap();
    folder.sync().unwrap();
}

#[test]
fn wrong_entries_of_an_ordered_index_are_found_and_made_anew() {
    let whole = in_order(&people());
    let changes: [fn(&mut Vec<RangeEntry>); 3] = [
        |entries| drop(entries.pop()),
        |entries| entries[0].1 = 29,
        |entries| entries[0].0 = b"\0".to_vec(),
    ];
    for change in changes {
        let disk = people();
        tamper(&disk, change);
        assert_finds(&disk, &["the records require 30"]);
        assert_eq!(repaired(&disk).1, WHOLE);
        assert_eq!(in_order(&disk), whole);
    }
}
