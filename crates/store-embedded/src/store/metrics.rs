//! Counters and gauges of an open folder, for `/metrics`.

use crate::checkpoint::OpenFolder;
use crate::graph::Graph;
use crate::index::{GraphUsage, Usage};

/// (name, help, value) of each.
pub(crate) fn metrics(open: &OpenFolder) -> Vec<(&'static str, &'static str, f64)> {
    let pipeline = &open.pipeline;
    let progress = &pipeline.progress;
    let graphs = open.graphs.all();
    let sum =
        |count: &dyn Fn(&Graph) -> u64| graphs.iter().map(|graph| count(graph)).sum::<u64>() as f64;
    let sections = open.folder.memory();
    let (slowed, stalled) = open.admission.waits();
    let usage: Usage = graphs.iter().map(|graph| graph.index_usage()).sum();
    let vectors: GraphUsage = graphs.iter().map(|graph| graph.indexes.graph_usage()).sum();
    let builds: Vec<_> = graphs.iter().flat_map(|graph| graph.indexes.builds()).collect();
    let elements = builds.iter().map(|build| build.elements());
    let (done, total) = elements.fold((0, 0), |(done, total), own| (done + own.0, total + own.1));
    let truth = |truth: bool| if truth { 1.0 } else { 0.0 };
    vec![
        ("millrace_graphs", "Open graphs.", graphs.len() as f64),
        (
            "millrace_log_position_assigned",
            "Position of the last sequenced commit.",
            pipeline.sequencer.position() as f64,
        ),
        (
            "millrace_log_position_durable",
            "Position of the last commit on disk.",
            progress.durable() as f64,
        ),
        (
            "millrace_log_position_applied",
            "Position of the last applied commit.",
            progress.applied() as f64,
        ),
        (
            "millrace_log_position_visible",
            "Position of the last visible commit.",
            progress.visible() as f64,
        ),
        ("millrace_snapshots_open", "Open snapshots.", pipeline.readers.len() as f64),
        ("millrace_log_bytes", "Size of the log's files in bytes.", pipeline.log_bytes() as f64),
        (
            "millrace_log_written_bytes_total",
            "Bytes of records written to the log.",
            pipeline.written_bytes() as f64,
        ),
        (
            "millrace_log_syncs_total",
            "Writes of the log, each with its sync.",
            pipeline.sync_count() as f64,
        ),
        (
            "millrace_log_write_seconds_total",
            "Seconds spent writing and syncing the log.",
            pipeline.write_times.all_ns() as f64 / 1e9,
        ),
        (
            "millrace_log_write_seconds_max",
            "Longest write of the log with its sync since the folder was opened, in seconds.",
            pipeline.write_times.longest_ns() as f64 / 1e9,
        ),
        (
            "millrace_log_slow_writes_total",
            "Writes of the log, with their sync, of 10 ms or more.",
            pipeline.write_times.slow() as f64,
        ),
        (
            "millrace_delta_bytes",
            "Approximate bytes of changes in memory: not merged into segments, or kept for older \
             readers.",
            open.checkpoints.delta_bytes() as f64,
        ),
        (
            "millrace_id_blocks_total",
            "Blocks of vertex ids leased.",
            sum(&|graph| graph.leases.blocks()),
        ),
        (
            "millrace_id_waits_total",
            "Waits of writers for a block of vertex ids that was requested too late.",
            sum(&|graph| graph.leases.waits()),
        ),
        ("millrace_index_entries", "Entries of indexes.", usage.entries as f64),
        (
            "millrace_index_bytes",
            "Bytes of indexes in files, and of changes of indexes in memory.",
            usage.bytes as f64,
        ),
        ("millrace_index_builds", "Indexes that are being built.", builds.len() as f64),
        (
            "millrace_index_build_progress",
            "Share of their elements that the builds of indexes have read; 1 if none is under way.",
            if total == 0 { 1.0 } else { done as f64 / total as f64 },
        ),
        (
            "millrace_vector_graphs",
            "Graphs of neighbours of vector indexes in memory.",
            vectors.graphs as f64,
        ),
        (
            "millrace_vector_graph_bytes",
            "Bytes of graphs of neighbours, beside the vectors.",
            vectors.bytes as f64,
        ),
        (
            "millrace_vector_graph_linked",
            "Vectors that were linked to their neighbours since the folder was opened, of the indexes that are there.",
            vectors.linked as f64,
        ),
        (
            "millrace_segment_memory_bytes",
            "Bytes of segments in memory, including those pinned by readers.",
            sections.loaded_bytes() as f64,
        ),
        (
            "millrace_segment_memory_bytes_max",
            "Bound on bytes of segments in memory beyond those pinned by readers.",
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
            "Reads of damaged sections of segments.",
            sections.damage_count() as f64,
        ),
        (
            "millrace_segment_evictions_total",
            "Sections evicted from memory.",
            sections.eviction_count() as f64,
        ),
        (
            "millrace_segment_written_bytes_total",
            "Bytes written to segments.",
            open.folder.segment_bytes_written() as f64,
        ),
        (
            "millrace_segment_pause_seconds_total",
            "Seconds that writers of segments paused to leave the disk to the log.",
            open.folder.pacer().pause_ns() as f64 / 1e9,
        ),
        (
            "millrace_delta_layers_total",
            "Delta layers written: partitions whose changes were not merged into their base.",
            open.checkpoints.delta_layers() as f64,
        ),
        ("millrace_checkpoints_total", "Completed checkpoints.", open.checkpoints.count() as f64),
        (
            "millrace_checkpoint_failures_total",
            "Failed checkpoints.",
            open.checkpoints.failures() as f64,
        ),
        (
            "millrace_writers_slowed_total",
            "Commits delayed briefly because a bound was near.",
            slowed as f64,
        ),
        (
            "millrace_writers_stalled_total",
            "Waits of commits for a checkpoint to free space.",
            stalled as f64,
        ),
        (
            "millrace_read_only",
            "1 if commits are refused because the disk is nearly full, or the folder is open to be read only.",
            truth(open.admission.is_read_only() || open.is_read_only()),
        ),
        (
            "millrace_log_failed",
            "1 if writing has stopped after a failed sync.",
            truth(progress.failure().is_some()),
        ),
    ]
}
