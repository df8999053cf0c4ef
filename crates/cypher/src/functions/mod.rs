//! The functions of Cypher: a file for each family in `families` and `apoc`, a row for each function.
//!
//! A row says the name, the arguments, the type of the result, a line for the reference page, and how a call becomes
//! an expression of a plan. Names are found whatever their case. Forms with a syntax of their own are in `syntax`:
//! they are described here, and never called.
//!
//! A function sees the expressions of its arguments, and never their trees: what they are, is translated in
//! `expressions`, and judged in `scope`.

mod apoc;
mod clock;
mod contained;
mod families;
mod fold;
mod listing;
mod make;
mod page;
mod row;
mod syntax;

use std::collections::HashMap;
use std::sync::LazyLock;

use millrace_plan::nearest;

pub(crate) use contained::{
    contains_aggregate, each_aggregate, implicit_keys, is_aggregate, needs_operators,
};
pub use listing::{ListedFunction, listed_functions};
pub(crate) use make::last_of;
pub use page::functions_page;
pub(crate) use row::{FunctionRow, Make};
pub(crate) use syntax::SYNTAX;

/// The families, with their names as the reference page has them.
pub(crate) const FAMILIES: &[(&str, &[FunctionRow])] = &[
    ("Aggregating", families::aggregates::ROWS),
    ("APOC", apoc::other::ROWS),
    ("APOC, conversion", apoc::convert::ROWS),
    ("APOC, lists", apoc::coll::ROWS),
    ("APOC, lists and their counts", apoc::counts::ROWS),
    ("APOC, maps", apoc::map::ROWS),
    ("APOC, of libraries", apoc::libraries::ROWS),
    ("APOC, texts", apoc::text::ROWS),
    ("Duration", families::durations::ROWS),
    ("Graph", families::graphs::ROWS),
    ("List", families::lists::ROWS),
    ("Load CSV", families::files::ROWS),
    ("Numeric", families::numbers::ROWS),
    ("Predicate", families::predicates::ROWS),
    ("Scalar", families::scalars::ROWS),
    ("Spatial", families::spatial::ROWS),
    ("String", families::strings::ROWS),
    ("Temporal", families::instants::ROWS),
    ("Trigonometric", families::trigonometry::ROWS),
    ("Vector", families::vectors::ROWS),
];

static BY_NAME: LazyLock<HashMap<String, &'static FunctionRow>> =
    LazyLock::new(|| all().map(|row| (row.name.to_lowercase(), row)).collect());

/// All functions, by family.
pub(crate) fn all() -> impl Iterator<Item = &'static FunctionRow> {
    FAMILIES.iter().flat_map(|(_, rows)| rows.iter())
}

/// The function of a name.
pub(crate) fn named(name: &str) -> Option<&'static FunctionRow> {
    BY_NAME.get(name.to_lowercase().as_str()).copied()
}

/// Functions of earlier versions of Cypher, and what to write instead of them.
const REPLACED: &[(&str, &str)] = &[
    ("apoc.create.vNode", "a map in place of a node that is not in the graph"),
    ("apoc.create.vRelationship", "a map in place of a relationship that is not in the graph"),
    ("apoc.cypher.runFirstColumn", "COLLECT { … }"),
    ("apoc.cypher.runFirstColumnMany", "COLLECT { … }"),
    ("apoc.cypher.runFirstColumnSingle", "COLLECT { … }[0]"),
    ("apoc.node.relationship.exists", "EXISTS { (n)-[:TYPE]-() }"),
    ("apoc.node.relationship.types", "COLLECT { MATCH (n)-[r]-() RETURN DISTINCT type(r) }"),
    ("apoc.static.get", "a parameter"),
    (
        "apoc.temporal.format",
        "toString(value), or apoc.date.format(value.epochMillis, 'ms', pattern)",
    ),
    ("apoc.text.format", "texts joined by +"),
    ("distance", "point.distance(from, to)"),
    ("rels", "relationships(path)"),
    ("str", "toString(input)"),
    ("toInt", "toInteger(input)"),
];

/// The remedy for a call of a name that no function has.
pub(crate) fn remedy(name: &str) -> Option<String> {
    if let Some((_, form)) = REPLACED.iter().find(|(old, _)| old.eq_ignore_ascii_case(name)) {
        return Some(format!("write {form}"));
    }
    let form = SYNTAX.iter().find(|row| row.name.eq_ignore_ascii_case(name));
    if let Some(form) = form {
        return Some(format!("write {}", form.form));
    }
    let known = nearest(name, all().map(|row| row.name))?;
    Some(format!("the nearest name is `{known}`"))
}

#[cfg(test)]
mod tests {
    use super::row::Gives;
    use super::*;

    #[test]
    fn each_name_is_in_one_row() {
        assert_eq!(BY_NAME.len(), all().count());
        assert!(SYNTAX.iter().all(|form| named(form.name).is_none()));
    }

    #[test]
    fn names_are_found_whatever_their_case() {
        for name in ["toInteger", "TOINTEGER", "date.truncate", "datetime.fromEpoch", "cOuNt"] {
            assert!(named(name).is_some(), "{name}");
        }
        assert!(named("foo").is_none());
    }

    #[test]
    fn a_misspelt_name_gets_the_nearest() {
        assert_eq!(remedy("toIntger").as_deref(), Some("the nearest name is `toInteger`"));
        assert_eq!(remedy("ANY").as_deref(), Some("write any(x IN list WHERE test)"));
        assert_eq!(remedy("something.else"), None);
        assert_eq!(remedy("Distance").as_deref(), Some("write point.distance(from, to)"));
        assert!(REPLACED.iter().all(|(old, _)| named(old).is_none()));
    }

    #[test]
    fn required_arguments_come_before_the_others_and_each_row_is_described() {
        for row in all() {
            let order: Vec<u8> = row.arguments.iter().map(|own| own.presence as u8).collect();
            assert!(order.is_sorted(), "{}", row.name);
            assert!(row.about.ends_with('.'), "{}", row.name);
            let argument = match row.gives {
                Gives::Kind(_) | Gives::Common => 0,
                Gives::Argument(index) | Gives::Entry(index) | Gives::ListOf(index) => index + 1,
            };
            assert!(argument <= row.arguments.len(), "{}", row.name);
        }
    }

    #[test]
    fn a_signature_reads_as_in_the_manual() {
        let signature = |name: &str| named(name).map(FunctionRow::signature).unwrap_or_default();
        assert_eq!(
            signature("substring"),
            "substring(original :: STRING, start :: INTEGER [, length :: INTEGER]) :: STRING"
        );
        assert_eq!(signature("coalesce"), "coalesce(input :: ANY, …) :: ANY");
        assert_eq!(signature("rand"), "rand() :: FLOAT");
    }
}
