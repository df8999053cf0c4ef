//! A header that is one field by mistake, most often because its line stands in quotes as a whole. Read as it
//! stands, its columns would be one name or one label.

use super::delimiters::{name, split};
use super::dialect::Dialect;
use super::header::has_type;
use super::plain::PlainColumns;
use crate::error::{LoadError, excerpt};

/// Roles that no part of a name is; `:IGNORE` loses nothing.
const MARKERS: [&str; 5] = ["ID", "START_ID", "END_ID", "LABEL", "TYPE"];

/// What is wrong with a header of one field that was meant as several. The first row is asked for where the
/// header alone does not tell.
pub(super) fn fault(
    line: &str,
    dialect: Dialect,
    said: &PlainColumns,
    first_row: impl FnOnce() -> Result<Option<String>, LoadError>,
) -> Result<Option<String>, LoadError> {
    let line = line.trim();
    let delimiter = char::from(dialect.delimiter);
    let given = name(delimiter);
    let Some(field) = in_quotes(line, dialect) else {
        let is_meant = !line.contains(delimiter) && 1 < markers(line);
        return Ok(is_meant.then(|| {
            format!(
                "this header is one field with several roles, '{}': write its fields between {given}",
                excerpt(line)
            )
        }));
    };
    let fields = split(&field, delimiter, dialect).0;
    let typed = fields.iter().filter(|field| has_type(field)).count();
    let quote = char::from(dialect.quote);
    let remedy = format!(
        "the line is in quotes ({quote}) as a whole, so that its fields are one: take away the quotes around \
         this line and around the rows, and write \"\" within them as one"
    )
    .replace('"', &quote.to_string());
    if 1 < markers(&field) || 1 < typed || 1 < fields.len() && 0 < markers(&field) {
        return Ok(Some(remedy));
    }
    if fields.len() < 2 || 0 < typed || said.names(&field) {
        return Ok(None);
    }
    // A name may hold a delimiter; then its values are no lines of as many fields.
    let Some(row) = first_row()? else { return Ok(None) };
    let is_line = match in_quotes(&row, dialect) {
        Some(row) => row.contains(delimiter),
        None => split(&row, delimiter, dialect).0.len() == fields.len(),
    };
    Ok(is_line.then(|| {
        format!(
            "{remedy}; if it is the name of one column, write its type into it: {quote}{}:string{quote}",
            excerpt(&field)
        )
    }))
}

/// How many roles a text has, without what stands in parentheses or braces.
fn markers(text: &str) -> usize {
    let (mut depth, mut plain) = (0_u32, String::new());
    for letter in text.chars() {
        match letter {
            '(' | '{' => depth += 1,
            ')' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            plain.push(letter);
        }
    }
    plain.split(':').skip(1).filter(|part| is_marker(part)).count()
}

/// Whether the text behind a colon begins with a role.
fn is_marker(part: &str) -> bool {
    let end = part.find(|letter: char| !letter.is_alphanumeric() && letter != '_');
    let word = &part[..end.unwrap_or(part.len())];
    MARKERS.iter().any(|marker| marker.eq_ignore_ascii_case(word))
}

/// The text of a line that is one field in quotes.
fn in_quotes(line: &str, dialect: Dialect) -> Option<String> {
    let quote = char::from(dialect.quote);
    let twice = format!("{quote}{quote}");
    let text = line.trim().strip_prefix(quote)?.strip_suffix(quote)?;
    let is_one = !text.replace(&twice, "").contains(quote);
    is_one.then(|| text.replace(&twice, &quote.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(line: &str, row: Option<&str>) -> String {
        let row = || Ok(row.map(str::to_owned));
        let said = PlainColumns::default();
        fault(line, Dialect::default(), &said, row).unwrap().unwrap_or_default()
    }

    #[test]
    fn a_line_in_quotes_as_a_whole_is_refused() {
        for line in [
            "\":ID,name,:LABEL\"",
            "\":ID;name;:LABEL\"",
            "\"id:ID(Person),name\"",
            "\":ID,\"\"first, last\"\",:LABEL\"",
            "\"a:int,b:string\"",
            "\"a,:TYPE\"",
        ] {
            let said = found(line, None);
            assert!(said.starts_with("the line is in quotes (\") as a whole"), "{line}: {said}");
        }
        for row in ["\"1,a,7\"", "1,a,7", "\"1,\"\"a, b\"\",7\""] {
            let said = found("\"id,name,age\"", Some(row));
            assert!(said.ends_with("write its type into it: \"id,name,age:string\""), "{said}");
        }
        let said = found("id:ID:name:LABEL", None);
        assert!(said.contains("'id:ID:name:LABEL': write its fields between commas"), "{said}");
    }

    #[test]
    fn a_name_may_hold_delimiters_and_colons() {
        for line in [
            "id:ID,name,:LABEL",
            "\"id:ID\",\"name\",\":LABEL\"",
            "\":ID(A,B)\"",
            "\"id:ID\"",
            ":ID",
            "id:ID(A){label:Type}",
            "name",
            "\"dc:title, short\"",
            "\"a,b:string\"",
            "\"\"",
            "\"",
            "",
        ] {
            assert_eq!(found(line, Some("x")), "", "{line}");
        }
        assert_eq!(found("\"last, first\"", None), "");
    }
}
