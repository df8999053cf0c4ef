//! Records by a key: each is made once (upsert), and is there whole or not at all (delete).

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

use millrace_testkit::Rng;

use super::Workload;
use super::acknowledged::{Acknowledged, none_is_lost};
use super::client::{Client, rows};
use super::transport::{Reached, Request};

/// So many clients, one after the other, want the same key.
const TRIES_OF_A_KEY: u64 = 3;

/// Many want to make the same record, and one makes it.
#[derive(Default)]
pub(super) struct Upserts {
    next: AtomicU64,
    acknowledged: Acknowledged<String>,
}

impl Workload for Upserts {
    fn name(&self) -> &'static str {
        "upsert"
    }

    fn schema(&self) -> &'static str {
        "up.email: string @index(hash) @upsert ."
    }

    fn step(&self, client: &Client<'_>, rng: &mut Rng) -> Reached<()> {
        let key = format!("e{}", self.next.fetch_add(1, Ordering::SeqCst) / TRIES_OF_A_KEY);
        let quad = format!("_:n <up.email> \"{key}\" .");
        if rng.chance(0.5) {
            client.upsert(Request {
                query: &format!("{{ v as var(func: eq(up.email, \"{key}\")) }}"),
                condition: "@if(eq(len(v), 0))",
                set: &quad,
                ..Request::default()
            })?;
        } else {
            let mut transaction = client.begin();
            let text = format!("{{ q(func: eq(up.email, \"{key}\")) {{ uid }} }}");
            if rows(&transaction.query(&text)?, "q").is_empty() {
                transaction.set(&quad)?;
                transaction.commit()?;
            }
        }
        self.acknowledged.insert(key);
        Ok(())
    }

    fn check(&self, client: &Client<'_>, when: &str) -> Reached<()> {
        let acknowledged = self.acknowledged.so_far();
        let data = client.query("{ q(func: has(up.email)) { up.email } }")?;
        let mut found: BTreeMap<&str, u64> = BTreeMap::new();
        for row in rows(&data, "q") {
            *found.entry(row["up.email"].as_str().expect("a text")).or_default() += 1;
        }
        let twice: Vec<_> = found.iter().filter(|(_, times)| **times != 1).collect();
        assert!(twice.is_empty(), "{when}: made more than once: {twice:?}");
        none_is_lost(&acknowledged, |own| found.contains_key(own.as_str()), when);
        Ok(())
    }

    fn report(&self) -> String {
        format!("{} keys", self.acknowledged.len())
    }
}

const KEYS: u64 = 6;

/// Records of few keys come and go.
#[derive(Default)]
pub(super) struct Deletes {
    made: AtomicU64,
    deleted: AtomicU64,
}

impl Workload for Deletes {
    fn name(&self) -> &'static str {
        "delete"
    }

    fn schema(&self) -> &'static str {
        "del.key: string @index(exact) @upsert .\ndel.value: int @index(int) ."
    }

    fn step(&self, client: &Client<'_>, rng: &mut Rng) -> Reached<()> {
        let key = format!("d{}", rng.below(KEYS));
        let query = &format!("{{ v as var(func: eq(del.key, \"{key}\")) }}");
        match rng.below(5) {
            0 | 1 => {
                client.upsert(Request {
                    query,
                    condition: "@if(eq(len(v), 0))",
                    set: &format!("_:n <del.key> \"{key}\" .\n_:n <del.value> \"1\" ."),
                    ..Request::default()
                })?;
                self.made.fetch_add(1, Ordering::Relaxed);
                Ok(())
            }
            2 | 3 => {
                let delete = "uid(v) <del.key> * .\nuid(v) <del.value> * .";
                client.upsert(Request { query, delete, ..Request::default() })?;
                self.deleted.fetch_add(1, Ordering::Relaxed);
                Ok(())
            }
            _ => self.check(client, "among others"),
        }
    }

    fn check(&self, client: &Client<'_>, when: &str) -> Reached<()> {
        let fields = "{ uid del.key del.value }";
        for key in 0..KEYS {
            let text = format!("{{ q(func: eq(del.key, \"d{key}\")) {fields} }}");
            let data = client.query(&text)?;
            let found = rows(&data, "q");
            assert!(found.len() <= 1, "{when}: a key twice: {data}");
            for row in found {
                let is_whole = row["del.key"] == format!("d{key}") && row["del.value"] == 1;
                assert!(is_whole, "{when}: half a record: {data}");
            }
        }
        let data = client.query(&format!(
            "{{ a(func: has(del.key)) {fields} b(func: has(del.value)) {fields} \
             c(func: eq(del.value, 1)) {fields} d(func: ge(del.key, \"\")) {fields} }}"
        ))?;
        for other in ["b", "c", "d"] {
            assert_eq!(data["a"], data[other], "{when}: {other}");
        }
        Ok(())
    }

    fn report(&self) -> String {
        let (made, deleted) = (&self.made, &self.deleted);
        format!(
            "{} made, {} deleted",
            made.load(Ordering::Relaxed),
            deleted.load(Ordering::Relaxed)
        )
    }
}
