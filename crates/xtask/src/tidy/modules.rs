//! Order of a crate's modules: the top-level modules in a list, lowest first, and no import runs up.
//!
//! The list is `[modules]` in `arrows.toml`, one crate a line; a crate of more than a few modules must have one. A
//! module may name itself and the modules before it, so there is no circle. The crate's root may not be named at all: an item that it re-exports has a
//! module of its own, and an import through the root would hide it. Tests count, too. Names in macro calls are
//! seen, as tokens are all that is looked at; comments and texts are not.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use toml::{Table, Value};

use super::arrows::FILE;
use super::source::is_rust;

/// Crate → its modules, lowest first.
pub(super) type Modules = BTreeMap<String, Vec<String>>;

/// Modules of a crate that needs no list: so few are seen at once.
const WITHOUT_LIST_MAX: usize = 5;

/// Reads the lists.
pub(super) fn table(text: &str) -> Result<Modules, String> {
    let wrong = |reason: &str| format!("{FILE}: {reason}");
    let table: Table = text.parse().map_err(|error| wrong(&format!("{error}")))?;
    let mut modules = Modules::new();
    let lists = table.get("modules").and_then(Value::as_table);
    for (name, list) in lists.ok_or_else(|| wrong("no [modules]"))? {
        let list = list.as_array().ok_or_else(|| wrong(&format!("{name} is not a list")))?;
        let list = list.iter().filter_map(Value::as_str).map(str::to_owned).collect();
        modules.insert(name.clone(), list);
    }
    Ok(modules)
}

/// One line for each import that runs up, and for each module that is in no list, or only there.
pub(super) fn check(lists: &Modules, files: &[(String, String)]) -> Result<Vec<String>, String> {
    let mut breaches = Vec::new();
    for (name, order) in lists {
        let folder = format!("crates/{name}/src/");
        let mut met = BTreeSet::new();
        for (path, text) in files.iter().filter(|(path, _)| is_rust(path)) {
            let Some(inside) = path.strip_prefix(&folder) else { continue };
            let modules = modules_of(inside);
            let Some(module) = modules.first() else { continue };
            met.insert((*module).to_owned());
            let Some(own) = place(order, module) else { continue };
            let tokens: TokenStream =
                text.parse().map_err(|error| format!("{path}: cannot be read: {error}"))?;
            let mut named = Vec::new();
            names(tokens, modules.len(), &mut named);
            for (line, to) in named {
                match place(order, &to) {
                    Some(place) if place <= own => {}
                    Some(_) => breaches.push(format!(
                        "{path}:{line}: {module} names {to}, a module above it in {FILE}: move the \
                         code that it needs down, or take it as an argument"
                    )),
                    None => breaches.push(format!(
                        "{path}:{line}: {module} names {to} of the crate's root, which is no module"
                    )),
                }
            }
        }
        let listed = |module: &&String| place(order, module).is_none();
        breaches.extend(
            met.iter().filter(listed).map(|module| {
                format!("{folder}: {module} is not in the list of modules in {FILE}")
            }),
        );
        let gone = order.iter().filter(|module| !met.contains(*module));
        breaches.extend(gone.map(|module| format!("{FILE}: {name} has no module {module}")));
    }
    breaches.extend(without_list(lists, files));
    Ok(breaches)
}

/// One line for each crate that has no list and too many modules for that.
fn without_list(lists: &Modules, files: &[(String, String)]) -> Vec<String> {
    let mut crates: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (path, _) in files.iter().filter(|(path, _)| is_rust(path)) {
        let inside = path.strip_prefix("crates/").and_then(|path| path.split_once("/src/"));
        let Some((name, inside)) = inside.filter(|(name, _)| !name.contains('/')) else { continue };
        let module = modules_of(inside).first().copied();
        crates.entry(name).or_default().extend(module);
    }
    crates.retain(|name, modules| !lists.contains_key(*name) && WITHOUT_LIST_MAX < modules.len());
    let breach = |(name, modules): (&str, BTreeSet<&str>)| {
        format!(
            "{FILE}: {name} has {} modules and no list of them in [modules]: list them, lowest first",
            modules.len()
        )
    };
    crates.into_iter().map(breach).collect()
}

fn place(order: &[String], module: &str) -> Option<usize> {
    order.iter().position(|other| other == module)
}

/// The modules that a file is inside of, its own last; none for the crate's root.
fn modules_of(path: &str) -> Vec<&str> {
    let mut modules: Vec<&str> = path.trim_end_matches(".rs").split('/').collect();
    if matches!(modules.last(), Some(&"mod" | &"lib" | &"main")) {
        modules.pop();
    }
    modules
}

/// The names that are used of the crate's root: behind `crate::`, or behind as many `super::` as lead
/// there from `depth` modules.
fn names(tokens: TokenStream, depth: usize, named: &mut Vec<(usize, String)>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut inner_module = false;
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        at += 1;
        match token {
            TokenTree::Group(group) => {
                let is_module = inner_module && group.delimiter() == Delimiter::Brace;
                names(group.stream(), depth + usize::from(is_module), named);
                inner_module = false;
            }
            TokenTree::Ident(ident) if ident == "mod" => inner_module = true,
            TokenTree::Ident(ident) if ident == "crate" => first_names(&tokens, &mut at, named),
            TokenTree::Ident(ident) if ident == "super" => {
                let mut left = depth - 1;
                while left != 0 && is_path(&tokens, at) && is_super(tokens.get(at + 2)) {
                    (at, left) = (at + 3, left - 1);
                }
                if left == 0 {
                    first_names(&tokens, &mut at, named);
                }
            }
            TokenTree::Ident(_) | TokenTree::Literal(_) => {}
            TokenTree::Punct(punct) => inner_module &= punct.as_char() != ';',
        }
    }
}

/// The first names behind a path's beginning, several if they are in braces.
fn first_names(tokens: &[TokenTree], at: &mut usize, named: &mut Vec<(usize, String)>) {
    if !is_path(tokens, *at) {
        return;
    }
    *at += 2;
    match tokens.get(*at) {
        Some(TokenTree::Ident(ident)) => {
            named.push((ident.span().start().line, ident.to_string()));
        }
        Some(TokenTree::Group(group)) => {
            let mut is_first = true;
            for token in group.stream() {
                match token {
                    TokenTree::Ident(ident) if is_first => {
                        named.push((ident.span().start().line, ident.to_string()));
                        is_first = false;
                    }
                    TokenTree::Punct(punct) => is_first |= punct.as_char() == ',',
                    TokenTree::Ident(_) | TokenTree::Group(_) | TokenTree::Literal(_) => {}
                }
            }
            *at += 1;
        }
        Some(TokenTree::Punct(_) | TokenTree::Literal(_)) | None => {}
    }
}

fn is_path(tokens: &[TokenTree], at: usize) -> bool {
    let is_colon = |token: Option<&TokenTree>| matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == ':');
    is_colon(tokens.get(at)) && is_colon(tokens.get(at + 1))
}

fn is_super(token: Option<&TokenTree>) -> bool {
    matches!(token, Some(TokenTree::Ident(ident)) if ident == "super")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn breaches(path: &str, text: &str) -> Vec<String> {
        let lists = table("[modules]\nx = [\"base\", \"log\", \"commit\"]\n").unwrap();
        let file = |path: &str, text: &str| (format!("crates/x/src/{path}"), text.to_owned());
        let rest = ["lib.rs", "base/mod.rs", "log/mod.rs", "commit/mod.rs"];
        let mut files: Vec<_> = rest.iter().map(|path| file(path, "")).collect();
        files.push(file(path, text));
        check(&lists, &files).unwrap()
    }

    #[test]
    fn a_module_may_name_itself_and_those_below() {
        let text = "use crate::base::{A, B};\nuse crate::log::C;\nuse super::D;\n\
                    /// Not [`crate::commit::E`].\nfn f() -> crate::base::A { g(\"crate::commit\") }\n";
        assert_eq!(breaches("log/writer.rs", text), Vec::<String>::new());
    }

    #[test]
    fn an_import_that_runs_up_is_a_breach_however_it_is_written() {
        for text in [
            "use crate::commit::A;",
            "use crate::{base::B, commit::A};",
            "fn f() { crate::commit::a() }",
            "fn f() { assert!(crate::commit::IS) }",
            "use super::super::commit::A;",
            "mod tests { use super::super::super::commit::A; }",
            "#[cfg(test)] mod tests { use crate::commit::A; }",
            "pub(in crate::commit) fn f() {}",
        ] {
            let found = breaches("log/writer.rs", text);
            assert_eq!(found.len(), 1, "{text}: {found:?}");
            assert!(found[0].contains("log names commit, a module above it"), "{found:?}");
        }
    }

    #[test]
    fn an_import_through_the_root_is_a_breach() {
        assert!(breaches("log/writer.rs", "use crate::Options;")[0].contains("is no module"));
    }

    #[test]
    fn the_root_may_name_all_and_a_module_without_a_place_is_a_breach() {
        assert_eq!(breaches("lib.rs", "pub use crate::commit::A;"), Vec::<String>::new());
        assert!(breaches("extra.rs", "")[0].contains("extra is not in the list"));
    }

    #[test]
    fn a_crate_of_many_modules_must_have_a_list() {
        let files = |count: usize| -> Vec<_> {
            let paths = (0..count).flat_map(|at| [format!("m{at}/mod.rs"), format!("m{at}/a.rs")]);
            let paths = paths.chain(["lib.rs".to_owned()]);
            paths.map(|path| (format!("crates/y/src/{path}"), String::new())).collect()
        };
        let found = |lists: &str, count| check(&table(lists).unwrap(), &files(count)).unwrap();
        assert_eq!(found("[modules]", 5), Vec::<String>::new());
        let breaches = found("[modules]", 6);
        assert_eq!(breaches.len(), 1, "{breaches:?}");
        assert!(breaches[0].contains("y has 6 modules and no list"), "{breaches:?}");
        let listed = "[modules]\ny = [\"m0\", \"m1\", \"m2\", \"m3\", \"m4\", \"m5\"]";
        assert_eq!(found(listed, 6), Vec::<String>::new());
    }

    #[test]
    fn a_module_that_is_gone_is_a_breach() {
        let lists = table("[modules]\nx = [\"base\", \"log\"]\n").unwrap();
        let files = [("crates/x/src/base/mod.rs".to_owned(), String::new())];
        assert!(check(&lists, &files).unwrap()[0].contains("x has no module log"));
    }
}
