//! What of the crate stands outside it: the reference page.

use std::fs;
use std::path::Path;

#[test]
fn the_reference_page_is_the_one_the_table_makes() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/lua.md");
    let page = millrace_lua::reference_page();
    if std::env::var_os("MILLRACE_REWRITE_GOLDENS").is_some() {
        fs::write(&path, page).expect("the reference page can be written");
        return;
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        found == page,
        "docs/reference/lua.md is not what the table of functions makes; \
         run the test with MILLRACE_REWRITE_GOLDENS=1 and read the difference"
    );
}
