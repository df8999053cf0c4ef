//! The reference page of all routes over HTTP but Gremlin's, from the tables of routes.
//!
//! Tables and their meaning stay in the modules of the protocols.

use crate::admin::{ROUTES, Route};
use crate::ragedb;

const HEAD: &str = "# HTTP routes

Generated from the tables of routes; do not edit. A header `Millrace-Deadline-Ms` gives a request another deadline;
`Millrace-Bytes-Max` and `Millrace-Answer-Bytes-Max` let it hold, and a script answer, less than the settings say.

## Administration: 127.0.0.1:7280, `listen.admin`

JSON in, as `Content-Type: application/json`, and JSON out. An error is
`{\"error\": {\"kind\", \"message\", \"help\", \"offset\", \"line\", \"column\"}}`, and the header `Millrace-Error` names its kind. It is on whatever
`--listen` names; `--listen admin=off`, or `listen.admin = \"off\"`, switches it off.

| method | path | effect |
| --- | --- | --- |
";

const SCHEMA: &str = "
Changes of a schema, each with `label` or `edge_type`:

| change | takes | does |
| --- | --- | --- |
| `create_index` | `keys`, `kind`: `exact` (equal values, the default), `range` (ranges too) or `made` with its `method` | makes an index, beside writers |
| `drop_index` | `keys`, perhaps `kind` or `method` | ends it |
| `create_unique` | `keys` | demands that no two elements have the same values |
| `drop_unique` | `keys` | ends that |
| `create_property` | `key`, `type` (default `any`), `required` (default false) | demands a type of a property, and perhaps that it is there |
| `drop_property` | `key` | ends that |
| `create_type` | | lists a label or an edge type before its first use |
| `drop_type` | | ends that; its elements must be gone |

A `method` says how an index makes its keys of the values. Such an index finds candidates for the tests that it is for, and these
give the same results with it and without it:

| method | for |
| --- | --- |
| `trigrams` | parts of texts and patterns: `CONTAINS`, `STARTS WITH`, `ENDS WITH`, `=~`; Gremlin's `TextP`, `textPrefix`, `textRegex` |
| `words(janusgraph)` | words of texts: Gremlin's `textContains`, `textContainsPrefix`, `textContainsFuzzy`, `textContainsPhrase`, and `textContainsRegex` where all matches begin with letters |
| `points` | points of every reference system: `point.distance(…) < …`, `point.withinBBox`; Gremlin's `geoWithin`, `geoIntersect` |
| `geo` | [geometries](data-types.md#geometries) near, within, around or across others, as Dgraph's functions say |
| `scored-words(ANALYZER)` | full text with scores, as Cypher declares it |
| `vector(DIMENSIONS, SIMILARITY)` | the nearest vectors, as Cypher declares it; similarities: `cosine`, `euclidean`, `dot_product` |

";

const QUERY: &str = "
A query, to `POST /query/{graph}`; `g` stands for the graph of `gremlin.graph` and `neo4j` for that of `cypher.graph`, in every
language and wherever else a graph is named:

| field | what it is |
| --- | --- |
| `language` | one of those of `GET /query` |
| `text` | the text |
| `parameters` | values of variables by name: `{\"age\": 7}` |
| `typed_parameters` | the same with types, as in Neo4j's JSON: `{\"day\": {\"$type\": \"Date\", \"_value\": \"2024-02-29\"}}` |
| `access` | `write` (the default), or `read`: a statement that writes is refused |
| `profile` | `true`: the summary has the profile of the operators as a tree, in place of the rows; `PROFILE` of Cypher does the same |
| `rows_max` | rows that are sent at most |
| `types` | `true`: each value of the answer has its type, in the same form |
| `transaction` | the number of an open transaction that it is a part of |

The answer is `application/x-ndjson`, a JSON object on each line, sent as the rows are found. What a query wrote is visible and
durable before its first line. An error before the first line has its status, as on any route.

| line | |
| --- | --- |
| `{\"columns\": [NAME…], \"is_list\": true}` | the first; `is_list` is `false` where the one row is the whole answer of a script; with `\"is_named\": true` the columns are those of the \
statement, as in Cypher, and with `\"is_plan\": true` the only value is the text of a plan (`EXPLAIN`) |
| `{\"rows\": [[VALUE…]…]}` | any number of them; a value is plain JSON, an element an object with `id`, `label`, `type`, ends and `properties` |
| `{\"summary\": {\"rows\", \"elapsed_ms\", \"is_truncated\", \"counters\", \"profile\"}}` | the last; `is_truncated`: there were more than `rows_max`; `counters`: what the last statement wrote, such as `vertices_created`, if it wrote |
| `{\"error\": {…}}` | the last instead, where the query failed on its way |

An answer without one of the last two lines was cut off. A client that closes the connection, and `DELETE /queries/{id}`, cancel the
query. Positions are of the text: `line` and `column` count from 1, `offset` counts characters from 0.

A transaction of several queries begins with `POST /transactions/{graph}`; the answer is `{\"transaction\": 7, \"idle_ms\": 600000}`. Queries
name it in their field `transaction`; their rows are held whole before they are sent. `POST /transactions/{graph}/7` commits it and
answers once its writes are visible and durable, `DELETE` rolls it back. An error in it rolls everything back, and so does waiting for
`idle_ms` (`bolt.transaction-idle-ms`). A script of Lua is a transaction of its own, and is refused in one.

A check, to `POST /check/{graph}`, is `{\"language\", \"text\", \"offset\"}`; its answer is
`{\"errors\": [{\"message\", \"help\", \"offset\", \"line\", \"column\"}], \"completions\": [{\"text\", \"kind\", \"detail\"}]}`. A completion is
a whole word, which takes the place of its beginning before the offset.

";

/// The page, as Markdown.
pub fn reference_page() -> String {
    let mut page = HEAD.to_owned();
    for Route { method, pattern, about, .. } in ROUTES {
        page.push_str(&format!("| {} | `{pattern}` | {about} |\n", method.word()));
    }
    page.push_str(SCHEMA);
    page.push_str(QUERY.trim_start_matches('\n'));
    page.push_str(&ragedb::reference_part());
    page
}
