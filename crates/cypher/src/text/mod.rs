//! The text of statements: tokens, then a tree by recursive descent. All errors of a text are reported, not just the
//! first: behind an error the parser goes on at the next clause or statement.
//!
//! The readers of clauses are in `clauses`, those of commands in `commands`. Nothing here knows which names a text binds.

mod atoms;
mod calls;
mod collections;
mod error;
mod expressions;
mod labels;
mod lexer;
mod numbers;
mod parser;
mod patterns;
mod projections;
mod statements;
mod strings;
mod types;

pub(crate) use error::{Detail, Read, SyntaxError, syntax};
pub(crate) use lexer::Token;
pub(crate) use parser::Parser;

use millrace_model::Error;

use crate::limits::SHOWN_CHARACTERS_MAX;
use crate::tree::{Name, Statement};

/// All that is wrong with the syntax of a text, in its order.
pub fn check(text: &str) -> Vec<Error> {
    parse(text).err().unwrap_or_default()
}

/// The statements of a text in a normal form: operators in parentheses, one way to write each thing. Read again, it
/// stays the same.
///
/// # Errors
/// All that is wrong with the syntax.
pub fn normal_text(text: &str) -> Result<Vec<String>, Vec<Error>> {
    Ok(parse(text)?.iter().map(ToString::to_string).collect())
}

/// The statements of a text, or all that is wrong with it in the order of the text.
///
/// # Errors
/// Of kind `BadQuery` in `Phase::Parse`, each with a position; `Unsupported` for what is known by name;
/// `LimitReached` beyond a bound.
pub(crate) fn parse(text: &str) -> Result<Vec<Statement>, Vec<Error>> {
    read(text).map_err(|errors| errors.into_iter().map(Error::from).collect())
}

/// The same, each error with its name.
pub(crate) fn read(text: &str) -> Result<Vec<Statement>, Vec<SyntaxError>> {
    let (tokens, of_tokens) = lexer::tokens(text).map_err(|error| vec![error])?;
    let mut parser = Parser::new(text, tokens);
    let statements = parser.statements();
    let mut errors = parser.into_errors();
    // A number may be wrong in itself and unexpected besides; the latter is the simpler message.
    let is_new =
        |new: &SyntaxError| errors.iter().all(|old| old.error.position != new.error.position);
    let of_tokens: Vec<SyntaxError> = of_tokens.into_iter().filter(is_new).collect();
    errors.extend(of_tokens);
    errors.sort_by_key(|error| error.error.position.map(|at| (at.line, at.column)));
    if errors.is_empty() { Ok(statements) } else { Err(errors) }
}

/// The names of the parameters in a text, each as often as it occurs; of a text that does not parse none.
pub(crate) fn parameters(text: &str) -> Vec<Name> {
    let Ok((tokens, _)) = lexer::tokens(text) else { return Vec::new() };
    let name = |placed: lexer::Placed<'_>| match placed.token {
        Token::Parameter(name) => Some(name),
        _ => None,
    };
    tokens.into_iter().filter_map(name).collect()
}

/// The beginning of a piece of text, for an error.
fn shown(written: &str) -> String {
    match written.char_indices().nth(SHOWN_CHARACTERS_MAX) {
        Some((end, _)) => format!("{}…", written.get(..end).unwrap_or_default()),
        None => written.to_owned(),
    }
}
