//! The runner on files it must accept, refuse and rewrite; the "system under test" is upper case.

use std::fs;

use super::*;

const TWO_CASES: &str = "\
# Shouting
Prose stays.
```graph
g1
```
```input
one
```
```output
ONE
```
## Louder
```input
two
```

between
```output
TWO
```
";

fn shout(case: &Case) -> String {
    case.input.to_uppercase()
}

fn with_file(text: &str, rewrite: bool) -> (Result<(), String>, String) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("case.md");
    fs::write(&file, text).unwrap();
    let outcome = check_or_rewrite(folder.path(), rewrite, shout);
    (outcome, fs::read_to_string(&file).unwrap())
}

#[test]
fn equal_outputs_pass_and_nothing_is_written() {
    assert_eq!(with_file(TWO_CASES, false), (Ok(()), TWO_CASES.to_owned()));
    assert_eq!(with_file(TWO_CASES, true), (Ok(()), TWO_CASES.to_owned()));
}

#[test]
fn a_case_knows_its_heading_line_and_parts() {
    let cases = Document::parse(TWO_CASES).unwrap().cases(Path::new("x.md"));
    assert_eq!(cases.len(), 2);
    assert_eq!((cases[0].name.as_str(), cases[0].line), ("Shouting", 6));
    assert_eq!((cases[1].name.as_str(), cases[1].part("graph")), ("Louder", Some("g1")));
    assert_eq!(cases[1].part("schema"), None);
}

#[test]
fn a_difference_names_the_case_and_shows_both_sides() {
    let wrong = TWO_CASES.replace("TWO", "too");
    let (outcome, text) = with_file(&wrong, false);
    let message = outcome.unwrap_err();
    assert!(message.starts_with("1 of 2 goldens differ"), "{message}");
    assert!(message.contains("case.md:13 Louder\n  - too\n  + TWO\n"), "{message}");
    assert_eq!(text, wrong);
}

#[test]
fn rewriting_changes_the_outputs_and_nothing_else() {
    let wrong = TWO_CASES.replace("TWO", "too");
    assert_eq!(with_file(&wrong, true), (Ok(()), TWO_CASES.to_owned()));
}

#[test]
fn a_missing_output_fails_and_rewriting_adds_it() {
    let (outcome, _) = with_file("```input\nx\n```\n", false);
    assert!(outcome.unwrap_err().contains("no `output` block yet; found:\nX"));
    let (_, text) = with_file("```input\nx\n```\n", true);
    assert_eq!(text, "```input\nx\n```\n```output\nX\n```\n");
}

#[test]
fn an_output_that_holds_a_fence_gets_a_longer_one() {
    let text = "````input\n```\nx\n```\n````\n";
    let (_, rewritten) = with_file(text, true);
    assert!(rewritten.ends_with("````output\n```\nX\n```\n````\n"), "{rewritten}");
    assert_eq!(with_file(&rewritten, false).0, Ok(()));
}

#[test]
fn malformed_files_and_empty_folders_are_refused() {
    assert!(with_file("```input\nx\n", false).0.unwrap_err().contains("line 1: this block is not"));
    assert!(with_file("```output\nx\n```\n", false).0.unwrap_err().contains("has no `input`"));
    assert!(with_file("prose only\n", false).0.unwrap_err().contains("no golden case"));
    let missing = Path::new("no-such-folder-of-goldens");
    assert!(check_or_rewrite(missing, false, shout).unwrap_err().contains("no-such-folder"));
}

#[test]
fn folders_are_walked_in_the_order_of_their_paths() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("b")).unwrap();
    for name in ["c.md", "b/a.md", "a.md", "ignored.txt"] {
        let text = format!("```input\n{name}\n```\n");
        fs::write(folder.path().join(name), text).unwrap();
    }
    let mut seen = Vec::new();
    let run = |case: &Case| {
        seen.push(case.input.clone());
        String::new()
    };
    check_or_rewrite(folder.path(), true, run).unwrap();
    assert_eq!(seen, ["a.md", "b/a.md", "c.md"]);
}
