//! Both packages, unpacked into a bare folder and run in it: `chroot`, an unprivileged user, no
//! `/proc`, no `/dev`, no shell. A dependency of the program beyond its C library would show.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};

use crate::process;
use crate::workspace::Workspace;

use super::contents::DOCUMENTS;
use super::{Made, documents, failed, make, notices, put};

/// A number that no user of a system has by accident; the program needs no entry in `/etc/passwd`.
const USER: &str = "7243:7243";

const DATA: &str = "/var/lib/millrace";

/// Where the tarball is unpacked, from the root.
const TARBALL: &str = "opt/millrace";

/// Makes packages of a program, and tries them.
pub(super) fn run(workspace: &Workspace, program: &Path, folder: &Path) -> Result<(), String> {
    let stripped = folder.join("program");
    let mut strip = workspace.command("strip");
    fs::create_dir_all(folder).map_err(|error| failed(folder, &error))?;
    // Symbols of a debug build would be most of the time that packing takes.
    strip.arg("-o").arg(&stripped).arg(program);
    process::run(strip)?;
    let made = make(workspace, &stripped, &folder.join("packages"))?;
    let root = folder.join("root");
    unpack(workspace, &made, &root)?;
    documents(&made, &root)?;
    commands(workspace, &stripped, &root)?;
    libraries(workspace, &stripped, &root)?;
    let writes = [("/dbs/trial", ""), ("/db/trial/lua", "NodeTypeInsert('T')\nNodeAdd('T', 'a')")];
    serve(workspace, &root, &writes)?;
    let answer = serve(workspace, &root, &[("/ro/trial/lua", "AllNodesCount()")])?;
    if !answer.ends_with("\r\n\r\n1") {
        return Err(format!("the node of the first start is not there at the second: {answer:?}"));
    }
    let mut tarball = inside(workspace, &root, "/opt/millrace/millrace");
    tarball.args(["check", "--data", DATA]);
    process::run(tarball)?;
    fs::remove_dir_all(folder).map_err(|error| failed(folder, &error))
}

/// The Debian package at the root, the tarball at `/opt/millrace`; folders as the package's scripts and the
/// unit make them.
fn unpack(workspace: &Workspace, made: &Made, root: &Path) -> Result<(), String> {
    let debian = made.debian.as_ref().ok_or("there is no dpkg-deb")?;
    let opt = root.join(TARBALL);
    let data = root.join(DATA.trim_start_matches('/'));
    for folder in [&opt, &data] {
        fs::create_dir_all(folder).map_err(|error| failed(folder, &error))?;
    }
    let mut unpack = workspace.command("dpkg-deb");
    unpack.arg("-x").arg(debian).arg(root);
    process::run(unpack)?;
    let mut tar = workspace.command("tar");
    tar.args(["--strip-components=1", "-xzf"]).arg(&made.tarball).arg("-C").arg(&opt);
    process::run(tar)?;
    let mut owner = workspace.command("chown");
    owner.arg(USER).arg(&data).arg(root.join("etc/millrace/millrace.toml"));
    process::run(owner)
}

/// Every file is in both packages, and the links of the documents lead to others of them.
fn documents(made: &Made, root: &Path) -> Result<(), String> {
    let tarball = root.join(TARBALL);
    let there = |place: PathBuf| {
        if place.exists() { Ok(()) } else { Err(format!("{} is not there", place.display())) }
    };
    for packed in &made.contents {
        there(root.join(&packed.on_system))?;
        there(tarball.join(&packed.in_tarball))?;
    }
    for folder in [tarball, root.join(DOCUMENTS)] {
        let pages = made.contents.iter().filter(|packed| packed.in_tarball.ends_with(".md"));
        for page in pages.map(|packed| &packed.in_tarball) {
            let path = folder.join(page);
            let text = fs::read_to_string(&path).map_err(|error| failed(&path, &error))?;
            for target in
                documents::links(&text).iter().filter_map(|link| documents::inside(page, link))
            {
                there(folder.join(target))?;
            }
        }
        let notices = folder.join(notices::NAME);
        let text = fs::read_to_string(&notices).map_err(|error| failed(&notices, &error))?;
        if !text.contains("\ntokio ") {
            return Err(format!("{} lacks packages of the program", notices.display()));
        }
    }
    Ok(())
}

/// Every command of the program has a manual page, and every shell completes it.
fn commands(workspace: &Workspace, program: &Path, root: &Path) -> Result<(), String> {
    let mut help = workspace.command(&program.to_string_lossy());
    help.arg("help");
    let help = process::output(help)?;
    let section = help.split("Commands:\n").nth(1).ok_or("the help lists no commands")?;
    let lines = section.lines().take_while(|line| line.starts_with("  "));
    let words = lines.filter_map(|line| line.split_whitespace().next());
    let commands: Vec<&str> = words.filter(|word| *word != "help").collect();
    if !commands.contains(&"serve") {
        return Err(format!("the help lists other commands: {commands:?}"));
    }
    let tarball = root.join(TARBALL);
    for (pages, completions) in [
        (
            root.join("usr/share/man/man1"),
            root.join("usr/share/bash-completion/completions/millrace"),
        ),
        (root.join("usr/share/man/man1"), root.join("usr/share/zsh/vendor-completions/_millrace")),
        (tarball.join("man/man1"), tarball.join("completions/millrace.fish")),
    ] {
        let known =
            fs::read_to_string(&completions).map_err(|error| failed(&completions, &error))?;
        for command in &commands {
            let page = pages.join(format!("millrace-{command}.1"));
            let text = fs::read_to_string(&page).map_err(|error| failed(&page, &error))?;
            if !text.contains(".SH SYNOPSIS") || !known.contains(command) {
                return Err(format!("{} or {} lacks it", page.display(), completions.display()));
            }
        }
    }
    Ok(())
}

/// Copies the libraries that the dynamic linker loads to the same places.
fn libraries(workspace: &Workspace, program: &Path, root: &Path) -> Result<(), String> {
    let mut ldd = workspace.command("ldd");
    ldd.arg(program);
    for word in process::output(ldd)?.split_whitespace().filter(|word| word.starts_with('/')) {
        put(Path::new(word), &root.join(word.trim_start_matches('/')), 0o755)?;
    }
    Ok(())
}

fn inside(workspace: &Workspace, root: &Path, program: &str) -> Command {
    let mut command = workspace.command("chroot");
    command.arg(format!("--userspec={USER}")).arg(root).arg(program);
    command.current_dir(root).stdin(Stdio::null());
    // Settings of the environment are not those of the package.
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("MILLRACE_")) {
        command.env_remove(name);
    }
    command
}

/// The server as the unit starts it, on free ports: requests (path and body), the last one's answer, and an
/// end by SIGTERM.
fn serve(workspace: &Workspace, root: &Path, posts: &[(&str, &str)]) -> Result<String, String> {
    let mut command = inside(workspace, root, "/usr/bin/millrace");
    command.args(["serve", "--data", DATA, "--config", "/etc/millrace/millrace.toml"]);
    command.args(["--listen", "lua=127.0.0.1:0", "--listen", "gremlin=127.0.0.1:0"]);
    command.args(["--listen", "admin=off"]);
    let child = command.stdout(Stdio::piped()).spawn();
    let mut server = Server(child.map_err(|error| format!("chroot: {error}"))?);
    let address = server.address()?;
    let mut answer = String::new();
    for (path, body) in posts {
        answer = post(&address, path, body)?;
    }
    let ended = server.end(workspace)?;
    if ended.success() { Ok(answer) } else { Err(format!("the server ended with {ended}")) }
}

/// A child that does not outlive the trial.
struct Server(Child);

impl Server {
    /// Where it listens for Lua: `ADDRESS:PORT`.
    fn address(&mut self) -> Result<String, String> {
        let output = self.0.stdout.take().ok_or("the server's output was taken before")?;
        let mut lines = BufReader::new(output).lines().map_while(Result::ok);
        let found =
            lines.find_map(|line| line.strip_prefix("listening on http://").map(str::to_owned));
        // The server goes on where nothing reads its output any more.
        found.ok_or_else(|| "the server ended before it listened".to_owned())
    }

    fn end(&mut self, workspace: &Workspace) -> Result<ExitStatus, String> {
        let mut kill = workspace.command("kill");
        kill.args(["-TERM", &self.0.id().to_string()]);
        process::run(kill)?;
        self.0.wait().map_err(|error| format!("the server: {error}"))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Where it has ended, there is nothing to kill.
        let _gone = self.0.kill();
        let _reaped = self.0.wait();
    }
}

fn post(address: &str, path: &str, body: &str) -> Result<String, String> {
    let failed = |error: std::io::Error| format!("{path}: {error}");
    let mut stream = TcpStream::connect(address).map_err(failed)?;
    let length = body.len();
    write!(
        stream,
        "POST {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{body}"
    )
    .map_err(failed)?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).map_err(failed)?;
    if answer.starts_with("HTTP/1.1 200 ") { Ok(answer) } else { Err(format!("{path}: {answer}")) }
}
