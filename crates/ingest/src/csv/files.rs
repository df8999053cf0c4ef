//! Which files make which table: neo4j-admin's `--nodes` and `--relationships` arguments.

use super::load::{TableFiles, TableKind};
use crate::error::LoadError;
use crate::source::Source;
use std::path::Path;
use std::sync::Arc;

impl TableFiles {
    /// `[Label[:Label]…=]header.csv[,part.csv]…`: a table of nodes.
    pub fn nodes(argument: &str) -> Result<Self, LoadError> {
        let (labels, files) = split(argument);
        let labels = labels.split(':').filter(|label| !label.is_empty()).map(Arc::from).collect();
        Self::open(TableKind::Nodes(labels), files)
    }

    /// `[TYPE=]header.csv[,part.csv]…`: a table of relationships.
    pub fn relationships(argument: &str) -> Result<Self, LoadError> {
        let (edge_type, files) = split(argument);
        let edge_type = (!edge_type.is_empty()).then(|| Arc::from(edge_type));
        Self::open(TableKind::Relationships(edge_type), files)
    }

    fn open(kind: TableKind, files: &str) -> Result<Self, LoadError> {
        let names = files.split(',').map(str::trim).filter(|name| !name.is_empty());
        let sources: Vec<_> =
            names.map(|name| Source::file(Path::new(name))).collect::<Result<_, _>>()?;
        match sources.is_empty() {
            true => Err(LoadError::Input("expected a file after the label or type".into())),
            false => Ok(Self { kind: Some(kind), sources }),
        }
    }
}

/// What stands before the first `=`, which file names may hold further on.
fn split(argument: &str) -> (&str, &str) {
    argument.split_once('=').unwrap_or(("", argument))
}
