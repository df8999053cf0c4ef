//! Neo4j's interface of versions 1 to 3: its routes and their page.

use std::fs;
use std::path::Path;

use millrace_wire::neo4j_http::legacy::page;

#[test]
fn the_reference_page_is_current() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/neo4j-rest.md");
    if std::env::var("MILLRACE_REWRITE_GOLDENS").is_ok_and(|value| value == "1") {
        fs::write(&file, page()).expect("the page can be written");
    }
    let found = fs::read_to_string(&file).unwrap_or_default();
    assert!(found == page(), "docs/reference/neo4j-rest.md: MILLRACE_REWRITE_GOLDENS=1 mends it");
}
