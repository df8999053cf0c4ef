//! `allofterms`, `anyofterms`: whether a text has all of some words, or one of them.

use millrace_model::{Result, Value};
use millrace_plan::functions::Function as Scalar;
use millrace_plan::{ColumnId, Expr};

use super::{only_value, subject};
use crate::translate::translator::Translator;
use crate::tree::Function;

pub(super) fn test(
    translator: &mut Translator<'_>,
    node: ColumnId,
    function: &Function,
) -> Result<Expr> {
    let predicate = subject(translator, function)?;
    let value = only_value(translator, function)?;
    let Some(named) = translator.named(predicate) else { return Ok(Expr::literal(false)) };
    let text = translator.operands.literal(value)?;
    let language = predicate.languages.first().map_or("", |tag| tag.as_str());
    Ok(translator.some_value(node, &named, |value| terms_of(value, &function.name, (&text, language))))
}

/// Whether a text has all of some words (`allofterms`), or one of them.
pub(in crate::translate) fn terms_of(
    value: Expr,
    name: &str,
    (text, language): (&str, &str),
) -> Expr {
    let words = Scalar::Terms.call(&[Value::from(text), Value::from(language)]);
    let words = words.unwrap_or_default();
    let words: Vec<Value> = match words {
        Value::List(words) => words.to_vec(),
        _ => Vec::new(),
    };
    if words.is_empty() {
        return Expr::literal(false);
    }
    let own = Expr::call(Scalar::Terms, vec![value, Expr::literal(language)]);
    let has = |word: Value| Expr::InList { item: Box::new(Expr::Literal(word)), list: Box::new(own.clone()) };
    let tests = words.into_iter().map(has).collect();
    match name {
        "allofterms" => Expr::And(tests),
        _ => Expr::Or(tests),
    }
}
