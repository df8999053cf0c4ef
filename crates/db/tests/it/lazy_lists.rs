//! Lists of a large map are walked when an entry is asked for: the results stay the same, whatever was
//! written between.

use millrace_db::Graph;
use millrace_model::ErrorKind;

use crate::ask;
use crate::sandbox::{graph, run};

/// A hundred people in a circle with a loop each; the third likes all of them too.
const CIRCLE: &str = "for i = 1, 100 do NodeAdd('Person', 'p' .. i) end\n\
                      for i = 1, 100 do\n\
                        RelationshipAdd('KNOWS', i, i % 100 + 1)\n\
                        RelationshipAdd('KNOWS', i, i)\n\
                        RelationshipAdd('LIKES', 3, i)\n\
                      end\n\
                      1";

/// `all`: the ids of all people; `text_of`: a map as text, each list by its numbers.
const DESCRIBE: &str = "local all = {}\n\
                    for i = 1, 100 do all[i] = i end\n\
                    local function number(one)\n\
                      if type(one) == 'number' then return one end\n\
                      return one:getNodeId() .. '/' .. one:getRelationshipId()\n\
                    end\n\
                    local function list_text(list)\n\
                      local numbers = {}\n\
                      for i, one in ipairs(list) do numbers[i] = number(one) end\n\
                      return #list .. ': ' .. table.concat(numbers, ' ')\n\
                    end\n\
                    local function text_of(map)\n\
                      local lines = {}\n\
                      for key, list in pairs(map) do\n\
                        lines[#lines + 1] = number(key) .. ' -> ' .. list_text(list)\n\
                      end\n\
                      return table.concat(lines, '\\n')\n\
                    end\n";

/// The answer of a script that ends with an expression; a comma in it makes no list.
fn describe(graph: &Graph, text: &str) -> String {
    let (statements, answer) = text.rsplit_once('\n').unwrap_or(("", text));
    let answer = ask(graph, &format!("{DESCRIBE}{statements}\nlocal answer = {answer}\nanswer"));
    serde_json::from_str::<String>(&answer).unwrap_or(answer)
}

/// Calls that return a map of many lists, each with the call that returns the list of one node.
const CALLS: [(&str, &str); 4] = [
    ("NodeIdsGetNeighborIds(all)", "NodeGetNeighborIds(node)"),
    (
        "NodeIdsGetNeighborIds(all, Direction.IN, 'KNOWS')",
        "NodeGetNeighborIds(node, Direction.IN, 'KNOWS')",
    ),
    (
        "LinksGetLinks(NodeGetLinks(3, Direction.OUT, 'LIKES'), Direction.OUT)",
        "NodeGetLinks(node, Direction.OUT)",
    ),
    ("LinksGetNeighborIds(NodeGetLinks(3))", "NodeGetNeighborIds(node)"),
];

#[test]
fn lists_that_are_walked_later_are_those_of_one_call_for_each() {
    let (_database, graph) = graph();
    ask(&graph, CIRCLE);
    for (bulk, single) in CALLS {
        let mapped = describe(&graph, &format!("text_of({bulk})"));
        let single = format!(
            "local lines = {{}}\n\
             for key in pairs({bulk}) do\n\
               local node = type(key) == 'number' and key or key:getNodeId()\n\
               lines[#lines + 1] = number(key) .. ' -> ' .. list_text({single})\n\
             end\n\
             table.concat(lines, '\\n')"
        );
        assert_eq!(mapped, describe(&graph, &single), "{bulk}");
        // As an answer, a map that was never asked equals a map with lists that were walked.
        let answer = |map: &str| ask(&graph, &format!("{DESCRIBE}local map = {bulk}\n{map}\nmap"));
        assert_eq!(answer(""), answer("text_of(map)"), "{bulk}");
        assert!(mapped.contains(" -> "), "{bulk}: {mapped}");
    }
}

#[test]
fn lists_are_those_of_the_call_whatever_is_written_behind_it() {
    for write in [
        "RelationshipAdd('KNOWS', 1, 50)",
        "RelationshipRemove(NodeGetLinks(1)[1]:getRelationshipId())",
        "NodeRemove(2)",
        "for i = 1, 100 do RelationshipAdd('KNOWS', i, 7) end",
    ] {
        let (_database, graph) = graph();
        ask(&graph, CIRCLE);
        for (call, _) in CALLS {
            let before = describe(&graph, &format!("text_of({call})"));
            let written = format!("local map = {call}\n{write}\nlocal then_text = text_of(map)\n");
            // The writes of a script that fails are rolled back, so the next call sees the circle again.
            let text = format!("{DESCRIBE}{written}error(then_text, 0)\n1");
            let error = match graph_error(&graph, &text) {
                Some(text) => text,
                None => panic!("{text}: it fails"),
            };
            assert!(error.contains(&before), "{call} {write}\n{error}");
        }
    }
}

fn graph_error(graph: &Graph, text: &str) -> Option<String> {
    let limits = millrace_db::RequestLimits::within(30_000, &millrace_db::Settings::default());
    let access = millrace_db::ragedb::Access::Admin;
    let script =
        millrace_db::ragedb::Script { text: text.into(), access, parameters: Vec::new(), limits };
    let failure = graph.run_script(script).err()?;
    Some(format!("{} {}", failure.error, failure.lua_text.unwrap_or_default()))
}

#[test]
fn lists_that_a_definition_keeps_are_those_of_their_script() {
    let (_database, graph) = graph();
    ask(&graph, "--ALL\nleft = {}");
    ask(&graph, CIRCLE);
    for (call, _) in CALLS {
        let before = describe(&graph, &format!("text_of({call})"));
        describe(&graph, &format!("left.kept = {call}\n1"));
        ask(&graph, "left.link = RelationshipAdd('KNOWS', 1, 60)\n1");
        assert_eq!(describe(&graph, "text_of(left.kept)"), before, "{call}");
        ask(&graph, "RelationshipRemove(left.link)\n1");
    }
}

#[test]
fn lists_that_a_failed_script_never_asked_for_say_so() {
    let (_database, graph) = graph();
    ask(&graph, "--ALL\nleft = {}");
    ask(&graph, CIRCLE);
    let kept = format!("{DESCRIBE}left.kept = NodeIdsGetNeighborIds(all)\nerror('stop')\n1");
    assert_eq!(run(&graph, &kept, 30_000), Err(ErrorKind::BadQuery));
    assert_eq!(ask(&graph, "#left.kept[3]"), "105");
    let error = graph_error(&graph, "left.kept[3][1]").expect("there are no entries");
    assert!(error.contains("failed before it read them"), "{error}");
}

#[test]
fn a_map_is_gone_through_in_its_order_however_far() {
    let (_database, graph) = graph();
    ask(&graph, CIRCLE);
    for far in [1, 2, 63, 64, 65, 100] {
        let text = format!(
            "local sum, rows = 0, 0\n\
             for key, list in pairs(NodeIdsGetNeighborIds(all)) do\n\
               rows = rows + 1\n\
               if key ~= rows then error(key .. ' in row ' .. rows) end\n\
               sum = sum + #list\n\
               if rows == {far} then break end\n\
             end\n\
             sum"
        );
        // In, out, and the loop twice; likes in both directions.
        let likes = if far < 3 { 0 } else { 100 };
        assert_eq!(describe(&graph, &text), (far * 5 + likes).to_string(), "{far}");
    }
}
