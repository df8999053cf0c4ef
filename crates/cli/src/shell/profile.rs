//! What `:profile` and `:schema` ask, and what a traversal did as rows.

use millrace_model::{Error, ErrorKind, Result};
use serde::Deserialize;
use serde_json::{Value, json};

/// Lua that gives a row for each label and each edge type; keys are sorted when they are written.
pub(crate) const SCHEMA: &str = r#"local rows = {}
local function add(element, names, counts, properties)
  for _, name in ipairs(names) do
    local declared = {}
    for key, type in pairs(properties(name)) do declared[#declared + 1] = key .. " " .. type end
    table.sort(declared)
    rows[#rows + 1] = {
      element = element, label = name, number = counts[name] or 0,
      properties = table.concat(declared, ", ")
    }
  end
end
add("vertex", NodeTypesGet(), AllNodesCounts(), NodeTypeGet)
add("edge", RelationshipTypesGet(), AllRelationshipsCounts(), RelationshipTypeGet)
rows"#;

#[derive(Deserialize)]
struct Traversal {
    metrics: Vec<Step>,
}

#[derive(Deserialize)]
struct Step {
    name: String,
    #[serde(default)]
    dur: f64,
    #[serde(default)]
    counts: Value,
    #[serde(default)]
    annotations: Value,
    #[serde(default)]
    metrics: Vec<Step>,
}

/// What the steps of a profile did, a row for each.
pub(crate) fn rows(profile: &str) -> Result<String> {
    let unread = |error: serde_json::Error| {
        let detail = format!("the answer has no profile: {error}");
        Error::new(ErrorKind::BadInput, detail).with_help(":profile takes one traversal")
    };
    let traversal: Traversal = serde_json::from_str(profile).map_err(unread)?;
    let mut rows = Vec::new();
    add(&mut rows, &traversal.metrics, 0);
    Ok(Value::from(rows).to_string())
}

fn add(rows: &mut Vec<Value>, steps: &[Step], depth: usize) {
    for Step { name, dur, counts, annotations, metrics } in steps {
        let round = |number: f64| (number * 100.0).round() / 100.0;
        rows.push(json!({
            "step": format!("{}{name}", "  ".repeat(depth)),
            "elements": counts["elementCount"],
            "traversers": counts["traverserCount"],
            "ms": round(*dur),
            "percent": annotations["percentDur"].as_f64().map(round),
            "operator": annotations["operator"],
        }));
        add(rows, metrics, depth + 1);
    }
}
