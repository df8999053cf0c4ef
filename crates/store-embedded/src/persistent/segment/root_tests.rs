//! Roots of several files: unchanged sections stay where they are, at most four files deep, and a
//! delta layer holds nothing of its base.

use std::path::Path;
use std::sync::Arc;

use millrace_model::{GraphId, LogPosition};

use super::*;
use crate::base::error::Error;
use crate::base::limits::{OLDER_FILE_SHARE, OLDER_FILES_MAX, OLDER_FILES_MERGED_MAX};
use crate::base::random::SimNumbers;
use crate::folder::Folder;
use crate::io::Disk;
use crate::io::sim::SimDisk;
use crate::persistent::image::naive::{Naive, Shape};
use crate::persistent::image::{Image, Section, SectionBody};

const GRAPH: GraphId = GraphId(3);
const ORDINAL: u32 = 5;

fn folder(disk: &SimDisk) -> Folder {
    Folder::open(Arc::new(disk.clone()), Path::new("/data")).unwrap()
}

fn built(seed: u64) -> (Naive, Image) {
    let mut random = SimNumbers::new(seed);
    let shape = Shape { vertices: 600, locals: 4_000, edges: 3_000, first_run: 0 };
    let naive = Naive::random(&mut random, shape);
    let image = naive.build(&mut random, ORDINAL, LogPosition(77));
    (naive, image)
}

/// Another handle to the same content, of the same files.
fn shared(image: &Image) -> Image {
    let mut again = Image::empty(image.ordinal, image.checkpoint);
    again.counts = image.counts.clone();
    again.runs = image.runs.clone();
    again.records = image.records.share();
    let columns = image.vertex_columns.iter();
    again.vertex_columns = columns.map(|(key, column)| (*key, column.share())).collect();
    again.lists = image.lists.iter().map(|(key, lists)| (*key, lists.share())).collect();
    again.edges = image.edges.iter().map(|(key, edges)| (*key, edges.share())).collect();
    let columns = image.edge_columns.iter();
    again.edge_columns = columns.map(|(key, column)| (*key, column.share())).collect();
    again
}

/// The same content, to be written anew.
fn fresh<T: SectionBody + Clone>(section: &Section<T>) -> Section<T> {
    Section::of(T::clone(&section.get().unwrap()))
}

fn change_one(image: &mut Image, random: &mut SimNumbers) {
    match random.below(4) {
        0 => image.records = fresh(&image.records),
        1 => {
            let at = random.below(image.lists.len() as u64) as usize;
            let lists = image.lists.values_mut().nth(at).unwrap();
            *lists = fresh(lists);
        }
        2 => {
            let at = random.below(image.edges.len() as u64) as usize;
            let edges = image.edges.values_mut().nth(at).unwrap();
            *edges = fresh(edges);
        }
        _ => {
            let at = random.below(image.vertex_columns.len() as u64) as usize;
            let column = image.vertex_columns.values_mut().nth(at).unwrap();
            *column = fresh(column);
        }
    }
}

#[test]
fn a_root_keeps_unchanged_sections_of_few_older_files_that_are_mostly_of_use() {
    let folder = folder(&SimDisk::new(1));
    let (naive, image) = built(3);
    let mut random = SimNumbers::new(9);
    let (first, mut stored) = write_image(&folder, GRAPH, &image).unwrap();
    let (mut most, mut bytes) = (0, 0);
    for round in 0..60 {
        let mut next = shared(&stored);
        change_one(&mut next, &mut random);
        let (file, kept) = write_image(&folder, GRAPH, &next).unwrap();
        let older = file.older();
        assert!(older.len() <= OLDER_FILES_MERGED_MAX, "round {round}: {older:?}");
        for name in &older {
            let of_file = kept.extents().filter(|extent| extent.segment == name.number);
            let used: u64 = of_file.map(|extent| extent.length).sum();
            let size = folder.disk().open(&folder.path_of(*name)).unwrap().size().unwrap();
            assert!(size <= used * OLDER_FILE_SHARE, "round {round}: {used} of {size}");
        }
        let (again, reopened) = open_image(&folder, file.name, GRAPH, ORDINAL).unwrap();
        assert_eq!(again.older(), older);
        naive.check(&reopened);
        naive.check(&kept);
        (most, bytes) = (most.max(older.len()), bytes + file.length);
        stored = kept;
    }
    assert_eq!(most, OLDER_FILES_MERGED_MAX);
    assert!(bytes < 60 * first.length / 2, "{bytes} written, {} each whole", first.length);
}

#[test]
fn what_stays_is_not_read_again_and_damage_to_it_is_told() {
    let disk = SimDisk::new(1);
    let folder = folder(&disk);
    let (_, image) = built(3);
    let (first, stored) = write_image(&folder, GRAPH, &image).unwrap();
    drop(image);
    let mut next = shared(&stored);
    next.records = fresh(&next.records);
    let before = folder.memory().read_count();
    let (file, _) = write_image(&folder, GRAPH, &next).unwrap();
    assert_eq!(file.older(), [first.name]);
    assert_eq!(folder.memory().read_count(), before);
    verify(&file).unwrap();
    let extent = stored.lists.values().next().unwrap().extent().unwrap().clone();
    disk.flip_bit(first.path(), extent.offset, 0);
    verify(&file).unwrap();
    let (_, reopened) = open_image(&folder, file.name, GRAPH, ORDINAL).unwrap();
    for message in [verify(&first), reopened.lists.values().next().unwrap().get().map(drop)] {
        let message = message.unwrap_err();
        assert!(
            matches!(&message, Error::Corrupt { path, .. } if path == first.path()),
            "{message}"
        );
    }
    disk.flip_bit(first.path(), extent.offset, 0);
    folder.disk().open(first.path()).unwrap().set_size(extent.offset).unwrap();
    let truncated = open_image(&folder, file.name, GRAPH, ORDINAL).map(|_| ()).unwrap_err();
    assert!(truncated.to_string().contains("lies outside of seg-"), "{truncated}");
    // Others may keep the file for its own sections, although the file that it referred to is gone.
    disk.remove(first.path()).unwrap();
    assert!(SegmentFile::open(&folder, file.name).is_err());
    verify_alone(&folder, file.name).unwrap();
}

#[test]
fn a_delta_layer_has_the_changes_and_names_the_files_of_its_base() {
    let folder = folder(&SimDisk::new(1));
    let (naive, image) = built(4);
    let mut random = SimNumbers::new(5);
    let (_, mut base) = write_image(&folder, GRAPH, &image).unwrap();
    for _ in 0..20 {
        let mut next = shared(&base);
        change_one(&mut next, &mut random);
        let whole;
        (whole, base) = write_image(&folder, GRAPH, &next).unwrap();
        let delta = (LogPosition(99), b"what changed".as_slice());
        let file = write_delta(&folder, GRAPH, (&base, &base.runs), delta).unwrap();
        assert!(file.length < 4_096, "{} bytes", file.length);
        let (again, reopened) = open_image(&folder, file.name, GRAPH, ORDINAL).unwrap();
        assert_eq!(
            again.positions,
            FilePositions { checkpoint: LogPosition(99), base: LogPosition(77) }
        );
        assert_eq!(again.delta().unwrap().as_deref(), Some(b"what changed".as_slice()));
        assert!(again.older().contains(&whole.name));
        assert!(again.older().len() <= OLDER_FILES_MAX);
        assert_eq!(reopened.checkpoint, LogPosition(77));
        naive.check(&reopened);
        verify(&again).unwrap();
    }
}
