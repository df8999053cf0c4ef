//! Which delimiter a line is written with, where it is not the one that was said. The answer is a hint for
//! the user and never changes how a file is read.

use super::dialect::Dialect;
use super::value::is_role_or_type;

/// Delimiters that files have, each with the name of several and the word of `--delimiter`.
const KNOWN: [(char, &str, &str); 4] = [
    (';', "semicolons", "';'"),
    ('\t', "tabs", "TAB"),
    ('|', "bars", "'|'"),
    (',', "commas", "','"),
];

/// Others, which a name may contain: only several roles or types prove them.
const RARE: [char; 7] = [' ', '^', '~', '!', '#', '&', '\u{1}'];

/// The hint for a header that is written with another delimiter; `None` if it may be written with this one.
///
/// Another one fits if it makes several fields of the line, and the given one stands in none of them but
/// in those in quotes. A field is no name then, whatever stands in it.
pub(super) fn of_header(line: &str, dialect: Dialect) -> Option<String> {
    let delimiter = char::from(dialect.delimiter);
    let fields = |other: char| {
        let (fields, plain) = split(line, other, dialect);
        let fits = 1 < fields.len() && other != delimiter && !plain.contains(delimiter);
        fits.then_some(fields)
    };
    let known = KNOWN.iter().filter_map(|(other, ..)| Some((fields(*other)?.len(), *other)));
    if let Some((_, other)) = known.max_by_key(|(count, _)| *count) {
        return Some(hint(other, dialect));
    }
    let is_typed = |field: &&&str| {
        field.rsplit_once(':').is_some_and(|(_, word)| is_role_or_type(word.trim()))
    };
    let proven = |other: &char| {
        fields(*other).is_some_and(|fields| 1 < fields.iter().filter(is_typed).count())
    };
    RARE.into_iter().find(proven).map(|other| hint(other, dialect))
}

/// The hint for a row of one field where the header has several.
pub(super) fn of_row(line: &str, expected: usize, dialect: Dialect) -> Option<String> {
    let fits = |other: &char| split(line, *other, dialect).0.len() == expected;
    let mut known = KNOWN.iter().map(|(other, ..)| *other);
    let other = known.find(|other| *other != char::from(dialect.delimiter) && fits(other))?;
    Some(hint(other, dialect))
}

/// How a delimiter is named.
pub(super) fn name(delimiter: char) -> String {
    let known = KNOWN.iter().find(|(known, ..)| *known == delimiter);
    match (known, delimiter) {
        (Some((_, name, _)), _) => (*name).to_owned(),
        (None, ' ') => "spaces".to_owned(),
        (None, other) => format!("'{}'", other.escape_debug()),
    }
}

fn hint(other: char, dialect: Dialect) -> String {
    let known = KNOWN.iter().find(|(known, ..)| *known == other);
    let word = match known {
        Some((_, _, word)) => (*word).to_owned(),
        None if other == '\u{1}' => "$'\\x01'".to_owned(),
        None => format!("'{other}'"),
    };
    // One character cannot be both.
    let array = match other == dialect.array_delimiter {
        true => " --array-delimiter ','",
        false => "",
    };
    format!("its fields seem to be between {}: use --delimiter {word}{array}", name(other))
}

/// The fields of a line, and the text of those that do not stand in quotes. What stands in parentheses
/// or braces is the space or the options of one field.
pub(super) fn split(line: &str, delimiter: char, dialect: Dialect) -> (Vec<&str>, String) {
    let quote = char::from(dialect.quote);
    let (mut fields, mut plain) = (Vec::new(), String::new());
    let (mut start, mut is_quoted, mut depth) = (0, false, 0_u32);
    for (at, letter) in line.char_indices() {
        match letter {
            // A quote within a quoted field is written twice, and so opens it again.
            letter if letter == quote && (is_quoted || line[start..at].trim().is_empty()) => {
                is_quoted = !is_quoted;
            }
            letter if letter == quote && line[start..at].ends_with(quote) => is_quoted = true,
            _ if is_quoted => {}
            letter if letter == delimiter && depth == 0 => {
                fields.push(line[start..at].trim());
                start = at + letter.len_utf8();
            }
            '(' | '{' => depth += 1,
            ')' | '}' => depth = depth.saturating_sub(1),
            letter => plain.push(letter),
        }
    }
    fields.push(line[start..].trim());
    (fields, plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn other(line: &str) -> String {
        of_header(line, Dialect::default()).unwrap_or_default()
    }

    #[test]
    fn another_delimiter_is_named_wherever_it_makes_the_fields() {
        for line in [
            ":ID;name;:LABEL",
            "personId:ID(Person);name;age:int;:LABEL",
            "\":ID\";\"name\";\":LABEL\"",
            "\":ID\";\"name, first\";\":LABEL\"",
            ":ID;\"name, \"\"first\"\"\";:LABEL",
            "name;\"a, b\";:LABEL",
            "name;age",
            ":ID(A|B);name",
            ":ID;p:point{crs:WGS-84}",
        ] {
            let expected = "its fields seem to be between semicolons: use --delimiter ';' \
                            --array-delimiter ','";
            assert_eq!(other(line), expected, "{line}");
        }
        assert!(other(":ID\tname\t:LABEL").ends_with("between tabs: use --delimiter TAB"));
        assert!(other(":ID|name|:LABEL").ends_with("between bars: use --delimiter '|'"));
        assert!(other("id:ID first name:LABEL").ends_with("between spaces: use --delimiter ' '"));
        assert!(other("id:ID^:LABEL").ends_with("between '^': use --delimiter '^'"));
        let tabs = Dialect { delimiter: b'\t', ..Dialect::default() };
        let commas = of_header("id:ID,name", tabs).unwrap();
        assert!(commas.ends_with("between commas: use --delimiter ','"), "{commas}");
    }

    #[test]
    fn a_header_with_its_delimiter_may_contain_others() {
        for line in [
            "id:ID,name,:LABEL",
            "id:ID,name;first,:LABEL",
            "id:ID,\"a;b\",:LABEL",
            "\"a;b\"",
            "\"a;b\":string",
            ":ID",
            "first name",
            ":ID(A;B)",
            ":ID(A B)",
            "id:ID,a|b",
            "a#b:int",
            "",
        ] {
            assert_eq!(other(line), "", "{line}");
        }
    }
}
