//! Answers as JSON: results first, then what belongs to the request.

use super::messages::{Jwt, Latency, TxnContext};
use crate::json::write_string;

/// The end of an operation that changes the schema.
pub(super) const SUCCESS: &str = "{\"code\":\"Success\",\"message\":\"Done\"}";

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
        for (place, own) in list.iter().enumerate() {
            if 0 < place {
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

#[cfg(test)]
mod tests {
    use super::*;

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
