//! The suite of Dgraph's own query tests, `suites/dql/vectors.json` of the shared folder: its steps in their order, and what
//! an answer is compared with. A server is what runs a step: one in the process, or one behind an address.
//!
//! Arrays are compared in order and numbers by value; paths of one weight as a set, uids above those of the data as any
//! uid, and times of the writing as any time. Steps that wait for another transaction are left out, as steps run one after
//! another.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

/// Uids that the data names are up to here: a server has to have given them before.
pub const UIDS: u64 = 65_536;

/// Queries with another answer here, by each protocol; they may only become fewer.
pub const MISSES_MAX: usize = 3;

/// A step of the suite.
pub struct Step(Value);

impl Step {
    /// What it is: `alter`, `mutate` or `query`.
    pub fn kind(&self) -> &str {
        self.text("op")
    }

    /// A member that is a text; empty where there is none.
    pub fn text(&self, name: &str) -> &str {
        text(&self.0, name)
    }

    /// Whether a member is true.
    pub fn is(&self, name: &str) -> bool {
        self.0[name] == true
    }

    /// Its mutations, each with `set_nquads`, `del_nquads`, `set_json`, `delete_json` and `cond`.
    pub fn mutations(&self) -> impl Iterator<Item = &Value> {
        self.0["mutations"].as_array().into_iter().flatten()
    }

    /// The values of the query's variables.
    pub fn variables(&self) -> impl Iterator<Item = (&str, &str)> {
        let members = self.0["vars"].as_object().into_iter().flatten();
        members.map(|(name, value)| (name.as_str(), value.as_str().unwrap_or_default()))
    }

    fn has_answer(&self, answer: &Result<String, String>) -> bool {
        let is_query = self.kind() == "query";
        match (answer, self.text("expect_error").is_empty(), is_query) {
            (Err(_), is_expected, _) => !is_expected,
            (Ok(_), false, _) => false,
            (Ok(_), true, false) => true,
            (Ok(answer), true, true) => match serde_json::from_str::<Value>(answer) {
                Ok(found) if self.is("rdf") => {
                    lines(found.as_str().unwrap_or_default()) == lines(self.text("expect_rdf"))
                }
                Ok(found) => comparable(&found) == comparable(&self.0["expect"]),
                Err(_) => false,
            },
        }
    }
}

/// A member of an object that is a text; empty where there is none.
pub fn text<'v>(object: &'v Value, name: &str) -> &'v str {
    object[name].as_str().unwrap_or_default()
}

/// What became of the suite.
#[derive(Debug, Default)]
pub struct Replayed {
    /// Queries with the answer of the suite.
    pub passed: usize,
    /// Steps that did not succeed, with what was answered.
    pub wrong_steps: Vec<String>,
    /// Queries with another answer.
    pub misses: Vec<String>,
    /// The beginnings of errors, with how often they came.
    pub errors: BTreeMap<String, usize>,
}

impl Replayed {
    /// All that was wrong, step by step.
    pub fn report(&self) -> String {
        format!("{}\n{}", self.wrong_steps.concat(), self.misses.concat())
    }

    /// A line about it.
    pub fn summary(&self) -> String {
        let (all, wrong) = (self.passed + self.misses.len(), self.wrong_steps.len());
        format!(
            "{} of {all} queries pass, {wrong} steps are wrong; {:#?}",
            self.passed, self.errors
        )
    }
}

/// Runs the steps of a suite, of which each gives the answer's `data` or an error.
pub fn replay(suite: &[u8], mut run: impl FnMut(&Step) -> Result<String, String>) -> Replayed {
    let steps: Vec<Value> = serde_json::from_slice(suite).expect("the suite is a list");
    let mut replayed = Replayed::default();
    for (number, step) in steps.into_iter().map(Step).enumerate() {
        if step.text("expect_error").to_lowercase().contains("aborted") {
            continue;
        }
        let answer = run(&step);
        let is_query = step.kind() == "query";
        if step.has_answer(&answer) {
            replayed.passed += usize::from(is_query);
            continue;
        }
        let found = match &answer {
            Ok(answer) => format!("answered {answer}"),
            Err(error) => {
                let begins = error.chars().take(60).collect();
                *replayed.errors.entry(begins).or_default() += 1;
                error.clone()
            }
        };
        let line = format!("#{number} {}\n    {found}\n", step.0);
        if is_query { &mut replayed.misses } else { &mut replayed.wrong_steps }.push(line);
    }
    replayed
}

fn lines(text: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = text.lines().collect();
    lines.sort_unstable();
    lines
}

/// A value without what a server is free to choose.
fn comparable(value: &Value) -> Value {
    match value {
        Value::Object(members) => {
            let compared = |(name, value): (&String, &Value)| (name.clone(), comparable(value));
            let mut members: Map<String, Value> = members.iter().map(compared).collect();
            if let Some(Value::Array(paths)) = members.get_mut("_path_") {
                paths.sort_by_key(|path| (path["_weight_"].to_string(), path.to_string()));
            }
            Value::Object(members)
        }
        Value::Array(values) => Value::Array(values.iter().map(comparable).collect()),
        Value::String(text) => {
            let uid = text.strip_prefix("0x").and_then(|hex| u64::from_str_radix(hex, 16).ok());
            match uid {
                Some(uid) if UIDS < uid => Value::from("0x*"),
                _ if is_of_now(text) => Value::from("now"),
                _ => value.clone(),
            }
        }
        Value::Number(number) => Value::from(number.as_f64().unwrap_or_default()),
        other => other.clone(),
    }
}

/// Whether a text is a time of this decade, from 2026 on: the suite's own times are older.
fn is_of_now(text: &str) -> bool {
    19 <= text.len()
        && text.starts_with("202")
        && text.as_bytes()[10] == b'T'
        && "6789".contains(&text[3..4])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_judged_by_their_kind_and_answers_by_value() {
        let suite = br#"[
            {"op": "alter", "schema": "a: int ."},
            {"op": "mutate", "mutations": [{"set_nquads": "x"}]},
            {"op": "query", "query": "1", "vars": {"$a": "7"}, "expect": {"q": [{"n": 1.0, "u": "0x20000"}]}},
            {"op": "query", "query": "2", "expect": {"q": []}},
            {"op": "query", "query": "3", "expect_error": "no"},
            {"op": "query", "query": "4", "rdf": true, "expect_rdf": "b\na"},
            {"op": "mutate", "mutations": [], "expect_error": "Transaction has been aborted"}
        ]"#;
        let mut seen = Vec::new();
        let replayed = replay(suite, |step| {
            seen.push(step.kind().to_owned());
            match (step.kind(), step.text("query")) {
                ("query", "1") => {
                    assert_eq!(step.variables().collect::<Vec<_>>(), [("$a", "7")]);
                    Ok(r#"{"q": [{"n": 1, "u": "0x30000"}]}"#.to_owned())
                }
                ("query", "2") => Ok(r#"{"q": [1]}"#.to_owned()),
                ("query", "4") => Ok("\"a\\nb\"".to_owned()),
                ("mutate", _) => {
                    assert_eq!(
                        step.mutations().map(|own| text(own, "set_nquads")).next(),
                        Some("x")
                    );
                    Err("it broke".to_owned())
                }
                ("alter", _) => Ok(String::new()),
                _ => Err("no".to_owned()),
            }
        });
        assert_eq!(seen, ["alter", "mutate", "query", "query", "query", "query"]);
        assert_eq!((replayed.passed, replayed.misses.len()), (3, 1), "{replayed:?}");
        assert!(replayed.wrong_steps[0].contains("it broke"), "{replayed:?}");
        assert!(replayed.summary().starts_with("3 of 4 queries pass, 1 steps are wrong"));
        assert!(replayed.report().contains("#3 "));
        assert!(is_of_now("2026-11-29T20:00:00Z") && !is_of_now("2024-11-29T20:00:00Z"));
    }
}
