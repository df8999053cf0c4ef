//! Manual pages and shell completions, which the program itself writes, so that they are those of its commands.

use std::fs;
use std::path::Path;

use crate::process;
use crate::workspace::Workspace;

use super::{Content, Packed};

/// A shell: its name, the file in the tarball, and the file on a system.
const SHELLS: [(&str, &str, &str); 3] = [
    ("bash", "completions/millrace.bash", "usr/share/bash-completion/completions/millrace"),
    ("zsh", "completions/_millrace", "usr/share/zsh/vendor-completions/_millrace"),
    ("fish", "completions/millrace.fish", "usr/share/fish/vendor_completions.d/millrace.fish"),
];

/// All of them; manual pages are written to a folder first.
pub(super) fn all(
    workspace: &Workspace,
    program: &Path,
    folder: &Path,
) -> Result<Vec<Packed>, String> {
    let program = program.to_string_lossy();
    let mut packed = Vec::new();
    for (shell, in_tarball, on_system) in SHELLS {
        let mut completions = workspace.command(&program);
        completions.args(["completions", shell]);
        let text = process::output(completions)?;
        packed.push(Packed::new(Content::Text(text), in_tarball, on_system));
    }
    fs::create_dir_all(folder).map_err(|error| super::failed(folder, &error))?;
    let mut man = workspace.command(&program);
    man.args(["man", "--out"]).arg(folder);
    process::run(man)?;
    let pages = folder.read_dir().map_err(|error| super::failed(folder, &error))?;
    for page in pages {
        let page = page.map_err(|error| super::failed(folder, &error))?;
        let name = page.file_name().to_string_lossy().into_owned();
        let text = fs::read_to_string(page.path());
        let text = text.map_err(|error| super::failed(&page.path(), &error))?;
        let place = format!("man/man1/{name}");
        packed.push(Packed::new(Content::Text(text), &place, &format!("usr/share/{place}")));
    }
    fs::remove_dir_all(folder).map_err(|error| super::failed(folder, &error))?;
    Ok(packed)
}
