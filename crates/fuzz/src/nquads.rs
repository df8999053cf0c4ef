//! N-Quads: any lines into a graph in memory; a literal that was read is written and read again.

use std::io::Cursor;

use millrace_ingest::load::{Input, LoadOptions, LoadPath, load, quiet};
use millrace_ingest::source::Source;
use millrace_store::Backend;
use millrace_store::memory::MemoryBackend;

/// Lines of every form.
pub fn seeds() -> Vec<Vec<u8>> {
    let texts = [
        "<_:a> <name> \"Ann\"@en .\n<_:a> <knows> _:b (since=2006-01-02T15:04:05, close=true) .\n",
        "<0x1> <age> \"33\"^^<xs:int> .\n<0x1> <dgraph.type> \"Person\" . # a comment\n",
        "_:x <http://example.org/p> \"tab\\t quote\\\" \\u00e9 \\U0001F600\" <http://graph> .\n",
        "<a> <where> \"{'type':'Point','coordinates':[1.5,2.5]}\"^^<geo:geojson> .\n\n",
        "<a> <on> \"2020-02-29\"^^<xs:date> .\n<a> <is> \"true\"^^<http://www.w3.org/2001/XMLSchema#boolean> .\n",
    ];
    texts.map(|text| [&[0], text.as_bytes()].concat()).to_vec()
}

/// The first byte chooses options; the rest is lines.
pub fn run(bytes: &[u8]) {
    let Some((&choice, rest)) = bytes.split_first() else { return };
    let source = Source::stream("quads.rdf", Cursor::new(rest.to_vec()));
    let graph = MemoryBackend::new().create_graph("graph").expect("it is the first");
    let path = if choice & 1 == 0 { LoadPath::Bulk } else { LoadPath::Transaction };
    let options =
        LoadOptions { bad_rows_max: u64::from(choice >> 1), path, ..LoadOptions::default() };
    // Any error is a right answer; a panic is not.
    let _outcome = load(&*graph, Input::NQuads(vec![source]), options, &mut quiet);
}
