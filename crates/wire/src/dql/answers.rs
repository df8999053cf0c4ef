//! Answers as JSON: results first, then what belongs to the request.

use std::collections::BTreeMap;

use millrace_model::{Error, ErrorKind, Result};
use prost::bytes::Bytes;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::messages::{Jwt, Latency, TxnContext};
use crate::json::write_string;

/// The end of an operation that changes the schema.
pub(super) const SUCCESS: &str = "{\"code\":\"Success\",\"message\":\"Done\"}";

/// The answer to a change of the schema.
pub fn altered() -> String {
    format!("{{\"data\":{SUCCESS}}}")
}

/// Writes `"extensions":{…}`.
pub fn write_extensions(text: &mut String, latency: Option<&Latency>, txn: &TxnContext) {
    text.push_str("\"extensions\":{");
    if let Some(latency) = latency {
        text.push_str("\"server_latency\":");
        let Latency { parsing_ns, processing_ns, encoding_ns, assign_timestamp_ns, total_ns } =
            *latency;
        let numbers = [
            ("parsing_ns", parsing_ns),
            ("processing_ns", processing_ns),
            ("encoding_ns", encoding_ns),
            ("assign_timestamp_ns", assign_timestamp_ns),
            ("total_ns", total_ns),
        ];
        write_numbers(text, &numbers);
        text.push_str("},");
    }
    text.push_str("\"txn\":");
    write_context(text, txn);
    text.push('}');
}

/// Opens an object with those of the numbers that are not 0.
fn write_numbers(text: &mut String, numbers: &[(&str, u64)]) {
    text.push('{');
    let mut is_first = true;
    for (name, number) in numbers.iter().filter(|(_, number)| *number != 0) {
        if !std::mem::take(&mut is_first) {
            text.push(',');
        }
        text.push('"');
        text.push_str(name);
        text.push_str("\":");
        write_number(text, *number);
    }
}

fn write_number(text: &mut String, mut number: u64) {
    let mut digits = [0; 20];
    let mut from = digits.len();
    loop {
        from -= 1;
        digits[from] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            break;
        }
    }
    text.extend(digits[from..].iter().map(|digit| char::from(*digit)));
}

fn write_context(text: &mut String, txn: &TxnContext) {
    write_numbers(text, &[("start_ts", txn.start_ts), ("commit_ts", txn.commit_ts)]);
    if txn.aborted {
        separate(text);
        text.push_str("\"aborted\":true");
    }
    for (name, list) in [("\"keys\":[", &txn.keys), ("\"preds\":[", &txn.preds)] {
        if list.is_empty() {
            continue;
        }
        separate(text);
        text.push_str(name);
        for (number, own) in list.iter().enumerate() {
            if 0 < number {
                text.push(',');
            }
            write_string(text, own);
        }
        text.push(']');
    }
    if !txn.hash.is_empty() {
        separate(text);
        text.push_str("\"hash\":");
        write_string(text, &txn.hash);
    }
    text.push('}');
}

fn separate(text: &mut String) {
    if !text.ends_with('{') {
        text.push(',');
    }
}

/// The answer to a commit.
pub fn commit_answer(txn: &TxnContext) -> String {
    let mut text = format!("{{\"data\":{SUCCESS},");
    write_extensions(&mut text, None, txn);
    text.push('}');
    text
}

/// The answer to an abort.
pub fn abort_answer() -> String {
    SUCCESS.to_owned()
}

/// The answer to a login.
pub fn login_answer(tokens: &Jwt) -> String {
    let mut text = String::from("{\"data\":{\"accessJWT\":");
    write_string(&mut text, &tokens.access_jwt);
    text.push_str(",\"refreshJWT\":");
    write_string(&mut text, &tokens.refresh_jwt);
    text.push_str("}}");
    text
}

/// The parts of the result of mutations: what their query found, empty without one, and the uids of new nodes.
pub fn mutation_parts(text: String) -> Result<(Bytes, BTreeMap<String, String>)> {
    #[derive(Deserialize)]
    struct Parts<'a> {
        #[serde(borrow)]
        queries: Option<&'a RawValue>,
        uids: Option<BTreeMap<String, String>>,
    }
    let whole = Bytes::from(text);
    let Parts { queries, uids } =
        serde_json::from_slice(&whole).map_err(|error| unreadable(&error))?;
    let queries = queries.map(|raw| whole.slice_ref(raw.get().as_bytes())).unwrap_or_default();
    Ok((queries, uids.unwrap_or_default()))
}

/// The text that a text in JSON stands for.
pub fn text_of_json(json: &str) -> Result<String> {
    serde_json::from_str(json).map_err(|error| unreadable(&error))
}

fn unreadable(error: &serde_json::Error) -> Error {
    Error::new(ErrorKind::Bug, format!("an answer in DQL is not as it should be: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_of_mutations_fall_into_their_parts() {
        let text = r#"{"code":"Success","message":"Done","queries":{"q": [1]},"uids":{"a":"0x1"}}"#;
        let (queries, uids) = mutation_parts(text.to_owned()).unwrap();
        assert_eq!(&*queries, b"{\"q\": [1]}");
        assert_eq!(uids.get("a").map(String::as_str), Some("0x1"));
        let without = mutation_parts("{\"queries\":null,\"uids\":{}}".to_owned()).unwrap();
        assert!(without.0.is_empty() && without.1.is_empty());
        assert!(mutation_parts("{".to_owned()).is_err());
        assert_eq!(text_of_json("\"<0x1> \\\"a\\\"\"").unwrap(), "<0x1> \"a\"");
    }

    #[test]
    fn extensions_have_what_is_known_and_nothing_else() {
        let mut text = String::new();
        let latency = Latency { parsing_ns: 7, total_ns: 1_234_567_890, ..Latency::default() };
        let keys = vec!["1z".to_owned(), "a\"".to_owned()];
        let txn = TxnContext { start_ts: 5, keys, ..TxnContext::default() };
        write_extensions(&mut text, Some(&latency), &txn);
        assert_eq!(
            text,
            "\"extensions\":{\"server_latency\":{\"parsing_ns\":7,\"total_ns\":1234567890},\
             \"txn\":{\"start_ts\":5,\"keys\":[\"1z\",\"a\\\"\"]}}"
        );
        let preds = vec!["1-0-name".to_owned()];
        let txn = TxnContext { start_ts: u64::MAX, commit_ts: 9, preds, ..TxnContext::default() };
        assert_eq!(
            commit_answer(&txn),
            "{\"data\":{\"code\":\"Success\",\"message\":\"Done\"},\"extensions\":{\"txn\":\
             {\"start_ts\":18446744073709551615,\"commit_ts\":9,\"preds\":[\"1-0-name\"]}}}"
        );
        let txn = TxnContext { aborted: true, ..TxnContext::default() };
        assert!(commit_answer(&txn).ends_with("\"txn\":{\"aborted\":true}}}"));
    }
}
