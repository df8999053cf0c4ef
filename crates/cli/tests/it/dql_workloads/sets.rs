//! Numbers that are added once each: as nodes, and to lists.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

use millrace_testkit::Rng;
use serde_json::Value as Json;

use super::Workload;
use super::acknowledged::{Acknowledged, none_is_lost};
use super::client::{Client, rows};
use super::transport::Reached;

/// Values of one list: a longer one is written as a whole too often.
const LIST_VALUES: u64 = 200;

/// What is acknowledged is there, each once, and nothing else that was not tried.
#[derive(Default)]
pub(super) struct Sets {
    next: AtomicU64,
    acknowledged: Acknowledged<u64>,
}

impl Workload for Sets {
    fn name(&self) -> &'static str {
        "set"
    }

    fn schema(&self) -> &'static str {
        "set.item: int @index(int) .\nset.values: [int] ."
    }

    fn step(&self, client: &Client<'_>, rng: &mut Rng) -> Reached<()> {
        let number = self.next.fetch_add(1, Ordering::SeqCst);
        let quad = match number % 2 {
            0 => format!("_:n <set.item> \"{number}\" ."),
            _ => format!("<{:#x}> <set.values> \"{number}\" .", 0x20000 + number / LIST_VALUES),
        };
        if rng.chance(0.5) {
            client.set(&quad)?;
        } else {
            let mut transaction = client.begin();
            transaction.set(&quad)?;
            transaction.commit()?;
        }
        self.acknowledged.insert(number);
        Ok(())
    }

    fn check(&self, client: &Client<'_>, when: &str) -> Reached<()> {
        let acknowledged = self.acknowledged.so_far();
        let data = client.query(
            "{ q(func: has(set.item)) { set.item } l(func: has(set.values)) { set.values } \
             r(func: ge(set.item, 0)) { set.item } }",
        )?;
        assert_eq!(
            data["q"].as_array().map(Vec::len),
            data["r"].as_array().map(Vec::len),
            "{when}"
        );
        let tried = self.next.load(Ordering::SeqCst);
        let items = rows(&data, "q").iter().map(|row| &row["set.item"]);
        let lists = rows(&data, "l").iter().filter_map(|row| row["set.values"].as_array());
        let mut found: BTreeMap<u64, u64> = BTreeMap::new();
        for value in items.chain(lists.flatten()) {
            *found.entry(Json::as_u64(value).expect("a number")).or_default() += 1;
        }
        none_is_lost(&acknowledged, |own| found.contains_key(own), when);
        let wrong: Vec<_> =
            found.iter().filter(|(own, times)| **times != 1 || tried <= **own).collect();
        assert!(wrong.is_empty(), "{when}: there more than once, or never added: {wrong:?}");
        Ok(())
    }

    fn report(&self) -> String {
        let acknowledged = self.acknowledged.len();
        format!("{acknowledged} acknowledged of {}", self.next.load(Ordering::SeqCst))
    }
}
