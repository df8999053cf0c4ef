//! `regexp` and `match`: texts by patterns, and by how many edits they are away from another.

use std::collections::BTreeSet;

use millrace_model::{Error, ErrorKind, Result};
use millrace_plan::functions::Function as Scalar;
use millrace_plan::{ColumnId, Comparison, Expr};
use millrace_terms::KeyQuestion;
use millrace_terms::trigrams::{Case, of_pattern};

use super::go_syntax::of_go;
use super::{only_value, subject, values};
use crate::limits::MATCH_CHARACTERS_MAX;
use crate::schema::Kind;
use crate::translate::levels::Comes;
use crate::translate::translator::Translator;
use crate::tree::{Function, Value, ValueKind};

/// `regexp(name, /^Ann/i)`.
pub(super) fn regexp(
    translator: &mut Translator<'_>,
    node: ColumnId,
    function: &Function,
) -> Result<Expr> {
    let predicate = subject(translator, function)?;
    let value = only_value(translator, function)?;
    let (pattern, flags) = parts(translator, value)?;
    if !matches!(flags.as_str(), "" | "i") {
        let detail = format!("Invalid regexp modifier: {flags}");
        return Err(translator.wrong(value.offset, detail));
    }
    let question = of_pattern(&pattern, Case::Sensitive);
    question.map_err(|error| translator.wrong(value.offset, error.detail))?;
    let Some(named) = translator.named(predicate) else { return Ok(Expr::literal(false)) };
    let flags = if flags.is_empty() { "" } else { "(?i)" };
    let pattern = Expr::literal(format!("{flags}{pattern}").as_str());
    let matches = |value: Expr| Expr::call(Scalar::Matches, vec![value, pattern.clone()]);
    Ok(translator.some_value(node, &named, matches))
}

/// The pattern and its flags.
fn parts(translator: &mut Translator<'_>, value: &Value) -> Result<(String, String)> {
    if let ValueKind::Regexp { pattern, flags } = &value.kind {
        return Ok((of_go(&pattern.replace("\\/", "/")), flags.clone()));
    }
    let text = translator.operands.literal(value)?;
    match text.strip_prefix('/').and_then(|rest| rest.rsplit_once('/')) {
        Some((pattern, flags)) => Ok((of_go(pattern), flags.to_owned())),
        None => {
            let detail = format!(
                "Function 'regexp' requires a regular expression such as /^Ann/i, found {text}"
            );
            Err(translator.wrong(value.offset, detail))
        }
    }
}

/// All nodes that `regexp` finds by the index of trigrams, which a pattern must have.
pub(super) fn regexp_root(
    translator: &mut Translator<'_>,
    function: &Function,
) -> Result<(ColumnId, Comes)> {
    let predicate = subject(translator, function)?;
    let value = only_value(translator, function)?;
    if let Some(named) = translator.named(predicate)
        && !named.known.is_indexed_by(&["trigram"])
        && translator.schema.is_shown(&named.known)
    {
        let detail = format!(
            "Attribute {} does not have trigram index for regex matching. Please add a trigram index or use has/uid \
             function with regexp() as filter.",
            predicate.name
        );
        return Err(translator.wrong(predicate.offset, detail));
    }
    let (pattern, _) = parts(translator, value)?;
    if let Ok(KeyQuestion::Everything) = of_pattern(&pattern, Case::Sensitive) {
        let detail = "regular expression is too wide-ranging and can't be executed efficiently";
        let help = "write three letters that follow one another in every match";
        return Err(translator.wrong(value.offset, detail).with_help(help));
    }
    let node = translator.builder.scan(None, "node");
    let holds = regexp(translator, node, function)?;
    translator.builder.filter(holds);
    Ok((node, Comes::InOrder))
}

/// All nodes that `match` finds by the index: those with a trigram of the text.
pub(super) fn match_root(
    translator: &mut Translator<'_>,
    function: &Function,
) -> Result<(ColumnId, Comes)> {
    let predicate = subject(translator, function)?;
    let node = translator.builder.scan(None, "node");
    let holds = within_edits(translator, node, function)?;
    translator.builder.filter(holds);
    let Some(named) = translator.named(predicate) else { return Ok((node, Comes::InOrder)) };
    if !named.known.is_indexed_by(&["trigram"]) && translator.schema.is_shown(&named.known) {
        let detail = format!(
            "Attribute {} does not have trigram index for fuzzy matching. Please add a trigram index or use has/uid function \
             with match() as filter.",
            predicate.name
        );
        return Err(translator.wrong(predicate.offset, detail));
    }
    let Some(text) = values(translator, function)?.first().copied() else {
        return Ok((node, Comes::InOrder));
    };
    let wanted: Vec<char> = translator.operands.literal(text)?.chars().collect();
    if MATCH_CHARACTERS_MAX < wanted.len() {
        let detail =
            format!("match finds texts by one of at most {MATCH_CHARACTERS_MAX} characters");
        let error = translator.wrong(text.offset, detail);
        let error = Error { kind: ErrorKind::LimitReached, ..error };
        return Err(error.with_help("write a shorter text, or use has with match as its filter"));
    }
    let parts: BTreeSet<String> = wanted.windows(3).map(|part| part.iter().collect()).collect();
    let has_part = translator.some_value(node, &named, |value| {
        let has = |part: &String| {
            Expr::call(Scalar::Contains, vec![value.clone(), Expr::literal(part.as_str())])
        };
        Expr::Or(parts.iter().map(has).collect())
    });
    translator.builder.filter(has_part);
    Ok((node, Comes::InOrder))
}

/// `match(name, "Steven", 3)`.
pub(super) fn within_edits(
    translator: &mut Translator<'_>,
    node: ColumnId,
    function: &Function,
) -> Result<Expr> {
    let predicate = subject(translator, function)?;
    let [text, distance] = values(translator, function)?[..] else {
        let detail = "Function 'match' requires a text and the greatest distance";
        return Err(translator.wrong(function.offset, detail));
    };
    let most = translator.operands.number(distance)?;
    if most < 0 {
        let detail = format!("Levenshtein distance value must be greater than 0, got {most}");
        return Err(translator.wrong(distance.offset, detail));
    }
    let wanted = translator.operands.operand(text, Kind::String)?;
    let Some(named) = translator.named(predicate) else { return Ok(Expr::literal(false)) };
    let is_near = |value: Expr| {
        let arguments = vec![value.clone(), wanted.clone(), Expr::literal(most)];
        let is_text = Expr::compare(Comparison::NotEqual, value, Expr::literal(""));
        Expr::And(vec![is_text, Expr::call(Scalar::WithinEdits, arguments)])
    };
    Ok(translator.some_value(node, &named, is_near))
}
