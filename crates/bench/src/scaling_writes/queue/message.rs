//! Messages of the article's queue in MessagePack: a command of the batch interface, or a list of them.

use std::fmt::Display;

use millrace_model::{Error, ErrorKind, Result};
use rmp::Marker;
use rmp::decode::{read_array_len, read_int, read_map_len, read_str_from_slice};
use rmp::encode::{ValueWriteError, write_array_len, write_map_len, write_str, write_uint};

use super::super::node::{NUMBER, Node, RUN};

/// The command that makes a node of the properties beside it.
const CREATE_NODE: &str = "create_node";

/// The message that makes nodes: one command, or a list.
pub(crate) fn encode(nodes: &[Node]) -> Result<Vec<u8>> {
    let mut message = Vec::new();
    let written = match nodes {
        [node] => write_command(&mut message, node),
        nodes => write_array_len(&mut message, nodes.len() as u32)
            .and_then(|_| nodes.iter().try_for_each(|node| write_command(&mut message, node))),
    };
    written.map_err(|error| Error::new(ErrorKind::Bug, format!("a message: {error}")))?;
    Ok(message)
}

fn write_command(message: &mut Vec<u8>, node: &Node) -> std::result::Result<(), ValueWriteError> {
    write_array_len(message, 2)?;
    write_str(message, CREATE_NODE)?;
    write_map_len(message, 2)?;
    write_str(message, RUN)?;
    write_str(message, &node.run)?;
    write_str(message, NUMBER)?;
    write_uint(message, node.number).map(drop)
}

/// The nodes that a message makes.
pub(crate) fn decode(message: &[u8]) -> Result<Vec<Node>> {
    let mut rest = message;
    let count = read_array_len(&mut rest).map_err(|error| bad(&error))?;
    // A command begins with its name, a list of commands with a command.
    let first = rest.first().map(|byte| Marker::from_u8(*byte));
    let nodes = match first {
        Some(Marker::FixStr(_) | Marker::Str8 | Marker::Str16 | Marker::Str32) => {
            rest = message;
            vec![read_command(&mut rest)?]
        }
        Some(_) | None => (0..count).map(|_| read_command(&mut rest)).collect::<Result<_>>()?,
    };
    if rest.is_empty() { Ok(nodes) } else { Err(bad(&"bytes behind its end")) }
}

fn read_command(rest: &mut &[u8]) -> Result<Node> {
    let parts = read_array_len(rest).map_err(|error| bad(&error))?;
    let name = read_text(rest)?;
    if (parts, name) != (2, CREATE_NODE) {
        return Err(bad(&format!("a list of {parts} that begins with {name}")));
    }
    let (mut run, mut number) = (None, None);
    for _ in 0..read_map_len(rest).map_err(|error| bad(&error))? {
        match read_text(rest)? {
            RUN => run = Some(read_text(rest)?.to_owned()),
            NUMBER => number = Some(read_int(rest).map_err(|error| bad(&error))?),
            other => return Err(bad(&format!("a node with {other}"))),
        }
    }
    let node = run.zip(number).map(|(run, number)| Node { run, number });
    node.ok_or_else(|| bad(&"a node without its run or its number"))
}

fn read_text<'a>(rest: &mut &'a [u8]) -> Result<&'a str> {
    let (text, behind) = read_str_from_slice(*rest).map_err(|error| bad(&error))?;
    *rest = behind;
    Ok(text)
}

fn bad(detail: &dyn Display) -> Error {
    Error::new(ErrorKind::BadInput, format!("a message of the queue: {detail}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_a_command_or_a_list_of_commands() {
        let node = |number| Node { run: "a".to_owned(), number };
        let one = encode(&[node(1)]).unwrap();
        // A list of two: a text of 11 bytes, and a map of two entries.
        assert_eq!(one, b"\x92\xabcreate_node\x82\xa9bench_run\xa1a\xa6number\x01");
        assert_eq!(decode(&one).unwrap(), [node(1)]);
        let many = encode(&[node(1), node(70_000)]).unwrap();
        assert_eq!(many[..2], [0x92, 0x92]);
        assert_eq!(decode(&many).unwrap(), [node(1), node(70_000)]);
        assert_eq!(decode(&encode(&[]).unwrap()).unwrap(), []);
    }

    #[test]
    fn a_message_that_is_no_such_command_is_refused() {
        let whole = encode(&[Node { run: "a".to_owned(), number: 300 }]).unwrap();
        for end in 0..whole.len() {
            assert!(decode(&whole[..end]).is_err(), "{end}");
        }
        let longer = [&whole[..], b"\x01"].concat();
        for (message, said) in [
            (&longer[..], "behind its end"),
            (b"\x92\xa1x\x80", "begins with x"),
            (b"\x93\xabcreate_node\x80\x80", "list of 3"),
            (b"\x92\xabcreate_node\x80", "without its run"),
            (b"\x92\xabcreate_node\x81\xa1x\x01", "a node with x"),
        ] {
            let refused = decode(message).unwrap_err().to_string();
            assert!(refused.contains(said), "{refused}");
        }
    }
}
