//! The Rust sources, parsed once, whole and without their tests.
//!
//! "Without tests" drops items under `#[cfg(test)]` and `#[test]`, the files of test modules, and
//! each crate's `tests/` and `benches/`. Code inside macro calls is tokens to the parser.

use std::collections::BTreeSet;

use syn::{Attribute, File, ImplItem, Item};

/// One source file.
pub(super) struct Source {
    pub(super) path: String,
    pub(super) line_count: usize,
    /// All of it.
    pub(super) whole: File,
    /// The file without tests; empty for a file of tests.
    pub(super) product: File,
}

impl Source {
    /// The folder of its crate.
    pub(super) fn crate_name(&self) -> &str {
        self.path.split('/').nth(1).unwrap_or_default()
    }

    /// Whether it belongs to the crates that only tests and people use.
    pub(super) fn is_workshop(&self) -> bool {
        ["crates/fuzz/", "crates/tck/", "crates/testkit/", "crates/xtask/"]
            .iter()
            .any(|folder| self.path.starts_with(folder))
    }
}

pub(super) fn is_rust(path: &str) -> bool {
    path.ends_with(".rs")
}

/// Parses the Rust files among `files`.
pub(super) fn parse_all(files: &[(String, String)]) -> Result<Vec<Source>, String> {
    let mut sources = Vec::new();
    for (path, text) in files.iter().filter(|(path, _)| is_rust(path)) {
        sources.push(parse(path, text)?);
    }
    let test_modules: BTreeSet<String> = sources.iter().flat_map(test_modules_of).collect();
    for source in &mut sources {
        if is_test_file(&source.path, &test_modules) {
            source.product.items.clear();
        }
    }
    Ok(sources)
}

pub(super) fn parse(path: &str, text: &str) -> Result<Source, String> {
    let whole = syn::parse_file(text).map_err(|error| {
        format!("{path}:{}: cannot be parsed: {error}", error.span().start().line)
    })?;
    let mut product = whole.clone();
    if is_for_tests(&product.attrs) {
        product.items.clear();
    }
    drop_tests(&mut product.items);
    Ok(Source { path: path.to_owned(), line_count: text.lines().count(), whole, product })
}

fn drop_tests(items: &mut Vec<Item>) {
    items.retain(|item| !is_for_tests(attributes(item)));
    for item in items {
        if let Item::Mod(module) = item
            && let Some((_, inner)) = &mut module.content
        {
            drop_tests(inner);
        } else if let Item::Impl(implementation) = item {
            implementation.items.retain(|item| match item {
                ImplItem::Fn(function) => !is_for_tests(&function.attrs),
                ImplItem::Const(constant) => !is_for_tests(&constant.attrs),
                _ => true,
            });
        }
    }
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

fn is_for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let path = attribute.path();
        path.is_ident("test")
            || path.is_ident("cfg")
                && attribute.meta.require_list().is_ok_and(|list| {
                    let condition = list.tokens.to_string();
                    let mut words = condition.split(|letter: char| !letter.is_alphanumeric());
                    words.clone().any(|word| word == "test") && words.all(|word| word != "not")
                })
    })
}

/// The paths, without extension, that `#[cfg(test)] mod name;` declarations of a file lead to.
fn test_modules_of(source: &Source) -> Vec<String> {
    let (folder, name) = source.path.rsplit_once('/').unwrap_or(("", &source.path));
    let base = match name {
        "lib.rs" | "main.rs" | "mod.rs" => folder.to_owned(),
        _ => source.path.trim_end_matches(".rs").to_owned(),
    };
    let declared = source.whole.items.iter().filter_map(|item| match item {
        Item::Mod(module) if module.content.is_none() && is_for_tests(&module.attrs) => {
            Some(format!("{base}/{}", module.ident))
        }
        _ => None,
    });
    declared.collect()
}

fn is_test_file(path: &str, test_modules: &BTreeSet<String>) -> bool {
    let in_crate = path.split('/').nth(2);
    matches!(in_crate, Some("tests" | "benches" | "examples"))
        || test_modules.iter().any(|module| {
            let rest = path.strip_prefix(module.as_str());
            rest.is_some_and(|rest| rest == ".rs" || rest.starts_with('/'))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item_counts(files: &[(&str, &str)]) -> Vec<usize> {
        let files: Vec<_> =
            files.iter().map(|(path, text)| (path.to_string(), text.to_string())).collect();
        let sources = parse_all(&files).unwrap();
        sources.iter().map(|source| source.product.items.len()).collect()
    }

    #[test]
    fn items_for_tests_are_dropped_and_their_opposites_stay() {
        let text = "#[test] fn a() {} #[cfg(test)] mod b {} #[cfg(all(test, unix))] use c; \
                    #[cfg(not(test))] fn d() {} #[cfg(feature = \"x\")] fn e() {}";
        assert_eq!(item_counts(&[("crates/x/src/lib.rs", text)]), [2]);
    }

    #[test]
    fn files_of_test_modules_have_no_product_code() {
        let counts = item_counts(&[
            ("crates/x/src/lib.rs", "mod a; #[cfg(test)] mod tests;"),
            ("crates/x/src/a.rs", "#[cfg(test)] mod cases; fn kept() {}"),
            ("crates/x/src/a/cases.rs", "fn dropped() {}"),
            ("crates/x/src/tests/deep.rs", "fn dropped() {}"),
            ("crates/x/src/tests_of_speed.rs", "fn kept() {}"),
            ("crates/x/tests/it.rs", "fn dropped() {}"),
        ]);
        assert_eq!(counts, [1, 1, 0, 0, 1, 0]);
    }

    #[test]
    fn a_file_that_cannot_be_parsed_is_named_with_its_line() {
        let broken = parse("a.rs", "fn a() {}\nfn b( {}\n");
        assert!(broken.err().unwrap().starts_with("a.rs:2: cannot be parsed"));
    }
}
