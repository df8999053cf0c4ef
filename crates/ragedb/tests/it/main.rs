//! Parts outside the crate: the reference page, and the goldens of each function.

use std::fs;
use std::path::Path;

#[test]
fn the_reference_page_is_the_one_the_table_makes() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/lua.md");
    let page = millrace_ragedb::lua::reference_page();
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
    let page = millrace_ragedb::lua::reference_page();
    let table = page.split("## Enumerations").next().unwrap_or_default();
    let names = table.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next());
    let mut count = 0;
    for name in names {
        count += 1;
        assert!(text.contains(&format!("why({name}, true)")), "{name}: no golden of bad input");
        // A function of a table is a method of its result.
        let used = name.rsplit_once('.').map_or(format!("{name}("), |(_, name)| format!("{name}("));
        assert!(text.contains(&used), "{name}: no golden of its use");
    }
    assert!(117 < count, "the page lists {count} functions");
}

/// The names that a source file of a type registers as methods.
fn registered(text: &str) -> Vec<&str> {
    let calls = ["add_method(\"", "add_method_mut(\"", "add_function(\""];
    let names = calls.iter().flat_map(|call| text.split(call).skip(1));
    names.filter_map(|rest| rest.split('"').next()).collect()
}

#[test]
fn every_method_of_a_type_is_on_the_reference_page() {
    let page = millrace_ragedb::lua::reference_page();
    let page = page.split("## Types").nth(1).unwrap_or_default();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let folders = ["columns", "results", "functions/types"].map(|folder| source.join(folder));
    let files = folders.map(|folder| fs::read_dir(folder).expect("the types are there"));
    let mut count = 0;
    for file in files.into_iter().flatten() {
        let path = file.expect("the folder can be read").path();
        let text = fs::read_to_string(&path).expect("a source file can be read");
        for name in registered(&text) {
            count += 1;
            assert!(page.contains(&format!("| `{name}` |")), "{name} of {}", path.display());
        }
    }
    assert!(30 < count, "the types have {count} methods");
}
