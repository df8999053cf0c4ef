//! Writes of traversals and reads of them later on, where the feature files have one row only.

use std::collections::HashMap;

use millrace_db::{Database, Settings};
use millrace_gremlin::bytecode::Argument;
use millrace_model::Value;

use super::scenarios::run;

/// The results of texts, one after the other, in a new graph.
pub(super) fn ask(texts: &[&str]) -> Vec<Result<Vec<Value>, String>> {
    let folder = tempfile::tempdir().expect("a folder");
    let database = Database::open(folder.path(), Settings::default()).expect("it opens");
    database.create_graph("one").expect("a new graph");
    let none: HashMap<String, Argument> = HashMap::new();
    let answers = texts.iter().map(|text| run(&database, "one", text, &none, &[]));
    answers.map(|answer| answer.map_err(|error| error.to_string())).collect()
}

/// The last of the results, all of which are there.
pub(super) fn last(texts: &[&str]) -> Vec<Value> {
    let mut answers = ask(texts);
    for (text, answer) in texts.iter().zip(&answers) {
        assert!(answer.is_ok(), "{text}: {answer:?}");
    }
    answers.pop().and_then(Result::ok).unwrap_or_default()
}

fn counts(numbers: &[i64]) -> Vec<Value> {
    numbers.iter().copied().map(Value::I64).collect()
}

#[test]
fn maps_of_equal_keys_are_merged_with_each_other() {
    let maps =
        "[(T.label): 'P', name: 'a'], [(T.label): 'P', name: 'b'], [(T.label): 'P', name: 'a']";
    let merge =
        format!("g.inject({maps}).mergeV().option(Merge.onMatch, [seen: 1]).values('name')");
    let names: Vec<Value> = ["a", "b", "a"].map(Value::from).to_vec();
    assert_eq!(last(&[&merge]), names);
    assert_eq!(last(&[&merge, "g.V().count()"]), counts(&[2]));
    assert_eq!(last(&[&merge, &merge, "g.V().count()"]), counts(&[2]));
    assert_eq!(last(&[&merge, "g.V().has('seen', 1).values('name')"]), [Value::from("a")]);
}

#[test]
fn maps_of_different_keys_find_elements_that_earlier_maps_made() {
    let without_label = "[name: 'a']";
    let with_label = "[(T.label): 'P', name: 'a']";
    let other_label = "[(T.label): 'Q', name: 'a']";
    for (maps, wanted) in [
        ([with_label, without_label, with_label], 1),
        ([without_label, with_label, without_label], 2),
        ([with_label, other_label, with_label], 2),
        ([other_label, without_label, with_label], 2),
    ] {
        let merge = format!("g.inject({}).mergeV()", maps.join(", "));
        let found = last(&[&merge, "g.V().count()"]);
        assert_eq!(found, counts(&[wanted]), "{merge}");
    }
}

#[test]
fn a_map_with_an_id_finds_the_vertex_of_that_id_or_makes_it() {
    let merge = "g.inject([(T.id): 7, (T.label): 'P', name: 'a'], [(T.id): 7]).mergeV().id()";
    assert_eq!(last(&[merge]), counts(&[7, 7]));
    let other = "g.inject([(T.id): 7, name: 'b']).mergeV()";
    let answers = ask(&[merge, other]);
    assert!(answers[1].is_err(), "another vertex has that id: {:?}", answers[1]);
}

#[test]
fn on_create_may_not_override_the_match_and_is_not_read_for_a_found_vertex() {
    let made = "g.inject([(T.label): 'P', name: 'a']).as('m').mergeV(__.select('m'))\
                .option(Merge.onCreate, __.constant('b').project('name'))";
    let error = ask(&[made]).remove(0).expect_err("the name is another");
    assert!(error.contains("cannot override values from merge() argument"), "{error}");
    let add = "g.addV('P').property('name', 'a')";
    assert_eq!(last(&[add, made, "g.V().count()"]), counts(&[1]));
}

#[test]
fn properties_set_on_match_may_read_the_found_element() {
    let add = "g.addV('P').property('name', 'a').property('age', 7)";
    let merge =
        "g.mergeV([(T.label): 'P', name: 'a']).option(Merge.onMatch, __.project('old').by('age'))";
    assert_eq!(last(&[add, merge, "g.V().values('old')"]), [Value::I32(7)]);
}

#[test]
fn edges_of_maps_are_merged_by_their_ends_type_and_properties() {
    let vertices = "g.addV('P').property(T.id, 1).addV('P').property(T.id, 2)";
    let edge = |weight| {
        format!("[(T.label): 'e', (Direction.OUT): 1, (Direction.IN): 2, weight: {weight}]")
    };
    let maps = [edge(1), edge(2), edge(1)].join(", ");
    let merge = format!("g.inject({maps}).mergeE().option(Merge.onMatch, [seen: 1])");
    let count = "g.V(1).outE('e').count()";
    assert_eq!(last(&[vertices, &merge, count]), counts(&[2]));
    assert_eq!(last(&[vertices, &merge, &merge, count]), counts(&[2]));
    assert_eq!(last(&[vertices, &merge, "g.E().has('seen', 1).values('weight')"]), [Value::I32(1)]);
    let known = "g.mergeE([(T.label): 'e', (Direction.OUT): 1, (Direction.IN): 2])";
    assert_eq!(last(&[vertices, known, known, count]), counts(&[1]));
}

#[test]
fn an_edge_without_an_end_is_an_error_where_it_would_be_made() {
    let vertices = "g.addV('P').property(T.id, 1)";
    for (map, message) in [
        (
            "[(T.label): 'e', (Direction.OUT): 1, (Direction.IN): 2]",
            "In Vertex id could not be resolved",
        ),
        ("[(T.label): 'e', (Direction.OUT): 1]", "In Vertex not specified"),
        ("[(T.label): 'e', (Direction.IN): 1]", "Out Vertex not specified"),
    ] {
        for merge in [format!("g.mergeE({map})"), format!("g.inject({map}).mergeE()")] {
            let error = ask(&[vertices, &merge]).remove(1).expect_err("an end is missing");
            assert!(error.contains(message), "{merge}: {error}");
        }
    }
}

#[test]
fn labels_come_from_the_traverser_and_are_made_once() {
    let add = "g.inject('A', 'B', 'A').as('l').addV(__.select('l')).property('n', __.select('l'))";
    assert_eq!(last(&[add, "g.V().hasLabel('A').values('n')"]), ["A", "A"].map(Value::from));
    let edges = "g.V().hasLabel('A').as('v').addE(__.label()).to('v')";
    assert_eq!(last(&[add, edges, "g.E().hasLabel('A').count()"]), counts(&[2]));
    assert!(ask(&["g.inject(1).as('l').addV(__.select('l'))"])[0].is_err());
}

#[test]
fn an_end_is_a_vertex_or_its_id_and_nothing_else() {
    let vertices = "g.addV('P').property(T.id, 1).addV('P').property(T.id, 2)";
    let count = "g.V(1).out('e').count()";
    let by_id = "g.V(1).addE('e').to(__.constant(2))";
    assert_eq!(last(&[vertices, by_id, count]), counts(&[1]));
    for end in ["__.constant(9)", "__.V(9)", "__.constant('x')"] {
        let error = ask(&[vertices, &format!("g.V(1).addE('e').to({end})")]).remove(1);
        let error = error.expect_err("no vertex");
        assert!(error.contains("must resolve to a Vertex"), "{end}: {error}");
    }
}

#[test]
fn a_key_of_a_property_comes_from_the_traverser() {
    let add = "g.inject('k').as('k').addV('P').property(__.select('k'), 1).property('k', 2)";
    assert_eq!(last(&[add, "g.V().values('k')"]), [Value::I32(2)]);
    let set = "g.V().property(__.label(), __.values('k'))";
    assert_eq!(last(&[add, set, "g.V().values('P')"]), [Value::I32(2)]);
}

#[test]
fn sampling_is_by_weight() {
    assert_eq!(last(&["g.inject(0, 3, 0).sample(2).by(__.identity())"]), [Value::I32(3)]);
    let all = last(&["g.inject(1, 2, 3).fold().sample(Scope.local, 2).unfold().count()"]);
    assert_eq!(all, counts(&[2]));
}

#[test]
fn a_seed_makes_random_numbers_the_same_each_time() {
    let text =
        "g.withStrategies(new SeedStrategy(seed: 9)).inject(1, 2, 3, 4, 5, 6, 7, 8).coin(0.5)";
    assert_eq!(last(&[text]), last(&[text]));
    let other = text.replace("seed: 9", "seed: 10");
    assert_ne!(last(&[text]), last(&[&other]));
}

#[test]
fn ids_are_a_property_under_its_strategy() {
    let g = "g.withStrategies(new ElementIdStrategy(idPropertyKey: 'key'))";
    let add = format!("{g}.addV('P').property(T.id, 'a')");
    let found = format!("{g}.V('a').id()");
    assert_eq!(last(&[&add, &found]), [Value::from("a")]);
    assert_eq!(last(&[&add, &format!("{g}.V().hasId('b').count()")]), counts(&[0]));
    assert_eq!(last(&[&add, "g.V().values('key')"]), [Value::from("a")]);
    assert!(ask(&[&format!("{g}.addV('P')")])[0].is_err(), "no id is made up");
}

#[test]
fn a_part_of_the_graph_has_each_of_its_elements_once() {
    let add = "g.addV('P').property(T.id, 1).as('a').addV('P').property(T.id, 2).as('b')\
               .addE('e').from('a').to('b').addE('e').from('a').to('a')";
    let found = last(&[add, "g.V().bothE().subgraph('s').cap('s')"]);
    let [Value::Subgraph(part)] = found.as_slice() else {
        panic!("{found:?} is no part of a graph")
    };
    assert_eq!((part.vertices().len(), part.edges().len()), (2, 2));
}

#[test]
fn groups_may_collect_and_read_tags() {
    let add = "g.addV('P').property('n', 1).addV('P').property('n', 2).addV('Q').property('n', 3)";
    let tagged = "g.V().as('v').group('x').by(T.label).by(__.select('v').values('n').sum()).cap('x')\
                  .select(Column.values).unfold().order()";
    assert_eq!(last(&[add, tagged]), [Value::I32(3), Value::I32(3)]);
    let inside = "g.V().group().by(T.label).by(__.aggregate('x').values('n').sum())\
                  .select(Column.values).unfold()";
    assert_eq!(last(&[add, inside]), [Value::I32(3), Value::I32(3)]);
}

/// TinkerPop's modern graph, as far as ways go.
const MODERN: &str = "g.addV('person').property('name', 'marko').as('1')\
    .addV('person').property('name', 'vadas').as('2').addV('software').property('name', 'lop').as('3')\
    .addV('person').property('name', 'josh').as('4').addV('software').property('name', 'ripple').as('5')\
    .addV('person').property('name', 'peter').as('6')\
    .addE('knows').from('1').to('2').addE('knows').from('1').to('4').addE('created').from('1').to('3')\
    .addE('created').from('4').to('5').addE('created').from('4').to('3').addE('created').from('6').to('3')";

/// TinkerPop's `g_V_shortestpath`: all shortest ways, kept in a side effect that each round reads.
const SHORTEST_WAYS: &str = r#"
    g.V().as("v").both().as("v").
      project("src", "tgt", "p").
        by(__.select(first, "v")).by(__.select(last, "v")).by(__.select(Pop.all, "v")).as("triple").
      group("x").by(__.select("src", "tgt")).by(__.select("p").fold()).select("tgt").barrier().
      repeat(__.both().as("v").
        project("src", "tgt", "p").
          by(__.select(first, "v")).by(__.select(last, "v")).by(__.select(Pop.all, "v")).as("t").
        filter(__.select(Pop.all, "p").count(local).as("l").
          select(Pop.last, "t").select(Pop.all, "p").dedup(Scope.local).count(Scope.local).where(P.eq("l"))).
        where("src", P.neq("tgt")).
        select(Pop.last, "t").
        not(__.select(Pop.all, "p").as("p").count(local).as("l").
          select(Pop.all, "x").unfold().filter(select(keys).where(P.eq("t")).by(__.select("src", "tgt"))).
          filter(__.select(Column.values).unfold().
            or(__.count(Scope.local).where(P.lt("l")), __.where(P.eq("p"))))).
        barrier().
        group("x").by(__.select("src", "tgt")).by(__.select(Pop.all, "p").fold()).select("tgt").barrier()).
      cap("x").select(Column.values).unfold().unfold().map(__.unfold().values("name").fold())"#;

#[test]
fn ways_of_all_lengths_are_found() {
    let found = last(&[MODERN, SHORTEST_WAYS]);
    let lengths = |length: usize| {
        let of_length =
            |way: &&Value| matches!(way, Value::List(objects) if objects.len() == length);
        found.iter().filter(of_length).count()
    };
    assert_eq!([2, 3, 4, 5].map(lengths), [12, 12, 6, 0], "{found:?}");
    // Checked with TinkerGraph 3.8.1 without PathRetractionStrategy, which loses these.
    let way = ["vadas", "marko", "josh", "ripple"].map(Value::from).to_vec();
    assert!(found.contains(&Value::list(way)), "{found:?}");
}

#[test]
fn rounds_with_random_numbers_end_once_enough_is_found() {
    // There is always another round: only the limit ends them.
    let add = "g.addV('P').property('n', 1).as('a').addE('e').to('a')";
    for rounds in [
        "emit().repeat(__.out().order().by(Order.shuffle)).limit(3)",
        "repeat(__.both().order().by(Order.shuffle)).emit().limit(3)",
        "repeat(__.out().map(__.both().sample(1))).emit().limit(3)",
    ] {
        assert_eq!(last(&[add, &format!("g.V().{rounds}.count()")]), counts(&[3]), "{rounds}");
    }
}
