//! Writers over a log with a small bound: they wait for checkpoints, and go on.

use millrace_db::{Database, Settings};
use millrace_model::{ErrorKind, Value};

use super::Graph;

fn open(folder: &tempfile::TempDir, bytes_max: u64) -> Graph {
    let mut settings = Settings::default();
    settings.data.durability = "async".to_owned();
    settings.log.bytes_max = bytes_max;
    settings.log.checkpoint_bytes = bytes_max / 16;
    let graph = Graph(Database::open(folder.path(), settings).expect("it opens"));
    if graph.0.graphs().is_empty() {
        graph.0.create_graph("g1").expect("is made");
    }
    graph
}

#[test]
fn commits_of_many_times_the_bound_on_the_log_are_taken() {
    let folder = tempfile::tempdir().expect("there is room");
    // Small again after large files were made.
    for (round, bytes_max) in [16, 64, 16].into_iter().enumerate() {
        let bytes_max = bytes_max << 20;
        let graph = open(&folder, bytes_max);
        let commits = 3 * bytes_max / 1_200_000;
        for commit in 0..commits {
            let text = format!(
                "UNWIND range(1, 300) AS i CREATE (:I {{id: {commit} * 300 + i, round: {round}, t: '{}'}})",
                "x".repeat(4_000)
            );
            graph.run(&text).expect("a writer waits, and no longer than a checkpoint takes");
        }
        let found = graph.run(&format!("MATCH (n:I {{round: {round}}}) RETURN count(*)"));
        let found = found.expect("it is asked");
        assert_eq!(found.rows, [[Value::I64(300 * commits as i64)]]);
        graph.0.close();
    }
}

#[test]
fn a_bound_on_the_log_that_holds_no_files_is_refused() {
    let mut settings = Settings::default();
    settings.log.bytes_max = settings.log.checkpoint_bytes;
    let folder = tempfile::tempdir().expect("there is room");
    let refused = Database::open(folder.path(), settings).err().expect("it is refused");
    assert_eq!(refused.kind, ErrorKind::BadInput);
}
