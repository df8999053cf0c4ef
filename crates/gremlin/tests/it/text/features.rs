//! Every text of TinkerPop's scenarios is read.

use std::fs;
use std::path::{Path, PathBuf};

use millrace_gremlin::text::{Ending, Expression, Language, Script, parse};
use millrace_testkit::{gremlin_suite, require};

/// How many texts there are in the scenarios of 3.8.1: traversals, graph initializers, counted traversals.
const TRAVERSALS: usize = 2_050;
const OTHERS: usize = 697;

#[test]
fn every_text_of_the_scenarios_is_read() {
    let suite = gremlin_suite();
    if !require("gremlin texts of TinkerPop's scenarios", suite.is_some()) {
        return;
    }
    let features = suite.expect("it is there").join("test/features");
    let mut failures = Vec::new();
    let (mut traversals, mut others) = (0, 0);
    for file in files_under(&features) {
        let text = fs::read_to_string(&file).expect("a feature file can be read");
        for (line, kind, gremlin) in texts_of(&text) {
            match kind {
                Kind::Traversal => traversals += 1,
                Kind::Other => others += 1,
            }
            if let Err(reason) = read(&gremlin) {
                failures.push(format!("{}:{line}: {reason}\n{gremlin}", file.display()));
            }
        }
    }
    assert!(failures.is_empty(), "{} texts:\n{}", failures.len(), failures.join("\n"));
    assert_eq!((traversals, others), (TRAVERSALS, OTHERS));
}

/// Two texts name classes with dollar signs in double quotes, which Groovy would not take as they are;
/// one has an integer of a thousand digits, and those have 127 bits here.
fn read(gremlin: &str) -> Result<(), String> {
    if gremlin.starts_with(&format!("      g.withSack(1{}", "0".repeat(1_000))) {
        let error = parse(gremlin, Language::Gremlin).map_err(|error| error.to_string());
        let is_named = error.is_err_and(|error| error.contains("at most 127 bits"));
        return if is_named { Ok(()) } else { Err("it is not refused by its name".to_owned()) };
    }
    let is_groovy = !gremlin.contains("MatchStep$");
    for language in
        [Language::Gremlin, Language::Groovy].into_iter().take(1 + usize::from(is_groovy))
    {
        let script = parse(gremlin, language).map_err(|error| format!("{language:?}: {error}"))?;
        is_one_traversal(&script).map_err(|reason| format!("{language:?}: {reason}"))?;
    }
    Ok(())
}

/// No text of a scenario is two statements, ends in `next()` or begins with anything but `g`.
fn is_one_traversal(script: &Script) -> Result<(), String> {
    let [statement] = script.statements.as_slice() else {
        return Err(format!("{} statements", script.statements.len()));
    };
    match &statement.expression {
        Expression::Traversal(traversal)
            if &*traversal.source == "g" && traversal.ending == Ending::None =>
        {
            Ok(())
        }
        other => Err(format!("{other:?}")),
    }
}

fn files_under(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).expect("the folder can be read") {
        let path = entry.expect("the folder can be read").path();
        if path.is_dir() {
            files.extend(files_under(&path));
        } else if path.extension().is_some_and(|extension| extension == "feature") {
            files.push(path);
        }
    }
    files.sort();
    files
}

#[derive(Clone, Copy)]
enum Kind {
    Traversal,
    Other,
}

/// The texts of a feature file, each with the line it begins on.
fn texts_of(feature: &str) -> Vec<(usize, Kind, String)> {
    let mut texts = Vec::new();
    let mut lines = feature.lines().enumerate();
    while let Some((number, line)) = lines.next() {
        let line = line.trim();
        if let Some((_, quoted)) = line.split_once("for count of \"") {
            let quoted = quoted.strip_suffix('"').expect("the text ends the line");
            texts.push((number + 1, Kind::Other, quoted.replace("\\\"", "\"")));
        }
        let kind = match line {
            "And the traversal of" => Kind::Traversal,
            "And the graph initializer of" => Kind::Other,
            _ => continue,
        };
        let is_fence = |line: &str| line.trim() == "\"\"\"";
        lines.by_ref().find(|(_, line)| is_fence(line)).expect("a text is fenced");
        let block = lines.by_ref().map(|(_, line)| line);
        let text: Vec<&str> = block.take_while(|line| !is_fence(line)).collect();
        texts.push((number + 3, kind, text.join("\n")));
    }
    texts
}
