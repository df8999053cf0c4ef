//! The generated social network: whole, the same each time, and with counts of its nine patterns near those of LSQB.

use millrace_ingest::generate::Social;
use millrace_ingest::load::{LoadOptions, load, quiet};
use millrace_ingest::reading::{Reading, input_of_files};
use millrace_store::{Backend, memory::MemoryBackend};
use std::collections::{BTreeMap, HashSet};

type Pairs = Vec<(usize, usize)>;

/// The tables, parsed again.
#[derive(Default)]
struct Network {
    nodes: BTreeMap<String, usize>,
    edges: BTreeMap<String, Pairs>,
    first_comment: usize,
}

fn text(social: Social) -> String {
    let mut text = Vec::new();
    social.write(&mut text).unwrap();
    String::from_utf8(text).unwrap()
}

fn network(scale: f64) -> Network {
    let mut network = Network::default();
    let mut name = String::new();
    for line in text(Social { scale, seed: 1 }).lines() {
        let parts: Vec<&str> = line.split(',').collect();
        match parts.as_slice() {
            [table] => name = (*table).to_owned(),
            [header, ..] if header.contains(':') => {}
            [id, _] => {
                let first = *network.nodes.entry(name.clone()).or_default() == 0;
                *network.nodes.get_mut(&name).unwrap() += 1;
                if first && name == "Comment" {
                    network.first_comment = id.parse().unwrap();
                }
            }
            [from, to, _] => {
                let pair = (from.parse().unwrap(), to.parse().unwrap());
                network.edges.entry(name.clone()).or_default().push(pair);
            }
            _ => panic!("{line}"),
        }
    }
    network
}

impl Network {
    fn of(&self, names: &[&str]) -> impl Iterator<Item = (usize, usize)> {
        names.iter().flat_map(|name| self.edges[*name].clone())
    }

    fn messages(&self) -> usize {
        self.nodes["Post"] + self.nodes["Comment"]
    }

    /// The targets of each source.
    fn out(&self, sources: usize, names: &[&str]) -> Vec<Vec<usize>> {
        let mut lists = vec![Vec::new(); sources];
        self.of(names).for_each(|(from, to)| lists[from].push(to));
        lists
    }

    /// The number of sources of each target.
    fn degrees_in(&self, targets: usize, names: &[&str]) -> Vec<usize> {
        let mut degrees = vec![0; targets];
        self.of(names).for_each(|(_, to)| degrees[to] += 1);
        degrees
    }
}

const REPLIES: [&str; 2] = ["Comment_replyOf_Post", "Comment_replyOf_Comment"];
const TAGS: [&str; 2] = ["Post_hasTag_Tag", "Comment_hasTag_Tag"];
const CREATORS: [&str; 2] = ["Post_hasCreator_Person", "Comment_hasCreator_Person"];

#[test]
fn a_seed_makes_the_same_network_and_another_seed_another() {
    let social = Social { scale: 0.003, seed: 1 };
    assert_eq!(text(social), text(social));
    assert_ne!(text(social), text(Social { seed: 2, ..social }));
}

#[test]
fn every_end_of_an_edge_is_there() {
    let network = network(0.003);
    let count = |label: &str| match label {
        "Post" => 0..network.nodes["Post"],
        "Comment" => network.first_comment..network.messages(),
        label => 0..network.nodes[label],
    };
    for (name, pairs) in &network.edges {
        let [source, _, target] = name.split('_').collect::<Vec<_>>()[..] else { panic!("{name}") };
        let [source, target] = [source, target].map(count);
        assert!(!pairs.is_empty(), "{name}");
        for (from, to) in pairs {
            assert!(source.contains(from) && target.contains(to), "{name}: {from}, {to}");
        }
        let different: HashSet<_> = pairs.iter().collect();
        assert_eq!(different.len(), pairs.len(), "{name}: each pair once");
    }
    assert!(network.edges["Person_knows_Person"].iter().all(|(one, other)| one < other));
}

#[test]
fn counts_by_label_and_type_are_those_of_the_schema() {
    let network = network(0.003);
    let nodes = |name: &str| network.nodes[name];
    let edges = |name: &str| network.edges[name].len();
    let fixed = [
        ("Continent", 6),
        ("Country", 111),
        ("City", 1_343),
        ("Company", 1_575),
        ("University", 6_380),
        ("TagClass", 71),
        ("Tag", 16_080),
        ("Person", 99),
    ];
    assert_eq!(fixed.map(|(name, _)| nodes(name)), fixed.map(|(_, count)| count));
    // One for each: a home, a moderator, a forum, an author, a country, a message that is answered.
    assert_eq!(edges("Person_isLocatedIn_City"), nodes("Person"));
    assert_eq!(edges("Forum_hasModerator_Person"), nodes("Forum"));
    assert_eq!(edges("Forum_containerOf_Post"), nodes("Post"));
    for label in ["Post", "Comment"] {
        assert_eq!(edges(&format!("{label}_hasCreator_Person")), nodes(label));
        assert_eq!(edges(&format!("{label}_isLocatedIn_Country")), nodes(label));
    }
    assert_eq!(network.of(&REPLIES).count(), nodes("Comment"));
    assert_eq!(edges("Tag_hasType_TagClass"), nodes("Tag"));
    assert_eq!(edges("TagClass_isSubclassOf_TagClass"), nodes("TagClass") - 1);
}

#[test]
fn the_files_load_without_a_bad_row() {
    let folder = tempfile::tempdir().unwrap();
    let files = Social { scale: 0.001, seed: 1 }.write_files(folder.path()).unwrap();
    let network = network(0.001);
    let store = MemoryBackend::default().create_graph("g").unwrap();
    let paths: Vec<_> = files.iter().map(|path| path.as_path()).collect();
    let input = input_of_files(&paths, &Reading::default()).unwrap();
    let summary = load(&*store, input, LoadOptions::default(), &mut quiet).unwrap();
    assert_eq!(summary.bad_rows, 0);
    assert_eq!(summary.vertices as usize, network.nodes.values().sum::<usize>());
    assert_eq!(summary.edges as usize, network.edges.values().map(Vec::len).sum::<usize>());
    let snapshot = store.snapshot().unwrap();
    let messages = snapshot.catalog().label("Message");
    assert_eq!(snapshot.count_vertices(messages).unwrap() as usize, network.messages());
}

#[test]
fn the_counts_of_the_subgraph_benchmark_are_near_its_own() {
    // Those of its data at scale 0.1.
    let expected =
        [8_773_828, 82_990, 30_456, 784_511, 1_079_722, 55_607_896, 1_628_132, 537_142, 51_009_398];
    let network = network(0.1);
    let mut counts = [0; 9];
    count_messages(&network, &mut counts);
    count_people(&network, &mut counts);
    for (at, (count, expected)) in counts.into_iter().zip(expected).enumerate() {
        let ratio = count as f64 / f64::from(expected);
        assert!((0.66..1.5).contains(&ratio), "q{}: {count}, not {expected}", at + 1);
    }
}

/// q1, q2, q4, q5, q7, q8.
fn count_messages(network: &Network, counts: &mut [usize; 9]) {
    let messages = network.messages();
    let tags = network.out(messages, &TAGS);
    let creators = network.out(messages, &CREATORS);
    let likes = network.degrees_in(messages, &["Person_likes_Post", "Person_likes_Comment"]);
    let replies = network.degrees_in(messages, &REPLIES);
    let members = network.out(network.nodes["Forum"], &["Forum_hasMember_Person"]);
    let containers: BTreeMap<usize, usize> =
        network.of(&["Forum_containerOf_Post"]).map(|(forum, post)| (post, forum)).collect();
    let friends: HashSet<(usize, usize)> = network.of(&["Person_knows_Person"]).collect();
    for (comment, post) in network.of(&["Comment_replyOf_Post"]) {
        counts[0] += members[containers[&post]].len() * tags[comment].len();
        let [one, other] = [comment, post].map(|message| creators[message][0]);
        counts[1] += usize::from(friends.contains(&(one.min(other), one.max(other))));
    }
    for message in 0..messages {
        let (tags, likes, replies) = (tags[message].len(), likes[message], replies[message]);
        counts[3] += tags * likes * replies;
        counts[6] += tags * likes.max(1) * replies.max(1);
    }
    for (comment, answered) in network.of(&REPLIES) {
        let [own, other] = [&tags[comment], &tags[answered]];
        let common = other.iter().filter(|tag| own.contains(tag)).count();
        counts[4] += own.len() * other.len() - common;
        counts[7] += own.len() * (other.len() - common);
    }
}

/// q3, q6, q9.
fn count_people(network: &Network, counts: &mut [usize; 9]) {
    let people = network.nodes["Person"];
    let country: Vec<usize> = network.of(&["City_isPartOf_Country"]).map(|(_, to)| to).collect();
    let home: Vec<usize> =
        network.of(&["Person_isLocatedIn_City"]).map(|(_, city)| country[city]).collect();
    let interests = network.out(people, &["Person_hasInterest_Tag"]);
    let mut friends = vec![Vec::new(); people];
    for (one, other) in network.of(&["Person_knows_Person"]) {
        friends[one].push(other);
        friends[other].push(one);
    }
    let mut is_friend = vec![false; people];
    for (one, known) in friends.iter().enumerate() {
        known.iter().for_each(|other| is_friend[*other] = true);
        for other in known {
            for third in friends[*other].iter().filter(|third| **third != one) {
                let here = home[one] == home[*other] && home[one] == home[*third];
                counts[2] += usize::from(is_friend[*third] && here);
                counts[5] += interests[*third].len();
                counts[8] += if is_friend[*third] { 0 } else { interests[*third].len() };
            }
        }
        known.iter().for_each(|other| is_friend[*other] = false);
    }
}
