//! Texts and their normal form, or what is wrong with them.

use millrace_testkit::golden::{Case, check_folder};

use crate::texts::{Kind, is_read, normal_text};

#[test]
fn texts_read_as_their_goldens() {
    check_folder(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/goldens"), read_all);
}

/// The texts of a case stand apart by lines of three dashes.
fn read_all(case: &Case) -> String {
    let is_schema = case.file.file_stem().is_some_and(|name| name == "schemas");
    let kind = if is_schema { Kind::Schema } else { Kind::Document };
    let read = |text: &str| {
        is_read(kind, text);
        normal_text(kind, text).unwrap_or_else(|error| format!("{:?}: {error}", error.kind))
    };
    case.input.split("\n---\n").map(read).collect::<Vec<_>>().join("\n---\n")
}
