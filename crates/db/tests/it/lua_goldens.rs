//! The goldens of Lua: each page is one graph, each case a script that sees the writes of the cases before it.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use millrace_db::ragedb::{Access, Script};
use millrace_db::{Database, Graph, Settings};
use millrace_testkit::golden::{self, Case};

use crate::limits;

#[test]
fn scripts_answer_as_the_goldens_say() {
    let mut settings = Settings::default();
    // Globals are an interpreter's, and a page is about one.
    settings.scripts.interpreters_max = 1;
    settings.scripts.csv_folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/lua-files").into();
    let database = Database::in_memory(settings).unwrap();
    let graphs: RefCell<HashMap<_, Arc<Graph>>> = RefCell::default();
    golden::check_folder(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/goldens/lua"), |case| {
        let mut graphs = graphs.borrow_mut();
        let name = format!("page-{}", graphs.len());
        let graph = graphs.entry(case.file.clone()).or_insert_with(|| {
            database.create_graph(&name).expect("pages have names of their own")
        });
        answer(graph, case)
    });
}

fn answer(graph: &Graph, case: &Case) -> String {
    let access = match case.part("access") {
        None | Some("db") => Access::Admin,
        Some("rw") => Access::ReadWrite,
        Some("ro") => Access::ReadOnly,
        Some(other) => panic!("{other} is no access"),
    };
    let script = Script {
        text: case.input.as_str().into(),
        access,
        parameters: Vec::new(),
        limits: limits(),
    };
    match graph.run_script(script) {
        Ok(answer) => answer,
        Err(failure) => format!("error {:?}: {}", failure.error.kind, failure.error),
    }
}
