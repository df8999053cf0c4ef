//! Proposals for a place of a text: steps, predicates, constants, and in strings the names of a graph.
//!
//! The text before the place is read by its brackets and quotes only, since it is seldom whole while it is written. A
//! proposal may be refused later, and a word that is not proposed may still be right.

use millrace_model::Catalog;
use millrace_model::schema::Names;
use millrace_plan::completion::{Completion, CompletionKind};

use crate::steps::{Fact, Leads, MANY, STEPS};
use crate::text::{CLASSES, PREDICATES, constants_of, endings, predicates_of};

/// The modulator that takes property keys as strings.
const BY: &str = "by";

/// Where a place is.
enum Context<'t> {
    /// In a string, which begins so, as an argument of a call.
    String { call: &'t str, argument: usize, begin: &'t str },
    /// Behind a point, perhaps that of a class of constants.
    Member { of: &'t str, prefix: &'t str },
    /// Where a statement or an argument begins.
    Beginning { is_argument: bool, prefix: &'t str },
    /// In a comment, or where nothing is known.
    Nowhere,
}

/// The proposals at an offset, in bytes.
pub(super) fn complete(text: &str, offset: usize, catalog: &Catalog) -> Vec<Completion> {
    let Some(before) = text.get(..offset) else { return Vec::new() };
    match context(before) {
        Context::Nowhere => Vec::new(),
        Context::String { call, argument, begin } => {
            Completion::of_prefix(begin, names(call, argument, catalog))
        }
        Context::Member { of, prefix } if CLASSES.contains(&of) => {
            let predicates =
                predicates_of(of).map(|name| word(name, CompletionKind::Predicate, ""));
            Completion::of_prefix(prefix, predicates.chain(constants(of)))
        }
        Context::Member { prefix, .. } => {
            let endings =
                endings().map(|name| word(name, CompletionKind::Step, "ends the traversal"));
            Completion::of_prefix(prefix, steps().chain(endings))
        }
        Context::Beginning { is_argument: false, prefix } => {
            let source =
                word("g", CompletionKind::Token, "the graph: g.V(), g.E(), g.addV('Label')");
            Completion::of_prefix(prefix, [source])
        }
        Context::Beginning { is_argument: true, prefix } => {
            let bare = CLASSES.iter().flat_map(|class| constants(class));
            Completion::of_prefix(prefix, predicates().chain(bare).chain(steps()))
        }
    }
}

fn word(text: &str, kind: CompletionKind, detail: &str) -> Completion {
    Completion { text: text.to_owned(), kind, detail: detail.to_owned() }
}

fn predicates() -> impl Iterator<Item = Completion> {
    PREDICATES.iter().map(|name| word(name, CompletionKind::Predicate, ""))
}

fn constants(class: &str) -> impl Iterator<Item = Completion> {
    constants_of(class).iter().map(move |name| word(name, CompletionKind::Token, class))
}

/// Steps with their modulators, and modulators.
fn steps() -> impl Iterator<Item = Completion> {
    let of_step = STEPS.iter().map(|step| {
        let detail = match step.modulators {
            [] => String::new(),
            modulators => format!("with {}", modulators.join(", ")),
        };
        Completion { text: step.name.to_owned(), kind: CompletionKind::Step, detail }
    });
    let is_step = |name: &&str| STEPS.iter().any(|step| step.name == *name);
    let modulators = STEPS.iter().flat_map(|step| step.modulators.iter().copied());
    let modulators = modulators.filter(move |name| !is_step(name));
    let modulators = modulators.map(|name| word(name, CompletionKind::Step, "a modulator"));
    of_step.chain(modulators)
}

/// The names of a graph that an argument may be. Of a step with several kinds of arguments the first may be a
/// label, and the first two keys: `has(label, key, value)`.
fn names(call: &str, argument: usize, catalog: &Catalog) -> Vec<Completion> {
    let mut found = Vec::new();
    let mut add = |names: &Names, kind: CompletionKind| {
        found.extend(names.iter().map(|name| word(name, kind, "")));
    };
    let Some(step) = STEPS.iter().find(|step| step.name == call) else {
        if call == BY {
            add(&catalog.keys, CompletionKind::PropertyKey);
        }
        return found;
    };
    let is_alike = step.arguments.is_none_or(|(_, most)| most == MANY);
    if step.is(Fact::NamesLabels) && (is_alike || argument == 0) {
        add(&catalog.labels, CompletionKind::Label);
    }
    let from_vertices = matches!(step.leads, Some(Leads::Neighbours { .. } | Leads::IncidentEdges));
    if step.is(Fact::NamesTypes) || from_vertices {
        add(&catalog.edge_types, CompletionKind::EdgeType);
    }
    if step.is(Fact::NamesKeys) && (is_alike || argument < 2) {
        add(&catalog.keys, CompletionKind::PropertyKey);
    }
    found
}

/// A bracket that is open: the name before it, and the arguments that are whole.
struct Open<'t> {
    call: &'t str,
    argument: usize,
}

fn context(before: &str) -> Context<'_> {
    let mut open: Vec<Open<'_>> = Vec::new();
    let mut rest = before;
    while let Some(letter) = rest.chars().next() {
        let at = before.len() - rest.len();
        let behind = &rest[letter.len_utf8()..];
        rest = match letter {
            '\'' | '"' => {
                let quote = if rest.starts_with(&String::from(letter).repeat(3)) { 3 } else { 1 };
                match string_end(&rest[quote..], &rest[..quote]) {
                    Some(end) => &rest[quote + end..],
                    None => {
                        let last = open.last();
                        let call = last.map_or("", |last| last.call);
                        let argument = last.map_or(0, |last| last.argument);
                        return Context::String { call, argument, begin: &rest[quote..] };
                    }
                }
            }
            '/' if behind.starts_with('/') => match behind.split_once('\n') {
                Some((_, behind)) => behind,
                None => return Context::Nowhere,
            },
            '/' if behind.starts_with('*') => match behind.split_once("*/") {
                Some((_, behind)) => behind,
                None => return Context::Nowhere,
            },
            '(' | '[' | '{' => {
                open.push(Open { call: last_name(&before[..at]), argument: 0 });
                behind
            }
            ')' | ']' | '}' => {
                open.pop();
                behind
            }
            ',' => {
                open.last_mut().iter_mut().for_each(|last| last.argument += 1);
                behind
            }
            _ => behind,
        };
    }
    let prefix = last_name(before);
    let head = before[..before.len() - prefix.len()].trim_end();
    match head.chars().next_back() {
        Some('.') => Context::Member { of: last_name(&head[..head.len() - 1]), prefix },
        Some('(' | ',' | '[' | ':' | '{') => Context::Beginning { is_argument: true, prefix },
        None | Some(';' | '=') => Context::Beginning { is_argument: false, prefix },
        Some(_) if open.is_empty() => Context::Beginning { is_argument: false, prefix },
        Some(_) => Context::Nowhere,
    }
}

/// Where a string ends that began with these quotes, behind its last quote.
fn string_end(text: &str, quotes: &str) -> Option<usize> {
    let mut escaped = false;
    for (at, letter) in text.char_indices() {
        if !escaped && text[at..].starts_with(quotes) {
            return Some(at + quotes.len());
        }
        escaped = letter == '\\' && !escaped;
    }
    None
}

/// The name that a text ends with, or nothing.
fn last_name(text: &str) -> &str {
    let begin = text.trim_end_matches(|letter: char| letter.is_alphanumeric() || letter == '_');
    &text[begin.len()..]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn catalog() -> Catalog {
        let mut catalog = Catalog::default();
        catalog.labels.intern("Person");
        catalog.labels.intern("Film");
        catalog.edge_types.intern("Played");
        catalog.keys.intern("name");
        catalog.keys.intern("nationality");
        catalog
    }

    fn check(text: &str, wanted: &[&str]) {
        let found = complete(text, text.len(), &catalog());
        let found: Vec<&str> = found.iter().map(|own| own.text.as_str()).collect();
        assert_eq!(found, wanted, "{text}");
    }

    #[test]
    fn steps_follow_a_point_and_predicates_stand_in_arguments() {
        check("g.V().outE", &["outE"]);
        check("g.V().has('name', contain", &["containing"]);
        check("g.V().order().by('name', des", &["desc"]);
        check("g.V().has('name', TextP.sta", &["startingWith"]);
        check("g.V().by(T.lab", &["label"]);
        check("g.V().where(__.hasNo", &["hasNot"]);
        check("g.V().where(hasNo", &["hasNot"]);
        check("g.V().hasNe", &["hasNext"]);
        check("g.V().where(hasNe", &[]);
        check("g.V()\n  .toL", &["toList", "toLower"]);
        check("x = 1;", &["g"]);
        check("", &["g"]);
    }

    #[test]
    fn strings_are_names_of_the_graph_by_the_step_they_are_arguments_of() {
        check("g.V().hasLabel('P", &["Person", "Played"]);
        check("g.V().hasLabel(\"Film\", \"P", &["Person", "Played"]);
        check("g.V().outE('P", &["Played"]);
        check("g.V().out('Played').values('na", &["name", "nationality"]);
        check("g.V().has('Person', 'na", &["name", "nationality"]);
        check("g.V().has('Person', 'name', 'na", &[]);
        check("g.V().project('n').by('na", &["name", "nationality"]);
        check("g.V().has('name', within('na", &[]);
        check("g.V().has('name', 'it\\'s').values('nat", &["nationality"]);
    }

    #[test]
    fn nothing_is_proposed_in_comments_and_no_text_makes_it_panic() {
        check("g.V() // g.V().out", &[]);
        check("/* g.", &[]);
        for text in ["ä.ö", "g.V(''').x", "'''", ")))", "g.V().has(\"\\", "日本('語"] {
            for offset in 0..=text.len() + 1 {
                complete(text, offset, &catalog());
            }
        }
    }
}
