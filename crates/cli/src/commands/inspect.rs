//! `millrace inspect`: the content of a data folder, as text or JSON.

use millrace_db::maintenance::inspect;
use millrace_model::Value;
use millrace_server::wire::json::to_json;

use crate::arguments::Inspect;
use crate::exit::Failure;
use crate::say;

pub(crate) fn run(arguments: &Inspect) -> Result<(), Failure> {
    let value = inspect(&arguments.data, arguments.file.as_deref())?;
    match arguments.json {
        true => say!("{}", to_json(&value)),
        false => {
            let mut lines = Vec::new();
            show(&value, 0, &mut lines);
            say!("{}", lines.join("\n"));
        }
    }
    Ok(())
}

/// A map as lines, a map of plain values as one line.
fn show(value: &Value, depth: usize, lines: &mut Vec<String>) {
    let Value::Map(pairs) = value else {
        lines.push(format!("{:1$}{2}", "", depth * 2, plain(value)));
        return;
    };
    let (mut line, mut nested) = (Vec::new(), Vec::new());
    for (name, value) in pairs.iter() {
        let name = plain(name);
        match value {
            Value::Map(_) => nested.push((name, vec![value.clone()])),
            Value::List(values) if values.iter().any(|value| matches!(value, Value::Map(_))) => {
                nested.push((name, values.iter().cloned().collect()));
            }
            Value::List(values) => {
                let values: Vec<String> = values.iter().map(plain).collect();
                line.push(format!("{name} [{}]", values.join(", ")));
            }
            value => line.push(format!("{name} {}", plain(value))),
        }
    }
    lines.push(format!("{:1$}{2}", "", depth * 2, line.join("  ")));
    for (name, values) in nested {
        lines.push(format!("{:1$}{name}:", "", depth * 2 + 2));
        values.iter().for_each(|value| show(value, depth + 2, lines));
    }
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.to_string(),
        Value::Null => "-".to_owned(),
        value => to_json(value),
    }
}
