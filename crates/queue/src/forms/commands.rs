//! The form `commands`: the commands of neography's batch, as jobs of the older REST interface.
//!
//! A message is `["create_node", {…}]`, or a list of such lists, in which `{0}` is what the first one made.

use millrace_model::value::ValueMap;
use millrace_model::{Error, ErrorKind, Result, Value};
use millrace_wire::neo4j_http::legacy::{Job, Jobs};

use super::bad;
use super::jobs::error_of;

/// A command: its name, its arguments for people, and its job.
struct Command {
    name: &'static str,
    arguments: &'static str,
    job: fn(&[Value]) -> Option<Job>,
}

/// Every command that is supported, by name.
#[rustfmt::skip]
const COMMANDS: &[Command] = &[
    Command { name: "add_label", arguments: "node, label or labels",
        job: |a| Some(job("POST", format!("{}/labels", node(a.first()?)?), a.get(1)?.clone())) },
    Command { name: "create_node", arguments: "properties",
        job: |a| Some(job("POST", "/node".to_owned(), map_or_none(a.first())?)) },
    Command { name: "create_relationship", arguments: "type, from, to, properties",
        job: relationship },
    Command { name: "delete_label", arguments: "node, label",
        job: |a| Some(job("DELETE", format!("{}/labels/{}", node(a.first()?)?, encoded(a.get(1)?)?), Value::Null)) },
    Command { name: "delete_node", arguments: "node",
        job: |a| Some(job("DELETE", node(a.first()?)?, Value::Null)) },
    Command { name: "delete_relationship", arguments: "relationship",
        job: |a| Some(job("DELETE", edge(a.first()?)?, Value::Null)) },
    Command { name: "execute_query", arguments: "statement of Cypher, parameters",
        job: |a| Some(job("POST", "/cypher".to_owned(), pairs([("query", text(a.first()?)?), ("params", map_or_empty(a.get(1))?)]))) },
    Command { name: "execute_script", arguments: "script of Gremlin, parameters",
        job: |a| Some(job("POST", GREMLIN.to_owned(), pairs([("script", text(a.first()?)?), ("params", map_or_empty(a.get(1))?)]))) },
    Command { name: "get_node", arguments: "node",
        job: |a| Some(job("GET", node(a.first()?)?, Value::Null)) },
    Command { name: "get_node_properties", arguments: "node",
        job: |a| Some(job("GET", format!("{}/properties", node(a.first()?)?), Value::Null)) },
    Command { name: "get_node_relationships", arguments: "node, direction",
        job: |a| Some(job("GET", format!("{}/relationships/{}", node(a.first()?)?, direction(a.get(1))?), Value::Null)) },
    Command { name: "get_relationship", arguments: "relationship",
        job: |a| Some(job("GET", edge(a.first()?)?, Value::Null)) },
    Command { name: "get_relationship_properties", arguments: "relationship",
        job: |a| Some(job("GET", format!("{}/properties", edge(a.first()?)?), Value::Null)) },
    Command { name: "remove_node_properties", arguments: "node, property",
        job: |a| Some(job("DELETE", properties(&node(a.first()?)?, a.get(1))?, Value::Null)) },
    Command { name: "remove_relationship_properties", arguments: "relationship, property",
        job: |a| Some(job("DELETE", properties(&edge(a.first()?)?, a.get(1))?, Value::Null)) },
    Command { name: "reset_node_properties", arguments: "node, properties",
        job: |a| Some(job("PUT", format!("{}/properties", node(a.first()?)?), map(a.get(1)?)?)) },
    Command { name: "reset_relationship_properties", arguments: "relationship, properties",
        job: |a| Some(job("PUT", format!("{}/properties", edge(a.first()?)?), map(a.get(1)?)?)) },
    Command { name: "set_label", arguments: "node, label or labels",
        job: |a| Some(job("PUT", format!("{}/labels", node(a.first()?)?), labels(a.get(1)?)?)) },
    Command { name: "set_node_property", arguments: "node, a map of the property",
        job: |a| property(&node(a.first()?)?, a.get(1)?) },
    Command { name: "set_relationship_property", arguments: "relationship, a map of the property",
        job: |a| property(&edge(a.first()?)?, a.get(1)?) },
];

/// Commands on indexes that clients kept by hand.
const MANUAL_INDEXES: &[&str] = &[
    "add_node_to_index",
    "add_relationship_to_index",
    "create_unique_node",
    "create_unique_relationship",
    "get_node_index",
    "get_relationship_index",
    "remove_node_from_index",
    "remove_relationship_from_index",
];

const GREMLIN: &str = "/ext/GremlinPlugin/graphdb/execute_script";

/// The jobs of a message.
pub(super) fn read(value: &Value) -> Result<Jobs> {
    let Value::List(entries) = value else {
        let error = bad(format!("the message is a {}", value.type_name()));
        return Err(error.with_help("send a list: [\"create_node\", {\"name\": \"Ann\"}]"));
    };
    let jobs: Vec<Job> = match entries.first() {
        Some(Value::String(_)) => vec![command(entries)?],
        _ => entries.iter().map(entry).collect::<Result<_>>()?,
    };
    let numbered = jobs.into_iter().zip(0_i64..).map(|(job, id)| Job { id: Some(id), ..job });
    Jobs::of(numbered.collect()).map_err(|failure| error_of(&failure))
}

fn entry(value: &Value) -> Result<Job> {
    match value {
        Value::List(words) => command(words),
        other => Err(bad(format!("a command is a list, and this is a {}", other.type_name()))),
    }
}

fn command(words: &[Value]) -> Result<Job> {
    let Some((Value::String(name), arguments)) = words.split_first() else {
        return Err(bad("a command has no name".to_owned()));
    };
    if MANUAL_INDEXES.contains(&&**name) {
        let detail = format!("{name}: manual indexes are not supported");
        let help = "create an index or a constraint, and use MERGE with execute_query";
        return Err(Error::new(ErrorKind::Unsupported, detail).with_help(help));
    }
    let Some(known) = COMMANDS.iter().find(|known| known.name == &**name) else {
        let near = millrace_db::settings::nearest(name, COMMANDS.iter().map(|known| known.name));
        let error = bad(format!("there is no command `{name}`"));
        return Err(match near {
            Some(near) => error.with_help(format!("did you mean `{near}`?")),
            None => error,
        });
    };
    (known.job)(arguments).ok_or_else(|| {
        let error = bad(format!("the arguments of {name} are not right"));
        error.with_help(format!("they are: {}", known.arguments))
    })
}

fn job(method: &str, to: String, body: Value) -> Job {
    Job { id: None, method: method.into(), to: to.into(), body }
}

fn pairs<const N: usize>(pairs: [(&str, Value); N]) -> Value {
    Value::map(pairs.map(|(key, value)| (Value::from(key), value)).into())
}

fn text(value: &Value) -> Option<Value> {
    value.as_str().map(Value::from)
}

fn map(value: &Value) -> Option<Value> {
    matches!(value, Value::Map(_)).then(|| value.clone())
}

/// Properties that may be left out, but not be null.
fn map_or_none(value: Option<&Value>) -> Option<Value> {
    value.map_or(Some(Value::Null), map)
}

/// Parameters, which may be left out or null.
fn map_or_empty(value: Option<&Value>) -> Option<Value> {
    match value {
        None | Some(Value::Null) => Some(Value::map(ValueMap::new())),
        Some(value) => map(value),
    }
}

fn labels(value: &Value) -> Option<Value> {
    match value {
        Value::String(_) => Some(Value::list(vec![value.clone()])),
        Value::List(_) => Some(value.clone()),
        _ => None,
    }
}

fn direction(value: Option<&Value>) -> Option<&str> {
    match value {
        None | Some(Value::Null) => Some("all"),
        Some(value) => value.as_str().filter(|word| matches!(*word, "all" | "in" | "out")),
    }
}

fn relationship(arguments: &[Value]) -> Option<Job> {
    let (kind, from, to) = (arguments.first()?, arguments.get(1)?, arguments.get(2)?);
    let mut body = vec![
        (Value::from("to"), Value::from(node(to)?.as_str())),
        (Value::from("type"), text(kind)?),
    ];
    if let data @ Value::Map(_) = map_or_none(arguments.get(3))? {
        body.push((Value::from("data"), data));
    }
    Some(job("POST", format!("{}/relationships", node(from)?), Value::map(body)))
}

/// A job that sets the one property of a map.
fn property(element: &str, property: &Value) -> Option<Job> {
    let Value::Map(pairs) = property else { return None };
    let [(name, value)] = pairs.as_slice() else { return None };
    Some(job("PUT", format!("{element}/properties/{}", encoded(name)?), value.clone()))
}

/// The path of all properties, or of one. A name that is null is none: it would remove all.
fn properties(element: &str, name: Option<&Value>) -> Option<String> {
    match name {
        None => Some(format!("{element}/properties")),
        Some(name) => Some(format!("{element}/properties/{}", encoded(name)?)),
    }
}

fn node(value: &Value) -> Option<String> {
    element(value, "node")
}

fn edge(value: &Value) -> Option<String> {
    element(value, "relationship")
}

/// The path of an element: by its number, by its address, by `{0}`, or by an object that has its address.
fn element(value: &Value, kind: &str) -> Option<String> {
    match value {
        Value::I64(number) => Some(format!("/{kind}/{number}")),
        Value::String(text) if text.starts_with('{') && text.ends_with('}') => {
            Some(text.to_string())
        }
        Value::String(text) => {
            let number = text.rsplit('/').next().unwrap_or_default();
            number.parse::<u64>().ok().map(|number| format!("/{kind}/{number}"))
        }
        Value::Map(pairs) => {
            let own = pairs.iter().find(|(key, _)| key.as_str() == Some("self"))?;
            own.1.as_str().and_then(|address| element(&Value::from(address), kind))
        }
        _ => None,
    }
}

/// A name as a segment of a path.
fn encoded(name: &Value) -> Option<String> {
    let mut segment = String::new();
    for byte in name.as_str()?.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => {
                segment.push(char::from(byte));
            }
            other => segment.push_str(&format!("%{other:02X}")),
        }
    }
    (!segment.is_empty()).then_some(segment)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_sorted_and_none_is_of_a_manual_index() {
        assert!(COMMANDS.is_sorted_by_key(|command| command.name));
        assert!(COMMANDS.iter().all(|command| !MANUAL_INDEXES.contains(&command.name)));
    }

    /// A name that was null removed all properties of a node.
    #[test]
    fn null_is_neither_a_name_nor_an_empty_map() {
        let one = Value::I64(1);
        let words = |name: &str, more: &[Value]| {
            [&[Value::from(name)], more].concat().into_iter().collect::<Vec<Value>>()
        };
        let wrong = [
            words("remove_node_properties", &[one.clone(), Value::Null]),
            words("remove_relationship_properties", &[one.clone(), Value::Null]),
            words("reset_node_properties", &[one.clone(), Value::Null]),
            words("reset_node_properties", &[one.clone(), Value::list(vec![])]),
            words("reset_relationship_properties", &[one.clone(), "x".into()]),
            words("set_node_property", &[one.clone(), Value::Null]),
            words("create_node", &[Value::Null]),
            words("create_node", &[Value::list(vec![])]),
            words("create_relationship", &["T".into(), one.clone(), one.clone(), Value::Null]),
            words("set_label", &[one.clone(), Value::Null]),
        ];
        for words in wrong {
            let error = command(&words).expect_err("refused");
            assert!(error.detail.contains("are not right"), "{words:?}: {error}");
        }
        let right = [
            words("remove_node_properties", std::slice::from_ref(&one)),
            words("create_node", &[]),
            words("create_relationship", &["T".into(), one.clone(), one]),
        ];
        for words in right {
            command(&words).expect("what is left out is none");
        }
    }

    #[test]
    fn an_element_is_named_by_number_address_object_or_reference() {
        let object = pairs([("self", Value::from("http://host:7474/db/data/node/7"))]);
        for value in [Value::I64(7), Value::from("7"), Value::from("/node/7"), object] {
            assert_eq!(node(&value).as_deref(), Some("/node/7"));
        }
        assert_eq!(edge(&Value::from("{3}")).as_deref(), Some("{3}"));
        assert_eq!(node(&Value::from("seven")), None);
        assert_eq!(encoded(&Value::from("a b/é")).as_deref(), Some("a%20b%2F%C3%A9"));
    }
}
