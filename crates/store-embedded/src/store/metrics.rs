//! Counters and gauges of an open folder, for `/metrics`.

use crate::checkpoint::OpenFolder;
use crate::graph::Graph;

/// (name, help, value) of each.
pub(crate) fn metrics(open: &OpenFolder) -> Vec<(&'static str, &'static str, f64)> {
    let pipeline = &open.pipeline;
    let progress = &pipeline.progress;
    let graphs = open.graphs.all();
    let sum =
        |count: &dyn Fn(&Graph) -> u64| graphs.iter().map(|graph| count(graph)).sum::<u64>() as f64;
    let sections = open.folder.memory();
    let (slowed, stalled) = open.admission.waits();
    let truth = |truth: bool| if truth { 1.0 } else { 0.0 };
    vec![
        ("millrace_graphs", "Graphs that are open.", graphs.len() as f64),
        (
            "millrace_log_position_assigned",
            "The last commit given a position.",
            pipeline.sequencer.position() as f64,
        ),
        ("millrace_log_position_durable", "The last commit on disk.", progress.durable() as f64),
        ("millrace_log_position_applied", "The last commit applied.", progress.applied() as f64),
        (
            "millrace_log_position_visible",
            "The last commit that snapshots see.",
            progress.visible() as f64,
        ),
        ("millrace_snapshots_open", "Snapshots that are open.", pipeline.readers.len() as f64),
        ("millrace_log_bytes", "Bytes of the files of the log.", pipeline.log_bytes() as f64),
        (
            "millrace_log_written_bytes_total",
            "Bytes of records written to the log.",
            pipeline.written_bytes() as f64,
        ),
        (
            "millrace_log_syncs_total",
            "Times the log was written and synced.",
            pipeline.sync_count() as f64,
        ),
        (
            "millrace_log_write_seconds_total",
            "Time that writing and syncing the log took.",
            pipeline.write_times.all_ns() as f64 / 1e9,
        ),
        (
            "millrace_log_write_seconds_max",
            "The longest write of the log, with its sync, since the folder was opened.",
            pipeline.write_times.longest_ns() as f64 / 1e9,
        ),
        (
            "millrace_log_slow_writes_total",
            "Writes of the log, with their sync, that took 10 ms or more.",
            pipeline.write_times.slow() as f64,
        ),
        (
            "millrace_delta_bytes",
            "Bytes of changes in memory, about: not merged into segments, or kept for older readers.",
            open.checkpoints.delta_bytes() as f64,
        ),
        (
            "millrace_id_blocks_total",
            "Blocks of vertex ids leased.",
            sum(&|graph| graph.leases.blocks()),
        ),
        (
            "millrace_id_waits_total",
            "Times a writer waited for a block of vertex ids that was not asked for early enough.",
            sum(&|graph| graph.leases.waits()),
        ),
        (
            "millrace_segment_memory_bytes",
            "Bytes of segments in memory, those that readers pin included.",
            sections.loaded_bytes() as f64,
        ),
        (
            "millrace_segment_memory_bytes_max",
            "Bytes of segments kept in memory beyond what readers pin.",
            sections.budget_bytes() as f64,
        ),
        (
            "millrace_segment_reads_total",
            "Sections of segments read from files.",
            sections.read_count() as f64,
        ),
        (
            "millrace_segment_read_bytes_total",
            "Bytes of sections of segments read from files.",
            sections.read_bytes() as f64,
        ),
        (
            "millrace_segment_damage_total",
            "Sections of segments that were read and are damaged; every read counts.",
            sections.damage_count() as f64,
        ),
        (
            "millrace_segment_evictions_total",
            "Sections dropped from memory to keep to its bound.",
            sections.eviction_count() as f64,
        ),
        (
            "millrace_segment_written_bytes_total",
            "Bytes written to segments.",
            open.folder.segment_bytes_written() as f64,
        ),
        (
            "millrace_segment_pause_seconds_total",
            "Time that writing segments left the disk to the log.",
            open.folder.pacer().pause_ns() as f64 / 1e9,
        ),
        (
            "millrace_delta_layers_total",
            "Partitions whose changes were written beside their base, not merged into it.",
            open.checkpoints.delta_layers() as f64,
        ),
        ("millrace_checkpoints_total", "Checkpoints done.", open.checkpoints.count() as f64),
        (
            "millrace_checkpoint_failures_total",
            "Checkpoints that failed.",
            open.checkpoints.failures() as f64,
        ),
        (
            "millrace_writers_slowed_total",
            "Commits that waited a moment because a bound was near.",
            slowed as f64,
        ),
        (
            "millrace_writers_stalled_total",
            "Times a commit waited for a checkpoint to make room.",
            stalled as f64,
        ),
        (
            "millrace_read_only",
            "1 if commits are refused because the disk is nearly full.",
            truth(open.admission.is_read_only()),
        ),
        (
            "millrace_log_failed",
            "1 if writing has stopped after a failed sync.",
            truth(progress.failure().is_some()),
        ),
    ]
}
