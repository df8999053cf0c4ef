//! Damaged texts: parts are left out, repeated or replaced. Each is read or refused, and nothing panics.

use millrace_model::random::SplitMix64;
use millrace_quads::text::json::Json;
use millrace_quads::{
    Action, BlankNames, Object, Statement, parse_block, parse_line, parse_statements, statements_of,
};
use millrace_testkit::run_seeds;

const LINES: &str = "# a comment\n<0x1> <name@en> \"Ann \\u00e9\\\"\" (k=1.5, s=\"x y\", on=2020-02-29) <g> .\r\n\
    \t_:b <p> _:c .\n31 <age> \"33\"^^<xs:int> . # more\nuid(v) <q> val(x) .\nuid( v ) <q> uid(w).\n\
    <1> <loc> \"{'type':'Point','coordinates':[1,2]}\"^^<geo:geojson> .\n<1> <p> * .\n<1> * * .\n<\\u0041é> <p> <b> .\n";

const JSON: &str = r#"[{"uid": "0x1", "name@en": "Ann\u00e9", "name@en|k": 1, "age": 33, "score": 1.5e3, "is": true,
    "friend": [{"uid": "_:a", "friend|close": true, "gone": null}, {"uid": "uid(v)", "n": "val(x)"}],
    "nick": ["é", 2], "nick|kind": {"0": "x", "1": "2020-01-01"}, "loc": {"type": "Point", "coordinates": [1, 2]}},
    {"uid": "0x2"}, {"uid": 3, "p": {"q": {"r": {}}}}]"#;

/// Bytes that mean something to one of the readers.
const MARKS: &[u8] = b"<>\"\\_:.*()@^|{}[],=# \n\r\tuv0x";

fn damage(text: &str, rng: &mut SplitMix64) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..=rng.index(3) {
        if bytes.is_empty() {
            break;
        }
        let from = rng.index(bytes.len());
        let to = (from + 1 + rng.index(12)).min(bytes.len());
        match rng.index(4) {
            0 => drop(bytes.drain(from..to)),
            1 => {
                let part = bytes[from..to].to_vec();
                let at = rng.index(bytes.len() + 1);
                bytes.splice(at..at, part);
            }
            2 => bytes[from] = MARKS[rng.index(MARKS.len())],
            _ => bytes.truncate(to),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[test]
fn damaged_nquads_are_read_or_refused() {
    let whole: Vec<_> = parse_statements(LINES).collect();
    assert!(whole.iter().all(Result::is_ok) && whole.len() == 9, "{whole:?}");
    run_seeds(4000, |_, rng| {
        let text = damage(LINES, rng);
        for read in parse_statements(&text) {
            match read {
                Ok(Statement::Quad(quad)) => {
                    if let Object::Literal(literal) = &quad.object {
                        let _value = literal.datatype.parse(&literal.text);
                        assert_eq!(text.as_bytes()[literal.at], b'"');
                    }
                }
                Ok(Statement::AllValues { subject, .. } | Statement::AllPredicates { subject }) => {
                    let _uid = subject.uid();
                }
                Err(fault) => {
                    assert!(text.is_char_boundary(fault.at), "{fault:?} in {text:?}");
                    let position = fault.position(&text);
                    assert!(1 <= position.line && 1 <= position.column);
                }
            }
        }
        let start = rng.index(text.len() + 2);
        let mut block = parse_block(&text, start);
        let _count = block.by_ref().count();
        assert!(block.at() <= text.len() + 1);
        for line in text.lines() {
            let _quad = parse_line(line);
        }
    });
}

#[test]
fn damaged_json_is_read_or_refused() {
    let read = |text: &str, action| {
        let json = Json::parse_mutation(text).ok()?;
        statements_of(&json, action, &mut BlankNames::new(1)).ok().map(|found| found.len())
    };
    assert_eq!((read(JSON, Action::Set), read(JSON, Action::Delete)), (Some(12), None));
    run_seeds(4000, |_, rng| {
        let text = damage(JSON, rng);
        let action = if rng.chance(0.5) { Action::Set } else { Action::Delete };
        let _outcome = read(&text, action);
    });
}
