//! Whole elements as JSON, straight from their columns. The text is the one that `wire` writes for the
//! values of single elements.

use millrace_db::ragedb::elements::{ElementView, Elements};
use millrace_model::Value;
use millrace_wire::http::Response;
use millrace_wire::json::{write_string, write_value};

/// The answer that lists these.
pub(super) fn response(elements: &Elements) -> Response {
    let mut text = String::with_capacity(2 + 128 * elements.len());
    text.push('[');
    for (index, view) in elements.iter().enumerate() {
        separate(&mut text, index);
        write_element(&mut text, &view);
    }
    text.push(']');
    Response::of(200, "application/json", text)
}

fn write_element(text: &mut String, view: &ElementView<'_>) {
    text.push_str("{\"id\": ");
    write_value(text, &Value::I64(view.id));
    text.push_str(", \"type\": ");
    write_value(text, &view.kind);
    match view.ends {
        None => {
            text.push_str(", \"key\": ");
            match view.key {
                Some(key) => write_value(text, key),
                None => write_string(text, ""),
            }
        }
        Some(ends) => {
            for (name, end) in ["starting_node_id", "ending_node_id"].into_iter().zip(ends) {
                text.push_str(", ");
                write_string(text, name);
                text.push_str(": ");
                write_value(text, &Value::I64(end));
            }
        }
    }
    text.push_str(", \"properties\": {");
    for (index, (name, value)) in view.properties().enumerate() {
        separate(text, index);
        write_string(text, name);
        text.push_str(": ");
        write_value(text, &value);
    }
    text.push_str("}}");
}

fn separate(text: &mut String, index: usize) {
    if 0 < index {
        text.push_str(", ");
    }
}

#[cfg(test)]
mod tests {
    use millrace_db::ragedb::elements::{self, NodeName, Way};
    use millrace_db::ragedb::{Access, Script};
    use millrace_db::{Database, Settings};
    use millrace_model::Direction;

    use super::*;

    #[test]
    fn json_from_columns_is_that_of_the_values() {
        let database = Database::in_memory(Settings::default()).unwrap();
        let graph = database.create_graph("one").unwrap();
        let text = "NodeAdd('Person', 'a\"n')\nNodeAdd('Person', 'ben', '{\"age\": 40, \"x\\\\n\": [1, 0.5]}')\n\
             for i = 1, 2 do RelationshipAdd('KNOWS', 'Person', 'a\"n', 'Person', 'ben', '{\"since\": 7}') end\n\
             RelationshipAdd('KNOWS', 'Person', 'ben', 'Person', 'a\"n')\n1";
        let limits = database.request_limits();
        let script = Script {
            text: text.into(),
            access: Access::Admin,
            parameters: Vec::new(),
            limits: limits.clone(),
        };
        graph.run_script(script).unwrap();
        let node = NodeName::Key { type_name: "Person".into(), key: "ben".into() };
        let way = Way { direction: Direction::Both, types: None };
        for (list, count) in [
            (graph.read(&limits, |runner| elements::neighbors(runner, &node, &way)).unwrap(), 3),
            (
                graph.read(&limits, |runner| elements::relationships(runner, &node, &way)).unwrap(),
                3,
            ),
        ] {
            assert_eq!(list.len(), count);
            assert_eq!(response(&list), Response::value(200, &list.to_value()));
        }
    }
}
