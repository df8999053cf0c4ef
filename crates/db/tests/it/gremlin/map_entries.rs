//! Entries of maps: each entry that `unfold` makes of a map has one key and one value, whichever way the map comes.

use super::modern::Graph;

#[test]
fn the_key_and_value_of_an_entry_are_no_lists() {
    let graph = Graph::modern();
    graph.expect(&[
        ("g.inject([a:1]).unfold().select(keys)", &["a"]),
        ("g.inject([a:1]).unfold().select(values)", &["1"]),
        ("g.inject([a:1,b:2]).unfold().where(select(values).is(gt(1))).select(keys)", &["b"]),
        (
            "g.V().group().by(label).by(count()).as('m').select('m').unfold().select(keys)",
            &["software", "person"],
        ),
        ("g.V().groupCount().by(label).unfold().select(values)", &["2", "4"]),
        ("g.V().groupCount().by(label).unfold().fold().unfold().select(values)", &["2", "4"]),
        ("g.V().groupCount('x').by(label).cap('x').unfold().select(keys)", &["software", "person"]),
        (
            "g.V().groupCount().by(label).unfold().as('e').select('e').by(keys)",
            &["software", "person"],
        ),
        ("g.inject([a:1], 2).unfold().path().by(identity())", &["path[{a:1}, a=1]", "path[2, 2]"]),
        (
            "g.inject([a:1,b:2]).unfold().group().by(keys).by(select(values).fold())",
            &["{a:[1], b:[2]}"],
        ),
        ("g.inject([a:1,b:2]).unfold().order().by(values, desc).select(keys)", &["b", "a"]),
        ("g.inject([a:[1,2]]).unfold().select(values)", &["[1, 2]"]),
        ("g.inject([a:[1]]).unfold().select(values)", &["[1]"]),
        ("g.inject([a:1]).unfold().unfold().select(keys)", &["a"]),
        ("g.inject([a:1]).unfold().count(local)", &["1"]),
        ("g.inject([a:1]).unfold()", &["a=1"]),
        ("g.inject([a:1,b:2]).unfold().fold()", &["[a=1, b=2]"]),
        ("g.inject([a:1,b:2]).unfold().dedup().by(keys).count()", &["2"]),
        ("g.inject([a:1]).unfold().map(select(keys))", &["a"]),
    ]);
}

#[test]
fn a_map_is_still_asked_for_all_of_them() {
    let graph = Graph::modern();
    graph.expect(&[
        ("g.inject([a:1,b:2]).select(keys)", &["set[a, b]"]),
        ("g.inject([a:1,b:2]).select(values)", &["[1, 2]"]),
        ("g.inject([a:1]).select(keys)", &["set[a]"]),
        ("g.inject([a:1]).fold().unfold().select(values)", &["[1]"]),
        ("g.inject([b:2,a:1]).order(local).by(keys)", &["{a:1, b:2}"]),
        ("g.inject([b:2,a:1]).limit(local, 1)", &["{b:2}"]),
        ("g.V(1).out('created').path().select(values)", &["[v[1], v[3]]"]),
    ]);
}
