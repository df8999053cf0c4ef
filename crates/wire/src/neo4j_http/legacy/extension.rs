//! Plugins: the one that runs scripts in Gremlin.

use std::sync::Arc;

use super::cypher::text_and_parameters;
use super::failure::Failure;
use super::nodes::made;
use super::operation::{Kind, Shape, Statement, Whole};
use super::root::{GREMLIN, names};
use super::routes::{At, Made, Route, route};
use crate::http::Method::{Get, Post};

pub(super) const ROUTES: &[Route] = &[
    route(Get, "/ext", "200: the names of plugins", |_| known(names(&[GREMLIN]))),
    route(Get, "/ext/{plugin}", "200: the scripts of the plugin", |at| {
        plugin(at)?;
        known("{\"graphdb\":[\"execute_script\"]}".to_owned())
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

fn known(body: String) -> Made {
    made(Kind::Whole(Box::new(Whole::of(Shape::Known(Arc::from(body))))))
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

fn script(at: &At<'_>) -> Made {
    plugin(at)?;
    if at.text("call") != "execute_script" {
        let message = format!("`{}` of GremlinPlugin", at.text("call"));
        return Err(Failure::unsupported(message, "it has `execute_script`"));
    }
    let (text, parameters) = text_and_parameters(&at.body()?, "script")?;
    let asked = Some(Statement { language: "gremlin", text, parameters });
    made(Kind::Whole(Box::new(Whole { asked, shape: Shape::Script })))
}
