//! Positions of a normalized text in the text it was made of.
//!
//! A literal and the variable in its place stand on one line, so lines agree and only columns move.

use millrace_model::TextPosition;

use super::normalized::{PREFIX, is_number_part, normalize};

/// The position in `text` that corresponds to a position in its normalized form. A position inside a variable
/// corresponds to the beginning of the literal that it replaces.
pub fn original_position(text: &str, position: TextPosition) -> TextPosition {
    let Some(normalized) = normalize(text) else { return position };
    let line = usize::try_from(position.line).unwrap_or(usize::MAX).saturating_sub(1);
    match (normalized.text.split('\n').nth(line), text.split('\n').nth(line)) {
        (Some(normalized), Some(original)) => {
            let column = original_column(normalized, original, position.column);
            TextPosition { column, ..position }
        }
        _ => position,
    }
}

/// The column of a line of the original text.
fn original_column(normalized: &str, original: &str, wanted: u32) -> u32 {
    let (mut normalized, mut original) = (normalized.chars().peekable(), original.chars());
    let (mut column, mut found) = (1, 1);
    while column < wanted
        && let Some(letter) = normalized.next()
    {
        column += 1;
        if letter != char::from(PREFIX) {
            original.next();
            found += 1;
            continue;
        }
        // The letter of the type, and the number.
        while normalized.next_if(char::is_ascii_alphanumeric).is_some() {
            column += 1;
        }
        if wanted < column {
            break;
        }
        let length = literal_length(original.as_str());
        original.by_ref().take(length).for_each(drop);
        found += u32::try_from(length).unwrap_or(u32::MAX);
    }
    found
}

/// Characters of the literal that a text begins with: a string without escapes, or a number.
fn literal_length(text: &str) -> usize {
    let mut letters = text.chars();
    match letters.next() {
        Some(quote @ ('\'' | '"')) => 2 + letters.take_while(|letter| *letter != quote).count(),
        Some(_) => 1 + letters.take_while(|letter| is_number_part(*letter)).count(),
        None => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_character_of_a_normalized_text_has_its_place_in_the_original() {
        for text in [
            "g.V().has('name', 'mürko').nothing(7).has(\"a\", -1.5)",
            "g.addV('p').property('ü', '')\n  .property('n', 3000000000) \n.property('x','y').no()",
            "g.inject('a\nb', 'c', 1, 22L).no()",
        ] {
            let normalized = normalize(text).expect("there are literals");
            let lines = normalized.text.split('\n').zip(text.split('\n'));
            for (line, (normalized, original)) in (1..).zip(lines) {
                let letters: Vec<char> = original.chars().collect();
                let mut in_variable = false;
                for (column, letter) in (1..).zip(normalized.chars()) {
                    let found = original_position(text, TextPosition { line, column });
                    let place = letters[found.column as usize - 1];
                    in_variable = letter == '$' || in_variable && letter.is_ascii_alphanumeric();
                    let fits = if in_variable {
                        "'\"-0123456789".contains(place)
                    } else {
                        place == letter
                    };
                    assert!(found.line == line && fits, "{text}: {line}:{column} is {found:?}");
                }
            }
        }
    }

    #[test]
    fn a_position_behind_a_line_or_a_text_stays_there() {
        let behind =
            |line, column| original_position("g.V('a', 10)", TextPosition { line, column });
        assert_eq!(behind(1, 13), TextPosition { line: 1, column: 12 }, "the last parenthesis");
        assert_eq!(behind(1, 14), TextPosition { line: 1, column: 13 });
        assert_eq!(behind(1, 99), TextPosition { line: 1, column: 13 });
        assert_eq!(behind(2, 3), TextPosition { line: 2, column: 3 });
    }
}
