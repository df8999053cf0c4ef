//! Sound texts, changed at random: whatever they become, they are read or refused with positions, and what is read has a
//! normal text that reads the same.

use millrace_cypher::{check, normal_text};
use millrace_testkit::{Rng, run_seeds, workspace};

/// The inputs of the goldens.
fn texts() -> Vec<String> {
    let folder = workspace().join("crates/cypher/tests/goldens/text");
    let files = std::fs::read_dir(folder).expect("the goldens are there");
    let mut texts = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(file.expect("it is read").path()).expect("it is text");
        for block in text.split("```input\n").skip(1) {
            let (input, _) = block.split_once("\n```").expect("a block has an end");
            texts.extend(input.split("\n---\n").map(str::to_owned));
        }
    }
    texts.sort();
    texts
}

/// Words and marks, and the space between them.
fn pieces(text: &str) -> Vec<&str> {
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = match is_word(first) {
            true => rest.find(|letter| !is_word(letter)).unwrap_or(rest.len()),
            false => first.len_utf8(),
        };
        let (piece, behind) = rest.split_at(end);
        pieces.push(piece);
        rest = behind;
    }
    pieces
}

fn changed<'t>(rng: &mut Rng, text: &'t str, other: &'t str) -> String {
    let (mut own, foreign) = (pieces(text), pieces(other));
    for _ in 0..1 + rng.below(4) {
        let at = rng.below(own.len() as u64 + 1) as usize;
        let from = rng.below(foreign.len() as u64 + 1) as usize;
        match rng.below(4) {
            0 if at < own.len() => drop(own.remove(at)),
            1 if from < foreign.len() => own.insert(at, foreign[from]),
            2 if at < own.len() && from < foreign.len() => own[at] = foreign[from],
            3 => {
                let taken = &foreign[from..foreign.len().min(from + 8)];
                own.splice(at..at, taken.iter().copied());
            }
            _ => {}
        }
    }
    own.concat()
}

fn holds(text: &str) {
    match normal_text(text) {
        Ok(statements) => {
            let normal = statements.join(";\n");
            let again = normal_text(&normal).map(|again| again.join(";\n"));
            assert_eq!(again.as_ref(), Ok(&normal), "the normal text of {text}");
        }
        Err(errors) => {
            let positions: Vec<_> = errors
                .iter()
                .map(|error| error.position.unwrap_or_else(|| panic!("{error}: {text}")))
                .map(|at| (at.line, at.column))
                .collect();
            assert!(positions.is_sorted(), "{text}: {positions:?}");
            let last = text.lines().count() as u32 + 1;
            assert!(positions.iter().all(|(line, _)| (1..=last).contains(line)), "{text}");
            assert_eq!(errors, check(text), "the same text twice: {text}");
        }
    }
}

#[test]
fn changed_texts_are_read_or_refused() {
    let texts = texts();
    texts.iter().for_each(|text| holds(text));
    run_seeds(3_000, |_, rng| {
        let (text, other) = (rng.pick(&texts), rng.pick(&texts));
        holds(&changed(rng, text, other));
    });
}
