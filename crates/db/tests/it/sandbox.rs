//! Scripts that try to leave their sandbox or to take all memory: each gets nowhere, and the
//! interpreter takes the next script.

use millrace_db::ragedb::{Access, Script};
use millrace_db::{Database, Graph, RequestLimits, Settings};
use millrace_model::ErrorKind;

pub(crate) fn graph() -> (Database, std::sync::Arc<Graph>) {
    let mut settings = Settings::default();
    settings.scripts.interpreters_max = 1;
    settings.scripts.interpreter_bytes_max = 64 << 20;
    let database = Database::in_memory(settings).expect("a database in memory opens");
    let graph = database.create_graph("one").expect("there is no graph yet");
    (database, graph)
}

pub(crate) fn run(graph: &Graph, text: &str, deadline_ms: u64) -> Result<String, ErrorKind> {
    run_in(graph, text, Access::Admin, RequestLimits::within(deadline_ms, &Settings::default()))
}

fn run_in(
    graph: &Graph,
    text: &str,
    access: Access,
    limits: RequestLimits,
) -> Result<String, ErrorKind> {
    let script = Script { text: text.into(), access, parameters: Vec::new(), limits };
    graph.run_script(script).map_err(|failure| failure.error.kind)
}

/// Scripts that ask for more memory than there is.
const HUNGRY: &[&str] = &[
    "local t = {} for i = 1, 1e9 do t[i] = i end",
    "local s = 'x' while true do s = s .. s end",
    "('x'):rep(1 << 40)",
    "('x'):rep(1 << 20):gsub('x', ('y'):rep(1 << 20))",
    "local t = {} while true do t[#t + 1] = coroutine.create(function() end) end",
    "local t = {} while true do t[#t + 1] = AllNodeIds('Person', 0, 1000000) end",
    "local t = {} while true do t[#t + 1] = NodesGet(AllNodeIds('Person', 0, 1000000)) end",
    "local t = {} while true do t[#t + 1] = NodeGet('Person', 'p1') end",
    "local t = {} while true do t[#t + 1] = NodeIdsGetNeighborIds(AllNodeIds()) end",
    "local r = Roar.new() local i = 0 while true do r:add(i) i = i + 100000 end",
    "Roar.new():flip(0, math.maxinteger)",
    "local t = {} for i = 1, 100 do t = {t, t} end json.encode(t)",
    "local s = ('x'):rep(1 << 20) local t = {} for i = 1, 1000 do t[i] = s end json.encode(t)",
    "string.format('%s', ('x'):rep(1 << 40))",
    "table.concat({('x'):rep(1 << 25), ('x'):rep(1 << 25), ('x'):rep(1 << 25)})",
];

#[test]
fn a_script_that_takes_too_much_memory_fails_alone() {
    let (_database, graph) = graph();
    let people = "for i = 1, 1000 do NodeAdd('Person', 'p' .. i, '{\"text\": \"words\"}') end\n1";
    assert_eq!(run(&graph, people, 30_000).as_deref(), Ok("1"));
    for text in HUNGRY {
        let mut limits = RequestLimits::within(30_000, &Settings::default());
        limits.bytes_max = 32 << 20;
        let ended = run_in(&graph, &format!("{text}\n1"), Access::ReadOnly, limits);
        assert!(
            matches!(ended, Err(ErrorKind::LimitReached | ErrorKind::BadQuery)),
            "{text}: {ended:?}"
        );
        assert_eq!(run(&graph, "AllNodesCount()", 10_000).as_deref(), Ok("1000"), "after {text}");
    }
}

#[test]
fn memory_that_a_script_drops_is_returned() {
    let (_database, graph) = graph();
    assert_eq!(
        run(&graph, "for i = 1, 5000 do NodeAdd('P', 'p' .. i) end\n1", 30_000).as_deref(),
        Ok("1")
    );
    // 400 lists of 40 kB and 400 maps beside, through a budget of 4 MB: nothing of it is kept.
    let mut limits = RequestLimits::within(60_000, &Settings::default());
    limits.bytes_max = 4 << 20;
    let text = "local count = 0\n\
                for i = 1, 400 do\n\
                  local ids = AllNodeIds('P', 0, 5000)\n\
                  count = count + #ids + #NodeIdsGetNeighborIds({ids[1], ids[2]})\n\
                end\n\
                count";
    assert_eq!(run_in(&graph, text, Access::ReadOnly, limits.clone()).as_deref(), Ok("2000800"));
    let kept = "kept = {}\nfor i = 1, 400 do kept[i] = AllNodeIds('P', 0, 5000) end\n#kept";
    let ended = run_in(&graph, kept, Access::ReadOnly, limits.clone());
    assert_eq!(ended, Err(ErrorKind::LimitReached));
    // Globals of a failed script are gone with it.
    assert_eq!(run_in(&graph, "kept == nil", Access::ReadOnly, limits).as_deref(), Ok("true"));
}

#[test]
fn an_answer_is_as_large_as_it_may_be() {
    let (_database, graph) = graph();
    let mut limits = RequestLimits::within(30_000, &Settings::default());
    limits.answer_bytes_max = 1_000;
    for (text, fits) in [
        ("('x'):rep(900)", true),
        ("('x'):rep(1100)", false),
        ("local t = {} for i = 1, 2000 do t[i] = i end\nt", false),
        ("local t = {} for i = 1, 2000 do t['k' .. i] = i end\nt", false),
        ("json.encode(json.encode(('x'):rep(1100)))", false),
    ] {
        let ended = run_in(&graph, text, Access::ReadOnly, limits.clone());
        match fits {
            true => assert!(ended.is_ok(), "{text}: {ended:?}"),
            false => assert_eq!(ended, Err(ErrorKind::LimitReached), "{text}"),
        }
    }
}

/// Expressions that would be something if a script could reach outside.
const OUTSIDE: &[&str] = &[
    "debug",
    "package",
    "os.execute",
    "os.getenv",
    "os.exit",
    "os.remove",
    "os.rename",
    "os.tmpname",
    "os.setlocale",
    "io.open",
    "io.popen",
    "io.lines",
    "io.output",
    "io.stdout",
    "io.write",
    "string.dump",
    "collectgarbage",
    "getfenv",
    "setfenv",
    "newproxy",
    "ffi",
    "jit",
    "_G.debug",
    "getmetatable('').__index",
    "rawget(_G, 'debug')",
    "(load('return debug'))()",
    "(load('return debug', 'x', 't', {}))()",
    "getmetatable(_G) or nil",
    "coroutine.running and nil",
];

#[test]
fn nothing_of_the_machine_is_within_reach() {
    let (_database, graph) = graph();
    for text in OUTSIDE {
        let found = run(&graph, &format!("({text}) == nil"), 10_000);
        // A comma in the last line makes the answer a list.
        let is_nothing = matches!(found.as_deref(), Ok("true" | "[true]"));
        assert!(is_nothing || found == Err(ErrorKind::BadQuery), "{text}: {found:?}");
    }
    for text in [
        "require('os').execute('true')",
        "dofile('/etc/passwd')",
        "loadfile('/etc/passwd')",
        "load('\\27Lua')()",
        "io.read()",
        "LoadCSV('P', '/etc/passwd')",
        "setmetatable({}, {__gc = function() end})",
        "getmetatable(NodeGet).__index = 1",
        "getmetatable(AllNodeIds()).__index = 1",
        "table.move({}, 1, 1 << 60, 2)",
    ] {
        assert!(run(&graph, text, 10_000).is_err(), "{text}");
    }
}

#[test]
fn one_sandbox_does_not_change_another() {
    let (_database, graph) = graph();
    let limits = || RequestLimits::within(10_000, &Settings::default());
    let change = "string.format = nil\njson.encode = json.encode\ntable.insert = nil\n\
                  pcall = nil\nNodeGet = nil\nOperation.EQ = 99\n1";
    assert_eq!(run_in(&graph, change, Access::ReadOnly, limits()).as_deref(), Ok("1"));
    let look = "string.format ~= nil and table.insert ~= nil and pcall ~= nil and \
                NodeGet ~= nil and Operation.EQ == 0 and ('%d'):format(1) == '1'";
    assert_eq!(run_in(&graph, look, Access::ReadWrite, limits()).as_deref(), Ok("true"));
}

#[test]
fn recursion_ends_with_an_error_of_the_script() {
    let (_database, graph) = graph();
    for text in [
        "local function f() return 1 + f() end\nf()",
        "local t = setmetatable({}, {}) getmetatable(t).__index = t\nt.x",
        "local t = setmetatable({}, {__tostring = function(t) return tostring(t) end})\ntostring(t)",
        "local s = ('('):rep(300) .. '1' .. (')'):rep(300)\nassert(load('return ' .. s))()",
        "local f f = function() return (('x'):gsub('x', f)) end\nf()",
        "local function f() return pcall(f) and error('x') end\nerror(f())",
        "(('('):rep(300)):find(('('):rep(300))",
    ] {
        let ended = run(&graph, text, 10_000);
        assert!(
            matches!(ended, Err(ErrorKind::BadQuery | ErrorKind::LimitReached)),
            "{text}: {ended:?}"
        );
        assert_eq!(run(&graph, "1", 10_000).as_deref(), Ok("1"));
    }
}

#[test]
fn another_graph_is_out_of_reach() {
    let (database, graph) = graph();
    let other = database.create_graph("other").unwrap();
    assert!(run(&other, "NodeAdd('Secret', 's')\nsecret = 7\n1", 10_000).is_ok());
    assert_eq!(
        run(&graph, "AllNodesCount() == 0 and secret == nil", 10_000).as_deref(),
        Ok("true")
    );
}
