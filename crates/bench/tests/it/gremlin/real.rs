//! The load generator against Millrace itself: every vertex counted as answered is in the graph.

use std::sync::Arc;

use millrace_bench::gremlin::{Arguments, End, Script, Serializer, measure};
use millrace_db::{Database, RequestLimits, Settings};
use millrace_model::compare::CompareMode;
use millrace_server::Server;

#[test]
fn millrace_answers_every_form_of_script_and_keeps_acknowledged_vertices() {
    let mut settings = Settings::default();
    settings.listen.set("lua", "127.0.0.1:0");
    settings.listen.set("gremlin", "127.0.0.1:0");
    settings.listen.set("admin", "off");
    let name = settings.gremlin.graph.clone();
    let database = Arc::new(Database::in_memory(settings).unwrap());
    let graph = database.ensure_graph(&name).unwrap();
    let server = Server::start(Arc::clone(&database)).unwrap();
    let url = format!("ws://{}/gremlin", server.address("gremlin").unwrap());
    let forms = [
        (Script::Parameterized, End::Iterate, Serializer::GraphBinary),
        (Script::Parameterized, End::Count, Serializer::GraphSon),
        (Script::Literal, End::Ids, Serializer::GraphBinary),
        (Script::Literal, End::None, Serializer::GraphSon),
    ];
    let mut answered = 0;
    for (script, end, format) in forms {
        let arguments = Arguments {
            url: url.clone(),
            connections: Some(2),
            rate: Some(40.0),
            seconds: Some(0.5),
            warm_up: Some(0.0),
            batch: Some(10),
            script: Some(script),
            end: Some(end),
            format,
            ..Arguments::default()
        };
        let (outcome, _) = measure(&arguments).unwrap();
        assert_eq!(outcome.errors, Default::default(), "{script:?} {end:?} {format:?}");
        assert_eq!(outcome.answered, 20, "{script:?} {end:?} {format:?}");
        answered += outcome.answered;
    }
    let mut plan = millrace_db::plan::PlanBuilder::new(CompareMode::Plain);
    let vertices = plan.scan(None, "v");
    let plan = plan.finish(vec![vertices]);
    let limits = RequestLimits::within(20_000, &Settings::default());
    let found = graph.read(&limits, |runner| runner.run_once(&plan, &[])).unwrap();
    let count: u64 = (0..found.len).map(|row| found.weight(row)).sum();
    assert_eq!(count, 10 * answered);
    server.stop();
}
