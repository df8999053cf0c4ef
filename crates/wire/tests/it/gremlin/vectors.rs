//! What TinkerPop's Python driver wrote, read here, and written again.
//!
//! `tests/vectors/make.py` wrote the inputs. Where what is written again is not what was read, the
//! golden shows it.

use std::fmt::Write;

use millrace_testkit::golden::{self, Case};
use millrace_wire::gremlin::graphson::{self, Version};
use millrace_wire::gremlin::{Frame, graphbinary, read_frame};

use super::shown;

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
        let request = request.map(|request| shown::request(&request));
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
            let version = if format == "graphson3" { Version::V3 } else { Version::V2 };
            let read = graphson::read(case.input.as_bytes());
            let again = read.clone().and_then(|datum| graphson::write(&datum, version));
            (read, again)
        }
    };
    match (read, again) {
        (Err(error), _) => format!("refused: {error}"),
        (Ok(datum), Ok(again)) if again == case.input => shown::datum(&datum),
        (Ok(datum), Ok(again)) => format!("{}\nagain: {again}", shown::datum(&datum)),
        (Ok(datum), Err(error)) => format!("{}\nagain: {error}", shown::datum(&datum)),
    }
}

#[test]
fn what_the_python_driver_sends_is_read_as_the_vectors_say() {
    golden::check_folder(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/vectors"), vector);
}
