//! The output of `print`: lines for the log of the server, never part of an answer.
//!
//! Every printed line passes through one function ([`PrintLine`]), which the owner of the log may
//! replace ([`crate::lua::Interpreter::print_with`]). `io` knows types only.

use std::io::Write;

use mlua::{Lua, MultiValue, Table};

use crate::limits::{PRINTED_LINE_BYTES_MAX, PRINTED_LINES_MAX};
use crate::session::Session;

/// Takes a line that a script prints, without its line feed.
pub type PrintLine = fn(&str);

/// The sink for an interpreter's lines.
struct Output(PrintLine);

/// Writes a line to standard error; one that cannot be written is lost.
fn to_standard_error(line: &str) {
    let _ = writeln!(std::io::stderr(), "lua: {line}");
}

/// Gives the lines of a state's scripts to `print_line`.
pub(crate) fn set(lua: &Lua, print_line: PrintLine) {
    lua.set_app_data(Output(print_line));
}

/// Adds `print` and the remaining functions of `io` to a sandbox.
pub(crate) fn add(lua: &Lua, environment: &Table) -> mlua::Result<()> {
    let print = lua.create_function(|lua, values: MultiValue| print(lua, &values))?;
    environment.raw_set("print", print)?;
    let refuse = |name: &'static str| {
        lua.create_function(move |_, _: MultiValue| -> mlua::Result<()> {
            Err(mlua::Error::runtime(format!("{name}: a script cannot reach files")))
        })
    };
    let io = lua.create_table()?;
    io.raw_set("read", refuse("io.read")?)?;
    io.raw_set("type", lua.create_function(|_, _: MultiValue| Ok(mlua::Value::Nil))?)?;
    environment.raw_set("io", io)
}

/// `print`: the values as `tostring` writes them, a tab between. The log of a server is no place for
/// much: a script prints so many lines, and a line has so many bytes.
fn print(lua: &Lua, values: &MultiValue) -> mlua::Result<()> {
    let line = line_of(values)?;
    let printed = Session::of(lua)?.count_printed();
    let print_line = lua.app_data_ref::<Output>().map_or(to_standard_error as PrintLine, |to| to.0);
    if printed < PRINTED_LINES_MAX {
        print_line(&line);
    } else if printed == PRINTED_LINES_MAX {
        print_line("the script prints more lines than are shown");
    }
    Ok(())
}

/// One print is one line of the log, whatever is in it.
fn line_of(values: &MultiValue) -> mlua::Result<String> {
    let mut line = String::new();
    for (place, value) in values.iter().enumerate() {
        if 0 < place {
            line.push('\t');
        }
        line.push_str(&value.to_string()?);
        if PRINTED_LINE_BYTES_MAX < line.len() {
            line.truncate(line.floor_char_boundary(PRINTED_LINE_BYTES_MAX));
            line.push('…');
            break;
        }
    }
    Ok(line.replace(|next: char| next.is_control() && next != '\t', " "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_print_is_one_line_that_is_not_long() {
        let lua = Lua::new();
        let line = |text: &str| {
            let values = lua.load(format!("return {text}")).eval().expect("it is Lua");
            line_of(&values).expect("it prints")
        };
        assert_eq!(line("1, 'a', nil, true, 2.5"), "1\ta\tnil\ttrue\t2.5");
        assert_eq!(line("'a\\nERROR b\\27[2J'"), "a ERROR b [2J");
        let long = line("('ü'):rep(10000), 'more'");
        assert!(long.len() <= PRINTED_LINE_BYTES_MAX + 3 && long.ends_with('…'), "{}", long.len());
    }
}
