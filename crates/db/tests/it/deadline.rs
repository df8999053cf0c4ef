//! Scripts that do not end are ended, soon after their deadline. Only Linux reports the work of a
//! thread, so the test is there only.

use std::collections::HashMap;
use std::sync::mpsc;
use std::thread::{self, ThreadId};
use std::time::Duration;

use millrace_db::ragedb::{Access, Script};
use millrace_db::{Graph, RequestLimits, Settings};
use millrace_model::ErrorKind;

use crate::sandbox::{graph, run};

/// How long a script that does not end may run: so short that the CPU time of its thread is almost all
/// after the deadline, however many threads want the cores.
const DEADLINE_MS: u64 = 20;

/// The promised bound of the CPU time after the deadline.
const LATE_MAX: Duration = Duration::from_millis(250);

/// Scripts that would run for hours.
const ENDLESS: &[&str] = &[
    "while true do end",
    "repeat until false",
    "while true do pcall(function() while true do end end) end",
    "while true do xpcall(function() while true do end end, function() while true do end end) end",
    "local function f() while true do end end while true do pcall(pcall, pcall, f) end",
    "while true do coroutine.resume(coroutine.create(function() while true do end end)) end",
    "local function deep(n) while true do coroutine.resume(coroutine.create(deep)) end end deep()",
    "coroutine.wrap(function() while true do end end)()",
    "local function f() return f() end f()",
    "while true do load('while true do end')() end",
    "for _ in function() return 1 end do end",
    "setmetatable({}, {__index = function() while true do end end}).x = nil\n\
     local y = setmetatable({}, {__index = function() while true do end end}).x",
    "json.encode(setmetatable({}, {__pairs = function() while true do end end}))\n\
     while true do end",
    "local s = ('a'):rep(5000) s:find(('.-'):rep(40) .. 'b')",
    "local s = ('a'):rep(5000) s:match(('a*'):rep(40) .. 'b')",
    "local s = ('a'):rep(5000) s:gsub(('a?'):rep(90) .. ('a'):rep(90) .. 'b', '')",
    "for _ in (('a'):rep(5000)):gmatch(('.*'):rep(20) .. 'b') do end",
    "local s = ('a'):rep(1 << 21) s:find(('a'):rep(1 << 20) .. 'b', 1, true)",
    "local t = setmetatable({}, {__len = function() return 1 << 60 end}) table.insert(t, 1, 1)",
    "local t = setmetatable({}, {__len = function() return 1 << 60 end}) table.remove(t, 1)",
    "local t = setmetatable({}, {__len = function() return 1 << 30 end}) table.sort(t, rawequal)",
    // With holes, a table says that it is as long as its last power of two.
    "local t = {} for i = 62, 0, -1 do t[1 << i] = 1 end table.insert(t, 1, 1)",
    "local t = {} for i = 62, 0, -1 do t[1 << i] = 1 end table.remove(t, 1)",
    "while true do pcall(table.move, {1}, 1, 9e15, 2) end",
    "while true do pcall(table.move, {1}, 1, '9000000000000000', 2) end",
    "while true do pcall(table.move, {1}, -(1 << 62), 1 << 62, 1) end",
    "while true do table.move(setmetatable({}, {__index = {}}), 2, 9000000, 1) end",
    "table.concat(setmetatable({}, {__index = tostring}), '', 1, 1 << 60)",
    "while true do os.date(('%c'):rep(1 << 12)) end",
    "local s = ('x'):rep(1 << 13) while true do pcall(string.packsize, s) end",
    "while true do ('x'):rep(1 << 20) end",
    "local s = ('x'):rep(1 << 22)\n\
     local a, b, t = s .. 'a', s .. 'b', {}\n\
     for i = 1, 1000 do t[i] = i % 2 == 0 and a or b end while true do table.sort(t) end",
    "local t = {} for i = 1, 300000 do t[i] = i end\n\
     while true do table.sort(t, function(a, b) return a > b end) end",
    "local r = Roar.new() while true do r:flip(0, 1 << 22) end",
    "while true do KHopIds(1, 1 << 40) end",
    "while true do NodeIdsGetKey({1, 2, 3}) end",
    "while true do local t <close> = setmetatable({}, {__close = function() end}) end",
    "while true do pcall(Traversal.count, Traversal.all():both()) end",
    "Traversal.from(1):repeat_(1 << 60, function(t) return t end):count()",
    "while true do Traversal.from({1}):repeat_(50, function(t) return t:both() end):count() end",
    "Traversal.from(1):repeat_(1, function(t) while true do end end)",
    "while true do pcall(Traversal.repeat_, Traversal.all(), 1, function() while true do end end) end",
    "local t = {} for i = 1, 1e9 do t[i % 300000] = {} end",
    "local s = ('x'):rep(1 << 20) while true do s:reverse():upper():byte(-1) end",
    "local t = {} for i = 1, 1000 do t[i] = ('x'):rep(1000) end while true do table.concat(t) end",
    "local s = '[' .. ('1,'):rep(1 << 20) .. '1]' while true do json.decode(s) end",
    "local t = {} for i = 1, 1 << 18 do t[i] = i end while true do json.encode(t) end",
    "local t = {} for i = 1, 1 << 18 do t[i] = i end while true do Traversal.from(t):count() end",
    "local t = {} for i = 1, 1 << 18 do t[i] = i end while true do NodesGet(t) end",
    "local t = {} for i = 1, 1 << 18 do t[i] = i end\n\
     local u = {} for i = 1, 1000 do u[i] = t end Invert(u)",
    "local t = {} for i = 1, 1 << 18 do t[i] = i end\n\
     local u = {} for i = 1, 1000 do u[i] = t end Join(u)",
    "local t = {} for i = 1, 1 << 18 do t[i] = i end\n\
     local u = {} for i = 1, 1000 do u[i] = t end Roar.new():addValues(u)",
    "local t = {} for i = 1, 1 << 18 do t[i] = -i end while true do IntersectIdsCount(t, t) end",
    "local t = {1} for i = 1, 100 do t = {t, t} end NodeSetProperty('Person', 'a', 'x', t)",
    "local t = {1} for i = 1, 100 do t = {t, t} end Node.new(1, 'Person', 'a', {x = t})",
    "local t = {1} for i = 1, 100 do t = {t, t} end json.encode(t)",
    "local r = Roar.new() while true do r:flip(0, 1 << 25) end",
    "local r = Roar.new() r:flip(0, 1 << 25) while true do r:union(r) end",
    "local s = ('x'):rep(1 << 20) while true do local t = s .. 'y' end",
    "local t = {} for i = 1, 1 << 18 do t[i] = i end while true do table.insert(t, 1, 1) end",
    "local t = {} for i = 1, 90000 do t[i] = -i end while true do table.sort(t) end",
    "local t = {} for i = 1, 1 << 17 do t[i] = i end while true do select(2, table.unpack(t)) end",
    "local t = {} for i = 1, 20 do t[i] = 1e300 end\n\
     while true do string.format(('%99.99f'):rep(20), table.unpack(t)) end",
    "local s = ('{{a}}'):rep(1 << 12) while true do template.process(s, {a = 1}) end",
    "local s = ('a,b\\n'):rep(1 << 18) while true do ftcsv.parse(s, ',', {loadFromString = true}) end",
];

/// The CPU time of this thread so far; waiting for a core does not count.
fn worked() -> Duration {
    let statistics = std::fs::read_to_string("/proc/thread-self/schedstat");
    let nanos = statistics.ok().and_then(|statistics| statistics.split(' ').next()?.parse().ok());
    Duration::from_nanos(nanos.expect("the system reports what a thread worked"))
}

/// How a script ends, and which interpreter's thread had worked how much by then.
fn run_and_measure(
    graph: &Graph,
    text: &str,
    deadline_ms: u64,
) -> (Result<(), ErrorKind>, ThreadId, Duration) {
    let limits = RequestLimits::within(deadline_ms, &Settings::default());
    let script =
        Script { text: text.into(), access: Access::Admin, parameters: Vec::new(), limits };
    let (sender, receiver) = mpsc::channel();
    // A script that wrote nothing is answered by the thread of its interpreter.
    graph.start_script(script, move |result| {
        let ended = result.map(|_| ()).map_err(|failure| failure.error.kind);
        sender.send((ended, thread::current().id(), worked())).expect("the test waits");
    });
    receiver.recv().expect("a script is answered")
}

#[test]
fn a_script_that_does_not_end_is_ended_within_a_quarter_second_of_its_deadline() {
    let (_database, graph) = graph();
    let circle = "NodeAdd('Person', {'a', 'b', 'c'})\n\
                  for i = 1, 3 do RelationshipAdd('KNOWS', i, i % 3 + 1) end\n1";
    assert_eq!(run(&graph, circle, 30_000).as_deref(), Ok("1"));
    // A script that runs for long lets another interpreter begin, so the work of each thread is counted
    // apart. Between its scripts a thread works nothing that counts.
    let mut threads: HashMap<ThreadId, Duration> = HashMap::new();
    for text in ENDLESS {
        let (fine, thread, before) = run_and_measure(&graph, "1", 10_000);
        assert_eq!(fine, Ok(()), "before {text}");
        threads.insert(thread, before);
        let (ended, thread, after) = run_and_measure(&graph, &format!("{text}\n1"), DEADLINE_MS);
        assert_eq!(ended, Err(ErrorKind::DeadlineExceeded), "{text}");
        let before = threads.insert(thread, after).unwrap_or_default();
        let late = (after - before).saturating_sub(Duration::from_millis(DEADLINE_MS));
        assert!(late < LATE_MAX, "{text}: {late:?} late");
    }
}
