//! Texts by their first lines.

use super::Looks;
use crate::format::Format;

/// Bytes of a file that are looked at.
const HEAD_BYTES_MAX: usize = 16 << 10;

const TURTLE: &str =
    "Turtle is not read: convert it to N-Triples or N-Quads (riot --output=nt, rapper -o ntriples)";
const RDF_XML: &str = "RDF/XML is not read: convert it to N-Triples or N-Quads (riot --output=nt, \
                       rapper -o ntriples)";
const GEXF: &str = "GEXF is not read: open it in Gephi and export it as GraphML";
const OTHER_XML: &str = "this is another kind of XML: GraphML is the only one that is read";
const HTML: &str = "this is a web page and not the file: download the file itself";
const TYPED_1: &str = "this is GraphSON 1 with types, and GraphSON 3 is read: read it in a Gremlin \
                       console and write it by GraphSONMapper.build().version(V3_0), or as GraphML";
const BLUEPRINTS: &str = "this is the JSON of Blueprints (TinkerPop 2), and GraphSON 3 is read: write \
                          GraphML, which both know";
const NODE_LINK: &str = "JSON of nodes and links is not read: write GraphML (in NetworkX \
                         write_graphml) or CSV";
const JSON_LD: &str = "JSON-LD is not read: convert it to N-Quads (riot --output=nq)";
const CYPHER: &str =
    "a Cypher script is run and not loaded: millrace shell --language cypher --graph GRAPH < FILE";
const SQL: &str = "SQL is not read: write each table as CSV";
const DGRAPH_SCHEMA: &str = "this is a schema of Dgraph and not data: name it by --schema, and the data as the \
                             file to load";
const GML: &str = "GML is not read: write GraphML (in NetworkX read_gml and write_graphml)";
const DOT: &str =
    "DOT is not read: write GraphML (dot2graphml, or read_dot and write_graphml of NetworkX)";
const PAJEK: &str = "Pajek is not read: write GraphML (in NetworkX read_pajek and write_graphml)";

pub(super) fn looks(head: &[u8]) -> Option<Looks> {
    let head = &head[..head.len().min(HEAD_BYTES_MAX)];
    let text = String::from_utf8_lossy(head);
    let text = text.trim_start();
    if is_xml(text) {
        return Some(xml(text));
    }
    if text.starts_with(['{', '[']) {
        return json(text);
    }
    if starts_with(text, "%%matrixmarket") {
        return Some(Looks::Read(Format::MatrixMarket));
    }
    let line = first_line(text)?;
    script(line).map(Looks::Other).or_else(|| rows(line))
}

/// The first line that says something.
fn first_line(text: &str) -> Option<&str> {
    let is_comment =
        |line: &&str| line.is_empty() || line.starts_with('#') || line.starts_with("//");
    text.lines().map(str::trim).find(|line| !is_comment(line))
}

fn starts_with(text: &str, word: &str) -> bool {
    text.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word))
}

/// N-Quads may begin with an IRI in `<>`: a file is XML only if its start is a tag that no IRI can be.
fn is_xml(text: &str) -> bool {
    let is_statement = text.lines().next().is_some_and(|line| line.trim_end().ends_with('.'));
    let tags = ["<html", "<graphml", "<rdf:rdf", "<gexf"];
    let is_tag = !is_statement && tags.iter().any(|tag| starts_with(text, tag));
    is_tag || ["<?xml", "<!--", "<!doctype"].iter().any(|tag| starts_with(text, tag))
}

/// By the first tag that is no comment, declaration or instruction.
fn xml(mut text: &str) -> Looks {
    loop {
        text = text.trim_start();
        if starts_with(text, "<!doctype html") || starts_with(text, "<html") {
            return Looks::Other(HTML);
        }
        let end = match text {
            comment if comment.starts_with("<!--") => "-->",
            instruction if instruction.starts_with("<?") => "?>",
            declaration if declaration.starts_with("<!") => ">",
            _ => break,
        };
        match text.find(end) {
            Some(at) => text = &text[at + end.len()..],
            None => break,
        }
    }
    let name = text.trim_start_matches('<').split([' ', '>', '/', '\t', '\r', '\n']).next();
    let name = name.unwrap_or_default().rsplit(':').next().unwrap_or_default();
    match name.to_ascii_lowercase().as_str() {
        "graphml" => Looks::Read(Format::GraphMl),
        "rdf" => Looks::Other(RDF_XML),
        "gexf" => Looks::Other(GEXF),
        // The root tag may follow a comment longer than the part that is examined.
        "" | "!--" => Looks::Read(Format::GraphMl),
        // A DTD holds tags of its own.
        _ if text.contains("<graphml") => Looks::Read(Format::GraphMl),
        _ => Looks::Other(OTHER_XML),
    }
}

fn json(text: &str) -> Option<Looks> {
    let plain: String = text.chars().filter(|letter| !letter.is_whitespace()).collect();
    let has = |member: &str| plain.contains(member);
    let begins = |member: &str| {
        let inside = plain.trim_start_matches(['[', '{']);
        inside.starts_with(member)
    };
    let is_element = begins("\"id\":") || begins("\"type\":") || begins("\"vertices\":");
    if has("\"@class\":\"java.") {
        return Some(Looks::Other(TYPED_1));
    }
    if begins("\"mode\":\"") || begins("\"graph\":{\"mode\":\"") {
        return Some(Looks::Other(BLUEPRINTS));
    }
    if has("\"type\":\"node\"") || has("\"type\":\"relationship\"") {
        return Some(Looks::Read(Format::GraphSon));
    }
    if is_element
        && (has("\"label\":") || has("\"outE\":") || has("\"properties\":") || has("\"@type\":"))
    {
        return Some(Looks::Read(Format::GraphSon));
    }
    let other = if has("\"_id\":") && (has("\"_type\":") || has("\"_outE\":")) {
        BLUEPRINTS
    } else if begins("\"uid\":")
        || begins("\"namespace\":\"0x")
        || begins("\"set\":")
        || has("\"dgraph.type\":")
    {
        return Some(Looks::Read(Format::DgraphJson));
    } else if has("\"nodes\":[") && (has("\"links\":[") || has("\"edges\":[")) {
        NODE_LINK
    } else if has("\"@context\":") || has("\"@graph\":") || begins("\"@id\":") {
        JSON_LD
    } else {
        return None;
    };
    Some(Looks::Other(other))
}

/// Statements of a language rather than rows.
fn script(line: &str) -> Option<&'static str> {
    let any = |words: &[&str]| words.iter().any(|word| starts_with(line, word));
    if any(&["@prefix ", "@base ", "prefix ", "base <"]) && line.contains('<') {
        return Some(TURTLE);
    }
    if any(&[
        "create (",
        "create(",
        "merge (",
        "merge(",
        "match (",
        "match(",
        "unwind ",
        "load csv ",
    ]) || any(&[
        "create constraint ",
        "create index ",
        ":begin",
        ":auto ",
        ":param",
        "call apoc.",
    ]) {
        return Some(CYPHER);
    }
    if any(&["-- ", "create table ", "insert into ", "drop table ", "set foreign_key", "pragma "]) {
        return Some(SQL);
    }
    if any(&["graph [", "graph[", "creator \""]) {
        return Some(GML);
    }
    if any(&["digraph ", "digraph{", "graph {", "strict graph", "strict digraph"]) {
        return Some(DOT);
    }
    if any(&["*vertices", "*network"]) {
        return Some(PAJEK);
    }
    is_dgraph_schema(line).then_some(DGRAPH_SCHEMA)
}

/// `name: string @index(exact) .`, or `type Person {`.
fn is_dgraph_schema(line: &str) -> bool {
    let named = line.strip_prefix("type ").and_then(|rest| rest.trim_end().strip_suffix('{'));
    if named.is_some_and(|name| !name.contains([',', ';', '\t'])) {
        return true;
    }
    // An export says its namespace first.
    let line = line.strip_prefix("[0x0] ").unwrap_or(line);
    let Some((name, rest)) =
        line.trim_end().strip_suffix('.').and_then(|line| line.split_once(": "))
    else {
        return false;
    };
    let types = ["default", "string", "int", "float", "bool", "datetime", "geo", "uid", "password"];
    let word = rest.trim_start().split([' ', '@']).next().unwrap_or_default();
    let word = word.trim_start_matches('[').trim_end_matches(']').to_ascii_lowercase();
    !name.contains([' ', ',', '\t', '"']) && types.contains(&word.as_str())
}

/// Rows of the formats that are read.
fn rows(line: &str) -> Option<Looks> {
    let is_statement = line.starts_with('<') && line.contains('>') || line.starts_with("_:");
    if is_statement && line.ends_with('.') {
        return Some(Looks::Read(Format::NQuads));
    }
    if line.replace('"', "").starts_with("_id,_labels,") {
        return Some(Looks::Read(Format::Csv));
    }
    let upper = line.to_ascii_uppercase();
    let is_header = [":ID", ":START_ID", ":LABEL"].iter().any(|role| upper.contains(role));
    (is_header && !line.starts_with('<')).then_some(Looks::Read(Format::Csv))
}
