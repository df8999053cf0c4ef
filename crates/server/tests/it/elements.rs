//! Schema, nodes, relationships, properties and traversals over REST.

use serde_json::{Value, json};

use millrace_model::schema::{IndexDefinition, IndexKind};
use millrace_model::{CatalogChange, KeyId, LabelId, Owner};
use millrace_server::db::Database;
use millrace_server::db::store::{Isolation, NameKind, Transaction};

use crate::client::{Running, settings, start, start_over};
use crate::gremlin::inline::inline;

/// Ann and Ben like a lamp; Ann knows Ben.
fn shop() -> Running {
    let server = start();
    server.run(
        "NodeAdd('Person', 'ann', '{\"age\": 30, \"name\": \"Ann A.\"}')\nNodeAdd('Person', 'ben', '{\"age\": 40}')\n\
         NodeAdd('Item', 'lamp')\nRelationshipAdd('LIKES', 'Person', 'ann', 'Item', 'lamp', '{\"weight\": 0.5}')\n\
         RelationshipAdd('LIKES', 'Person', 'ben', 'Item', 'lamp')\nRelationshipAdd('KNOWS', 'Person', 'ann', 'Person', 'ben')\n1",
    );
    server
}

fn keys(nodes: &Value) -> Vec<&str> {
    texts(nodes, "key")
}

fn types(relationships: &Value) -> Vec<&str> {
    texts(relationships, "type")
}

fn texts<'a>(elements: &'a Value, field: &str) -> Vec<&'a str> {
    let elements = elements.as_array().expect("a list of elements").iter();
    elements.map(|element| element[field].as_str().expect("a text")).collect()
}

#[test]
fn types_are_declared_shown_and_dropped() {
    let server = start();
    for (path, other) in [("nodes/Person", "nodes"), ("relationships/LIKES", "relationships")] {
        let path = format!("/db/one/schema/{path}");
        assert_eq!(server.get(&path).status, 404);
        assert_eq!(server.post(&path, "").status, 201);
        assert_eq!(server.post(&path, "").status, 304);
        assert_eq!(server.shown(&path), json!({}));
        assert_eq!(server.shown(&format!("/db/one/schema/{other}")).as_array().unwrap().len(), 1);
        assert_eq!(server.delete(&path).status, 204);
        assert_eq!(server.delete(&path).status, 304);
        assert_eq!(server.shown(&format!("/db/one/schema/{other}")), json!([]));
    }
}

#[test]
fn a_type_with_elements_is_not_dropped() {
    let server = shop();
    let refused = server.delete("/db/one/schema/nodes/Person");
    assert_eq!((refused.status, refused.error.as_deref()), (409, Some("constraint")));
    assert_eq!(server.delete("/db/one/schema").status, 202);
    assert_eq!(server.shown("/db/one/schema/nodes"), json!([]));
    assert_eq!(server.shown("/db/one/nodes"), json!([]));
}

#[test]
fn properties_are_declared_and_then_obeyed() {
    let server = shop();
    let path = "/db/one/schema/nodes/Person/properties/age";
    assert_eq!(server.get(path).status, 404);
    assert_eq!(server.post(&format!("{path}/integer"), "").status, 201);
    assert_eq!(server.post(&format!("{path}/integer"), "").status, 304);
    assert_eq!(server.post(&format!("{path}/number"), "").status, 400);
    assert_eq!(server.shown(path), json!({"age": "integer"}));
    assert_eq!(server.shown("/db/one/schema/nodes/Person"), json!({"age": "integer"}));
    let refused = server.put("/db/one/node/Person/ann/property/age", "\"old\"");
    assert_eq!(
        (refused.status, refused.error.as_deref()),
        (409, Some("constraint")),
        "{refused:?}"
    );
    assert_eq!(server.delete(path).status, 204);
    assert_eq!(server.delete(path).status, 304);
    assert_eq!(server.put("/db/one/node/Person/ann/property/age", "\"old\"").status, 204);
}

#[test]
fn a_property_of_a_new_type_declares_both() {
    let server = shop();
    for path in ["/db/one/schema/nodes/Ghost", "/db/one/schema/relationships/FRESH"] {
        let property = format!("{path}/properties/w");
        assert_eq!(server.get(path).status, 404);
        assert_eq!(server.post(&format!("{property}/double"), "").status, 201);
        assert_eq!(server.shown(path), json!({"w": "double"}));
        assert_eq!(server.post(&format!("{property}/double"), "").status, 304);
    }
    assert_eq!(server.post("/db/one/node/Ghost/g", "{\"w\": 1}").status, 201);
}

#[test]
fn timestamps_are_written_found_and_shown_as_rage_db_does() {
    let server = shop();
    let schema = "/db/one/schema/nodes/Ev/properties";
    for (name, kind) in [("at", "date"), ("all", "date_list"), ("moment", "datetime")] {
        assert_eq!(server.post(&format!("{schema}/{name}/{kind}"), "").status, 201);
    }
    let text = "2010-02-14T15:32:10.447+0000";
    let made = server.post(
        "/db/one/node/Ev/a",
        &json!({"at": text, "all": [text, 1], "moment": 0.5}).to_string(),
    );
    assert_eq!(made.status, 201, "{made:?}");
    let moment = "1970-01-01T00:00:00.5Z";
    let shown = json!({"at": 1266161530.447, "all": [1266161530.447, 1], "moment": moment});
    assert_eq!(server.shown("/db/one/node/Ev/a/properties"), shown);
    for (body, second) in [("\"2020-01-01\"", 0), ("1577836801", 1)] {
        let text = format!("2020-01-01T00:00:0{second}Z");
        for (name, shown) in [("moment", json!(text)), ("at", json!(1577836800 + second))] {
            let path = format!("/db/one/node/Ev/a/property/{name}");
            assert_eq!(server.put(&path, body).status, 204, "{body}");
            assert_eq!(server.shown(&path), json!({name: shown}));
        }
    }
    assert_eq!(server.put("/db/one/node/Ev/a/property/at", &format!("\"{text}\"")).status, 204);
    for (place, body) in [
        ("at/GT", "\"2010-01-01T00:00:00Z\""),
        ("at/EQ", "1266161530.447"),
        ("at/LT", "1266161531"),
        ("moment/GTE", "\"2019-01-01T00:00:00Z\""),
    ] {
        let found = server.post(&format!("/db/one/nodes/Ev/{place}"), body);
        assert_eq!(keys(&found.json()), ["a"], "{place} {body}");
    }
    assert_eq!(
        server.run("local at = NodeGetProperty('Ev', 'a', 'at')\nat"),
        json!(1266161530.447)
    );
    let refused = server.put("/db/one/node/Ev/a/property/at", "\"soon\"");
    assert_eq!((refused.status, refused.error.as_deref()), (409, Some("constraint")));
}

#[test]
fn a_whole_double_is_an_integer() {
    let server = shop();
    let path = "/db/one/schema/nodes/Person/properties/age";
    assert_eq!(server.post(&format!("{path}/integer"), "").status, 201);
    assert_eq!(server.put("/db/one/node/Person/ann/property/age", "31.0").status, 204);
    assert_eq!(server.shown("/db/one/node/Person/ann/property/age"), json!({"age": 31}));
    assert_eq!(server.put("/db/one/node/Person/ann/property/age", "31.5").status, 409);
}

#[test]
fn indexes_are_made_listed_and_ended() {
    let server = shop();
    let path = "/db/one/schema/nodes/Person/properties/age/index";
    assert_eq!(server.shown("/db/one/schema/nodes/indexes"), json!({}));
    assert_eq!(server.post(path, "").status, 201);
    assert_eq!(server.post(path, "").status, 304);
    assert_eq!(server.shown("/db/one/schema/nodes/indexes"), json!({"Person": ["age"]}));
    assert_eq!(server.shown("/db/one/schema/nodes/Person/indexes"), json!(["age"]));
    assert_eq!(keys(&server.post("/db/one/nodes/Person/age/EQ", "40").json()), ["ben"]);
    assert_eq!(server.delete(path).status, 204);
    assert_eq!(server.delete(path).status, 304);
    assert_eq!(server.shown("/db/one/schema/relationships/indexes"), json!({}));
}

#[test]
fn an_index_for_ranges_is_made_and_found_by() {
    let server = shop();
    let path = "/db/one/schema/nodes/Person/properties/age/index";
    let find = |operation: &str, value: &str| -> Vec<String> {
        let found = server.post(&format!("/db/one/nodes/Person/age/{operation}"), value).json();
        keys(&found).into_iter().map(str::to_owned).collect()
    };
    let compared = || [find("GT", "30"), find("GTE", "30"), find("LT", "40"), find("EQ", "40")];
    let before = compared();
    assert_eq!(before, [vec!["ben"], vec!["ann", "ben"], vec!["ann"], vec!["ben"]]);
    assert_eq!(server.post(&format!("{path}?kind=sorted"), "").status, 400);
    let with_range = format!("{path}?kind=range");
    assert_eq!(server.post(path, "").status, 201);
    assert_eq!(server.post(&with_range, "").status, 201, "beside the exact one");
    assert_eq!(server.post(&with_range, "").status, 304);
    assert_eq!(server.delete(&format!("{path}?kind=exact")).status, 204);
    assert_eq!(server.delete(&format!("{path}?kind=exact")).status, 304);
    assert_eq!(server.post(path, "").status, 304, "the other finds equal values too");
    assert_eq!(server.shown("/db/one/schema/nodes/indexes"), json!({"Person": ["age"]}));
    assert_eq!(compared(), before);
    assert_eq!(server.delete(path).status, 204);
    assert_eq!(server.delete(&with_range).status, 304);
}

/// People of unique ages, with a second index of another kind on them; only an embedding program
/// declares a unique one over a property.
fn people_of_unique_ages(kinds: [IndexKind; 2]) -> Running {
    let settings = settings();
    let database = Database::in_memory(settings).expect("a database in memory opens");
    let graph = database.create_graph("one").expect("nothing fails here");
    let store = graph.store();
    let numbers = store
        .intern(&[(NameKind::Label, "Person"), (NameKind::Key, "age"), (NameKind::Key, "_key")])
        .expect("nothing fails here");
    let (owner, age) = (Owner::Label(LabelId(numbers[0])), KeyId(numbers[1]));
    // Their own key, lest their ages be it.
    let own = (KeyId(numbers[2]), IndexKind::Unique);
    for (key, kind) in [own, (age, kinds[0]), (age, kinds[1])] {
        let transaction =
            Transaction::begin(store.clone(), Isolation::Snapshot).expect("nothing fails here");
        let index = IndexDefinition::new(owner, vec![key], kind);
        transaction
            .change_schema(&[CatalogChange::CreateIndex(index)])
            .expect("nothing fails here");
        transaction.commit().expect("nothing fails here").wait().expect("nothing fails here");
    }
    start_over(database)
}

#[test]
fn of_two_indexes_over_a_property_the_unique_one_is_ended_last() {
    for other in [IndexKind::Exact, IndexKind::Range] {
        for kinds in [[other, IndexKind::Unique], [IndexKind::Unique, other]] {
            let server = people_of_unique_ages(kinds);
            let path = "/db/one/schema/nodes/Person/properties/age/index";
            let add = |key: &str| {
                server.post(&format!("/db/one/node/Person/{key}"), "{\"age\": 30}").status
            };
            assert_eq!(add("ann"), 201);
            assert_eq!(server.delete(path).status, 204);
            assert_eq!(server.shown("/db/one/schema/nodes/indexes"), json!({"Person": ["age"]}));
            assert_eq!(add("ben"), 409, "{kinds:?}: ages are still unique");
            assert_eq!(keys(&server.post("/db/one/nodes/Person/age/EQ", "30").json()), ["ann"]);
            assert_eq!(server.delete(path).status, 204);
            assert_eq!(server.shown("/db/one/schema/nodes/indexes"), json!({}));
            assert_eq!(add("ben"), 201);
            assert_eq!(server.delete(path).status, 304);
        }
    }
}

#[test]
fn the_index_of_the_keys_of_nodes_is_nobodys_to_end() {
    let server = start();
    assert_eq!(server.post("/db/one/node/Person/ann", "").status, 201);
    let path = "/db/one/schema/nodes/Person/properties/_key";
    for answer in [
        server.delete(&format!("{path}/index")),
        server.delete(path),
        server.post(&format!("{path}/index"), ""),
        server.post(&format!("{path}/integer"), ""),
    ] {
        assert_eq!((answer.status, answer.error.as_deref()), (400, Some("bad-input")));
    }
    assert_eq!(server.post("/db/one/node/Person/ann", "").status, 409, "a key is there once");
}

#[test]
fn nodes_are_added_shown_and_removed() {
    let server = start();
    let made = server.post("/db/one/node/Person/ann%20b", "{\"age\": 30}");
    assert_eq!(made.status, 201);
    let id = made.json()["id"].as_u64().unwrap();
    let expected = json!({"id": id, "type": "Person", "key": "ann b", "properties": {"age": 30}});
    assert_eq!(made.json(), expected);
    assert_eq!(server.shown("/db/one/node/Person/ann%20b"), expected);
    assert_eq!(server.shown(&format!("/db/one/node/{id}")), expected);
    let twice = server.post("/db/one/node/Person/ann%20b", "");
    assert_eq!((twice.status, twice.error.as_deref()), (409, Some("constraint")));
    for (path, status) in
        [("/db/one/node/Person/nobody", 404), ("/db/one/node/999", 404), ("/db/one/node/x", 400)]
    {
        assert_eq!(server.get(path).status, status, "{path}");
    }
    assert_eq!(server.post("/db/one/node/Person/bad", "{\"age\":").status, 400);
    assert_eq!(server.post("/db/one/node/Person/bad", "[1]").status, 400);
    assert_eq!(server.delete("/db/one/node/Person/ann%20b").status, 204);
    assert_eq!(server.delete(&format!("/db/one/node/{id}")).status, 304);
    assert_eq!(server.shown("/dbs/one")["nodes"], 0);
}

#[test]
fn properties_are_set_merged_replaced_and_removed() {
    let server = shop();
    let ann = "/db/one/node/Person/ann";
    assert_eq!(server.shown(&format!("{ann}/property/age")), json!({"age": 30}));
    assert_eq!(server.put(&format!("{ann}/property/age"), "31").status, 204);
    assert_eq!(server.put(&format!("{ann}/properties"), "{\"tags\": [\"a\", \"b\"]}").status, 204);
    let all = json!({"age": 31, "name": "Ann A.", "tags": ["a", "b"]});
    assert_eq!(server.shown(&format!("{ann}/properties")), all);
    assert_eq!(server.post(&format!("{ann}/properties"), "{\"age\": 1}").status, 204);
    assert_eq!(server.shown(&format!("{ann}/properties")), json!({"age": 1}));
    assert_eq!(server.delete(&format!("{ann}/property/age")).status, 204);
    assert_eq!(server.delete(&format!("{ann}/properties")).status, 204);
    assert_eq!(server.shown(ann)["key"], "ann", "the key is no property");
    assert_eq!(server.put("/db/one/node/Person/nobody/property/age", "1").status, 304);
    assert_eq!(server.put(&format!("{ann}/property/age"), "thirty").status, 400);
    assert_eq!(server.shown("/db/one/node/Person/nobody/properties"), json!({}));
}

#[test]
fn relationships_are_added_shown_changed_and_removed() {
    let server = shop();
    let made =
        server.post("/db/one/node/Person/ben/relationship/Person/ann/KNOWS", "{\"since\": 2001}");
    assert_eq!(made.status, 201, "{made:?}");
    let made = made.json();
    let (id, ben, ann) = (&made["id"], &made["starting_node_id"], &made["ending_node_id"]);
    assert_eq!(made["properties"], json!({"since": 2001}));
    assert_eq!(server.shown(&format!("/db/one/relationship/{id}")), made);
    let property = format!("/db/one/relationship/{id}/property/since");
    assert_eq!(server.put(&property, "2002").status, 204);
    assert_eq!(server.shown(&property), json!({"since": 2002}));
    assert_eq!(server.delete(&property).status, 204);
    assert_eq!(
        server.put(&format!("/db/one/relationship/{id}/properties"), "{\"a\": 1}").status,
        204
    );
    assert_eq!(server.shown(&format!("/db/one/relationship/{id}/properties")), json!({"a": 1}));
    assert_eq!(server.delete(&format!("/db/one/relationship/{id}/properties")).status, 204);
    let by_id = server.post(&format!("/db/one/node/{ben}/relationship/{ann}/KNOWS"), "");
    assert_eq!(by_id.status, 201);
    let connected = server.shown(&format!("/db/one/node/{ben}/connected/{ann}/out/KNOWS"));
    assert_eq!(types(&connected), ["KNOWS", "KNOWS"]);
    assert_eq!(server.delete(&format!("/db/one/relationship/{id}")).status, 204);
    assert_eq!(server.delete(&format!("/db/one/relationship/{id}")).status, 304);
    assert_eq!(server.get(&format!("/db/one/relationship/{id}")).status, 404);
    let nobody = server.post("/db/one/node/Person/nobody/relationship/Person/ann/KNOWS", "");
    assert_eq!((nobody.status, nobody.error.as_deref()), (400, Some("bad-input")));
}

#[test]
fn traversals_take_directions_and_types() {
    let server = shop();
    let ann = "/db/one/node/Person/ann";
    for (way, degree) in [
        ("", 2),
        ("/out", 2),
        ("/in", 0),
        ("/out/LIKES", 1),
        ("/all/LIKES&KNOWS", 2),
        ("/out/NONE", 0),
    ] {
        assert_eq!(server.shown(&format!("{ann}/degree{way}")), json!({"degree": degree}), "{way}");
    }
    assert_eq!(keys(&server.shown("/db/one/node/Item/lamp/neighbors/in")), ["ann", "ben"]);
    assert_eq!(keys(&server.shown(&format!("{ann}/neighbors/out/KNOWS"))), ["ben"]);
    assert_eq!(types(&server.shown(&format!("{ann}/relationships/out/LIKES"))), ["LIKES"]);
    assert_eq!(types(&server.shown(&format!("{ann}/connected/Person/ben"))), ["KNOWS"]);
    assert_eq!(server.shown(&format!("{ann}/connected/Item/ghost")), json!([]));
    assert_eq!(server.shown("/db/one/node/Person/nobody/degree"), json!({"degree": 0}));
    assert_eq!(server.shown("/db/one/node/Person/nobody/neighbors"), json!([]));
    assert_eq!(server.get(&format!("{ann}/degree/up")).status, 400);
}

#[test]
fn lists_are_paged() {
    let server = shop();
    assert_eq!(keys(&server.shown("/db/one/nodes")), ["ann", "ben", "lamp"]);
    assert_eq!(keys(&server.shown("/db/one/nodes?skip=1&limit=1")), ["ben"]);
    assert_eq!(keys(&server.shown("/db/one/nodes/Person?skip=1")), ["ben"]);
    assert_eq!(server.shown("/db/one/nodes/Ghost"), json!([]));
    assert_eq!(types(&server.shown("/db/one/relationships/KNOWS")), ["KNOWS"]);
    assert_eq!(server.shown("/db/one/relationships").as_array().unwrap().len(), 3);
    assert_eq!(server.get("/db/one/nodes?limit=many").status, 400);
}

#[test]
fn every_operation_finds_the_nodes_it_describes() {
    let server = shop();
    for (operation, value, expected) in [
        ("EQ", "30", vec!["ann"]),
        ("NEQ", "30", vec!["ben"]),
        ("GT", "30", vec!["ben"]),
        ("GTE", "30", vec!["ann", "ben"]),
        ("LT", "40", vec!["ann"]),
        ("LTE", "40.0", vec!["ann", "ben"]),
        ("IS_NULL", "", vec![]),
        ("NOT_IS_NULL", "", vec!["ann", "ben"]),
    ] {
        let found = server.post(&format!("/db/one/nodes/Person/age/{operation}"), value);
        assert_eq!(keys(&found.json()), expected, "{operation}");
    }
    for (operation, value, expected) in [
        ("STARTS_WITH", "\"Ann\"", vec!["ann"]),
        ("CONTAINS", "\"n \"", vec!["ann"]),
        ("ENDS_WITH", "\"B.\"", vec![]),
        ("NOT_STARTS_WITH", "\"Ann\"", vec![]),
        ("NOT_CONTAINS", "\"x\"", vec!["ann"]),
        ("NOT_ENDS_WITH", "\"x\"", vec!["ann"]),
        ("IS_NULL", "", vec!["ben"]),
    ] {
        let found = server.post(&format!("/db/one/nodes/Person/name/{operation}"), value);
        assert_eq!(keys(&found.json()), expected, "{operation}");
    }
    let heavy = server.post("/db/one/relationships/LIKES/weight/GT", "0.1").json();
    assert_eq!(heavy.as_array().unwrap().len(), 1);
    assert_eq!(server.post("/db/one/nodes/Person/age/LIKE", "1").status, 400);
    assert_eq!(server.post("/db/one/nodes/Person/age/EQ", "null").status, 400);
}

#[test]
fn small_requests_are_answered_where_they_arrive_and_large_ones_on_the_pool_with_the_same_answers()
{
    let server = shop();
    server.run(
        "for i = 1, 10000 do NodeAdd('Person', 'p' .. i) \
         RelationshipAdd('KNOWS', 'Person', 'p' .. i, 'Person', 'ben') end\n1",
    );
    let begun = ["answered", "queued"].map(|outcome| inline(&server, outcome));
    let counts = || {
        let now = ["answered", "queued"].map(|outcome| inline(&server, outcome));
        (now[0] - begun[0], now[1] - begun[1])
    };
    let known = server.shown("/db/one/node/Person/ann/neighbors/out/KNOWS");
    assert_eq!(keys(&known), ["ben"]);
    let degree = server.shown("/db/one/node/Person/ben/degree/in/KNOWS");
    assert_eq!(degree, json!({"degree": 10_001}));
    assert_eq!(server.get("/db/one/node/Person/nobody").status, 404);
    assert_eq!(server.post("/db/one/node/Person/new", "{\"age\": 3}").status, 201);
    assert_eq!(counts(), (4, 0));
    let many = server.shown("/db/one/node/Person/ben/neighbors/in/KNOWS");
    assert_eq!(keys(&many).len(), 10_001);
    assert_eq!(counts(), (4, 1));
    assert_eq!(server.shown("/db/one/node/Person/new/properties"), json!({"age": 3}));
}
