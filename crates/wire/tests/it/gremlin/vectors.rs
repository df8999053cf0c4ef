//! Messages written by TinkerPop's Python driver and its Java server, read here, and written again.
//!
//! `tests/vectors/make.py` and `tests/vectors/Reference.java` wrote the inputs. Where the bytes written
//! again differ from the bytes read, the golden shows it.

use std::fmt::Write;

use millrace_testkit::golden::{self, Case};
use millrace_wire::gremlin::graphson::{self, Version};
use millrace_wire::gremlin::{Frame, graphbinary, read_frame};

use super::display;

/// The bytes that hexadecimal digits say.
pub(super) fn unhex(text: &str) -> Vec<u8> {
    let digit = |digit: u8| char::from(digit).to_digit(16).expect("a hexadecimal digit") as u8;
    text.trim().as_bytes().chunks(2).map(|pair| digit(pair[0]) << 4 | digit(pair[1])).collect()
}

/// Bytes as hexadecimal digits.
pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").expect("a string takes any text");
        text
    })
}

fn vector(case: &Case) -> String {
    let file = case.file.file_stem().and_then(|name| name.to_str()).expect("a name");
    let (format, family) = file.split_once('-').expect("FORMAT-FAMILY");
    if family == "requests" {
        let bytes = match format {
            "graphbinary" => unhex(&case.input),
            _ => case.input.as_bytes().to_vec(),
        };
        let (form, request) = read_frame(Frame::Binary(&bytes));
        let request = request.map(|request| display::request(&request));
        let request = request.unwrap_or_else(|refusal| format!("{refusal:?}"));
        return format!("{form:?}\n{request}");
    }
    let (read, again) = match format {
        "graphbinary" => {
            let read = graphbinary::read(&unhex(&case.input));
            let again = read.clone().and_then(|datum| graphbinary::write(&datum));
            (read, again.map(|bytes| hex(&bytes)))
        }
        _ => {
            let version = match format {
                "graphson3" => Version::V3,
                "graphson2" => Version::V2,
                _ => Version::Untyped,
            };
            let read = graphson::read(case.input.as_bytes());
            let again = read.clone().and_then(|datum| graphson::write(&datum, version));
            (read, again)
        }
    };
    match (read, again) {
        (Err(error), _) => format!("refused: {error}"),
        (Ok(datum), Ok(again)) if again == case.input => display::datum(&datum),
        (Ok(datum), Ok(again)) => format!("{}\nagain: {again}", display::datum(&datum)),
        (Ok(datum), Err(error)) => format!("{}\nagain: {error}", display::datum(&datum)),
    }
}

#[test]
fn messages_of_other_programs_are_read_as_the_vectors_expect() {
    golden::check_folder(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/vectors"), vector);
}

/// The inputs of a vector's file by their names.
pub(super) fn inputs(file: &str) -> Vec<(String, String)> {
    let path = format!("{}/tests/vectors/{file}.md", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("the file is there");
    let case = |case: &str| {
        let (name, rest) = case.split_once("\n\n```input\n")?;
        Some((name.trim().to_owned(), rest.split_once("\n```")?.0.to_owned()))
    };
    text.split("# ").filter_map(case).collect()
}

/// Results with types, written without them, equal the texts of TinkerPop's own mapper.
#[test]
fn results_without_types_are_those_of_the_reference() {
    let typed = inputs("graphson3-reference");
    let mut compared = 0;
    for (name, expected) in inputs("untyped-reference") {
        // Instructions are no results; a timestamp is text here and milliseconds there. As in
        // GraphSON 2 a bulk set is each thing as often as it is there, and a key that is a vertex
        // its id; there they are things and bulks in turn, and `v[1]`.
        let left_out =
            ["predicate", "bytecode", "merge", "big", "class", "timestamp", "a bulk", "a group"];
        if left_out.iter().any(|left_out| name.starts_with(left_out)) {
            continue;
        }
        let (_, typed) = typed.iter().find(|(other, _)| *other == name).expect("it has types too");
        let datum = graphson::read(typed.as_bytes()).expect("it can be read");
        let written = graphson::write(&datum, Version::Untyped).expect("it has a form");
        let json = |text: &str| serde_json::from_str::<serde_json::Value>(text).expect("JSON");
        assert_eq!(json(&written), json(&expected), "{name}");
        compared += 1;
    }
    assert!(10 < compared, "{compared} compared");
}
