//! The reference page of the language, made of the tables that it is read and translated by.

use std::fmt::Write;

use crate::schema::{DIRECTIVES as OF_PREDICATES, Kind, TOKENIZERS};
use crate::syntax::{DIRECTIVES, MATH_FUNCTIONS, PAGE_ARGUMENTS, PATH_ARGUMENTS, ROOT_FUNCTIONS};
use crate::text::Described;
use crate::translate::FUNCTIONS;
use crate::tree::{Aggregate, MathOperator};

/// The reference page, in Markdown.
pub fn language_page() -> String {
    let mut page = String::from(
        "# DQL\n\n\
         Generated from the tables of the language; do not edit. Words are found whatever their case. What differs from Dgraph is in\n\
         [the guide](../guides/from-dgraph.md).\n\n\
         ## Functions\n\n\
         At a root (`func:`) and in filters. At a root, a function with indexes asks for one of them on its predicate.\n\n\
         | function | holds where | indexes |\n|---|---|---|\n",
    );
    for own in FUNCTIONS {
        let indexes: Vec<String> = own.indexes.iter().map(|word| format!("`{word}`")).collect();
        let Described { usage, about, .. } = own.word;
        let _ = writeln!(page, "| `{}` | {about} | {} |", escaped(usage), indexes.join(", "));
    }
    let of_plugins: Vec<String> = ROOT_FUNCTIONS
        .iter()
        .filter(|name| !FUNCTIONS.iter().any(|own| own.word.name == **name))
        .map(|name| format!("`{name}`"))
        .collect();
    let _ = write!(
        page,
        "\nRefused by name: {}, which ask custom tokenizers.\n\n## Directives of queries\n",
        of_plugins.join(", ")
    );
    table(&mut page, "directive", &DIRECTIVES);
    page +=
        "\n## Arguments of pages and orders\n\nAt a root and behind a predicate, in parentheses.\n";
    table(&mut page, "argument", &PAGE_ARGUMENTS);
    page += "\n## Arguments of `shortest`\n\nA block `p as shortest(…)` finds paths along its predicates; `@facets(weight)` \
             behind one weighs its edges.\n";
    table(&mut page, "argument", &PATH_ARGUMENTS);
    let words = Aggregate::ALL.map(|own| format!("`{}(val(x))`", own.word()));
    let _ = writeln!(page, "\n## Aggregates and `math`\n\nAggregates: {}.", words.join(", "));
    let signs = MathOperator::ALL.map(|own| format!("`{}`", own.sign()));
    let _ = writeln!(
        page,
        "Operators of `math`, the one that binds closest first: {}.",
        signs.join(", ")
    );
    table(&mut page, "function", &MATH_FUNCTIONS);
    page += "\n## Types and indexes of predicates\n\n| type | indexes |\n|---|---|\n";
    for (kind, word) in Kind::WORDS {
        let own = TOKENIZERS.iter().filter(|(_, kinds)| kinds.contains(&kind));
        let indexes: Vec<String> = own.map(|(index, _)| format!("`{index}`")).collect();
        let _ = writeln!(page, "| `{word}` | {} |", indexes.join(", "));
    }
    page += "\n## Directives of predicates\n";
    table(&mut page, "directive", &OF_PREDICATES);
    page
}

fn table(page: &mut String, title: &str, rows: &[Described]) {
    let _ = write!(page, "\n| {title} | |\n|---|---|\n");
    for Described { usage, about, .. } in rows {
        let _ = writeln!(page, "| `{}` | {about} |", escaped(usage));
    }
}

/// A bar would end the cell.
fn escaped(text: &str) -> String {
    text.replace('|', "\\|")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::{parse, parse_schema};

    fn names(rows: &[Described]) -> impl Iterator<Item = (&str, &str)> {
        rows.iter().map(|own| (own.name, own.usage))
    }

    #[test]
    fn what_the_page_shows_is_read() {
        let texts = FUNCTIONS.iter().map(|own| {
            let usage = own.word.usage;
            assert!(usage.starts_with(own.word.name), "{usage}");
            format!("{{ q(func: {usage}) @filter({usage}) {{ uid }} }}")
        });
        let directives = names(&DIRECTIVES)
            .map(|(_, usage)| format!("{{ q(func: uid(1)) {{ friend {usage} {{ uid }} }} }}"));
        let pages = names(&PAGE_ARGUMENTS).map(|(_, usage)| {
            format!("{{ q(func: uid(1), {usage}) {{ friend({usage}) {{ uid }} }} }}")
        });
        let paths: Vec<&str> = names(&PATH_ARGUMENTS).map(|(_, usage)| usage).collect();
        let path = format!("{{ p as shortest({}) {{ friend }} }}", paths.join(", "));
        let math = names(&MATH_FUNCTIONS)
            .map(|(_, usage)| format!("{{ q(func: uid(1)) {{ m: math({usage}) }} }}"));
        for text in texts.chain(directives).chain(pages).chain(math).chain([path]) {
            if let Err(error) = parse(&text) {
                panic!("{text}: {error}");
            }
        }
        for (name, usage) in names(&OF_PREDICATES) {
            assert!(usage.starts_with(&format!("@{name}")), "{usage}");
            let text = format!("name: string {usage} .");
            assert!(parse_schema(&text).is_ok(), "{text}");
        }
    }

    #[test]
    fn each_function_that_is_read_is_translated_or_refused_by_name() {
        let page = language_page();
        for name in ROOT_FUNCTIONS {
            let lines = page.lines().filter(|line| {
                line.starts_with(&format!("| `{name}("))
                    || line.starts_with("Refused by name") && line.contains(&format!("`{name}`"))
            });
            assert_eq!(lines.count(), 1, "{name}");
        }
    }
}
