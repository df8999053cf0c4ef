//! Proposals for a place of a text: functions, directives, and the predicates and types of a graph, by the letters in front
//! of it.

use millrace_model::Catalog;
use millrace_plan::completion::{Completion, CompletionKind};

use crate::schema::GraphSchema;
use crate::syntax::DIRECTIVES;
use crate::text::Described;
use crate::translate::FUNCTIONS;

/// The proposals at an offset, in bytes.
pub(super) fn complete(text: &str, offset: usize, catalog: &Catalog) -> Vec<Completion> {
    let Some(before) = text.get(..offset) else { return Vec::new() };
    let is_inside = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '.' | '-');
    let prefix = before.rsplit(|letter| !is_inside(letter)).next().unwrap_or_default();
    let leading = before.strip_suffix(prefix).unwrap_or(before).trim_end();
    let schema = GraphSchema::read(catalog);
    let predicates = || {
        let named = schema.shown().map(|(name, own)| Completion {
            text: name.to_string(),
            kind: CompletionKind::PropertyKey,
            detail: own.kind.word().to_owned(),
        });
        named.collect::<Vec<_>>()
    };
    let types = || {
        let names = schema.types().map(|(name, _)| name).chain(schema.labels());
        names.map(|name| word(name, CompletionKind::Label)).collect::<Vec<_>>()
    };
    let functions = || FUNCTIONS.iter().map(|own| of_table(&own.word, CompletionKind::Function));
    match leading.chars().last() {
        Some('"' | '$') => Vec::new(),
        Some('@') => {
            let directives = DIRECTIVES.iter().map(|own| of_table(own, CompletionKind::Token));
            Completion::of_prefix(prefix, directives)
        }
        Some('(') => match last_word(&leading[..leading.len() - 1]) {
            "type" | "expand" => Completion::of_prefix(prefix, types()),
            "filter" => Completion::of_prefix(prefix, functions()),
            _ => Completion::of_prefix(prefix, predicates()),
        },
        Some(':') if last_word(&leading[..leading.len() - 1]) == "func" => {
            Completion::of_prefix(prefix, functions())
        }
        _ if matches!(last_word(leading), "AND" | "and" | "OR" | "or" | "NOT" | "not") => {
            Completion::of_prefix(prefix, functions())
        }
        _ => Completion::of_prefix(prefix, predicates()),
    }
}

fn word(name: &str, kind: CompletionKind) -> Completion {
    Completion { text: name.to_owned(), kind, detail: String::new() }
}

fn of_table(own: &Described, kind: CompletionKind) -> Completion {
    Completion { text: own.name.to_owned(), kind, detail: own.usage.to_owned() }
}

/// The word at the end of a text.
fn last_word(text: &str) -> &str {
    let is_inside = |letter: char| letter.is_alphanumeric() || letter == '_';
    text.trim_end().rsplit(|letter| !is_inside(letter)).next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(before: &str) -> Vec<String> {
        let found = complete(before, before.len(), &Catalog::default());
        found.into_iter().map(|own| own.text).collect()
    }

    #[test]
    fn functions_and_directives_are_proposed_where_they_may_stand() {
        assert_eq!(texts("{ q(func: anyof"), ["anyofterms", "anyoftext"]);
        assert_eq!(texts("{ q(func: uid(1)) @filter(reg"), ["regexp"]);
        assert_eq!(texts("{ q(func: uid(1)) @filter(has(x) AND NOT ng"), ["ngram"]);
        assert_eq!(texts("{ q(func: uid(1)) @f"), ["facets", "filter"]);
        assert!(texts("{ q(func: eq(name, \"a").is_empty());
        assert!(texts("{ q(func: eq(").is_empty(), "the graph has no predicate");
    }
}
