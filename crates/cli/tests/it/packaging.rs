//! The image, the settings of the package and the guide name every listener that the program has, at one port each.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::net::TcpListener;
use std::process::Command;

use millrace_testkit::workspace;

use crate::program::{run, serve, text};

fn read(path: &str) -> String {
    fs::read_to_string(workspace().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The rest of the first line of the Dockerfile that begins so.
fn instruction<'a>(dockerfile: &'a str, word: &str) -> &'a str {
    let rest = dockerfile.lines().find_map(|line| line.strip_prefix(word));
    rest.unwrap_or_else(|| panic!("the Dockerfile has no {word}"))
}

fn port(address: &str) -> &str {
    address.rsplit_once(':').unwrap_or_else(|| panic!("{address} has no port")).1
}

/// Name → port of the words behind `--listen` in CMD.
fn listeners_of_the_image(dockerfile: &str) -> BTreeMap<String, String> {
    let words: Vec<String> =
        serde_json::from_str(instruction(dockerfile, "CMD ")).expect("a list of words");
    let pairs = words.windows(2).filter(|pair| pair[0] == "--listen");
    let named = pairs.map(|pair| pair[1].split_once('=').expect("NAME=ADDRESS:PORT"));
    named.map(|(name, address)| (name.to_owned(), port(address).to_owned())).collect()
}

/// Name → port of the section `[listen]`, also of lines that are comments.
fn listeners_of_the_settings(settings: &str) -> BTreeMap<String, String> {
    let section = settings.split("[listen]").nth(1).and_then(|rest| rest.split("\n[").next());
    let lines = section.expect("there is a section").lines();
    let lines = lines.map(|line| line.strip_prefix("# ").unwrap_or(line));
    let pairs = lines.filter_map(|line| line.strip_suffix('"')?.split_once(" = \""));
    pairs.map(|(name, address)| (name.to_owned(), port(address).to_owned())).collect()
}

/// The ports of `-p 127.0.0.1:PORT:PORT`.
fn published(text: &str) -> BTreeSet<&str> {
    let mappings = text.split("-p 127.0.0.1:").skip(1);
    let pairs = mappings.map(|rest| rest.split(char::is_whitespace).next().unwrap_or_default());
    let ports = pairs.map(|pair| {
        let (host, container) = pair.split_once(':').expect("-p 127.0.0.1:PORT:PORT");
        assert_eq!(host, container, "{pair}");
        host
    });
    ports.collect()
}

#[test]
fn the_image_and_the_settings_of_the_package_name_every_listener() {
    let dockerfile = read("Dockerfile");
    let image = listeners_of_the_image(&dockerfile);
    let rows = millrace_server::listener_rows();
    let names: BTreeSet<&str> = rows.iter().map(|row| row.name).collect();
    assert_eq!(image.keys().map(String::as_str).collect::<BTreeSet<_>>(), names);
    for row in rows.iter().filter(|row| !row.default_address.is_empty()) {
        assert_eq!(image[row.name], port(row.default_address), "{}", row.name);
    }
    assert_eq!(listeners_of_the_settings(&read("packaging/millrace.toml")), image);
    let ports: BTreeSet<&str> = image.values().map(String::as_str).collect();
    assert_eq!(instruction(&dockerfile, "EXPOSE ").split(' ').collect::<BTreeSet<_>>(), ports);
    assert_eq!(published(&dockerfile), ports, "docker run in the Dockerfile");
    let guide = read("docs/guides/operation.md");
    assert_eq!(published(&guide), ports, "docker run in the guide");
    for (name, port) in &image {
        let row = guide.lines().find(|line| line.starts_with(&format!("| `{name}`: ")));
        assert!(row.is_some_and(|row| row.contains(&format!("127.0.0.1:{port} "))), "{name}");
    }
}

#[test]
fn the_image_runs_as_a_user_of_its_own_and_is_asked_for_its_health() {
    let dockerfile = read("Dockerfile");
    assert_eq!(instruction(&dockerfile, "USER "), "millrace");
    assert!(instruction(&dockerfile, "VOLUME ").starts_with("/data"));
    let admin = &listeners_of_the_image(&dockerfile)["admin"];
    let health = instruction(&dockerfile, "HEALTHCHECK ");
    let words = format!("CMD [\"/usr/lib/millrace/container-health\", \"{admin}\"]");
    assert!(health.ends_with(&words), "{health}");
}

/// Whether the script of the image finds a live server at a port.
fn is_healthy(port: &str) -> bool {
    let mut script = Command::new(workspace().join("packaging/container-health"));
    script.arg(port).output().expect("bash runs it").status.success()
}

#[test]
fn the_health_of_a_container_is_that_of_its_server() {
    let folder = tempfile::tempdir().unwrap();
    let server = serve(folder.path());
    let admin = server.admin_url();
    let admin = port(&admin).to_owned();
    assert!(is_healthy(&admin));
    assert_eq!(server.terminate(), Some(0));
    assert!(!is_healthy(&admin), "no server is there");
    // A port that accepts and says nothing.
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    assert!(!is_healthy(&silent.local_addr().unwrap().port().to_string()));
}

#[test]
fn completions_and_manual_pages_are_of_the_commands_that_there_are() {
    for (shell, word) in [("bash", "--batch-rows"), ("zsh", "--batch-rows"), ("fish", "batch-rows")]
    {
        let printed = run(&["completions", shell]);
        assert_eq!(printed.status.code(), Some(0), "{}", text(&printed.stderr));
        assert!(text(&printed.stdout).contains(word), "{shell}");
    }
    assert_eq!(run(&["completions", "cmd"]).status.code(), Some(64));
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("man");
    let written = run(&["man", "--out", out.to_str().unwrap()]);
    assert_eq!(written.status.code(), Some(0), "{}", text(&written.stderr));
    let page = fs::read_to_string(out.join("millrace-load.1")).unwrap();
    assert!(page.contains(r"batch\-rows") && page.contains(".SH SYNOPSIS"), "{page}");
    assert!(out.join("millrace.1").is_file() && out.join("millrace-users-add.1").is_file());
    let unwritable = run(&["man", "--out", out.join("millrace.1").to_str().unwrap()]);
    assert_eq!(unwritable.status.code(), Some(74), "{}", text(&unwritable.stderr));
}
