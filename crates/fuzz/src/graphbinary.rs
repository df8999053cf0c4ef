//! GraphBinary: any bytes to a thing; a thing that was read is written, read again, and written the same.

use millrace_wire::gremlin::graphbinary::{read, write};

/// Things that the Python driver and the Java server write, as hexadecimal digits.
const VECTORS: [&str; 4] = [
    include_str!("../../wire/tests/vectors/graphbinary-values.md"),
    include_str!("../../wire/tests/vectors/graphbinary-traversals.md"),
    include_str!("../../wire/tests/vectors/graphbinary-reference.md"),
    include_str!("../../wire/tests/vectors/graphbinary-janusgraph.md"),
];

/// The inputs of goldens.
pub(crate) fn inputs(golden: &str) -> impl Iterator<Item = &str> {
    let blocks = golden.split("```input\n").skip(1);
    blocks.filter_map(|block| block.split("\n```").next())
}

/// The bytes that hexadecimal digits say.
pub(crate) fn unhex(text: &str) -> Vec<u8> {
    let byte = |at| u8::from_str_radix(text.get(at..at + 2).unwrap_or("00"), 16).unwrap_or(0);
    (0..text.len()).step_by(2).map(byte).collect()
}

/// Messages of other programs.
pub fn seeds() -> Vec<Vec<u8>> {
    VECTORS.into_iter().flat_map(inputs).map(unhex).collect()
}

/// Reads a thing; one that has a form has the same when it is read again.
pub fn run(bytes: &[u8]) {
    let Ok(datum) = read(bytes) else { return };
    let Ok(written) = write(&datum) else { return };
    let again = read(&written).expect("what is written can be read");
    assert!(write(&again).as_ref() == Ok(&written), "read again, not the same");
}
