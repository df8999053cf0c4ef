//! Bounds of a load that `docs/reference/limits.md` lists: what goes beyond is refused with its place.

use std::fs;
use std::path::Path;

use crate::program::{run, serve, text};

/// The error of a dry run of a file, which is bad input.
fn refused(folder: &Path, name: &str, content: &str) -> String {
    let file = folder.join(name);
    fs::write(&file, content).expect("there is room");
    let file = file.to_str().expect("a plain name");
    let output = run(&["load", "--dry-run", "--graph", "g", file]);
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(65), "{name}: {error}");
    error
}

#[test]
fn files_that_nest_too_deep_are_refused_with_their_line() {
    let folder = tempfile::tempdir().unwrap();
    let tags = |depth: usize| {
        let (open, close) = ("<a>".repeat(depth), "</a>".repeat(depth));
        format!("<?xml version=\"1.0\"?>\n<graphml><graph>{open}{close}</graph></graphml>")
    };
    let error = refused(folder.path(), "deep.graphml", &tags(300));
    assert!(error.contains(":2:1: tags may be nested 256 deep"), "{error}");
    let list = format!("{}{}", "[".repeat(200), "]".repeat(200));
    let line = format!("{{\"type\":\"node\",\"id\":\"1\",\"properties\":{{\"x\":{list}}}}}\n");
    let error = refused(folder.path(), "deep.jsonl", &line);
    assert!(error.contains("deep.jsonl:1:") && error.contains("nested 128 deep"), "{error}");
}

#[test]
fn a_text_of_graphml_beyond_its_bound_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let page = format!(
        "<graphml><key id=\"k\" for=\"node\" attr.name=\"k\" attr.type=\"string\"/><graph>\
         <node id=\"1\"><data key=\"k\">{}</data></node></graph></graphml>",
        "x".repeat(65 << 20)
    );
    let error = refused(folder.path(), "long.graphml", &page);
    assert!(error.contains("longer than 67108864 bytes"), "{error}");
}

#[test]
fn a_batch_of_too_many_rows_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let server = serve(&folder.path().join("data"));
    let file = folder.path().join("items.csv");
    fs::write(&file, "id:ID,:LABEL\ntea,Item\n").unwrap();
    let (url, file) = (server.admin_url(), file.to_str().unwrap());
    let load = ["load", "--url", &url, "--graph", "g", "--batch-rows", "1000001", file];
    let output = run(&load);
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(65), "{error}");
    assert!(error.contains("a batch has 1 to 1000000 rows"), "{error}");
    assert_eq!(server.terminate(), Some(0));
}
