//! The program itself, over scenarios that a test writes. It is also why `cargo test` builds the program, which the
//! stages `tck` and `cypher` of `cargo xtask test` run.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

const FEATURE: &str = r#"Feature: Sums

  Scenario: [1] A right sum
    Given an empty graph
    When executing query:
      """
      RETURN 1 + 1 AS two
      """
    Then the result should be, in any order:
      | two |
      | 2   |
    And no side effects

  Scenario: [2] A wrong sum
    Given an empty graph
    When executing query:
      """
      RETURN 1 + 1 AS two
      """
    Then the result should be, in any order:
      | two |
      | 3   |
    And no side effects
"#;

fn run(folder: &Path, known: &str) -> Output {
    let list = folder.join("known.txt");
    fs::write(&list, known).expect("the folder takes files");
    let mut command = Command::new(env!("CARGO_BIN_EXE_millrace-tck"));
    command.arg("--features").arg(folder.join("features"));
    command.arg("--graphs").arg(folder.join("graphs"));
    command.arg("--known").arg(list);
    command.output().expect("the program runs")
}

#[test]
fn a_list_of_known_failures_is_right_or_reported() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir_all(folder.path().join("graphs")).unwrap();
    fs::create_dir_all(folder.path().join("features")).unwrap();
    fs::write(folder.path().join("features/Sums1.feature"), FEATURE).unwrap();
    for (known, is_right) in [
        ("Sums1 [2] : a wrong sum\n", true),
        ("", false),
        ("Sums1 [1]\nSums1 [2] : a wrong sum\n", false),
    ] {
        let output = run(folder.path(), known);
        let said = String::from_utf8_lossy(&output.stdout);
        assert_eq!(output.status.success(), is_right, "{known}: {output:?}");
        assert!(said.contains("\"passed\": 1") || said.contains("\"passed\":1"), "{said}");
    }
}
