//! Random scripts that add relationships one by one: whether none, a few or many
//! are pending, or a plan creates each, they answer the same, ids and errors included.

use millrace_db::ragedb::{Access, Script};
use millrace_db::{Database, Graph, RequestLimits, Settings};
use millrace_testkit::{Rng, run_seeds};

/// The limits of pending edges: created by plans, one by one, and together.
const PENDING_MAX: [usize; 5] = [0, 1, 2, 5, 4_096];

/// Scripts sent to each graph, one after the other.
const SCRIPTS: usize = 3;

/// The beginning of each script: each step is tried, and its result or its error is kept.
/// Ids that were given are used again.
const BEGINNING: &str = "
local out, edges, nodes = {}, {1, 2, 3}, {1, 2, 3, 99}
local function keep(kept, id) if type(id) == 'number' and id ~= 0 then kept[#kept + 1] = id end end
local function edge(n) return edges[n % #edges + 1] end
local function node(n) return nodes[n % #nodes + 1] end
local function try(step)
  local good, found = pcall(step)
  if not good then found = tostring(found):match('[^\\n]*') end
  out[#out + 1] = {good, json.encode(found)}
  return good and found
end
local function links(kind, key)
  local all = {}
  for i, link in ipairs(NodeGetLinks(kind, key)) do
    all[i] = link:getNodeId() .. ':' .. link:getRelationshipId()
  end
  return all
end
";

/// The end of each script: all elements, in the order they come.
const END: &str = "
local function all()
  local found = {}
  for i, id in ipairs(AllNodeIds(0, 1000)) do
    found[i] = {id, NodeGetKey(id), NodeGetRelationships(id)}
  end
  return found
end
json.encode(out), json.encode(all()), AllRelationshipsCounts()";

fn kind(rng: &mut Rng) -> &'static str {
    rng.pick::<&'static str>(&["A", "A", "A", "B", "NEW"])
}

fn key(rng: &mut Rng) -> String {
    format!("k{}", rng.below(6))
}

fn end(rng: &mut Rng) -> String {
    match rng.below(8) {
        0 => format!("node({})", rng.below(40)),
        1 => rng.below(12).to_string(),
        _ => format!("'{}', '{}'", kind(rng), key(rng)),
    }
}

fn properties(rng: &mut Rng) -> &'static str {
    rng.pick::<&'static str>(&[
        "",
        "",
        ", '{\"w\": 1.5}'",
        ", '{\"w\": 2.25}'",
        ", '{\"w\": 3}'",
        ", '{\"w\": null}'",
        ", '{\"w\": \"heavy\"}'",
        ", '{\"w\": 1.5, \"since\": 2020}'",
        ", '{\"since\": 2020, \"w\": 1.5, \"w\": 2.5}'",
        ", '{\"since\": [1, \"x\"]}'",
        ", '{\"w\": '",
        ", '{\"w\": 0.5, \"text\": \"' .. ('x'):rep(5000) .. '\"}'",
        ", 7",
    ])
}

fn edge_type(rng: &mut Rng) -> &'static str {
    rng.pick::<&'static str>(&["R", "R", "R", "R", "S", "S", "FRESH"])
}

fn adding(rng: &mut Rng) -> String {
    let (kind, from, to) = (edge_type(rng), end(rng), end(rng));
    let properties = properties(rng);
    format!(
        "keep(edges, try(function() return RelationshipAdd('{kind}', {from}, {to}{properties}) end))"
    )
}

/// Many in a loop, as scripts that load do.
fn adding_many(rng: &mut Rng) -> String {
    let (kind, from, to) = (edge_type(rng), end(rng), end(rng));
    let (times, properties) = (rng.range(1..12), properties(rng));
    format!(
        "for i = 1, {times} do\n\
           keep(edges, try(function() return RelationshipAdd('{kind}', {from}, {to}{properties}) end))\n\
         end"
    )
}

fn other_step(rng: &mut Rng) -> String {
    let (kind, key, n) = (kind(rng), key(rng), rng.below(40));
    let type_name = edge_type(rng);
    match rng.below(22) {
        0 | 1 => {
            format!("keep(nodes, try(function() return NodeAdd('{kind}', '{key}') end))")
        }
        2 => format!("NodeAdd('{kind}', {{'{key}', 'k7', 'k2'}})"),
        3 => format!("NodeRemove('{kind}', '{key}')"),
        4 => format!("NodeRemove(node({n}))"),
        5 => format!("RelationshipRemove(edge({n}))"),
        6 => format!("RelationshipSetProperty(edge({n}), 'w', {n} + 0.5)"),
        7 => format!("RelationshipGet(edge({n}))"),
        8 => format!("NodeSetProperty('{kind}', '{key}', 'age', {n})"),
        9 => format!("AllRelationshipsCount('{type_name}')"),
        10 => format!("links('{kind}', '{key}')"),
        11 => format!("NodeGetDegree('{kind}', '{key}', Direction.OUT, '{type_name}')"),
        12 => format!("RelationshipTypeInsert('{type_name}')"),
        13 => {
            let of = rng.pick::<&'static str>(&["double", "integer", "string"]);
            format!("RelationshipPropertyTypeAdd('{type_name}', 'w', '{of}')")
        }
        14 => format!("RelationshipPropertyTypeDelete('{type_name}', 'w')"),
        15 => format!("NodeTypeInsert('{kind}')"),
        16 => "error('given up')".to_owned(),
        17 => format!("RelationshipsGet(edges)[{n} % 5]"),
        18 => format!("Traversal.nodes('A'):out('R'):count() + {n}"),
        19 => format!("FindRelationshipCount('{type_name}', 'w', Operation.GT, 1.0)"),
        20 => format!("RelationshipResetPropertiesFromJson(edge({n}), '{{\"since\": {n}}}')"),
        _ => format!("NodeGetNeighborIds('{kind}', '{key}')"),
    }
}

fn step(rng: &mut Rng) -> String {
    match rng.below(10) {
        0..=3 => adding(rng),
        4 | 5 => adding_many(rng),
        _ => match other_step(rng) {
            step if step.contains("try(") => step,
            step => format!("try(function() return {step} end)"),
        },
    }
}

fn random_script(rng: &mut Rng) -> String {
    let mut lines = vec![BEGINNING.to_owned()];
    lines.extend((0..rng.range(5..60)).map(|_| step(rng)));
    if rng.chance(0.1) {
        lines.push("error('all of it')".to_owned());
    }
    lines.push(END.trim_start().to_owned());
    lines.join("\n")
}

fn beginning(rng: &mut Rng) -> String {
    let declared =
        if rng.chance(0.7) { "RelationshipPropertyTypeAdd('R', 'w', 'double')" } else { "" };
    format!(
        "NodeTypeInsert('A')\nNodeTypeInsert('B')\nRelationshipTypeInsert('R')\n{declared}\n\
         NodeAdd('A', {{'k0', 'k1', 'k2', 'k3', 'k4'}})\nNodeAdd('B', {{'k1', 'k2'}})\n1"
    )
}

/// The result of a script, or its error.
fn answer(graph: &Graph, text: &str, pending_max: usize) -> String {
    let limits = RequestLimits::within(30_000, &Settings::default());
    let limits = RequestLimits { pending_edges_max: pending_max, ..limits };
    let script =
        Script { text: text.into(), access: Access::Admin, parameters: Vec::new(), limits };
    graph.run_script(script).unwrap_or_else(|failure| format!("{failure:?}"))
}

fn compare(database: &Database, seed: u64, rng: &mut Rng) {
    let mut texts = vec![beginning(rng)];
    texts.extend((0..SCRIPTS).map(|_| random_script(rng)));
    let mut expected: Option<Vec<String>> = None;
    for pending_max in PENDING_MAX {
        let graph = database.create_graph(&format!("g{seed}w{pending_max}")).expect("a new graph");
        let answers: Vec<String> =
            texts.iter().map(|text| answer(&graph, text, pending_max)).collect();
        let Some(expected) = &expected else {
            expected = Some(answers);
            continue;
        };
        for ((found, expected), text) in answers.iter().zip(expected).zip(&texts) {
            assert_eq!(found, expected, "with {pending_max} pending, and not by plans:\n{text}");
        }
    }
}

#[test]
fn scripts_that_add_one_by_one_answer_the_same_whatever_is_pending() {
    let database = Database::in_memory(Settings::default()).unwrap();
    run_seeds(40, |seed, rng| compare(&database, seed, rng));
}

#[test]
fn so_they_do_on_disk() {
    let folder = tempfile::tempdir().unwrap();
    let database = Database::open(folder.path(), Settings::default()).unwrap();
    run_seeds(4, |seed, rng| compare(&database, seed, rng));
    database.close();
}
