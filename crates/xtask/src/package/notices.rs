//! `THIRD-PARTY-NOTICES`: every outside package that is in the program, and the text of its licence.
//!
//! The packages are those of `cargo tree`, and the texts are in their folders, so that it works without a network once
//! the packages are fetched. A package without a text of a licence that is not known here fails.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::arguments::Arguments;
use crate::process;
use crate::workspace::Workspace;

/// The name of the file.
pub(super) const NAME: &str = "THIRD-PARTY-NOTICES";

/// Packages that `cargo tree` lists as needed for building, whose C code becomes part of the program.
const BUILT_IN: [&str; 1] = ["lua-src"];

/// The beginnings of names of files with licences.
const BEGINNINGS: [&str; 6] = ["LICENSE", "LICENCE", "COPYING", "COPYRIGHT", "NOTICE", "UNLICENSE"];

/// Folders of a package whose licences are not those of the program.
const SKIPPED: [&str; 5] = ["tests", "test", "benches", "examples", "target"];

/// How deep in a package licences are: a C library that is in it has its own.
const DEPTH_MAX: usize = 4;

/// The version of Lua that is built, the beginning of its folder's name; its licence ends this file.
const LUA: (&str, &str) = ("lua-5.4", "lua.h");

/// For packages under MIT that ship no text.
const MIT: &str = "\
Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated \
documentation files (the \"Software\"), to deal in the Software without restriction, including without limitation \
the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to \
permit persons to whom the Software is furnished to do so, subject to the following conditions:\n\n\
The above copyright notice and this permission notice shall be included in all copies or substantial portions of the \
Software.\n\n\
THE SOFTWARE IS PROVIDED \"AS IS\", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE \
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR \
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR \
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.\n";

/// A package of the program.
struct Package {
    /// Name and version, as `serde 1.0.2`.
    title: String,
    licence: String,
    home: String,
    authors: Vec<String>,
    folder: PathBuf,
}

/// `cargo xtask notices`.
pub(crate) fn run(workspace: &Workspace, mut arguments: Arguments) -> Result<(), String> {
    let to = arguments.take_value("--to")?;
    arguments.finish()?;
    let text = text(workspace)?;
    match to {
        Some(path) => fs::write(&path, text).map_err(|error| format!("{path}: {error}")),
        None => {
            print!("{text}");
            Ok(())
        }
    }
}

/// The file.
pub(super) fn text(workspace: &Workspace) -> Result<String, String> {
    let packages = packages(workspace)?;
    let mut texts: Vec<String> = Vec::new();
    let mut numbers: BTreeMap<String, usize> = BTreeMap::new();
    let mut page = format!(
        "Millrace {} is under the Apache License 2.0 and contains the packages of this list, each under its own\n\
         licence. The texts of the licences, by their numbers, stand below the list.\n\n",
        super::VERSION
    );
    for package in &packages {
        let mut own = BTreeSet::new();
        for text in licences(package)? {
            // Texts that differ in their line breaks are the same.
            let words: Vec<&str> = text.split_whitespace().collect();
            let number = *numbers.entry(words.join(" ")).or_insert_with(|| {
                texts.push(text);
                texts.len()
            });
            own.insert(number);
        }
        let own: Vec<String> = own.iter().map(usize::to_string).collect();
        let Package { title, licence, home, .. } = package;
        page.push_str(&format!("{title} ({licence}): {}  {home}\n", own.join(", ")));
    }
    for (number, text) in (1..).zip(&texts) {
        page.push_str(&format!("\n{:=<100}\n{number}\n\n{}\n", "", text.trim_end()));
    }
    Ok(page)
}

/// Names and versions of the outside packages that are in the program.
pub(super) fn titles(workspace: &Workspace) -> Result<BTreeSet<String>, String> {
    let mut titles = BTreeSet::new();
    for (edges, is_wanted) in [
        ("normal", (|_| true) as fn(&str) -> bool),
        ("normal,build", |name| BUILT_IN.contains(&name)),
    ] {
        let mut tree = workspace.cargo();
        tree.args([
            "tree",
            "--offline",
            "--locked",
            "--package",
            "millrace-cli",
            "--prefix",
            "none",
        ]);
        tree.args(["--edges", edges, "--format", "{p}"]);
        let listed = process::output(tree)
            .map_err(|error| format!("{error} (fetch the packages: cargo fetch --locked)"))?;
        titles.extend(listed.lines().filter_map(|line| title(line, is_wanted)));
    }
    Ok(titles)
}

/// Name and version of a line of `cargo tree`; `None` of this workspace.
fn title(line: &str, is_wanted: fn(&str) -> bool) -> Option<String> {
    let mut words = line.split(' ');
    let (name, version) = (words.next()?, words.next()?.strip_prefix('v')?);
    let is_own = words.next().is_some_and(|word| word.starts_with("(/"));
    (!is_own && is_wanted(name)).then(|| format!("{name} {version}"))
}

fn packages(workspace: &Workspace) -> Result<Vec<Package>, String> {
    let titles = titles(workspace)?;
    let mut compiler = workspace.command("rustc");
    compiler.arg("-vV");
    let about = process::output(compiler)?;
    let host = about.lines().find_map(|line| line.strip_prefix("host: ")).unwrap_or_default();
    let mut metadata = workspace.cargo();
    // Packages of other systems need not be here.
    metadata.args(["metadata", "--format-version", "1", "--offline", "--locked"]);
    metadata.args(["--filter-platform", host]);
    let metadata: Value = serde_json::from_str(&process::output(metadata)?)
        .map_err(|error| format!("cargo metadata: {error}"))?;
    let all = metadata["packages"].as_array().ok_or("cargo metadata lists no packages")?;
    let known: Vec<Package> = all.iter().map(package).collect();
    let packages: Vec<Package> =
        known.into_iter().filter(|package| titles.contains(&package.title)).collect();
    if packages.len() != titles.len() {
        return Err("cargo metadata lacks packages of cargo tree".to_owned());
    }
    Ok(packages)
}

fn package(about: &Value) -> Package {
    let text = |key: &str| about[key].as_str().unwrap_or_default().to_owned();
    let authors = about["authors"].as_array().into_iter().flatten();
    let manifest = PathBuf::from(text("manifest_path"));
    Package {
        title: format!("{} {}", text("name"), text("version")),
        licence: text("license"),
        home: text("repository"),
        authors: authors.filter_map(|author| author.as_str().map(str::to_owned)).collect(),
        folder: manifest.parent().map(Path::to_owned).unwrap_or_default(),
    }
}

/// The texts of a package's licences.
fn licences(package: &Package) -> Result<Vec<String>, String> {
    let mut texts = Vec::new();
    collect(&package.folder, DEPTH_MAX, &mut texts)?;
    if package.title.starts_with("lua-src ") {
        texts.push(lua(&package.folder)?);
    }
    if texts.is_empty() {
        if !package.licence.split([' ', '/']).any(|word| word == "MIT") {
            let Package { title, licence, .. } = package;
            return Err(format!("{title} ({licence}) ships no text of its licence"));
        }
        let holders = match package.authors.as_slice() {
            [] => format!("the authors of {}", package.title),
            authors => authors.join(", "),
        };
        texts.push(format!("The MIT License (MIT)\n\nCopyright (c) {holders}\n\n{MIT}"));
    }
    Ok(texts)
}

/// The licences in a folder of a package, and in the folders below it.
fn collect(folder: &Path, depth: usize, texts: &mut Vec<String>) -> Result<(), String> {
    let failed = |error: std::io::Error| super::failed(folder, &error);
    let mut paths = Vec::new();
    for entry in folder.read_dir().map_err(failed)? {
        paths.push(entry.map_err(failed)?.path());
    }
    paths.sort();
    for path in paths {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
        let name = name.unwrap_or_default();
        let begins = |beginning: &&str| name.to_ascii_uppercase().starts_with(*beginning);
        if path.is_dir() {
            if 1 < depth && !SKIPPED.contains(&name.as_str()) {
                collect(&path, depth - 1, texts)?;
            }
        } else if BEGINNINGS.iter().any(begins) && !name.ends_with(".rs") {
            let bytes = fs::read(&path).map_err(|error| super::failed(&path, &error))?;
            texts.push(String::from_utf8_lossy(&bytes).into_owned());
        }
    }
    Ok(())
}

/// Lua has its licence in the last comment of its header.
fn lua(folder: &Path) -> Result<String, String> {
    let (beginning, file) = LUA;
    let entries = folder.read_dir().map_err(|error| super::failed(folder, &error))?;
    let mut folders = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let is_it = |path: &PathBuf| {
        path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(beginning))
    };
    let folder = folders.find(is_it).ok_or("lua-src has no Lua 5.4")?;
    let path = folder.join(file);
    let text = fs::read_to_string(&path).map_err(|error| super::failed(&path, &error))?;
    let licence = text.rsplit_once("/****").map(|(_, licence)| licence);
    let licence = licence.and_then(|licence| licence.split_once("****/"));
    let licence = licence.map(|(licence, _)| licence.trim_matches(['*', '\n']).to_owned());
    licence
        .filter(|licence| licence.contains("Permission is hereby granted"))
        .ok_or_else(|| format!("{} ends with no licence", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_the_tree_are_packages_or_our_own() {
        let all = |_: &str| true;
        assert_eq!(title("serde v1.0.2", all).as_deref(), Some("serde 1.0.2"));
        assert_eq!(title("syn v2.0.1 (proc-macro) (*)", all).as_deref(), Some("syn 2.0.1"));
        assert_eq!(title("millrace-cli v0.1.0 (/src/crates/cli)", all), None);
        assert_eq!(title("", all), None);
        assert_eq!(title("cc v1.0.0", |name| BUILT_IN.contains(&name)), None);
    }

    #[test]
    fn every_package_of_the_program_has_its_licence() {
        let workspace = Workspace::of_this_program().unwrap();
        let page = text(&workspace).unwrap();
        let titles = titles(&workspace).unwrap();
        assert!(titles.iter().any(|title| title.starts_with("lua-src ")), "{titles:?}");
        for title in titles {
            let line = page.lines().find(|line| line.starts_with(&format!("{title} (")));
            let line = line.unwrap_or_else(|| panic!("{title} is not listed"));
            assert!(line.contains("): ") && !line.contains("):  "), "{line}");
        }
        for holder in ["Lua.org, PUC-Rio", "Microsoft Corporation", "Andrew Gallant"] {
            assert!(page.contains(holder), "{holder}");
        }
    }
}
