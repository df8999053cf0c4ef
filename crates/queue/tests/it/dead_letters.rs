//! Bad messages: found, dead with their reasons, once each, and the others in their order.

use std::sync::Arc;
use std::time::Duration;

use millrace_queue::QueueSettings;
use millrace_queue::deliveries::{
    DETAIL_HEADER, DeadLetter, ERROR_HEADER, QUEUE_HEADER, TIME_HEADER,
};
use millrace_queue::messages::Message;
use millrace_queue::settings::DeadLetterRoute;
use millrace_testkit::run_seeds;

use crate::fake::{FakeBroker, Faults, person, with_id};
use crate::graph::{ask, in_memory, numbers, settings, wait_until};
use crate::once::start;

fn buried() -> QueueSettings {
    let dead_letter = DeadLetterRoute { exchange: String::new(), key: "people.dead".to_owned() };
    QueueSettings { dead_letter, ..settings() }
}

fn ids(dead: &[DeadLetter]) -> Vec<String> {
    let id = |letter: &DeadLetter| letter.message.properties.message_id().clone().unwrap();
    dead.iter().map(|letter| id(letter).to_string()).collect()
}

/// A thousand messages of which three are bad, each in a way of its own.
fn thousand() -> Vec<Message> {
    let mut messages: Vec<Message> = (0..1_000).map(person).collect();
    messages[123] = with_id("half", messages[123].body[..5].to_vec());
    messages[124] = with_id("type", vec![0x81, 0xa1, b'n', 0x81, 0xa1, b'x', 1]);
    messages[777] = with_id("taken", person(5).body);
    messages
}

#[test]
fn of_a_thousand_with_three_bad_the_others_are_applied_in_order() {
    run_seeds(6, |seed, rng| {
        let database = in_memory();
        ask(&database, "CREATE CONSTRAINT FOR (p:Person) REQUIRE p.n IS UNIQUE");
        let faults = if seed == 0 { Faults(0) } else { Faults(40 + rng.below(100)) };
        let broker = FakeBroker::new(seed, faults, 60);
        broker.publish(thousand());
        let queue = start(&database, &buried(), &broker);
        wait_until("all are acknowledged", || broker.is_empty());
        let bad = [123, 124, 777];
        let good: Vec<i64> = (0..1_000).filter(|number| !bad.contains(number)).collect();
        assert_eq!(numbers(&database), good);
        queue.stop(Duration::from_secs(10));
        broker.with(|state| {
            assert_eq!(ids(&state.dead), ["half", "type", "taken"]);
            let errors = ["bad-input", "bad-query", "constraint"];
            for (letter, error) in state.dead.iter().zip(errors) {
                let kind = letter.header(ERROR_HEADER).unwrap();
                let detail = letter.header(DETAIL_HEADER).unwrap();
                assert!(
                    kind == error || (error == "bad-query" && kind == "bad-input"),
                    "{kind}: {detail}"
                );
                assert_eq!(letter.header(QUEUE_HEADER).unwrap(), "people");
                assert!(letter.header(TIME_HEADER).is_some() && !detail.is_empty());
            }
        });
    });
}

#[test]
fn without_a_way_for_dead_letters_the_queue_stops_and_says_so() {
    let (database, broker) = (in_memory(), FakeBroker::new(1, Faults(0), 60));
    broker.publish((0..5).map(person));
    broker.publish([with_id("bad", vec![0xc1])]);
    broker.publish((6..9).map(person));
    let queue = start(&database, &settings(), &broker);
    wait_until("it stops", || queue.is_halted());
    let problem = queue.problem().unwrap();
    assert!(problem.contains("bad-input") && problem.contains("dead-letter"), "{problem}");
    wait_until("the message is back", || broker.with(|state| state.ready.len()) == 4);
    assert_eq!(numbers(&database), [0, 1, 2, 3, 4]);
    queue.stop(Duration::from_secs(10));
}

#[test]
fn a_dead_letter_that_its_operator_sends_again_is_tried_again() {
    let (database, broker) = (in_memory(), FakeBroker::new(1, Faults(0), 60));
    ask(&database, "CREATE CONSTRAINT person FOR (p:Person) REQUIRE p.n IS UNIQUE");
    broker.publish([person(1), with_id("again", person(1).body)]);
    let queue = start(&database, &buried(), &broker);
    wait_until("it is dead", || broker.with(|state| state.dead.len()) == 1 && broker.is_empty());
    ask(&database, "DROP CONSTRAINT person");
    let letter = broker.with(|state| state.dead[0].message.clone());
    broker.publish([letter]);
    wait_until("all are acknowledged", || broker.is_empty());
    let dead = broker.with(|state| state.dead.last().unwrap().header(DETAIL_HEADER));
    assert_eq!(numbers(&database), [1, 1], "{:?} {dead:?}", queue.counts());
    queue.stop(Duration::from_secs(10));
}

#[test]
fn a_message_without_a_key_is_bad_where_one_is_required() {
    let (database, broker) = (in_memory(), FakeBroker::new(1, Faults(0), 60));
    let unkeyed = Message { properties: Default::default(), ..person(1) };
    broker.publish([person(0), unkeyed, person(2)]);
    let settings = QueueSettings { key_required: true, ..buried() };
    let queue = start(&database, &settings, &broker);
    wait_until("all are acknowledged", || broker.is_empty());
    assert_eq!(numbers(&database), [0, 2]);
    let detail = broker.with(|state| state.dead[0].header(DETAIL_HEADER).unwrap());
    assert!(detail.contains("no key"), "{detail}");
    queue.stop(Duration::from_secs(10));
}

/// Symptom: a closed database would make every message dead. Shape: the error is not the message's. Bound: none.
#[test]
fn an_error_of_the_situation_makes_nothing_dead() {
    let (database, broker) = (in_memory(), FakeBroker::new(1, Faults(0), 60));
    database.close();
    broker.publish((0..5).map(person));
    let queue = start(&Arc::clone(&database), &buried(), &broker);
    wait_until("it waits", || queue.problem().is_some());
    std::thread::sleep(Duration::from_millis(300));
    assert!(!queue.is_halted() && broker.with(|state| state.dead.is_empty()));
    queue.stop(Duration::from_secs(10));
    assert!(broker.with(|state| state.ready.len()) == 5, "nothing was acknowledged");
}
