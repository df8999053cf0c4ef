//! Texts and their normal form, or all that is wrong with them.

use millrace_cypher::normal_text;
use millrace_model::Error;
use millrace_testkit::golden::{Case, check_folder};

#[test]
fn texts_read_as_their_goldens() {
    check_folder(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/goldens/text"), read_all);
}

/// The texts of a case stand apart by lines of three dashes.
fn read_all(case: &Case) -> String {
    case.input.split("\n---\n").map(read).collect::<Vec<_>>().join("\n")
}

fn read(text: &str) -> String {
    match normal_text(text) {
        Ok(statements) => {
            let normal = statements.join(";\n");
            assert_eq!(normal_text(&normal).map(|again| again.join(";\n")), Ok(normal.clone()));
            normal
        }
        Err(errors) => errors.iter().map(shown).collect::<Vec<_>>().join("\n"),
    }
}

fn shown(error: &Error) -> String {
    let name = error.name.map(str::to_owned).unwrap_or_else(|| format!("{:?}", error.kind));
    format!("{name}: {error}")
}
