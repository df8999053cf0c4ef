//! Edge lists and Matrix Market: any bytes into a graph in memory.

use std::io::Cursor;

use millrace_ingest::csv::{PlainColumns, PlainRows};
use millrace_ingest::load::{Format, Input, LoadOptions, LoadPath, load, quiet};
use millrace_ingest::source::Source;
use millrace_store::Backend;
use millrace_store::memory::MemoryBackend;

/// Lists and matrices.
pub fn seeds() -> Vec<Vec<u8>> {
    let lists = [
        "# Nodes: 3 Edges: 2\n# FromNodeId\tToNodeId\n0\t1\n1\t2\n",
        "% bip weighted\n% 2 2 1\n1 1 0.5 7\n",
        "a,b,w\nx,y,1\n",
    ];
    let matrices = [
        "%%MatrixMarket matrix coordinate real general\n2 3 1\n1 3 0.5\n",
        "%%MatrixMarket matrix coordinate complex hermitian\n2 2 1\n2 1 1 2\n",
    ];
    let lists = lists.map(|text| [&[12], text.as_bytes()].concat());
    lists.into_iter().chain(matrices.map(|text| [&[14], text.as_bytes()].concat())).collect()
}

/// The first byte chooses options; the rest is a file.
pub fn run(bytes: &[u8]) {
    let Some((&choice, rest)) = bytes.split_first() else { return };
    let source = Source::stream("list", Cursor::new(rest.to_vec()));
    let graph = MemoryBackend::new().create_graph("graph").expect("it is the first");
    let format = if choice & 2 == 0 { Format::EdgeList } else { Format::MatrixMarket };
    let label = if choice & 4 == 0 { "A" } else { "A,B" };
    let rows = PlainRows::said(Some(label), None, Some("E"), None, None).expect("both are said");
    let columns = PlainColumns { rows, types: Vec::new() };
    let path = if choice & 1 == 0 { LoadPath::Bulk } else { LoadPath::Transaction };
    let options =
        LoadOptions { bad_rows_max: u64::from(choice >> 3), path, ..LoadOptions::default() };
    // Any error is a right answer; a panic is not.
    let _outcome = load(&*graph, Input::Lists(format, vec![source], columns), options, &mut quiet);
}
