//! Each example is a file, and a line here.

mod bulk_write;
mod columns;
mod durable;
mod edges_between_found;
mod load_file;
mod lua_script;
mod recommend;
mod retry;
mod shortest;
mod stream;

/// An example's name and its function.
type Example = (&'static str, fn() -> millrace::Result<()>);

/// All of them.
pub(crate) const ALL: [Example; 10] = [
    ("bulk_write", bulk_write::main),
    ("columns", columns::main),
    ("durable", durable::main),
    ("edges_between_found", edges_between_found::main),
    ("load_file", load_file::main),
    ("lua_script", lua_script::main),
    ("recommend", recommend::main),
    ("retry", retry::main),
    ("shortest", shortest::main),
    ("stream", stream::main),
];
