//! The examples run, each of them.

#[path = "../../examples/mod.rs"]
mod examples;

#[test]
fn every_example_runs() {
    for (name, run) in examples::ALL {
        run().unwrap_or_else(|error| panic!("{name}: {error}"));
    }
}

#[test]
fn errors_name_the_problem_and_the_remedy() {
    let database = millrace::in_memory().expect("in memory");
    let graph = database.graph("one").expect("is new");
    let wrong = graph.gremlin("g.V().ouut()").run().expect_err("no such step");
    assert!(wrong.to_string().contains("did you mean `out()`"), "{wrong}");
    let wrong = graph.gremlin("g.addV('x')").read_only().run().expect_err("it writes");
    assert_eq!(wrong.kind, millrace::ErrorKind::Forbidden, "{wrong}");
    let two: millrace::Values = ["a", "b"].into();
    let one: millrace::Values = [1_i64].into();
    let wrong =
        graph.write(|writer| writer.vertices("x", &[("a", two.clone()), ("b", one.clone())]));
    assert!(wrong.expect_err("lengths differ").to_string().contains("`b` has 1 values"));
    assert_eq!(graph.size().expect("it counts").vertices, 0, "nothing of it is written");
}
