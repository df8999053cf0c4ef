//! The memory of sections counts exactly, keeps to its budget, and evicts nothing that is pinned.

use std::path::Path;
use std::sync::Arc;

use millrace_store::non_blocking;

use crate::base::bytes::checksum;
use crate::base::codec::{Malformed, Reader, put_u32s};
use crate::base::error::Result;
use crate::folder::SectionMemory;
use crate::io::Disk;
use crate::io::sim::SimDisk;
use crate::persistent::image::{Extent, Section, SectionBody};

#[derive(Debug, PartialEq)]
struct Numbers(Vec<u32>);

impl SectionBody for Numbers {
    fn encode(&self, bytes: &mut Vec<u8>) -> Result<()> {
        put_u32s(bytes, &self.0);
        Ok(())
    }

    fn decode(reader: &mut Reader<'_>) -> std::result::Result<Numbers, Malformed> {
        reader.u32s().map(Numbers)
    }

    fn byte_size(&self) -> usize {
        self.0.len() * 4
    }
}

const COUNT: u32 = 250;
const BYTES: u64 = COUNT as u64 * 4;

/// Sections of 1,000 bytes, all in one file and none in memory.
fn sections(memory: &Arc<SectionMemory>, count: u32) -> Vec<Section<Numbers>> {
    let file = SimDisk::new(1).create(Path::new("/sections")).unwrap();
    let mut offset = 0;
    let mut store = |number: u32| {
        let mut bytes = Vec::new();
        Numbers(vec![number; COUNT as usize]).encode(&mut bytes).unwrap();
        file.write_at(offset, &bytes).unwrap();
        let length = bytes.len() as u64;
        let (file, memory) = (file.clone(), Arc::clone(memory));
        let extent =
            Extent { file, segment: 0, offset, length, checksum: checksum(&bytes), memory };
        offset += length;
        Section::stored(extent)
    };
    (0..count).map(&mut store).collect()
}

#[test]
fn what_is_loaded_is_counted_until_the_last_one_lets_go() {
    let memory = SectionMemory::new(u64::MAX);
    let sections = sections(&memory, 3);
    assert_eq!(memory.loaded_bytes(), 0);
    let pinned = sections[0].get().unwrap();
    let again = sections[0].share().get().unwrap();
    assert!(pinned.is_same(&again), "shares are loaded once");
    assert_eq!((memory.loaded_bytes(), memory.read_count()), (BYTES, 1));
    sections[1].get().unwrap();
    assert_eq!(memory.loaded_bytes(), 2 * BYTES);
    drop((sections, again));
    assert_eq!(memory.loaded_bytes(), BYTES, "one is pinned still");
    drop(pinned);
    assert_eq!(memory.loaded_bytes(), 0);
}

#[test]
fn the_budget_is_kept_and_what_was_evicted_is_read_again() {
    let memory = SectionMemory::new(4 * BYTES);
    let sections = sections(&memory, 20);
    for _ in 0..3 {
        for (number, section) in (0..).zip(&sections) {
            assert_eq!(*section.get().unwrap(), Numbers(vec![number; COUNT as usize]));
            assert!(memory.loaded_bytes() <= 4 * BYTES);
        }
    }
    assert_eq!(memory.read_count(), 60);
    assert_eq!(memory.eviction_count(), 56);
    assert_eq!(memory.read_bytes(), 60 * (BYTES + 8));
}

#[test]
fn a_pinned_section_is_never_evicted_and_goes_when_it_is_unpinned() {
    let memory = SectionMemory::new(2 * BYTES);
    let sections = sections(&memory, 6);
    let pinned: Vec<_> = sections[..4].iter().map(|section| section.get().unwrap()).collect();
    assert_eq!(memory.loaded_bytes(), 4 * BYTES, "the budget, and what is pinned beyond it");
    sections[4].get().unwrap();
    sections[5].get().unwrap();
    for (number, pinned) in (0..).zip(&pinned) {
        assert_eq!(**pinned, Numbers(vec![number; COUNT as usize]));
        assert!(pinned.is_same(&sections[number as usize].get().unwrap()));
    }
    assert_eq!(memory.read_count(), 6);
    drop(pinned);
    memory.make_room();
    assert_eq!(memory.loaded_bytes(), 2 * BYTES);
}

#[test]
fn what_is_used_gets_a_second_chance() {
    let memory = SectionMemory::new(4 * BYTES);
    let sections = sections(&memory, 40);
    for section in &sections {
        sections[0].get().unwrap();
        section.get().unwrap();
    }
    assert_eq!(memory.read_count(), 40, "the first is read once, though 39 pass by it");
}

#[test]
fn what_is_only_in_memory_is_neither_counted_nor_evicted_until_it_is_stored() {
    let memory = SectionMemory::new(0);
    let stored = sections(&memory, 1).remove(0);
    let fresh = Section::of(Numbers(vec![7; COUNT as usize]));
    assert_eq!((memory.loaded_bytes(), fresh.unload()), (0, 0));
    let moved = Section::moved(Some(&fresh), stored.extent().unwrap().clone());
    assert_eq!(memory.loaded_bytes(), BYTES);
    memory.make_room();
    assert_eq!(memory.loaded_bytes(), BYTES, "the fresh one holds it");
    drop(fresh);
    memory.make_room();
    assert_eq!(memory.loaded_bytes(), 0);
    assert_eq!(*moved.get().unwrap(), Numbers(vec![0; COUNT as usize]), "read from the file");
}

#[test]
fn readers_and_eviction_at_once_find_every_section_whole() {
    let memory = SectionMemory::new(3 * BYTES);
    let sections = sections(&memory, 16);
    std::thread::scope(|threads| {
        for reader in 0..4u32 {
            let (sections, memory) = (&sections, &memory);
            threads.spawn(move || {
                for step in 0..5_000u32 {
                    let number = (step * (reader + 1) * 7 + step / 16) % 16;
                    let pinned = sections[number as usize].get().unwrap();
                    assert!(pinned.0.iter().all(|own| *own == number));
                    // The budget, and for each reader a section with the bytes it is made of.
                    let most = 3 * BYTES + 4 * (2 * BYTES + 8);
                    assert!(memory.loaded_bytes() <= most, "{}", memory.loaded_bytes());
                }
            });
        }
    });
    memory.make_room();
    assert!(memory.loaded_bytes() <= 3 * BYTES);
    assert!(0 < memory.eviction_count());
}

#[test]
fn sections_that_are_gone_do_not_stay_in_the_ring() {
    let memory = SectionMemory::new(u64::MAX);
    for _ in 0..200 {
        for section in sections(&memory, 50) {
            section.get().unwrap();
        }
    }
    assert!(memory.ring_len() < 3_000, "{}", memory.ring_len());
    assert_eq!(memory.loaded_bytes(), 0);
}

#[test]
fn a_non_blocking_read_gets_sections_in_memory_and_reads_no_file() {
    let memory = SectionMemory::new(u64::MAX);
    let sections = sections(&memory, 2);
    let pinned = sections[0].get().unwrap();
    assert!(non_blocking::try_run(|| sections[0].get().unwrap().is_same(&pinned)).unwrap());
    assert!(non_blocking::try_run(|| sections[1].get().is_err()).is_none());
    assert_eq!(memory.read_count(), 1, "the second one was not read");
    // Another thread reads it just now.
    let (begin, begun) = std::sync::mpsc::channel();
    let (end, ended) = std::sync::mpsc::channel::<()>();
    let slow = sections[0].share();
    let reader = std::thread::spawn(move || {
        slow.while_read_by_another(|| {
            begin.send(()).expect("the test waits");
            ended.recv().expect("the test goes on");
        });
    });
    begun.recv().unwrap();
    assert!(non_blocking::try_run(|| sections[0].get().is_err()).is_none());
    end.send(()).unwrap();
    reader.join().unwrap();
    assert!(sections[0].get().is_ok());
}

#[test]
fn damage_is_counted_at_each_read() {
    let memory = SectionMemory::new(u64::MAX);
    let sections = sections(&memory, 2);
    let damaged = sections[0].extent().unwrap();
    damaged.file.write_at(damaged.offset + 9, &[7]).unwrap();
    for times in 1..=2 {
        assert!(sections[0].get().is_err());
        assert_eq!(memory.damage_count(), times);
    }
    sections[1].get().unwrap();
    assert_eq!(memory.damage_count(), 2);
}
