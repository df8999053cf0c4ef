//! The check finds injected faults: damage in every kind of file, and content that contradicts
//! itself although every checksum is right.

#![expect(clippy::unwrap_used, reason = "whatever fails here fails the test")]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use millrace_model::{Column, GraphId, LabelId, Value, VertexId};
use millrace_store::{
    Backend, Changes, EdgeBlock, Isolation, Labels, NameKind, Store, Transaction,
};
use millrace_store_embedded::folder::{FileKind, FileName, Folder};
use millrace_store_embedded::io::Disk;
use millrace_store_embedded::io::sim::SimDisk;
use millrace_store_embedded::maintenance::check::{Report, check_folder, quiet};
use millrace_store_embedded::persistent::image::{
    Half, Image, PropertyColumn, RecordsBuilder, Section,
};
use millrace_store_embedded::persistent::segment::{SegmentFile, Subject, open_image, write_image};
use millrace_store_embedded::{EmbeddedBackend, Options, Step};

pub(crate) const FOLDER: &str = "/data";

pub(crate) fn options() -> Options {
    let mut options = Options { conflict_bits: 12, id_block_size: 1_000, ..Options::default() };
    options.log.first_file_bytes = 64 << 10;
    options.log.file_bytes = 128 << 10;
    options
}

/// Thirty people in a ring, their names unique, in segments and a little in the log.
pub(crate) fn people() -> SimDisk {
    let disk = SimDisk::new(1);
    let backend =
        EmbeddedBackend::open_stepped(disk.machine(3), Path::new(FOLDER), options()).unwrap();
    let store = backend.create_graph("people").unwrap();
    let vertices = create(&store, 30);
    relate(&store, &vertices);
    backend.step(Step::Checkpoint).unwrap();
    relate(&store, &vertices[..5]);
    drop(backend);
    disk
}

pub(crate) fn create(store: &Arc<dyn Store>, count: usize) -> Vec<VertexId> {
    use millrace_model::schema::{IndexDefinition, IndexKind};
    use millrace_model::{CatalogChange, KeyId, Owner};
    let numbers = store.intern(&[(NameKind::Label, "Person"), (NameKind::Key, "name")]).unwrap();
    let (person, name) = (LabelId(numbers[0]), KeyId(numbers[1]));
    let transaction = Transaction::begin(Arc::clone(store), Isolation::Snapshot).unwrap();
    let index = IndexDefinition::new(Owner::Label(person), vec![name], IndexKind::Unique);
    transaction.change_schema(&[CatalogChange::CreateIndex(index)]).unwrap();
    let names = Column::from_values((0..count).map(|at| Value::from(format!("p{at}").as_str())));
    let labels = Labels::from([person]);
    let made = transaction.create_vertices(&labels, count, &[(name, &names)]).unwrap();
    transaction.commit().unwrap().wait().unwrap();
    made
}

pub(crate) fn relate(store: &Arc<dyn Store>, vertices: &[VertexId]) {
    relate_by(store, "KNOWS", vertices);
}

pub(crate) fn relate_by(store: &Arc<dyn Store>, edge_type: &str, vertices: &[VertexId]) {
    let number = store.intern(&[(NameKind::EdgeType, edge_type)]).unwrap()[0];
    let edge_type = millrace_model::EdgeTypeId(number);
    let transaction = Transaction::begin(Arc::clone(store), Isolation::Snapshot).unwrap();
    let mut targets = vertices.to_vec();
    targets.rotate_left(1);
    transaction.create_edges(edge_type, vertices, &targets, &[]).unwrap();
    transaction.commit().unwrap().wait().unwrap();
}

pub(crate) fn check(disk: &SimDisk) -> Report {
    disk.process_kill();
    check_folder(&disk.machine(9), Path::new(FOLDER), true, &mut quiet).unwrap()
}

#[track_caller]
pub(crate) fn assert_finds(disk: &SimDisk, words: &[&str]) {
    let report = check(disk);
    let found: Vec<String> = report.findings.iter().map(ToString::to_string).collect();
    for word in words {
        assert!(found.iter().any(|finding| finding.contains(word)), "{word}: {found:#?}");
    }
}

pub(crate) fn file(disk: &SimDisk, end: &str) -> (PathBuf, u64) {
    let files = disk.files();
    let found = files.into_iter().find(|(path, _)| path.to_string_lossy().contains(end));
    found.expect("there is one")
}

#[test]
fn a_sound_folder_is_sound_and_left_as_it_was() {
    let disk = people();
    disk.process_kill();
    let before = disk.files();
    let report = check(&disk);
    assert_eq!(report.findings, []);
    let graph = &report.graphs[0];
    assert_eq!((graph.vertices, graph.edges, graph.entries), (30, 35, 30));
    let names = |files: Vec<(PathBuf, u64)>| {
        let mut names: Vec<_> =
            files.into_iter().filter(|(path, _)| !path.ends_with("LOCK")).collect();
        names.sort();
        names
    };
    assert_eq!(names(disk.files()), names(before));
}

#[test]
fn a_folder_that_is_none_is_said_and_one_in_use_is_not_touched() {
    let disk = SimDisk::new(1);
    disk.create_folder(Path::new(FOLDER)).unwrap();
    let error = check_folder(&disk.machine(9), Path::new(FOLDER), false, &mut quiet).unwrap_err();
    assert_eq!(error.kind, millrace_model::ErrorKind::NotFound, "{error}");
    let backend =
        EmbeddedBackend::open_stepped(disk.machine(3), Path::new(FOLDER), options()).unwrap();
    let error = check_folder(&disk.machine(9), Path::new(FOLDER), false, &mut quiet).unwrap_err();
    assert_eq!(error.kind, millrace_model::ErrorKind::Unavailable, "{error}");
    drop(backend);
}

/// Every byte of a segment is under a checksum: whichever is damaged, its file is named.
#[test]
fn a_damaged_byte_of_any_segment_is_found_and_its_file_named() {
    for at in [0, 8, 40, 70, 200, 300] {
        let disk = people();
        let (path, bytes) = file(&disk, "seg-");
        disk.flip_bit(&path, at % bytes, 3);
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        assert_finds(&disk, &[&name]);
    }
}

#[test]
fn a_damaged_manifest_and_a_damaged_log_are_found() {
    let disk = people();
    let manifests: Vec<_> = disk
        .files()
        .into_iter()
        .filter(|(path, _)| path.to_string_lossy().contains("MANIF"))
        .collect();
    disk.flip_bit(&manifests.last().unwrap().0, 60, 1);
    assert_finds(&disk, &["the one before it"]);
    for (path, _) in manifests {
        disk.flip_bit(&path, 61, 1);
    }
    assert_finds(&disk, &["MANIFEST"]);
    let disk = people();
    let (path, _) = file(&disk, "log-");
    disk.corrupt(&path, 4096, 4096);
    assert_finds(&disk, &["log"]);
}

/// A copy of a segment under another name.
fn copied(disk: &SimDisk, folder: &Folder, name: FileName) -> FileName {
    let copy = folder.new_name(FileKind::Segment);
    let file = disk.create(&folder.path_of(copy)).unwrap();
    file.write_at(0, &disk.contents(&folder.path_of(name)).unwrap()).unwrap();
    file.sync_data().unwrap();
    copy
}

/// Replaces the segment of the first partition by one of an image that was tampered with.
fn tamper(disk: &SimDisk, change: impl FnOnce(&mut Image)) {
    tamper_with(disk, 0, change);
}

/// The same of any partition.
pub(crate) fn tamper_with(disk: &SimDisk, wanted: u32, change: impl FnOnce(&mut Image)) {
    disk.process_kill();
    let machine = disk.machine(5);
    let folder = Folder::open(Arc::clone(&machine.disk), Path::new(FOLDER)).unwrap();
    let names = folder.names(FileKind::Segment).unwrap();
    let partition = |name| match SegmentFile::open(&folder, name).unwrap().subject {
        Subject::Partition { graph, ordinal } if ordinal == wanted => Some((name, graph, ordinal)),
        Subject::Partition { .. } | Subject::Index { .. } | Subject::Neighbours { .. } => None,
    };
    let (name, graph, ordinal): (_, GraphId, u32) =
        names.into_iter().find_map(partition).expect("a partition was written");
    // Unchanged sections stay in their file, so that must not be the file that is replaced.
    let (_, mut image) = open_image(&folder, copied(disk, &folder, name), graph, ordinal).unwrap();
    change(&mut image);
    let (written, _) = write_image(&folder, graph, &image).unwrap();
    disk.rename(&folder.path_of(written.name), &folder.path_of(name)).unwrap();
    folder.sync().unwrap();
}

#[test]
fn an_edge_that_stands_in_one_direction_only_is_named() {
    let disk = people();
    tamper(&disk, |image| image.lists.retain(|(_, half), _| *half == Half::Out));
    assert_finds(&disk, &["are in the list of their source and not of their target"]);
}

#[test]
fn an_edge_that_is_in_no_list_and_a_list_of_no_edge_are_named() {
    let disk = people();
    tamper(&disk, |image| image.lists.retain(|(_, half), _| *half == Half::In));
    assert_finds(&disk, &["are not in the list of their source"]);
}

#[test]
fn a_vertex_that_is_gone_under_its_edges_values_and_entries_is_found() {
    let disk = people();
    tamper(&disk, |image| {
        let records = image.records.get().unwrap();
        let first = records.iter().next().expect("there are people").0;
        let mut builder = RecordsBuilder::from_records(&records);
        builder.remove([first]);
        image.records = Section::of(builder.finish());
    });
    let words =
        ["have no source", "and no record", "counts say", "have an entry, and not the values"];
    assert_finds(&disk, &words);
}

#[test]
fn equal_unique_values_and_a_missing_entry_are_found() {
    let disk = people();
    tamper(&disk, |image| {
        let (key, names) = image.vertex_columns.pop_first().expect("people have names");
        let names = names.get().unwrap();
        let mut entries: Vec<_> = names.iter().collect();
        entries[1].1 = entries[0].1.clone();
        image.vertex_columns.insert(key, Section::of(PropertyColumn::of_ascending(entries)));
    });
    assert_finds(&disk, &["have values, and no entry", "have an entry, and not the values"]);
}

#[test]
fn a_wrong_count_is_found() {
    let disk = people();
    tamper(&disk, |image| image.counts.vertices += 1);
    assert_finds(&disk, &["counts say 31 vertices"]);
}

/// A hundred people with 5,000 relationships that a bulk load made; the lists imply their ends.
pub(crate) fn loaded_people() -> (SimDisk, Arc<EmbeddedBackend>) {
    let disk = SimDisk::new(2);
    let backend =
        EmbeddedBackend::open_stepped(disk.machine(3), Path::new(FOLDER), options()).unwrap();
    let store = backend.create_graph("people").unwrap();
    let vertices = create(&store, 100);
    let knows = store.intern(&[(NameKind::EdgeType, "KNOWS")]).unwrap()[0];
    let mut load = store.begin_bulk_load().unwrap();
    let sources: Vec<_> = (0..5_000).map(|at| vertices[at * 7 % 100]).collect();
    let targets: Vec<_> = (0..5_000).map(|at| vertices[at * 13 % 100]).collect();
    let edge_type = millrace_model::EdgeTypeId(knows);
    let block = EdgeBlock { edge_type, sources, targets, ..EdgeBlock::default() };
    load.push(Changes { edges: vec![block], ..Changes::default() }).unwrap();
    load.finish().unwrap();
    (disk, backend)
}

#[test]
fn a_bulk_load_with_implied_ends_is_sound() {
    let (disk, backend) = loaded_people();
    assert_eq!(backend.check(true, &mut quiet).unwrap().findings, []);
    backend.step(Step::Checkpoint).unwrap();
    drop(backend);
    assert_eq!(check(&disk).findings, []);
}
