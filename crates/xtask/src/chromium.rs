//! Chromium, which the tests of the query page drive: a package of the system, installed by its own tool.
//!
//! It is the one runtime that is not under `target/runtimes`: without root nothing is installed, and the
//! tests that need it are skipped by name. Packages of languages never enter here: they are in `runtimes`.

use std::path::Path;

use crate::process;
use crate::workspace::Workspace;

/// Where the package puts it, and where others put theirs: the places that `cli/tests/it/browser.rs` looks in.
const PLACES: [&str; 4] = [
    "/usr/bin/chromium",
    "/usr/bin/chromium-browser",
    "/usr/bin/google-chrome-stable",
    "/usr/bin/google-chrome",
];

/// Installs it, unless it is there.
pub(crate) fn install(workspace: &Workspace) -> Result<(), String> {
    if PLACES.iter().any(|place| Path::new(place).is_file()) {
        eprintln!("chromium: is there");
        return Ok(());
    }
    if !Path::new("/usr/bin/apt-get").is_file() || !is_root(workspace) {
        eprintln!("chromium: left out, as root: apt-get install chromium");
        return Ok(());
    }
    for arguments in [&["update"][..], &["install", "-y", "--no-install-recommends", "chromium"]] {
        let mut apt = workspace.command("apt-get");
        apt.arg("-qq").args(arguments).env("DEBIAN_FRONTEND", "noninteractive");
        process::run(apt)?;
    }
    eprintln!("chromium: installed");
    Ok(())
}

fn is_root(workspace: &Workspace) -> bool {
    let user = workspace.command("id").arg("-u").output();
    user.is_ok_and(|user| user.stdout.trim_ascii() == b"0")
}
