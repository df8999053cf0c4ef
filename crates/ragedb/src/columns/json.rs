//! Nodes and relationships as JSON.

use millrace_model::value::ValueMap;

use super::elements::{Node, Relationship};
use crate::json::{write_display, write_string, write_value};

pub(crate) fn write_node(text: &mut String, node: &Node) -> mlua::Result<()> {
    write_display(text, format_args!("{{ \"id\": {}, \"type\": ", node.id));
    write_string(text, &node.label);
    text.push_str(", \"key\": ");
    write_string(text, &node.key);
    text.push_str(", \"properties\": ");
    write_properties(text, &node.properties)?;
    text.push_str(" }");
    Ok(())
}

pub(crate) fn write_relationship(text: &mut String, edge: &Relationship) -> mlua::Result<()> {
    write_display(text, format_args!("{{ \"id\": {}, \"type\": ", edge.id));
    write_string(text, &edge.edge_type);
    write_display(
        text,
        format_args!(
            ", \"starting_node_id\": {}, \"ending_node_id\": {}, \"properties\": ",
            edge.source, edge.target
        ),
    );
    write_properties(text, &edge.properties)?;
    text.push_str(" }");
    Ok(())
}

fn write_properties(text: &mut String, properties: &ValueMap) -> mlua::Result<()> {
    text.push('{');
    for (index, (key, value)) in properties.iter().enumerate() {
        text.push_str(if index > 0 { ", " } else { " " });
        write_string(text, key.as_str().unwrap_or_default());
        text.push_str(": ");
        write_value(text, value).map_err(mlua::Error::external)?;
    }
    text.push_str(if properties.is_empty() { "}" } else { " }" });
    Ok(())
}
