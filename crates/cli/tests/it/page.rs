//! The query page in a real browser: its use by a person, and the attacks that its policy keeps out.

use serde_json::json;

use crate::browser::Browser;
use crate::program::{Served, serve_both};

/// Runs a query, in a language on a graph, and waits for the answer.
fn ask(browser: &mut Browser, graph: &str, language: &str, text: &str) -> String {
    browser.evaluate(&format!(
        "document.querySelector('#graph').value = '{graph}'; \
         document.querySelector('#language').value = '{language}'"
    ));
    browser.type_into("#text", text);
    browser.press_control_enter();
    browser.wait_for(
        "running === null && document.querySelector('#status').innerText !== 'running …'",
    );
    browser.text_of("#result")
}

fn open(
    name: &str,
    server: impl Fn(&std::path::Path) -> Served,
) -> Option<(Browser, Served, tempfile::TempDir)> {
    let mut browser = Browser::start(name)?;
    let folder = tempfile::tempdir().expect("there is room");
    let server = server(folder.path());
    browser.open(&server.admin_url());
    browser.wait_for("document.body.dataset.ready === 'yes'");
    Some((browser, server, folder))
}

#[test]
fn the_page_asks_in_both_languages_and_keeps_its_history() {
    let Some((mut browser, server, _folder)) = open("query page", serve_both) else { return };
    assert_eq!(server.post("/dbs/shop", "").unwrap().0, 200);
    browser.open(&server.admin_url());
    browser.wait_for("document.body.dataset.ready === 'yes'");
    let made = ask(&mut browser, "shop", "lua", "NodeTypeInsert('Item')\nNodeAdd('Item', 'lamp')");
    assert!(made.contains("1"), "{made}");
    let table = ask(&mut browser, "shop", "gremlin", "g.V().valueMap(true)");
    assert!(table.contains("label") && table.contains("Item"), "{table}");
    assert!(browser.text_of("#status").starts_with("1 row in "));
    let big = ask(&mut browser, "shop", "lua", "9007199254740993");
    assert!(big.contains("9007199254740993"), "{big}");
    let empty = ask(&mut browser, "shop", "gremlin", "g.V().has('Item', 'colour', 'red')");
    assert_eq!(empty, "", "{empty}");
    assert!(browser.text_of("#status").starts_with("0 rows in "));
    let error = ask(&mut browser, "shop", "gremlin", "g.V(");
    assert!(error.contains("line 1"), "{error}");
    browser.click("#as-json");
    let json = ask(&mut browser, "shop", "gremlin", "g.V().count()");
    assert_eq!(json.split_whitespace().collect::<String>(), "[1]");

    browser.open(&server.admin_url());
    browser.wait_for("document.body.dataset.ready === 'yes'");
    assert_eq!(browser.evaluate("document.querySelectorAll('#history li').length"), json!(6));
    assert_eq!(browser.evaluate("document.querySelector('#text').value"), "g.V().count()");
    let said = browser.said();
    let refused = said.lines().filter(|line| !line.contains("status of 400")).count();
    assert_eq!(refused, 0, "the console has nothing but the query that failed: {said}");
    for url in browser.requested() {
        assert!(url.starts_with(&server.admin_url()) || url.starts_with("data:"), "{url}");
    }
}

#[test]
fn the_schema_stands_beside_the_box_and_its_names_go_into_the_text() {
    let Some((mut browser, server, _folder)) = open("query page schema", serve_both) else {
        return;
    };
    assert_eq!(server.post("/dbs/shop", "").unwrap().0, 200);
    browser.open(&server.admin_url());
    browser.wait_for("document.body.dataset.ready === 'yes'");
    ask(
        &mut browser,
        "shop",
        "cypher",
        "CREATE (:Item {`a b`: duration('P1M2D'), n: 1})-[:IN]->(:Box)",
    );
    let status = browser.text_of("#status");
    assert!(status.contains("2 nodes created, 1 relationship created"), "{status}");
    browser.wait_for("document.querySelector('#schema').innerText.includes('Item')");
    let schema = browser.text_of("#schema");
    assert!(["Labels", "Box", "IN", "a b"].iter().all(|name| schema.contains(name)), "{schema}");
    let click = |name: &str| {
        format!(
            "[...document.querySelectorAll('#schema button')]\
             .find(button => button.textContent === '{name}').click()"
        )
    };
    for (typed, name, text) in [("MATCH (n:It", "Item", "MATCH (n:Item"), ("n.", "a b", "n.`a b`")]
    {
        browser.type_into("#text", typed);
        browser.evaluate(&click(name));
        assert_eq!(browser.evaluate("document.querySelector('#text').value"), json!(text));
    }
    let table = ask(&mut browser, "shop", "cypher", "MATCH (n:Item) RETURN n.`a b` AS period");
    assert!(table.contains("period") && table.contains("P1M2D"), "{table}");
}

#[test]
fn the_page_completes_marks_errors_and_shows_rows_before_the_last() {
    let Some((mut browser, server, _folder)) = open("query page streams", serve_both) else {
        return;
    };
    ask(&mut browser, "g", "gremlin", "g.addV('Person').property('name', 'ann').iterate()");
    browser.evaluate("document.querySelector('#language').value = 'gremlin'");
    browser.type_into("#text", "g.V().hasLabel('Per");
    browser.wait_for("document.querySelectorAll('#completions button').length === 1");
    browser.evaluate("document.querySelector('#completions button').click()");
    assert_eq!(browser.evaluate("document.querySelector('#text').value"), "g.V().hasLabel('Person");
    browser.type_into("#text", "g.V().outt()");
    browser.wait_for("document.querySelector('#check').innerText.includes('line 1, column 7')");
    let error = ask(&mut browser, "g", "gremlin", "g.V().outt()");
    assert!(error.starts_with("g.V().outt()\n      ^\nline 1, column 7: "), "{error}");
    assert_eq!(browser.evaluate("document.querySelector('#text').selectionStart"), json!(6));
    ask(&mut browser, "g", "lua", "for i = 1, 300 do NodeAdd('Person', 'n' .. i) end\n1");
    // 27,000,000 rows, of which the page asks for as many as it keeps.
    let many = ask(&mut browser, "g", "gremlin", "g.V().as('a').V().as('b').V().constant('row')");
    assert!(many.contains("the first 1000 of 10000 rows"), "{}", many.len());
    assert!(browser.text_of("#status").starts_with("the first 10000 rows in "));
    assert_eq!(server.terminate(), Some(0));
}

#[test]
fn the_history_ends_after_twenty_queries() {
    let Some((mut browser, _server, _folder)) = open("query history", serve_both) else { return };
    for number in 0..22 {
        ask(&mut browser, "g", "lua", &number.to_string());
    }
    ask(&mut browser, "g", "lua", "20");
    let history = browser.evaluate(
        "[...document.querySelectorAll('#history button')].map(button => button.textContent).join()",
    );
    let mut expected = vec!["20".to_owned(), "21".to_owned()];
    expected.extend((2..20).rev().map(|number| number.to_string()));
    assert_eq!(history, json!(expected.join(",")));
}

#[test]
fn a_value_of_a_graph_never_becomes_a_part_of_the_page() {
    let Some((mut browser, server, _folder)) = open("query page policy", serve_both) else {
        return;
    };
    let evil = "<img src=x onerror=\"window.hit = 1\"><script>window.hit = 1</script>";
    let shown = ask(&mut browser, "g", "lua", &format!("[[{evil}]], {{['{}'] = 1}}", "<b>x</b>"));
    assert!(shown.contains("<img src=x") && shown.contains("<b>x</b>"), "{shown}");
    assert_eq!(
        browser.evaluate("document.querySelectorAll('#result img, #result b').length"),
        json!(0)
    );
    // Injected elements would neither run nor load anything.
    let other = "http://127.0.0.1:9/x";
    browser.evaluate(&format!(
        "document.body.append(Object.assign(document.createElement('img'), {{ src: '{other}' }}));
         document.body.append(Object.assign(document.createElement('script'), {{ textContent: 'window.hit = 1' }}));
         document.body.append(Object.assign(document.createElement('iframe'), {{ src: '{other}' }}));
         fetch('{other}').catch(() => true)"
    ));
    assert_eq!(browser.evaluate("window.hit === undefined"), json!(true));
    let said = browser.said();
    let blocked = ["Loading the image", "Executing inline script", "Framing", "Connecting to"];
    for what in blocked {
        assert!(said.contains(what), "{what} is not refused: {said}");
    }
    assert_eq!(server.terminate(), Some(0));
}

#[test]
fn a_query_that_is_cancelled_in_the_page_ends_in_the_server() {
    let Some((mut browser, server, _folder)) = open("query page cancel", serve_both) else {
        return;
    };
    browser.evaluate("document.querySelector('#language').value = 'lua'");
    browser.type_into("#text", "while true do end");
    browser.click("#run");
    browser.wait_for("!document.querySelector('#cancel').hidden");
    browser.click("#cancel");
    browser.wait_for("document.querySelector('#result').innerText === 'cancelled'");
    // The request for the numbers themselves is not counted.
    browser.wait_for(
        "fetch('/metrics').then(response => response.text())\
             .then(text => text.includes('millrace_http_requests_under_way 0'))",
    );
    assert_eq!(server.terminate(), Some(0));
}
