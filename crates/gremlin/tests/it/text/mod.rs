//! The text of Gremlin: goldens of each form, bounds, TinkerPop's scenarios.

mod bounds;
mod features;
mod speed;
mod variables;

use millrace_gremlin::text::{Language, parse};
use millrace_testkit::golden;

use crate::show;

/// Each input is read in both languages; where they differ, both are shown.
#[test]
fn every_form_reads_as_the_goldens_say() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/goldens/text");
    golden::check_folder(folder, |case| {
        case.input.split("\n---\n").map(in_both).collect::<Vec<_>>().join("\n")
    });
}

fn in_both(text: &str) -> String {
    let [gremlin, groovy] =
        [Language::Gremlin, Language::Groovy].map(|language| one(text, language));
    if gremlin == groovy { gremlin } else { format!("gremlin-lang: {gremlin}\ngroovy: {groovy}") }
}

fn one(text: &str, language: Language) -> String {
    match parse(text, language) {
        Ok(script) => show::script(&script),
        Err(error) => format!("{:?}: {error}", error.kind),
    }
}
