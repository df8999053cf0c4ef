//! Nodes by comparison over the durable store: the same with an ordered index as without.

use millrace_db::plan::{
    Comparison, ElementKind, Expr, Function, Name, Parameter, PlanBuilder, Properties, Template, op,
};
use millrace_db::ragedb::elements;
use millrace_db::{Database, Graph, Settings};
use millrace_model::compare::CompareMode;
use millrace_model::schema::IndexKind;
use millrace_model::{Batch, Column, Value};

use crate::{limits, open};

const COUNT: i64 = 30_000;

/// Nodes of a type in no order of their ages, some without, some with a text.
fn fill(graph: &Graph) {
    let mut plan = PlanBuilder::new(CompareMode::Plain);
    let rows = plan.parameter("rows");
    let [age] = plan.rows(rows, ["age"]);
    let keyed = vec![(Name::from("age"), Expr::Column(age))];
    let properties = Properties { keyed, map: None };
    let template = Template::Vertex { labels: vec!["Person".into()], properties };
    let to = plan.column("v");
    plan.push(op::Create { template, id: None, to });
    let age = |n: i64| match n % 10 {
        0 => Value::Null,
        1 => Value::from(format!("a{}", n % 1_000).as_str()),
        _ => Value::I64(n * 7_919 % COUNT),
    };
    let rows = Parameter::Rows(Batch::of(vec![Column::from_values((0..COUNT).map(age))]));
    let plan = plan.finish(vec![]);
    graph
        .write(&limits(), |runner| runner.run_once(&plan, std::slice::from_ref(&rows)))
        .expect("writes");
}

fn found(graph: &Graph, condition: elements::Condition, value: &Value, limit: u64) -> Value {
    let page = elements::Page { skip: 0, limit };
    let find = graph.read(&limits(), |runner| {
        elements::find(runner, (ElementKind::Vertex, "Person"), ("age", condition, value), page)
    });
    find.expect("finds")
}

/// Pages of every kind of condition, few and many.
fn all_found(graph: &Graph) -> Vec<Value> {
    let compare = |comparison| elements::Condition::Compare(comparison);
    let begins = elements::Condition::Text { test: Function::StartsWith, negated: false };
    let asked = [
        (compare(Comparison::Greater), Value::I64(COUNT - 50)),
        (compare(Comparison::GreaterEqual), Value::F64(1.5)),
        (compare(Comparison::Less), Value::I64(40)),
        (compare(Comparison::LessEqual), Value::from("a2")),
        (compare(Comparison::Equal), Value::I64(7_919)),
        (begins, Value::from("a99")),
        (begins, Value::from("")),
    ];
    let pages = asked.iter().flat_map(|asked| [1_000, 10].map(|limit| (asked, limit)));
    pages.map(|((condition, value), limit)| found(graph, *condition, value, limit)).collect()
}

#[test]
fn nodes_found_by_comparison_are_the_same_with_an_ordered_index_wherever_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let database = open(folder.path());
    let graph = database.create_graph("one").unwrap();
    fill(&graph);
    let without = all_found(&graph);
    let person = elements::OwnerType::node("Person");
    let declare = graph.write(&limits(), |runner| {
        elements::declare_index(runner, &person, "age", IndexKind::Range)
    });
    assert!(declare.expect("declares"));
    assert_eq!(all_found(&graph), without);
    database.checkpoint().unwrap();
    assert_eq!(all_found(&graph), without, "from files");
    database.close();
    drop((graph, database));
    let database: Database = open(folder.path());
    assert_eq!(all_found(&database.graph("one").unwrap()), without, "after reopening");
    database.close();
}

#[test]
fn indexes_of_settings_are_made_at_the_start_where_they_are_not_there() {
    let folder = tempfile::tempdir().expect("there is room");
    let declared = ["Film(title) trigrams", "Film(title) trigrams; Film(year); User(name) unique"];
    for (list, count) in declared.into_iter().zip([1, 3]) {
        let mut settings = Settings::default();
        settings.indexes.push(("films".to_owned(), list.to_owned()));
        let database = Database::open(folder.path(), settings).expect("it opens");
        database.make_graphs().expect("they are made");
        let graph = database.graph("films").expect("it was made");
        let catalog = graph.store().snapshot().expect("it is open").catalog();
        assert_eq!(catalog.indexes.len(), count, "{list}");
        database.close();
    }
    let mut settings = Settings::default();
    settings.indexes.push(("films".to_owned(), "Film(title)".to_owned()));
    let taken = Database::open(folder.path(), settings).expect("it opens");
    taken.make_graphs().expect("one more is made");
    let graph = taken.graph("films").expect("it is there");
    assert_eq!(graph.store().snapshot().expect("it is open").catalog().indexes.len(), 4);
}
