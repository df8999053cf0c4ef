//! The three hops of the bulk traversal article: person, items, other people, their items.

use millrace_db::RequestLimits;
use millrace_db::plan::{ColumnId, Expr, Fold, Parameter, Plan, PlanBuilder, PreparedPlan, Runner};
use millrace_model::compare::CompareMode;
use millrace_model::{Batch, Direction, Error, ErrorKind, Result, Value};

use super::graph::{GRAPH_NAME, arrays, cached, edges, people, size};
use crate::experiments::graph::OpenGraph;
use crate::experiments::measurement::{Conditions, settings};
use crate::limit::{self, Counted};
use crate::measure;
use crate::report::{Row, Unit};

/// The number of paths of three hops.
pub(in crate::experiments) fn count(conditions: &Conditions) -> Result<Row> {
    let likes = size(conditions);
    let arrays = arrays(&likes, &edges(&likes));
    let open = OpenGraph::open_named(&cached(&conditions.data, &likes)?, GRAPH_NAME, settings())?;
    let threads = limit_threads(people(&likes), |person, threads| {
        std::hint::black_box(limit::count_paths(&arrays, person, threads));
    });
    let limits = RequestLimits::within(u64::from(u32::MAX), open.database.settings());
    let medians = open.graph.read(&limits, |runner| {
        let plan = runner.prepare(&count_plan())?;
        for person in people(&likes) {
            let paths = int(&ask(runner, plan, person)?, 0, 0)? as u64;
            check(person, &[(0, paths)], &[(0, limit::count_paths(&arrays, person, threads))])?;
        }
        let (mut asked, mut answered) = (people(&likes).cycle(), people(&likes).cycle());
        measure::side_by_side(
            conditions.seconds,
            || ask(runner, plan, asked.next().unwrap_or(0)).map(|_| ()),
            || {
                let person = answered.next().unwrap_or(0);
                std::hint::black_box(limit::count_paths(&arrays, person, threads));
                Ok(())
            },
        )
    })?;
    open.close();
    Ok(Row::new(medians.value * 1e3, Unit::Milliseconds).beside(medians.reference * 1e3))
}

pub(super) fn three_hops(plan: &mut PlanBuilder) -> [ColumnId; 2] {
    let person = plan.parameter("person");
    let p = plan.seek("Person", "username", Expr::Parameter(person), "p");
    let mine = plan.expand(p, Direction::Out, Some(&["LIKES"]), "mine");
    plan.side_effect_set("mine", Expr::Column(mine));
    let other = plan.expand(mine, Direction::In, Some(&["LIKES"]), "other");
    [other, plan.expand(other, Direction::Out, Some(&["LIKES"]), "item")]
}

fn count_plan() -> Plan {
    let mut plan = PlanBuilder::new(CompareMode::Plain);
    three_hops(&mut plan);
    let paths = plan.aggregate(&[], "paths", Fold::Count);
    plan.finish(vec![paths])
}

/// The number of threads with which the limit answers soonest.
pub(super) fn limit_threads(
    people: impl Iterator<Item = u32> + Clone,
    answer: impl Fn(u32, usize),
) -> usize {
    let all = std::thread::available_parallelism().map_or(1, usize::from);
    let mut asked = people.cycle();
    let answer = |threads| answer(asked.next().unwrap_or(0), threads);
    measure::quickest(&[1, all], answer).unwrap_or(1)
}

pub(super) fn ask(runner: &mut dyn Runner, plan: PreparedPlan, person: u32) -> Result<Batch> {
    let name = Value::string(&format!("person{}", person + 1));
    runner.run(plan, &[Parameter::Value(name)])
}

pub(super) fn check(person: u32, answer: &[Counted], expected: &[Counted]) -> Result<()> {
    if answer == expected {
        return Ok(());
    }
    let detail = format!("person {person}: the plan answers {answer:?}, arrays {expected:?}");
    Err(Error::new(ErrorKind::Bug, detail))
}

pub(super) fn int(batch: &Batch, column: usize, row: usize) -> Result<i64> {
    let value = batch.columns[column].get(row).and_then(|value| value.as_int());
    value.ok_or_else(|| Error::new(ErrorKind::Bug, "a count is an integer"))
}
