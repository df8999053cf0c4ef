//! The cases of LDBC's ACID test (Waudby et al., "Towards testing ACID compliance in the LDBC Social Network
//! Benchmark", TPCTC 2020), in Cypher, at both isolation levels.
//!
//! The paper runs many clients at once and hopes that they meet. Here a few transactions of known steps run in
//! every order that their steps have: which orders show an anomaly, and which abort, is always the same. No
//! database enters here: a test brings one.

/// A case: transactions over a graph, and what they must not show.
pub struct Case {
    /// Its letters in the paper, and what they stand for.
    pub name: &'static str,
    /// Makes the graph.
    pub graph: &'static str,
    /// Each a list of statements; the last word is `COMMIT` or `ROLLBACK`.
    pub transactions: &'static [&'static [&'static str]],
    /// A number of the graph in the end.
    after: &'static str,
    /// Whether an order showed what must not be.
    is_anomaly: fn(&Seen) -> bool,
}

/// What one order of steps showed.
#[derive(Debug)]
struct Seen {
    /// The numbers that the statements of each transaction read.
    read: Vec<Vec<i64>>,
    committed: Vec<bool>,
    after: i64,
}

/// What all orders showed.
#[derive(Debug, PartialEq, Eq)]
pub struct Counted {
    /// Orders of the steps.
    pub orders: usize,
    /// Orders with an anomaly.
    pub anomalies: usize,
    /// Transactions that were refused for a conflict, in all orders together.
    pub aborted: usize,
}

/// Clients of a database, each with one transaction at a time.
pub trait Clients {
    /// Runs a statement by itself; the numbers that it gives.
    fn run_alone(&mut self, text: &str) -> Vec<i64>;
    /// Begins the transaction of a client.
    fn begin(&mut self, client: usize);
    /// Runs a statement in it; `None`: it was refused for a conflict, and is gone.
    fn run(&mut self, client: usize, text: &str) -> Option<Vec<i64>>;
    /// Commits it; false: it was refused for a conflict.
    fn commit(&mut self, client: usize) -> bool;
    /// Rolls it back.
    fn roll_back(&mut self, client: usize);
}

const PEOPLE: &str = "CREATE (:Person {id: 1, name: 'Alice', emails: ['alice@aol.com']}), \
     (:Person {id: 2, name: 'Bob', emails: ['bob@hotmail.com', 'bobby@yahoo.com']})";
/// People, names, emails: a digit each.
const PEOPLE_COUNTED: &str = "MATCH (p:Person) \
     RETURN count(p) * 100 + count(p.name) * 10 + sum(size(p.emails))";
const VERSION: &str = "MATCH (p:Person {id: 1}) RETURN p.version";
const LIKES: &str = "MATCH (:Post {id: 1})<-[:LIKES]-(p:Person) RETURN count(p)";
const CYCLE: &str = "CREATE (p:Person {id: 1, version: 0})-[:KNOWS]->(:Person {id: 2, version: 0})\
     -[:KNOWS]->(:Person {id: 3, version: 0})-[:KNOWS]->(:Person {id: 4, version: 0})-[:KNOWS]->(p)";
const RAISE_CYCLE: &str = "MATCH (a:Person {id: 1})-[:KNOWS]->(b)-[:KNOWS]->(c)-[:KNOWS]->(d)-[:KNOWS]->(a) \
     SET a.version = a.version + 1 SET b.version = b.version + 1 \
     SET c.version = c.version + 1 SET d.version = d.version + 1";
/// The versions along the cycle, a digit each.
const READ_CYCLE: &str = "MATCH (a:Person {id: 1})-[:KNOWS]->(b)-[:KNOWS]->(c)-[:KNOWS]->(d)-[:KNOWS]->(a) \
     RETURN a.version * 1000 + b.version * 100 + c.version * 10 + d.version";
const BOTH_VALUES: &str = "MATCH (a:Person {id: 1}), (b:Person {id: 2}) RETURN a.value + b.value";

/// The cases.
pub const CASES: &[Case] = &[
    Case {
        name: "C, a commit is whole",
        graph: PEOPLE,
        transactions: &[
            &[
                "MATCH (a:Person {id: 1}) CREATE (b:Person) CREATE (a)-[k:KNOWS]->(b) \
                 SET a.emails = a.emails + ['new'], b.id = 3, k.since = 2020",
                "COMMIT",
            ],
            &[PEOPLE_COUNTED, "COMMIT"],
        ],
        after: PEOPLE_COUNTED,
        is_anomaly: |seen| !matches!(seen.read[1][..], [223 | 324]) || seen.after != 324,
    },
    Case {
        name: "RB, a rollback is whole",
        graph: PEOPLE,
        transactions: &[
            &[
                "MATCH (a:Person {id: 1}) SET a.emails = a.emails + ['new'] RETURN 0",
                "MATCH (b:Person {id: 2}) CREATE (:Person {id: 3, emails: []}) RETURN b.id",
                "ROLLBACK",
            ],
            &[PEOPLE_COUNTED, PEOPLE_COUNTED, "COMMIT"],
        ],
        after: PEOPLE_COUNTED,
        is_anomaly: |seen| seen.read[1] != [223, 223] || seen.after != 223,
    },
    Case {
        name: "G0, dirty writes",
        graph: "CREATE (:Person {id: 1, versions: [0]})-[:KNOWS {versions: [0]}]->\
                (:Person {id: 2, versions: [0]})",
        transactions: &[
            &[
                "MATCH (a:Person {id: 1}) SET a.versions = a.versions + [1]",
                "MATCH (:Person {id: 1})-[k]->(b) \
                 SET k.versions = k.versions + [1], b.versions = b.versions + [1]",
                "COMMIT",
            ],
            &[
                "MATCH ()-[k]->(b:Person {id: 2}) \
                 SET k.versions = k.versions + [2], b.versions = b.versions + [2]",
                "MATCH (a:Person {id: 1}) SET a.versions = a.versions + [2]",
                "COMMIT",
            ],
        ],
        after: "MATCH (a)-[k]->(b) RETURN CASE \
                WHEN a.versions = k.versions AND k.versions = b.versions THEN size(k.versions) - 1 \
                ELSE -1 END",
        is_anomaly: |seen| seen.after != commits(seen),
    },
    Case {
        name: "G1a, aborted reads",
        graph: "CREATE (:Person {id: 1, version: 1})",
        transactions: &[
            &[VERSION, "MATCH (p:Person {id: 1}) SET p.version = 2", "ROLLBACK"],
            &[VERSION, VERSION, "COMMIT"],
        ],
        after: VERSION,
        is_anomaly: |seen| seen.read[1] != [1, 1] || seen.after != 1,
    },
    Case {
        name: "G1b, intermediate reads",
        graph: "CREATE (:Person {id: 1, version: 99})",
        transactions: &[
            &[
                "MATCH (p:Person {id: 1}) SET p.version = 0",
                "MATCH (p:Person {id: 1}) SET p.version = 1",
                "COMMIT",
            ],
            &[VERSION, "COMMIT"],
        ],
        after: VERSION,
        is_anomaly: |seen| !matches!(seen.read[1][..], [1 | 99]) || seen.after != 1,
    },
    Case {
        name: "G1c, circular information flow",
        graph: "CREATE (:Person {id: 1, version: 0}), (:Person {id: 2, version: 0})",
        transactions: &[
            &[
                "MATCH (p:Person {id: 1}) SET p.version = 1",
                "MATCH (p:Person {id: 2}) RETURN p.version",
                "COMMIT",
            ],
            &[
                "MATCH (p:Person {id: 2}) SET p.version = 2",
                "MATCH (p:Person {id: 1}) RETURN p.version",
                "COMMIT",
            ],
        ],
        after: "RETURN 0",
        is_anomaly: |seen| seen.read == [[2], [1]],
    },
    Case {
        name: "IMP, item-many-preceders",
        graph: "CREATE (:Person {id: 1, version: 1})",
        transactions: &[
            &["MATCH (p:Person {id: 1}) SET p.version = p.version + 1", "COMMIT"],
            &[VERSION, VERSION, VERSION, "COMMIT"],
        ],
        after: VERSION,
        is_anomaly: |seen| {
            seen.read[1].iter().any(|own| *own != seen.read[1][0]) || seen.after != 2
        },
    },
    Case {
        name: "PMP, predicate-many-preceders",
        graph: "CREATE (:Person {id: 1}), (:Post {id: 1})",
        transactions: &[
            &["MATCH (a:Person {id: 1}), (b:Post {id: 1}) CREATE (a)-[:LIKES]->(b)", "COMMIT"],
            &[LIKES, LIKES, LIKES, "COMMIT"],
        ],
        after: LIKES,
        is_anomaly: |seen| {
            seen.read[1].iter().any(|own| *own != seen.read[1][0]) || seen.after != 1
        },
    },
    Case {
        name: "OTV, observed transaction vanishes",
        graph: CYCLE,
        transactions: &[
            &[RAISE_CYCLE, "COMMIT"],
            &[RAISE_CYCLE, "COMMIT"],
            &[READ_CYCLE, READ_CYCLE, "COMMIT"],
        ],
        after: READ_CYCLE,
        is_anomaly: |seen| {
            let digits = |all: &i64| [all / 1000, all / 100 % 10, all / 10 % 10, all % 10];
            let reads: Vec<_> = seen.read[2].iter().map(digits).collect();
            reads.windows(2).any(|pair| pair[1].iter().min() < pair[0].iter().max())
                || seen.after != 1111 * commits_of(seen, 2)
        },
    },
    Case {
        name: "FR, fractured reads",
        graph: CYCLE,
        transactions: &[
            &[
                "MATCH (p:Person) WHERE p.id < 3 SET p.version = p.version + 1",
                "MATCH (p:Person) WHERE p.id > 2 SET p.version = p.version + 1",
                "COMMIT",
            ],
            &[READ_CYCLE, READ_CYCLE, "COMMIT"],
        ],
        after: READ_CYCLE,
        is_anomaly: |seen| !matches!(seen.read[1][..], [0, 0] | [1111, 1111]) || seen.after != 1111,
    },
    Case {
        name: "LU, lost updates",
        graph: "CREATE (:Person {id: 1, friends: 0})",
        transactions: &[
            &[
                "MATCH (p:Person {id: 1}) CREATE (p)-[:KNOWS]->(:Person) SET p.friends = p.friends + 1",
                "COMMIT",
            ],
            &[
                "MATCH (p:Person {id: 1}) CREATE (p)-[:KNOWS]->(:Person)",
                "MATCH (p:Person {id: 1}) SET p.friends = p.friends + 1",
                "COMMIT",
            ],
        ],
        after: "MATCH (p:Person {id: 1}) WITH p, COUNT { (p)-[:KNOWS]->() } AS edges \
                RETURN CASE WHEN edges = p.friends THEN edges ELSE -1 END",
        is_anomaly: |seen| seen.after != commits(seen),
    },
    Case {
        name: "WS, write skew",
        graph: "CREATE (:Person {id: 1, value: 70}), (:Person {id: 2, value: 80})",
        transactions: &[
            &[
                BOTH_VALUES,
                "MATCH (a:Person {id: 1}), (b:Person {id: 2}) WHERE a.value + b.value >= 100 \
                 SET a.value = a.value - 100",
                "COMMIT",
            ],
            &[
                BOTH_VALUES,
                "MATCH (a:Person {id: 1}), (b:Person {id: 2}) WHERE a.value + b.value >= 100 \
                 SET b.value = b.value - 100",
                "COMMIT",
            ],
        ],
        after: BOTH_VALUES,
        is_anomaly: |seen| seen.after <= 0,
    },
];

/// Orders, anomalies and aborted transactions of each case, in the order of [`CASES`]: under snapshot isolation,
/// and where transactions are serializable.
pub const EXPECTED: [(Counted, Counted); 12] = [
    (counted(6, 0, 0), counted(6, 0, 0)),
    (counted(20, 0, 0), counted(20, 0, 0)),
    (counted(20, 0, 18), counted(20, 0, 18)),
    (counted(20, 0, 0), counted(20, 0, 0)),
    (counted(10, 0, 0), counted(10, 0, 0)),
    (counted(20, 0, 0), counted(20, 0, 18)),
    (counted(15, 0, 0), counted(15, 0, 0)),
    (counted(15, 0, 0), counted(15, 0, 0)),
    (counted(210, 0, 140), counted(210, 0, 140)),
    (counted(20, 0, 0), counted(20, 0, 0)),
    (counted(10, 0, 8), counted(10, 0, 8)),
    (counted(20, 18, 0), counted(20, 0, 18)),
];

const fn counted(orders: usize, anomalies: usize, aborted: usize) -> Counted {
    Counted { orders, anomalies, aborted }
}

impl Case {
    /// Runs all orders of its steps.
    pub fn run_all_orders(&self, clients: &mut dyn Clients) -> Counted {
        let mut counted = counted(0, 0, 0);
        let lengths: Vec<usize> = self.transactions.iter().map(|steps| steps.len()).collect();
        for order in orders(&lengths) {
            let seen = self.run_in_order(&order, clients);
            counted.orders += 1;
            counted.anomalies += usize::from((self.is_anomaly)(&seen));
            let ends = self.transactions.iter().zip(&seen.committed);
            let aborted = ends.filter(|(steps, done)| steps.last() == Some(&"COMMIT") && !**done);
            counted.aborted += aborted.count();
        }
        counted
    }

    fn run_in_order(&self, order: &[usize], clients: &mut dyn Clients) -> Seen {
        clients.run_alone("MATCH (n) DETACH DELETE n");
        clients.run_alone(self.graph);
        let count = self.transactions.len();
        let (mut read, mut committed) = (vec![Vec::new(); count], vec![false; count]);
        let (mut done, mut is_gone) = (vec![0; count], vec![false; count]);
        for &own in order {
            if is_gone[own] {
                continue;
            }
            if done[own] == 0 {
                clients.begin(own);
            }
            let step = self.transactions[own][done[own]];
            done[own] += 1;
            match step {
                "COMMIT" => committed[own] = clients.commit(own),
                "ROLLBACK" => clients.roll_back(own),
                text => match clients.run(own, text) {
                    Some(numbers) => read[own].extend(numbers),
                    None => is_gone[own] = true,
                },
            }
        }
        let after = clients.run_alone(self.after)[0];
        Seen { read, committed, after }
    }
}

/// All orders of the steps of several transactions, each by the transaction of every step.
fn orders(lengths: &[usize]) -> Vec<Vec<usize>> {
    if lengths.iter().all(|length| *length == 0) {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for first in (0..lengths.len()).filter(|own| 0 < lengths[*own]) {
        let mut left = lengths.to_vec();
        left[first] -= 1;
        all.extend(orders(&left).into_iter().map(|rest| [vec![first], rest].concat()));
    }
    all
}

/// How many transactions were committed.
fn commits(seen: &Seen) -> i64 {
    commits_of(seen, seen.committed.len())
}

/// How many of the first so many.
fn commits_of(seen: &Seen, count: usize) -> i64 {
    seen.committed[..count].iter().filter(|own| **own).count() as i64
}

/// All cases, at both levels by what `at` makes of a level's name, against [`EXPECTED`].
pub fn check(mut at: impl FnMut(&str) -> Box<dyn Clients>) {
    let mut run = |isolation: &str| -> Vec<Counted> {
        let mut clients = at(isolation);
        CASES.iter().map(|case| case.run_all_orders(&mut *clients)).collect()
    };
    let found: Vec<_> = run("snapshot").into_iter().zip(run("serializable")).collect();
    let lines = |table: &[(Counted, Counted)]| {
        let line = |(case, (snapshot, serializable)): (&Case, &(Counted, Counted))| {
            format!("{}: {snapshot:?}, serializable {serializable:?}", case.name)
        };
        CASES.iter().zip(table).map(line).collect::<Vec<_>>().join("\n")
    };
    assert_eq!(found, EXPECTED, "expected\n{}\nfound\n{}", lines(&EXPECTED), lines(&found));
}
