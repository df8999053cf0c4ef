//! Images against plain maps, built at once and merged from two.

use millrace_model::{Column, EdgeTypeId, KeyId, LabelId, LogPosition, Value};
use millrace_store::Labels;

use crate::base::codec::{Reader, put_u16s};
use crate::base::random::SimNumbers;
use crate::persistent::image::naive::{Naive, Shape};
use crate::persistent::image::*;

#[test]
fn an_image_of_random_rows_agrees_with_plain_maps() {
    for seed in 0..60 {
        println!("seed {seed}");
        let mut random = SimNumbers::new(seed);
        let shape = Shape::random(&mut random);
        let naive = Naive::random(&mut random, shape);
        naive.check(&naive.build(&mut random, 5, LogPosition(9)));
    }
}

#[test]
fn a_merge_agrees_with_its_base_and_transaction_layer() {
    for seed in 0..60 {
        println!("seed {seed}");
        let mut random = SimNumbers::new(seed);
        let base = Shape::random(&mut random);
        let layer = Shape { first_run: 500, ..Shape::random(&mut random) };
        let (base, layer) = (Naive::random(&mut random, base), Naive::random(&mut random, layer));
        let below = base.build(&mut random, 5, LogPosition(9));
        let above = layer.build(&mut random, 5, LogPosition(12));
        let merged = Image::merge(&below, &above, LogPosition(12)).unwrap();
        base.union(&layer).check(&merged);
        assert_eq!((merged.ordinal, merged.checkpoint), (5, LogPosition(12)));
    }
}

#[test]
fn sections_are_sparse_below_a_sixteenth_and_dense_above() {
    let section = |lists: u16| {
        let mut builder = ListBuilder::default();
        (0..lists).for_each(|local| builder.push(local * 2, [(1, u32::from(local))]));
        builder.finish().unwrap()
    };
    let (sparse, dense) = (section(4095), section(4096));
    assert!(sparse.byte_size() < 64 << 10 && dense.byte_size() > 256 << 10);
    for lists in [&sparse, &dense] {
        assert_eq!((lists.degree(8188), lists.degree(8189), lists.degree(u16::MAX)), (1, 0, 0));
        assert_eq!(lists.list(8188).iter().collect::<Vec<_>>(), [(1, 4094)]);
    }
}

#[test]
fn slot_sets_take_the_form_that_suits_and_answer_alike() {
    let forms: [Vec<u32>; 4] = [
        (2048..5000).collect(),
        (0..3000).filter(|slot| slot % 3 > 0).chain(9 << 10..10 << 10).collect(),
        (0..40).map(|run| run << 10 | 7).collect(),
        Vec::new(),
    ];
    for (form, slots) in forms.iter().enumerate() {
        let set = SlotSet::of_ascending(slots);
        let suits = match form {
            1 => matches!(set, SlotSet::Runs(_)),
            2 => matches!(set, SlotSet::Listed(_)),
            _ => matches!(set, SlotSet::Range { .. }),
        };
        assert!(suits, "{set:?}");
        assert_eq!(set.edge_count(), slots.len());
        assert!(set.iter().map(|(slot, _)| slot).eq(slots.iter().copied()));
        assert!(set.iter().all(|(slot, row)| set.row(slot) == Some(row)));
        let strangers = (0..60 << 10).filter(|slot| slots.binary_search(slot).is_err());
        assert!(strangers.map(|slot| set.row(slot)).all(|row| row.is_none()));
    }
}

#[test]
fn labels_set_anew_leave_no_old_sets_behind() {
    let mut builder = RecordsBuilder::default();
    for round in 0..70_000 {
        builder.set([3], &Labels::from([LabelId(round)]));
    }
    builder.set([4], &Labels::from([LabelId(1)]));
    builder.remove([4]);
    let records = builder.finish();
    assert_eq!(records.labels(3), Some(&Labels::from([LabelId(69_999)])));
    assert_eq!(records.labels(4), None);
    assert_eq!(records.counts(), (1, [(LabelId(69_999), 1)].into()));
    assert!(records.byte_size() < 1000);
}

#[test]
fn vertices_with_the_same_labels_cost_a_bit_each() {
    let (person, city) = (Labels::from([LabelId(1)]), Labels::from([LabelId(2)]));
    let mut builder = RecordsBuilder::default();
    builder.set([9], &city);
    builder.set(0..=u16::MAX, &person);
    let same = builder.finish();
    let mut bytes = Vec::new();
    same.encode(&mut bytes).unwrap();
    assert!(bytes.len() < 9 << 10, "{}", bytes.len());
    // As they were written before: a code for each.
    let codes = bytes.len() - 8;
    assert_eq!(bytes[codes..], [0; 8]);
    bytes.truncate(codes);
    put_u16s(&mut bytes, &[0; 1 << 16]);
    let mut reader = Reader::new(&bytes);
    assert_eq!(Records::decode(&mut reader).unwrap(), same);
    reader.finish().unwrap();
    let mut builder = RecordsBuilder::from_records(&same);
    builder.set([7], &city);
    let differ = builder.finish();
    assert_eq!((differ.labels(7), differ.labels(8)), (Some(&city), Some(&person)));
    assert_eq!(differ.scan(Some(LabelId(2))).collect::<Vec<_>>(), [7]);
}

#[test]
fn the_last_value_of_a_vertex_wins_and_absent_ones_leave_no_trace() {
    let mut builder = ImageBuilder::new();
    let mut values = Column::from_values([Value::I64(1), Value::I64(2)]);
    values.push_absent();
    builder.vertex_values(KeyId(0), &[9, 9, 10], &values);
    let image = builder.finish(0, LogPosition(1)).unwrap();
    let column = image.vertex_columns[&KeyId(0)].get().unwrap();
    assert_eq!(column.iter().collect::<Vec<_>>(), [(9, Value::I64(2))]);
    assert_eq!((column.get(9), column.get(10)), (Some(Value::I64(2)), None));
}

#[test]
fn a_patched_column_is_the_old_one_with_changes_over_it() {
    let old = PropertyColumn::of_ascending((0..200).map(|row| (row * 3, Value::I64(row.into()))));
    let changes = [(0, None), (1, Some(Value::from("x"))), (3, Some(Value::Null)), (9000, None)];
    let new = old.patched(changes);
    let read = [new.get(0), new.get(1), new.get(3), new.get(6), new.get(9000)];
    let x = Value::from("x");
    assert_eq!(read, [None, Some(x), Some(Value::Null), Some(Value::I64(2)), None]);
    assert_eq!(new.count(), 200);
}

#[test]
fn an_implied_out_section_gives_slots_and_ends() {
    let rows = ListRows { locals: vec![9, 2, 9], neighbours: vec![4, 5, 3], slots: vec![0; 3] };
    let sorted = SortedRows::sort(&rows.locals, &rows.neighbours, |row| row as u32).unwrap();
    assert_eq!(sorted.low_halves(), [1, 2, 0]);
    let mut image = Image::empty(0, LogPosition(0));
    let lists = sorted.into_section(ListSlots::Implied { first: 2048 });
    assert_eq!(lists.list(9).iter().collect::<Vec<_>>(), [(3, 2049), (4, 2050)]);
    let edge_type = EdgeTypeId(1);
    image.lists.insert((edge_type, Half::Out), Section::of(lists));
    let slots = SlotSet::Range { first: 2048, len: 3 };
    image.edges.insert(edge_type, Section::of(EdgeSection { slots, ends: Ends::Implied }));
    let ends = image.ends(edge_type, &[2050, 2048, 2047, 2051]).unwrap();
    assert_eq!(ends, [Some((9, 4)), Some((2, 5)), None, None]);
}
