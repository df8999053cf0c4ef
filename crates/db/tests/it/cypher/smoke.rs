//! One statement of each kind.

use super::Graph;

#[test]
fn try_file() {
    let Ok(file) = std::env::var("CYPHER_TRY") else { return };
    let graph = Graph::new();
    for text in std::fs::read_to_string(file).expect("a file").split(";\n") {
        if !text.trim().is_empty() {
            println!("> {}\n    {}", text.trim(), graph.ask(text).join("\n    "));
        }
    }
}
