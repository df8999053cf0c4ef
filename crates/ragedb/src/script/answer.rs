//! The text of a script: its last expression is its answer.
//!
//! RageDB's rule: the *last line* is the result; with a comma outside double quotes in it, the
//! answer is the array of its values. Accepted beyond that: trailing empty lines, a last expression
//! over several lines, and an explicit `return`. A text for all interpreters (`--ALL`) is statements;
//! RageDB appends its answer.

use crate::limits;

/// A script cut into statements and the expression of its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Script {
    /// The text to compile.
    pub chunk: String,
}

/// The message for a script that ends in a statement.
pub(crate) const NO_ANSWER: &str = "the last line of a script must be an expression, whose value is the \
     result (with a comma, a list); this script ends in a statement: add a line with its result, such as true";

/// The answer of a script for all.
pub const SENT_TO_ALL: &str = "Sent to All";

/// Whether the first line asks for the script to run in every interpreter.
pub(crate) fn is_for_all(text: &str) -> bool {
    let rest = text.strip_prefix("--ALL");
    rest.is_some_and(|rest| !rest.starts_with(|next: char| next.is_alphanumeric() || next == '_'))
}

/// A script for all: nothing in it is an answer.
pub(crate) fn for_all(text: &str) -> Script {
    Script { chunk: format!("{text}\nreturn json.encode(\"{SENT_TO_ALL}\")") }
}

/// The whole text as statements, to find its syntax error.
pub(crate) fn statements(text: &str) -> Script {
    Script { chunk: text.to_owned() }
}

/// The text with its last line as the answer, in nothing that its author did not write.
pub(crate) fn as_written(text: &str) -> Script {
    let (statements, answer) = at_last_line(text);
    let answer = answer.trim_start().strip_prefix("return ").unwrap_or(answer);
    Script { chunk: format!("{statements}return {answer}") }
}

fn at_last_line(text: &str) -> (&str, &str) {
    let text = text.trim_end();
    text.split_at(text.rfind('\n').map_or(0, |at| at + 1))
}

/// Words that begin a statement.
const STATEMENTS: [&str; 9] =
    ["for", "while", "if", "do", "repeat", "local", "function", "goto", "break"];

/// Whether the last line is meant as a statement.
pub(crate) fn ends_in_statement(text: &str) -> bool {
    let (_, line) = at_last_line(text);
    let word = line.trim_start().split(|next: char| !next.is_alphanumeric() && next != '_').next();
    word.is_some_and(|word| STATEMENTS.contains(&word) || word == "end") || is_assignment(line)
}

/// Whether a text begins with a name and `=`: within braces it would be a field.
fn is_assignment(text: &str) -> bool {
    let text = text.trim_start();
    let name = text.split(|next: char| !next.is_alphanumeric() && next != '_').next();
    let rest = text[name.map_or(0, str::len)..].trim_start();
    name.is_some_and(|name| !name.is_empty()) && rest.starts_with('=') && !rest.starts_with("==")
}

/// The chunks to try, best first: the last line as the answer, then more lines. An assignment over
/// several lines is none. All are tried by compiling only.
pub(crate) fn candidates(text: &str) -> impl Iterator<Item = Script> + '_ {
    let text = text.trim_end();
    let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1));
    let starts: Vec<usize> = starts.collect();
    let last = starts.last().copied();
    let starts = starts.into_iter().rev();
    let starts =
        starts.filter(move |start| Some(*start) == last || !is_assignment(&text[*start..]));
    starts.map(move |start| answer_from(&text[..start], &text[start..]))
}

fn answer_from(statements: &str, answer: &str) -> Script {
    let expression = answer.trim_end().trim_end_matches(';');
    let expression = expression.trim_start().strip_prefix("return ").unwrap_or(expression);
    let chunk = if has_comma(expression) {
        format!("{statements}return json.encode({{{expression}\n}})")
    } else {
        format!("{statements}return json.encode({expression}\n)")
    };
    Script { chunk }
}

/// Whether there is a comma outside double quotes.
fn has_comma(line: &str) -> bool {
    let mut quoted = false;
    let mut escaped = false;
    for character in line.chars() {
        match character {
            '\\' if quoted && !escaped => {
                escaped = true;
                continue;
            }
            '"' if !escaped => quoted = !quoted,
            ',' if !quoted => return true,
            _ => {}
        }
        escaped = false;
    }
    false
}

/// What comes of the first way to read a text that compiles; else the error about the text as it was written.
pub(crate) fn compile_any<T>(
    text: &str,
    is_for_all: bool,
    compile: impl Fn(&Script) -> mlua::Result<T>,
) -> mlua::Result<T> {
    if text.trim().is_empty() {
        return Err(mlua::Error::runtime("the script is empty"));
    }
    if is_for_all && let Ok(function) = compile(&for_all(text)) {
        return Ok(function);
    }
    for script in candidates(text).take(limits::ANSWER_LINES_MAX) {
        if let Ok(function) = compile(&script) {
            return Ok(function);
        }
    }
    match compile(&statements(text)) {
        Ok(_) if is_for_all => compile(&for_all(text)),
        Ok(_) => Err(mlua::Error::runtime(NO_ANSWER)),
        Err(error) if ends_in_statement(text) => Err(error),
        Err(error) => Err(compile(&as_written(text)).err().unwrap_or(error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(text: &str) -> String {
        candidates(text).next().expect("one line at least").chunk
    }

    #[test]
    fn the_last_line_is_the_answer() {
        assert_eq!(first("local a = 1\na"), "local a = 1\nreturn json.encode(a\n)");
        assert_eq!(first("a, b\n\n"), "return json.encode({a, b\n})");
        assert_eq!(first("\"a, b\""), "return json.encode(\"a, b\"\n)");
        assert_eq!(first("\"a\\\", b\""), "return json.encode(\"a\\\", b\"\n)");
        assert_eq!(first("return 7;"), "return json.encode(7\n)");
    }

    #[test]
    fn more_lines_are_tried_when_the_last_does_not_stand_alone() {
        let chunks: Vec<String> = candidates("x = 1\n{\n1\n}").map(|script| script.chunk).collect();
        assert_eq!(chunks[2], "x = 1\nreturn json.encode({\n1\n}\n)");
    }

    #[test]
    fn a_script_for_all_says_so_in_its_first_line() {
        for text in ["--ALL\nx = 1", "--ALL", "--ALL functions\r\nx = 1", "--ALL\r\nx = 1"] {
            assert!(is_for_all(text), "{text}");
        }
        assert!(!is_for_all("--ALLOW\nx = 1"));
        assert!(!is_for_all("x = 1\n--ALL"));
    }
}
