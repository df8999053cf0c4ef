//! Commands of the Gremlin console, which scripts and pages repeat.

use super::{Replacement, row};

const OWN: &str = "leave it out: it is a command of the Gremlin console, and no Gremlin; `millrace shell` has \
                   commands of its own (`:help`)";
const ONLY: &str = "leave it out and send the rest: the Gremlin console sends to a server by it";
const CONNECT: &str = "leave it out: a client connects by its driver, the Gremlin console by \
                       `:remote connect tinkerpop.server conf/remote.yaml` before it sends";
const PROMPT: &str = "leave the prompt out and send the rest";

pub(super) static COMMANDS: &[Replacement] = &[
    row(":>", ":> g.V()", ONLY),
    row(":submit", ":submit g.V()", ONLY),
    row(":remote", ":remote connect tinkerpop.server conf/remote.yaml", CONNECT),
    row(":plugin", ":plugin use tinkerpop.tinkergraph", OWN),
    row(":install", ":install org.apache.tinkerpop neo4j-gremlin 3.8.0", OWN),
    row(
        ":load",
        ":load script.groovy",
        "send the text of the file, or give it to `millrace shell` by a pipe",
    ),
    row(":bytecode", ":bytecode from g.V()", "write `explain()`, which shows the plan"),
    row(":set", ":set max-iteration 100", OWN),
    row(":help", ":help", OWN),
    row(":clear", ":clear", OWN),
    row(":exit", ":exit", OWN),
    row(":quit", ":quit", OWN),
    row(":x", ":x", OWN),
    row(":q", ":q", OWN),
    row(":import", ":import java.util.Date", "leave it out: Java's classes cannot be used"),
    row(":history", ":history", OWN),
    row(":record", ":record start", OWN),
    row(":show", ":show variables", OWN),
    row(":inspect", ":inspect x", OWN),
    row(":purge", ":purge variables", OWN),
    row(":edit", ":edit", OWN),
    row(":display", ":display", OWN),
    row(":doc", ":doc java.util.Date", OWN),
    row(":uninstall", ":uninstall neo4j-gremlin", OWN),
    row("gremlin>", "gremlin> g.V()", PROMPT),
    row("==>", "==>v[1]", "leave the lines of results out"),
];
