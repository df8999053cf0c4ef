//! Peers from package registries: jars by Maven, Python packages by pip, each by its own configuration.
//!
//! A folder is fetched again only when its configuration changes (`runtimes::make_whole`).

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::process;
use crate::runtimes;
use crate::workspace::Workspace;

/// Where a peer finds its things.
pub(super) struct Setup<'a> {
    pub(super) workspace: &'a Workspace,
    /// The folder of fetched and generated files.
    pub(super) folder: &'a Path,
    /// Millrace.
    pub(super) program: &'a Path,
    /// The peer's.
    pub(super) name: &'static str,
}

impl Setup<'_> {
    /// Where everything lies that the peer writes, and Millrace beside it.
    pub(super) fn data_folder(&self) -> PathBuf {
        self.folder.join("data").join(self.name)
    }

    /// An empty folder within.
    pub(super) fn data(&self, of: &str) -> Result<PathBuf, String> {
        let folder = self.data_folder().join(of);
        super::empty_folder(&folder)?;
        Ok(folder)
    }
}

/// The jars of these artifacts (`group:artifact:version`) and all that they need: a class path.
pub(super) fn jars(setup: &Setup<'_>, name: &str, artifacts: &[&str]) -> Result<String, String> {
    let pom = project(name, artifacts)?;
    let folder = fetched(setup, name, "xml", &pom, runtimes::java_libraries)?;
    Ok(format!("{}/*", folder.join("lib").display()))
}

/// The Python of a venv that has these packages (`name==version`).
pub(super) fn python(setup: &Setup<'_>, name: &str, packages: &[&str]) -> Result<PathBuf, String> {
    let requirements = format!("{}\n", packages.join("\n"));
    let folder = fetched(setup, name, "txt", &requirements, runtimes::python)?;
    Ok(folder.join("bin/python"))
}

type Install = fn(&Workspace, &Path, &[PathBuf]) -> Result<(), String>;

fn fetched(
    setup: &Setup<'_>,
    name: &str,
    ending: &str,
    contents: &str,
    install: Install,
) -> Result<PathBuf, String> {
    let folder = setup.folder.join("fetched").join(name);
    super::make_folder(&setup.folder.join("fetched"))?;
    let list = setup.folder.join("fetched").join(format!("{name}.{ending}"));
    fs::write(&list, contents).map_err(|error| format!("{}: {error}", list.display()))?;
    let files = [list];
    runtimes::make_whole(&folder, &files, || install(setup.workspace, &folder, &files))?;
    Ok(folder)
}

/// A project file that only lists dependencies.
fn project(name: &str, artifacts: &[&str]) -> Result<String, String> {
    let mut dependencies = String::new();
    for artifact in artifacts {
        let parts: Vec<&str> = artifact.split(':').collect();
        let [group, id, version] = parts[..] else {
            return Err(format!("{artifact} is not group:artifact:version"));
        };
        dependencies.push_str(&format!(
            "    <dependency><groupId>{group}</groupId><artifactId>{id}</artifactId>\
             <version>{version}</version></dependency>\n"
        ));
    }
    Ok(format!(
        "<project xmlns=\"http://maven.apache.org/POM/4.0.0\">\n  <modelVersion>4.0.0</modelVersion>\n  \
         <groupId>compared</groupId><artifactId>{name}</artifactId><version>1</version>\n  \
         <packaging>pom</packaging>\n  <dependencies>\n{dependencies}  </dependencies>\n</project>\n"
    ))
}

/// The program of the Java that `JAVA_HOME` names, or of the first in the `PATH`.
pub(super) fn java(setup: &Setup<'_>) -> Command {
    let home = env::var_os("JAVA_HOME").map(|home| Path::new(&home).join("bin/java"));
    let program = home.unwrap_or_else(|| PathBuf::from("java"));
    setup.workspace.command(&program.to_string_lossy())
}

/// Fails without a Java that starts.
pub(super) fn require_java(setup: &Setup<'_>) -> Result<(), String> {
    let mut java = java(setup);
    java.arg("-version");
    match process::succeeds(java) {
        true => Ok(()),
        false => Err("there is no Java: install a JDK 17".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_project_lists_each_artifact_with_its_version() {
        let text = project("x", &["a.b:c:1.2", "d:e:3"]).unwrap();
        assert!(
            text.contains("<groupId>a.b</groupId><artifactId>c</artifactId><version>1.2</version>")
        );
        assert_eq!(text.matches("<dependency>").count(), 2);
        assert!(project("x", &["a:b"]).unwrap_err().contains("a:b"));
    }
}
