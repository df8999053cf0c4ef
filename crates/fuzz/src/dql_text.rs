//! The border of DQL as text: any text is a document or an error with its line; the document's normal text reads the same;
//! and over a small graph it is answered or refused.

use millrace_db::languages::Language;
use millrace_db::languages::dql::language::DQL;
use millrace_db::languages::dql::parse;

use crate::dql_graph;

/// Longer texts are read, and not run.
const RUN_BYTES_MAX: usize = 4 << 10;

/// Texts with each form of the grammar.
const SEEDS: &[&str] = &[
    "query q($a: int = 25, $n: string = \"Ann\") { q(func: ge(age, $a), orderasc: name@de:., orderdesc: age, first: 2, offset: 1, after: 0x1) @filter(NOT eq(name, $n) AND (has(friend) OR uid_in(friend, 0x3))) { uid n: name@de:en:. count(friend @filter(le(age, 40))) ...f } } fragment f { born home }",
    "{ var(func: type(A)) { a as age friend { b as height c as math(cond(a > 3, ln(b) + 2 * a, -a % 4)) } sum(val(c)) } q(func: uid(a), orderdesc: val(c)) @filter(gt(val(a), 1)) { val(c) } s() { min(val(a)) avg(val(b)) } }",
    "{ q(func: anyofterms(name, \"ann bo\")) @cascade(name, friend) { name @facets friend (first: -1) @facets(orderasc: weight) @facets(eq(close, true)) { w: name } ~friend @facets(x as weight, c: close) @normalize { n: name } } r(func: uid(x)) { val(x) } }",
    "{ p as shortest(from: 0x1, to: 0x3, numpaths: 2, depth: 4, minweight: 0.5, maxweight: 9) { friend @facets(weight) boss } q(func: uid(p)) @recurse(depth: 3, loop: true) { name friend } g(func: has(age)) @groupby(age, b: boss) { count(uid) max(height) } }",
    "{ q(func: near(home, [1.5, 2.5], 1000)) @ignorereflex { expand(_all_) { expand(A) } checkpwd(email, \"x\") } r(func: within(home, [[[0, 0], [3, 0], [3, 3], [0, 0]]])) { uid } t(func: alloftext(name, \"run\")) { uid } u(func: regexp(name, /^A.*e$/i)) { uid } v(func: match(name, \"Ana\", 2)) { count(uid) } w(func: ngram(name, \"ann lee\")) { dgraph.type } }",
    "upsert { query { v as var(func: eq(email, \"a@x\")) { a as age } } mutation @if(eq(len(v), 1)) { set { uid(v) <age> val(a) . _:n <name> \"}\" . } delete { uid(v) <nick> * . } } }",
    "{ set { <0x1> <name> \"a\"@en (k=1.5, t=2020-01-01) . _:x <friend> <0x2> . } delete { <0x3> * * . } }",
    "schema(pred: [name, friend]) { type index reverse tokenizer list lang }",
    "{ me ( _xid_ : [m.1, m.2] ) { type.object.name.en film.actor.film { film.performance.film } } }",
];

/// The texts, as bytes.
pub fn seeds() -> Vec<Vec<u8>> {
    SEEDS.iter().map(|text| text.as_bytes().to_vec()).collect()
}

/// Reads the bytes as a text.
pub fn run(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    match parse(&text) {
        Ok(document) => {
            let normal = document.to_string();
            assert_eq!(
                parse(&normal).as_ref(),
                Ok(&document),
                "{normal}, the normal text of {text}"
            );
            if text.len() <= RUN_BYTES_MAX {
                dql_graph::run_text(&text);
            }
        }
        Err(error) => assert!(error.position.is_some(), "{error}: {text}"),
    }
    // What a text with slots is, is decided before it is read.
    if let Some(normalized) = DQL.normalize(&text) {
        let is_read = parse(&text).is_ok();
        let has_script = DQL.parse_normalized(&normalized, &text).is_some();
        assert!(is_read || !has_script, "{} of {text}", normalized.text);
    }
}
