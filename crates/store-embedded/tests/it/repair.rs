//! A repaired folder opens, passes the deep check, and has the reported losses and no others; the
//! damaged files are kept.

#![expect(clippy::unwrap_used, reason = "whatever fails here fails the test")]

use std::path::{Path, PathBuf};

use millrace_store::Backend;
use millrace_store_embedded::folder::{FileKind, Folder};
use millrace_store_embedded::io::Disk;
use millrace_store_embedded::io::sim::SimDisk;
use millrace_store_embedded::maintenance::check::{check_folder, quiet};
use millrace_store_embedded::maintenance::repair::{Diagnosis, repair_folder};
use millrace_store_embedded::persistent::segment::{SectionKey, SegmentFile, Subject};
use millrace_store_embedded::{EmbeddedBackend, Step};

use crate::check::{FOLDER, create, file, loaded_people, options, people, relate};

fn repair(disk: &SimDisk, yes: bool) -> millrace_model::Result<Diagnosis> {
    disk.process_kill();
    repair_folder(&disk.machine(11), Path::new(FOLDER), yes, &mut quiet)
}

/// Repairs, and gives how many people, relationships and index entries are left.
#[track_caller]
pub(crate) fn repaired(disk: &SimDisk) -> (Diagnosis, (u64, u64, u64)) {
    let said = repair(disk, false).unwrap();
    assert!(!said.is_sound() && said.kept_in.is_none(), "{said:?}");
    let untouched = disk.files();
    assert_eq!(repair(disk, false).unwrap(), said, "saying is not doing");
    assert_eq!(disk.files(), untouched);
    let done = repair(disk, true).unwrap();
    assert_eq!((&done.damaged, &done.losses), (&said.damaged, &said.losses));
    let kept = done.kept_in.clone().expect("what was damaged is kept");
    assert!(disk.files().iter().any(|(path, _)| path.starts_with(&kept)), "{kept:?}");
    // The repaired folder is on disk.
    disk.power_loss();
    let report = check_folder(&disk.machine(12), Path::new(FOLDER), true, &mut quiet).unwrap();
    assert_eq!(report.findings, []);
    let graph = &report.graphs[0];
    let left = (graph.vertices, graph.edges, graph.entries);
    let backend =
        EmbeddedBackend::open_stepped(disk.machine(13), Path::new(FOLDER), options()).unwrap();
    let store = backend.graph("people").unwrap();
    let snapshot = store.snapshot().unwrap();
    assert_eq!(snapshot.count_vertices(None).unwrap(), left.0);
    // It can be written to, and gives no id that was given before.
    let bound = snapshot.id_space().bound;
    let fresh = store.lease_vertices(1).unwrap()[0].start;
    assert!(left.0 < fresh && bound <= fresh + 1, "{bound} {fresh}");
    drop((snapshot, store, backend));
    assert!(repair(disk, true).unwrap().is_sound());
    (done, left)
}

/// Where a section of the first partition's segment is.
fn section(disk: &SimDisk, wanted: impl Fn(SectionKey) -> bool) -> (PathBuf, u64) {
    disk.process_kill();
    let folder = Folder::open(std::sync::Arc::new(disk.clone()), Path::new(FOLDER)).unwrap();
    for name in folder.names(FileKind::Segment).unwrap() {
        let file = SegmentFile::open(&folder, name).unwrap();
        let is_partition = matches!(file.subject, Subject::Partition { .. });
        if let Some(key) = file.keys().find(|key| is_partition && wanted(*key)) {
            return (folder.path_of(name), file.extent(key).unwrap().offset);
        }
    }
    panic!("no such section");
}

/// Damages such a section of people and repairs it; returns the losses and the numbers of the
/// elements left.
#[track_caller]
fn without(wanted: impl Fn(SectionKey) -> bool) -> (String, (u64, u64, u64)) {
    without_of(&people(), wanted)
}

#[track_caller]
fn without_of(disk: &SimDisk, wanted: impl Fn(SectionKey) -> bool) -> (String, (u64, u64, u64)) {
    let (path, offset) = section(disk, wanted);
    disk.flip_bit(&path, offset, 2);
    let (done, left) = repaired(disk);
    (done.losses.join("\n"), left)
}

#[test]
fn a_sound_folder_is_left_alone() {
    let disk = people();
    disk.process_kill();
    let before = disk.files();
    assert!(repair(&disk, true).unwrap().is_sound());
    assert_eq!(disk.files(), before);
}

#[test]
fn lists_edges_and_counts_are_made_anew_without_loss() {
    use millrace_store_embedded::persistent::image::Half;
    let whole = (30, 35, 30);
    for half in [Half::Out, Half::In] {
        let (losses, left) = without(|key| matches!(key, SectionKey::List(_, own) if own == half));
        assert!(losses.contains("nothing; the damaged parts are made anew"), "{losses}");
        assert_eq!(left, whole);
    }
    assert_eq!(without(|key| key == SectionKey::Summary).1, whole);
    assert_eq!(without(|key| matches!(key, SectionKey::Edges(_))).1, whole);
}

#[test]
fn lists_that_implied_the_ends_of_edges_are_made_anew_from_the_other_direction() {
    use millrace_store_embedded::persistent::image::Half;
    for (half, is_only_in_the_log) in
        [Half::Out, Half::In].into_iter().flat_map(|half| [(half, true), (half, false)])
    {
        let (disk, backend) = loaded_people();
        if !is_only_in_the_log {
            backend.step(Step::Checkpoint).unwrap();
        }
        drop(backend);
        let (losses, left) =
            without_of(&disk, |key| matches!(key, SectionKey::List(_, own) if own == half));
        assert_eq!(left, (100, 5_000, 100), "{half:?}, {is_only_in_the_log}: {losses}");
    }
}

#[test]
fn lost_values_are_named_and_their_entries_go() {
    let (losses, left) = without(|key| matches!(key, SectionKey::VertexColumn(_)));
    assert!(
        losses.contains("graph 1, partition 0") && losses.contains("values of key"),
        "{losses}"
    );
    assert_eq!(left, (30, 35, 0));
}

#[test]
fn lost_records_leave_nodes_without_labels() {
    let (losses, left) = without(|key| key == SectionKey::Records);
    assert!(losses.contains("the labels of its nodes"), "{losses}");
    assert_eq!(left, (30, 35, 0));
}

#[test]
fn lost_records_of_a_load_leave_those_below_their_labels() {
    let (disk, backend) = loaded_people();
    drop(backend);
    let (losses, left) = without_of(&disk, |key| key == SectionKey::Records);
    assert!(losses.contains("the nodes that it made"), "{losses}");
    assert_eq!(left, (100, 5_000, 100));
}

#[test]
fn the_only_segment_gone_altogether_leaves_nothing_to_save() {
    let disk = people();
    let (path, _) = section(&disk, |_| true);
    disk.remove(&path).unwrap();
    disk.sync_folder(Path::new(FOLDER)).unwrap();
    // The graph has no other partition.
    for yes in [false, true] {
        let before = disk.files();
        let said = repair(&disk, yes).unwrap();
        assert!(said.losses.join("\n").contains("everything in it"), "{said:?}");
        assert!(said.saves_nothing && said.kept_in.is_none(), "{said:?}");
        assert_eq!(disk.files(), before);
    }
}

#[test]
fn an_index_is_made_anew() {
    let disk = people();
    disk.process_kill();
    let folder = Folder::open(std::sync::Arc::new(disk.clone()), Path::new(FOLDER)).unwrap();
    let names = folder.names(FileKind::Segment).unwrap();
    for name in names {
        let file = SegmentFile::open(&folder, name).unwrap();
        if matches!(file.subject, Subject::Index { .. }) {
            let offset = file.extent(SectionKey::IndexBase).unwrap().offset;
            disk.flip_bit(&folder.path_of(name), offset + 9, 1);
        }
    }
    drop(folder);
    assert_eq!(repaired(&disk).1, (30, 35, 30));
}

/// Fifty commits, some of them in the log only, and a hole in the log.
#[test]
fn a_hole_in_the_log_costs_what_comes_after_it() {
    let disk = SimDisk::new(4);
    let backend =
        EmbeddedBackend::open_stepped(disk.machine(3), Path::new(FOLDER), options()).unwrap();
    let store = backend.create_graph("people").unwrap();
    let vertices = create(&store, 30);
    for _ in 0..20 {
        relate(&store, &vertices[..4]);
    }
    drop((backend, store));
    disk.process_kill();
    let (path, _) = file(&disk, "log-");
    // Batches of one commit each: the damaged one is in the middle.
    disk.corrupt(&path, 4_096 * 14, 4_096);
    let opened = EmbeddedBackend::open_stepped(disk.machine(3), Path::new(FOLDER), options());
    assert!(opened.is_err(), "it refuses to open");
    let (done, (vertices, edges, entries)) = repaired(&disk);
    assert!(done.losses.join("\n").contains("the commits after"), "{done:?}");
    assert_eq!((vertices, entries), (30, 30));
    assert!(0 < edges && edges < 80 && edges % 4 == 0, "{edges}: a prefix of the commits");
}

#[test]
fn without_any_manifest_the_log_alone_is_enough_if_it_is_whole() {
    let disk = SimDisk::new(4);
    let backend =
        EmbeddedBackend::open_stepped(disk.machine(3), Path::new(FOLDER), options()).unwrap();
    let store = backend.create_graph("people").unwrap();
    let vertices = create(&store, 30);
    relate(&store, &vertices);
    drop((backend, store));
    disk.process_kill();
    for (path, _) in disk.files() {
        if path.to_string_lossy().contains("MANIFEST") {
            disk.flip_bit(&path, 60, 1);
        }
    }
    assert_eq!(repaired(&disk).1, (30, 30, 30));
}

#[test]
fn repair_keeps_its_hands_off_a_folder_in_use() {
    let disk = people();
    let backend =
        EmbeddedBackend::open_stepped(disk.machine(3), Path::new(FOLDER), options()).unwrap();
    let refused =
        repair_folder(&disk.machine(11), Path::new(FOLDER), true, &mut quiet).unwrap_err();
    assert_eq!(refused.kind, millrace_model::ErrorKind::Unavailable);
    backend.step(Step::Checkpoint).unwrap();
}
