//! The reference page of all routes over HTTP but Gremlin's.

use super::routes::{ROUTES, Route};
use crate::ragedb;

const HEAD: &str = "# HTTP routes

Generated from the tables of routes; do not edit. A header `Millrace-Deadline-Ms` gives a request another deadline;
`Millrace-Bytes-Max` and `Millrace-Answer-Bytes-Max` let it hold, and a script answer, less than the settings say.

## Administration: 127.0.0.1:7280, `listen.admin`

JSON in, as `Content-Type: application/json`, and JSON out. An error is
`{\"error\": {\"kind\", \"message\", \"help\", \"line\", \"column\"}}`, and the header `Millrace-Error` names its kind. It is on whatever
`--listen` names; `--listen admin=off`, or `listen.admin = \"off\"`, switches it off.

| method | path | effect |
| --- | --- | --- |
";

const SCHEMA: &str = "
Changes of a schema, each with `label` or `edge_type`:

| change | takes | does |
| --- | --- | --- |
| `create_index` | `keys`, `kind`: `exact` (equal values, the default) or `range` (ranges too) | makes an index, beside writers |
| `drop_index` | `keys`, perhaps `kind` | ends it |
| `create_unique` | `keys` | demands that no two elements have the same values |
| `drop_unique` | `keys` | ends that |
| `create_property` | `key`, `type` (default `any`), `required` (default false) | demands a type of a property, and perhaps that it is there |
| `drop_property` | `key` | ends that |
| `create_type` | | lists a label or an edge type before its first use |
| `drop_type` | | ends that; its elements must be gone |

";

/// The page, as Markdown.
pub fn reference_page() -> String {
    let mut page = HEAD.to_owned();
    for Route { method, pattern, about, .. } in ROUTES {
        page.push_str(&format!("| {} | `{pattern}` | {about} |\n", method.word()));
    }
    page.push_str(SCHEMA);
    page.push_str(&ragedb::reference_part());
    page
}
