//! The page of functions in `docs/reference` agrees with their tables.

use std::fs;
use std::path::Path;

use millrace_cypher::functions_page;

#[test]
fn the_page_of_functions_is_current() {
    let wanted = functions_page();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference");
    let file = folder.join("cypher-functions.md");
    if std::env::var("MILLRACE_REWRITE_GOLDENS").is_ok_and(|value| value == "1") {
        fs::write(&file, &wanted).expect("the page can be written");
    }
    let found = fs::read_to_string(&file).unwrap_or_default();
    let remedy = "MILLRACE_REWRITE_GOLDENS=1 mends it";
    assert!(found == wanted, "docs/reference/cypher-functions.md: {remedy}");
}
