//! What may stand at a place of a script: functions of the table, and in strings the names of a graph.

use millrace_model::Catalog;
use millrace_model::schema::Names;
use millrace_plan::completion::{Completion, CompletionKind};

use crate::access::Access;
use crate::functions::FAMILIES;

/// The table of functions that are methods of a traversal.
const METHODS: &str = "Traversal.";

/// The proposals at an offset, in bytes.
pub fn complete(text: &str, offset: usize, catalog: &Catalog) -> Vec<Completion> {
    let Some(before) = text.get(..offset) else { return Vec::new() };
    let line = before.rsplit('\n').next().unwrap_or_default();
    match open_string(line) {
        Inside::Comment => Vec::new(),
        Inside::String(begin) => Completion::of_prefix(begin, names(catalog)),
        Inside::Code => {
            let is_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '.');
            let prefix = &line[line.trim_end_matches(is_part).len()..];
            let is_method = line[..line.len() - prefix.len()].ends_with(':');
            Completion::of_prefix(prefix, functions(is_method))
        }
    }
}

/// What the end of a line is in.
enum Inside<'t> {
    Code,
    String(&'t str),
    Comment,
}

/// Strings over several lines are seldom names; they are not looked for.
fn open_string(line: &str) -> Inside<'_> {
    let (mut quote, mut escaped) = (None, false);
    for (at, letter) in line.char_indices() {
        match quote {
            Some(_) if escaped => escaped = false,
            Some(_) if letter == '\\' => escaped = true,
            Some((own, _)) if own == letter => quote = None,
            Some(_) => {}
            None if letter == '"' || letter == '\'' => quote = Some((letter, at + 1)),
            None if line[at..].starts_with("--") => return Inside::Comment,
            None => {}
        }
    }
    quote.map_or(Inside::Code, |(_, begin)| Inside::String(&line[begin..]))
}

fn functions(are_methods: bool) -> impl Iterator<Item = Completion> {
    let all = FAMILIES.iter().flat_map(|family| family.functions);
    all.filter_map(move |function| {
        let name = match are_methods {
            true => function.name.strip_prefix(METHODS)?,
            false => function.name,
        };
        let needs = match function.needs {
            Access::ReadOnly => "",
            Access::ReadWrite | Access::Admin => "; writes",
        };
        let detail = format!("({}) gives {}{needs}", function.arguments, function.result);
        Some(Completion { text: name.to_owned(), kind: CompletionKind::Function, detail })
    })
}

fn names(catalog: &Catalog) -> Vec<Completion> {
    let mut found = Vec::new();
    let mut add = |names: &Names, kind: CompletionKind| {
        found.extend(names.iter().map(|name| Completion {
            text: name.to_string(),
            kind,
            detail: String::new(),
        }));
    };
    add(&catalog.labels, CompletionKind::Label);
    add(&catalog.edge_types, CompletionKind::EdgeType);
    add(&catalog.keys, CompletionKind::PropertyKey);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<Completion> {
        let mut catalog = Catalog::default();
        catalog.labels.intern("Person");
        catalog.keys.intern("name");
        complete(text, text.len(), &catalog)
    }

    #[test]
    fn functions_are_proposed_with_their_signature_and_names_in_strings() {
        let all = found("local x = 1\nNodeTypesGetC");
        assert_eq!(all.len(), 1, "{all:?}");
        assert_eq!(
            (all[0].text.as_str(), all[0].kind),
            ("NodeTypesGetCount", CompletionKind::Function)
        );
        assert!(all[0].detail.starts_with('('), "{all:?}");
        assert!(found("NodeAd")[0].detail.ends_with("writes"));
        let methods = found("Traversal.from(1):ou");
        assert!(methods.iter().any(|own| own.text == "out"), "{methods:?}");
        assert_eq!(found("NodeAdd(\"Per")[0].kind, CompletionKind::Label);
        assert_eq!(found("NodeGetProperty(1, 'na")[0].text, "name");
        assert!(found("-- NodeAd").is_empty());
        assert!(complete("ä", 1, &Catalog::default()).is_empty(), "within a letter");
    }
}
