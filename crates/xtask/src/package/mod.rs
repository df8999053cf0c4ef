//! `cargo xtask package`: a tarball and a Debian package of the program, into `target/package`.
//!
//! ```text
//!   millrace-VERSION-linux-ARCH.tar.gz   the program, its settings file and its unit, licences, documents, manual pages,
//!                                        completions
//!   millrace_VERSION_ARCH.deb            the same at their places, and a user `millrace`
//! ```
//!
//! Both are made of one list of files, so that they have the same content. The package installs the
//! service and does not start it.

mod contents;
mod documents;
mod generated;
pub(crate) mod notices;
mod trial;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::arguments::Arguments;
use crate::process;
use crate::workspace::Workspace;
use contents::{Content, FILES, Packed};

const FOLDER: &str = "target/package";

/// The version of the program, which is that of the workspace.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Scripts that dpkg runs.
const SCRIPTS: [&str; 3] = ["postinst", "postrm", "prerm"];

/// The packages that were made.
struct Made {
    tarball: PathBuf,
    /// None where the machine has no `dpkg-deb`.
    debian: Option<PathBuf>,
    /// What both have besides the program.
    contents: Vec<Packed>,
}

/// `cargo xtask package`.
pub(crate) fn run(workspace: &Workspace, mut arguments: Arguments) -> Result<(), String> {
    let program = arguments.take_value("--program")?.map(PathBuf::from);
    let is_tried = arguments.take_flag("--try");
    arguments.finish()?;
    let program = match program {
        Some(program) => program,
        None => build(workspace)?,
    };
    if is_tried {
        return try_out(workspace, &program);
    }
    let made = make(workspace, &program, &workspace.root().join(FOLDER))?;
    eprintln!("{}", made.tarball.display());
    match made.debian {
        Some(debian) => eprintln!("{}", debian.display()),
        None => eprintln!("no Debian package: there is no dpkg-deb"),
    }
    Ok(())
}

/// Makes packages of a program in a folder of their own, and runs them in a bare `chroot`.
pub(crate) fn try_out(workspace: &Workspace, program: &Path) -> Result<(), String> {
    let folder = workspace.root().join("target/package-trial");
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(|error| failed(&folder, &error))?;
    }
    trial::run(workspace, program, &folder)
}

/// Makes the packages for which the machine has the tools, in an empty folder.
fn make(workspace: &Workspace, program: &Path, folder: &Path) -> Result<Made, String> {
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(|error| failed(folder, &error))?;
    }
    let contents = contents::all(workspace, program, &folder.join("generated"))?;
    let tarball = tarball(workspace, program, &contents, folder)?;
    let has_dpkg = process::succeeds(version_of(workspace, "dpkg-deb"));
    let debian = has_dpkg.then(|| debian(workspace, program, &contents, folder)).transpose()?;
    Ok(Made { tarball, debian, contents })
}

fn version_of(workspace: &Workspace, program: &str) -> std::process::Command {
    let mut command = workspace.command(program);
    command.arg("--version");
    command
}

/// Builds the program as it is given away: optimized across crates, without symbols.
fn build(workspace: &Workspace) -> Result<PathBuf, String> {
    let mut cargo = workspace.cargo();
    cargo.args(["build", "--profile", "dist", "--locked", "--package", "millrace-cli"]);
    process::run(cargo)?;
    Ok(workspace.target().join("dist/millrace"))
}

fn tarball(
    workspace: &Workspace,
    program: &Path,
    contents: &[Packed],
    folder: &Path,
) -> Result<PathBuf, String> {
    let name = format!("millrace-{VERSION}-linux-{}", std::env::consts::ARCH);
    let stage = folder.join(&name);
    put(program, &stage.join("millrace"), 0o755)?;
    for packed in contents {
        packed.put(workspace, &stage.join(&packed.in_tarball))?;
    }
    let tarball = folder.join(format!("{name}.tar.gz"));
    let mut tar = workspace.command("tar");
    tar.current_dir(folder).args(["--sort=name", "--owner=0", "--group=0", "--numeric-owner"]);
    tar.arg("-czf").arg(&tarball).arg(&name);
    process::run(tar)?;
    fs::remove_dir_all(&stage).map_err(|error| failed(&stage, &error))?;
    Ok(tarball)
}

fn debian(
    workspace: &Workspace,
    program: &Path,
    contents: &[Packed],
    folder: &Path,
) -> Result<PathBuf, String> {
    let mut dpkg = workspace.command("dpkg");
    dpkg.arg("--print-architecture");
    let architecture = process::output(dpkg)?.trim().to_owned();
    let stage = folder.join("deb");
    put(program, &stage.join("usr/bin/millrace"), 0o755)?;
    for packed in contents {
        packed.put(workspace, &stage.join(&packed.on_system))?;
    }
    for script in SCRIPTS {
        let source = workspace.root().join("packaging/deb").join(script);
        put(&source, &stage.join("DEBIAN").join(script), 0o755)?;
    }
    for (name, text) in [("control", control(&architecture)), ("conffiles", conffiles())] {
        let path = stage.join("DEBIAN").join(name);
        fs::write(&path, text).map_err(|error| failed(&path, &error))?;
    }
    let package = folder.join(format!("millrace_{VERSION}_{architecture}.deb"));
    let mut build = workspace.command("dpkg-deb");
    build.args(["--root-owner-group", "--build"]).arg(&stage).arg(&package);
    process::run(build)?;
    fs::remove_dir_all(&stage).map_err(|error| failed(&stage, &error))?;
    Ok(package)
}

fn control(architecture: &str) -> String {
    format!(
        "Package: millrace\nVersion: {VERSION}\nArchitecture: {architecture}\nSection: database\n\
         Priority: optional\nDepends: adduser, libc6, libgcc-s1\n\
         Maintainer: The Millrace developers <https://github.com/millrace/millrace>\n\
         Homepage: https://github.com/millrace/millrace\n\
         Description: property graph database in which everything moves in bulk\n \
         Asked in Cypher, by the drivers of Neo4j, in Gremlin, by the drivers of\n \
         TinkerPop, and in Lua, over RageDB's HTTP interface. The package starts\n \
         nothing by itself: systemctl enable --now millrace\n"
    )
}

/// The files that an upgrade does not replace where they were changed.
fn conffiles() -> String {
    let settings = FILES.iter().filter(|(_, _, on_system, _)| on_system.starts_with("etc/"));
    settings.map(|(_, _, on_system, _)| format!("/{on_system}\n")).collect()
}

/// Copies a file to its place and makes the folders of the place.
fn put(source: &Path, place: &Path, mode: u32) -> Result<(), String> {
    make_folder_of(place)?;
    fs::copy(source, place).map_err(|error| failed(source, &error))?;
    set_mode(place, mode)
}

fn make_folder_of(place: &Path) -> Result<(), String> {
    let folder = place.parent().unwrap_or(place);
    fs::create_dir_all(folder).map_err(|error| failed(folder, &error))
}

fn set_mode(place: &Path, mode: u32) -> Result<(), String> {
    let mode = fs::Permissions::from_mode(mode);
    fs::set_permissions(place, mode).map_err(|error| failed(place, &error))
}

fn failed(path: &Path, error: &std::io::Error) -> String {
    format!("{}: {error}", path.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_files_are_there_and_settings_survive_an_upgrade() {
        let workspace = Workspace::of_this_program().unwrap();
        let scripts = SCRIPTS.map(|script| format!("packaging/deb/{script}"));
        let sources = FILES.iter().map(|(source, ..)| *source);
        let sources = sources.chain(scripts.iter().map(String::as_str));
        for source in sources {
            assert!(workspace.root().join(source).is_file(), "{source}");
        }
        assert_eq!(conffiles(), "/etc/millrace/millrace.toml\n");
        assert!(control("amd64").ends_with("millrace\n"), "dpkg wants a line feed at the end");
    }
}
