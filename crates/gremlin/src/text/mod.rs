//! The text of Gremlin to instructions: one grammar for `gremlin-lang` and for the Groovy that people write.
//!
//! ```text
//!   text ──lexer──> tokens ──statements──> Script
//!                             │  chains: source words, steps, endings
//!                             │     arguments: literals, collections, variables
//!                             │        calls: predicates, anonymous traversals, constants
//!                             │        strategies
//!                             └── refused: position, token found, tokens expected
//! ```
//!
//! The grammar is that of gremlin-lang 3.8. Both languages also take these constructs of Groovy:
//! statements, assignments, comments, triple quotes, casts. All other Groovy is refused by its name. A
//! name before a parenthesis is parsed as a step without a look-up, any other name is a variable; the
//! parser knows only the words of Gremlin that stand for constants.
//!
//! Syntax enters. No step is known here, no plan is made, and no value of a variable is read.

mod arguments;
mod behind;
mod calls;
mod casts;
mod chains;
mod lexer;
mod names;
mod numbers;
mod parser;
mod refused;
mod script;
mod statements;
mod strategies;
mod strings;
mod words;

use millrace_model::Result;

pub use script::{
    Ending, Expression, HIDDEN_PREFIX, NOW, RANDOM_UUID, Script, Statement, TransactionWord,
    Traversal, Variable,
};
pub(crate) use words::{
    CLASSES, PREDICATES, VALUE_WITH_CARDINALITY, constants_of, endings, is_predicate, predicates_of,
};

/// The language of a text, as the client states it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    /// `gremlin-lang`. A dollar sign in a string is one; statements need nothing between them.
    Gremlin,
    /// `gremlin-groovy`. A dollar sign before a name in double quotes is refused, as it would be another
    /// value; statements stand on lines of their own or behind semicolons.
    Groovy,
}

/// Parses a text, in time and memory linear in its length.
pub fn parse(text: &str, language: Language) -> Result<Script> {
    parser::Parser::new(text, language)?.script()
}
