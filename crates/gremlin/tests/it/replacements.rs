//! Calls and words of public scripts are refused with their replacements, and the replacements run.

use millrace_bytecode::Argument;
use millrace_gremlin::replacements::{FAMILIES, Family, Replacement, Use};
use millrace_gremlin::text::{Expression, Language, Statement, parse};
use millrace_gremlin::translate;
use millrace_model::{Error, Value};

use super::reference::check_page;
use super::show;

/// Reads the statements of a text and plans them, with a number for each variable.
fn ask(text: &str) -> Result<(), Error> {
    let script = parse(text, Language::Groovy)?;
    script.check_variables(&|name| name.starts_with(|letter: char| !letter.is_alphabetic()))?;
    script.statements.iter().try_for_each(check)
}

/// The same for a writing text, with values for its variables.
fn ask_with_variables(text: &str) -> Result<(), Error> {
    parse(text, Language::Groovy)?.statements.iter().try_for_each(check)
}

fn check(statement: &Statement) -> Result<(), Error> {
    let bound = statement.bind(&mut |_| Some(Argument::Value(Value::I32(1))))?;
    match bound {
        Expression::Traversal(traversal) => translate(&traversal.bytecode).map(drop),
        Expression::Argument(_) | Expression::Transaction { .. } => Ok(()),
    }
}

/// Scripts that use a word as a row says.
fn uses(family: &Family, row: &Replacement) -> Vec<String> {
    let word = row.word;
    let is_operator = word.starts_with(|letter: char| !letter.is_alphabetic());
    match family.used {
        Use::Call => vec![
            format!("g.V().{word}()"),
            format!("g.V().has('name', {word}('a'))"),
            format!("list.{word}()"),
            format!("g.V().toList().{word}()"),
            format!("[1, 2].{word}()"),
            format!("g.V().toList().{word}{{ it }}"),
            format!("list.{word}{{ it }}"),
        ],
        Use::Transaction => vec![format!("g.tx().{word}()"), format!("graph.tx().{word}{{ it }}")],
        Use::Class if word == "class" => vec!["mgmt.x(Unknown.class)".to_owned()],
        Use::Class if word.contains('.') => {
            vec![format!("g.V().has('a', {word})"), format!("x = {word}")]
        }
        Use::Class => vec![
            format!("x = new {word}(1)"),
            format!("g.V().is({word}.unknown(1))"),
            format!("x = {word}.unknown()"),
        ],
        Use::Closure => {
            vec![format!("g.V().{word}{{ it.get() }}"), format!("g.V().{word}('a'){{ x -> x }}")]
        }
        Use::Word if is_operator => vec![format!("x = 1 {word} y"), format!("g.V(1 {word} y)")],
        Use::Word if word == "closure" => vec!["g.V().out(){ it }".to_owned()],
        Use::Word if word == "new" => vec!["new Unknown(1)".to_owned()],
        Use::Word => {
            let written = row.written.replace('…', "1");
            vec![format!("found = {written}"), written]
        }
        Use::Console => vec![row.written.to_owned()],
    }
}

#[test]
fn each_word_is_refused_with_its_replacement() {
    let mut wrong = Vec::new();
    for family in FAMILIES {
        for row in family.rows {
            let scripts = uses(family, row);
            let is_refused_so = |text: &String| {
                ask(text).err().is_some_and(|error| error.help.as_deref() == Some(row.instead))
            };
            if !scripts.iter().any(is_refused_so) {
                let said: Vec<String> = scripts
                    .iter()
                    .map(|text| format!("{:?}", ask(text).err().map(|error| error.to_string())))
                    .collect();
                wrong.push(format!("{} {:?}: {said:?}", row.word, family.used));
            }
        }
    }
    assert!(wrong.is_empty(), "{} words:\n{}", wrong.len(), wrong.join("\n"));
}

/// The pieces of Gremlin in a text of help: those between backticks that are no command or name.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    const OTHER: [&str; 12] = [
        "millrace ",
        "cargo ",
        "GET ",
        "POST ",
        ":",
        "--",
        "?kind",
        "evaluationTimeout",
        "__.",
        "isolation",
        // Requests of administration in JSON.
        "{\"",
        "\"kind\"",
    ];
    let quoted = text.split('`').skip(1).step_by(2);
    quoted.filter(|piece| !OTHER.iter().any(|other| piece.starts_with(other)))
}

#[test]
fn replacements_are_parsed_and_planned() {
    let mut wrong = Vec::new();
    for row in FAMILIES.iter().flat_map(|family| family.rows) {
        for piece in pieces(row.instead) {
            let piece = piece.replace('…', "id()");
            let forms = [
                piece.clone(),
                format!("g.V().{piece}"),
                format!("g.V().out().as('x').{piece}"),
                format!("g.V().is({piece})"),
                format!("g.V().order().by('a', {piece})"),
                format!("g.V().property({piece}, 'a', 'b')"),
                format!("g.V().repeat(out()).{piece}"),
                format!("g.V().choose(label()).{piece}"),
                format!("g.V().group().{piece}"),
                format!("g.V().values('age').{piece}"),
                format!("g.{piece}.V()"),
                format!("x = {piece}"),
            ];
            let is_name =
                piece.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"^$?".contains(&byte));
            if !is_name && !forms.iter().any(|form| ask_with_variables(form).is_ok()) {
                let said =
                    forms[..2].iter().map(|form| ask_with_variables(form).unwrap_err().to_string());
                wrong.push(format!("{}: {piece}: {:?}", row.word, said.collect::<Vec<_>>()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn page() -> String {
    let mut page = String::from(
        "# Words of public scripts, and their replacements\n\nGenerated from the table that messages are made of; \
         do not edit. Words of JanusGraph, of TinkerPop's\nolder versions and its console, of Groovy and of Java \
         that Millrace refuses by name, each with its\nreplacement here. All steps are in \
         [gremlin.md](gremlin.md).\n",
    );
    for family in FAMILIES {
        page.push_str(&format!("\n## {}\n\n| written | here |\n|---|---|\n", family.title));
        for Replacement { written, instead, .. } in family.rows {
            page.push_str(&format!("| `{written}` | {instead} |\n"));
        }
    }
    page
}

#[test]
fn the_page_of_replacements_is_current() {
    check_page("gremlin-replacements.md", &page());
}

#[test]
fn a_misspelt_step_gets_a_suggestion() {
    for (written, meant) in [
        ("ouut", "out"),
        ("vlaues", "values"),
        ("hasLable", "hasLabel"),
        ("cuont", "count"),
        ("lmit", "limit"),
        ("orderBy", "order"),
        ("v", "V"),
        ("valuemap", "valueMap"),
        ("tolist", "toList"),
        ("untill", "until"),
        ("gropu", "group"),
        ("addv", "addV"),
    ] {
        let error = ask(&format!("g.V().{written}('a')")).expect_err("there is no such step");
        let help = error.help.unwrap_or_default();
        assert!(help.contains(&format!("`{meant}()`")), "{written}: {help}");
    }
}

#[test]
fn g_may_be_said_to_be_the_source_of_its_graph() {
    for text in ["g = graph.traversal()", "g = traversal().withEmbedded(graph)"] {
        for rest in ["", "; g.V().count()", "\ng.V().count()"] {
            let script = parse(&format!("{text}{rest}"), Language::Groovy).expect("it is read");
            assert_eq!(script.statements.len(), usize::from(!rest.is_empty()), "{text}{rest}");
            script.check_variables(&|_| false).expect("it needs no variable");
        }
    }
    for text in [
        "h = graph.traversal()",
        "g = other.traversal()",
        "g = graph.traversal(1)",
        "g = traversal().withEmbedded(other)",
        "g = graph.traversal().V()",
    ] {
        let script = parse(text, Language::Groovy).expect("it is read");
        assert_eq!(script.statements.len(), 1, "{text}");
    }
}

#[test]
fn an_index_of_the_management_is_answered_with_the_request_that_makes_it() {
    for (script, parts) in [
        (
            "mgmt = graph.openManagement()\nmgmt.buildIndex('x', Vertex.class).addKey(name)\
             .buildMixedIndex('search')\nmgmt.commit()",
            ["line 2, column 6: `buildIndex(…)` is not supported", "`words(janusgraph)` is for"],
        ),
        (
            "mgmt.buildIndex('byAge', Vertex.class).addKey(age, Mapping.TEXT.asParameter())\
             .indexOnly(person).buildMixedIndex(\"search\"); mgmt.commit()",
            ["POST /graphs/GRAPH/schema", "\"method\": \"words(janusgraph)\""],
        ),
        (
            "mgmt.buildIndex('x', Vertex.class).addKey(name).buildCompositeIndex(); \
             mgmt.buildIndex('y', Vertex.class).addKey(name).buildMixedIndex('search')",
            ["POST /graphs/GRAPH/schema", "\"kind\": \"range\""],
        ),
    ] {
        let error = ask(script).expect_err(script).to_string();
        for part in parts {
            assert!(error.contains(part), "{script}: {error}");
        }
    }
}

#[test]
fn classes_may_stand_behind_their_packages() {
    for (long, short) in [
        (
            "g.V().has('t', org.janusgraph.core.attribute.Text.textContains('x').negate())",
            "g.V().has('t', textContains('x').negate())",
        ),
        (
            "g.V().has('p', org.janusgraph.core.attribute.Geo.geoWithin(org.janusgraph.core.attribute.Geoshape.circle(1, 2, 3)))",
            "g.V().has('p', geoWithin(Geoshape.circle(1, 2, 3)))",
        ),
        (
            "g.V().has('a', org.apache.tinkerpop.gremlin.process.traversal.P.gt(1)).where(org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.out())",
            "g.V().has('a', P.gt(1)).where(__.out())",
        ),
        ("org.V().out()", "org.V().out()"),
        ("g.V(org.V().next())", "g.V(org.V().next())"),
        ("org.tx().commit()", "org.tx().commit()"),
    ] {
        let [long, short] = [long, short].map(|text| {
            parse(text, Language::Groovy).unwrap_or_else(|error| panic!("{text}: {error}"))
        });
        assert_eq!(show::script(&long), show::script(&short));
    }
    let cmp = "g.V().has('a', org.janusgraph.core.attribute.Cmp.GREATER_THAN)";
    let error = ask(cmp).expect_err("it is refused");
    assert!(error.help.is_some_and(|help| help.contains("write `gt(30)`")));
    let point = "p = org.janusgraph.core.attribute.Geoshape.point(1, 2)";
    assert!(parse(point, Language::Groovy).is_ok());
    for wrong in ["org.", "org.apache.", "g.V(org.apache.tinkerpop.", "org.apache.tinkerpop", "org"]
    {
        let _ = parse(wrong, Language::Groovy);
    }
}
