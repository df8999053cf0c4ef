//! Write skew: two transactions read the same, and each writes what the other one did not. Snapshots allow it, a
//! serializable graph does not.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

use millrace_testkit::Rng;

use super::Workload;
use super::client::{Client, rows};
use super::transport::Reached;

/// So many clients, one after the other, want the same pair.
const TRIES_OF_A_PAIR: u64 = 4;

const PAIRS: u64 = 0x60_0000;

/// Each pair has one at most: two nodes that are read by uid, or by a value that an index finds.
pub(super) struct Skew {
    is_serializable: bool,
    next: AtomicU64,
    both: AtomicU64,
}

impl Skew {
    pub(super) fn new(is_serializable: bool) -> Skew {
        Skew { is_serializable, next: AtomicU64::new(0), both: AtomicU64::new(0) }
    }
}

impl Workload for Skew {
    fn name(&self) -> &'static str {
        "write skew"
    }

    fn schema(&self) -> &'static str {
        "skew.on: int .\nskew.pair: int @index(int) ."
    }

    fn step(&self, client: &Client<'_>, rng: &mut Rng) -> Reached<()> {
        let pair = self.next.fetch_add(1, Ordering::SeqCst) / TRIES_OF_A_PAIR;
        let [one, other] = [0, 1].map(|place| format!("{:#x}", PAIRS + 2 * pair + place));
        let is_by_uid = pair.is_multiple_of(2);
        let text = match is_by_uid {
            true => format!("{{ q(func: uid({one}, {other})) @filter(has(skew.on)) {{ uid }} }}"),
            false => format!("{{ q(func: eq(skew.pair, {pair})) {{ uid }} }}"),
        };
        let mut transaction = client.begin();
        if rows(&transaction.query(&text)?, "q").is_empty() {
            let own = if rng.chance(0.5) { one } else { other };
            let predicate = if is_by_uid { "skew.on" } else { "skew.pair" };
            transaction.set(&format!("<{own}> <{predicate}> \"{pair}\" ."))?;
            transaction.commit()?;
        }
        Ok(())
    }

    fn check(&self, client: &Client<'_>, when: &str) -> Reached<()> {
        let data = client.query(
            "{ q(func: has(skew.on)) { p: skew.on } r(func: has(skew.pair)) { p: skew.pair } }",
        )?;
        let mut found: BTreeMap<i64, u64> = BTreeMap::new();
        for row in rows(&data, "q").iter().chain(rows(&data, "r")) {
            *found.entry(row["p"].as_i64().expect("a number")).or_default() += 1;
        }
        let both: Vec<i64> =
            found.iter().filter(|(_, times)| 1 < **times).map(|(pair, _)| *pair).collect();
        assert!(both.is_empty() || !self.is_serializable, "{when}: both of {both:?}");
        self.both.store(both.len() as u64, Ordering::Relaxed);
        Ok(())
    }

    fn report(&self) -> String {
        let pairs = self.next.load(Ordering::SeqCst) / TRIES_OF_A_PAIR;
        format!("{pairs} pairs, both of {}", self.both.load(Ordering::Relaxed))
    }
}
