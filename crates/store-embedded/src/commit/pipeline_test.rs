//! The pipeline on a simulated disk, one rule each.

use std::path::Path;
use std::sync::Arc;

use millrace_model::{Catalog, ErrorKind, GraphId};

use super::frame::{Effect, Record};
use super::log_room::Purpose;
use super::pipeline::{Pipeline, Stepped};
use crate::base::options::{Durability, GroupCommitOptions, LogOptions, Options};
use crate::folder::Folder;
use crate::graph::{Graph, Graphs};
use crate::io::Machine;
use crate::io::sim::SimDisk;
use crate::log::{Demand, recover};

#[test]
fn a_sync_waits_only_if_it_is_set_and_enough_other_commits_wait() {
    let group_commit = GroupCommitOptions { delay_us: 150, siblings: 2 };
    let delayed = |durability, group_commit, commits: u64| {
        let options = Options { conflict_bits: 4, group_commit, ..Options::default() };
        let (pipeline, graph) = pipeline((durability, &options));
        for end in 1..=commits {
            let record = Record::new(&graph, Effect::Lease(end)).unwrap();
            pipeline.sequence_together(vec![record], Purpose::Change, &|| Ok(())).unwrap();
        }
        let delay = pipeline.group_commit_delay();
        pipeline.log_step().unwrap();
        assert_eq!(pipeline.group_commit_delay(), None, "none waits");
        delay.map(|delay| delay.as_micros())
    };
    let delays = [0, 1, 2, 3, 9].map(|commits| delayed(Durability::Sync, group_commit, commits));
    assert_eq!(delays, [None, None, None, Some(150), Some(150)]);
    assert_eq!(delayed(Durability::Async, group_commit, 9), None, "none waits for the disk");
    assert_eq!(delayed(Durability::Sync, GroupCommitOptions::default(), 9), None, "not set");
}

/// A pipeline on an empty simulated disk.
fn pipeline(settings: (Durability, &Options)) -> (Pipeline, Arc<Graph>) {
    let Machine { disk, random, .. } = SimDisk::new(1).machine(1);
    let folder = Arc::new(Folder::open(disk, Path::new("/data")).unwrap());
    let log = settings.1.log;
    let recovered = recover(&folder, &random, log, Demand::from(1), &mut |_| Ok(())).unwrap();
    let graphs = Arc::new(Graphs::default());
    let graph = graphs.make(GraphId(1), "graph", (Catalog::default(), 0), 0);
    (Pipeline::new(recovered.writer, graphs, settings, 0), graph)
}

#[test]
fn a_record_that_no_batch_takes_fails_alone() {
    let log = LogOptions { batch_bytes_max: 16_384, ..LogOptions::default() };
    let options = Options { conflict_bits: 4, log, ..Options::default() };
    let (pipeline, graph) = pipeline((Durability::Sync, &options));
    let sequence = |effect| {
        let record = Record::new(&graph, effect).unwrap();
        pipeline.sequence_together(vec![record], Purpose::Change, &|| Ok(()))
    };
    let refused = sequence(Effect::GraphCreated("g".repeat(16_384))).unwrap_err();
    assert_eq!(refused.kind, ErrorKind::LimitReached);
    assert_eq!(sequence(Effect::Lease(1)).unwrap(), 1, "none was given to the other");
    assert_eq!(pipeline.log_step().unwrap(), Stepped::Worked);
}

#[test]
fn small_batches_never_find_a_full_file_with_none_behind_it() {
    let log =
        LogOptions { file_bytes: 1 << 20, first_file_bytes: 512 << 10, batch_bytes_max: 16384 };
    let options = Options { conflict_bits: 4, log, ..Options::default() };
    let (pipeline, graph) = pipeline((Durability::Sync, &options));
    for end in 1..=200 {
        let record = Record::new(&graph, Effect::Lease(end)).unwrap();
        pipeline.sequence_together(vec![record], Purpose::Change, &|| Ok(())).unwrap();
        assert_eq!(pipeline.log_step().unwrap(), Stepped::Worked);
        if pipeline.next_file_due() {
            assert!(!pipeline.next_file_due(), "it was asked for");
            assert_eq!(pipeline.next_file_step().unwrap(), Stepped::Worked);
        }
        let left = pipeline.sequencer.room.left();
        assert_ne!(left, 0, "a commit would have to make a file");
    }
}
