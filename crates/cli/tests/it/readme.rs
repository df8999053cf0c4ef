//! The README's example of own data is true: its files, its commands, and the answers that it shows.

use std::fs;
use std::process::Command;

use millrace_testkit::workspace;

use crate::program::text;

/// The blocks of a language, in their order.
fn blocks<'a>(page: &'a str, language: &str) -> Vec<&'a str> {
    let begin = format!("```{language}\n");
    let parts = page.split(begin.as_str()).skip(1);
    parts.map(|part| part.split("```").next().unwrap_or_default()).collect()
}

#[test]
fn the_readmes_own_data_is_loaded_and_answers_as_it_says() {
    let page = fs::read_to_string(workspace().join("README.md")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let files = blocks(&page, "csv");
    let [people, knows] = files.as_slice() else { panic!("two files: {files:?}") };
    fs::write(folder.path().join("people.csv"), people).unwrap();
    fs::write(folder.path().join("knows.csv"), knows).unwrap();
    let script = blocks(&page, "sh").into_iter().find(|block| block.starts_with("millrace load"));
    let script = script.expect("the README loads its files");
    let (commands, _) = script.split_once("millrace serve").expect("and serves them at last");
    let program = format!("millrace() {{ '{}' \"$@\"; }}\n", env!("CARGO_BIN_EXE_millrace"));
    let mut shell = Command::new("sh");
    shell.current_dir(folder.path()).args(["-euc", &(program + commands)]);
    let output = shell.output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    let wanted: String = commands
        .lines()
        .filter_map(|line| Some(line.strip_prefix("# ")?.to_owned() + "\n"))
        .collect();
    let printed = text(&output.stdout).replace("\r\n", "\n");
    assert!(printed.starts_with("people: 3 nodes and 2 relationships"), "{printed}");
    assert!(!wanted.is_empty() && printed.ends_with(&wanted), "{printed}");
}
