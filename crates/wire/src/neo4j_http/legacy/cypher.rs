//! Queries in Cypher, with parameters as it had them then: `{name}` for `$name`.

use std::sync::Arc;

use millrace_model::Value;

use super::failure::Failure;
use super::nodes::made;
use super::operation::{AnswerKind, Kind, Whole};
use super::routes::{At, Made, Route, route};
use crate::http::Method::Post;
use crate::limits::BINDINGS_MAX;

pub(super) const ROUTES: &[Route] = &[route(
    Post,
    "/cypher",
    "200: `{columns, data}` of `{query, params}`; `?includeStats=true`: `stats`, too",
    query,
)];

fn query(at: &At<'_>) -> Made {
    if at.flag("profile")? {
        return Err(Failure::unsupported(
            "`profile=true`",
            "write PROFILE in front of the query at /db/NAME/tx/commit",
        ));
    }
    let has_stats = at.flag("includeStats")?;
    let (text, parameters) = text_and_parameters(&at.body()?, "query")?;
    if first_word(&text).eq_ignore_ascii_case("START") {
        return Err(Failure::unsupported("`START`", "write `MATCH (n) WHERE id(n) = …`"));
    }
    let text = translate(&text, &parameters);
    made(Kind::Whole(Box::new(Whole::cypher(text, parameters, AnswerKind::Table { has_stats }))))
}

/// Values by their names.
type Parameters = Vec<(Arc<str>, Value)>;

/// A text by the name of its field, and values by name in `params`.
pub(super) fn text_and_parameters(
    body: &Value,
    field: &str,
) -> Result<(Arc<str>, Parameters), Failure> {
    let Value::Map(pairs) = body else {
        let message =
            format!("the body must be an object: {{\"{field}\": TEXT, \"params\": {{…}}}}");
        return Err(Failure::bad_input(message));
    };
    let find = |name: &str| {
        let found = pairs.iter().find(|(key, _)| key.as_str() == Some(name));
        found.map(|(_, value)| value)
    };
    let Some(Value::String(text)) = find(field) else {
        return Err(Failure::bad_input(format!("`{field}` must be a text")));
    };
    let parameters = match find("params") {
        None | Some(Value::Null) => Vec::new(),
        Some(Value::Map(pairs)) if pairs.len() <= BINDINGS_MAX => {
            let name = |key: &Value| Arc::from(key.as_str().unwrap_or_default());
            pairs.iter().map(|(key, value)| (name(key), value.clone())).collect()
        }
        Some(Value::Map(_)) => {
            return Err(Failure::bad_input(format!("at most {BINDINGS_MAX} parameters")));
        }
        Some(_) => return Err(Failure::bad_input("`params` must be an object")),
    };
    Ok((Arc::clone(text), parameters))
}

/// The first word, behind space and comments.
fn first_word(text: &str) -> &str {
    let mut rest = text.trim_start();
    loop {
        let behind = match (rest.strip_prefix("//"), rest.strip_prefix("/*")) {
            (Some(line), _) => line.split_once('\n').map_or("", |(_, behind)| behind),
            (None, Some(block)) => block.split_once("*/").map_or("", |(_, behind)| behind),
            (None, None) => break,
        };
        rest = behind.trim_start();
    }
    let end = rest.find(|own: char| !own.is_alphanumeric() && own != '_').unwrap_or(rest.len());
    &rest[..end]
}

/// Writes `{name}` as `$name` where there is a parameter of that name. A map has a colon, and what stands in strings,
/// comments and back quotes is passed over. A map projection of one variable looks the same, and is one unless a
/// parameter has the name of the variable.
pub(in super::super) fn translate(text: &Arc<str>, parameters: &[(Arc<str>, Value)]) -> Arc<str> {
    if parameters.is_empty() || !text.contains('{') {
        return Arc::clone(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = &**text;
    while let Some(first) = rest.chars().next() {
        let taken = match first {
            '\'' | '"' => quoted_length(rest, first, true),
            '`' => quoted_length(rest, first, false),
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
            '{' => match parameter(rest, parameters) {
                Some((name, length)) => {
                    out.push_str(&name);
                    rest = &rest[length..];
                    continue;
                }
                None => 1,
            },
            other => other.len_utf8(),
        };
        out.push_str(&rest[..taken]);
        rest = &rest[taken..];
    }
    Arc::from(out)
}

/// Bytes of a quoted text, its quotes included.
fn quoted_length(text: &str, quote: char, has_escapes: bool) -> usize {
    let mut is_escaped = false;
    for (index, own) in text.char_indices().skip(1) {
        match own {
            _ if is_escaped => is_escaped = false,
            '\\' if has_escapes => is_escaped = true,
            own if own == quote => return index + own.len_utf8(),
            _ => {}
        }
    }
    text.len()
}

/// A parameter in braces: how it is written now, and its bytes.
fn parameter(text: &str, parameters: &[(Arc<str>, Value)]) -> Option<(String, usize)> {
    let end = text.find('}')?;
    let inner = text[1..end].trim();
    let (name, is_quoted) = match inner.strip_prefix('`').and_then(|own| own.strip_suffix('`')) {
        Some(name) => (name, true),
        None => (inner, false),
    };
    let is_name = |own: char| own.is_alphanumeric() || own == '_';
    let is_one = !name.is_empty() && (is_quoted || name.chars().all(is_name));
    let is_known = is_one && parameters.iter().any(|(known, _)| **known == *name);
    is_known.then(|| (if is_quoted { format!("$`{name}`") } else { format!("${name}") }, end + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn translated(text: &str) -> String {
        let parameters = [("name".into(), Value::Null), ("0".into(), Value::Null)];
        translate(&Arc::from(text), &parameters).to_string()
    }

    #[test]
    fn parameters_in_braces_are_written_with_a_dollar() {
        assert_eq!(translated("MATCH (n {name}) RETURN n"), "MATCH (n $name) RETURN n");
        assert_eq!(translated("WHERE n.x = { name } LIMIT {0}"), "WHERE n.x = $name LIMIT $0");
        assert_eq!(translated("RETURN {`name`}"), "RETURN $`name`");
    }

    #[test]
    fn maps_strings_comments_and_other_braces_are_left() {
        for text in [
            "RETURN {name: 1}",
            "RETURN '{name}', \"\\\"{name}\", `{name}`",
            "RETURN 1 // {name}\n",
            "RETURN /* {name} */ 1",
            "RETURN n {other}",
            "RETURN n {.name}",
            "MATCH (()-->()){2} RETURN '{name",
            "{name",
        ] {
            assert_eq!(translated(text), text);
        }
    }

    #[test]
    fn the_first_word_is_behind_comments() {
        assert_eq!(first_word(" // x\n/* y */ start n"), "start");
        assert_eq!(first_word("// x"), "");
        assert_eq!(first_word("MATCH(n)"), "MATCH");
    }
}
