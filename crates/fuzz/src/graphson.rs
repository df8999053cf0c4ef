//! GraphSON: any text to a thing; a thing that was read is written in each version, and is JSON again.

use millrace_wire::gremlin::graphson::{Version, read, write};

use crate::graphbinary::inputs;

/// Things that the Python driver and the Java server write.
const VECTORS: [&str; 5] = [
    include_str!("../../wire/tests/vectors/graphson3-values.md"),
    include_str!("../../wire/tests/vectors/graphson3-traversals.md"),
    include_str!("../../wire/tests/vectors/graphson3-reference.md"),
    include_str!("../../wire/tests/vectors/graphson2-reference.md"),
    include_str!("../../wire/tests/vectors/graphson3-janusgraph.md"),
];

/// Messages of other programs.
pub fn seeds() -> Vec<Vec<u8>> {
    VECTORS.into_iter().flat_map(inputs).map(|text| text.as_bytes().to_vec()).collect()
}

/// Reads a thing, writes it, and reads it again. Exceptions: a number beyond 64 bits is written as a
/// JSON number, which is not read again; types may nest the text too deep; and without types, a key may
/// have the name of the type's key.
pub fn run(bytes: &[u8]) {
    let Ok(datum) = read(bytes) else { return };
    for version in [Version::V3, Version::V2, Version::Untyped] {
        let Ok(written) = write(&datum, version) else { continue };
        match read(written.as_bytes()) {
            Ok(_) => {}
            Err(error) => {
                let is_known = ["send it as a string", "recursion limit", "holds at most"];
                let text = error.to_string();
                let is_key = version == Version::Untyped && written.contains("\"@type\"");
                assert!(
                    is_key || is_known.iter().any(|known| text.contains(known)),
                    "{text}: {written}"
                );
            }
        }
    }
}
