//! Mutations in JSON and the statements that they are, written as N-Quads.

use super::{Action, BlankNames, statements_of};
use crate::nquads::{Datatype, Facet, FacetValue, Node, NodeKind, Object, Statement};
use crate::text::json::Json;

fn node_text(node: &Node<'_>) -> String {
    match node.kind {
        NodeKind::Iri => format!("<{}>", node.name),
        NodeKind::Blank => format!("_:{}", node.name),
        NodeKind::Variable => format!("uid({})", node.name),
    }
}

fn facet_text(facet: &Facet<'_>) -> String {
    match &facet.value {
        FacetValue::Text(text) => format!("{}={text:?}", facet.key),
        FacetValue::Bare(value) => format!("{}={value:?}", facet.key),
    }
}

fn object_text(object: &Object<'_>) -> String {
    let literal = match object {
        Object::Node(node) => return node_text(node),
        Object::Variable { name, language: None } => return format!("val({name})"),
        Object::Variable { name, language: Some(tag) } => return format!("val({name})@{tag}"),
        Object::Literal(literal) => literal,
    };
    let mark = match (&literal.unknown_type, literal.datatype) {
        (Some(unknown), _) => format!("^^<{}>", unknown.name),
        (None, Datatype::String) => literal.language.map_or(String::new(), |tag| format!("@{tag}")),
        (None, datatype) => format!("^^{datatype:?}"),
    };
    format!("{:?}{mark}", literal.text)
}

fn statement_text(statement: &Statement<'_>) -> String {
    match statement {
        Statement::Quad(quad) => {
            let facets: Vec<String> = quad.facets.iter().map(facet_text).collect();
            let facets =
                if facets.is_empty() { String::new() } else { format!(" ({})", facets.join(", ")) };
            let (subject, object) = (node_text(&quad.subject), object_text(&quad.object));
            format!("{subject} <{}> {object}{facets}", quad.predicate)
        }
        Statement::AllValues { subject, predicate, language } => {
            let tag = language.map_or(String::new(), |tag| format!("@{tag}"));
            format!("{} <{predicate}{tag}> *", node_text(subject))
        }
        Statement::AllPredicates { subject } => format!("{} * *", node_text(subject)),
    }
}

#[track_caller]
fn check(action: Action, json: &str, expected: &[&str]) {
    let json = Json::parse_mutation(json).unwrap();
    let statements = statements_of(&json, action, &mut BlankNames::new(7)).unwrap();
    let texts: Vec<String> = statements.iter().map(statement_text).collect();
    assert_eq!(texts, expected);
}

#[track_caller]
fn refuse(action: Action, json: &str, expected: &str) {
    let json = Json::parse_mutation(json).unwrap();
    let fault = statements_of(&json, action, &mut BlankNames::new(7)).unwrap_err();
    assert_eq!(fault.to_string(), expected);
}

#[test]
fn an_object_is_a_node_with_typed_values() {
    let json =
        r#"{"uid": "0x1", "name": "Ann", "age": 33, "score": 1.50, "big": 1e3, "is_new": true}"#;
    let expected = [
        "<0x1> <name> \"Ann\"",
        "<0x1> <age> \"33\"^^Integer",
        "<0x1> <score> \"1.50\"^^Double",
        "<0x1> <big> \"1e3\"^^Double",
        "<0x1> <is_new> \"true\"^^Boolean",
    ];
    check(Action::Set, json, &expected);
}

#[test]
fn a_node_is_named_by_a_uid_a_name_or_a_variable_or_is_new() {
    let json = r#"[{"uid": 31, "p": ""}, {"uid": "_:a", "p": ""}, {"uid": " uid( v )", "p": ""},
        {"p": ""}, {"uid": "", "p": ""}, {"uid": null, "p": ""}, {"uid": 0, "p": ""}, {}]"#;
    let names = ["<31>", "_:a", "uid(v)", "_:dg.7.1", "_:dg.7.2", "_:dg.7.3", "_:dg.7.4"];
    let expected = names.map(|name| format!("{name} <p> \"\""));
    check(Action::Set, json, &expected.each_ref().map(String::as_str));
    for uid in ["\"x\"", "\"_:\"", "-1", "1.5", "true", "[1]", "\"0x\"", "\"uid(\""] {
        let expected = format!(
            "[0].uid: expected a uid, \"0x1f\", \"31\", \"_:name\" or \"uid(v)\", found {uid}"
        );
        refuse(Action::Set, &format!("[{{\"uid\": {uid}}}]"), &expected);
    }
}

#[test]
fn nested_objects_and_lists_of_them_are_edges() {
    let json = r#"{"uid": "_:a", "boss": {"uid": "0x2", "name": "Bo"}, "none": {}, "empty": [],
        "friend": [{"name": "Cy"}, {"uid": "0x3"}]}"#;
    let expected = [
        "_:a <boss> <0x2>",
        "<0x2> <name> \"Bo\"",
        "_:a <friend> _:dg.7.1",
        "_:dg.7.1 <name> \"Cy\"",
        "_:a <friend> <0x3>",
    ];
    check(Action::Set, json, &expected);
}

#[test]
fn lists_languages_types_and_nulls() {
    let json = r#"{"uid": "1", "name@en": "Ann", "name@zh-Hant": ["A", "B"], "dgraph.type": ["P", "Q"],
        "x": null, "mail@a.b": 1}"#;
    let expected = [
        "<1> <name> \"Ann\"@en",
        "<1> <name> \"A\"@zh-Hant",
        "<1> <name> \"B\"@zh-Hant",
        "<1> <dgraph.type> \"P\"",
        "<1> <dgraph.type> \"Q\"",
        "<1> <mail@a.b> \"1\"^^Integer",
    ];
    check(Action::Set, json, &expected);
}

#[test]
fn facets_of_values_of_edges_and_of_values_in_lists() {
    let json = r#"{"uid": "1", "name@en|from": "x", "name@en": "Ann", "name@en|weight": 2,
        "friend": {"uid": "2", "friend|close": true, "friend|score": 0.5, "friend|none": null},
        "nick": ["a", "b"], "nick|kind": {"1": "k"}, "nick|year": {"0": 1, "1": 2},
        "gone|k": 1, "friend|k": 2}"#;
    let expected = [
        "<1> <name> \"Ann\"@en (from=\"x\", weight=I64(2))",
        "<1> <friend> <2> (close=Bool(true), score=F64(0.5))",
        "<1> <nick> \"a\" (year=I64(1))",
        "<1> <nick> \"b\" (kind=\"k\", year=I64(2))",
    ];
    check(Action::Set, json, &expected);
    let json = Json::parse_mutation(r#"{"p": 1, "p|since": "2006-01-02T15:04:05"}"#).unwrap();
    let statements = statements_of(&json, Action::Set, &mut BlankNames::new(7)).unwrap();
    let Statement::Quad(quad) = &statements[0] else { panic!("{statements:?}") };
    assert!(matches!(quad.facets[0].value, FacetValue::Bare(_)), "{quad:?}");
}

#[test]
fn facets_that_fit_nothing_are_refused() {
    let cases = [
        (
            r#"{"p": 1, "p|k": {"0": 1}}"#,
            "p.p|k: expected a facet's value: a text, a number or a boolean",
        ),
        (
            r#"{"p": [1], "p|k": 1}"#,
            "p.p|k: expected the facets of a list's values by number, as in {\"0\": true}",
        ),
        (r#"{"p": [1], "p|k": {"1": 1}}"#, "p.p|k.1: expected the number of one of 1 values"),
        (r#"{"p|": 1}"#, "p|: expected a predicate and a facet around '|', as in \"friend|since\""),
    ];
    for (json, expected) in cases {
        refuse(Action::Set, json, expected);
    }
}

#[test]
fn geometry_is_one_value_and_variables_are_what_a_query_found() {
    let json = r#"{"uid": "uid(v)", "loc": {"type": "Point", "coordinates": [1.10, 2]},
        "at": [{"coordinates": [], "type": "Polygon"}], "n": "val(x)", "e": "uid(w)", "t": "val(x) ",
        "u": "val(x", "not": {"type": "Thing", "coordinates": [1]}}"#;
    let expected = [
        "uid(v) <loc> \"{\\\"type\\\":\\\"Point\\\",\\\"coordinates\\\":[1.10,2]}\"^^Geometry",
        "uid(v) <at> \"{\\\"coordinates\\\":[],\\\"type\\\":\\\"Polygon\\\"}\"^^Geometry",
        "uid(v) <n> val(x)",
        "uid(v) <e> uid(w)",
        "uid(v) <t> val(x)",
        "uid(v) <u> \"val(x\"",
        "uid(v) <not> _:dg.7.1",
        "_:dg.7.1 <type> \"Thing\"",
        "_:dg.7.1 <coordinates> \"1\"^^Integer",
    ];
    check(Action::Set, json, &expected);
}

#[test]
fn deletions_have_forms_of_their_own() {
    let json = r#"[{"uid": "1"}, {"uid": "2", "name": null, "name@en": null, "age": 3, "nick": "",
        "is_new": false, "friend": [{"uid": "3"}], "zero": 0, "tags": ["a"]}]"#;
    let expected = [
        "<1> * *",
        "<2> <name> *",
        "<2> <name@en> *",
        "<2> <age> \"3\"^^Integer",
        "<2> <nick> *",
        "<2> <is_new> *",
        "<2> <friend> <3>",
        "<2> <zero> \"0\"^^Integer",
        "<2> <tags> \"a\"",
    ];
    check(Action::Delete, json, &expected);
    check(Action::Set, r#"{"uid": "1"}"#, &[]);
    let names_nothing = "expected a \"uid\" that is not 0: a deletion names its nodes";
    refuse(Action::Delete, "{}", names_nothing);
    refuse(Action::Delete, r#"{"uid": "1", "p": {"q": 1}}"#, &format!("p: {names_nothing}"));
}

#[test]
fn a_fault_names_the_path_of_its_member() {
    let json = r#"[{}, {"friend": [{}, {"name@en": {"a": 1}}]}]"#;
    let expected = "[1].friend[1].name@en: expected a text of this language, found an object";
    refuse(Action::Set, json, expected);
    let in_list = "expected a value or an object in a list, found null or a list";
    refuse(Action::Set, r#"{"a": {"b": [1, [2]]}}"#, &format!("a.b[1]: {in_list}"));
    refuse(Action::Delete, r#"{"uid": "1", "b": [null]}"#, &format!("b[0]: {in_list}"));
    let node = "expected an object, which is a node, or a list of objects";
    refuse(Action::Set, "[1]", &format!("[0]: {node}"));
    refuse(Action::Set, "null", node);
    refuse(Action::Set, r#"{"": 1}"#, "expected a predicate's name, found an empty one");
}

#[test]
fn the_deepest_json_that_is_read_is_walked() {
    let depth = crate::limits::MUTATION_DEPTH_MAX;
    let text = "{\"p\":".repeat(depth) + "1" + &"}".repeat(depth);
    let json = Json::parse_mutation(&text).unwrap();
    let statements = statements_of(&json, Action::Set, &mut BlankNames::new(7)).unwrap();
    assert_eq!(statements.len(), depth);
    let deeper = format!("{{\"p\":{text}}}");
    assert!(Json::parse_mutation(&deeper).is_err());
}
