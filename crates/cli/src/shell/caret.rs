//! The line of a text at which an error is, with a mark under the place.

use millrace_model::{Error, TextPosition};
use unicode_width::UnicodeWidthChar;

/// Characters of a line before and behind the place.
const AROUND: usize = 60;

/// The line and the mark, two lines; `None`: the error has no place in this text.
pub(crate) fn caret(text: &str, position: Option<TextPosition>) -> Option<String> {
    let TextPosition { line, column } = position?;
    let line = text.split('\n').nth(usize::try_from(line).ok()?.checked_sub(1)?)?;
    let column = usize::try_from(column).ok()?.checked_sub(1)?;
    let begin = column.saturating_sub(AROUND);
    // What moves the cursor would move the mark.
    let plain = |letter: char| if letter.width().is_some() { letter } else { ' ' };
    let shown: Vec<char> = line.chars().skip(begin).take(2 * AROUND).map(plain).collect();
    let before = shown.iter().take(column - begin).filter_map(|letter| letter.width()).sum();
    let shown: String = shown.iter().collect();
    Some(format!("{}\n{}^", shown.trim_end(), " ".repeat(before)))
}

/// An error as it is shown on a terminal.
pub(crate) fn shown(text: &str, error: &Error) -> String {
    match caret(text, error.position) {
        Some(caret) => format!("{caret}\n{error}"),
        None => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mark_is_under_the_position() {
        let at = |text: &str, line, column| caret(text, Some(TextPosition { line, column }));
        assert_eq!(at("g.V()\n .outt()", 2, 3).as_deref(), Some(" .outt()\n  ^"));
        assert_eq!(at("'日本' 1", 1, 6).as_deref(), Some("'日本' 1\n       ^"));
        assert_eq!(at("\tx", 1, 2).as_deref(), Some(" x\n ^"));
        let long = format!("{}!{}", "a".repeat(500), "b".repeat(500));
        let wanted = format!("{}!{}\n{}^", "a".repeat(60), "b".repeat(59), " ".repeat(60));
        assert_eq!(at(&long, 1, 501).as_deref(), Some(wanted.as_str()));
        assert_eq!(at("x", 1, 2).as_deref(), Some("x\n ^"), "the end of the text");
        assert_eq!((at("x", 3, 1), at("x", 0, 1), at("x", 1, 0)), (None, None, None));
    }
}
