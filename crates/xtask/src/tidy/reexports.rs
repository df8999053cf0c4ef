//! No `pub use` of a whole crate or of everything in a module: a crate says what it exports.
//!
//! Exceptions are in `tidy.toml`, each as `crate: name`.

use syn::{Item, UseTree, Visibility};

use super::source::Source;

/// One line for each such `pub use` in product code that is no exception, and for each exception without one.
pub(super) fn check(sources: &[Source], exceptions: &[String]) -> Vec<String> {
    let mut breaches = Vec::new();
    let mut unused: Vec<&String> = exceptions.iter().collect();
    for source in sources.iter().filter(|source| !source.is_workshop()) {
        for found in whole(&source.product.items) {
            let named = format!("{}: {found}", source.crate_name());
            if exceptions.contains(&named) {
                unused.retain(|exception| **exception != named);
                continue;
            }
            let path = &source.path;
            breaches.push(format!(
                "{path}: `pub use {found}` exports all there is; list the names that are meant"
            ));
        }
    }
    let gone = |exception: &String| format!("tidy.toml excuses `{exception}`, which is not there");
    breaches.extend(unused.into_iter().map(gone));
    breaches
}

/// The names of crates and modules that are exported whole.
fn whole(items: &[Item]) -> Vec<String> {
    let mut found = Vec::new();
    for item in items {
        match item {
            Item::Use(item) if matches!(item.vis, Visibility::Public(_)) => {
                walk(&item.tree, "", &mut found);
            }
            Item::Mod(module) => {
                let inside = module.content.as_ref().map_or(&[][..], |(_, items)| items);
                found.extend(whole(inside));
            }
            _ => {}
        }
    }
    found
}

/// `path` is what stands before the tree, `a::b::`.
fn walk(tree: &UseTree, path: &str, found: &mut Vec<String>) {
    let is_crate = |name: &str| path.is_empty() && name.starts_with("millrace");
    match tree {
        UseTree::Path(next) => walk(&next.tree, &format!("{path}{}::", next.ident), found),
        UseTree::Group(group) => group.items.iter().for_each(|tree| walk(tree, path, found)),
        UseTree::Glob(_) => found.push(format!("{path}*")),
        UseTree::Name(name) if is_crate(&name.ident.to_string()) => {
            found.push(name.ident.to_string());
        }
        UseTree::Rename(name) if is_crate(&name.ident.to_string()) => {
            found.push(name.ident.to_string());
        }
        UseTree::Name(_) | UseTree::Rename(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        whole(&syn::parse_file(text).unwrap().items)
    }

    #[test]
    fn whole_crates_and_globs_are_found_and_lists_of_names_are_not() {
        assert_eq!(found("pub use millrace_x as x;"), ["millrace_x"]);
        assert_eq!(found("pub mod a { pub use millrace_x::{b::*, C}; }"), ["millrace_x::b::*"]);
        for fine in ["pub use millrace_x::{a, B};", "use millrace_x as x;", "pub(crate) use a::*;"]
        {
            assert_eq!(found(fine), [""; 0], "{fine}");
        }
    }
}
