//! What of the crate stands outside it: the reference page, and the goldens of each function.

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

#[test]
fn every_function_of_the_table_has_goldens_of_bad_input_and_of_use() {
    let goldens = Path::new(env!("CARGO_MANIFEST_DIR")).join("../db/tests/goldens/lua");
    let mut text = String::new();
    for file in fs::read_dir(goldens).expect("the goldens are there") {
        let path = file.expect("the folder can be read").path();
        text += &fs::read_to_string(path).expect("a golden can be read");
    }
    let page = millrace_lua::reference_page();
    let table = page.split("## Enumerations").next().unwrap_or_default();
    let names = table.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next());
    let mut count = 0;
    for name in names {
        count += 1;
        assert!(text.contains(&format!("why({name}, true)")), "{name}: no golden of bad input");
        // A function of a table is a method of what it makes.
        let used = name.rsplit_once('.').map_or(format!("{name}("), |(_, name)| format!("{name}("));
        assert!(text.contains(&used), "{name}: no golden of its use");
    }
    assert!(117 < count, "the page lists {count} functions");
}
