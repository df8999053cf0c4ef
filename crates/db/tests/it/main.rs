//! A database embedded in a program, without a server.

mod bulk_as_single;
mod composed;
mod cypher;
#[cfg(target_os = "linux")]
mod deadline;
mod dql;
mod dql_schema;
mod explicit;
mod graph_names;
mod gremlin;
mod isolation;
mod lazy_lists;
#[cfg(target_os = "linux")]
mod long_queries;
#[cfg(target_os = "linux")]
mod lua_goldens;
#[cfg(target_os = "linux")]
mod memory;
mod non_blocking;
mod ordered_indexes;
mod pending_edges;
mod procedures;
mod random_runs;
mod sandbox;
mod shares;
mod social;
mod streams;
mod traversals;
mod write_counts;

use std::ops::ControlFlow;
use std::path::Path;
use std::thread;

use millrace_db::ingest::load::{LoadOptions, LoadPath};
use millrace_db::ingest::reading::{Reading, input_of};
use millrace_db::ingest::source::Source;
use millrace_db::languages::gremlin::GROOVY;
use millrace_db::plan::{Fold, PlanBuilder, Runner};
use millrace_db::ragedb::{Access, Script, elements};
use millrace_db::session::Request;
use millrace_db::{Database, Graph, RequestLimits, Results, Settings};
use millrace_model::compare::CompareMode;
use millrace_model::{DetachedElements, ErrorKind, Profile, Result, Value};

fn limits() -> RequestLimits {
    RequestLimits::within(30_000, &Settings::default())
}

fn script(text: &str) -> Script {
    Script { text: text.into(), access: Access::Admin, parameters: Vec::new(), limits: limits() }
}

/// A request of Gremlin on the graph that it asks when nothing else is said.
fn gremlin_request(text: &str, limits: RequestLimits) -> Request {
    Request::text(&GROOVY, text, &Settings::default().gremlin.graph, limits)
}

/// Takes the values of results, one after the other.
#[derive(Default)]
struct Values(Vec<Value>);

impl Results for Values {
    fn begin(&mut self, _streams: bool) {
        self.0.clear();
    }

    fn take(&mut self, values: &[Value], _: &[u64], _: &DetachedElements) -> Result<()> {
        self.0.extend_from_slice(values);
        Ok(())
    }

    fn take_profile(&mut self, _: &Profile) -> Result<()> {
        Ok(())
    }
}

fn ask(graph: &Graph, text: &str) -> String {
    graph.run_script(script(text)).unwrap_or_else(|failure| panic!("{text}: {failure:?}"))
}

fn open(folder: &Path) -> Database {
    Database::open(folder, Settings::default()).expect("it opens")
}

#[test]
fn committed_data_is_there_after_reopening() {
    let folder = tempfile::tempdir().unwrap();
    let database = open(folder.path());
    let graph = database.create_graph("one").unwrap();
    assert_eq!(ask(&graph, "NodeAdd('Person', 'ann', '{\"age\": 7}')\n1"), "1");
    let made = graph.write(&limits(), |runner| {
        elements::add_node(runner, "Person", "ben", &vec![(Value::from("age"), Value::I64(8))])
    });
    assert!(made.is_ok(), "{made:?}");
    database.close();
    drop((graph, database));
    let database = open(folder.path());
    assert_eq!(database.graphs(), ["one"]);
    let graph = database.graph("one").unwrap();
    assert_eq!(ask(&graph, "AllNodesCount('Person')"), "2");
    assert_eq!(database.graph_size("one").unwrap().vertices, 2);
    assert_eq!(database.graph("h").map(|_| ()).unwrap_err().kind, ErrorKind::NotFound);
}

#[test]
fn a_folder_is_opened_once() {
    let folder = tempfile::tempdir().unwrap();
    let _database = open(folder.path());
    let second = Database::open(folder.path(), Settings::default()).map(|_| ()).unwrap_err();
    assert_eq!(second.kind, ErrorKind::Unavailable);
    assert!(second.to_string().contains("in use"), "{second}");
}

#[test]
fn the_durability_of_a_folder_is_not_changed_by_a_setting() {
    let folder = tempfile::tempdir().unwrap();
    drop(open(folder.path()));
    let mut settings = Settings::default();
    settings.data.durability = "async".to_owned();
    assert!(Database::open(folder.path(), settings.clone()).is_err());
    settings.data.durability = "often".to_owned();
    let refused = Database::open(folder.path(), settings).map(|_| ()).unwrap_err();
    assert!(refused.to_string().contains("data.durability is `often`"), "{refused}");
}

#[test]
fn a_plan_runs_in_process() {
    let database = Database::in_memory(Settings::default()).unwrap();
    let graph = database.create_graph("one").unwrap();
    ask(&graph, "for i = 1, 10 do NodeAdd('Person', 'p' .. i) end\n1");
    let mut plan = PlanBuilder::new(CompareMode::Plain);
    plan.scan(Some("Person"), "p");
    let count = plan.aggregate(&[], "count", Fold::Count);
    let plan = plan.finish(vec![count]);
    let batch = graph.read(&limits(), |runner| runner.run_once(&plan, &[])).unwrap();
    assert_eq!(batch.columns[0].get(0), Some(Value::I64(10)));
}

#[test]
fn scripts_and_routes_see_a_chosen_id_whatever_the_internal_id_of_its_node() {
    let folder = tempfile::tempdir().unwrap();
    let database = open(folder.path());
    let graph = database.create_graph("one").unwrap();
    const FAR: u64 = 10_000_000_000;
    let add = |key: &str, id: u64| {
        let none = Vec::new();
        let add =
            |runner: &mut dyn Runner| elements::add_node_with_id(runner, "Person", key, id, &none);
        graph.write(&limits(), add)
    };
    let shown = add("far", FAR).unwrap();
    assert!(format!("{shown:?}").contains("10000000000"), "{shown:?}");
    assert_eq!(add("again", FAR).unwrap_err().kind, ErrorKind::AlreadyExists);
    assert_eq!(add("large", u64::MAX).unwrap_err().kind, ErrorKind::BadInput);
    ask(&graph, "RelationshipAdd('KNOWS', NodeAdd('Person', 'near'), 10000000000)\n1");
    database.close();
    drop((graph, database));
    let database = open(folder.path());
    let graph = database.graph("one").unwrap();
    // A script's one result comes as a list of it, where it is an element's own.
    let seen = |text: &str| ask(&graph, text).trim_matches(['[', ']']).to_owned();
    let far = "10000000000";
    assert_eq!(seen("NodeGetId('Person', 'far')"), far);
    assert_eq!(seen("NodeGetKey(10000000000)"), "\"far\"");
    assert_eq!(seen("NodeGet('Person', 'far'):getId()"), far);
    assert_eq!(seen("NodeGet(10000000000):getId()"), far);
    assert_eq!(seen("NodeGetNeighbors('Person', 'near')[1]:getId()"), far);
    assert_eq!(ask(&graph, "NodeGetDegree(10000000000)"), "1");
    assert_eq!(ask(&graph, "NodeGetDegree(1)"), "0", "the slot names no vertex");
    let way = elements::Target::Node(elements::NodeName::Id(FAR));
    let found = graph.read(&limits(), |runner| elements::show(runner, &way)).unwrap();
    assert_eq!(found, Some(shown));
    let removed = graph.write(&limits(), |runner| elements::remove(runner, &way)).unwrap();
    assert!(removed);
    assert_eq!(ask(&graph, "NodeGetDegree(10000000000)"), "0");
    assert_eq!(database.graph_size("one").unwrap().vertices, 1);
}

#[test]
fn reading_never_writes() {
    let database = Database::in_memory(Settings::default()).unwrap();
    let graph = database.create_graph("one").unwrap();
    let made = graph.read(&limits(), |runner| elements::add_node(runner, "Person", "x", &vec![]));
    assert!(made.is_err(), "a snapshot takes no write");
    assert_eq!(database.graph_size("one").unwrap().vertices, 0);
}

#[test]
fn a_write_that_fails_leaves_nothing_and_says_why() {
    let database = Database::in_memory(Settings::default()).unwrap();
    let graph = database.create_graph("one").unwrap();
    let failed: Result<()> = graph.write(&limits(), |runner| {
        elements::add_node(runner, "Person", "x", &vec![])?;
        elements::add_node(runner, "Person", "x", &vec![]).map(|_| ())
    });
    assert_eq!(failed.unwrap_err().kind, ErrorKind::Constraint);
    assert_eq!(database.graph_size("one").unwrap().vertices, 0);
}

#[test]
fn many_clients_share_syncs_and_all_are_answered() {
    let folder = tempfile::tempdir().unwrap();
    let database = open(folder.path());
    let graph = database.create_graph("one").unwrap();
    ask(&graph, "NodeTypeInsert('Person')\n1");
    thread::scope(|scope| {
        for client in 0..16 {
            let graph = &graph;
            scope.spawn(move || {
                for number in 0..20 {
                    ask(graph, &format!("NodeAdd('Person', '{client}-{number}')\n1"));
                }
            });
        }
    });
    assert_eq!(ask(&graph, "AllNodesCount('Person')"), "320");
}

#[test]
fn a_closed_database_takes_no_scripts() {
    let database = Database::in_memory(Settings::default()).unwrap();
    let graph = database.create_graph("one").unwrap();
    ask(&graph, "1");
    database.close();
    let refused = graph.run_script(script("1")).unwrap_err();
    assert_eq!((refused.error.kind, refused.lua_text), (ErrorKind::Unavailable, None));
}

#[test]
fn a_load_can_be_stopped_and_leaves_nothing() {
    let database = Database::in_memory(Settings::default()).unwrap();
    let graph = database.create_graph("one").unwrap();
    let input = || {
        let text = "<a> <b> <c> .\n".as_bytes();
        input_of(vec![Source::stream("x.nq", text)], &Reading::default()).unwrap()
    };
    let options = LoadOptions { path: LoadPath::Transaction, ..LoadOptions::default() };
    let stopped = database.loads().run(&graph, input(), options, &mut |_| ControlFlow::Break(()));
    assert_eq!(stopped.map(|_| ()).unwrap_err().kind, ErrorKind::Cancelled);
    assert_eq!(database.graph_size("one").unwrap().vertices, 0);
    let mut go_on = |_: &_| ControlFlow::Continue(());
    let (id, summary) = database.loads().run(&graph, input(), options, &mut go_on).unwrap();
    assert_eq!((id, summary.vertices, summary.edges), (2, 2, 1));
}

#[test]
fn a_graph_may_demand_that_everyone_is_serializable() {
    let folder = tempfile::tempdir().unwrap();
    let database = open(folder.path());
    let graph = database.create_graph("one").unwrap();
    ask(&graph, "NodeTypeInsert('Person')\n1");
    assert!(!graph.demands_serializable().unwrap());
    graph.demand_serializable(true, &limits()).unwrap();
    assert!(graph.demands_serializable().unwrap());
    thread::scope(|scope| {
        for client in 0..8 {
            let graph = &graph;
            scope.spawn(move || {
                let text = format!(
                    "local n = AllNodesCount('Person')\n\
                     NodeAdd('Person', '{client}', '{{\"n\": ' .. n .. '}}')\nn"
                );
                ask(graph, &text);
            });
        }
    });
    // Each of them read the count that the others changed, and all were run until they committed.
    assert_eq!(ask(&graph, "AllNodesCount('Person')"), "8");
    graph.demand_serializable(false, &limits()).unwrap();
    assert!(!graph.demands_serializable().unwrap());
}
