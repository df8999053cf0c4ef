//! The border of Lua: any text as a script, and any arguments to the functions of the table, in a
//! sandbox with little time and memory over a small graph in memory.

use std::fmt::Write;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use millrace_engine::{CancelFlag, Context, ContextRunner, Limits};
use millrace_ragedb::lua::{Access, Interpreter, ScriptLimits, reference_page};
use millrace_store::memory::MemoryBackend;
use millrace_store::{Backend, Isolation, Store, Transaction};

/// How long a script may take.
const DEADLINE: Duration = Duration::from_millis(100);

/// How long after its deadline it has ended, instrumented as it is.
const LATE_MAX: Duration = Duration::from_secs(2);

/// Bytes a script may hold.
const BYTES_MAX: usize = 16 << 20;

/// Bytes of its answer.
const ANSWER_BYTES_MAX: usize = 1 << 16;

/// The script before the calls: a graph with a loop, a parallel edge and a removed node.
const GRAPH: &str = r#"
NodeTypeInsert("Person")
NodePropertyTypeAdd("Person", "age", "integer")
NodeAdd("Person", {"ann", "bob", "cid", "dan"}, {"{\"age\": 7, \"name\": \"A\"}", "{\"age\": 9}", "{}", "{\"list\": [1, 2]}"})
for _, pair in ipairs({{1, 2}, {1, 2}, {2, 3}, {3, 3}, {3, 4}}) do
  RelationshipAdd("KNOWS", pair[1], pair[2], "{\"w\": 1.5}")
end
NodeRemove(4)
local last
"#;

/// Values that arguments are made of, as Lua.
const VALUES: &[&str] = &[
    "nil",
    "true",
    "0",
    "1",
    "2",
    "-1",
    "3.0",
    "0.5",
    "1 / 0",
    "0 / 0",
    "math.maxinteger",
    "math.mininteger",
    "''",
    "'Person'",
    "'ann'",
    "'bob'",
    "'KNOWS'",
    "'age'",
    "'name'",
    "'_key'",
    "'integer'",
    "'\\0\\255'",
    "'{\"age\": 1e999, \"x\": [1, \"2\"]}'",
    "'[['",
    "('x'):rep(100000)",
    "{}",
    "{1, 2, 3, 99}",
    "{'KNOWS', 'NONE'}",
    "{1, {2}, 'x'}",
    "{{1, 2}, {2, 3}}",
    "{a = 1}",
    "print",
    "function(t) return t end",
    "function(t) return t:out() end",
    "coroutine.create(print)",
    "setmetatable({}, {__index = function(t) return t end, __len = function() return 1 << 40 end})",
    "NodeGet(1)",
    "NodesGet({1, 2, 3})",
    "RelationshipGet(1)",
    "NodeGetLinks(1)",
    "NodeGetLinks(1)[1]",
    "NodeIdsGetNeighborIds({1, 2})",
    "LinksGetLinks(NodeGetLinks(1))",
    "AllNodeIds()",
    "Roar.new()",
    "Link.new(1, 1)",
    "date(0)",
    "Traversal.all()",
    "Traversal.from(1):both()",
    "Traversal.from(1):out():groupCount()",
    "Traversal.all('Person'):groupCount('age')",
    "Direction.IN",
    "Direction.OUT",
    "Operation.EQ",
    "Operation.GTE",
    "Operation.STARTS_WITH",
    "Sort.DESC",
    "last",
    "last and last[1]",
];

/// Methods that are called on the results of calls, beside the functions of the table.
const METHODS: &[&str] = &[
    "out",
    "in_",
    "both",
    "where",
    "ofType",
    "except",
    "only",
    "distinct",
    "repeat_",
    "groupCount",
    "top",
    "ids",
    "links",
    "nodes",
    "count",
    "counts",
    "sum",
    "property",
    "properties",
    "explain",
    "profile",
    "shortestPath",
    "getId",
    "getType",
    "getTypeId",
    "getKey",
    "getProperty",
    "getNodeId",
    "getProperties",
    "getIds",
    "addIds",
    "addNodeIds",
    "union",
    "inplace_xor",
    "flip",
    "rank",
    "getNodeHalfLinks",
    "getKeys",
    "getCounts",
    "fmt",
    "addmonths",
    "setyear",
];

/// Scripts, and calls.
pub fn seeds() -> Vec<Vec<u8>> {
    let scripts = [
        "local t = Traversal.from(1):out('KNOWS') t:groupCount():top(3):counts()",
        "json.encode(json.decode('{\"a\": [1, 2.5, null, \"x\\\\u00e9\"]}'))",
        "('a1b2'):gsub('(%a)(%d)', '%2%1'), ('x'):rep(3, ','), ('%5.2f|%q'):format(1, 'y')",
        "for _, x in ipairs({3, 1}) do x = x end\nsort.stable_sort({2, 1})",
        "template.process('{{a}}{% for i = 1, 2 do %}{*i*}{% end %}', {a = '<'})",
        "html.li{class = 'c'}('text'), ftcsv.parse('a,b\\n1,2', ',', {loadFromString = true})",
        "date('2023-04-14'):addmonths(1):fmt('%Y-%m-%d'), pcall(error, {})",
        "coroutine.wrap(function() coroutine.yield(1) end)(), load('return 1')()",
    ];
    let scripts = scripts.iter().enumerate();
    let scripts = scripts.map(|(access, text)| [&[access as u8 % 3], text.as_bytes()].concat());
    let calls = (0..32u8).map(|call| {
        let rest = (0..24).map(|byte| call.wrapping_mul(37).wrapping_add(byte * 11));
        std::iter::once(128 + call).chain(rest).collect()
    });
    scripts.chain(calls).collect()
}

/// The first byte chooses the sandbox and whether the rest is a script's text or calls.
pub fn run(bytes: &[u8]) {
    let Some((&choice, rest)) = bytes.split_first() else { return };
    let access = Access::ALL[usize::from(choice) % Access::ALL.len()];
    if choice < 128 {
        let _outcome = run_script(&String::from_utf8_lossy(rest), access);
    } else {
        let answer = run_script(&calls(rest), Access::Admin);
        assert!(answer.is_ok() || may_fail(&answer), "{answer:?}");
    }
}

/// Calls stand in `pcall`, so only an error that ends a script ends these.
fn may_fail(answer: &Result<String, String>) -> bool {
    let Err(text) = answer else { return true };
    !text.contains("Bug")
}

fn functions() -> &'static [String] {
    static FUNCTIONS: OnceLock<Vec<String>> = OnceLock::new();
    FUNCTIONS.get_or_init(|| {
        let page = reference_page();
        let table = page.split("## Enumerations").next().unwrap_or_default();
        let names = table.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next());
        names.map(str::to_owned).collect()
    })
}

/// A script of calls: a byte for the function, one for how many arguments, one for each of them.
fn calls(bytes: &[u8]) -> String {
    let mut text = GRAPH.to_owned();
    let mut bytes = bytes.iter().map(|byte| usize::from(*byte));
    while let (Some(name), Some(count)) = (bytes.next(), bytes.next()) {
        let functions = functions();
        let arguments: Vec<&str> =
            bytes.by_ref().take(count % 6).map(|value| VALUES[value % VALUES.len()]).collect();
        let arguments = arguments.join(", ");
        let called = match count / 6 % 3 {
            0 => format!("{}({arguments})", functions[name % functions.len()]),
            1 => format!("{}({arguments})", functions[(name + 128) % functions.len()]),
            _ => format!("last:{}({arguments})", METHODS[name % METHODS.len()]),
        };
        // A result is looked at in every way there is.
        let _infallible = writeln!(
            text,
            "do local ok, r = pcall(function() return {called} end)\n\
             if ok and r ~= nil then last = r end\n\
             pcall(json.encode, r) pcall(tostring, r) pcall(function() return #r end)\n\
             pcall(function() for k, v in pairs(r) do json.encode({{k, v}}) end end) end"
        );
    }
    text + "1"
}

/// Runs a script in a state of its own over a graph of its own, and commits nothing.
fn run_script(text: &str, access: Access) -> Result<String, String> {
    let store: Arc<dyn Store> = MemoryBackend::new().create_graph("graph").expect("the first");
    let transaction = Transaction::begin(store, Isolation::Snapshot).expect("it is in memory");
    let limits = Limits {
        deadline: Instant::now().checked_add(DEADLINE),
        memory_bytes_max: BYTES_MAX as u64,
        ..Limits::default()
    };
    let context = Context::writing(transaction).with_limits(limits, CancelFlag::default());
    let mut interpreter = Interpreter::new(4 * BYTES_MAX, None).expect("a state is made");
    let sizes = ScriptLimits {
        bytes_max: BYTES_MAX,
        answer_bytes_max: ANSWER_BYTES_MAX,
        times_reading: false,
    };
    let began = Instant::now();
    let runner = Box::new(ContextRunner::new(context));
    let answer = interpreter.run(text, access, sizes, runner);
    let late = began.elapsed().saturating_sub(DEADLINE);
    assert!(late < LATE_MAX, "{late:?} late: {text}");
    answer.result.map_err(|error| format!("{:?}: {}", error.error.kind, error.text))
}
