//! Plugins: the one that runs scripts in Gremlin.

use std::sync::Arc;

use super::cypher::text_and_parameters;
use super::failure::Failure;
use super::nodes::made;
use super::operation::{AnswerKind, Kind, Statement, Whole};
use super::root::{GREMLIN, names};
use super::routes::{At, Made, Route, route};
use crate::http::Method::{Get, Post};

pub(super) const ROUTES: &[Route] = &[
    route(Get, "/ext", "200: the names of plugins", |_| known(names(&[GREMLIN]))),
    route(Get, "/ext/{plugin}", "200: the scripts of the plugin", |at| {
        plugin(at)?;
        known("{\"graphdb\":[\"execute_script\"]}".to_owned())
    }),
    route(Get, "/ext/{plugin}/graphdb/{call}", "200: the parameters of the script", |at| {
        script_of(at)?;
        known(DESCRIPTION.to_owned())
    }),
    route(
        Post,
        "/ext/{plugin}/graphdb/{call}",
        "200: `GremlinPlugin/graphdb/execute_script` runs `{script, params}` in Gremlin",
        script,
    ),
    route(Post, "/ext/{plugin}/{of}/{id}/{call}", "501", |at| {
        let message = format!("the plugin {} for a {}", at.text("plugin"), at.text("of"));
        Err(Failure::unsupported(message, "write a query to /db/data/cypher"))
    }),
];

/// What clients ask of a plugin before they call it.
const DESCRIPTION: &str = concat!(
    r#"{"extends":"graphdb","description":"runs a script in Gremlin","name":"execute_script","#,
    r#""parameters":[{"description":"the script","optional":false,"name":"script","type":"string"},"#,
    r#"{"description":"values of its variables","optional":true,"name":"params","type":"map"}]}"#
);

fn known(body: String) -> Made {
    made(Kind::Whole(Box::new(Whole::of(AnswerKind::Known(Arc::from(body))))))
}

fn plugin(at: &At<'_>) -> Result<(), Failure> {
    match at.text("plugin") {
        GREMLIN => Ok(()),
        other => Err(Failure::unsupported(
            format!("the plugin `{other}`"),
            "write a query to /db/data/cypher, or a script to GremlinPlugin",
        )),
    }
}

/// Refuses all but the one script.
fn script_of(at: &At<'_>) -> Result<(), Failure> {
    plugin(at)?;
    match at.text("call") {
        "execute_script" => Ok(()),
        other => {
            let message = format!("`{other}` of GremlinPlugin");
            Err(Failure::unsupported(message, "it has `execute_script`"))
        }
    }
}

fn script(at: &At<'_>) -> Made {
    script_of(at)?;
    let (text, parameters) = text_and_parameters(&at.body()?, "script")?;
    let asked = Some(Statement { language: "gremlin", text, parameters });
    made(Kind::Whole(Box::new(Whole { asked, answer: AnswerKind::Script })))
}
