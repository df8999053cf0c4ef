//! What is encoded reads back, and its bytes stay what they are.

use std::sync::Arc;

use millrace_model::{CatalogChange, Owner};

use super::*;
use crate::base::random::SimNumbers;

fn sample(random: &mut SimNumbers) -> Physical {
    let mut changes = Changes::default();
    let ids = |random: &mut SimNumbers, count: u64| -> Vec<VertexId> {
        (0..count).map(|_| VertexId(random.next_u64() >> 32)).collect()
    };
    let column = |random: &mut SimNumbers, count: u64| {
        let mut column = Column::default();
        for _ in 0..count {
            match random.below(4) {
                0 => column.push(Value::I64(random.next_u64() as i64)),
                1 => column.push(Value::from("text")),
                2 => column.push(Value::Null),
                _ => column.push_absent(),
            }
        }
        column
    };
    let count = random.below(5);
    if random.chance(1, 2) {
        let labels: Labels = Arc::from([LabelId(1), LabelId(9)]);
        let (ids, properties) = (ids(random, count), vec![(KeyId(3), column(random, count))]);
        changes.vertices.push(VertexBlock { labels, ids, properties });
    }
    if random.chance(1, 2) {
        changes.edges.push(EdgeBlock {
            edge_type: EdgeTypeId(2),
            ids: (0..count).map(EdgeId).collect(),
            sources: ids(random, count),
            targets: ids(random, count),
            properties: vec![(KeyId(4), column(random, count))],
        });
    }
    if random.chance(1, 3) {
        changes.catalog.push(CatalogChange::CreateOwner(Owner::Label(LabelId(1))));
        changes.labels.push((VertexId(7), Arc::from([LabelId(2)])));
        changes.deleted_vertices = ids(random, count);
    }
    if random.chance(1, 3) {
        let (owners, values) = (ids(random, count), column(random, count));
        changes.vertex_properties.push(PropertyBlock { key: KeyId(1), owners, values });
        let (edge, edge_type) = (EdgeId(5), EdgeTypeId(2));
        let (source, target) = (VertexId(1), VertexId(2));
        changes.deleted_edges.push(EdgeEnds { edge, edge_type, source, target });
    }
    let entry = IndexEntry { index: IndexId(1), hash: random.next_u64(), id: 8 };
    let index_added = vec![entry; random.below(3) as usize];
    let index_removed = vec![entry; random.below(2) as usize];
    let ordered = OrderedEntry { index: IndexId(2), key: vec![2, 0, 255], id: 9 };
    let ordered_added = vec![ordered.clone(); random.below(2) as usize];
    let ordered_removed = vec![ordered; random.below(2) as usize];
    let server = u128::from(random.next_u64()) << 64 | 7;
    let origin = CommitOrigin { server, number: random.next_u64() };
    let origin = random.chance(1, 3).then_some(origin);
    Physical { changes, index_added, index_removed, ordered_added, ordered_removed, origin }
}

#[test]
fn what_is_encoded_reads_back_and_no_part_of_it_does() {
    for seed in 0..300 {
        let physical = sample(&mut SimNumbers::new(seed));
        let mut bytes = Vec::new();
        physical.encode(&mut bytes).unwrap();
        let read = Physical::decode(&bytes).unwrap();
        assert_eq!(format!("{read:?}"), format!("{physical:?}"), "seed {seed}");
        for length in 0..bytes.len() {
            let truncated = Physical::decode(&bytes[..length]);
            assert!(truncated.is_err(), "seed {seed}: {length} of {} bytes", bytes.len());
        }
    }
}

#[test]
fn edges_appended_to_a_group_are_those_that_are_read_back() {
    let (mut blocks, mut appended) = (Vec::new(), 0);
    for seed in 0..9_000 {
        let physical = sample(&mut SimNumbers::new(seed));
        let mut bytes = Vec::new();
        let mut plain = Changes { edges: physical.changes.edges.clone(), ..Changes::default() };
        plain.edges.iter_mut().for_each(|block| block.properties.clear());
        for changes in [physical.changes.clone(), plain] {
            bytes.clear();
            Physical { changes: changes.clone(), ..physical.clone() }.encode(&mut bytes).unwrap();
            let Some(rows) = append_edges(&bytes, &mut blocks) else { continue };
            assert!(physical.index_added.is_empty() && physical.index_removed.is_empty());
            assert_eq!(physical.origin, None, "it would be lost");
            assert!(physical.ordered_added.is_empty() && physical.ordered_removed.is_empty());
            let Changes { edges, .. } = Physical::decode(&bytes).unwrap().changes;
            let (block, from) = (&blocks[rows.block as usize], rows.first as usize);
            let range = from..from + rows.count as usize;
            assert_eq!(block.edge_type, edges[0].edge_type);
            assert_eq!(block.ids[range.clone()], edges[0].ids);
            assert_eq!(block.sources[range.clone()], edges[0].sources);
            assert_eq!(block.targets[range], edges[0].targets);
            appended += 1;
        }
    }
    assert!(100 < appended, "{appended}");
}

#[test]
fn the_bytes_of_a_plain_edge_never_change() {
    let edge = EdgeBlock {
        edge_type: EdgeTypeId(1),
        ids: vec![EdgeId(2)],
        sources: vec![VertexId(3)],
        targets: vec![VertexId(4)],
        properties: Vec::new(),
    };
    let changes = Changes { edges: vec![edge], ..Changes::default() };
    let mut bytes = Vec::new();
    Physical { changes, ..Physical::default() }.encode(&mut bytes).unwrap();
    let golden = "04 00 01000000 01000000 01000000 0200000000000000 01000000 \
                  0300000000000000 01000000 0400000000000000 00000000";
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(hex, golden.replace(' ', ""));
    assert_eq!(bytes.len(), 50);
}

#[test]
fn the_bytes_of_an_origin_never_change_and_what_is_unknown_behind_changes_is_refused() {
    let origin = Some(CommitOrigin { server: 0x0102 << 64 | 3, number: 4 });
    let mut bytes = Vec::new();
    Physical { origin, ..Physical::default() }.encode(&mut bytes).unwrap();
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    let golden = "00 10 0300000000000000 0201000000000000 0400000000000000";
    assert_eq!(hex, golden.replace(' ', ""));
    assert_eq!(Physical::decode(&bytes).unwrap().origin, origin);
    assert!(Physical::decode(&[0, ORIGIN << 1]).is_err());
}
