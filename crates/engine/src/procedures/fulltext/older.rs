//! The analyzers there are, and the procedures that made and dropped full-text indexes before Neo4j 5.

use std::sync::Arc;

use millrace_model::{Column, Result, Value};
use millrace_plan::{OwnerName, Signature, ValueType};
use millrace_terms::Analyzer;

use crate::context::{Arguments, Context, Procedure, Yielded};
use crate::procedures::schema::{create_fulltext, drop_index, fulltext_config};

/// `db.index.fulltext.listAvailableAnalyzers`.
pub(super) struct Analyzers;

impl Procedure for Analyzers {
    fn signature(&self) -> Signature {
        let description = "The analyzers of full-text indexes, by name.";
        Signature::reading("db.index.fulltext.listAvailableAnalyzers", description)
            .yields("analyzer", ValueType::Text)
            .yields("description", ValueType::Text)
            .yields("stopwords", ValueType::List)
    }

    fn call(&self, _: &[Arc<Column>], len: usize, _: &Context) -> Result<Yielded> {
        let mut all: Vec<Analyzer> = Analyzer::all().collect();
        all.sort_by_key(|analyzer| analyzer.name());
        let row = |analyzer: &Analyzer| {
            let stop_words = analyzer.stop_words().iter().map(|word| Value::from(*word));
            vec![
                Value::from(analyzer.name()),
                Value::from(analyzer.description()),
                Value::list(stop_words.collect()),
            ]
        };
        Yielded::of_rows(3, (0..len).map(|_| Ok(all.iter().map(row).collect())))
    }
}

/// `db.index.fulltext.createNodeIndex`.
pub(super) const CREATE_NODE_INDEX: CreateIndex = CreateIndex {
    name: "db.index.fulltext.createNodeIndex",
    description: "Makes a full-text index of nodes, as versions of Neo4j before 5 do.",
    owners: "labels",
    owner: OwnerName::Label,
};

/// `db.index.fulltext.createRelationshipIndex`.
pub(super) const CREATE_RELATIONSHIP_INDEX: CreateIndex = CreateIndex {
    name: "db.index.fulltext.createRelationshipIndex",
    description: "Makes a full-text index of relationships, as versions of Neo4j before 5 do.",
    owners: "relationshipTypes",
    owner: OwnerName::EdgeType,
};

/// A procedure that makes an index.
pub(super) struct CreateIndex {
    name: &'static str,
    description: &'static str,
    owners: &'static str,
    owner: fn(millrace_plan::Name) -> OwnerName,
}

impl Procedure for CreateIndex {
    fn signature(&self) -> Signature {
        Signature::reading(self.name, self.description)
            .argument("indexName", ValueType::Text)
            .argument(self.owners, ValueType::List)
            .argument("properties", ValueType::List)
            .optional("config", ValueType::Map)
            .writing()
    }

    fn call(&self, columns: &[Arc<Column>], len: usize, context: &Context) -> Result<Yielded> {
        for row in 0..len {
            let arguments = Arguments { columns, row };
            let owners = arguments.texts(1)?.into_iter().map(self.owner).collect();
            let analyzer = fulltext_config(&arguments.value(3))?;
            let name = arguments.must_text(0)?;
            create_fulltext(&name, owners, arguments.texts(2)?, analyzer, context)?;
        }
        Ok(Yielded::void(len))
    }
}

/// `db.index.fulltext.drop`.
pub(super) struct DropIndex;

impl Procedure for DropIndex {
    fn signature(&self) -> Signature {
        let description = "Drops a full-text index, as versions of Neo4j before 5 do.";
        Signature::reading("db.index.fulltext.drop", description)
            .argument("indexName", ValueType::Text)
            .writing()
    }

    fn call(&self, columns: &[Arc<Column>], len: usize, context: &Context) -> Result<Yielded> {
        for row in 0..len {
            drop_index(&Arguments { columns, row }.must_text(0)?, context)?;
        }
        Ok(Yielded::void(len))
    }
}
