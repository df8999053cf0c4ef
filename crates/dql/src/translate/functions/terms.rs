//! `allofterms`, `anyofterms`, `alloftext`, `anyoftext`, `ngram`: whether a text has some words.

use millrace_model::Result;
use millrace_plan::functions::{Function as Scalar, WordTest};
use millrace_plan::{ColumnId, Expr};

use super::{only_value, subject};
use crate::schema::Kind;
use crate::translate::translator::Translator;
use crate::tree::Function;

/// All of them.
const TESTS: [WordTest; 5] =
    [WordTest::AllTerms, WordTest::AnyTerm, WordTest::AllText, WordTest::AnyText, WordTest::Runs];

pub(super) fn test(
    translator: &mut Translator<'_>,
    node: ColumnId,
    function: &Function,
) -> Result<Expr> {
    let predicate = subject(translator, function)?;
    let value = only_value(translator, function)?;
    let Some(named) = translator.named(predicate) else { return Ok(Expr::literal(false)) };
    let wanted = translator.operands.argument(value, Kind::String)?;
    let language = predicate.languages.first().map_or("", |tag| tag.as_str());
    Ok(translator.some_value(node, &named, |value| {
        words_of(value, &function.name, (wanted.clone(), language))
    }))
}

/// Whether a text has words, as the function of a name asks.
pub(in crate::translate) fn words_of(
    value: Expr,
    name: &str,
    (wanted, language): (Expr, &str),
) -> Expr {
    let test = TESTS.into_iter().find(|test| test.name() == name);
    let test = test.unwrap_or(WordTest::AnyTerm);
    Expr::call(Scalar::WordTest(test), vec![value, wanted, Expr::literal(language)])
}
