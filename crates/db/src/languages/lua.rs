//! Lua as a language of queries: a script is one query, its answer the rows.

use std::sync::Arc;

use millrace_model::{Catalog, Error, ErrorKind, Result, TextPosition};
use millrace_plan::completion::Completion;
use millrace_ragedb::lua::{self, Access};

use super::entry::{Interpreted, Query};
use crate::graph::Graph;
use crate::ragedb::Script;
use crate::request::{QueryText, Results};

/// What a function says in a sandbox that does not have it.
const WRITES_ELSEWHERE: &str = " is not allowed here: send the script to /";

/// Lua with RageDB's functions.
pub(super) struct Lua;

impl Interpreted for Lua {
    fn name(&self) -> &'static str {
        "lua"
    }

    fn query_text(&self, text: &Arc<str>) -> QueryText {
        QueryText::Lua(Arc::clone(text))
    }

    fn run(&self, query: &Query, graph: &Arc<Graph>, results: &mut dyn Results) -> Result<()> {
        if query.is_profiled {
            let detail = "a Lua script has no profile: it runs step by step, without a plan";
            let error = Error::new(ErrorKind::Unsupported, detail);
            return Err(error.with_help("`log.slow-ms` logs the costliest operators of scripts"));
        }
        let access = if query.is_read_only { Access::ReadOnly } else { Access::Admin };
        let script = Script {
            text: Arc::clone(&query.text),
            access,
            parameters: query.parameters.clone(),
            limits: query.limits.clone(),
        };
        let answer = graph.run_script(script).map_err(|failure| {
            let detail = failure.lua_text.unwrap_or(failure.error.detail);
            let position = position_in(&query.text, &detail).or(failure.error.position);
            let is_refused = query.is_read_only && detail.contains(WRITES_ELSEWHERE);
            let help = is_refused.then(|| "or ask with `access`: `write`".to_owned());
            Error {
                detail,
                position,
                help: help.map(String::into_boxed_str).or(failure.error.help),
                ..failure.error
            }
        })?;
        results.begin(false);
        results.take_json(&answer)
    }

    fn check(&self, text: &str) -> Vec<Error> {
        let placed = |error: Error| Error { position: position_in(text, &error.detail), ..error };
        lua::check(text).err().map(placed).into_iter().collect()
    }

    fn complete(&self, text: &str, offset: usize, catalog: &Catalog) -> Vec<Completion> {
        lua::complete(text, offset, catalog)
    }
}

/// The place that an error of Lua names first: a line, from its first letter on.
fn position_in(text: &str, detail: &str) -> Option<TextPosition> {
    let (_, behind) = detail.split_once("script:")?;
    let (line, _) = behind.split_once(':')?;
    let line: u32 = line.parse().ok().filter(|line| 0 < *line)?;
    let own = text.split('\n').nth(usize::try_from(line).ok()? - 1).unwrap_or_default();
    let indent = own.chars().take_while(|letter| letter.is_whitespace()).count();
    Some(TextPosition { line, column: u32::try_from(indent + 1).unwrap_or(u32::MAX) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_lua_names_is_a_position() {
        let at = |detail| position_in("x = 1\n  y()", detail).map(|at| (at.line, at.column));
        assert_eq!(at("[string \"script\"]: script:2: no"), Some((2, 3)));
        assert_eq!(at("script:1: no"), Some((1, 1)));
        assert_eq!(at("script:9: no"), Some((9, 1)));
        assert_eq!(at("script:0: no"), None);
        assert_eq!(at("no"), None);
    }
}
