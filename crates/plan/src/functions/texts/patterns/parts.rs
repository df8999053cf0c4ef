//! The matches of a pattern in a text: replaced, between parts, and with their groups.

use millrace_model::{Result, Value, query_limits};
use regex_automata::meta::Regex;
use regex_automata::util::captures::Captures;

use crate::functions::arguments::{bad, check_bytes, check_entries};

/// The text with each match replaced. In the replacement `$1` and `${name}` are groups, and a backslash escapes.
pub(super) fn replace(regex: &Regex, text: &str, replacement: &str) -> Result<String> {
    let mut output = String::new();
    let mut behind = 0;
    for captures in regex.captures_iter(text) {
        let Some(whole) = captures.get_match() else { continue };
        query_limits::step_bytes(whole.end() - behind)?;
        output.push_str(&text[behind..whole.start()]);
        add_replacement(&captures, (text, replacement), &mut output)?;
        check_bytes(output.len())?;
        behind = whole.end();
    }
    output.push_str(&text[behind..]);
    check_bytes(output.len())?;
    Ok(output)
}

fn add_replacement(
    captures: &Captures,
    (text, replacement): (&str, &str),
    output: &mut String,
) -> Result<()> {
    let unknown = |group: &str| bad(format!("the pattern has no group `{group}`"));
    let mut rest = replacement;
    while let Some(at) = rest.find(['$', '\\']) {
        output.push_str(&rest[..at]);
        let is_escape = rest.as_bytes()[at] == b'\\';
        rest = &rest[at + 1..];
        if is_escape {
            let escaped =
                rest.chars().next().ok_or_else(|| bad("a backslash ends the replacement"))?;
            output.push(escaped);
            rest = &rest[escaped.len_utf8()..];
            continue;
        }
        let span = match rest.strip_prefix('{') {
            Some(inner) => {
                let (name, behind) = inner.split_once('}').ok_or_else(|| unknown(inner))?;
                rest = behind;
                captures.get_group_by_name(name)
            }
            None => {
                let (group, length) = group_number(rest, captures.group_len());
                let group = group.ok_or_else(|| unknown(&rest[..length]))?;
                rest = &rest[length..];
                captures.get_group(group)
            }
        };
        output.push_str(span.map_or("", |span| &text[span.start..span.end]));
    }
    output.push_str(rest);
    Ok(())
}

/// The group that digits name, of which as many count as there is a group for; and how many these are.
fn group_number(text: &str, groups: usize) -> (Option<usize>, usize) {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let known = |length: &usize| text[..*length].parse::<usize>().is_ok_and(|group| group < groups);
    match (1..=digits).rev().find(known) {
        Some(length) => (text[..length].parse().ok(), length),
        None => (None, digits),
    }
}

/// The parts between matches: as many as the limit at most, or all but empty ones at the end.
pub(super) fn split<'t>(
    regex: &Regex,
    text: &'t str,
    limit: i64,
) -> Result<impl Iterator<Item = Value> + 't> {
    let mut parts = Vec::new();
    let mut behind = 0;
    for found in regex.find_iter(text) {
        if limit > 0 && parts.len() as i64 == limit - 1 {
            break;
        }
        // An empty match at the start gives no empty part.
        if found.end() == 0 {
            continue;
        }
        query_limits::step_bytes(found.end() - behind)?;
        if parts.len() == parts.capacity() {
            check_entries(parts.len())?;
        }
        parts.push(&text[behind..found.start()]);
        behind = found.end();
    }
    parts.push(&text[behind..]);
    while limit == 0 && 1 < parts.len() && parts.last().is_some_and(|last| last.is_empty()) {
        parts.pop();
    }
    Ok(parts.into_iter().map(Value::string))
}

/// For each match a list of it and its groups.
pub(super) fn groups<'t>(regex: &'t Regex, text: &'t str) -> impl Iterator<Item = Value> + 't {
    let group = move |captures: &Captures, group: usize| {
        let span = captures.get_group(group);
        span.map_or(Value::Null, |span| Value::string(&text[span.start..span.end]))
    };
    let of_match = move |captures: Captures| {
        let all = (0..captures.group_len()).map(|number| group(&captures, number));
        Value::list(all.collect())
    };
    regex.captures_iter(text).map(of_match)
}

#[cfg(test)]
mod tests {
    use millrace_model::Value;

    use crate::functions::Function;

    #[test]
    fn matches_of_a_pattern_are_replaced_split_at_and_listed() {
        let replaced = |text: &str, pattern: &str, by: &str| {
            Function::ReplacePattern.call(&[text.into(), pattern.into(), by.into()])
        };
        for (text, pattern, by, wanted) in [
            ("Hello World!", "[^a-zA-Z]", "", "HelloWorld"),
            ("a-b c-d", r"(\w)-(\w)", "$2$1", "ba dc"),
            ("a-b", r"(?<x>a)", r"\$${x}", "$a-b"),
            ("aaa", "", "-", "-a-a-a-"),
        ] {
            assert_eq!(replaced(text, pattern, by), Ok(wanted.into()));
        }
        replaced("a", "a", "$1").expect_err("no such group");
        let split = |text: &str, pattern: &str, limit: i64| {
            let parts =
                Function::SplitByPattern.call(&[text.into(), pattern.into(), Value::I64(limit)]);
            let Ok(Value::List(parts)) = parts else { panic!("{parts:?}") };
            parts
                .iter()
                .map(|part| part.as_str().unwrap_or_default().to_owned())
                .collect::<Vec<_>>()
        };
        assert_eq!(split("a, b,c,,", ", *", 0), ["a", "b", "c"]);
        assert_eq!(split("a,b,c", ",", 2), ["a", "b,c"]);
        assert_eq!(split("abc", "", 0), ["a", "b", "c"]);
        let groups = Function::PatternGroups.call(&["a1 b".into(), r"(\w)(\d)?".into()]);
        let match_of = |parts: [Value; 3]| Value::list(parts.to_vec());
        let wanted = [
            match_of(["a1".into(), "a".into(), "1".into()]),
            match_of(["b".into(), "b".into(), Value::Null]),
        ];
        assert_eq!(groups, Ok(Value::list(wanted.to_vec())));
    }
}
