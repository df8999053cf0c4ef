//! The texts of Dgraph's suite: all are read, but those that Dgraph refuses by their syntax.

use millrace_testkit::require;

use crate::texts::{Kind, is_read, normal_text, suite};

/// Entries that Dgraph refuses by their syntax: unclosed braces, a root without `func`, a quoted predicate, a root
/// function that there is not, two keywords that there are not.
const REFUSED: [usize; 6] = [258, 259, 335, 340, 341, 342];

#[test]
fn the_texts_of_the_suite_are_read() {
    let found = suite();
    if !require("texts of Dgraph's suite", found.is_some()) {
        return;
    }
    let texts = found.unwrap_or_default();
    let refused: Vec<usize> = texts
        .iter()
        .filter(|text| !is_read(text.kind, &text.text))
        .map(|text| text.entry)
        .collect();
    for text in texts.iter().filter(|text| refused.contains(&text.entry)) {
        let error = normal_text(text.kind, &text.text).err();
        println!(
            "{}: {} (Dgraph: {:?})",
            text.entry,
            error.map(|error| error.to_string()).unwrap_or_default(),
            text.error
        );
    }
    assert_eq!(refused, REFUSED);
    let count = |kind| texts.iter().filter(|text| text.kind == kind).count();
    let counts = [count(Kind::Document), count(Kind::Condition), count(Kind::Schema)];
    println!("documents, conditions, schemas: {counts:?}");
    assert!(counts[0] > 580 && counts[1] > 140 && counts[2] > 30, "{counts:?}");
}

#[test]
fn an_error_of_the_suite_has_the_words_of_dgraph() {
    let found = suite();
    if !require("errors of Dgraph's suite", found.is_some()) {
        return;
    }
    for text in
        found.unwrap_or_default().iter().filter(|text| [335, 340, 341, 342].contains(&text.entry))
    {
        let error = normal_text(text.kind, &text.text).expect_err("it is refused");
        let expected = text.error.as_deref().expect("Dgraph refuses it");
        assert!(expected.ends_with(&error.detail), "{}: {expected}: {error}", text.entry);
    }
}
