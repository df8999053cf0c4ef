//! The page of the language in `docs/reference` agrees with its tables.

use std::fs;
use std::path::Path;

use millrace_dql::language_page;

#[test]
fn the_page_of_the_language_is_current() {
    let wanted = language_page();
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/dql.md");
    if std::env::var("MILLRACE_REWRITE_GOLDENS").is_ok_and(|value| value == "1") {
        fs::write(&file, &wanted).expect("the page can be written");
    }
    let found = fs::read_to_string(&file).unwrap_or_default();
    assert!(found == wanted, "docs/reference/dql.md: MILLRACE_REWRITE_GOLDENS=1 mends it");
}
