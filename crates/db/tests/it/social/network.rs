//! A random social network, and the answers of LDBC's queries over it, by plain loops.
//!
//! Every date is there once, so that no order is left to chance.

use std::collections::{BTreeMap, BTreeSet};

use millrace_testkit::Rng;
use serde_json::{Value, json};

const NAMES: [&str; 4] = ["Chen", "Carmen", "Jan", "Ada"];

/// Milliseconds since 1970 of the first thing that happened.
const BEGIN_MS: i64 = 1_266_161_530_447;

/// Milliseconds between two things that happen, at least.
const STEP_MS: i64 = 1_234_567;

const LATEST: usize = 20;

pub(super) struct Person {
    pub(super) first_name: &'static str,
    last_name: String,
}

struct Message {
    creator: usize,
    at_ms: i64,
    /// The message it replies to; a post has none.
    reply_of: Option<usize>,
    tags: Vec<usize>,
}

pub(super) struct Network {
    pub(super) people: Vec<Person>,
    /// Two people and since when.
    knows: Vec<(usize, usize, i64)>,
    messages: Vec<Message>,
    /// A person, a message and when.
    likes: Vec<(usize, usize, i64)>,
    tags: usize,
    now_ms: i64,
}

fn seconds(at_ms: i64) -> f64 {
    format!("{}.{:03}", at_ms / 1_000, at_ms % 1_000).parse().expect("it is a number")
}

fn iso(at_ms: i64) -> String {
    let timestamp = millrace_model::temporal::DateTime::from_seconds(seconds(at_ms));
    let text = timestamp.expect("it is a date").to_string();
    let (date, fraction) = text.trim_end_matches('Z').split_once('.').unwrap_or((&text, "0"));
    format!("{}.{fraction:0<3}Z", date.trim_end_matches('Z'))
}

impl Network {
    pub(super) fn random(rng: &mut Rng) -> Network {
        let mut network = Network {
            people: Vec::new(),
            knows: Vec::new(),
            messages: Vec::new(),
            likes: Vec::new(),
            tags: 6,
            now_ms: BEGIN_MS,
        };
        for number in 0..30 {
            let last_name = format!("Name{}", rng.below(5));
            network.people.push(Person { first_name: NAMES[rng.index(NAMES.len())], last_name });
            for other in 0..number {
                if rng.chance(0.09) {
                    let since = network.tick(rng);
                    network.knows.push((number, other, since));
                }
            }
        }
        for number in 0..150 {
            let reply_of = (0 < number && rng.chance(0.5)).then(|| rng.index(number));
            let tags = (0..network.tags).filter(|_| reply_of.is_none() && rng.chance(0.2));
            let (tags, creator) = (tags.collect(), rng.index(30));
            let at_ms = network.tick(rng);
            network.messages.push(Message { creator, at_ms, reply_of, tags });
            for person in 0..30 {
                if rng.chance(0.05) {
                    let at_ms = network.tick(rng);
                    network.likes.push((person, number, at_ms));
                }
            }
        }
        network
    }

    fn tick(&mut self, rng: &mut Rng) -> i64 {
        self.now_ms += STEP_MS + rng.below(1_000) as i64;
        self.now_ms
    }

    pub(super) fn some_date(&self, rng: &mut Rng) -> i64 {
        BEGIN_MS + rng.below((self.now_ms - BEGIN_MS) as u64) as i64
    }

    pub(super) fn person_id(&self, person: usize) -> i64 {
        933 + 10 * person as i64
    }

    fn message_id(&self, message: usize) -> i64 {
        1_000_000 + message as i64
    }

    /// LDBC's schema, as far as the queries look at it.
    pub(super) fn declare(&self, ask: impl Fn(&str) -> Value) {
        let properties = [
            ("Person", "id integer, firstName string, lastName string, creationDate date"),
            ("Message", "id integer, creationDate date, content string, length integer"),
            ("Tag", "id integer, name string"),
        ];
        for (label, declared) in properties {
            for (name, kind) in declared.split(", ").filter_map(|pair| pair.split_once(' ')) {
                ask(&format!(
                    "local made = NodePropertyTypeAdd('{label}', '{name}', '{kind}')\nmade"
                ));
            }
        }
        for edge in ["KNOWS", "LIKES"] {
            ask(&format!(
                "local made = RelationshipPropertyTypeAdd('{edge}', 'creationDate', 'date')\nmade"
            ));
        }
    }

    /// Writes it by scripts: dates as text, as seconds, and as values of the module of dates.
    pub(super) fn load(&self, ask: impl Fn(&str) -> Value) {
        let mut lines = vec!["NodeAdd('Place', '0', '{\"name\": \"Angola\"}')".to_owned()];
        for (number, person) in self.people.iter().enumerate() {
            let (id, first, last) = (self.person_id(number), person.first_name, &person.last_name);
            lines.push(format!(
                "NodeAdd('Person', '{id}', '{{\"id\": {id}, \"firstName\": \"{first}\", \
                 \"lastName\": \"{last}\", \"creationDate\": '..date('2010-02-14T15:32:10.447+0000')\
                 :todouble()..'}}')"
            ));
            lines.push(format!(
                "RelationshipAdd('PERSON_IS_LOCATED_IN', 'Person', '{id}', 'Place', '0')"
            ));
        }
        for tag in 0..self.tags {
            lines.push(format!(
                "NodeAdd('Tag', '{tag}', '{{\"id\": {tag}, \"name\": \"tag{tag}\"}}')"
            ));
        }
        for (number, message) in self.messages.iter().enumerate() {
            let id = self.message_id(number);
            let at = match number % 2 {
                0 => format!("\"{}\"", iso(message.at_ms).replace('Z', "+0000")),
                _ => seconds(message.at_ms).to_string(),
            };
            lines.push(format!(
                "NodeAdd('Message', '{id}', '{{\"id\": {id}, \"creationDate\": {at}, \
                 \"length\": '..(62 / 2)..', \"content\": \"text {id}\"}}')"
            ));
            let person = self.person_id(message.creator);
            let edge = if message.reply_of.is_some() { "COMMENT" } else { "POST" };
            lines.push(format!(
                "RelationshipAdd('{edge}_HAS_CREATOR', 'Message', '{id}', 'Person', '{person}')"
            ));
            for tag in &message.tags {
                lines.push(format!(
                    "RelationshipAdd('POST_HAS_TAG', 'Message', '{id}', 'Tag', '{tag}')"
                ));
            }
            if let Some(other) = message.reply_of.map(|other| self.message_id(other)) {
                lines.push(format!(
                    "RelationshipAdd('REPLY_OF', 'Message', '{id}', 'Message', '{other}')"
                ));
            }
        }
        let dated = |edge: &str, person: usize, to: String, at_ms: i64| {
            let (person, at) = (self.person_id(person), iso(at_ms));
            format!(
                "RelationshipAdd('{edge}', 'Person', '{person}', {to}, '{{\"creationDate\": \"{at}\"}}')"
            )
        };
        for (one, other, since) in &self.knows {
            lines.push(dated(
                "KNOWS",
                *one,
                format!("'Person', '{}'", self.person_id(*other)),
                *since,
            ));
        }
        for (person, message, at) in &self.likes {
            let message = self.message_id(*message);
            lines.push(dated("LIKES", *person, format!("'Message', '{message}'"), *at));
        }
        ask(&format!("{}\ntrue", lines.join("\n")));
    }

    fn friends_of(&self, person: usize) -> BTreeSet<usize> {
        let other = |&(one, two, _): &(usize, usize, i64)| match person {
            person if person == one => Some(two),
            person if person == two => Some(one),
            _ => None,
        };
        self.knows.iter().filter_map(other).collect()
    }

    /// Each reachable person, with the number of steps.
    fn distances(&self, person: usize) -> BTreeMap<usize, usize> {
        let (mut found, mut ring) = (BTreeMap::from([(person, 0)]), vec![person]);
        for distance in 1.. {
            let next = ring.iter().flat_map(|one| self.friends_of(*one));
            let next: BTreeSet<usize> = next.filter(|one| !found.contains_key(one)).collect();
            if next.is_empty() {
                break;
            }
            found.extend(next.iter().map(|one| (*one, distance)));
            ring = next.into_iter().collect();
        }
        found
    }

    /// Messages that fit, the newest first.
    fn newest(&self, fits: impl Fn(&Message) -> bool) -> Vec<usize> {
        let mut found: Vec<usize> =
            (0..self.messages.len()).filter(|number| fits(&self.messages[*number])).collect();
        found.sort_by_key(|number| -self.messages[*number].at_ms);
        found
    }

    fn post_of(&self, message: usize) -> usize {
        self.messages[message].reply_of.map_or(message, |other| self.post_of(other))
    }

    pub(super) fn newest_messages(&self, person: usize) -> Value {
        let found = self.newest(|message| message.creator == person).into_iter().take(10);
        let row = |number: usize| {
            let post = self.post_of(number);
            json!([
                self.message_id(number),
                iso(self.messages[number].at_ms),
                self.message_id(post),
                self.person_id(self.messages[post].creator)
            ])
        };
        found.map(row).collect()
    }

    pub(super) fn friends(&self, person: usize) -> Value {
        let mut knows: Vec<_> =
            self.knows.iter().filter(|(one, two, _)| *one == person || *two == person).collect();
        knows.sort_by_key(|(_, _, since)| -since);
        let row = |(one, two, since): &(usize, usize, i64)| {
            let other = if *one == person { *two } else { *one };
            json!([self.person_id(other), self.people[other].first_name, iso(*since)])
        };
        knows.into_iter().map(row).collect()
    }

    pub(super) fn named(&self, person: usize, name: &str) -> Value {
        let mut found: Vec<_> = self
            .distances(person)
            .into_iter()
            .filter(|(other, far)| (1..=3).contains(far) && self.people[*other].first_name == name)
            .map(|(other, far)| (far, self.people[other].last_name.as_str(), self.person_id(other)))
            .collect();
        found.sort_unstable();
        found.into_iter().take(LATEST).map(|(far, _, id)| json!([id, far])).collect()
    }

    pub(super) fn messages_of_friends(&self, person: usize, before_ms: i64) -> Value {
        let friends = self.friends_of(person);
        let fits = |one: &Message| friends.contains(&one.creator) && one.at_ms < before_ms;
        let row = |number: usize| {
            json!([self.person_id(self.messages[number].creator), self.message_id(number)])
        };
        self.newest(fits).into_iter().take(LATEST).map(row).collect()
    }

    pub(super) fn new_tags(&self, person: usize, from_ms: i64, days: i64) -> Value {
        let friends = self.friends_of(person);
        let mut dates: BTreeMap<usize, Vec<i64>> = BTreeMap::new();
        for message in self.messages.iter().filter(|one| friends.contains(&one.creator)) {
            if message.at_ms < from_ms + days * 86_400_000 {
                for tag in &message.tags {
                    dates.entry(*tag).or_default().push(message.at_ms);
                }
            }
        }
        dates.retain(|_, dates| dates.iter().all(|at| from_ms <= *at));
        let mut found: Vec<_> = dates.into_iter().collect();
        found.sort_by_key(|(tag, dates)| (usize::MAX - dates.len(), *tag));
        found.into_iter().map(|(tag, dates)| json!([format!("tag{tag}"), dates.len()])).collect()
    }

    pub(super) fn likes(&self, person: usize) -> Value {
        let mut likes: Vec<_> = self
            .likes
            .iter()
            .filter(|(_, message, _)| self.messages[*message].creator == person)
            .collect();
        likes.sort_by_key(|(_, _, at)| -at);
        let friends = self.friends_of(person);
        let row = |(liker, message, at): &(usize, usize, i64)| {
            let minutes = seconds(*at) - seconds(self.messages[*message].at_ms);
            json!([
                self.person_id(*liker),
                self.message_id(*message),
                (minutes / 60.0 + 0.5).floor() as i64,
                friends.contains(liker)
            ])
        };
        likes.into_iter().take(LATEST).map(row).collect()
    }

    pub(super) fn replies(&self, person: usize) -> Value {
        let fits = |one: &Message| {
            one.reply_of.is_some_and(|other| self.messages[other].creator == person)
        };
        let row = |number: usize| {
            json!([self.message_id(number), self.person_id(self.messages[number].creator)])
        };
        self.newest(fits).into_iter().take(LATEST).map(row).collect()
    }

    pub(super) fn messages_of_circle(&self, person: usize, before_ms: i64) -> Value {
        let distances = self.distances(person);
        let near = |one: usize| distances.get(&one).is_some_and(|far| (1..=2).contains(far));
        let found = self.newest(|one| near(one.creator) && one.at_ms < before_ms).into_iter();
        found.take(LATEST).map(|number| json!([self.message_id(number)])).collect()
    }

    pub(super) fn distance(&self, person: usize, other: usize) -> i64 {
        self.distances(person).get(&other).map_or(-1, |far| *far as i64)
    }
}
