//! A regular expression in the syntax of Go, which Dgraph has, as one of the syntax that the engine has: what the two read
//! differently is written so that it means the same. No text is matched here, and no fault is found.

/// Characters of Go's `\d`, `\w` and `\s`, which are of ASCII alone; the engine's are of all scripts.
const DIGITS: &str = "0-9";
const WORDS: &str = "0-9A-Za-z_";
const BLANKS: &str = "\\t\\n\\f\\r ";

/// The pattern for the engine.
pub(super) fn of_go(pattern: &str) -> String {
    let mut to = String::with_capacity(pattern.len());
    let mut rest = pattern;
    let mut is_in_class = false;
    while let Some(own) = rest.chars().next() {
        let behind = rest.get(own.len_utf8()..).unwrap_or_default();
        let read = match own {
            '\\' => escaped(behind, is_in_class, &mut to),
            '[' if is_in_class => within_class(behind, &mut to),
            '[' => {
                is_in_class = true;
                opened(behind, &mut to)
            }
            ']' => {
                is_in_class = false;
                to.push(']');
                0
            }
            // In the engine two of these make one class of two.
            '&' | '~' if is_in_class && behind.starts_with(own) => {
                to.extend(['\\', own]);
                0
            }
            '{' if !is_in_class && !is_repetition(behind) => {
                to.push_str("\\{");
                0
            }
            other => {
                to.push(other);
                0
            }
        };
        rest = behind.get(read..).unwrap_or_default();
    }
    to
}

/// What stands behind a backslash; how many bytes of it are read.
fn escaped(behind: &str, is_in_class: bool, to: &mut String) -> usize {
    let Some(own) = behind.chars().next() else {
        to.push('\\');
        return 0;
    };
    let class = |characters: &str| format!("[{characters}]");
    let others = |characters: &str| format!("[^{characters}]");
    match own {
        'd' => to.push_str(&class(DIGITS)),
        'w' => to.push_str(&class(WORDS)),
        's' => to.push_str(&class(BLANKS)),
        'D' => to.push_str(&others(DIGITS)),
        'W' => to.push_str(&others(WORDS)),
        'S' => to.push_str(&others(BLANKS)),
        'b' if !is_in_class => to.push_str("(?-u:\\b)"),
        'Q' if !is_in_class => {
            let quoted = behind.get(1..).unwrap_or_default();
            let (text, end) = match quoted.split_once("\\E") {
                Some((text, _)) => (text, text.len() + 3),
                None => (quoted, behind.len()),
            };
            text.chars().for_each(|one| push_literal(one, to));
            return end;
        }
        // The name of a class, or the number of a character, which is no repetition.
        'p' | 'P' | 'x' if behind.get(1..).is_some_and(|rest| rest.starts_with('{')) => {
            let end = behind.find('}').map_or(behind.len(), |at| at + 1);
            to.push('\\');
            to.push_str(&behind[..end]);
            return end;
        }
        // In the engine these are ends of words.
        '<' | '>' => to.push(own),
        other => to.extend(['\\', other]),
    }
    own.len_utf8()
}

fn push_literal(one: char, to: &mut String) {
    if one.is_ascii_punctuation() && !matches!(one, '<' | '>') {
        to.push('\\');
    }
    to.push(one);
}

/// The beginning of a class: of `^` and of a bracket that is a member.
fn opened(behind: &str, to: &mut String) -> usize {
    to.push('[');
    let members = behind.strip_prefix('^').unwrap_or(behind);
    to.push_str(if members.len() < behind.len() { "^" } else { "" });
    let is_member = members.starts_with(']');
    to.push_str(if is_member { "\\]" } else { "" });
    behind.len() - members.len() + usize::from(is_member)
}

/// A bracket among the members of a class: it opens `[:alpha:]`, or is one of them.
fn within_class(behind: &str, to: &mut String) -> usize {
    let name = behind.strip_prefix(':').and_then(|rest| rest.split_once(":]"));
    match name {
        Some((name, _)) if name.chars().all(|one| one.is_ascii_alphabetic() || one == '^') => {
            to.push_str(&format!("[:{name}:]"));
            name.len() + 3
        }
        Some(_) | None => {
            to.push_str("\\[");
            0
        }
    }
}

/// Whether a brace opens `{2}`, `{2,}` or `{2,3}`.
fn is_repetition(behind: &str) -> bool {
    let Some((inside, _)) = behind.split_once('}') else { return false };
    let (least, most) = inside.split_once(',').unwrap_or((inside, ""));
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    !least.is_empty() && is_number(least) && is_number(most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_go_reads_differently_is_written_so_that_it_means_the_same() {
        let pairs = [
            (r"20\d9", r"20[0-9]9"),
            (r"^\w+\s\S", r"^[0-9A-Za-z_]+[\t\n\f\r ][^\t\n\f\r ]"),
            (r"[\d-]x", r"[[0-9]-]x"),
            (r"\bRun", r"(?-u:\b)Run"),
            (r"[\b]", r"[\b]"),
            (r"\Qa.b\E+", r"a\.b+"),
            (r"\Q(é", r"\(é"),
            (r"[[a]", r"[\[a]"),
            (r"[^]a]", r"[^\]a]"),
            (r"[[:alpha:]_]", r"[[:alpha:]_]"),
            (r"[[:x]", r"[\[:x]"),
            (r"[a&&b~~]", r"[a\&&b\~~]"),
            (r"a{2,3}{", r"a{2,3}\{"),
            (r"{,3}", r"\{,3}"),
            (r"\<b\>", r"<b>"),
            (r"\\d\", r"\\d\"),
        ];
        for (own, same) in pairs {
            assert_eq!(of_go(own), same, "{own}");
        }
    }
}
