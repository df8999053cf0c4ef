//! Any bytes of the formats of elements are loaded or refused, element by element, and never a panic.

use millrace_ingest::load::{Input, LoadOptions, load, quiet};
use millrace_ingest::source::Source;
use millrace_store::{Backend, memory::MemoryBackend};
use millrace_testkit::{Rng, run_seeds};
use std::io::Cursor;

/// Random pieces, often in an order that makes a whole.
fn text(rng: &mut Rng, whole: &[&str], pieces: &[&str]) -> String {
    let mut text: String = whole.concat();
    for _ in 0..rng.index(4) {
        let at = rng.index(text.len() + 1);
        let at = (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
        text.insert_str(at, pieces[rng.index(pieces.len())]);
    }
    if rng.chance(0.3) {
        let end = rng.index(text.len() + 1);
        text.truncate((0..=end).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0));
    }
    text
}

/// How many elements were loaded, unless all of it was refused.
fn load_all(input: Input) -> Option<u64> {
    let store = MemoryBackend::default().create_graph("g").unwrap();
    let options = LoadOptions { bad_rows_max: u64::MAX, ..LoadOptions::default() };
    let summary = load(&*store, input, options, &mut quiet).ok()?;
    assert_eq!(summary.bad_rows, summary.rejects.len() as u64);
    assert!(summary.rejects.iter().all(|row| 1 <= row.line && 1 <= row.column));
    Some(summary.vertices + summary.edges)
}

#[test]
fn any_graphml_is_loaded_or_refused_element_by_element() {
    let whole = [
        "<?xml version=\"1.0\"?>",
        "<graphml><key id=\"k\" for=\"all\" attr.name=\"n\" attr.type=\"int\"><default>1</default></key>",
        "<graph edgedefault=\"directed\">\n<node id=\"1\"><data key=\"k\">7</data></node>",
        "<node id=\"b\" labels=\":A:B\"/>\n<edge id=\"e\" source=\"1\" target=\"b\" label=\"x\"/>",
        "</graph></graphml>\n",
    ];
    let pieces = [
        "<node id=\"c\"/>",
        "<node>",
        "</node>",
        "</graph>",
        "<graph>",
        "<data key=\"k\">",
        "</data>",
        "<edge source=\"1\" target=\"1\"/>",
        "&amp;",
        "&b;",
        "&#0;",
        "&#x41;",
        "<![CDATA[",
        "]]>",
        "<!--",
        "-->",
        "<!DOCTYPE x>",
        "<?pi?>",
        "\"",
        "<",
        ">",
        "é",
        "\n",
        "7",
        "<y:NodeLabel>",
        "=",
    ];
    let mut loaded = 0;
    run_seeds(1500, |_, rng| {
        let text = text(rng, &whole, &pieces);
        let source = Source::stream("in.graphml", Cursor::new(text));
        loaded += u64::from(load_all(Input::GraphMl(vec![source])) == Some(3));
    });
    assert!(100 < loaded, "{loaded}: the pieces leave too little whole");
}

#[test]
fn any_json_lines_are_loaded_or_refused_line_by_line() {
    let whole = [
        "{\"type\":\"node\",\"id\":\"1\",\"labels\":[\"A\"],\"properties\":{\"p\":[1,2.5]}}\n",
        "{\"id\":2,\"label\":\"v\",\"outE\":{\"e\":[{\"id\":7,\"inV\":1}]}}\n",
        "{\"type\":\"relationship\",\"id\":\"0\",\"label\":\"R\",\"start\":{\"id\":\"1\"},\"end\":{\"id\":2}}\n",
    ];
    let pieces = [
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"",
        "\\",
        "\\u00",
        "null",
        "1e999",
        "-",
        "\n",
        "\"id\":1,",
        "é",
        "\"crs\":\"wgs-84\"",
        "123456789012345678901234567890",
        "\"@type\":\"g:Int32\",",
    ];
    let mut loaded = 0;
    run_seeds(1500, |_, rng| {
        let text = text(rng, &whole, &pieces);
        let source = Source::stream("in.json", Cursor::new(text));
        loaded += u64::from(load_all(Input::GraphSon(vec![source])) == Some(4));
    });
    assert!(100 < loaded, "{loaded}: the pieces leave too little whole");
}
