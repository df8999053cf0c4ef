//! Three hops with merging off: each of 50 million paths is visited, and its end added to a sum.

use millrace_db::RequestLimits;
use millrace_db::plan::{Expr, Fold, Plan, PlanBuilder};
use millrace_model::compare::CompareMode;
use millrace_model::{Error, ErrorKind, Result};

use super::graph::{GRAPH_NAME, arrays, cached, edges, item_vertices, people, size};
use super::questions::{ask, int, limit_threads, three_hops};
use crate::experiments::graph::OpenGraph;
use crate::experiments::measurement::{Conditions, settings};
use crate::limit::{Likers, visit_targets};
use crate::measure;
use crate::report::{Row, Unit};

pub(in crate::experiments) fn touch(conditions: &Conditions) -> Result<Row> {
    let likes = size(conditions);
    let arrays = arrays(&likes, &edges(&likes));
    let open = OpenGraph::open_named(&cached(&conditions.data, &likes)?, GRAPH_NAME, settings())?;
    let threads = limit_threads(people(&likes), |person, threads| {
        std::hint::black_box(visit_targets(&arrays, person, threads));
    });
    let limits = RequestLimits::within(u64::from(u32::MAX), open.database.settings());
    let medians = open.graph.read(&limits, |runner| {
        let items: Vec<u64> = item_vertices(runner, &likes)?.iter().map(|item| item.0).collect();
        let plan = runner.prepare(&question())?;
        for person in people(&likes) {
            check(int(&ask(runner, plan, person)?, 0, 0)?, sum_of_ids(&arrays, person, &items))?;
        }
        let (mut asked, mut answered) = (people(&likes).cycle(), people(&likes).cycle());
        measure::side_by_side(
            conditions.seconds,
            || ask(runner, plan, asked.next().unwrap_or(0)).map(|_| ()),
            || {
                let person = answered.next().unwrap_or(0);
                std::hint::black_box(visit_targets(&arrays, person, threads));
                Ok(())
            },
        )
    })?;
    open.close();
    Ok(Row::new(medians.value * 1e3, Unit::Milliseconds).beside(medians.reference * 1e3))
}

fn question() -> Plan {
    let mut plan = PlanBuilder::new(CompareMode::Plain).without_merging();
    let [_, item] = three_hops(&mut plan);
    let sum = plan.aggregate(&[], "sum", Fold::Sum(Expr::Id(Box::new(Expr::Column(item)))));
    plan.finish(vec![sum])
}

/// The expected answer of the plan: the limit's loops, with the id of each item instead of its number.
fn sum_of_ids(likes: &Likers, person: u32, items: &[u64]) -> u64 {
    let others = likes.out.list(person).iter().flat_map(|item| likes.into.list(*item));
    let sum_of = |other: &u32| -> u64 {
        likes.out.list(*other).iter().map(|target| items[*target as usize]).sum()
    };
    others.map(sum_of).sum()
}

fn check(answer: i64, expected: u64) -> Result<()> {
    if u64::try_from(answer) == Ok(expected) {
        return Ok(());
    }
    let detail = format!("the plan's sum of ids is {answer}, that of arrays {expected}");
    Err(Error::new(ErrorKind::Bug, detail))
}
