//! Many nodes a request, from a list of maps, beside the same nodes as columns in a process of its own.

use std::thread;

use millrace_db::plan::{
    Expr, Parameter, PlanBuilder, Properties, RowsSource, Runner, Template, op,
};
use millrace_db::{Database, Graph, RequestLimits};
use millrace_model::compare::CompareMode;
use millrace_model::{Batch, Column, Error, ErrorKind, Result, Value};

use super::{answer, count};
use crate::clients::bolt::{Connection, Query};
use crate::data::Scratch;
use crate::experiments::measurement::{Conditions, settings};
use crate::experiments::rounds::rounds;
use crate::experiments::served::Served;
use crate::machine::joined;
use crate::measure;
use crate::report::{Row, Unit};

/// The default graph of the server, and that of the reference.
const GRAPH: &str = "neo4j";
const QUERY: &str = "UNWIND $rows AS row CREATE (n:Person {id: row.id, name: row.name})";

/// Nodes of a request.
const NODES: u64 = 5_000;

/// Connections, and threads of the reference.
const CONNECTIONS: u64 = 4;

/// Requests of a connection in one run.
const ROUNDS: u64 = 5;

/// Nodes in a second.
pub(in crate::experiments) fn unwind(conditions: &Conditions) -> Result<Row> {
    let folder = Scratch::empty(&conditions.data, "cypher.unwind")?;
    let served = Served::start(conditions, folder.path().to_owned())?;
    let opened: Result<Vec<_>> =
        (0..CONNECTIONS).map(|_| Connection::open(served.bolt())).collect();
    let mut connections = opened?;
    let query = Query::new(GRAPH, QUERY);
    let requests = (0..CONNECTIONS).map(|number| {
        let rows = ids(number).map(|id| {
            let name = Value::from(name(id).as_str());
            Value::map(vec![(Value::from("id"), Value::I64(id)), (Value::from("name"), name)])
        });
        query.request(vec![("rows".into(), Value::list(rows.collect()))])
    });
    let requests: Vec<Vec<u8>> = requests.collect::<Result<_>>()?;
    let columns = Columns::new(conditions)?;
    let mut runs = 0;
    let medians = measure::side_by_side(
        conditions.seconds,
        || {
            runs += 1;
            let mut next = requests.iter().cycle();
            rounds(
                &mut connections,
                ROUNDS as usize,
                |connection| connection.send(next.next().map_or(&[][..], |request| request)),
                |connection| connection.receive_answer().map(drop),
            )
        },
        || columns.run(),
    )?;
    let each = CONNECTIONS * ROUNDS * NODES;
    let created = runs * each;
    for (counted, expected) in [
        ("count(n)", created),
        ("count(DISTINCT n.id)", CONNECTIONS * NODES),
        ("count(DISTINCT n.name)", CONNECTIONS * NODES),
    ] {
        let text = format!("MATCH (n:Person) RETURN {counted}");
        let found = count(&answer(&served, &text, &[])?)?;
        if found != expected {
            let detail = format!("{created} nodes are acknowledged, `{text}` gives {found}");
            return Err(Error::new(ErrorKind::Bug, detail));
        }
    }
    columns.close();
    let rate = |seconds: f64| each as f64 / seconds;
    Ok(Row::new(rate(medians.value), Unit::PerSecond).beside(rate(medians.reference)))
}

/// The numbers of a request's nodes.
fn ids(request: u64) -> impl Iterator<Item = i64> {
    (request * NODES..(request + 1) * NODES).map(|id| id as i64)
}

fn name(id: i64) -> String {
    format!("person{id}")
}

/// The same nodes as columns, in this process.
struct Columns {
    database: Database,
    graph: std::sync::Arc<Graph>,
    limits: RequestLimits,
    batches: Vec<Batch>,
    _folder: Scratch,
}

impl Columns {
    fn new(conditions: &Conditions) -> Result<Columns> {
        let folder = Scratch::empty(&conditions.data, "cypher.unwind.columns")?;
        let database = Database::open(folder.path(), settings())?;
        let graph = database.ensure_graph(GRAPH)?;
        let batch = |request| {
            let names = ids(request).map(|id| Value::from(name(id).as_str()));
            let ids = Column::from_values(ids(request).map(Value::I64));
            Batch::of(vec![ids, Column::from_values(names)])
        };
        let limits = RequestLimits::within(u64::from(u32::MAX), database.settings());
        let batches = (0..CONNECTIONS).map(batch).collect();
        Ok(Columns { database, graph, limits, batches, _folder: folder })
    }

    /// One run: as many transactions at once as there are connections.
    fn run(&self) -> Result<()> {
        thread::scope(|scope| {
            let write = |batch| move || self.write(batch);
            let threads: Vec<_> =
                self.batches.iter().map(|batch| scope.spawn(write(batch))).collect();
            threads.into_iter().try_for_each(joined)
        })
    }

    fn write(&self, batch: &Batch) -> Result<()> {
        (0..ROUNDS).try_for_each(|_| self.graph.write(&self.limits, |runner| create(runner, batch)))
    }

    fn close(self) {
        self.database.close();
    }
}

fn create(runner: &mut dyn Runner, batch: &Batch) -> Result<()> {
    let mut plan = PlanBuilder::new(CompareMode::NullIsValue);
    let (id, name) = (plan.column("id"), plan.column("name"));
    let rows = plan.parameter("rows");
    plan.push(op::Rows { source: RowsSource::Parameter(rows), to: vec![id, name] });
    let keyed = vec![("id".into(), Expr::Column(id)), ("name".into(), Expr::Column(name))];
    let properties = Properties { keyed, map: None };
    let template = Template::Vertex { labels: vec!["Person".into()], properties };
    let made = plan.column("made");
    plan.push(op::Create { template, id: None, to: made });
    let plan = runner.prepare(&plan.finish(vec![]))?;
    runner.run(plan, &[Parameter::Rows(batch.clone())]).map(drop)
}
