//! From text to tree: tokens, then recursive descent. All errors of a text are reported, not just the first: behind an
//! error the parser goes on at the next clause or statement.
//!
//! ```text
//!   lexer ──> parser ──> expressions, patterns, projections ──> clauses, commands ──> statements
//! ```
//!
//! - `lexer`: tokens; `mentioned`, `parameters`: what is known of a text by its tokens alone.
//! - `parser`: the state that all parts share. It knows no grammar: which clauses and commands there are, is an argument.
//! - `expressions`, `patterns`, `projections`, `clauses`, `commands`, `statements`: the grammar. Its parts need each other,
//!   as a subquery has clauses and a clause has expressions, and call each other as methods of the parser.
//!
//! A reader says what a text is. Nothing here knows which names a text binds, what it means, or what a plan is.

mod clauses;
mod commands;
mod error;
mod expressions;
mod lexer;
mod mentioned;
mod parameters;
mod parser;
mod patterns;
mod projections;
mod statements;

pub(crate) use clauses::CLAUSES;
pub(crate) use mentioned::mentioned;
pub(crate) use parameters::{NOW, parameter_ranges, parameters};

use millrace_model::Error;

use crate::tree::Statement;
use commands::COMMANDS;
use parser::{Grammar, Parser};

/// The clauses and commands that there are.
const GRAMMAR: Grammar = Grammar { clauses: CLAUSES, commands: COMMANDS };

/// All that is wrong with the syntax of a text, in its order.
pub fn check(text: &str) -> Vec<Error> {
    parse(text).err().unwrap_or_default()
}

/// The statements of a text, or all that is wrong with it in the order of the text.
///
/// # Errors
/// Of kind `BadQuery` in `Phase::Parse`, each with a position; `Unsupported` for what is known by name;
/// `LimitReached` beyond a bound.
pub(crate) fn parse(text: &str) -> Result<Vec<Statement>, Vec<Error>> {
    Ok(parse_from(text, 0)?.statements)
}

/// The statements of a text, and how many levels deep it nests.
pub(crate) struct Parsed {
    pub(crate) statements: Vec<Statement>,
    pub(crate) levels: usize,
}

/// The same of a text with lines that are numbered behind others.
pub(crate) fn parse_from(text: &str, lines_before: u32) -> Result<Parsed, Vec<Error>> {
    let (mut tokens, of_tokens) = lexer::tokens(text).map_err(|error| vec![error])?;
    tokens.iter_mut().for_each(|placed| placed.at.line += lines_before);
    let mut parser = Parser::new(text, tokens, GRAMMAR);
    let statements = parser.statements();
    let (mut errors, levels) = parser.finish();
    // A number may be wrong in itself and unexpected besides; the latter is the simpler message.
    let is_new = |new: &Error| errors.iter().all(|old| old.position != new.position);
    let of_tokens: Vec<Error> = of_tokens.into_iter().filter(is_new).collect();
    errors.extend(of_tokens);
    errors.sort_by_key(|error| error.position.map(|at| (at.line, at.column)));
    if errors.is_empty() { Ok(Parsed { statements, levels }) } else { Err(errors) }
}

/// Whether a clause begins with a word.
pub(crate) fn is_clause_word(word: &str) -> bool {
    CLAUSES.iter().any(|reader| reader.keyword.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::{ANONYMOUS, Body, Clause, ExprKind, PathPart, ProjectionItem};

    fn clauses(text: &str) -> Vec<Clause> {
        let statements = parse(text).expect("it is sound");
        let [statement] = statements.as_slice() else { panic!("{statements:?}") };
        let Body::Query(query) = &statement.body else { panic!("{statement:?}") };
        query.parts[0].clauses.clone()
    }

    fn items(text: &str) -> Vec<ProjectionItem> {
        match clauses(text).pop() {
            Some(Clause::Return(projection)) => projection.items,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_column_without_an_alias_has_the_text_of_its_expression() {
        let items = items("RETURN  n.x  +  1 , count( * ) AS c,(a) /* b */ OR b // c\n, `a b`.c");
        let texts: Vec<&str> = items.iter().map(|item| &*item.text).collect();
        assert_eq!(texts, ["n.x  +  1", "count( * )", "(a) /* b */ OR b", "`a b`.c"]);
    }

    #[test]
    fn an_expression_is_where_it_begins() {
        let items = items("RETURN 'é',\n  a.b + c,\r\n\tNOT x");
        let places: Vec<(u32, u32)> =
            items.iter().map(|item| (item.expr.at.line, item.expr.at.column)).collect();
        assert_eq!(places, [(1, 8), (2, 3), (3, 2)]);
    }

    #[test]
    fn anonymous_elements_have_names_that_no_text_has() {
        let Some(Clause::Match(found)) =
            clauses("MATCH ()-->(n)-[]-() RETURN n").into_iter().next()
        else {
            panic!("it matches")
        };
        let mut names = Vec::new();
        for part in &found.patterns[0].parts {
            match part {
                PathPart::Node(node) => names.push(node.variable.name.to_string()),
                PathPart::Relationship(hop) => names.push(hop.variable.name.to_string()),
                PathPart::Quantified(group) => panic!("{group:?}"),
            }
        }
        let anonymous = names.iter().filter(|name| name.starts_with(ANONYMOUS)).count();
        assert_eq!((names.len(), anonymous), (5, 4));
        names.sort();
        names.dedup();
        assert_eq!(names.len(), 5, "each has its own");
    }

    #[test]
    fn a_long_chain_of_connectives_is_a_tree_of_little_height_in_the_same_order() {
        fn leaves(expr: &crate::tree::Expr, depth: usize, into: &mut Vec<(usize, u32)>) {
            match &expr.kind {
                ExprKind::Binary(_, left, right) => {
                    leaves(left, depth + 1, into);
                    leaves(right, depth + 1, into);
                }
                _ => into.push((depth, expr.at.column)),
            }
        }
        let chain = vec!["x"; 10_000].join(" OR ");
        let mut found = Vec::new();
        leaves(&items(&format!("RETURN {chain}"))[0].expr, 0, &mut found);
        assert_eq!(found.len(), 10_000);
        assert!(found.iter().all(|(depth, _)| *depth < 32));
        assert!(found.is_sorted_by_key(|(_, column)| *column));
    }
}
