//! Files of elements, GraphSON 3, JSON of APOC and GraphML: any bytes into a graph in memory.

use std::io::Cursor;

use millrace_ingest::load::{Input, LoadOptions, LoadPath, load, quiet};
use millrace_ingest::source::Source;
use millrace_store::Backend;
use millrace_store::memory::MemoryBackend;

/// Lines of every form.
pub fn seeds() -> Vec<Vec<u8>> {
    let texts = [
        r#"{"id":{"@type":"g:Int32","@value":1},"label":"a","outE":{"e":[{"inV":2}]}}
{"id":2,"properties":{"k":[{"value":{"@type":"g:Date","@value":1}},{"value":"b"}]}}"#,
        r#"{"vertices":[{"id":"x","outE":{"e":[{"inV":"y","properties":{"w":0.5}}]}},{"id":"y"}]}"#,
        r#"{"id":9000000000000,"properties":{"m":[{"value":{"@type":"g:Map","@value":["k",null]}}]}}"#,
        r#"{"type":"node","id":"0","labels":["A"],"properties":{"p":1}}
{"type":"relationship","id":"1","label":"R","start":{"id":"0"},"end":{"id":"0"}}"#,
        r#"[{"n":{"type":"node","id":"1","labels":["A"]},"c":1},{"n":{"type":"node","id":"1"}}]"#,
        r#"{"nodes":{"0":{"type":"node","id":"0"}},"rels":{"1":{"type":"relationship","id":"1","label":"R","start":{"id":"0","labels":["A"]},"end":{"id":"2"}}},"n":[1]}"#,
        r#"{"id":{"@type":"g:UUID","@value":"41d2e28a-20a4-4ab0-b379-d810dede3786"}}"#,
    ];
    let graphml = r#"<graphml><key id="k" for="all" attr.name="n" attr.type="int"/><graph>
<node id="1"><data key="k">7</data></node><edge source="1" target="1" label="e"/></graph></graphml>"#;
    let lines = texts.map(|text| [&[0], text.as_bytes()].concat());
    lines.into_iter().chain([[&[2], graphml.as_bytes()].concat()]).collect()
}

/// The first byte chooses options; the rest is lines.
pub fn run(bytes: &[u8]) {
    let Some((&choice, rest)) = bytes.split_first() else { return };
    let source = Source::stream("graph.json", Cursor::new(rest.to_vec()));
    let graph = MemoryBackend::new().create_graph("graph").expect("it is the first");
    let input = match choice & 2 {
        0 => Input::GraphSon(vec![source]),
        _ => Input::GraphMl(vec![source]),
    };
    let path = if choice & 1 == 0 { LoadPath::Bulk } else { LoadPath::Transaction };
    let options =
        LoadOptions { bad_rows_max: u64::from(choice >> 2), path, ..LoadOptions::default() };
    // Any error is a right answer; a panic is not.
    let _outcome = load(&*graph, input, options, &mut quiet);
}
