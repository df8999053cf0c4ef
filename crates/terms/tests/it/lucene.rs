//! Tokens as Neo4j 5.26 with Lucene 9.11 makes them: `lucene/tokens.txt` holds what its analyzers gave for the lines of
//! `lucene/texts.txt`, by number, as `word@position:start-end` with offsets in UTF-16 units.

use millrace_terms::Analyzer;

const TEXTS: &str = include_str!("lucene/texts.txt");
const TOKENS: &str = include_str!("lucene/tokens.txt");

#[test]
fn tokens_are_those_of_lucene() {
    let texts: Vec<&str> = TEXTS.lines().collect();
    let mut analyzer = None;
    let mut differences = Vec::new();
    for expected in TOKENS.lines() {
        if let Some(name) = expected.strip_prefix('[').and_then(|name| name.strip_suffix(']')) {
            analyzer = Some(Analyzer::named(name).expect("an analyzer of Neo4j"));
            continue;
        }
        let analyzer = analyzer.expect("a name first");
        let (line, expected) = expected.split_once(' ').expect("a number first");
        let own = tokens(analyzer, texts[line.parse::<usize>().expect("a number") - 1]);
        let theirs: Vec<&str> = expected.split('\t').filter(|token| !token.is_empty()).collect();
        if own != theirs {
            let only = |left: &[String], right: &[String]| {
                left.iter().filter(|t| !right.contains(t)).cloned().collect::<Vec<_>>()
            };
            let theirs: Vec<String> = theirs.iter().map(|t| (*t).to_owned()).collect();
            differences.push(format!(
                "{analyzer} {line}: ours {:?}\n     theirs {:?}",
                only(&own, &theirs),
                only(&theirs, &own)
            ));
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

fn tokens(analyzer: Analyzer, text: &str) -> Vec<String> {
    let utf16_offset = |bytes: usize| text[..bytes].encode_utf16().count();
    let tokens = analyzer.tokens(text, None).expect("a short text");
    let shown = tokens.iter().map(|token| {
        let (start, end) = (utf16_offset(token.bytes.start), utf16_offset(token.bytes.end));
        format!("{}@{}:{start}-{end}", token.text, token.position)
    });
    shown.collect()
}
