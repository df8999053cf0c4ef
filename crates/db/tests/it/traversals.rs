//! Random traversals: one plan returns the results of a script that reads each node, one
//! after the other.

use millrace_db::{Database, Graph, Settings};
use millrace_testkit::{Rng, run_seeds};

use crate::ask;
use crate::bulk_as_single::{NODES, graph_script};

/// Traversals for each random graph.
const TRAVERSALS: usize = 30;

/// Steps of a traversal at most.
const STEPS_MAX: u64 = 4;

/// The functions of the one-at-a-time script; lists are frontiers.
const ONE_AT_A_TIME: &str = "
local function expand(from, dir, types)
  local to = {}
  for _, id in ipairs(from) do
    for _, link in ipairs(NodeGetLinks(id, dir, types)) do to[#to + 1] = link end
  end
  return to
end
local function id_of(one) if type(one) == 'number' then return one end return one:getNodeId() end
local function ids(from)
  local all = {}
  for i, one in ipairs(from) do all[i] = id_of(one) end
  return all
end
local function keep(from, test)
  local kept = {}
  for _, one in ipairs(from) do if test(id_of(one)) then kept[#kept + 1] = one end end
  return kept
end
local function set(from)
  local all = {}
  for _, one in ipairs(from) do all[id_of(one)] = true end
  return all
end
local function of(tables, name)
  tables[name] = tables[name] or {}
  return tables[name]
end
local function distinct(from, seen)
  return ids(keep(from, function(id) local new = not seen[id] seen[id] = true return new end))
end
local function groups(keys)
  local counts, order = {}, {}
  for _, key in ipairs(keys) do
    if not counts[key] then order[#order + 1] = key end
    counts[key] = (counts[key] or 0) + 1
  end
  table.sort(order, function(a, b)
    if counts[a] ~= counts[b] then return counts[a] > counts[b] end
    return a < b
  end)
  return order, counts
end
local function pairs_of(keys, n)
  local order, counts = groups(keys)
  local list = {}
  for i = 1, math.min(n, #order) do list[i] = {order[i], counts[order[i]]} end
  return list
end
local function values(from, property)
  local all = {}
  for _, id in ipairs(from) do all[#all + 1] = NodeGetProperty(id, property) end
  table.sort(all)
  return all
end
";

/// The beginning of both scripts.
const SORTED: &str = "
local function sorted(list)
  local all = {}
  for i, one in ipairs(list) do all[i] = one end
  table.sort(all)
  return all
end
local function edges(links)
  local all = {}
  for i, link in ipairs(links) do all[i] = {link:getRelationshipId(), link:getNodeId()} end
  table.sort(all, function(a, b)
    if a[1] ~= b[1] then return a[1] < b[1] end
    return a[2] < b[2]
  end)
  return all
end
local function listed(counts)
  local all = {}
  for key, count in pairs(counts) do all[#all + 1] = {key, count} end
  return all
end
";

/// Two scripts under way: a traversal, and lists of ids.
struct Scripts {
    traversal: String,
    lists: String,
    /// How many names `t1`, `f1` and so on were given.
    names: usize,
    /// Whether the last step was an expansion, or kept some of one.
    walked: bool,
    /// Whether steps go inside a round.
    in_round: bool,
}

impl Scripts {
    /// Begins with given ids, a search, a type or everything.
    fn start(&mut self, rng: &mut Rng) -> usize {
        let name = self.name();
        let (traversal, list) = match rng.below(4) {
            0 => {
                let ids: Vec<String> =
                    (0..rng.below(5)).map(|_| rng.below(NODES + 3).to_string()).collect();
                let ids = format!("{{{}}}", ids.join(", "));
                let list = format!("keep({ids}, function(id) return NodeGet(id) ~= nil end)");
                (format!("Traversal.from({ids})"), list)
            }
            1 => {
                let kind = rng.pick(&["A", "B"]);
                let list = format!("FindNodeIds('{kind}', 'p', Operation.EQ, 1)");
                (format!("Traversal.find('{kind}', 'p', Operation.EQ, 1)"), list)
            }
            2 => {
                let kind = rng.pick(&["A", "B"]);
                (format!("Traversal.all('{kind}')"), format!("AllNodeIds('{kind}')"))
            }
            _ => {
                let (kind, node) = (rng.pick(&["A", "B"]), rng.below(NODES) + 1);
                let start = format!("'{kind}', 'n{node}'");
                let list = format!("{{NodeGetId({start})}}");
                let list = format!("keep({list}, function(id) return id ~= 0 end)");
                (format!("Traversal.from({start})"), list)
            }
        };
        self.say(name, &traversal, &list);
        name
    }

    fn name(&mut self) -> usize {
        self.names += 1;
        self.names
    }

    fn say(&mut self, name: usize, traversal: &str, list: &str) {
        self.traversal += &format!("local t{name} = {traversal}\n");
        self.lists += &format!("local f{name} = {list}\n");
    }

    /// One step from a name. Returns the name of its result.
    fn step(&mut self, rng: &mut Rng, from: usize, before: &[usize]) -> usize {
        match rng.below(8) {
            0..=2 => self.expand(rng, from),
            3 => {
                let name = self.name();
                let test = rng.pick(&["EQ", "IS_NULL", "NOT_IS_NULL", "GT"]);
                let list = format!(
                    "keep(f{from}, function(id) return FilterNodeCount({{id}}, NodeGetType(id), \
                     'p', Operation.{test}, 1) == 1 end)"
                );
                self.say(name, &format!("t{from}:where('p', Operation.{test}, 1)"), &list);
                name
            }
            4 => {
                let name = self.name();
                let list = format!("keep(f{from}, function(id) return NodeGetType(id) == 'A' end)");
                self.say(name, &format!("t{from}:ofType('A')"), &list);
                name
            }
            5 => self.among(rng, from, before),
            6 if !self.in_round => self.rounds(rng, from),
            _ => {
                let name = self.name();
                // The set of seen nodes lasts for all rounds.
                let seen =
                    if self.in_round { format!("of(seen, {name})") } else { "{}".to_owned() };
                let list = format!("distinct(f{from}, {seen})");
                self.say(name, &format!("t{from}:distinct()"), &list);
                self.walked = false;
                name
            }
        }
    }

    fn expand(&mut self, rng: &mut Rng, from: usize) -> usize {
        let name = self.name();
        let (step, direction) =
            *rng.pick(&[("out", "Direction.OUT"), ("in_", "Direction.IN"), ("both", "nil")]);
        let direction = if direction == "nil" { "Direction.BOTH" } else { direction };
        let types = rng.pick(&["", "'R'", "{'R', 'S'}", "{'S'}", "'NONE'"]);
        let list_types = if types.is_empty() { "nil" } else { types };
        let list = format!("expand(ids(f{from}), {direction}, {list_types})");
        self.say(name, &format!("t{from}:{step}({types})"), &list);
        self.walked = true;
        name
    }

    /// Kept or left out: an earlier place of the same traversal, another traversal, or ids.
    fn among(&mut self, rng: &mut Rng, from: usize, before: &[usize]) -> usize {
        let set = match rng.chance(0.5) && !self.in_round {
            true => *rng.pick(before),
            false => 0,
        };
        let (set, list_set) = match set {
            0 => ("{1, 2, 3, 99}".to_owned(), "set({1, 2, 3, 99})".to_owned()),
            set => (format!("t{set}"), format!("set(f{set})")),
        };
        let name = self.name();
        let (step, wanted) = *rng.pick(&[("except", "not "), ("only", "")]);
        self.lists += &format!("local set{name} = {list_set}\n");
        let list = format!("keep(f{from}, function(id) return {wanted}set{name}[id] end)");
        self.say(name, &format!("t{from}:{step}({set})"), &list);
        name
    }

    fn rounds(&mut self, rng: &mut Rng, from: usize) -> usize {
        let (name, round, times) = (self.name(), self.name(), rng.below(3));
        self.traversal += &format!("local t{name} = t{from}:repeat_({times}, function(t{round})\n");
        self.lists += &format!("local f{name} = ids(f{from})\nlocal seen = {{}}\n");
        self.lists += &format!("for _ = 1, {times} do\nlocal f{round} = f{name}\n");
        self.in_round = true;
        let mut last = round;
        for _ in 0..rng.below(3) {
            last = self.step(rng, last, &[]);
        }
        self.in_round = false;
        self.traversal += &format!("return t{last} end)\n");
        self.lists += &format!("f{name} = ids(f{last})\nend\n");
        self.walked = false;
        name
    }

    /// Both scripts with one end.
    fn finish(self, rng: &mut Rng, at: usize) -> [String; 2] {
        let ends = [
            ("{sorted(t:ids()), t:count()}", "{sorted(ids(f)), #f}"),
            ("listed(t:groupCount():top(3):counts())", "pairs_of(ids(f), 3)"),
            ("listed(t:groupCount('p'):top(9):counts())", "pairs_of(values(ids(f), 'p'), 9)"),
            (
                "{t:groupCount():count(), sorted(t:groupCount():ids())}",
                "{#groups(ids(f)), sorted(groups(ids(f)))}",
            ),
            ("t:sum('p')", "#values(ids(f), 'p')"),
            ("edges(t:links())", "edges(f)"),
        ];
        let kinds = if self.walked { ends.len() } else { ends.len() - 1 };
        let (end, list_end) = ends[rng.below(kinds as u64) as usize];
        let traversal =
            format!("{SORTED}{}local t = t{at}\nlocal answer = {end}\nanswer", self.traversal);
        let lists = format!(
            "{SORTED}{ONE_AT_A_TIME}{}local f = f{at}\nlocal answer = {list_end}\nanswer",
            self.lists
        );
        [traversal, lists]
    }
}

fn scripts(rng: &mut Rng) -> [String; 2] {
    let (traversal, lists) = (String::new(), String::new());
    let mut scripts = Scripts { traversal, lists, names: 0, walked: false, in_round: false };
    // Another traversal to be a set; often it is not.
    let other = scripts.start(rng);
    let other = scripts.expand(rng, other);
    let mut at = scripts.start(rng);
    scripts.walked = false;
    let mut before = vec![other, at];
    for _ in 0..=rng.below(STEPS_MAX) {
        at = scripts.step(rng, at, &before);
        before.push(at);
    }
    scripts.finish(rng, at)
}

fn compare(graph: &Graph, rng: &mut Rng) {
    let [traversal, lists] = scripts(rng);
    let (found, expected) = (ask(graph, &traversal), ask(graph, &lists));
    assert_eq!(found, expected, "\n{traversal}\n-- is not\n{lists}");
}

#[test]
fn a_traversal_answers_as_one_call_for_each_node_does() {
    let database = Database::in_memory(Settings::default()).unwrap();
    run_seeds(20, |seed, rng| {
        let graph = database.create_graph(&format!("g{seed}")).unwrap();
        ask(&graph, &graph_script(rng));
        for _ in 0..TRAVERSALS {
            compare(&graph, rng);
        }
    });
}
