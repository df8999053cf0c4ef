//! The texts of statements inside of calls: read with line numbers of their own, and with their parameters replaced.

use millrace_model::{Error, ErrorKind, Phase, TextPosition};

use super::Expanded;
use crate::limits::INNER_NESTING_MAX;
use crate::text;
use crate::tree::{Body, SingleQuery, Statement};

/// The lines of the text of one call begin at a multiple of this.
pub(super) const LINES: u32 = 1 << 20;

/// The clauses of a text without `UNION`, with lines from a number on.
pub(super) fn clauses_of(text: &str, first_line: u32) -> Expanded {
    Ok(single(text, first_line)?.clauses)
}

/// The same as a query.
pub(super) fn single(text: &str, first_line: u32) -> Result<SingleQuery, Vec<Error>> {
    let parsed = text::parse_from(text, first_line)?;
    let at = TextPosition { line: first_line, column: 1 };
    if INNER_NESTING_MAX < parsed.levels {
        let detail = format!(
            "the text of a statement inside of a call nests more than {INNER_NESTING_MAX} levels deep"
        );
        return Err(vec![
            Error::new(ErrorKind::LimitReached, detail).in_phase(Phase::Compile).at(at),
        ]);
    }
    let mut statements = parsed.statements.into_iter();
    if let (Some(Statement { body: Body::Query(query), .. }), None) =
        (statements.next(), statements.next())
        && let [single] = query.parts.as_slice()
    {
        return Ok(single.clone());
    }
    let detail = "the text of a statement inside of a call is one query without UNION";
    let error = Error::new(ErrorKind::Unsupported, detail).in_phase(Phase::Compile);
    Err(vec![error.at(at)])
}

/// A text with its parameters replaced by other texts; the error names one that has none.
pub(super) fn replaced(
    text: &str,
    replacement: &dyn Fn(&str) -> Option<String>,
) -> Result<String, Vec<Error>> {
    let mut output = String::new();
    let mut behind = 0;
    for (name, range) in text::parameter_ranges(text)? {
        let Some(own) = replacement(&name) else {
            let detail = format!("the parameter ${name} of an inner statement is not given");
            let error = Error::new(ErrorKind::BadQuery, detail).in_phase(Phase::Compile);
            let help = "an inner statement has the parameters that the call gives it";
            return Err(vec![error.with_name("MissingParameter").with_help(help)]);
        };
        output.push_str(&text[behind..range.start]);
        output.push_str(&own);
        behind = range.end;
    }
    output.push_str(&text[behind..]);
    Ok(output)
}
