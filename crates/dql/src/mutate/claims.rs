//! What a mutation claims of edges, so that transactions conflict as Dgraph's keys say: a list by subject and object, a single
//! `uid` and a deletion of all by the subject. What is not written is claimed, too: an edge that is set may be there, and one
//! that is deleted may not.

use millrace_plan::{Claimed, ColumnId, Expr, Name, op};

use super::stages::Stages;

impl Stages<'_> {
    /// Whether a node may have several edges of a predicate.
    pub(super) fn is_list(&mut self, predicate: &str) -> bool {
        self.translator.predicate(predicate).is_none_or(|known| known.is_list)
    }

    /// Claims all edges of a predicate that leave a node, as one.
    pub(super) fn claim_subject(&mut self, source: ColumnId, predicate: Expr) {
        let keys = ["predicate", "subject"].map(Name::from).to_vec();
        let values = vec![predicate, Expr::Id(Box::new(Expr::Column(source)))];
        self.translator.builder.push(op::Claim::vertex(Vec::new(), keys, values));
    }

    /// Claims the edge of a predicate between two nodes.
    pub(super) fn claim_edge(&mut self, predicate: Expr, source: ColumnId, target: ColumnId) {
        let [source, target] = [source, target].map(Expr::Column);
        let of = Claimed::Edge { edge_type: predicate, source, target };
        self.translator.builder.push(op::Claim { of });
    }
}
