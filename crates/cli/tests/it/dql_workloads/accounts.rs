//! Numbers that clients read and write back: accounts with a sum that stays (bank), and one counter (register).

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

use millrace_testkit::Rng;
use serde_json::Value as Json;

use super::Workload;
use super::acknowledged::Acknowledged;
use super::client::{Client, rows};
use super::transport::{Failed, Reached, Request};

const ACCOUNTS: u64 = 8;
const BALANCE: i64 = 100;

/// Money moves between accounts: each snapshot has all of it.
pub(super) struct Bank;

fn account(number: u64) -> String {
    format!("{:#x}", 0x100 + number)
}

fn sum_is_whole(data: &Json, seen: &str) {
    let balances: Vec<i64> =
        rows(data, "q").iter().filter_map(|row| row["bank.balance"].as_i64()).collect();
    let sum: i64 = balances.iter().sum();
    assert_eq!((balances.len() as u64, sum), (ACCOUNTS, ACCOUNTS as i64 * BALANCE), "{seen}");
    assert!(balances.iter().all(|own| 0 <= *own), "{seen}: {balances:?}");
}

impl Workload for Bank {
    fn name(&self) -> &'static str {
        "bank"
    }

    fn schema(&self) -> &'static str {
        "bank.balance: int @index(int) ."
    }

    fn quads(&self) -> String {
        let quad = |number| format!("<{}> <bank.balance> \"{BALANCE}\" .\n", account(number));
        (0..ACCOUNTS).map(quad).collect()
    }

    fn step(&self, client: &Client<'_>, rng: &mut Rng) -> Reached<()> {
        let from = rng.below(ACCOUNTS);
        let to = (from + 1 + rng.below(ACCOUNTS - 1)) % ACCOUNTS;
        let (from, to) = (account(from), account(to));
        let amount = 1 + rng.below(20) as i64;
        match rng.below(4) {
            0 => self.check(client, "among transfers"),
            1 => {
                let query = format!(
                    "{{ f as var(func: uid({from})) @filter(ge(bank.balance, {amount})) \
                     {{ x as bank.balance y as math(x - {amount}) }} \
                     t as var(func: uid({to})) {{ z as bank.balance w as math(z + {amount}) }} }}"
                );
                let transfer = Request {
                    query: &query,
                    condition: "@if(eq(len(f), 1))",
                    set: "uid(f) <bank.balance> val(y) .\nuid(t) <bank.balance> val(w) .",
                    ..Request::default()
                };
                client.upsert(transfer).map(drop)
            }
            _ => {
                let mut transaction = client.begin();
                let both = format!("{{ q(func: uid({from}, {to})) {{ uid bank.balance }} }}");
                let data = transaction.query(&both)?;
                let balance = |uid: &str| {
                    let row = rows(&data, "q").iter().find(|row| row["uid"] == uid);
                    row.and_then(|row| row["bank.balance"].as_i64()).expect("it has a balance")
                };
                let (one, other) = (balance(&from) - amount, balance(&to) + amount);
                if one < 0 {
                    return Ok(());
                }
                transaction.set(&format!("<{from}> <bank.balance> \"{one}\" ."))?;
                transaction.set(&format!("<{to}> <bank.balance> \"{other}\" ."))?;
                sum_is_whole(
                    &transaction.query("{ q(func: has(bank.balance)) { bank.balance } }")?,
                    "with writes of its own",
                );
                transaction.commit()
            }
        }
    }

    fn check(&self, client: &Client<'_>, when: &str) -> Reached<()> {
        for root in ["has(bank.balance)", "ge(bank.balance, 0)"] {
            let data = client.query(&format!("{{ q(func: {root}) {{ bank.balance }} }}"))?;
            sum_is_whole(&data, when);
        }
        Ok(())
    }

    fn report(&self) -> String {
        "the sum stayed".to_owned()
    }
}

const COUNTER: &str = "0x401";

/// A counter that all raise: no value is given twice, and time does not run backwards.
#[derive(Default)]
pub(super) struct Register {
    raised: Acknowledged<i64>,
    /// The greatest value that some client has seen.
    seen: AtomicI64,
    unknown: AtomicU64,
}

impl Register {
    fn value(data: &Json) -> i64 {
        rows(data, "q")[0]["reg.value"].as_i64().expect("the counter has a value")
    }

    /// A value that was read behind the moment at which `floor` had been seen.
    fn note(&self, value: i64, floor: i64, when: &str) {
        assert!(floor <= value, "{when}: {value} was read behind {floor}");
        self.seen.fetch_max(value, Ordering::SeqCst);
    }

    fn raise(&self, client: &Client<'_>, rng: &mut Rng) -> Reached<i64> {
        if rng.chance(0.5) {
            let query =
                format!("{{ q(func: uid({COUNTER})) {{ v as reg.value n as math(v + 1) }} }}");
            let set = "uid(n) <reg.value> val(n) .";
            let raise = Request { query: &query, set, ..Request::default() };
            return Ok(Register::value(&client.upsert(raise)?) + 1);
        }
        let mut transaction = client.begin();
        let text = format!("{{ q(func: uid({COUNTER})) {{ reg.value }} }}");
        let next = Register::value(&transaction.query(&text)?) + 1;
        transaction.set(&format!("<{COUNTER}> <reg.value> \"{next}\" ."))?;
        transaction.commit()?;
        Ok(next)
    }
}

impl Workload for Register {
    fn name(&self) -> &'static str {
        "register"
    }

    fn schema(&self) -> &'static str {
        "reg.value: int ."
    }

    fn quads(&self) -> String {
        format!("<{COUNTER}> <reg.value> \"0\" .")
    }

    fn step(&self, client: &Client<'_>, rng: &mut Rng) -> Reached<()> {
        if rng.chance(0.3) {
            return self.check(client, "among others");
        }
        let floor = self.seen.load(Ordering::SeqCst);
        match self.raise(client, rng) {
            Ok(value) => {
                let is_new = self.raised.insert(value);
                assert!(is_new, "{value} was acknowledged twice");
                self.note(value, floor + 1, "an acknowledged value");
                Ok(())
            }
            Err(failed) => {
                self.unknown.fetch_add(u64::from(failed == Failed::Gone), Ordering::SeqCst);
                Err(failed)
            }
        }
    }

    fn check(&self, client: &Client<'_>, when: &str) -> Reached<()> {
        let floor = self.seen.load(Ordering::SeqCst);
        let data = client.query(&format!("{{ q(func: uid({COUNTER})) {{ reg.value }} }}"))?;
        self.note(Register::value(&data), floor, when);
        if when == "at the end" {
            let raised = self.raised.len() as u64;
            let value = Register::value(&data) as u64;
            let most = raised + self.unknown.load(Ordering::SeqCst);
            assert!((raised..=most).contains(&value), "{value} of {raised} to {most}");
        }
        Ok(())
    }

    fn report(&self) -> String {
        let raised = self.raised.len();
        format!("{raised} acknowledged, {} unknown", self.unknown.load(Ordering::SeqCst))
    }
}
