//! What is wrong with a script, without running it: Lua's own compiler reads it.
//!
//! The compiler stops at the first error. A function that does not exist is a global like any other until the script
//! runs, so it is no error here.

use millrace_model::{Error, ErrorKind};
use mlua::chunk::ChunkMode;
use mlua::{Lua, LuaOptions, StdLib};

use crate::limits::SCRIPT_TEXT_BYTES_MAX;

use super::answer::{compile_any, is_for_all};
use crate::error::script_error;

/// Fails where a text is no script; the error names its line as `script:LINE:`.
pub fn check(text: &str) -> Result<(), Error> {
    if SCRIPT_TEXT_BYTES_MAX < text.len() {
        let detail = format!("a script has at most {SCRIPT_TEXT_BYTES_MAX} bytes");
        return Err(Error::new(ErrorKind::LimitReached, detail));
    }
    let failed = |error: mlua::Error| script_error(&error, None).error;
    let lua = Lua::new_with(StdLib::NONE, LuaOptions::default()).map_err(failed)?;
    let compiled = compile_any(text, is_for_all(text), |script| {
        lua.load(&script.chunk).set_name("=script").set_mode(ChunkMode::Text).into_function()
    });
    compiled.map(drop).map_err(failed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_that_is_none_is_refused_with_its_line() {
        for text in ["1", "local x = 1\nx, 2", "--ALL\nx = 1", "{\n1\n}"] {
            assert_eq!(check(text), Ok(()), "{text}");
        }
        for (text, words) in [
            ("x = = 1\n1", "script:1:"),
            ("local x = 1\nlocal y = (\ny\n", "script:3:"),
            ("", "empty"),
            ("x = 1", "expression"),
        ] {
            let error = check(text).unwrap_err();
            assert!(error.detail.contains(words), "{text}: {error}");
        }
    }
}
