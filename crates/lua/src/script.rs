//! The text of a script: its last expression is its answer.
//!
//! RageDB's rule: the *last line* is the result; with a comma outside double quotes in it, the
//! answer is the array of its values. Accepted beyond that: trailing empty lines, a last expression
//! over several lines, and an explicit `return`.

/// A script cut into statements and the expression of its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Script {
    /// What is compiled.
    pub chunk: String,
}

/// Whether the first line asks for the script to run in every interpreter.
pub(crate) fn is_for_all(text: &str) -> bool {
    text.lines().next().is_some_and(|line| line.trim_end() == "--ALL")
}

/// The chunks to try, best first: the last line as the answer, then more lines, then the text with
/// its own `return`. All are tried by compiling only.
pub(crate) fn candidates(text: &str) -> impl Iterator<Item = Script> + '_ {
    let text = text.trim_end();
    let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1));
    let starts: Vec<usize> = starts.collect();
    starts.into_iter().rev().map(move |start| answer_from(&text[..start], &text[start..]))
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
        assert!(is_for_all("--ALL\nx = 1"));
        assert!(!is_for_all("x = 1\n--ALL"));
    }
}
