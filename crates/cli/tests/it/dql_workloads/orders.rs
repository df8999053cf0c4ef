//! Orders of writes: all readers see those of different clients in one order (long fork), and those of one client in the
//! order in which it made them (sequential).

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use millrace_testkit::Rng;

use super::Workload;
use super::acknowledged::{Acknowledged, none_is_lost};
use super::client::{Client, rows};
use super::transport::Reached;

/// Nodes that are read together.
const GROUP: u64 = 3;

/// How far behind the newest is read.
const RECENT: u64 = 12;

/// So many of the last writes are looked for behind a kill.
const LOOKED_FOR: usize = 300;

fn uid(base: u64, number: u64) -> String {
    format!("{:#x}", base + number)
}

/// Which of some nodes have a value, one bit each.
fn seen(data: &serde_json::Value, base: u64, from: u64, count: u64) -> u64 {
    let is_there = |number: &u64| {
        let wanted = uid(base, from + number);
        rows(data, "q").iter().any(|row| row["uid"] == wanted)
    };
    (0..count).filter(is_there).map(|number| 1 << number).sum()
}

fn list(base: u64, from: u64, count: u64) -> String {
    (from..from + count).map(|number| uid(base, number)).collect::<Vec<_>>().join(", ")
}

/// Looks for the last of some nodes: each has its value.
fn check_last(
    acknowledged: &Acknowledged<u64>,
    client: &Client<'_>,
    (base, predicate): (u64, &str),
    when: &str,
) -> Reached<()> {
    let last = acknowledged.last(LOOKED_FOR);
    if last.is_empty() {
        return Ok(());
    }
    let uids: Vec<String> = last.iter().map(|number| uid(base, *number)).collect();
    let text =
        format!("{{ q(func: uid({})) @filter(has({predicate})) {{ uid }} }}", uids.join(", "));
    let data = client.query(&text)?;
    let found: BTreeSet<&str> =
        rows(&data, "q").iter().filter_map(|row| row["uid"].as_str()).collect();
    none_is_lost(&uids, |own| found.contains(own.as_str()), when);
    Ok(())
}

const FORK: u64 = 0x30_0000;

/// Writes of different nodes, which no two readers see in different orders.
#[derive(Default)]
pub(super) struct LongFork {
    next: AtomicU64,
    acknowledged: Acknowledged<u64>,
    /// What readers saw of each group.
    seen: Mutex<BTreeMap<u64, Vec<u64>>>,
}

impl Workload for LongFork {
    fn name(&self) -> &'static str {
        "long fork"
    }

    fn schema(&self) -> &'static str {
        "fork.value: int ."
    }

    fn step(&self, client: &Client<'_>, rng: &mut Rng) -> Reached<()> {
        let next = self.next.load(Ordering::SeqCst);
        if rng.chance(0.4) {
            let number = self.next.fetch_add(1, Ordering::SeqCst);
            client.set(&format!("<{}> <fork.value> \"1\" .", uid(FORK, number)))?;
            self.acknowledged.insert(number);
            return Ok(());
        }
        let group = (next / GROUP).saturating_sub(rng.below(2));
        let uids = list(FORK, group * GROUP, GROUP);
        let text = format!("{{ q(func: uid({uids})) @filter(has(fork.value)) {{ uid }} }}");
        let mut transaction = client.begin();
        let own = seen(&transaction.query(&text)?, FORK, group * GROUP, GROUP);
        let again = seen(&transaction.query(&text)?, FORK, group * GROUP, GROUP);
        assert_eq!(own, again, "a snapshot changed");
        let mut all = self.seen.lock().expect("no client panicked");
        let others = all.entry(group).or_default();
        if !others.contains(&own) {
            let fork = others.iter().find(|other| own & **other != own && own & **other != **other);
            assert!(fork.is_none(), "one saw {own:b} of group {group}, another {fork:?}");
            others.push(own);
        }
        Ok(())
    }

    fn check(&self, client: &Client<'_>, when: &str) -> Reached<()> {
        check_last(&self.acknowledged, client, (FORK, "fork.value"), when)
    }

    fn report(&self) -> String {
        let seen = self.seen.lock().expect("no client panicked");
        let partly = seen.values().filter(|own| 2 < own.len()).count();
        format!("{} acknowledged, {partly} groups seen on the way", self.acknowledged.len())
    }
}

const SEQUENCE: u64 = 0x50_0000;

/// A client writes one node, then the next: no reader that sees the second misses the first behind it.
#[derive(Default)]
pub(super) struct Sequential {
    next: AtomicU64,
    acknowledged: Acknowledged<u64>,
    both: AtomicU64,
}

impl Workload for Sequential {
    fn name(&self) -> &'static str {
        "sequential"
    }

    fn schema(&self) -> &'static str {
        "seq.value: int @index(int) ."
    }

    fn step(&self, client: &Client<'_>, rng: &mut Rng) -> Reached<()> {
        if rng.chance(0.5) {
            let first = 2 * self.next.fetch_add(1, Ordering::SeqCst);
            for number in [first, first + 1] {
                client.set(&format!("<{}> <seq.value> \"1\" .", uid(SEQUENCE, number)))?;
                self.acknowledged.insert(number);
                let own = uid(SEQUENCE, number);
                let text = format!("{{ q(func: uid({own})) @filter(has(seq.value)) {{ uid }} }}");
                let data = client.query(&text)?;
                assert_eq!(rows(&data, "q").len(), 1, "a client misses its own {number}");
            }
            return Ok(());
        }
        let newest = self.next.load(Ordering::SeqCst);
        let first = 2 * newest.saturating_sub(rng.below(RECENT));
        let mut is_seen = [false; 2];
        // The second before the first, in snapshots of their own.
        for place in [1, 0] {
            let own = uid(SEQUENCE, first + place);
            let text = format!("{{ q(func: uid({own})) @filter(has(seq.value)) {{ uid }} }}");
            is_seen[place as usize] = !rows(&client.query(&text)?, "q").is_empty();
        }
        assert!(is_seen[0] || !is_seen[1], "the second of {first} without the first");
        self.both.fetch_add(u64::from(is_seen[1]), Ordering::Relaxed);
        Ok(())
    }

    fn check(&self, client: &Client<'_>, when: &str) -> Reached<()> {
        check_last(&self.acknowledged, client, (SEQUENCE, "seq.value"), when)
    }

    fn report(&self) -> String {
        let both = self.both.load(Ordering::Relaxed);
        format!("{} acknowledged, {both} pairs seen", self.acknowledged.len())
    }
}
