//! A social network with LDBC's schema, asked as LDBC's interactive queries ask it: by scripts of the
//! shapes that RageDB's users have. Answers are those of plain code over the same data.

mod network;

use millrace_db::ragedb::{Access, Script};
use millrace_db::{Database, Graph, RequestLimits, Settings};
use millrace_testkit::{Rng, run_seeds};
use serde_json::{Value, json};

use network::Network;

const OWN: &str = include_str!("queries.lua");

fn ask(graph: &Graph, text: &str) -> Value {
    let limits = RequestLimits::within(60_000, &Settings::default());
    let script =
        Script { text: text.into(), access: Access::Admin, parameters: Vec::new(), limits };
    let answer = graph.run_script(script);
    let answer = answer.unwrap_or_else(|failure| panic!("{text}: {failure:?}"));
    serde_json::from_str(&answer).unwrap_or_else(|error| panic!("{text}: {error} in {answer}"))
}

/// The result of a call, only some fields of it.
fn fields(graph: &Graph, call: &str, names: &[&str]) -> Value {
    let answer = ask(graph, call);
    let picked = answer.as_array().unwrap_or_else(|| panic!("{call}: {answer}")).iter();
    picked.map(|row| names.iter().map(|name| row[name].clone()).collect::<Value>()).collect()
}

fn check(graph: &Graph, network: &Network, rng: &mut Rng) {
    let person = rng.index(network.people.len());
    let other = rng.index(network.people.len());
    let (id, other_id) = (network.person_id(person), network.person_id(other));
    let at = network.some_date(rng);
    let name = network.people[other].first_name;
    let by = |call: String, names: &[&str], expected: Value| {
        assert_eq!(fields(graph, &call, names), expected, "{call}");
    };
    by(
        format!("ldbc_snb_is02('{id}')"),
        &["message.id", "message.creationDate", "post.id", "originalPoster.id"],
        network.newest_messages(person),
    );
    by(
        format!("ldbc_snb_is03('{id}')"),
        &["friend.id", "friend.firstName", "knows.creationDate"],
        network.friends(person),
    );
    by(
        format!("local found = ldbc_snb_iq01('{id}', '{name}')\nfound"),
        &["otherPerson.id", "distanceFromPerson"],
        network.named(person, name),
    );
    by(
        format!("local found = ldbc_snb_iq02('{id}', {at})\nfound"),
        &["friend.id", "message.id"],
        network.messages_of_friends(person, at),
    );
    by(
        format!("local found = ldbc_snb_iq04('{id}', {at}, 3)\nfound"),
        &["tag.name", "postCount"],
        network.new_tags(person, at, 3),
    );
    by(
        format!("ldbc_snb_iq07('{id}')"),
        &["friend.id", "message.id", "minutesLatency", "isNew"],
        network.likes(person),
    );
    by(
        format!("ldbc_snb_iq08('{id}')"),
        &["comment.id", "commentAuthor.id"],
        network.replies(person),
    );
    by(
        format!("local found = ldbc_snb_iq09('{id}', {at})\nfound"),
        &["message.id"],
        network.messages_of_circle(person, at),
    );
    let distance = ask(graph, &format!("local far = ldbc_snb_iq13('{id}', '{other_id}')\nfar"));
    assert_eq!(distance, json!(network.distance(person, other)), "{id} to {other_id}");
}

#[test]
fn ldbc_queries_over_a_social_network_answer_as_plain_loops_do() {
    let database = Database::in_memory(Settings::default()).unwrap();
    run_seeds(3, |seed, rng| {
        let network = Network::random(rng);
        let graph = database.create_graph(&format!("g{seed}")).unwrap();
        network.declare(|text| ask(&graph, text));
        assert_eq!(ask(&graph, OWN), json!("Sent to All"));
        network.load(|text| ask(&graph, text));
        (0..12).for_each(|_| check(&graph, &network, rng));
    });
}
