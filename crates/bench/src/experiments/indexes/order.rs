//! Items by a unique key, over Bolt: the first of its order, those behind a key, the greatest, a range, and `MERGE` by
//! it with and without the order.

use std::sync::Arc;

use millrace_model::random::SplitMix64;
use millrace_model::{Error, ErrorKind, Result, Value};

use crate::experiments::asked::{AskedGraph, milliseconds, request};
use crate::experiments::measurement::Conditions;
use crate::measure;
use crate::report::{Row, Unit};

/// Items at full size, and of the smaller graph.
const MANY: f64 = 1e6;
const FEW: u64 = 50_000;

/// Items created by a request.
const CREATED: u64 = 50_000;

/// Rows of a page, and of a range.
const PAGE: u64 = 10;
const RANGE: u64 = 100;

/// Requests of one run, one behind the other.
const REQUESTS: usize = 64;

/// Items of a request that merges; every second one is there.
const MERGED: u64 = 1_000;

const SEED: u64 = 42;

const CREATE: &str = "UNWIND range($first, $last) AS i CREATE (:Item {k: i * 7919 % $count, n: i})";
const UNIQUE: &str = "CREATE CONSTRAINT item_key FOR (i:Item) REQUIRE i.k IS UNIQUE";
const ORDERED: &str = "CREATE RANGE INDEX item_order FOR (i:Item) ON (i.k)";

const PAGES: &str = "MATCH (i:Item) WHERE i.k > $k OR i.k = $k AND id(i) > $id \
                     RETURN i.k AS k ORDER BY i.k, id(i) LIMIT 10";
const FIRST: &str = "MATCH (i:Item) RETURN i.k AS k ORDER BY i.k LIMIT 10";
const GREATEST: &str = "MATCH (i:Item) RETURN max(i.k) AS k";
const BETWEEN: &str = "MATCH (i:Item) WHERE $k <= i.k < $end RETURN i.k AS k ORDER BY i.k";
const MERGES: &str = "UNWIND $keys AS k MERGE (i:Item {k: k}) ON MATCH SET i.n = k";

/// Items that are served.
struct Items {
    graph: AskedGraph,
    count: u64,
    random: SplitMix64,
}

impl Items {
    fn new(conditions: &Conditions, row: &str, count: u64, ordered: bool) -> Result<Items> {
        let graph = AskedGraph::new(conditions, row)?;
        for first in (0..count).step_by(CREATED as usize) {
            let last = count.min(first + CREATED) - 1;
            let numbers = [("first", first), ("last", last), ("count", count)];
            let numbers = numbers.map(|(name, number)| (name.into(), Value::I64(number as i64)));
            graph.records(CREATE, &numbers)?;
        }
        graph.records(UNIQUE, &[])?;
        if ordered {
            graph.records(ORDERED, &[])?;
        }
        Ok(Items { graph, count, random: SplitMix64::new(SEED) })
    }

    fn ask(&mut self, requests: &[Vec<u8>], rows: u64) -> Result<()> {
        self.graph.ask(requests, rows)
    }

    /// Requests that begin at random keys, with `rows` behind each.
    fn requests(&mut self, text: &str, rows: u64) -> Result<Vec<Vec<u8>>> {
        let one = |_| {
            let k = self.random.below(self.count - rows - 1) as i64;
            request(text, Vec::from(parameters(k)))
        };
        (0..REQUESTS).map(one).collect()
    }

    /// Whether a query gives the keys from one on.
    fn check(&self, text: &str, k: i64, keys: &mut dyn Iterator<Item = i64>) -> Result<()> {
        let found = self.graph.records(text, &parameters(k))?;
        let found: Vec<Option<i64>> = found.iter().map(|record| record[0].as_int()).collect();
        if found.iter().copied().eq(keys.map(Some)) {
            return Ok(());
        }
        Err(wrong(&format!("{found:?}")))
    }
}

/// Those of each query: a key, an id behind all, and the end of a range from the key on.
fn parameters(k: i64) -> [(Arc<str>, Value); 3] {
    let numbers = [("k", k), ("id", i64::MAX), ("end", k + RANGE as i64)];
    numbers.map(|(name, number)| (name.into(), Value::I64(number)))
}

fn many(conditions: &Conditions) -> u64 {
    ((MANY * conditions.scale) as u64).max(2 * RANGE)
}

/// The rows behind a key and an id among many items; the reference is the same among few.
pub(super) fn page(conditions: &Conditions) -> Result<Row> {
    let mut many = Items::new(conditions, "index.order.many", many(conditions), true)?;
    let mut few = Items::new(conditions, "index.order.few", FEW, true)?;
    for items in [&many, &few] {
        items.check(PAGES, 99, &mut (100..100 + PAGE as i64))?;
    }
    let (asked, of_few) = (many.requests(PAGES, PAGE)?, few.requests(PAGES, PAGE)?);
    let medians = measure::side_by_side(
        conditions.seconds,
        || many.ask(&asked, PAGE),
        || few.ask(&of_few, PAGE),
    )?;
    Ok(Row::new(milliseconds(medians.value, REQUESTS), Unit::Milliseconds)
        .beside(milliseconds(medians.reference, REQUESTS)))
}

/// The first rows of the order.
pub(super) fn first(conditions: &Conditions) -> Result<Row> {
    measure_one(conditions, "index.order.first", FIRST, PAGE, |items| {
        items.check(FIRST, 0, &mut (0..PAGE as i64))
    })
}

/// The greatest key.
pub(super) fn max(conditions: &Conditions) -> Result<Row> {
    measure_one(conditions, "index.order.max", GREATEST, 1, |items| {
        items.check(GREATEST, 0, &mut std::iter::once(items.count as i64 - 1))
    })
}

/// A range of keys, in order.
pub(super) fn range(conditions: &Conditions) -> Result<Row> {
    measure_one(conditions, "index.order.range", BETWEEN, RANGE, |items| {
        items.check(BETWEEN, 50, &mut (50..50 + RANGE as i64))
    })
}

fn measure_one(
    conditions: &Conditions,
    name: &str,
    text: &str,
    rows: u64,
    check: impl Fn(&Items) -> Result<()>,
) -> Result<Row> {
    let mut items = Items::new(conditions, name, many(conditions), true)?;
    check(&items)?;
    let requests = items.requests(text, rows)?;
    let seconds = measure::median_of(conditions.seconds, || items.ask(&requests, rows))?;
    Ok(Row::new(milliseconds(seconds, REQUESTS), Unit::Milliseconds))
}

/// Items merged by a key that has a hash and an order; the reference has the hash alone.
pub(super) fn merge(conditions: &Conditions) -> Result<Row> {
    let count = many(conditions);
    let mut ordered = Items::new(conditions, "index.merge.ordered", count, true)?;
    let mut hashed = Items::new(conditions, "index.merge.hashed", count, false)?;
    let (mut of_ordered, mut of_hashed) = (merges(count), merges(count));
    let medians = measure::side_by_side(
        conditions.seconds,
        || of_ordered(&mut ordered),
        || of_hashed(&mut hashed),
    )?;
    for items in [&ordered, &hashed] {
        let twice = "MATCH (i:Item) WITH i.k AS k, count(*) AS count WHERE count > 1 RETURN k";
        if !items.graph.records(twice, &[])?.is_empty() {
            return Err(wrong("a key is there twice"));
        }
    }
    Ok(Row::new(medians.value * 1e3, Unit::Milliseconds).beside(medians.reference * 1e3))
}

/// Requests that merge, in turn, a key that is there and one that is new.
fn merges(first: u64) -> impl FnMut(&mut Items) -> Result<()> {
    let mut next = first;
    move |items| {
        let keys = (0..MERGED).map(|number| {
            let known = items.random.below(items.count);
            let key = if number % 2 == 0 { known } else { next };
            next += number % 2;
            Value::I64(key as i64)
        });
        let keys = Value::list(keys.collect());
        let request = request(MERGES, vec![("keys".into(), keys)])?;
        items.ask(&[request], 0)
    }
}

fn wrong(what: &str) -> Error {
    Error::new(ErrorKind::Bug, format!("these are not the items that were created: {what}"))
}
