//! Settings that contradict each other: a value that was set and cannot come into force because of another.
//!
//! ```text
//!   wanted ──over──> bound      refused if `wanted` was set: both are named, and the value of each that would do
//! ```
//!
//! A default that is over a bound is no contradiction: it is bounded, as an operator who lowers the bound expects.

use millrace_model::{Error, ErrorKind};

use super::Setting;
use super::layers::Resolved;
use super::measures::Measure;
use crate::limits::BODIES_MEMORY_SHARE;

/// What has to be so for a pair to be a contradiction, besides the numbers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum When {
    /// The wanted value was set.
    WantedIsSet,
    /// Both were: a default of the bound is no wish.
    BothAreSet,
}

/// A setting that another one bounds.
struct Pair {
    wanted: &'static str,
    bound: &'static str,
    when: When,
    why: &'static str,
}

const fn pair(wanted: &'static str, bound: &'static str, when: When, why: &'static str) -> Pair {
    Pair { wanted, bound, when, why }
}

const MEMORY: &str = "memory.max";
const BODIES: &str = "connections.bodies-bytes-max";
const DEADLINE: &str = "query.deadline-max";
const SLOW: &str = "log.slow-ms";

/// Every pair whose values can be compared as they are. A bound of 0 is none: it is found by the machine.
const PAIRS: [Pair; 16] = [
    pair(BODIES, MEMORY, When::WantedIsSet, "bodies are in the memory of all requests"),
    pair("bolt.message-bytes-max", BODIES, When::WantedIsSet, "no such message could arrive"),
    pair(
        "bolt.transaction-idle-ms",
        "bolt.idle-ms",
        When::BothAreSet,
        "a connection of Bolt ends with its transaction before that",
    ),
    pair("cypher.deadline-ms", DEADLINE, When::BothAreSet, "no query may ask for so long"),
    pair("dql.deadline-ms", DEADLINE, When::BothAreSet, "no request may ask for so long"),
    pair(
        "dql.access-token-ms",
        "dql.refresh-token-ms",
        When::BothAreSet,
        "a login could not be renewed as long as it is good",
    ),
    pair("dql.message-bytes-max", BODIES, When::WantedIsSet, "no such message could arrive"),
    pair("gremlin.deadline-ms", DEADLINE, When::BothAreSet, "no request may ask for so long"),
    pair("gremlin.message-bytes-max", BODIES, When::WantedIsSet, "no such message could arrive"),
    pair("http.body-bytes-max", BODIES, When::WantedIsSet, "no such body could arrive"),
    pair("query.bytes-max", MEMORY, When::WantedIsSet, "no query could hold so much"),
    pair("scripts.admin-deadline-ms", DEADLINE, When::BothAreSet, "no script may ask for so long"),
    pair("scripts.answer-bytes-max", MEMORY, When::WantedIsSet, "no answer could be so large"),
    pair("scripts.deadline-ms", DEADLINE, When::BothAreSet, "no script may ask for so long"),
    pair(
        "scripts.interpreter-bytes-max",
        MEMORY,
        When::WantedIsSet,
        "no interpreter could hold so much",
    ),
    pair(
        "connections.login-ms",
        "connections.socket-idle-ms",
        When::BothAreSet,
        "a WebSocket that waits for its client ends before that",
    ),
];

/// The settings that bound how long any query takes; of those that are equal, the last is named.
const DEADLINES: [&str; 6] = [
    "cypher.deadline-ms",
    "dql.deadline-ms",
    "gremlin.deadline-ms",
    "scripts.admin-deadline-ms",
    "scripts.deadline-ms",
    DEADLINE,
];

/// The contradictions of settings. A value that is wrong by itself is in none.
pub fn contradictions(resolved: &Resolved) -> Vec<Error> {
    let compared = PAIRS.iter().filter_map(|pair| compared(resolved, pair));
    compared.chain(shares(resolved)).chain(never_slow(resolved)).collect()
}

fn compared(resolved: &Resolved, pair: &Pair) -> Option<Error> {
    let Pair { wanted, bound, when, why } = *pair;
    resolved.origin_if_set(wanted)?;
    if when == When::BothAreSet {
        resolved.origin_if_set(bound)?;
    }
    let (value, most) = (value(resolved, wanted)?, value(resolved, bound)?);
    if most == 0 || value <= most {
        return None;
    }
    let measure = Setting::find(wanted)?.kind.measure()?;
    Some(contradiction(
        (wanted, value),
        &format!("{bound} is {}", shown(measure, most)),
        why,
        &format!(
            "set {wanted} to {} at most, or {bound} to {}",
            shown(measure, most),
            shown(measure, value)
        ),
    ))
}

/// Bodies and messages that do not fit in the share of memory that bodies have by default.
fn shares(resolved: &Resolved) -> impl Iterator<Item = Error> + '_ {
    let memory = value(resolved, MEMORY).filter(|memory| *memory != 0);
    let has_share = value(resolved, BODIES) == Some(0);
    let bodies = PAIRS.iter().filter(|pair| pair.bound == BODIES);
    bodies.filter_map(move |Pair { wanted, why, .. }| {
        let memory = memory.filter(|_| has_share)?;
        resolved.origin_if_set(wanted)?;
        let (value, most) = (value(resolved, wanted)?, memory / BODIES_MEMORY_SHARE);
        (most < value).then(|| {
            let least = value.saturating_mul(BODIES_MEMORY_SHARE);
            let measure = Measure::Bytes;
            contradiction(
                (wanted, value),
                &format!(
                    "{MEMORY} is {}, of which bodies have a sixteenth, {}",
                    shown(measure, memory),
                    shown(measure, most)
                ),
                why,
                &format!(
                    "set {wanted} to {} at most, {BODIES} to {}, or {MEMORY} to {}",
                    shown(measure, most),
                    shown(measure, value),
                    shown(measure, least)
                ),
            )
        })
    })
}

/// A time from which queries are logged that no query reaches.
fn never_slow(resolved: &Resolved) -> Option<Error> {
    resolved.origin_if_set(SLOW)?;
    let slow = resolved.settings.log.slow_ms?;
    let deadlines = DEADLINES.iter().filter_map(|name| Some((value(resolved, name)?, *name)));
    let (most, name) = deadlines.max_by_key(|(most, _)| *most)?;
    (most < slow).then(|| {
        let measure = Measure::Millis;
        contradiction(
            (SLOW, slow),
            &format!("the longest deadline is {name}, {}", shown(measure, most)),
            "no query takes so long",
            &format!("set {SLOW} below {}", shown(measure, most)),
        )
    })
}

fn contradiction((wanted, value): (&str, u64), bound: &str, why: &str, help: &str) -> Error {
    let measure = Setting::find(wanted).and_then(|setting| setting.kind.measure());
    let value = measure.map_or_else(|| value.to_string(), |measure| shown(measure, value));
    let detail = format!("{wanted} is {value}, and {bound}: {why}");
    Error::new(ErrorKind::BadInput, detail).with_help(help)
}

/// The value of a setting, if it is the one that was meant.
fn value(resolved: &Resolved, name: &str) -> Option<u64> {
    let setting = Setting::find(name).filter(|_| resolved.is_meant(name))?;
    setting.show(&resolved.settings).parse().ok()
}

/// A number for a reader.
fn shown(measure: Measure, number: u64) -> String {
    format!("{number} ({})", measure.readable(number))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::{Layer, Origin, resolve};

    /// The contradictions of these settings, as texts.
    fn of(set: &[(&str, &str)]) -> Vec<String> {
        let own = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        let origin = Origin::File("millrace.toml".into());
        let layer = Layer { origin, entries: set.iter().map(own).collect() };
        contradictions(&resolve(&[layer], &[])).iter().map(Error::to_string).collect()
    }

    #[test]
    fn every_pair_is_of_one_measure() {
        for Pair { wanted, bound, .. } in PAIRS {
            let measure = |name| Setting::find(name).expect(name).kind.measure().expect(name);
            assert_eq!(measure(wanted), measure(bound), "{wanted}, {bound}");
        }
        assert!(DEADLINES.iter().all(|name| Setting::find(name).is_some()));
    }

    #[test]
    fn two_settings_that_contradict_each_other_are_named_with_values_that_would_do() {
        let found = of(&[("query.bytes-max", "8GB"), ("memory.max", "4GB")]);
        assert_eq!(
            found,
            [
                "query.bytes-max is 8589934592 (8 GiB), and memory.max is 4294967296 (4 GiB): no query could hold so \
              much (set query.bytes-max to 4294967296 (4 GiB) at most, or memory.max to 8589934592 (8 GiB))"
            ]
        );
        for (set, words) in [
            (
                vec![("log.slow-ms", "1h")],
                "the longest deadline is query.deadline-max, 600000 (10 min)",
            ),
            (
                vec![("query.deadline-max", "10s"), ("gremlin.deadline-ms", "30s")],
                "set gremlin.deadline-ms to 10000 (10 s) at most",
            ),
            (
                vec![("http.body-bytes-max", "64MB"), ("memory.max", "512MB")],
                "or memory.max to 1073741824 (1 GiB)",
            ),
            (
                vec![("bolt.message-bytes-max", "64MB"), ("connections.bodies-bytes-max", "32MB")],
                "no such message could arrive",
            ),
            (
                vec![("bolt.idle-ms", "1m"), ("bolt.transaction-idle-ms", "5m")],
                "bolt.idle-ms is 60000",
            ),
            (
                vec![("scripts.interpreter-bytes-max", "1GB"), ("memory.max", "512MB")],
                "no interpreter could hold so much",
            ),
        ] {
            let found = of(&set);
            assert!(found.len() == 1 && found[0].contains(words), "{set:?}: {found:?}");
        }
    }

    /// Shape: a smaller server is made by lowering one bound, and the defaults stay as they are.
    #[test]
    fn a_default_over_a_bound_is_no_contradiction() {
        for set in [
            vec![],
            vec![("memory.max", "64MB")],
            vec![("query.deadline-max", "1s")],
            vec![("gremlin.deadline-ms", "1h")],
            vec![("connections.bodies-bytes-max", "1MB")],
            vec![("log.slow-ms", "10min"), ("query.bytes-max", "1TB")],
            vec![("log.slow-ms", "off")],
            vec![("query.bytes-max", "8GB"), ("memory.max", "4XB")],
        ] {
            assert_eq!(of(&set), [""; 0], "{set:?}");
        }
    }
}
