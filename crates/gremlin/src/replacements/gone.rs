//! Steps and constants that TinkerPop has or had and that Millrace does not have.

use super::{LOAD_AND_EXPORT, Replacement, row};

const NO_COMPUTER: &str = "there is no graph computer";

/// The steps and source words of TinkerPop 3.8 that are not supported; sorted.
pub(super) static STEPS: &[Replacement] = &[
    row("call", "g.call('--list')", "the server has no services"),
    row(
        "connectedComponent",
        "g.V().connectedComponent()",
        "there is no graph computer: `repeat(both().dedup())` from a vertex finds its component",
    ),
    row("io", "g.io('x.graphml').read()", LOAD_AND_EXPORT),
    row("pageRank", "g.V().pageRank()", NO_COMPUTER),
    row("peerPressure", "g.V().peerPressure()", NO_COMPUTER),
    row("program", "g.V().program(…)", NO_COMPUTER),
    row("read", "g.io('x.graphml').read()", LOAD_AND_EXPORT),
    row(
        "shortestPath",
        "g.V().shortestPath()",
        "there is no graph computer: `repeat(both().simplePath()).until(hasId(6)).path().limit(1)` finds a \
         shortest path",
    ),
    row(
        "timeLimit",
        "g.V().timeLimit(5000).count()",
        "give the request a deadline: `g.with('evaluationTimeout', 5000)`, or `evaluationTimeout` among its \
         arguments; one that runs longer is an error, and has no results",
    ),
    row(
        "withComputer",
        "g.withComputer().V()",
        "there is no graph computer: leave it out, the steps that need it run without it or not at all",
    ),
    row(
        "write",
        "g.io('x.graphml').write()",
        "no files are written for a client: `GET /backup` on the HTTP interface is all data",
    ),
];

pub(super) static OLD_STEPS: &[Replacement] = &[
    row(
        "store",
        "g.V().store('x').cap('x')",
        "write `local(aggregate('x'))`, as TinkerPop 3.8 does: `store` is gone since",
    ),
    row("back", "as('x').out().back('x')", "write `select('x')`"),
    row("except", "except('x')", "write `where(without('x'))`"),
    row("retain", "retain('x')", "write `where(within('x'))`"),
    row("transform", "transform{…}", "write `map(…)` with a traversal"),
    row("groupBy", "groupBy{…}{…}", "write `group().by('label').by('name')`"),
    row("ifThenElse", "ifThenElse{…}{…}{…}", "write `choose(has('age'), out(), in())`"),
    row("copySplit", "copySplit(…).exhaustMerge()", "write `union(out(), in())`"),
    row("exhaustMerge", "copySplit(…).exhaustMerge()", "write `union(out(), in())`"),
    row("fairMerge", "copySplit(…).fairMerge()", "write `union(out(), in())`"),
    row("loop", "out.loop(1){it.loops < 3}", "write `repeat(out()).times(3)`"),
    row("linkOut", "linkOut('knows', 'x')", "write `addE('knows').to('x')`"),
    row("linkIn", "linkIn('knows', 'x')", "write `addE('knows').from('x')`"),
    row(
        "linkBoth",
        "linkBoth('knows', 'x')",
        "write `addE('knows')` twice, with `to` and with `from`",
    ),
    row("addOutE", "addOutE('knows', 'x')", "write `addE('knows').to('x')`"),
    row("addInE", "addInE('knows', 'x')", "write `addE('knows').from('x')`"),
    row("random", "random(0.5)", "write `coin(0.5)`"),
    row("shuffle", "shuffle()", "write `order().by(shuffle)`"),
    row("gather", "gather()", "write `fold()`"),
    row("scatter", "scatter()", "write `unfold()`"),
    row("memoize", "memoize('x')", "leave it out: equal rows are merged anyway"),
    row("table", "table(t)", "write `project('a', 'b').by(…).by(…)`"),
    row("orderMap", "orderMap(T.decr)", "write `order(local).by(values, desc)`"),
    row("mapKeys", "mapKeys()", "write `select(keys)`"),
    row("mapValues", "mapValues()", "write `select(values)`"),
    row("hiddens", "hiddens()", "write `properties()`"),
    row("hiddenMap", "hiddenMap()", "write `propertyMap()`"),
    row("fill", "g.V().fill(list)", "write `found = g.V().toList()`"),
    row(
        "forEachRemaining",
        "g.V().forEachRemaining{…}",
        "write the work as steps, and go through the results in the client",
    ),
    row("toStream", "g.V().toStream()", "write `toList()`: the client goes through the results"),
    row("promise", "g.V().promise()", "leave it out: a request is sent and answered by the driver"),
    row("clone", "g.V().clone()", "write the traversal again"),
    row("getBytecode", "g.V().getBytecode()", "write `explain()`, which shows the plan"),
    row("getStrategies", "g.getStrategies()", "write `g.V().explain()`, which shows the plan"),
];

pub(super) static CONSTANTS: &[Replacement] = &[
    row("Order.decr", "order().by('age', Order.decr)", "write `desc`, as TinkerPop has since 3.5"),
    row("Order.incr", "order().by('age', Order.incr)", "write `asc`, as TinkerPop has since 3.5"),
    row("Order.valueDecr", "order().by(Order.valueDecr)", "write `order(local).by(values, desc)`"),
    row("Order.valueIncr", "order().by(Order.valueIncr)", "write `order(local).by(values, asc)`"),
    row("Order.keyDecr", "order().by(Order.keyDecr)", "write `order(local).by(keys, desc)`"),
    row("Order.keyIncr", "order().by(Order.keyIncr)", "write `order(local).by(keys, asc)`"),
    row("T.gt", "has('age', T.gt, 30)", "write `has('age', gt(30))`"),
    row("T.gte", "has('age', T.gte, 30)", "write `has('age', gte(30))`"),
    row("T.lt", "has('age', T.lt, 30)", "write `has('age', lt(30))`"),
    row("T.lte", "has('age', T.lte, 30)", "write `has('age', lte(30))`"),
    row("T.eq", "has('age', T.eq, 30)", "write `has('age', 30)`"),
    row("T.neq", "has('age', T.neq, 30)", "write `has('age', neq(30))`"),
    row("T.in", "has('age', T.in, [29, 30])", "write `has('age', within(29, 30))`"),
    row("T.decr", "orderMap(T.decr)", "write `order(local).by(values, desc)`"),
    row("P.test", "P.test(…)", "write one of the predicates: `P.gt(30)`, `TextP.regex('b.*')`"),
];
