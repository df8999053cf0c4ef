//! `millrace users`, with passwords from a pipe and from a terminal, and servers that read its file.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

use crate::program::{program, run, start, text};

/// Runs a command with a text as its standard input.
fn run_with(arguments: &[&str], input: &str) -> Output {
    let mut command = program(arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program can be run");
    // A command that fails first does not read it.
    let _unread = child.stdin.take().expect("it is piped").write_all(input.as_bytes());
    child.wait_with_output().expect("it ends")
}

/// A file of users, with these.
pub(crate) fn users_file(folder: &Path, users: &[(&str, &str)]) -> String {
    let path = folder.join("users");
    let path = path.to_str().expect("temporary folders have plain names");
    for (name, password) in users {
        let added = run_with(&["users", "add", name, "--file", path], &format!("{password}\n"));
        assert_eq!(added.status.code(), Some(0), "{}", text(&added.stderr));
    }
    path.to_owned()
}

#[test]
fn users_are_added_listed_changed_and_removed() {
    let folder = tempfile::tempdir().unwrap();
    let file = users_file(folder.path(), &[("ann", "s:x@y"), ("bob", "geheim")]);
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    let stored = fs::read_to_string(&file).unwrap();
    assert!(!stored.contains("geheim"), "{stored}");
    assert_eq!(stored.matches(":$argon2id$v=19$").count(), 2, "{stored}");
    assert_eq!(text(&run(&["users", "list", "--file", &file]).stdout), "ann\nbob\n");
    let changed = run_with(&["users", "passwd", "bob", "--file", &file], "neu\n");
    assert_eq!(changed.status.code(), Some(0), "{}", text(&changed.stderr));
    let after = fs::read_to_string(&file).unwrap();
    assert_eq!(after.lines().next(), stored.lines().next());
    assert_ne!(after.lines().nth(1), stored.lines().nth(1));
    let removed = run(&["users", "remove", "ann", "--file", &file]);
    assert_eq!(removed.status.code(), Some(0), "{}", text(&removed.stderr));
    // The setting says which file, too.
    let config = folder.path().join("millrace.toml");
    fs::write(&config, format!("[users]\nfile = \"{file}\"\n")).unwrap();
    let listed = run(&["users", "list", "--config", config.to_str().unwrap()]);
    assert_eq!(text(&listed.stdout), "bob\n", "{}", text(&listed.stderr));
    let mut listed = program(&["users", "list"]);
    let listed = listed.env("MILLRACE_USERS__FILE", &file).output().unwrap();
    assert_eq!(text(&listed.stdout), "bob\n", "{}", text(&listed.stderr));
}

#[test]
fn failed_changes_are_reported_and_leave_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = users_file(folder.path(), &[("ann", "secret")]);
    let before = fs::read(&file).unwrap();
    for (arguments, input, code, words) in [
        (["users", "add", "ann", "--file", &file], "x\n", 73, "users passwd"),
        (["users", "add", "a:b", "--file", &file], "x\n", 65, "colon"),
        (["users", "add", "eve", "--file", &file], "\n", 65, "empty"),
        (["users", "passwd", "eve", "--file", &file], "x\n", 66, "users list"),
        (["users", "remove", "eve", "--file", &file], "", 66, "no user `eve`"),
        (["users", "passwd", "ann", "--file", "/nowhere/x"], "x\n", 66, "/nowhere/x"),
    ] {
        let refused = run_with(&arguments, input);
        let error = text(&refused.stderr);
        assert_eq!(refused.status.code(), Some(code), "{arguments:?}: {error}");
        assert!(error.contains(words), "{arguments:?}: {error}");
    }
    let nameless = run(&["users", "list"]);
    assert_eq!(nameless.status.code(), Some(65));
    assert!(text(&nameless.stderr).contains("--file"), "{}", text(&nameless.stderr));
    assert_eq!(run(&["users", "frobnicate"]).status.code(), Some(64));
    assert_eq!(fs::read(&file).unwrap(), before);
}

#[test]
fn a_file_of_clear_text_is_refused_until_it_is_converted() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("users");
    fs::write(&file, "# us\nann:s:x@y\n").unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
    let file = file.to_str().unwrap();
    let set = format!("users.file={file}");
    let data = folder.path().join("data").to_str().unwrap().to_owned();
    let serve = ["serve", "--data", &data, "--listen", "lua=127.0.0.1:0", "--set", &set];
    let refused = run(&serve);
    let error = text(&refused.stderr);
    assert_eq!(refused.status.code(), Some(78), "{error}");
    assert!(error.contains(&format!("millrace users convert --file {file}")), "{error}");
    assert!(!error.contains("s:x@y"), "{error}");
    let listed = text(&run(&["users", "list", "--file", file]).stdout);
    assert!(listed.starts_with("ann") && listed.contains("clear text"), "{listed}");
    let converted = run(&["users", "convert", "--file", file]);
    assert_eq!(text(&converted.stdout), "hashed the passwords of ann\n");
    let stored = fs::read_to_string(file).unwrap();
    assert!(stored.starts_with("# us\nann:$argon2id$") && !stored.contains("s:x@y"), "{stored}");
    let server = start(&serve);
    let url = |login: &str| server.admin_url().replace("http://", &format!("http://{login}"));
    let ask = |url: &str| run(&["shell", "--url", url, "-c", "g.V().count()"]);
    assert_eq!(ask(&url("ann:s%3Ax%40y@")).status.code(), Some(0));
    assert_eq!(ask(&url("ann:wrong@")).status.code(), Some(77));
    assert_eq!(server.terminate(), Some(0));
}

#[test]
fn a_server_reads_a_file_of_its_group_and_says_whose_another_has_to_be() {
    let folder = tempfile::tempdir().unwrap();
    let own = fs::metadata(folder.path()).unwrap().gid().to_string();
    let file = folder.path().join("users").to_str().unwrap().to_owned();
    let add = |name: &str, further: &[&str]| {
        let arguments = [&["users", "add", name, "--file", &file], further].concat();
        let added = run_with(&arguments, "secret\n");
        assert_eq!(added.status.code(), Some(0), "{}", text(&added.stderr));
        fs::metadata(&file).unwrap().permissions().mode() & 0o777
    };
    assert_eq!(add("ann", &["--group", &own]), 0o640);
    assert_eq!(add("bob", &[]), 0o640, "a change keeps the mode");
    let set = format!("users.file={file}");
    let data = folder.path().join("data").to_str().unwrap().to_owned();
    let serve = ["serve", "--data", &data, "--listen", "lua=127.0.0.1:0", "--set", &set];
    assert_eq!(start(&serve).terminate(), Some(0));
    let refused = |mode: u32| {
        fs::set_permissions(&file, fs::Permissions::from_mode(mode)).unwrap();
        let refused = run(&serve);
        (refused.status.code(), text(&refused.stderr))
    };
    let (code, error) = refused(0o644);
    assert!(code == Some(78) && error.contains("chmod 600"), "{code:?} {error}");
    if !rustix::process::geteuid().is_root() {
        // Root reads every file.
        let (code, error) = refused(0o000);
        assert!(code == Some(78) && error.contains("chgrp"), "{code:?} {error}");
    }
    for (option, list) in [("--owner", "/etc/passwd"), ("--group", "/etc/group")] {
        let unknown = run_with(&["users", "add", "eve", "--file", &file, option, "no one"], "x\n");
        let error = text(&unknown.stderr);
        assert_eq!(unknown.status.code(), Some(66), "{error}");
        assert!(error.contains("`no one`") && error.contains(list), "{error}");
    }
}

/// Runs a command on a terminal where these keys are typed. Returns its output, and the text on the terminal.
fn on_terminal(arguments: &[&str], keys: &[&str]) -> (Output, String) {
    let own = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("there are terminals");
    grantpt(&own).and_then(|()| unlockpt(&own)).expect("it is ours");
    let name = ptsname(&own, Vec::new()).expect("it has a name");
    let terminal = File::options()
        .read(true)
        .write(true)
        .open(name.to_str().expect("it is a plain path"))
        .expect("it is unlocked");
    let mut own = File::from(own);
    let mut command: Command = program(arguments);
    command.stdin(terminal.try_clone().expect("a file can be shared")).stdout(Stdio::piped());
    // Prompts are on standard error: the next keys wait for one.
    let mut child = command.stderr(terminal).spawn().expect("the program can be run");
    drop(command);
    let mut shown = Vec::new();
    for keys in keys {
        let prompts = shown.len();
        while !shown[prompts..].ends_with(b": ") {
            let mut bytes = [0; 256];
            let read = own.read(&mut bytes).expect("the program is there");
            shown.extend(&bytes[..read]);
        }
        while is_shown(&own) {
            std::thread::yield_now();
        }
        own.write_all(keys.as_bytes()).expect("the program is there");
    }
    let mut output = Vec::new();
    child.stdout.take().expect("it is piped").read_to_end(&mut output).expect("it ends");
    let status = child.wait().expect("it ends");
    // The other side is closed: the rest is read up to an error.
    let _closed = own.read_to_end(&mut shown);
    (Output { status, stdout: output, stderr: Vec::new() }, text(&shown))
}

/// Whether a terminal echoes typed keys.
fn is_shown(terminal: &File) -> bool {
    let modes = rustix::termios::tcgetattr(terminal).expect("it is a terminal").local_modes;
    modes.contains(rustix::termios::LocalModes::ECHO)
}

#[test]
fn a_terminal_asks_twice_and_shows_no_password() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("users");
    let file = file.to_str().unwrap();
    let add = ["users", "add", "ann", "--file", file];
    let (differ, shown) = on_terminal(&add, &["geheim\n", "geheimer\n"]);
    assert_eq!(differ.status.code(), Some(65), "{shown}");
    assert!(shown.contains("differ"), "{shown}");
    let (given_up, shown) = on_terminal(&add, &["geh\x03"]);
    assert_eq!(given_up.status.code(), Some(75), "{shown}");
    assert!(shown.contains("no password was given"), "{shown}");
    assert!(!Path::new(file).exists());
    let (added, shown) = on_terminal(&add, &["geheim\n", "geheim\n"]);
    assert_eq!(added.status.code(), Some(0), "{shown}");
    assert!(
        shown.contains("password for ann: ") && shown.contains("repeat the password: "),
        "{shown}"
    );
    assert!(!shown.contains("geh"), "{shown}");
    assert!(fs::read_to_string(file).unwrap().starts_with("ann:$argon2id$"));
}

#[test]
fn a_file_belongs_to_the_account_that_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("users");
    let own = fs::metadata(folder.path()).unwrap().uid();
    let name = file.to_str().unwrap();
    let add = |user: &str, owner: &str| {
        run_with(&["users", "add", user, "--file", name, "--owner", owner], "secret\n")
    };
    let added = add("ann", &own.to_string());
    assert_eq!(added.status.code(), Some(0), "{}", text(&added.stderr));
    assert_eq!(fs::metadata(&file).unwrap().uid(), own);
    let refused = add("bob", "no such account");
    assert_eq!(refused.status.code(), Some(66), "{}", text(&refused.stderr));
    assert!(text(&refused.stderr).contains("`no such account`"), "{}", text(&refused.stderr));
    assert_eq!(text(&run(&["users", "list", "--file", name]).stdout), "ann\n");
    // A file that is wrong is a wrong setting of the server, whatever is wrong with it.
    let set = format!("users.file={name}.none");
    let data = folder.path().join("data");
    let data = data.to_str().unwrap();
    let refused = run(&["serve", "--data", data, "--listen", "lua=127.0.0.1:0", "--set", &set]);
    assert_eq!(refused.status.code(), Some(78), "{}", text(&refused.stderr));
    assert!(text(&refused.stderr).contains("millrace users add"), "{}", text(&refused.stderr));
}
