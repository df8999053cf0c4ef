//! Segment files read back, tell every damage, and exist whole or not at all.

use std::path::Path;
use std::sync::Arc;

use millrace_model::{EdgeTypeId, GraphId, IndexId, LogPosition};

use super::layout::{HEADER_BYTES, TRAILER_BYTES};
use super::*;
use crate::base::bytes::{checksum, put, u64_at};
use crate::base::error::{Error, Result};
use crate::base::random::SimNumbers;
use crate::folder::Folder;
use crate::io::sim::SimDisk;
use crate::io::{Disk, FileKind, FileName};
use crate::persistent::image::naive::{Naive, Shape};
use crate::persistent::image::{
    EdgeSection, Ends, Half, Image, ListSlots, Section, SlotSet, SortedRows,
};

const GRAPH: GraphId = GraphId(3);
const ORDINAL: u32 = 5;

fn folder(disk: &SimDisk) -> Folder {
    Folder::open(Arc::new(disk.clone()), Path::new("/data")).unwrap()
}

fn small(seed: u64) -> (Naive, Image) {
    let mut random = SimNumbers::new(seed);
    let shape = Shape { vertices: 6, locals: 10, edges: 8, first_run: 0 };
    let naive = Naive::random(&mut random, shape);
    let image = naive.build(&mut random, ORDINAL, LogPosition(77));
    (naive, image)
}

/// Opens a file and reads all of it.
fn read_all(folder: &Folder, name: FileName) -> Result<Image> {
    let (file, image) = open_image(folder, name, GRAPH, ORDINAL)?;
    verify(&file).map(|()| image)
}

fn is_damage<T>(result: &Result<T>) -> bool {
    matches!(result, Err(Error::Corrupt { .. }))
}

#[test]
fn an_image_reads_back_from_its_file_section_by_section() {
    for seed in 0..20 {
        println!("seed {seed}");
        let mut random = SimNumbers::new(seed);
        let shape = Shape::random(&mut random);
        let naive = Naive::random(&mut random, shape);
        let folder = folder(&SimDisk::new(seed));
        let built = naive.build(&mut random, ORDINAL, LogPosition(77));
        let (file, kept) = write_image(&folder, GRAPH, &built).unwrap();
        assert_eq!(kept.byte_size(), built.byte_size(), "what was in memory stays there");
        let (again, lazy) = open_image(&folder, file.name, GRAPH, ORDINAL).unwrap();
        assert_eq!((again.length, again.fingerprint), (file.length, file.fingerprint));
        let untouched = lazy.byte_size();
        naive.check(&lazy);
        assert_eq!(lazy.checkpoint, LogPosition(77));
        assert!(kept.unload() > 0, "records, at least");
        assert!(lazy.unload() > 0 && lazy.byte_size() == untouched);
        naive.check(&kept);
        // A file of the same sections names those of the first, in memory or not.
        lazy.unload();
        let (copy, same) = write_image(&folder, GRAPH, &lazy).unwrap();
        assert!(copy.older() == [file.name] || copy.older().is_empty(), "{:?}", copy.older());
        naive.check(&same);
    }
}

#[test]
fn every_flipped_bit_is_told() {
    let disk = SimDisk::new(1);
    let folder = folder(&disk);
    let (naive, image) = small(1);
    let name = write_image(&folder, GRAPH, &image).unwrap().0.name;
    let path = folder.path_of(name);
    naive.check(&read_all(&folder, name).unwrap());
    for offset in 0..disk.contents(&path).unwrap().len() as u64 {
        for bit in 0..8 {
            disk.flip_bit(&path, offset, bit);
            assert!(is_damage(&read_all(&folder, name)), "byte {offset} bit {bit}");
            disk.flip_bit(&path, offset, bit);
        }
    }
    naive.check(&read_all(&folder, name).unwrap());
}

#[test]
fn a_file_truncated_or_lengthened_anywhere_is_reported() {
    let disk = SimDisk::new(1);
    let folder = folder(&disk);
    let name = write_image(&folder, GRAPH, &small(1).1).unwrap().0.name;
    let file = disk.open(&folder.path_of(name)).unwrap();
    let whole = file.size().unwrap();
    file.set_size(whole + 1).unwrap();
    assert!(is_damage(&read_all(&folder, name)));
    for length in (0..whole).rev() {
        file.set_size(length).unwrap();
        assert!(is_damage(&read_all(&folder, name)), "{length} bytes");
    }
}

#[test]
fn a_damaged_section_fails_at_its_touch_names_its_place_and_recovers_with_the_disk() {
    let disk = SimDisk::new(1);
    let folder = folder(&disk);
    let (_, image) = small(4);
    let key = SectionKey::List(EdgeTypeId(1), Half::Out);
    let (file, _) = write_image(&folder, GRAPH, &image).unwrap();
    let offset = file.extent(key).unwrap().offset;
    disk.flip_bit(&folder.path_of(file.name), offset + 3, 0);
    let (_, image) = open_image(&folder, file.name, GRAPH, ORDINAL).unwrap();
    image.lists[&(EdgeTypeId(0), Half::Out)].get().unwrap();
    let lists = &image.lists[&(EdgeTypeId(1), Half::Out)];
    let error = lists.get().unwrap_err();
    let text = error.to_string();
    let place = format!("is damaged at byte {offset}");
    assert!(text.contains(&file.name.to_string()) && text.contains(&place), "{text}");
    assert!(text.contains("backup"), "says what to do: {text}");
    disk.flip_bit(&folder.path_of(file.name), offset + 3, 0);
    lists.get().unwrap();
}

#[test]
fn ends_implied_by_lists_that_do_not_have_them_are_damage() {
    let edge_type = EdgeTypeId(1);
    for entries in [None, Some(1), Some(2)] {
        let mut image = Image::empty(ORDINAL, LogPosition(77));
        let slots = SlotSet::Range { first: 2048, len: 2 };
        image.edges.insert(edge_type, Section::of(EdgeSection { slots, ends: Ends::Implied }));
        if let Some(entries) = entries {
            let sorted = SortedRows::sort(&[9, 9][..entries], &[4, 5][..entries], |row| row as u32);
            let lists = sorted.unwrap().into_section(ListSlots::Implied { first: 2048 });
            image.lists.insert((edge_type, Half::Out), Section::of(lists));
        }
        let folder = folder(&SimDisk::new(1));
        let name = write_image(&folder, GRAPH, &image).unwrap().0.name;
        let read = read_all(&folder, name).unwrap();
        let ends = read.ends(edge_type, &[2048, 2049]);
        match entries {
            Some(2) => assert_eq!(ends.unwrap(), [Some((9, 4)), Some((9, 5))]),
            _ => assert!(is_damage(&ends), "{entries:?}"),
        }
        assert_eq!(is_damage(&read.each_edge(edge_type, |_, _, _| ())), entries != Some(2));
    }
}

#[test]
fn a_crash_at_any_step_leaves_a_whole_file_or_none() {
    let mut steps = 0;
    for step in 0.. {
        let disk = SimDisk::new(step);
        let (naive, image) = small(2);
        let first = folder(&disk);
        disk.crash_after(step);
        let written = write_image(&first, GRAPH, &image).is_ok();
        let crashed = disk.is_crashed();
        disk.power_loss();
        drop(first);
        let folder = folder(&disk);
        let names = folder.names(FileKind::Segment).unwrap();
        for &name in &names {
            naive.check(&read_all(&folder, name).unwrap());
        }
        assert!(!written || names.len() == 1, "step {step}: what was written is there");
        if !crashed {
            break;
        }
        steps += 1;
    }
    assert!(steps > 10, "a file takes more than {steps} steps");
}

#[test]
fn a_failed_write_or_sync_leaves_no_file_and_another_can_be_written() {
    let disk = SimDisk::new(1);
    let folder = folder(&disk);
    let (naive, image) = small(2);
    disk.fail_sync_after(0);
    assert!(matches!(write_image(&folder, GRAPH, &image), Err(Error::Io { .. })));
    assert_eq!(disk.files(), [], "no name is left, temporary or final");
    let (file, _) = write_image(&folder, GRAPH, &image).unwrap();
    naive.check(&read_all(&folder, file.name).unwrap());
    disk.full_after(3);
    assert!(matches!(write_image(&folder, GRAPH, &image), Err(Error::DiskFull { .. })));
    assert_eq!(disk.files(), [(folder.path_of(file.name), file.length)]);
}

#[test]
fn a_sound_file_about_something_else_is_refused() {
    let folder = folder(&SimDisk::new(1));
    let (file, _) = write_image(&folder, GRAPH, &small(2).1).unwrap();
    let other_graph = open_image(&folder, file.name, GraphId(4), ORDINAL).map(|(_, image)| image);
    let other_ordinal = open_image(&folder, file.name, GRAPH, 6).map(|(_, image)| image);
    assert!(is_damage(&other_graph) && is_damage(&other_ordinal));
    assert!(open_index_base(&folder, file.name, (GRAPH, IndexId(0), 0)).is_err());
}

#[test]
fn the_header_of_another_sound_file_is_told() {
    let disk = SimDisk::new(1);
    let folder = folder(&disk);
    let (_, mut image) = small(2);
    let (file, _) = write_image(&folder, GRAPH, &image).unwrap();
    image.checkpoint = LogPosition(78);
    let (later, _) = write_image(&folder, GRAPH, &image).unwrap();
    let header = disk.contents(later.path()).unwrap()[..HEADER_BYTES].to_vec();
    disk.open(file.path()).unwrap().write_at(0, &header).unwrap();
    assert!(is_damage(&read_all(&folder, file.name)));
}

#[test]
fn a_newer_file_is_refused_as_newer() {
    let disk = SimDisk::new(1);
    let folder = folder(&disk);
    let (file, _) = write_image(&folder, GRAPH, &small(2).1).unwrap();
    let handle = disk.open(file.path()).unwrap();
    for (at, number) in [(8, 99u32), (12, 1)] {
        let mut header = disk.contents(file.path()).unwrap()[..HEADER_BYTES].to_vec();
        let kept = header.clone();
        put(&mut header, at, &number.to_le_bytes());
        let sum = checksum(&header[..60]);
        put(&mut header, 60, &sum.to_le_bytes());
        handle.write_at(0, &header).unwrap();
        let refused = open_image(&folder, file.name, GRAPH, ORDINAL);
        assert!(matches!(refused, Err(Error::Version { .. })));
        handle.write_at(0, &kept).unwrap();
    }
}

#[test]
fn the_layout_is_as_drawn() {
    let disk = SimDisk::new(1);
    let folder = folder(&disk);
    let base = IndexBase::of(vec![(2, 7)]);
    let shard = (GRAPH, IndexId(9), 4);
    let (file, bytes) = {
        let file = write_index_base(&folder, shard, LogPosition(6), &base).unwrap();
        let bytes = disk.contents(file.path()).unwrap();
        (file, bytes)
    };
    assert_eq!(&bytes[..8], b"MILLSEG\0");
    let numbers: Vec<u8> =
        [7u32, 0, 2, 3, 4, 9, 6, 0, 6, 0].iter().flat_map(|n| n.to_le_bytes()).collect();
    assert_eq!(bytes[8..48], numbers);
    let section: Vec<u8> = [1u64, 2, 1, 7].iter().flat_map(|n| n.to_le_bytes()).collect();
    assert_eq!(bytes[64..96], section);
    let trailer = &bytes[bytes.len() - TRAILER_BYTES..];
    assert_eq!((u64_at(trailer, 0), u64_at(trailer, 8)), (96, file.length));
    assert_eq!(bytes.len(), 96 + 40 + 32);
}

#[test]
fn an_index_base_finds_all_ids_of_a_hash_before_and_after_its_file() {
    let disk = SimDisk::new(1);
    let folder = folder(&disk);
    let mut random = SimNumbers::new(3);
    let entries: Vec<_> = (0..5000).map(|_| (random.below(900), random.next_u64())).collect();
    let base = IndexBase::of(entries.iter().chain(&entries[..50]).copied().collect());
    assert_eq!(base.len(), 5000);
    let shard = (GRAPH, IndexId(9), 4);
    let written = write_index_base(&folder, shard, LogPosition(6), &base).unwrap();
    let (file, section) = open_index_base(&folder, written.name, shard).unwrap();
    assert_eq!(file.positions.checkpoint, LogPosition(6));
    let read = section.get().unwrap();
    assert_eq!(*read, base);
    for hash in 0..=900 {
        let mut ids: Vec<u64> =
            entries.iter().filter(|(other, _)| *other == hash).map(|(_, id)| *id).collect();
        ids.sort_unstable();
        assert_eq!(read.ids(hash), ids);
    }
}
