//! Hints for a header that cannot be used: the program whose header it resembles, or the missing option.

use super::delimiters;
use super::dialect::Dialect;
use super::value::FieldType;
use crate::error::excerpt;

/// A whole header with a row below, for a file without one.
const EXAMPLE: &str = "a header of nodes is `id:ID,name,age:int,:LABEL`, with rows such as \
                       `1,Ann,29,Person`, and one of relationships `:START_ID,:END_ID,:TYPE,since:int`, \
                       with rows such as `1,2,KNOWS,2019`";

/// A hint for a header line that resembles another format or delimiter; `None` if it resembles none.
pub(super) fn of_other(line: &str, dialect: Dialect) -> Option<String> {
    let line = line.trim();
    if line.starts_with('#') && dialect.comment.is_none() {
        return Some("the line begins with '#': if it is a comment, use --comment '#'".into());
    }
    if let Some(hint) = delimiters::of_header(line, dialect) {
        return Some(hint);
    }
    let delimiter = char::from(dialect.delimiter);
    let fields: Vec<String> = line.split([delimiter, ',', ';', '\t', '|']).map(plain).collect();
    let has = |name: &str| fields.iter().any(|field| field == name);
    if has("~from") || has("~to") {
        return Some(
            "this is a header of Neptune: write :START_ID for ~from, :END_ID for ~to, :TYPE for \
             ~label, and :IGNORE for ~id"
                .into(),
        );
    }
    if has("~id") {
        return Some(
            "this is a header of Neptune: write :ID for ~id, and :LABEL for ~label".into(),
        );
    }
    if has("source") && has("target") {
        return Some(
            "this is a header of Gephi: write :START_ID for Source, :END_ID for Target, and name the \
             relationships' type by --relationships TYPE=FILE"
                .into(),
        );
    }
    if has("id") && (has("label") || has("timeset")) && fields.len() <= 4 {
        return Some(
            "this is a header of Gephi, or has no types: write :ID for Id, name for Label, and name the \
             nodes' label by --nodes LABEL=FILE"
                .into(),
        );
    }
    None
}

fn plain(field: &str) -> String {
    field.trim().trim_matches('"').to_ascii_lowercase()
}

/// The words for a header that names neither nodes nor relationships.
pub(super) fn neither(line: &str, dialect: Dialect) -> String {
    let found = "expected a header with :ID or :LABEL (nodes), or with :START_ID and :END_ID \
                 (relationships), found neither";
    match of_other(line, dialect) {
        Some(hint) => format!("{found}; {hint}"),
        None => format!("{found}; {EXAMPLE}"),
    }
}

/// A hint for field names that look like values: the file may have no header.
pub(super) fn of_values<'a>(file: &str, names: impl Iterator<Item = &'a str>) -> Option<String> {
    let is_value = |name: &&str| {
        let name = name.trim();
        let number: Result<f64, _> = name.parse();
        let word = name.rsplit_once(':').map(|(_, word)| word);
        !name.is_empty()
            && word.is_none_or(|word| FieldType::from_word(word).is_none())
            && number.is_ok()
    };
    let name = names.into_iter().find(is_value)?;
    Some(format!(
        "{file}: the first line was taken for the header, and '{}' looks like a value: give the header in \
         a file of its own before this one (--nodes LABEL=HEADER,FILE)",
        excerpt(name)
    ))
}
