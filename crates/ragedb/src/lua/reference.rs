//! The reference page, made from the table of functions.

use crate::access::Access;
use crate::arguments::enumerations::ENUMERATIONS;
use crate::functions::{FAMILIES, TYPES, aliases};
use crate::sandbox::MODULES;

/// `docs/reference/lua.md`, whole.
pub fn reference_page() -> String {
    [functions(), enumerations(), types(), modules(), early_names()].concat()
}

fn functions() -> String {
    let mut page = String::from(
        "# Lua functions\n\nGenerated from the table that registers them; do not edit.\n\n\
         `a \\| b` are overloads; `START` is a node, an id, or a type and a key; `[, dir] [, types]` \
         is an optional direction (`Direction.BOTH`, `IN`, `OUT`), then an optional relationship \
         type or list of types. Unknown ids give 0, an empty result or nil.\n\n\
         A `Traversal`'s functions are its methods: `Traversal.from(1):out(\"LIKES\"):count()`. Steps \
         give a new traversal and run nothing; an end runs all of it as one plan, which \
         `tostring` and `explain` show. Without `distinct`, a node that is reached twice is there twice; \
         only `top` gives an order.\n",
    );
    for family in FAMILIES {
        page += &format!("\n## {}\n\n| function | arguments | result | route |\n", family.title);
        page += "| --- | --- | --- | --- |\n";
        for function in family.functions {
            let routes: Vec<&str> = Access::ALL
                .into_iter()
                .filter(|access| *access >= function.needs)
                .map(Access::route)
                .collect();
            page += &format!(
                "| `{}` | `{}` | `{}` | {} |\n",
                function.name,
                function.arguments,
                function.result,
                routes.join(", ")
            );
        }
    }
    page
}

fn enumerations() -> String {
    let mut page = "\n## Enumerations\n\n| name | members |\n| --- | --- |\n".to_owned();
    for enumeration in ENUMERATIONS {
        let members: Vec<String> =
            enumeration.members.iter().map(|member| format!("`{member}`")).collect();
        page += &format!("| `{}` | {} |\n", enumeration.name, members.join(", "));
    }
    page
}

fn types() -> String {
    let mut page = "\n## Types\n".to_owned();
    for kind in TYPES {
        page += &format!("\n### {}\n\n{}.\n", kind.name, kind.made);
        if !kind.methods.is_empty() {
            page += "\n| method | arguments | result |\n| --- | --- | --- |\n";
        }
        for (name, arguments, result) in kind.methods {
            page += &format!("| `{name}` | {} | {} |\n", code(arguments), code(result));
        }
    }
    page
}

fn code(text: &str) -> String {
    if text.is_empty() { "none".to_owned() } else { format!("`{text}`") }
}

/// The modules that are there without `require`, and their functions, from their own text.
fn modules() -> String {
    let mut page = "\n## Modules\n\nGlobals of every sandbox; `require` gives them too. `string`, `table`, \
                    `math`, `utf8` and `coroutine` are Lua's own; of `os` there are `clock`, `date`, \
                    `difftime` and `time`; `json` has `encode` and `decode`. Nothing reaches files, \
                    processes or bytecode.\n\n| module | purpose | functions |\n| --- | --- | --- |\n"
        .to_owned();
    for (name, text) in MODULES {
        let comment = text.lines().map_while(|line| line.strip_prefix("--")).map(str::trim);
        let about = comment.collect::<Vec<_>>().join(" ").replace('|', "\\|");
        let functions: Vec<String> = text.lines().filter_map(function_of).collect();
        page += &format!("| `{name}` | {about} | {} |\n", functions.join(", "));
    }
    page
}

/// The name and arguments of a function that a line of a module defines for scripts.
fn function_of(line: &str) -> Option<String> {
    let defined = line.strip_prefix("function ")?;
    let (signature, _) = defined.split_once(')')?;
    Some(format!("`{})`", signature.strip_prefix("methods").unwrap_or(signature)))
}

fn early_names() -> String {
    let mut page =
        "\n## Early names\n\nAliases of January 2022's names.\n\n| name | stands for |\n\
                    | --- | --- |\n"
            .to_owned();
    let mut names: Vec<(String, &str)> =
        aliases().map(|alias| (alias.name, alias.function.name)).collect();
    names.sort();
    for (name, target) in names {
        page += &format!("| `{name}` | `{target}` |\n");
    }
    page
}
