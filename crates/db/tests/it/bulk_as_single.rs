//! Random scripts: a bulk function returns the results of its single counterpart, called for one element
//! after the other.

use millrace_db::{Database, Graph, Settings};
use millrace_testkit::{Rng, run_seeds};

use crate::ask;

/// Scripts for each random graph.
const SCRIPTS: usize = 24;

/// Nodes of a random graph; ids beyond name no node.
pub(crate) const NODES: u64 = 12;

/// A bulk function, and the equivalent call for one id `id` with the other arguments unchanged.
struct Pair {
    bulk: &'static str,
    /// The entry of one id, as Lua.
    single: &'static str,
    takes: Takes,
    gives: Gives,
}

#[derive(Clone, Copy, PartialEq)]
enum Takes {
    /// Node ids and a way.
    NodesAndWay,
    /// Links and a way.
    LinksAndWay,
    /// Node ids.
    Nodes,
    /// Relationship ids.
    Relationships,
    /// Links.
    Links,
}

#[derive(Clone, Copy, PartialEq)]
enum Gives {
    /// A list for each, by its key.
    Map,
    /// An entry for each, by the id of its node or relationship; none for an unknown id.
    ById,
}

const fn pair(bulk: &'static str, single: &'static str, takes: Takes, gives: Gives) -> Pair {
    Pair { bulk, single, takes, gives }
}

use Gives::{ById, Map};
use Takes::{Links, LinksAndWay, Nodes, NodesAndWay, Relationships};

const PAIRS: &[Pair] = &[
    pair("NodeIdsGetNeighborIds", "NodeGetNeighborIds(node WAY)", NodesAndWay, Map),
    pair("NodeIdsGetNeighbors", "NodeGetNeighbors(node WAY)", NodesAndWay, Map),
    pair("LinksGetLinks", "NodeGetLinks(node WAY)", LinksAndWay, Map),
    pair("LinksGetNeighborIds", "NodeGetNeighborIds(node WAY)", LinksAndWay, Map),
    pair("LinksGetNeighbors", "NodeGetNeighbors(node WAY)", LinksAndWay, Map),
    pair("LinksGetRelationships", "NodeGetRelationships(node WAY)", LinksAndWay, Map),
    pair("NodesGet(from)", "NodeGet(node)", Nodes, ById),
    pair("NodeIdsGetKey(from)", "text(NodeGetKey(node))", Nodes, ById),
    pair("NodeIdsGetType(from)", "text(NodeGetType(node))", Nodes, ById),
    pair("NodeIdsGetProperty(from, 'p')", "NodeGetProperty(node, 'p')", Nodes, ById),
    pair("NodeIdsGetPropertyRaw(from, 'p')", "NodeGetProperty(node, 'p')", Nodes, ById),
    pair("NodeIdsGetProperties(from)", "there(node) and NodeGetProperties(node)", Nodes, ById),
    pair("RelationshipsGet(from)", "RelationshipGet(edge)", Relationships, ById),
    pair("RelationshipsGetType(from)", "text(RelationshipGetType(edge))", Relationships, ById),
    pair(
        "RelationshipsGetProperty(from, 'w')",
        "RelationshipGetProperty(edge, 'w')",
        Relationships,
        ById,
    ),
    pair(
        "RelationshipsGetProperties(from)",
        "RelationshipGetType(edge) ~= '' and RelationshipGetProperties(edge)",
        Relationships,
        ById,
    ),
    pair("LinksGetNode(from)", "NodeGet(node)", Links, ById),
    pair("LinksGetNodeKey(from)", "NodeGetKey(node)", Links, ById),
    pair("LinksGetNodeType(from)", "NodeGetType(node)", Links, ById),
    pair("LinksGetNodeProperty(from, 'p')", "NodeGetProperty(node, 'p')", Links, ById),
    pair("LinksGetNodeProperties(from)", "NodeGetProperties(node)", Links, ById),
    pair("LinksGetRelationship(from)", "RelationshipGet(edge)", Links, ById),
    pair("LinksGetRelationshipType(from)", "RelationshipGetType(edge)", Links, ById),
    pair(
        "LinksGetRelationshipProperty(from, 'w')",
        "RelationshipGetProperty(edge, 'w')",
        Links,
        ById,
    ),
    pair("LinksGetRelationshipProperties(from)", "RelationshipGetProperties(edge)", Links, ById),
];

/// A graph with loops, parallel relationships, two types of each and properties here and there.
pub(crate) fn graph_script(rng: &mut Rng) -> String {
    let mut lines = Vec::new();
    for node in 1..=NODES {
        let kind = rng.pick(&["A", "B"]);
        let properties = if rng.chance(0.6) { "{\"p\": 1}" } else { "{}" };
        lines.push(format!("NodeAdd('{kind}', 'n{node}', '{properties}')"));
    }
    for _ in 0..rng.below(40) {
        let kind = rng.pick(&["R", "S"]);
        let (from, to) = (rng.range(1..NODES + 1), rng.range(1..NODES + 1));
        let properties = if rng.chance(0.5) { "{\"w\": 2}" } else { "{}" };
        lines.push(format!("RelationshipAdd('{kind}', {from}, {to}, '{properties}')"));
    }
    if rng.chance(0.5) {
        lines.push(format!("NodeRemove({})", rng.range(1..NODES + 1)));
    }
    lines.push("1".to_owned());
    lines.join("\n")
}

fn ids(rng: &mut Rng) -> String {
    let ids: Vec<String> = (0..rng.below(8)).map(|_| rng.below(NODES + 4).to_string()).collect();
    format!("{{{}}}", ids.join(", "))
}

/// `, dir, types`, each or none of it.
pub(crate) fn way(rng: &mut Rng) -> String {
    let direction = rng.pick(&["", ", Direction.OUT", ", Direction.IN", ", Direction.BOTH"]);
    let types = rng.pick(&["", ", 'R'", ", {'R', 'S'}", ", {'S'}", ", 'NONE'"]);
    format!("{direction}{types}")
}

/// The elements of a call: as Lua, and as a list of (key, node, edge).
fn frontier(rng: &mut Rng, takes: Takes) -> String {
    match takes {
        NodesAndWay | Nodes | Relationships => {
            let ids = ids(rng);
            format!("local from = {ids}\nlocal function parts(id) return id, id end\n")
        }
        LinksAndWay | Links => {
            let start = rng.range(1..NODES + 1);
            let way = way(rng);
            format!(
                "local from = NodeGetLinks({start}{way})\n\
                 local function parts(link) return link:getNodeId(), link:getRelationshipId() end\n"
            )
        }
    }
}

/// A script that answers by the bulk function, and one that asks for each.
fn scripts(rng: &mut Rng, pair: &Pair) -> [String; 2] {
    let from = frontier(rng, pair.takes);
    let way = match pair.takes {
        NodesAndWay | LinksAndWay => way(rng),
        Nodes | Relationships | Links => String::new(),
    };
    let single = pair.single.replace(" WAY", &way);
    let bulk = pair.bulk;
    let [bulk, single] = match pair.gives {
        Map => [
            format!(
                "local map = {bulk}(from{way})\nfor i, one in ipairs(from) do all[i] = map[one] end"
            ),
            format!(
                "for i, one in ipairs(from) do local node, edge = parts(one) all[i] = {single} end"
            ),
        ],
        ById => {
            let id = if pair.single.contains("(edge") { "edge" } else { "node" };
            let each = "for i, one in ipairs(from) do local node, edge = parts(one)";
            [
                format!("local map = {bulk}\n{each} all[i] = map[{id}] end"),
                format!(
                    "local function text(found) return found ~= '' and found or nil end\n\
                     local function there(node) return NodeGetType(node) ~= '' end\n\
                     {each} all[i] = {single} or nil end"
                ),
            ]
        }
    };
    [bulk, single].map(|body| format!("{from}local all = {{}}\n{body}\nall"))
}

fn compare(graph: &Graph, rng: &mut Rng) {
    let pair = rng.pick(PAIRS);
    let [bulk, single] = scripts(rng, pair);
    let (found, expected) = (ask(graph, &bulk), ask(graph, &single));
    assert_eq!(found, expected, "\n{bulk}\n-- is not\n{single}");
}

#[test]
fn bulk_functions_answer_as_one_call_for_each_element_does() {
    let database = Database::in_memory(Settings::default()).unwrap();
    run_seeds(20, |seed, rng| {
        let graph = database.create_graph(&format!("g{seed}")).unwrap();
        ask(&graph, &graph_script(rng));
        for _ in 0..SCRIPTS {
            compare(&graph, rng);
        }
    });
}
