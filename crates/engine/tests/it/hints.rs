//! What the engine knows of a graph for plans, and of its procedures.

use std::time::Duration;

use millrace_engine::procedures::Procedures;
use millrace_engine::{Samples, hints};
use millrace_model::schema::IndexKind;
use millrace_plan::{Definition, IndexHint, Mentioned, Name, OwnerName, op};
use millrace_store::NameKind;

use crate::fixture::{begin, builder, commit, graph, write};

fn mentioned(names: &[&str]) -> Mentioned {
    let names = names.iter().map(|&name| name.into()).collect();
    Mentioned { patterns: true, hops: true, untyped_hops: true, names }
}

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
    let snapshot = graph.store.snapshot().expect("a snapshot");
    let all = mentioned(&["Item", "KNOWS", "LIKES", "Person"]);
    let known = hints(&*snapshot, &all).expect("counts");
    assert_eq!(known.vertices, Some(8), "of ten");
    let counts = |names: &std::collections::BTreeMap<Name, u64>| {
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
    assert_eq!(known.edges, Some(16), "of 21");
    let few = hints(&*snapshot, &mentioned(&["Item"])).expect("counts");
    assert_eq!((counts(&few.labels), counts(&few.edge_types)), (vec!["Item 4".into()], vec![]));
    assert_eq!(few.indexes, [known.indexes[1].clone()], "those of Person are not mentioned");
    let none = Mentioned { patterns: false, ..all };
    assert!(hints(&*snapshot, &none).expect("nothing").is_empty());
}

/// Symptom: with 4,000 labels the first statement after each new label took 16 s, as all labels times all types were
/// sampled. Bound: a statement samples the pairs it mentions, each once until its counts are others.
#[test]
fn degrees_are_sampled_for_the_pairs_that_a_text_mentions_and_once() {
    let graph = graph();
    let samples = Samples::default();
    let of = |names: &[&str]| {
        let snapshot = graph.store.snapshot().expect("a snapshot");
        samples.hints(&*snapshot, &mentioned(names), Duration::MAX).expect("hints")
    };
    let person: Name = "Person".into();
    let known = of(&["Person", "LIKES"]);
    assert_eq!(known.degrees[&person].len(), 1);
    assert_eq!(known.degrees[&person][&Name::from("LIKES")].out, 32, "three each, in sixteenths");
    assert_eq!(known.all_degrees[&person].out, 64, "21 edges of five");
    assert_eq!((samples.taken(), samples.count()), (2, 2), "one type, and all");
    for number in 0..100 {
        let transaction = begin(&graph.store);
        let name = format!("New{number}");
        let names = [(NameKind::Label, name.as_str()), (NameKind::EdgeType, name.as_str())];
        transaction.intern(&names).expect("names");
        commit(transaction);
        assert_eq!(of(&["Person", "LIKES"]), known);
        of(&["Person", "LIKES", &name]);
    }
    assert_eq!((samples.taken(), samples.count()), (2, 2), "new names take nothing");
    of(&["Person", "Item", "KNOWS"]);
    assert_eq!(samples.taken(), 5, "a new type of one label, and the other label");
    let snapshot = graph.store.snapshot().expect("a snapshot");
    let hints =
        Samples::default().hints(&*snapshot, &mentioned(&["Item", "LIKES"]), Duration::ZERO);
    assert!(hints.expect("counts").degrees.is_empty(), "a text without time samples nothing");
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
