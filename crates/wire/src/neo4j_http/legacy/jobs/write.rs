//! The answers of a batch as JSON.

use super::JobAnswer;
use crate::json::write_string;

/// The body of the answer to a batch.
pub fn write_answers(answers: &[JobAnswer]) -> String {
    let bytes: usize =
        answers.iter().map(|own| own.body.as_ref().map_or(64, |body| body.len() + 160)).sum();
    let mut out = String::with_capacity(bytes);
    out.push('[');
    for (index, JobAnswer { id, from, location, status, body }) in answers.iter().enumerate() {
        out.push_str(if index == 0 { "{" } else { ",{" });
        if let Some(id) = id {
            out.push_str(&format!("\"id\":{id},"));
        }
        out.push_str("\"from\":");
        write_string(&mut out, from);
        if let Some(body) = body {
            out.push_str(",\"body\":");
            out.push_str(body);
        }
        if let Some(location) = location {
            out.push_str(",\"location\":");
            write_string(&mut out, location);
        }
        out.push_str(&format!(",\"status\":{status}}}"));
    }
    out.push(']');
    out
}
