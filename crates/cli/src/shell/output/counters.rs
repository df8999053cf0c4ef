//! What a statement wrote, in words: `1 node created, 2 properties set`.

use std::collections::BTreeMap;

/// A counter of an answer, and what is counted: in Cypher, and in other languages.
struct Words {
    counter: &'static str,
    cypher: &'static str,
    others: &'static str,
    done: &'static str,
}

const fn words(
    counter: &'static str,
    cypher: &'static str,
    others: &'static str,
    done: &'static str,
) -> Words {
    Words { counter, cypher, others, done }
}

/// Every counter, in the order in which they are shown.
const COUNTERS: [Words; 11] = [
    words("vertices_created", "node", "vertex", "created"),
    words("vertices_deleted", "node", "vertex", "deleted"),
    words("edges_created", "relationship", "edge", "created"),
    words("edges_deleted", "relationship", "edge", "deleted"),
    words("properties_set", "property", "property", "set"),
    words("labels_added", "label", "label", "added"),
    words("labels_removed", "label", "label", "removed"),
    words("indexes_added", "index", "index", "added"),
    words("indexes_removed", "index", "index", "removed"),
    words("constraints_added", "constraint", "constraint", "added"),
    words("constraints_removed", "constraint", "constraint", "removed"),
];

/// The counters as a line without its end; `None`: nothing was written.
pub(super) fn text(counters: &BTreeMap<String, u64>, in_cypher: bool) -> Option<String> {
    let shown = COUNTERS.iter().filter_map(|Words { counter, cypher, others, done }| {
        let count = *counters.get(*counter)?;
        let noun = if in_cypher { cypher } else { others };
        Some(format!("{count} {} {done}", if count == 1 { noun } else { plural(noun) }))
    });
    let shown: Vec<String> = shown.collect();
    (!shown.is_empty()).then(|| shown.join(", "))
}

fn plural(noun: &str) -> &str {
    match noun {
        "node" => "nodes",
        "vertex" => "vertices",
        "relationship" => "relationships",
        "edge" => "edges",
        "property" => "properties",
        "label" => "labels",
        "index" => "indexes",
        "constraint" => "constraints",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_have_the_nouns_of_the_language() {
        let of = |pairs: &[(&str, u64)]| {
            pairs.iter().map(|(name, count)| ((*name).to_owned(), *count)).collect()
        };
        let counters = of(&[("labels_added", 1), ("vertices_created", 1), ("edges_deleted", 2)]);
        let cypher = text(&counters, true);
        assert_eq!(
            cypher.as_deref(),
            Some("1 node created, 2 relationships deleted, 1 label added")
        );
        let gremlin = text(&counters, false);
        assert_eq!(gremlin.as_deref(), Some("1 vertex created, 2 edges deleted, 1 label added"));
        assert_eq!(text(&of(&[]), true), None);
    }

    #[test]
    fn each_counter_of_an_answer_has_words() {
        let named = millrace_db::plan::WriteCounts::default().each();
        for (name, _) in named {
            assert!(COUNTERS.iter().any(|words| words.counter == name), "{name}");
        }
        for Words { cypher, others, .. } in COUNTERS {
            assert!(plural(cypher) != cypher && plural(others) != others, "{cypher}");
        }
    }
}
