//! Several values of a key over the durable store: found by an index, unique, dropped together, and a
//! list for scripts.

use std::collections::HashMap;

use millrace_db::plan::{Definition, OwnerName, PlanBuilder, op};
use millrace_db::{Database, Graph};
use millrace_model::compare::CompareMode;
use millrace_model::schema::IndexKind;
use millrace_model::{ErrorKind, Value};

use super::scenarios::run;
use crate::{ask, limits, open};

fn values(database: &Database, text: &str) -> Vec<Value> {
    run(database, "graph", text, &HashMap::new(), &[])
        .unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn texts(database: &Database, text: &str) -> Vec<String> {
    let values = values(database, text).into_iter();
    values.map(|value| value.as_str().map_or_else(|| format!("{value:?}"), str::to_owned)).collect()
}

fn declare(graph: &Graph, kind: IndexKind) {
    let mut plan = PlanBuilder::new(CompareMode::Plain);
    let owner = OwnerName::Label("Person".into());
    let definition = Definition::CreateIndex { owner, keys: vec!["name".into()], kind };
    plan.push(op::Define { definition });
    let plan = plan.finish(vec![]);
    graph.write(&limits(), |runner| runner.run_once(&plan, &[])).expect("is declared");
}

#[test]
fn each_value_of_a_key_is_found_by_an_index_and_dropped_with_the_others() {
    for kind in [IndexKind::Unique, IndexKind::Range] {
        let folder = tempfile::tempdir().expect("a folder");
        let database = open(folder.path());
        let graph = database.create_graph("graph").expect("is new");
        ask(&graph, "NodeTypeInsert('Person')\n1");
        declare(&graph, kind);
        let made = "g.addV('Person').property(list, 'name', 'a').property(list, 'name', 'b')\
                    .property(set, 'name', 'b', 'since', 2001).property('age', 7)";
        assert_eq!(values(&database, made).len(), 1);
        values(&database, "g.addV('Person').property('name', 'c')");
        let found = |test: &str| {
            texts(&database, &format!("g.V().has('Person', 'name', {test}).values('name')"))
        };
        assert_eq!(found("'b'"), ["a", "b"]);
        assert_eq!(found("P.gt('b')"), ["c"]);
        assert_eq!(found("P.neq('a')"), ["a", "b", "c"]);
        assert_eq!(found("P.inside('a', 'c')"), ["a", "b"]);
        let both = "g.V().hasLabel('Person').has('name', P.lt('b')).has('name', P.gt('a')).count()";
        assert_eq!(values(&database, both), [Value::I64(1)]);
        let since = "g.V().properties('name').has('since', 2001).value()";
        assert_eq!(texts(&database, since), ["b"]);
        let read = "NodeGetProperty(AllNodeIds('Person')[1], 'name')";
        assert_eq!(ask(&graph, read), "[[\"a\", \"b\"]]");
        let by = "g.V().has('Person', 'age', 7).order().by('name')";
        let error = run(&database, "graph", by, &HashMap::new(), &[]).expect_err("two names");
        assert!(error.detail.contains("Multiple properties exist"), "{error}");
        if kind == IndexKind::Unique {
            let second = "g.V().has('name', 'c').property(list, 'name', 'b')";
            let error =
                run(&database, "graph", second, &HashMap::new(), &[]).expect_err("is taken");
            assert_eq!(error.kind, ErrorKind::Constraint);
        }
        values(&database, "g.V().properties('name').hasValue('a', 'c').drop()");
        assert_eq!(found("'a'"), [""; 0]);
        assert_eq!(found("P.neq('a')"), ["b"]);
        values(&database, "g.V().has('Person', 'name', 'b').property(list, 'name', 'd')");
        values(&database, "g.V().properties().drop()");
        assert!(values(&database, "g.V().properties()").is_empty());
        assert_eq!(values(&database, "g.V().count()"), [Value::I64(2)]);
    }
}
