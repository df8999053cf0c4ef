//! The parts of a report that is one HTML page: its frame, tables of judgements and errors.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::{ErrorCount, Judgement};

const STYLE: &str = "body{font:15px/1.5 system-ui,sans-serif;max-width:960px;margin:2rem auto;padding:0 1rem;\
color:#1c2733;background:#fff}h1{font-size:1.5rem}h2{font-size:1.05rem;margin:1.6rem 0 .3rem}\
table{border-collapse:collapse;margin:.5rem 0}td,th{padding:.15rem 1rem .15rem 0;text-align:left;\
vertical-align:top}td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}svg{width:100%;height:auto}\
table.wide{font-size:.85em}table.wide td,table.wide th{padding-right:.6rem;white-space:nowrap}\
svg text{font-size:11px;fill:#5b6875}.grid{stroke:#e3e8ee}.legend span{margin-right:1rem}\
.broken{color:#b3261e;font-weight:600}.met{color:#1b7f4d}";

/// A whole page. The title is a text, the content HTML.
pub(crate) fn page(title: &str, content: &str) -> String {
    let title = escaped(title);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title>\
         <style>{STYLE}</style></head><body>\n<h1>{title}</h1>\n{content}</body></html>\n"
    )
}

/// Thresholds and whether they were met; empty if there are none.
pub(crate) fn judgements(judgements: &[Judgement]) -> String {
    if judgements.is_empty() {
        return String::new();
    }
    let mut page = String::from("<section><h2>Thresholds</h2><table>\n");
    for judgement in judgements {
        let (class, word) = if judgement.met { ("met", "met") } else { ("broken", "broken") };
        let (name, wanted, found) = (judgement.name, judgement.wanted, judgement.found);
        let _ = writeln!(
            page,
            "<tr><td>{name}</td><td class=\"n\">{wanted}</td><td class=\"n\">found {found:.2}</td>\
             <td class=\"{class}\">{word}</td></tr>"
        );
    }
    page.push_str("</table></section>\n");
    page
}

/// Errors by code with the message of the first; empty if there are none.
pub(crate) fn errors(errors: &BTreeMap<String, ErrorCount>) -> String {
    if errors.is_empty() {
        return String::new();
    }
    let mut page = String::from("<section><h2>Errors</h2><table>\n");
    for (code, error) in errors {
        let (code, count, first) = (escaped(code), error.count, escaped(&error.first));
        let _ =
            writeln!(page, "<tr><td>{code}</td><td class=\"n\">{count}</td><td>{first}</td></tr>");
    }
    page.push_str("</table></section>\n");
    page
}

/// A figure as the cell of a table; a dash where there is none.
pub(crate) fn figure_cell(page: &mut String, figure: Option<f64>, digits: usize) {
    let shown = figure.map_or_else(|| "&ndash;".to_owned(), |figure| format!("{figure:.digits$}"));
    page.push_str(&format!("<td class=\"n\">{shown}</td>"));
}

/// Escapes a text from outside, such as the server's messages.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
