//! Messages of the article's queue in MessagePack: a command of the batch interface, or a list of them.

use millrace_model::{Error, ErrorKind, Result};
use serde_json::Value;

/// The command that makes a node.
const CREATE_NODE: &str = "create_node";

/// The message that makes nodes with these properties: one command, or a list.
pub(super) fn encode(nodes: &[Value]) -> Result<Vec<u8>> {
    let encoded = match nodes {
        [node] => rmp_serde::to_vec(&(CREATE_NODE, node)),
        nodes => {
            let commands: Vec<_> = nodes.iter().map(|node| (CREATE_NODE, node)).collect();
            rmp_serde::to_vec(&commands)
        }
    };
    encoded.map_err(|error| Error::new(ErrorKind::Bug, format!("a message: {error}")))
}

/// The properties of the nodes that a message makes.
pub(super) fn decode(message: &[u8]) -> Result<Vec<Value>> {
    let bad =
        |detail: &str| Error::new(ErrorKind::BadInput, format!("a message of the queue: {detail}"));
    let message: Value = rmp_serde::from_slice(message).map_err(|error| bad(&error.to_string()))?;
    let Value::Array(parts) = message else { return Err(bad("no list")) };
    let commands = match parts.first() {
        Some(Value::String(_)) => vec![Value::Array(parts)],
        Some(_) | None => parts,
    };
    let node = |command: Value| match command {
        Value::Array(parts) => match <[Value; 2]>::try_from(parts) {
            Ok([Value::String(name), node]) if name == CREATE_NODE => Ok(node),
            Ok(_) | Err(_) => Err(bad("a command that is not create_node")),
        },
        _ => Err(bad("a command that is no list")),
    };
    commands.into_iter().map(node).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn messages_are_a_command_or_a_list_of_commands() {
        let nodes = [json!({ "number": 1 }), json!({ "number": 2, "bench_run": "a" })];
        let one = encode(&nodes[..1]).unwrap();
        // A list of two: a text of 11 bytes, and a map of one entry.
        assert_eq!(one, b"\x92\xabcreate_node\x81\xa6number\x01");
        assert_eq!(decode(&one).unwrap(), nodes[..1]);
        let many = encode(&nodes).unwrap();
        assert_eq!(many[..2], [0x92, 0x92]);
        assert_eq!(decode(&many).unwrap(), nodes);
        assert_eq!(decode(&encode(&[]).unwrap()).unwrap(), [json!(0); 0]);
        for bad in [&b"\x01"[..], b"\x92\xabcreate_nod", b"\x92\xa1x\x80", b"\x91\xabcreate_node"] {
            assert!(decode(bad).is_err(), "{bad:?}");
        }
    }
}
