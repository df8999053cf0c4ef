//! Proposals for a place of a text: clauses, functions, and the names of a graph, by the letters in front of it.

use millrace_model::Catalog;
use millrace_plan::completion::{Completion, CompletionKind};

use crate::functions;
use crate::text::CLAUSES;

/// The proposals at an offset, in bytes.
pub(super) fn complete(text: &str, offset: usize, catalog: &Catalog) -> Vec<Completion> {
    let Some(before) = text.get(..offset) else { return Vec::new() };
    let is_inside = |letter: char| letter.is_alphanumeric() || letter == '_';
    let prefix = before.rsplit(|letter| !is_inside(letter)).next().unwrap_or_default();
    let leading = before.strip_suffix(prefix).unwrap_or(before);
    let names = |names: Vec<String>, kind| {
        let word = move |text| Completion { text, kind, detail: String::new() };
        names.into_iter().map(word)
    };
    let labels = || catalog.labels.iter().map(ToString::to_string).collect();
    let types = || catalog.edge_types.iter().map(ToString::to_string).collect();
    let keys = || catalog.keys.iter().map(ToString::to_string).collect();
    match leading.chars().last() {
        // In brackets a type stands behind the colon, elsewhere a label.
        Some(':' | '|' | '&') if is_in_brackets(leading) => {
            Completion::of_prefix(prefix, names(types(), CompletionKind::EdgeType))
        }
        Some(':' | '|' | '&') => {
            Completion::of_prefix(prefix, names(labels(), CompletionKind::Label))
        }
        Some('.' | '{') => {
            Completion::of_prefix(prefix, names(keys(), CompletionKind::PropertyKey))
        }
        Some('\'' | '"' | '`' | '$') => Vec::new(),
        _ => {
            let words = CLAUSES.iter().map(|reader| Completion {
                text: reader.keyword.to_owned(),
                kind: CompletionKind::Token,
                detail: String::new(),
            });
            let functions = functions::all().map(|row| Completion {
                text: row.name.to_owned(),
                kind: CompletionKind::Function,
                detail: row.signature(),
            });
            let folded = prefix.to_uppercase();
            let mut found = Completion::of_prefix(&folded, words);
            found.extend(Completion::of_prefix(prefix, functions));
            found
        }
    }
}

/// Whether the last bracket that is open is a square one.
fn is_in_brackets(before: &str) -> bool {
    let mut open = Vec::new();
    for letter in before.chars() {
        match letter {
            '(' | '[' | '{' => open.push(letter),
            ')' | ']' | '}' => {
                open.pop();
            }
            _ => {}
        }
    }
    open.last() == Some(&'[')
}
