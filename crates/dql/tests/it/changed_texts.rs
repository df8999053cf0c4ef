//! Sound texts, changed at random: whatever they become, they are read or refused, and what is read has a normal text
//! of an equal tree.

use millrace_testkit::{Rng, require, run_seeds};

use crate::texts::{Kind, is_read, suite};

/// Texts beside those of the suite.
const OTHERS: [&str; 5] = [
    r#"upsert {
  query q($a: int = 1) { v as var(func: eq(name, "\u00e9é", $a)) }
  mutation @if(eq(len(v), 0) AND NOT gt(len(v), 2)) { set { <a> <b> "}" . # }
  } delete { uid(v) * * . } }
}"#,
    r#"query q($a: string = "\"", $n: int!) {
  q(func: similar_to(p, 3, "[0.1]", ef: 64), orderasc: val(x)) @groupby(a: b@en) @cascade(a, ~b) {
    ...f expand(A, B) { uid } x as m: math(-(a - 1) * cond(a dot b <= b, 2e-3, $n))
    p @facets(a as b, c: e as d, orderasc: e) @facets(not eq(a, true))
  }
}
fragment f { <a b>@*, min(val(x)) checkpwd(p, "\\") }"#,
    r#"{ me ( _xid_ : XID ) { type.object.name.en film.film.directed_by { name } } }
mutation { set { <a> <b> <c> . } schema { a: int . } }"#,
    "{ p as shortest(from: 0x1, to: uid(b), numpaths: 3, minweight: -1.5) { a @filter(uid_in(b, uid(c, 0x1))) } }",
    "schema(pred: [name, <a b>]) { type index }",
];

/// Bytes that mean something somewhere.
const MARKS: &[u8] = b"{}()[]<>@:,.$\"\\/#-+*%=!~ \n0aE_";

fn changed(rng: &mut Rng, text: &str) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..1 + rng.below(4) {
        let at = rng.index(bytes.len() + 1);
        let end = (at + rng.index(12)).min(bytes.len());
        match rng.below(5) {
            0 => bytes.truncate(at),
            1 => drop(bytes.drain(at..end)),
            2 => {
                let copied = bytes[at..end].to_vec();
                let into = rng.index(bytes.len() + 1);
                bytes.splice(into..into, copied);
            }
            3 if at < bytes.len() => bytes[at] = *rng.pick(MARKS),
            _ => bytes.insert(at, *rng.pick(MARKS)),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[test]
fn changed_texts_are_read_or_refused() {
    let mut texts: Vec<(Kind, String)> =
        OTHERS.iter().map(|text| (Kind::Document, (*text).to_owned())).collect();
    assert!(texts.iter().all(|(kind, text)| is_read(*kind, text)));
    if require("changed texts of Dgraph's suite", suite().is_some()) {
        let suite = suite().unwrap_or_default();
        texts.extend(
            suite
                .into_iter()
                .filter(|text| text.text.len() < 3_000)
                .map(|text| (text.kind, text.text)),
        );
    }
    run_seeds(20_000, |_, rng| {
        // A few texts have what the suite does not.
        let (kind, text) =
            if rng.one_in(3) { rng.pick(&texts[..OTHERS.len()]) } else { rng.pick(&texts) };
        is_read(*kind, &changed(rng, text));
    });
}
