//! Requests and answers as text. Elements have names in place of numbers, `n1` or `r1`, in the order in which answers name them;
//! of a node that is no case of its own only some fields are shown.

use millrace_testkit::golden::{self, Case};
use serde_json::Value;

use super::named::Talk;
use super::{ask, start};

#[test]
fn requests_have_the_answers_of_the_transcripts() {
    let mut current: Option<(std::path::PathBuf, Talk)> = None;
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/transcripts/neo4j_rest");
    golden::check_folder(folder, |case: &Case| {
        // Each file is a server of its own.
        if current.as_ref().is_none_or(|(file, _)| *file != case.file) {
            current = Some((case.file.clone(), Talk::with(start())));
        }
        let (_, talk) = current.as_mut().expect("it was begun");
        let is_whole = case.name.contains("whole");
        let answers = case.input.lines().map(|line| talk.answer(line, is_whole));
        answers.collect::<Vec<_>>().join("\n")
    });
}

impl Talk {
    /// The answer to a line with a method, a path and perhaps a body.
    fn answer(&mut self, line: &str, is_whole: bool) -> String {
        let mut line = line.to_owned();
        for (path, name) in &self.names {
            let kind = path.split('/').next().unwrap_or_default();
            line = line.replace(&format!("/{kind}/{name}"), &format!("/{path}"));
        }
        let mut parts = line.splitn(3, ' ');
        let (method, path) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        let body =
            parts.next().map_or(Value::Null, |body| serde_json::from_str(body).expect("JSON"));
        let reply = ask(&self.server, method, path, &body);
        let mut shown = reply.status.to_string();
        if let Some(location) = &reply.location {
            shown.push_str(&format!(" -> {}", self.named(location)));
        }
        if !reply.body.is_empty() {
            let body = self.shown(&reply.json(), is_whole);
            shown.push(' ');
            match is_whole {
                true => shown.push_str(&serde_json::to_string_pretty(&body).expect("JSON")),
                false => shown.push_str(&body.to_string()),
            }
        }
        shown
    }
}
