//! How requests name elements: by number, by address, and in a batch by `{n}`, the element of job n.

use std::ops::Range;

use millrace_model::Value;

use super::failure::Failure;
use super::operation::{Element, Subject};
use crate::neo4j_http::results::ElementKind;

/// The element of a job of the batch.
pub(super) type References<'a> = &'a dyn Fn(i64) -> Result<Subject, Failure>;

/// Outside of a batch no job has an element.
pub(super) fn no_references(id: i64) -> Result<Subject, Failure> {
    Err(Failure::bad_input(format!("`{{{id}}}` names a job of a batch, and this is none")))
}

/// The most digits between the braces.
const DIGITS_MAX: usize = 10;

/// The places of all `{n}` in a text.
pub(super) fn references_in(text: &str) -> Vec<(Range<usize>, i64)> {
    let mut found = Vec::new();
    for (start, _) in text.match_indices('{') {
        let behind = &text[start + 1..];
        let digits = behind.bytes().take_while(u8::is_ascii_digit).count();
        if (1..=DIGITS_MAX).contains(&digits)
            && behind[digits..].starts_with('}')
            && let Ok(id) = behind[..digits].parse()
        {
            found.push((start..start + digits + 2, id));
        }
    }
    found
}

/// The one `{n}` that a text is, if it is one.
pub(super) fn reference_of(text: &str) -> Option<i64> {
    match references_in(text).as_slice() {
        [(range, id)] if range.len() == text.len() => Some(*id),
        _ => None,
    }
}

/// The element that a text names: by its number, an address that closes with it, or `{n}`.
pub(super) fn element(
    text: &str,
    kind: ElementKind,
    references: References<'_>,
) -> Result<Element, Failure> {
    let last = text.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    if let Some(id) = reference_of(last) {
        let subject = references(id)?;
        if subject.kind != kind {
            let (wanted, found) = (kind.word(), subject.kind.word());
            let message = format!("`{{{id}}}` is a {found}, and a {wanted} is wanted");
            return Err(Failure::bad_input(message));
        }
        return Ok(subject.element);
    }
    last.parse().map(Element::Number).map_err(|_| {
        let kind = kind.word();
        Failure::bad_input(format!("`{text}` is neither the number nor the address of a {kind}"))
    })
}

/// The element that a value names.
pub(super) fn element_of(
    value: &Value,
    kind: ElementKind,
    references: References<'_>,
) -> Result<Element, Failure> {
    match (value.as_str(), value.as_int()) {
        (Some(text), _) => element(text, kind, references),
        (None, Some(number)) => Ok(Element::Number(number)),
        (None, None) => {
            let (kind, found) = (kind.word(), value.type_name());
            Err(Failure::bad_input(format!("a {kind} is named by its address, not by a {found}")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_found_in_texts() {
        let found =
            |text: &str| references_in(text).into_iter().map(|own| own.1).collect::<Vec<_>>();
        assert_eq!(found("{0}/a/{12}{x}{}{ 3}{4"), [0, 12]);
        assert_eq!(found("{12345678901}"), Vec::<i64>::new());
        assert_eq!((reference_of("{7}"), reference_of("{7}/x")), (Some(7), None));
    }

    #[test]
    fn elements_have_numbers_addresses_and_jobs() {
        let made = |id| {
            let element = Element::MadeBy(id as usize);
            Ok(Subject { kind: ElementKind::Node, element })
        };
        let node = |text: &str| element(text, ElementKind::Node, &made);
        assert_eq!(node("http://a:1/db/data/node/7"), Ok(Element::Number(7)));
        assert_eq!(node("-7"), Ok(Element::Number(-7)));
        assert_eq!(node("{3}"), Ok(Element::MadeBy(3)));
        assert!(node("x").is_err() && node("").is_err());
        assert!(element("{3}", ElementKind::Relationship, &made).is_err());
        assert!(element("{3}", ElementKind::Node, &no_references).is_err());
    }
}
