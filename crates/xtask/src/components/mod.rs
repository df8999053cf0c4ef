//! `cargo xtask components NAME`: servers that tests and the bench talk to, started on this machine for as long as they
//! are wanted.
//!
//! A component says on standard output what its tests want to know of it, as `export VARIABLE=VALUE`, so
//! that `eval "$(cargo xtask components NAME)"` is all that has to be written.

pub(crate) mod dgraph;
mod group;
mod rabbitmq;

use std::fs;
use std::path::{Path, PathBuf};

use crate::arguments::Arguments;
use crate::workspace::Workspace;

/// Where components keep their files, unless another folder is named: `target` of the workspace.
const FOLDER: &str = "components";

/// What is wanted of a component.
pub(crate) struct Wanted {
    /// Its folder.
    pub(crate) home: PathBuf,
    pub(crate) port: Option<u64>,
    pub(crate) action: Action,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Action {
    Start,
    Stop,
    /// Stops it at once, as a power cut would.
    Kill,
    /// Stops it, and deletes what it has.
    Wipe,
}

/// `cargo xtask components`.
pub(crate) fn run(workspace: &Workspace, arguments: Arguments) -> Result<(), String> {
    let mut words = arguments.into_words();
    let name = if words.is_empty() { String::new() } else { words.remove(0) };
    let mut arguments = Arguments::new(words.into_iter());
    let flags = [("--stop", Action::Stop), ("--kill", Action::Kill), ("--wipe", Action::Wipe)];
    let asked = flags.into_iter().filter(|(flag, _)| arguments.take_flag(flag)).last();
    let action = asked.map_or(Action::Start, |(_, action)| action);
    let home = arguments.take_value("--home")?.map(PathBuf::from);
    let port = arguments.take_number("--port")?;
    arguments.finish()?;
    let home = home.unwrap_or_else(|| workspace.target().join(FOLDER)).join(&name);
    let wanted = Wanted { home, port, action };
    match name.as_str() {
        "rabbitmq" => rabbitmq::run(&wanted),
        "dgraph" => dgraph::run(&wanted),
        "" => Err("name a component: dgraph, rabbitmq".to_owned()),
        other => Err(format!("there is no component `{other}`; there are dgraph, rabbitmq")),
    }
}

/// Deletes what a component has.
fn wipe(folder: &Path) -> Result<(), String> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(format!("{}: {error}", folder.display()))
        }
        _ => Ok(()),
    }
}
