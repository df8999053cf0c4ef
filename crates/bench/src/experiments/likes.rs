//! The three hops of the bulk traversal article: person, items, other people, their items.

use std::ops::ControlFlow;
use std::path::Path;

use millrace_db::ingest::generate::Likes;
use millrace_db::ingest::load::{self, LoadOptions};
use millrace_db::model::compare::CompareMode;
use millrace_db::model::{Batch, Column, Direction, Error, ErrorKind, Result, Value};
use millrace_db::plan::{
    Expr, Fold, Nulls, Op, Parameter, Plan, PlanBuilder, PreparedPlan, Runner, SetName, SortKey,
};
use millrace_db::{Database, RequestLimits};

use super::{Conditions, settings};
use crate::data;
use crate::limit::{self, Counted, Likers, TOP};
use crate::measure;
use crate::report::{Row, Unit};

/// People asked for in turn, so that no answer is a cached one.
const PEOPLE_ASKED: u32 = 16;

/// The likes graph at the scale asked for.
fn size(conditions: &Conditions) -> Likes {
    let full = Likes::default();
    Likes { people: (f64::from(full.people) * conditions.scale) as u32, ..full }
}

/// Recommendations: group count of the items at the third hop, minus own, the best 25.
pub(super) fn recommend(conditions: &Conditions) -> Result<Row> {
    let question = Question {
        plan: recommend_plan(),
        answer: |batch, names| named_counts(batch, names),
        limit: |likes, person, threads| limit::recommend_bulked(likes, person, threads),
    };
    measure_question(conditions, &question)
}

/// The number of paths of three hops.
pub(super) fn count(conditions: &Conditions) -> Result<Row> {
    let question = Question {
        plan: count_plan(),
        answer: |batch, _| Ok(vec![(0, int(batch, 0, 0)? as u64)]),
        limit: |likes, person, threads| vec![(0, limit::count_paths(likes, person, threads))],
    };
    measure_question(conditions, &question)
}

/// A plan, and plain array code for the same question.
struct Question {
    plan: Plan,
    answer: fn(&Batch, &ItemNames) -> Result<Vec<Counted>>,
    limit: fn(&Likers, u32, usize) -> Vec<Counted>,
}

/// The generator's number of each item vertex.
type ItemNames = std::collections::HashMap<u64, u32>;

fn three_hops(plan: &mut PlanBuilder) -> [millrace_db::plan::ColumnId; 2] {
    let person = plan.parameter("person");
    let p = plan.seek("Person", "username", Expr::Parameter(person), "p");
    let mine = plan.expand(p, Direction::Out, Some(&["LIKES"]), "mine");
    plan.side_effect_set("mine", Expr::Column(mine));
    let other = plan.expand(mine, Direction::In, Some(&["LIKES"]), "other");
    [other, plan.expand(other, Direction::Out, Some(&["LIKES"]), "item")]
}

fn recommend_plan() -> Plan {
    let mut plan = PlanBuilder::new(CompareMode::Plain);
    let [_, item] = three_hops(&mut plan);
    let own = SetName::SideEffect("mine".into());
    plan.filter(Expr::InSet { item: Box::new(Expr::Column(item)), set: own }.negate());
    let paths = plan.aggregate(&[item], "paths", Fold::Count);
    let key =
        |column, descending| SortKey { by: Expr::Column(column), descending, nulls: Nulls::Last };
    // The item decides between equal counts, so the answer does not hang on the order of rows.
    let keys = vec![key(paths, true), key(item, false)];
    plan.push(Op::TopK { count: TOP as u64, keys });
    plan.finish(vec![item, paths])
}

fn count_plan() -> Plan {
    let mut plan = PlanBuilder::new(CompareMode::Plain);
    three_hops(&mut plan);
    let paths = plan.aggregate(&[], "paths", Fold::Count);
    plan.finish(vec![paths])
}

fn measure_question(conditions: &Conditions, question: &Question) -> Result<Row> {
    let likes = size(conditions);
    let arrays = arrays(&likes);
    let database = loaded(&conditions.data, &likes)?;
    let graph = database.graph("likes")?;
    let threads = limit_threads(&likes, |person, threads| {
        std::hint::black_box((question.limit)(&arrays, person, threads));
    });
    let limits = RequestLimits::within(u64::from(u32::MAX), database.settings());
    let medians = graph.read(&limits, |runner| {
        let plan = runner.prepare(&question.plan)?;
        let names = item_names(runner, &likes)?;
        for person in people(&likes) {
            let answer = (question.answer)(&ask(runner, plan, person)?, &names)?;
            check(person, &answer, &(question.limit)(&arrays, person, threads))?;
        }
        let (mut asked, mut answered) = (people(&likes).cycle(), people(&likes).cycle());
        measure::side_by_side(
            || ask(runner, plan, asked.next().unwrap_or(0)).map(|_| ()),
            || {
                let person = answered.next().unwrap_or(0);
                std::hint::black_box((question.limit)(&arrays, person, threads));
                Ok(())
            },
        )
    })?;
    database.close();
    Ok(Row::new(medians.value * 1e3, Unit::Milliseconds).beside(medians.reference * 1e3))
}

/// The number of threads with which the limit answers soonest.
fn limit_threads(likes: &Likes, answer: impl Fn(u32, usize)) -> usize {
    let all = std::thread::available_parallelism().map_or(1, usize::from);
    let mut asked = people(likes).cycle();
    let answer = |threads| answer(asked.next().unwrap_or(0), threads);
    measure::quickest(&[1, all], answer).unwrap_or(1)
}

/// People spread over all of them, the same in every run.
fn people(likes: &Likes) -> impl Iterator<Item = u32> + Clone + use<> {
    let (all, step) = (likes.people, likes.people / PEOPLE_ASKED);
    (0..PEOPLE_ASKED).map(move |turn| (turn * step + 7) % all)
}

fn arrays(likes: &Likes) -> Likers {
    let edges: Vec<(u32, u32)> = likes.edges().map(|like| (like.person, like.item)).collect();
    Likers::from_edges(likes.people as usize, likes.items as usize, &edges)
}

/// The likes graph, loaded once and kept.
fn loaded(folder: &Path, likes: &Likes) -> Result<Database> {
    let files = data::likes_files(folder, likes)?;
    let name = format!("database-likes-{}", likes.people);
    let kept = folder.join(&name);
    if !kept.is_dir() {
        let partial = folder.join(format!("{name}.partial"));
        data::empty_folder(&partial)?;
        eprintln!("loading {}", kept.display());
        let database = Database::open(&partial, settings())?;
        let input = load::input_of_files(&files.paths(), None)?;
        let graph = database.create_graph("likes")?;
        graph.load(input, LoadOptions::default(), &mut |_| ControlFlow::Continue(()))?;
        database.close();
        drop((graph, database));
        std::fs::rename(&partial, &kept).map_err(|error| data::io_error(&kept, &error))?;
    }
    Database::open(&kept, settings())
}

fn ask(runner: &mut dyn Runner, plan: PreparedPlan, person: u32) -> Result<Batch> {
    let name = Value::string(&format!("person{}", person + 1));
    runner.run(plan, &[Parameter::Value(name)])
}

fn check(person: u32, answer: &[Counted], expected: &[Counted]) -> Result<()> {
    if answer == expected {
        return Ok(());
    }
    let detail = format!("person {person}: the plan answers {answer:?}, arrays {expected:?}");
    Err(Error::new(ErrorKind::Bug, detail))
}

fn named_counts(batch: &Batch, names: &ItemNames) -> Result<Vec<Counted>> {
    let item = |row: usize| batch.columns[0].get(row);
    let rows = (0..batch.len).map(|row| match item(row) {
        Some(Value::Vertex(vertex)) if names.contains_key(&vertex.0) => {
            Ok((names[&vertex.0], int(batch, 1, row)? as u64))
        }
        other => Err(Error::new(ErrorKind::Bug, format!("{other:?} is no item"))),
    });
    rows.collect()
}

fn int(batch: &Batch, column: usize, row: usize) -> Result<i64> {
    let value = batch.columns[column].get(row).and_then(|value| value.as_int());
    value.ok_or_else(|| Error::new(ErrorKind::Bug, "a count is an integer"))
}

/// Which vertex is which item of the generator: asked once, outside the clock.
fn item_names(runner: &mut dyn Runner, likes: &Likes) -> Result<ItemNames> {
    let mut plan = PlanBuilder::new(CompareMode::Plain);
    let names = plan.parameter("names");
    let [name] = plan.rows(names, ["name"]);
    let item = plan.seek("Item", "name", Expr::Column(name), "item");
    let plan = runner.prepare(&plan.finish(vec![item]))?;
    let names = (1..=likes.items).map(|number| Value::string(&format!("item{number}")));
    let rows = Parameter::Rows(Batch::of(vec![Column::from_values(names)]));
    let items = runner.run(plan, &[rows])?;
    let vertices = items.columns[0].as_vertices().unwrap_or_default();
    Ok(vertices.iter().zip(0..).map(|(vertex, number)| (vertex.0, number)).collect())
}
