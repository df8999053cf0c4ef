//! Deadline checks, inserted into texts of Lua: no loop and no function runs long without one.
//!
//! Lua can count its instructions for that (a hook), but then each instruction is inspected, and a plain
//! loop takes twice as long. So a script's text is changed before it is compiled: a loop over numbers
//! becomes a loop of short loops with a check between them; other loops, functions and jumps back count
//! down. There is no hook behind this: a text that is not gone through to its end is refused, and code
//! that comes into a state by another way than [`DeadlineChecks::compile`] contains no loop.
//!
//! ```text
//!   text ──tokens──> ──blocks──> edits ──applied──> text that calls checks.lua ──> Lua
//! ```

mod blocks;
mod edits;
#[cfg(test)]
mod tests;
mod tokens;

use mlua::chunk::ChunkMode;
use mlua::{Function, Lua, Table};

use crate::limits::TOKENS_BETWEEN_CHECKS;
use edits::Names;

/// How loops are changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// To loops of loops, where that can be.
    Chunked,
    /// They count down: a function then has no more locals than it had.
    Counted,
}

/// Why a text that Lua compiles is not run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Refused {
    /// The byte where it is.
    at: usize,
    why: &'static str,
}

/// The deadline checks of one sandbox.
#[derive(Clone)]
pub(crate) struct DeadlineChecks {
    /// Makes the environment of a text from its globals.
    bind: Function,
}

/// A text to compile.
pub(crate) struct Text<'a> {
    pub(crate) bytes: &'a [u8],
    /// Its name in errors.
    pub(crate) name: &'a str,
}

impl DeadlineChecks {
    /// `check` fails once the time is up; `ipairs` is the one of the sandbox, and `behind` gives the
    /// table behind a list.
    pub(crate) fn new(
        lua: &Lua,
        check: &Function,
        ipairs: &Function,
        behind: &Function,
    ) -> mlua::Result<DeadlineChecks> {
        let chunk = lua.load(include_str!("checks.lua")).set_name("=checks");
        let bind = chunk.call((check, TOKENS_BETWEEN_CHECKS, ipairs, behind))?;
        Ok(DeadlineChecks { bind })
    }

    /// Compiles a text that is Lua; its errors are those of the text as it is.
    pub(crate) fn compile(
        &self,
        lua: &Lua,
        text: &Text<'_>,
        globals: &Table,
    ) -> mlua::Result<Function> {
        let load = |bytes: &[u8]| {
            let chunk = lua.load(bytes.to_vec()).set_name(text.name).set_mode(ChunkMode::Text);
            chunk.set_environment(self.bind.call::<Table>(globals)?).into_function()
        };
        load(text.bytes)?;
        let refuse = |refused: Refused| {
            let before = text.bytes[..refused.at.min(text.bytes.len())].iter();
            let line = 1 + before.filter(|&&byte| byte == b'\n').count();
            let (name, why) = (text.name.trim_start_matches(['=', '@']), refused.why);
            mlua::Error::runtime(format!(
                "{name}:{line}: this {why}, so it can't be stopped in time"
            ))
        };
        let chunked = with_checks(text.bytes, Form::Chunked).map_err(refuse)?;
        // Loops of loops have locals of their own, of which a function has 200 at most.
        match load(&chunked) {
            Ok(function) => Ok(function),
            Err(_) => load(&with_checks(text.bytes, Form::Counted).map_err(refuse)?),
        }
    }
}

/// A text with deadline checks in it.
fn with_checks(text: &[u8], form: Form) -> Result<Vec<u8>, Refused> {
    let names = Names::unused(text);
    Ok(blocks::edits(text, &names, form)?.applied(text))
}
