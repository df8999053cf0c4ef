//! Which crate depends on which, against the table in `arrows.toml`.
//!
//! Only direct dependencies: a crate may reach a lower one through another without naming it.

use std::collections::BTreeMap;

use toml::{Table, Value};

/// Where the table is, from the root of the workspace.
pub(super) const FILE: &str = "crates/xtask/arrows.toml";

const PREFIX: &str = "millrace-";
const WORKSHOP: [&str; 4] = ["fuzz", "tck", "testkit", "xtask"];

/// The crate that programs embed has the name of the project.
const EMBEDDED: &str = "millrace";

/// The name of a crate of ours, by its package.
fn own_name(package: &str) -> Option<&str> {
    if package == EMBEDDED { Some(package) } else { package.strip_prefix(PREFIX) }
}

/// Crate → the crates it may depend on.
pub(super) type Arrows = BTreeMap<String, Vec<String>>;

/// The dependencies in one crate's manifest; package names, without our prefix for our own.
#[derive(Debug, Default)]
pub(super) struct Manifest {
    pub(super) path: String,
    pub(super) name: String,
    pub(super) normal: Dependencies,
    pub(super) dev: Dependencies,
}

/// The two kinds of dependencies.
#[derive(Debug, Default)]
pub(super) struct Dependencies {
    pub(super) ours: Vec<String>,
    pub(super) outside: Vec<String>,
}

/// Reads the table.
pub(super) fn table(text: &str) -> Result<Arrows, String> {
    let wrong = |reason: &str| format!("{FILE}: {reason}");
    let table: Table = text.parse().map_err(|error| wrong(&format!("{error}")))?;
    let arrows = table.get("arrows").and_then(Value::as_table);
    let mut read = Arrows::new();
    for (name, allowed) in arrows.ok_or_else(|| wrong("no [arrows]"))? {
        let allowed = allowed.as_array().ok_or_else(|| wrong(&format!("{name} is not a list")))?;
        let allowed = allowed.iter().filter_map(Value::as_str).map(str::to_owned).collect();
        read.insert(name.clone(), allowed);
    }
    Ok(read)
}

/// The dependencies that the root's table offers to the crates.
pub(super) fn workspace_dependencies(text: &str) -> Result<Dependencies, String> {
    let table: Table = text.parse().map_err(|error| format!("Cargo.toml: {error}"))?;
    let mut offered = Dependencies::default();
    offered.collect(table.get("workspace").and_then(|workspace| workspace.get("dependencies")));
    Ok(offered)
}

/// The manifests of all crates among `files`.
pub(super) fn manifests(files: &[(String, String)]) -> Result<Vec<Manifest>, String> {
    let is_manifest = |path: &str| path.starts_with("crates/") && path.ends_with("/Cargo.toml");
    let found = files.iter().filter(|(path, _)| is_manifest(path));
    found.map(|(path, text)| Manifest::parse(path, text)).collect()
}

impl Manifest {
    pub(super) fn parse(path: &str, text: &str) -> Result<Self, String> {
        let table: Table = text.parse().map_err(|error| format!("{path}: {error}"))?;
        let name = table.get("package").and_then(|package| package.get("name"));
        let name = name.and_then(Value::as_str).ok_or_else(|| format!("{path}: no name"))?;
        let Some(name) = own_name(name) else {
            return Err(format!("{path}: the package {name} is not called {PREFIX}NAME"));
        };
        let mut manifest = Self { path: path.to_owned(), name: name.to_owned(), ..Self::default() };
        manifest.collect(&table);
        let targets = table.get("target").and_then(Value::as_table);
        for target in targets.into_iter().flat_map(Table::values).filter_map(Value::as_table) {
            manifest.collect(target);
        }
        Ok(manifest)
    }

    fn collect(&mut self, table: &Table) {
        self.normal.collect(table.get("dependencies"));
        self.normal.collect(table.get("build-dependencies"));
        self.dev.collect(table.get("dev-dependencies"));
    }
}

impl Dependencies {
    fn collect(&mut self, section: Option<&Value>) {
        for (key, value) in section.and_then(Value::as_table).into_iter().flatten() {
            let renamed = value.get("package").and_then(Value::as_str);
            let package = renamed.unwrap_or(key);
            match own_name(package) {
                Some(ours) => self.ours.push(ours.to_owned()),
                None => self.outside.push(package.to_owned()),
            }
        }
    }
}

/// One line for each arrow that is not in the table.
pub(super) fn check(arrows: &Arrows, manifests: &[Manifest]) -> Vec<String> {
    manifests.iter().flat_map(|manifest| check_one(arrows, manifest)).collect()
}

fn check_one(arrows: &Arrows, manifest: &Manifest) -> Vec<String> {
    let Manifest { path, name, normal, dev } = manifest;
    let Some(allowed) = arrows.get(name) else {
        return vec![format!("{path}: crate {name} is not in {FILE}")];
    };
    let is_workshop = |crate_name: &str| WORKSHOP.contains(&crate_name);
    let mut breaches = Vec::new();
    for to in &normal.ours {
        if is_workshop(to) && !is_workshop(name) {
            breaches.push(format!("{path}: {to} is workshop, for [dev-dependencies] only"));
        } else if !allowed.contains(to) {
            breaches.push(format!("{path}: the arrow {name} -> {to} is not in {FILE}"));
        }
    }
    for to in &dev.ours {
        if to != "testkit" && !allowed.contains(to) {
            breaches.push(format!("{path}: the arrow {name} -> {to} (tests) is not in {FILE}"));
        }
    }
    breaches
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "[arrows]\nmodel = []\nplan = [\"model\"]\nstore = [\"model\"]\n";

    fn breaches(name: &str, sections: &str) -> Vec<String> {
        let text = format!("[package]\nname = \"millrace-{name}\"\n{sections}");
        let manifest = Manifest::parse("crates/x/Cargo.toml", &text).unwrap();
        check(&table(TABLE).unwrap(), &[manifest])
    }

    #[test]
    fn arrows_of_the_table_pass() {
        let sections = "[dependencies]\nmillrace-model.workspace = true\nserde = \"1\"\n\
                        [dev-dependencies]\nmillrace-testkit.workspace = true\n";
        assert_eq!(breaches("plan", sections), Vec::<String>::new());
    }

    #[test]
    fn an_arrow_sideways_is_a_breach_in_every_kind_of_section() {
        let sideways = "millrace-store.workspace = true\n";
        for section in
            ["dependencies", "dev-dependencies", "build-dependencies", "target.x.dependencies"]
        {
            let found = breaches("plan", &format!("[{section}]\n{sideways}"));
            assert_eq!(found.len(), 1, "{section}");
            assert!(found[0].contains("plan -> store"), "{found:?}");
        }
    }

    #[test]
    fn a_renamed_dependency_is_still_an_arrow() {
        let found = breaches("plan", "[dependencies]\ns = { package = \"millrace-store\" }\n");
        assert!(found[0].contains("plan -> store"), "{found:?}");
    }

    #[test]
    fn the_workshop_is_never_a_normal_dependency() {
        let found = breaches("plan", "[dependencies]\nmillrace-testkit.workspace = true\n");
        assert!(found[0].contains("testkit is workshop"), "{found:?}");
    }

    #[test]
    fn a_crate_that_the_table_does_not_know_is_a_breach() {
        assert!(breaches("extra", "")[0].contains("crate extra is not in"));
    }
}
