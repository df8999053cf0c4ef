//! Two open transactions that write of one node: which pairs conflict, and what is there when both commit. The rows are
//! those of a Dgraph: a list by subject and object, a single `uid` by subject, and `*` by itself.

use std::collections::BTreeSet;
use std::thread;

use serde_json::{Value, json};

use super::{DQL, JSON, RDF, failure, post, start};
use crate::client::Running;

/// What a transaction does with the edges of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Write {
    Set(&'static str, &'static str),
    Delete(&'static str),
    DeleteAll,
}

const B: &str = "b";
const C: &str = "c";

const WRITES: [Write; 6] = [
    Write::Set(B, ""),
    Write::Set(B, "(since=1)"),
    Write::Set(C, ""),
    Write::Delete(B),
    Write::Delete(C),
    Write::DeleteAll,
];

/// The nodes of a pair of transactions.
struct Nodes {
    a: String,
    b: String,
    c: String,
}

impl Nodes {
    fn uid(&self, name: &str) -> &str {
        if name == B { &self.b } else { &self.c }
    }
}

impl Write {
    fn text(self, predicate: &str, nodes: &Nodes) -> String {
        let quad = |object: &str| format!("<{}> <{predicate}> {object}", nodes.a);
        match self {
            Write::Set(to, facets) => {
                format!("{{ set {{ {} {facets} . }} }}", quad(&format!("<{}>", nodes.uid(to))))
            }
            Write::Delete(to) => {
                format!("{{ delete {{ {} . }} }}", quad(&format!("<{}>", nodes.uid(to))))
            }
            Write::DeleteAll => format!("{{ delete {{ {} . }} }}", quad("*")),
        }
    }

    fn object(self) -> Option<&'static str> {
        match self {
            Write::Set(to, _) | Write::Delete(to) => Some(to),
            Write::DeleteAll => None,
        }
    }

    /// What it adds to a list and removes from it.
    fn difference(self, list: &BTreeSet<&'static str>) -> [BTreeSet<&'static str>; 2] {
        let none = BTreeSet::new;
        match self {
            Write::Set(to, _) => [BTreeSet::from([to]), none()],
            Write::Delete(to) => [none(), BTreeSet::from([to])],
            Write::DeleteAll => [none(), list.clone()],
        }
    }
}

/// Whether two that did not see each other conflict, where the list has these.
fn conflict(one: Write, other: Write, list: &BTreeSet<&'static str>) -> bool {
    match (one.object(), other.object()) {
        (Some(one), Some(other)) => one == other,
        (None, None) => true,
        // More than Dgraph's: a deletion of all is one of each edge that is there.
        (Some(own), None) | (None, Some(own)) => list.contains(own),
    }
}

fn done(server: &Running, path: &str, kind: (&str, &str), body: &str) -> Value {
    let answer = post(server, path, kind, body).json();
    assert!(answer.get("errors").is_none(), "{path} {body}: {answer}");
    answer
}

fn start_ts(answer: &Value) -> u64 {
    answer["extensions"]["txn"]["start_ts"].as_u64().unwrap_or_else(|| panic!("{answer}"))
}

/// Whether a transaction commits, or is aborted.
fn commits(server: &Running, number: u64) -> bool {
    let answer = post(server, &format!("/commit?startTs={number}"), JSON, "{}").json();
    match answer.get("errors") {
        None => true,
        Some(_) => {
            assert_eq!(failure(&answer).0, "Transaction has been aborted. Please retry");
            false
        }
    }
}

fn start_with_edges() -> Running {
    let server = start();
    let schema = "name: string .\nnick: string .\nlist: [uid] .\nback: [uid] @reverse .\nsingle: uid .\nwife: uid @reverse .
        counted: [uid] @count .\nfree: [uid] @noconflict .\nword: string @noconflict .
        type T {\nname\nlist\n}\ntype U {\nname\n}";
    done(&server, "/alter", DQL, schema);
    server
}

fn make_nodes(server: &Running, quads: &str) -> Nodes {
    let quads = format!(
        "{{ set {{\n_:a <name> \"a\" .\n_:b <name> \"b\" .\n_:c <name> \"c\" .\n{quads}\n}} }}"
    );
    let made = done(server, "/mutate?commitNow=true", RDF, &quads);
    let [a, b, c] = ["a", "b", "c"]
        .map(|own| made["data"]["uids"][own].as_str().expect("it has one").to_owned());
    Nodes { a, b, c }
}

/// Runs two texts in transactions that began before both; whether the second commits when the first has.
fn second_commits(server: &Running, first: &str, second: &str) -> bool {
    let begin = || start_ts(&done(server, "/query", DQL, "{ q(func: uid(0x1)) { uid } }"));
    let numbers = [begin(), begin()];
    for (number, text) in numbers.iter().zip([first, second]) {
        done(server, &format!("/mutate?startTs={number}"), RDF, text);
    }
    assert!(commits(server, numbers[0]), "{first}");
    commits(server, numbers[1])
}

fn edges(server: &Running, predicate: &str, nodes: &Nodes) -> BTreeSet<&'static str> {
    let query = format!("{{ q(func: uid({})) {{ {predicate} {{ uid }} }} }}", nodes.a);
    let found = done(server, "/query", DQL, &query);
    let edges = match &found["data"]["q"][0][predicate] {
        Value::Array(several) => several.clone(),
        Value::Null => Vec::new(),
        one => vec![one.clone()],
    };
    let name = |edge: &Value| if edge["uid"] == json!(nodes.b) { B } else { C };
    edges.iter().map(name).collect()
}

fn check_pairs(predicate: &str, is_list: bool) {
    let server = start_with_edges();
    for is_there in [false, true] {
        let list = BTreeSet::from_iter(is_there.then_some(B));
        for (first, second) in WRITES.into_iter().flat_map(|one| WRITES.map(|other| (one, other))) {
            let quad = if is_there { format!("_:a <{predicate}> _:b .") } else { String::new() };
            let nodes = make_nodes(&server, &quad);
            let texts = [first, second].map(|own| own.text(predicate, &nodes));
            let commits = second_commits(&server, &texts[0], &texts[1]);
            let row = format!("{predicate}, there: {is_there}; {first:?}, then {second:?}");
            assert_eq!(commits, is_list && !conflict(first, second, &list), "{row}");
            let mut expected = list.clone();
            for own in [Some(first), commits.then_some(second)].into_iter().flatten() {
                if !is_list && let Write::Set(..) = own {
                    expected.clear();
                }
                let [added, removed] = own.difference(&list);
                expected.retain(|edge| !removed.contains(edge));
                expected.extend(added);
            }
            assert_eq!(edges(&server, predicate, &nodes), expected, "{row}");
        }
    }
}

#[test]
fn edges_of_a_list_conflict_by_subject_and_object_whether_they_are_there_or_not() {
    check_pairs("list", true);
    check_pairs("back", true);
}

#[test]
fn edges_of_a_single_uid_conflict_by_subject() {
    check_pairs("single", false);
    check_pairs("wife", false);
}

/// Each with each, in both orders; the node has the type T and an edge to b.
#[test]
fn a_type_that_is_there_is_set_or_deleted_by_one_of_two() {
    let server = start_with_edges();
    let set_type = "{ set { <A> <dgraph.type> \"T\" . } }";
    let set_edge = "{ set { <A> <list> <B> . } }";
    let set_other = "{ set { <B> <dgraph.type> \"U\" . } }";
    let [delete_type, delete_types, delete_all] = ["<dgraph.type> \"T\"", "<dgraph.type> *", "* *"]
        .map(|own| format!("{{ delete {{ <A> {own} . }} }}"));
    let rows = [
        (set_type, set_type, false),
        (set_type, &*delete_type, false),
        (set_type, &delete_types, false),
        (set_type, &delete_all, false),
        (set_type, set_other, true),
        (set_edge, &delete_all, false),
        (&*delete_all, &delete_all, false),
        (&*delete_type, &delete_types, false),
        (set_edge, set_type, true),
        (set_edge, &delete_type, true),
    ];
    for (one, other, both_commit) in rows {
        for [first, second] in [[one, other], [other, one]] {
            let nodes = make_nodes(&server, "_:a <dgraph.type> \"T\" .\n_:a <list> _:b .");
            let text = |own: &str| own.replace("<A>", &format!("<{}>", nodes.a));
            let text = |own: &str| text(own).replace("<B>", &format!("<{}>", nodes.b));
            let commits = second_commits(&server, &text(first), &text(second));
            assert_eq!(commits, both_commit, "{first}, then {second}");
        }
    }
}

#[test]
fn additions_to_a_counted_list_both_commit_and_count() {
    let server = start_with_edges();
    let nodes = make_nodes(&server, "");
    let [one, other] = [B, C].map(|to| Write::Set(to, "").text("counted", &nodes));
    assert!(second_commits(&server, &one, &other));
    let query = format!("{{ q(func: uid({})) {{ count(counted) }} }}", nodes.a);
    let found = done(&server, "/query", DQL, &query);
    assert_eq!(found["data"]["q"], json!([{ "count(counted)": 2 }]));
}

#[test]
fn writes_of_a_predicate_without_conflicts_conflict_as_others_do() {
    let server = start_with_edges();
    let nodes = make_nodes(&server, "_:a <free> _:b .");
    let [set, delete] = [Write::Set(B, ""), Write::Delete(B)].map(|own| own.text("free", &nodes));
    assert!(!second_commits(&server, &delete, &set));
    let word = |word: &str| format!("{{ set {{ <{}> <word> \"{word}\" . }} }}", nodes.a);
    assert!(!second_commits(&server, &word("x"), &word("y")));
}

#[test]
fn a_deletion_of_what_is_not_there_is_no_conflict_with_what_sets_it() {
    let server = start_with_edges();
    for (quad, key, value) in
        [("<nick> \"n\"", "nick", json!("n")), ("<dgraph.type> \"T\"", "dgraph.type", json!(["T"]))]
    {
        for is_first in [false, true] {
            let nodes = make_nodes(&server, "");
            let [set, delete] =
                ["set", "delete"].map(|verb| format!("{{ {verb} {{ <{}> {quad} . }} }}", nodes.a));
            let texts = if is_first { [set, delete] } else { [delete, set] };
            assert!(second_commits(&server, &texts[0], &texts[1]), "{texts:?}");
            let query = format!("{{ q(func: uid({})) {{ {key} }} }}", nodes.a);
            let found = done(&server, "/query", DQL, &query);
            assert_eq!(found["data"]["q"][0][key], value, "{texts:?}");
        }
    }
}

/// Nodes of variables are claimed as those that are named.
#[test]
fn an_upsert_sets_an_edge_that_another_transaction_deletes() {
    let server = start_with_edges();
    let nodes = make_nodes(&server, "_:a <list> _:b .");
    let set = format!(
        "upsert {{ query {{ v as var(func: uid({})) @filter(eq(name, \"a\")) {{ w as list }} }}
            mutation {{ set {{ uid(v) <list> uid(w) . }} }} }}",
        nodes.a
    );
    let delete = Write::Delete(B).text("list", &nodes);
    assert!(!second_commits(&server, &delete, &set));
    assert!(edges(&server, "list", &nodes).is_empty());
    let off = set.replace("mutation {", "mutation @if(eq(len(w), 7)) {");
    done(&server, "/mutate?commitNow=true", RDF, &Write::Set(B, "").text("list", &nodes));
    assert!(second_commits(&server, &delete, &off), "what does not run claims nothing");
}

#[test]
fn mutations_that_commit_are_run_again_over_edges_that_are_there() {
    const EACH: usize = 10;
    let server = start_with_edges();
    let nodes = make_nodes(&server, "_:a <list> _:b .\n_:a <single> _:b .");
    let writes = [Write::Set(B, ""), Write::Set(B, ""), Write::Delete(B), Write::DeleteAll];
    thread::scope(|scope| {
        for write in writes {
            let (server, nodes) = (&server, &nodes);
            scope.spawn(move || {
                for _ in 0..EACH {
                    for predicate in ["list", "single"] {
                        let text = write.text(predicate, nodes);
                        done(server, "/mutate?commitNow=true", RDF, &text);
                    }
                }
            });
        }
    });
    let last = Write::Set(B, "");
    for predicate in ["list", "single"] {
        done(&server, "/mutate?commitNow=true", RDF, &last.text(predicate, &nodes));
        assert_eq!(edges(&server, predicate, &nodes), BTreeSet::from([B]));
    }
}
