//! Why a message is dead, as the log has it: short, and without the values that an error may quote.
//!
//! The header of the dead letter has the whole text.

use millrace_model::Error;

use crate::limits::REASON_CHARS_MAX;

/// The reason of an error. That of a message which was read may quote its values: quoted texts and numbers become `?`.
pub(crate) fn reason(error: &Error, was_read: bool) -> String {
    let detail = if was_read { without_values(&error.detail) } else { error.detail.clone() };
    let text = match &error.help {
        Some(help) if !was_read => format!("{detail} ({help})"),
        _ => detail,
    };
    let mut short = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if let Some((end, _)) = short.char_indices().nth(REASON_CHARS_MAX) {
        short.truncate(end);
        short.push('…');
    }
    short
}

fn without_values(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text.chars().peekable();
    while let Some(letter) = rest.next() {
        // An apostrophe within a word begins no quotation.
        let is_in_word = out.chars().next_back().is_some_and(char::is_alphanumeric);
        if matches!(letter, '"' | '`') || letter == '\'' && !is_in_word {
            // What is not closed is left out to the end.
            rest.by_ref().find(|other| *other == letter);
            out.push('?');
        } else if letter.is_ascii_digit() && !is_in_word {
            while rest.next_if(|other| other.is_ascii_digit() || *other == '.').is_some() {}
            out.push('?');
        } else {
            out.push(letter);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use millrace_model::ErrorKind;

    use super::*;

    #[test]
    fn a_reason_has_no_value_of_a_message_that_was_read_and_is_short() {
        let detail = "a node with `Person` and `ssn` = '078-05-1120' isn't new, see 42.5 in \"x y";
        let error = Error::new(ErrorKind::Constraint, detail).with_help("send 078 again");
        assert_eq!(reason(&error, true), "a node with ? and ? = ? isn't new, see ? in ?");
        let unread = Error::new(ErrorKind::BadInput, "at byte 1,\n22 bytes").with_help("set it");
        assert_eq!(reason(&unread, false), "at byte 1, 22 bytes (set it)");
        let long = Error::new(ErrorKind::BadInput, "é ".repeat(REASON_CHARS_MAX));
        assert_eq!(reason(&long, true).chars().count(), REASON_CHARS_MAX + 1);
    }
}
