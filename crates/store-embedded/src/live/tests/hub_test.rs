//! Hubs: the bytes that a delete or an insert copies must not depend on the length of the list.

use std::sync::Arc;

use millrace_model::{EdgeId, EdgeTypeId, LogPosition, VertexId};
use millrace_store::{Changes, EdgeBlock, EdgeEnds};

use crate::live::tests::differential_test::Random;
use crate::live::{Commit, Partitions, PinnedSnapshots, route};
use crate::persistent::image::{EdgeRows, ImageBuilder, IncomingRows};

const LIKES: EdgeTypeId = EdgeTypeId(0);

/// Deletes all edges of a hub one by one, in any order, and says how many bytes that copied.
fn copied_by_deleting_a_hub(edges: u32) -> u64 {
    let partitions = Partitions::default();
    let targets: Vec<u32> = (0..edges).map(|edge| edge % 60_000 + 1).collect();
    let (sources, slots) = (vec![0u16; edges as usize], (0..edges).collect::<Vec<_>>());
    let narrow: Vec<u16> = targets.iter().map(|target| *target as u16).collect();
    let hub = vec![0u32; edges as usize];
    let mut builder = ImageBuilder::new();
    builder.edges(LIKES, EdgeRows { sources: &sources, targets: &targets, slots: &slots });
    builder.incoming(LIKES, IncomingRows { targets: &narrow, sources: &hub, slots: &slots });
    assert!(partitions.open(Arc::new(builder.finish(0, LogPosition(1)).unwrap())));
    let partition = partitions.get(Some(0)).unwrap();
    let mut random = Random::new(3);
    let mut left = slots;
    for at in 2.. {
        if left.is_empty() {
            break;
        }
        let slot = left.swap_remove(random.below(left.len()));
        let target = VertexId(u64::from(targets[slot as usize]));
        let edge = EdgeId(u64::from(slot));
        let gone = EdgeEnds { edge, edge_type: LIKES, source: VertexId(0), target };
        let changes = Changes { deleted_edges: vec![gone], ..Changes::default() };
        let commits = [Commit::new(LogPosition(at), &changes)];
        partitions.pin(PinnedSnapshots::since(LogPosition(at - 1)));
        partition.apply(&commits, &route(&commits)[0]).unwrap();
        if at % 1_000 == 0 {
            let mut degrees = Vec::new();
            let types = Some(&[LIKES][..]);
            let direction = millrace_model::Direction::Out;
            partitions
                .degrees(LogPosition(at), &[VertexId(0)], types, direction, &mut degrees)
                .unwrap();
            assert_eq!(degrees, [left.len() as u64]);
            let state = partition.state.read();
            let root = state.newest();
            assert_eq!(root.delta.byte_size(), root.delta.walked_byte_size());
            assert!(root.delta.retired.queue.len() < 10, "versions go as they come");
        }
    }
    partition.copied_bytes()
}

#[test]
fn deleting_the_edges_of_a_hub_one_by_one_copies_a_chunk_for_each() {
    let (small, large) = (10_000, 80_000);
    let each = |edges: u32| copied_by_deleting_a_hub(edges) / u64::from(edges);
    let (of_small, of_large) = (each(small), each(large));
    // A chunk of 512 entries, a group of 64 chunks, the groups.
    assert!(of_large < 512 * 8 + 64 * 32 + 1_024, "{of_large} bytes copied for each edge");
    assert!(of_large < 2 * of_small, "{of_small} bytes of a small hub, {of_large} of a large one");
}

/// Inserts edges of a hub one by one, and says how many bytes that copied.
fn copied_by_inserting_to_a_hub(edges: u32) -> u64 {
    let partitions = Partitions::default();
    for edge in 0..edges {
        let block = EdgeBlock {
            edge_type: LIKES,
            ids: vec![EdgeId(u64::from(edge) + 1_024)],
            sources: vec![VertexId(0)],
            targets: vec![VertexId(u64::from(edge % 60_000 + 1))],
            ..EdgeBlock::default()
        };
        let changes = Changes { edges: vec![block], ..Changes::default() };
        let commits = [Commit::new(LogPosition(u64::from(edge) + 1), &changes)];
        partitions.pin(PinnedSnapshots::since(LogPosition(u64::from(edge))));
        partitions.get_or_create(0).apply(&commits, &route(&commits)[0]).unwrap();
    }
    partitions.get_or_create(0).copied_bytes()
}

#[test]
fn an_insert_appends_and_copies_no_list_but_at_its_share_of_merges() {
    assert_eq!(copied_by_inserting_to_a_hub(64), 0, "a tail is appended to in place");
    let each = |edges: u32| copied_by_inserting_to_a_hub(edges) / u64::from(edges);
    let (of_small, of_large) = (each(5_000), each(40_000));
    assert!(of_large < 400, "{of_large} bytes copied for each edge");
    assert!(of_large < 2 * of_small, "{of_small} bytes of a small hub, {of_large} of a large one");
}
