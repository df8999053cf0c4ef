//! The memory that a request's data becomes, as its text says before anything of it is read.
//!
//! A bound, not a measurement: the server takes so much from the budget of the process before it reads a text.

use crate::limits::{NODES_MAX, QUADS_MAX};

/// Bytes of a quad besides its texts: the row, its node, and the columns of the plan that applies it.
const QUAD_BYTES: u64 = 448;

/// Bytes of a value of JSON besides its text, while it is read; a list grows to twice what it holds.
const JSON_BYTES: u64 = 112;

/// Bytes of a node of a query's tree, and of what its plan has of it.
const TREE_BYTES: u64 = 448;

/// How often a text is there, in its form and as values.
const COPIES: u64 = 2;

/// More of either is refused by its reader, before more memory is taken.
const QUADS: u64 = QUADS_MAX as u64;
const NODES: u64 = NODES_MAX as u64;

/// Of N-Quads.
pub fn bytes_of_nquads(text: &[u8]) -> u64 {
    // The dot of a statement stands in front of the end of its line, or of a comment.
    let is_end = |next: u8| next.is_ascii_whitespace() || matches!(next, b'#' | b'}');
    let ends = text.windows(2).filter(|pair| pair[0] == b'.' && is_end(pair[1]));
    of_text(text) + QUAD_BYTES * QUADS.min(1 + ends.count() as u64)
}

/// Of a mutation in JSON: each value may be a quad.
pub fn bytes_of_json(text: &[u8]) -> u64 {
    let parts = text.iter().filter(|byte| matches!(byte, b',' | b'{' | b'[' | b':'));
    let parts = parts.count() as u64;
    of_text(text) + JSON_BYTES * parts + QUAD_BYTES * QUADS.min(parts)
}

/// Of a query.
pub fn bytes_of_query(text: &str) -> u64 {
    let is_end = |byte: u8| !byte.is_ascii_alphanumeric() && !matches!(byte, b'_' | b'.' | b'-');
    let bytes = text.as_bytes();
    let ends = bytes.windows(2).filter(|pair| is_end(pair[1]) && !is_end(pair[0]));
    of_text(bytes) + TREE_BYTES * NODES.min(ends.count() as u64)
}

/// Of messages, each a quad; their texts are a part of the body.
pub fn bytes_of_messages(count: usize) -> u64 {
    QUAD_BYTES * QUADS.min(count as u64)
}

fn of_text(text: &[u8]) -> u64 {
    COPIES * text.len() as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::changes::Quads;
    use millrace_quads::{Action, BlankNames};

    /// Statements, and values in JSON, are never counted too few.
    #[test]
    fn what_is_read_is_no_more_than_was_counted() {
        let nquads =
            "_:a <p> \"x. y\" .\n<1> <q> _:b (k=1.5) .\n<0x2><r>\"z\"@en.\n<3> <s> * .\n<4> * * .";
        let mut quads = Quads::default();
        quads.read_nquads(nquads, nquads, Default::default()).unwrap();
        assert_eq!(quads.rows.len(), 5);
        assert!(5 * QUAD_BYTES <= bytes_of_nquads(nquads.as_bytes()));
        let json = r#"[{"uid":"1","a":[1,2,3],"b":{"c":"x,y","d":null}},{"e|f":1,"e":2}]"#;
        let mut quads = Quads::default();
        quads.read_json(json, Action::Set, &mut BlankNames::new(1)).unwrap();
        assert!(quads.rows.len() as u64 * QUAD_BYTES <= bytes_of_json(json.as_bytes()));
        let query = "{ q(func: uid(1, 2, 3)) { a b c } }";
        assert!(9 * TREE_BYTES <= bytes_of_query(query));
        // No more than its reader takes is asked for.
        let long = "a ".repeat(4 << 20);
        assert!(bytes_of_query(&long) <= TREE_BYTES * NODES + COPIES * long.len() as u64);
    }
}
