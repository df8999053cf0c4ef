//! A profile describes the access to the store: the index that was read this time, or a scan.

use millrace_db::plan::{Definition, OwnerName, PlanBuilder, op};
use millrace_db::{Database, Graph};
use millrace_model::ProfileNode;
use millrace_model::compare::CompareMode;
use millrace_model::schema::IndexKind;

use super::scenarios::{profile, run};
use crate::{ask, limits, open};

fn define(graph: &Graph, definition: Definition) {
    let mut plan = PlanBuilder::new(CompareMode::Plain);
    plan.push(op::Define { definition });
    let plan = plan.finish(vec![]);
    graph.write(&limits(), |runner| runner.run_once(&plan, &[])).expect("is defined");
}

fn owner() -> OwnerName {
    OwnerName::Label("A".into())
}

/// The operator of the first step.
fn first(database: &Database, text: &str) -> String {
    let metrics = profile(database, "graph", text);
    let ProfileNode { annotations, .. } = metrics.operators.first().expect("it has a step");
    let operator = annotations.iter().find(|(name, _)| name.as_str() == Some("operator"));
    operator.and_then(|(_, text)| text.as_str()).expect("the message has it").to_owned()
}

#[test]
fn a_profile_says_which_index_was_read_or_that_all_were_scanned() {
    let folder = tempfile::tempdir().expect("a folder");
    let database = open(folder.path());
    let graph = database.create_graph("graph").expect("is new");
    let write = |text: &str| {
        let none = std::collections::HashMap::new();
        run(&database, "graph", text, &none, &[]).expect("it writes")
    };
    write("g.addV('A').property('iata', 'PRG').property('n', 1).iterate()");
    let asked = "g.V().has('A', 'iata', 'PRG').profile()";
    assert_eq!(first(&database, asked), "Scan (A) v");

    let keys = || vec!["iata".into()];
    let kind = IndexKind::Unique;
    define(&graph, Definition::CreateIndex { owner: owner(), keys: keys(), kind });
    assert_eq!(first(&database, asked), "Index (A.iata) v, equal iata");
    assert_eq!(first(&database, "g.V().has('A', 'n', 1).profile()"), "Scan (A) v");
    assert_eq!(first(&database, "g.V().hasLabel('A').profile()"), "Scan (A) v");
    assert_eq!(first(&database, "g.V().has('B', 'iata', 'PRG').profile()"), "Scan (B) v");

    let lua = "Traversal.find('A', 'iata', Operation.EQ, 'PRG'):profile()";
    let profile = ask(&graph, lua);
    assert!(profile.contains("Index (A.iata) v"), "{profile}");

    define(&graph, Definition::DropIndex { owner: owner(), keys: keys(), kind: Some(kind) });
    assert_eq!(first(&database, asked), "Scan (A) v");
    let profile = ask(&graph, lua);
    assert!(profile.contains("Scan (A) v"), "{profile}");
}
