//! What the engine knows of a graph for plans, and of its procedures.

use millrace_engine::hints;
use millrace_engine::procedures::Procedures;
use millrace_model::schema::IndexKind;
use millrace_plan::{Definition, IndexHint, OwnerName, op};

use crate::fixture::{builder, graph, write};

#[test]
fn hints_are_rounded_counts_and_the_indexes_of_a_snapshot() {
    let graph = graph();
    for (owner, keys, kind) in [
        (OwnerName::Label("Person".into()), vec!["name".into()], IndexKind::Unique),
        (OwnerName::AllVertices, vec!["age".into(), "name".into()], IndexKind::Exact),
    ] {
        let mut plan = builder();
        plan.push(op::Define { definition: Definition::CreateIndex { owner, keys, kind } });
        write(&graph.store, &plan.finish(Vec::new()));
    }
    let known = hints(&*graph.store.snapshot().expect("a snapshot")).expect("counts");
    assert_eq!(known.vertices, Some(8), "of ten");
    let counts = |names: &std::collections::BTreeMap<millrace_plan::Name, u64>| {
        names.iter().map(|(name, count)| format!("{name} {count}")).collect::<Vec<_>>()
    };
    assert_eq!(counts(&known.labels), ["Item 4", "Person 4"], "five each");
    assert_eq!(counts(&known.edge_types), ["KNOWS 4", "LIKES 8"], "six and fifteen");
    let unique = IndexHint {
        owner: OwnerName::Label("Person".into()),
        keys: vec!["name".into()],
        entries: Some(4),
        distinct: Some(4),
    };
    let exact = IndexHint {
        owner: OwnerName::AllVertices,
        keys: vec!["age".into(), "name".into()],
        entries: Some(8),
        distinct: None,
    };
    assert_eq!(known.indexes, [unique, exact]);
}

#[test]
fn signatures_say_what_a_procedure_takes_and_yields() {
    let procedures = Procedures::builtin();
    let known = procedures.signatures();
    let labels = known.named("db.labels").expect("there is one");
    assert_eq!((labels.arguments.len(), labels.writes), (0, false));
    assert_eq!(labels.column("label"), Some(0));
    let awaits = known.named("db.awaitIndexes").expect("there is one");
    assert_eq!((awaits.arguments_min(), awaits.arguments.len(), awaits.columns.len()), (0, 1, 0));
    assert_eq!(known.named("db.unknown"), None);
}
