//! The memory that a request's data becomes, as its text says before anything of it is read.
//!
//! A bound, not a measurement: whoever reads a text takes so much from the budget of the process first.

/// Bytes of a quad besides its texts: the row, its node, and the columns of the plan that applies it.
const QUAD_BYTES: u64 = 448;

/// Bytes of a value of JSON besides its text, while it is read; a list grows to twice what it holds.
const JSON_BYTES: u64 = 112;

/// Bytes of a node of a query's tree, and of what its plan has of it.
const TREE_BYTES: u64 = 448;

/// How often a text is there, in its form and as values.
const COPIES: u64 = 2;

/// Of N-Quads.
pub fn bytes_of_nquads(text: &[u8]) -> u64 {
    // The dot of a statement stands in front of the end of its line, or of a comment.
    let is_end = |next: u8| next.is_ascii_whitespace() || matches!(next, b'#' | b'}');
    let ends = text.windows(2).filter(|pair| pair[0] == b'.' && is_end(pair[1]));
    of(1 + ends.count() as u64, QUAD_BYTES, text)
}

/// Of a mutation in JSON: each value may be a quad.
pub fn bytes_of_json(text: &[u8]) -> u64 {
    let parts = text.iter().filter(|byte| matches!(byte, b',' | b'{' | b'[' | b':'));
    of(parts.count() as u64, JSON_BYTES + QUAD_BYTES, text)
}

/// Of a query.
pub fn bytes_of_query(text: &str) -> u64 {
    let is_end = |byte: u8| !byte.is_ascii_alphanumeric() && !matches!(byte, b'_' | b'.' | b'-');
    let bytes = text.as_bytes();
    let ends = bytes.windows(2).filter(|pair| is_end(pair[1]) && !is_end(pair[0]));
    of(ends.count() as u64, TREE_BYTES, bytes)
}

/// Of messages, each a quad.
pub fn bytes_of_messages(count: usize, text_bytes: usize) -> u64 {
    count as u64 * QUAD_BYTES + COPIES * text_bytes as u64
}

fn of(count: u64, each: u64, text: &[u8]) -> u64 {
    count.saturating_mul(each).saturating_add(COPIES * text.len() as u64)
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
    }
}
