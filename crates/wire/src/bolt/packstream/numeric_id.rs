//! Numbers of elements, for drivers that still read them: the id, if it is a number, or one made of its text; and the
//! texts by which other drivers know them.

use millrace_model::{Value, element_id};

/// FNV-1a's offset and prime for 64 bits.
const OFFSET: u64 = 0xCBF2_9CE4_8422_2325;
const PRIME: u64 = 0x0000_0100_0000_01B3;

/// The number of an id. That of a text is negative, and the same wherever the element is sent.
pub(crate) fn of(id: &Value) -> i64 {
    match (id.as_int(), id) {
        (Some(number), _) => number,
        (None, Value::String(text)) => of_text(text),
        (None, other) => of_text(other.type_name()),
    }
}

fn of_text(text: &str) -> i64 {
    let mix = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(PRIME);
    let hash = text.bytes().fold(OFFSET, mix);
    -1 - (hash >> 1) as i64
}

/// The text by which clients know a node with an id.
pub(crate) fn node_text(id: &Value) -> String {
    format!("{}{}", element_id::NODE_PREFIX, text_of(id))
}

/// The text by which clients know a relationship with an id.
pub(crate) fn relationship_text(id: &Value) -> String {
    format!("{}{}", element_id::RELATIONSHIP_PREFIX, text_of(id))
}

/// The text of an id.
pub(crate) fn text_of(id: &Value) -> String {
    match (id.as_int(), id) {
        (Some(number), _) => number.to_string(),
        (None, Value::String(text)) => text.to_string(),
        (None, Value::Uuid(bytes)) => millrace_model::uuid::text(*bytes),
        (None, other) => format!("{other:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_has_a_negative_number_of_its_own() {
        let number = of(&Value::from("ann"));
        assert!(number < 0);
        assert_eq!(number, of(&Value::from("ann")));
        assert_ne!(number, of(&Value::from("bob")));
        assert_eq!(of(&Value::I64(7)), 7);
        assert_eq!(
            (node_text(&Value::I64(7)), relationship_text(&Value::from("x"))),
            ("4:0:7".into(), "5:0:x".into())
        );
        assert_eq!((text_of(&Value::I32(7)), text_of(&Value::from("x"))), ("7".into(), "x".into()));
    }
}
