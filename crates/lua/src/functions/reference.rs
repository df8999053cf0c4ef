//! The reference page, made from the table of functions.

use super::FAMILIES;
use super::aliases;
use super::enumerations::ENUMERATIONS;
use crate::sandbox::Access;

/// `docs/reference/lua.md`, whole.
pub fn reference_page() -> String {
    let mut page = String::from(
        "# Lua functions\n\nGenerated from the table that registers them; do not edit.\n\n\
         `a \\| b` are overloads; `START` is a node, an id, or a type and a key; `[, dir] [, types]` \
         is an optional direction (`Direction.BOTH`, `IN`, `OUT`), then an optional relationship \
         type or list of types. Unknown ids give 0, an empty result or nil.\n",
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
    page += "\n## Enumerations\n\n| name | members |\n| --- | --- |\n";
    for enumeration in ENUMERATIONS {
        let members: Vec<String> =
            enumeration.members.iter().map(|member| format!("`{member}`")).collect();
        page += &format!("| `{}` | {} |\n", enumeration.name, members.join(", "));
    }
    page += "\n## Early names\n\nAliases of January 2022's names.\n\n| name | stands for |\n";
    page += "| --- | --- |\n";
    let mut names: Vec<(String, &str)> =
        aliases::aliases().map(|alias| (alias.name, alias.function.name)).collect();
    names.sort();
    for (name, target) in names {
        page += &format!("| `{name}` | `{target}` |\n");
    }
    page
}
