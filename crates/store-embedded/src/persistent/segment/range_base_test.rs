//! The base of an ordered shard: its bytes, its blocks, the form of format 5.

use millrace_model::{Value, order_key};

use super::range_base::{KeyLists, RangeBase, RangeEntry, put_varint};
use super::range_builder::RangeBaseBuilder;
use crate::base::codec::{Reader, put_bytes, put_u64, put_u64s};
use crate::base::random::SimNumbers;
use crate::persistent::image::SectionBody;

fn entries(seed: u64, count: usize) -> Vec<RangeEntry> {
    let mut random = SimNumbers::new(seed);
    let mut entries: Vec<RangeEntry> = (0..count)
        .map(|_| {
            let value = match random.below(3) {
                0 => Value::I64(random.below(50) as i64),
                1 => Value::I64(random.next_u64() as i64),
                _ => Value::from(&*"word ".repeat(random.below(9) as usize)),
            };
            let mut key = Vec::new();
            order_key::encode(&value, &mut key);
            (key, random.next_u64() >> random.below(64))
        })
        .collect();
    entries.sort_unstable();
    entries.dedup();
    entries
}

fn base(entries: &[RangeEntry]) -> RangeBase {
    let mut builder = RangeBaseBuilder::default();
    entries.iter().for_each(|(key, id)| builder.push(key, *id));
    builder.finish()
}

#[test]
fn entries_read_back_and_are_found_by_block() {
    for (seed, count) in [(1, 0), (2, 1), (3, 16), (4, 17), (5, 1_000), (6, 20_000)] {
        let entries = entries(seed, count);
        let base = base(&entries);
        assert_eq!(base.iter().collect::<Vec<_>>(), entries);
        let mut bytes = Vec::new();
        base.encode(&mut bytes).unwrap();
        assert_eq!(RangeBase::decode(&mut Reader::new(&bytes)), Ok(base.clone()));
        let (mut lists, mut at) = (KeyLists::default(), 0);
        for block in 0..base.blocks() {
            base.read(block, &mut lists);
            for (key, ids) in (0..lists.len()).map(|list| lists.list(list)) {
                for id in ids {
                    assert_eq!((key, *id), (entries[at].0.as_slice(), entries[at].1));
                    assert_eq!(base.block_of(key, *id), block);
                    assert_eq!(base.rank(key, *id), at as u64);
                    at += 1;
                }
            }
        }
        assert_eq!(at, entries.len());
        assert_eq!(base.rank(&[0xff; 99], 0), at as u64);
    }
}

#[test]
fn entries_of_format_5_are_read() {
    for count in [0, 1, 16, 17, 1_000] {
        let entries = entries(8, count);
        let (mut bytes, mut starts, mut last) = (Vec::new(), Vec::new(), Vec::new());
        for (at, (key, id)) in entries.iter().enumerate() {
            if at % 16 == 0 {
                starts.push(bytes.len() as u64);
                last.clear();
            }
            let shared = last.iter().zip(key).take_while(|(one, other)| one == other).count();
            put_varint(&mut bytes, shared as u64);
            put_varint(&mut bytes, (key.len() - shared) as u64);
            bytes.extend(&key[shared..]);
            put_varint(&mut bytes, *id);
            last.clone_from(key);
        }
        let mut section = Vec::new();
        put_u64(&mut section, entries.len() as u64);
        put_u64s(&mut section, &starts);
        put_bytes(&mut section, &bytes);
        let read = RangeBase::decode(&mut Reader::new(&section)).unwrap();
        assert_eq!(read, base(&entries));
    }
}

#[test]
fn bytes_out_of_order_are_refused() {
    let mut entries = entries(7, 100);
    entries.swap(40, 41);
    let mut bytes = Vec::new();
    base(&entries).encode(&mut bytes).unwrap();
    assert!(RangeBase::decode(&mut Reader::new(&bytes)).is_err());
}

#[test]
fn a_random_integer_takes_under_16_bytes_and_an_equal_one_under_3() {
    let mut random = SimNumbers::new(9);
    let bytes_an_entry = |value: &mut dyn FnMut(u64) -> i64| {
        let mut entries: Vec<RangeEntry> = (0..100_000u64)
            .map(|id| {
                let mut key = Vec::new();
                order_key::encode(&Value::I64(value(id)), &mut key);
                (key, id)
            })
            .collect();
        entries.sort_unstable();
        base(&entries).byte_size() as f64 / entries.len() as f64
    };
    let far = bytes_an_entry(&mut |_| random.next_u64() as i64 >> 11);
    let near = bytes_an_entry(&mut |id| (id % 100) as i64);
    println!("{far:.1} bytes an entry of random integers, {near:.1} of few");
    assert!(far < 16.0 && near < 3.0, "{far} {near}");
}
