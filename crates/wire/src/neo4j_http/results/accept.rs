//! The form of an answer that a client accepts: the first of the best that is served.

use super::form::{Contents, Form};
use super::jolt::Jolt;

/// The content type of plain JSON.
pub const JSON: &str = "application/json";

/// The content type of JSON with types. Clients name a version behind it, as `.v1.0`.
pub const TYPED_JSON: &str = "application/vnd.neo4j.query";

/// Whether a content type, or a list of them, names JSON with types.
pub fn is_typed(header: &str) -> bool {
    let names = header.split(',').filter_map(|entry| entry.split(';').next());
    let mut names = names.map(|name| name.trim().to_ascii_lowercase());
    names.any(|name| name == TYPED_JSON || name.starts_with("application/vnd.neo4j.query.v1."))
}

/// The names of Jolt's forms in front of their parameters.
const JOLT: [(&str, Jolt); 6] = [
    ("application/vnd.neo4j.jolt", of(None, false)),
    ("application/vnd.neo4j.jolt+json-seq", of(None, true)),
    ("application/vnd.neo4j.jolt-v1", of(Some(1), false)),
    ("application/vnd.neo4j.jolt-v1+json-seq", of(Some(1), true)),
    ("application/vnd.neo4j.jolt-v2", of(Some(2), false)),
    ("application/vnd.neo4j.jolt-v2+json-seq", of(Some(2), true)),
];

const fn of(version: Option<u8>, is_sequence: bool) -> Jolt {
    Jolt { is_strict: false, version, is_sequence }
}

/// The form of the answer to a request of a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TransactionForm {
    /// One object.
    Json,
    /// Lines.
    Jolt(Jolt),
}

impl TransactionForm {
    /// The form that a header asks for; `None` if it has none that is served.
    pub fn accepted(header: Option<&str>) -> Option<TransactionForm> {
        let Some(header) = header.filter(|header| !header.trim().is_empty()) else {
            return Some(TransactionForm::Json);
        };
        choose(header, |name, is_strict| {
            if is_json(name) {
                return Some(TransactionForm::Json);
            }
            let jolt = JOLT.iter().find(|(own, _)| *own == name);
            jolt.map(|(_, jolt)| TransactionForm::Jolt(Jolt { is_strict, ..*jolt }))
        })
    }

    /// The content type of an answer.
    pub fn content_type(self) -> String {
        let TransactionForm::Jolt(jolt) = self else { return JSON.to_owned() };
        let plain = Jolt { is_strict: false, ..jolt };
        let name = JOLT.iter().find(|(_, own)| *own == plain).map_or(JSON, |(name, _)| name);
        let strict = if jolt.is_strict { ";strict=true" } else { "" };
        format!("{name}{strict}")
    }

    /// The form of the rows of a statement.
    pub fn of_rows(self, contents: Contents) -> Form {
        match self {
            TransactionForm::Json => Form::Transaction(contents),
            TransactionForm::Jolt(jolt) => Form::Jolt(jolt),
        }
    }
}

/// Whether the Query API answers with types; `None` if the header has no form that it serves.
pub fn accepted_types(header: Option<&str>) -> Option<bool> {
    let Some(header) = header.filter(|header| !header.trim().is_empty()) else {
        return Some(false);
    };
    choose(header, |name, _| {
        let is_plain = is_json(name);
        (is_plain || name == TYPED_JSON || is_typed(name)).then_some(!is_plain)
    })
}

fn is_json(name: &str) -> bool {
    [JSON, "*/*", "application/*"].contains(&name)
}

/// The first of the best entries of a list that stands for something: of its name, and whether it is strict.
fn choose<T>(header: &str, meaning: impl Fn(&str, bool) -> Option<T>) -> Option<T> {
    let mut best: Option<(f32, T)> = None;
    for entry in header.split(',') {
        let mut parts = entry.split(';').map(|part| part.trim().to_ascii_lowercase());
        let name = parts.next().unwrap_or_default();
        let (mut quality, mut is_strict) = (1.0, false);
        for parameter in parts {
            match parameter.split_once('=') {
                Some(("q", value)) => quality = value.trim().parse().unwrap_or(0.0),
                Some(("strict", value)) => is_strict = value.trim() == "true",
                Some(_) | None => {}
            }
        }
        let is_better = best.as_ref().is_none_or(|(other, _)| *other < quality);
        if 0.0 < quality
            && is_better
            && let Some(meant) = meaning(&name, is_strict)
        {
            best = Some((quality, meant));
        }
    }
    best.map(|(_, meant)| meant)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn jolt(is_strict: bool, version: Option<u8>, is_sequence: bool) -> Option<TransactionForm> {
        Some(TransactionForm::Jolt(Jolt { is_strict, version, is_sequence }))
    }

    #[test]
    fn the_first_of_the_best_is_chosen() {
        let json = Some(TransactionForm::Json);
        for (header, expected) in [
            ("", json),
            ("*/*", json),
            ("application/json;charset=UTF-8;stream=true", json),
            ("application/vnd.neo4j.jolt", jolt(false, None, false)),
            ("application/vnd.neo4j.jolt;strict=true", jolt(true, None, false)),
            ("application/vnd.neo4j.jolt-v1+json-seq", jolt(false, Some(1), true)),
            ("Application/vnd.neo4j.jolt-v2+json-seq; strict=true", jolt(true, Some(2), true)),
            (
                "text/html, application/vnd.neo4j.jolt-v2;q=0.5, application/json;q=0.4",
                jolt(false, Some(2), false),
            ),
            (
                "application/json;q=0.4, application/vnd.neo4j.jolt-v2;q=0.5",
                jolt(false, Some(2), false),
            ),
            ("application/json, application/vnd.neo4j.jolt", json),
            ("text/html", None),
            ("application/json;q=0", None),
            ("application/vnd.neo4j.jolt-v3", None),
        ] {
            assert_eq!(TransactionForm::accepted(Some(header)), expected, "{header}");
        }
        assert_eq!(TransactionForm::accepted(None), json);
        let strict = jolt(true, Some(2), true).expect("a form").content_type();
        assert_eq!(strict, "application/vnd.neo4j.jolt-v2+json-seq;strict=true");
        for (name, _) in JOLT {
            let form = TransactionForm::accepted(Some(name)).expect("a form");
            assert_eq!(form.content_type(), name);
        }
    }

    #[test]
    fn the_query_api_has_two_forms() {
        for (header, expected) in [
            ("*/*", Some(false)),
            ("application/json", Some(false)),
            ("application/vnd.neo4j.query, application/json", Some(true)),
            ("application/json, application/vnd.neo4j.query;q=0.9", Some(false)),
            ("application/vnd.neo4j.query.v1.1", Some(true)),
            ("text/plain", None),
            ("application/vnd.neo4j.jolt-v2", None),
        ] {
            assert_eq!(accepted_types(Some(header)), expected, "{header}");
        }
        assert_eq!(accepted_types(None), Some(false));
    }

    #[test]
    fn json_with_types_is_known_with_its_version() {
        assert!(is_typed("application/vnd.neo4j.query"));
        assert!(is_typed("application/json, Application/vnd.neo4j.query.v1.1;q=0.5"));
        assert!(!is_typed("application/json"));
        assert!(!is_typed("application/vnd.neo4j.query.v2.0"));
    }
}
