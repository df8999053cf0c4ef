//! Changes of the schema, and what removes data: a graph is emptied as a whole, a large predicate in several transactions.

use std::sync::Arc;

use millrace_db::languages::dql::changes::{Alter, bytes_of_query};
use millrace_db::languages::dql::language::altering;
use millrace_db::session::Statements;
use millrace_db::{Emptying, Results};
use millrace_model::Result;

use super::mutations::reserved;
use super::run::Work;
use super::{Answer, Asker, Dql};
use crate::executor::guarded;
use crate::limits::REMOVED_TOGETHER_MAX;
use crate::under_way::Progress;

/// What the list of requests has for its text.
const ALTER: &str = "alter";

/// What an answer says of a change that was made.
const DONE: &str = "{\"code\":\"Success\",\"message\":\"Done\"}";

impl Dql {
    /// Changes the schema, or removes data; `prefix` stands in front of the result.
    pub(crate) async fn alter(
        &self,
        asker: &Asker,
        alter: Alter,
        prefix: &'static str,
    ) -> Result<Answer> {
        let bytes = if let Alter::Schema(text) = &alter { bytes_of_query(text) } else { 0 };
        let _memory = reserved(bytes, self.state.database.memory())?;
        // The numbers of transactions are noted in a graph, which is there then.
        self.number(asker).await?;
        match &alter {
            Alter::DropAll => return self.empty(asker, Emptying::DataAndSchema, prefix).await,
            Alter::DropData => return self.empty(asker, Emptying::Data, prefix).await,
            Alter::DropPredicate(name) if self.goes_in_parts(asker)? => {
                for part in [Alter::RemoveEdges(name.clone()), Alter::RemoveValues(name.clone())] {
                    self.run_alone(asker, Work::writing(altering(part)?), prefix).await?;
                }
            }
            Alter::DropPredicate(_)
            | Alter::Schema(_)
            | Alter::DropType(_)
            | Alter::RemoveEdges(_)
            | Alter::RemoveValues(_) => {}
        }
        self.run_alone(asker, Work::writing(altering(alter)?), prefix).await
    }

    /// Whether one transaction may be too small for what a predicate of the graph has.
    fn goes_in_parts(&self, asker: &Asker) -> Result<bool> {
        let Some(graph) = self.state.database.find_graph(&self.graph_for(asker))? else {
            return Ok(false);
        };
        Ok(REMOVED_TOGETHER_MAX < graph.store().snapshot()?.id_space().bound)
    }

    /// Empties the graph.
    async fn empty(&self, asker: &Asker, goes: Emptying, prefix: &'static str) -> Result<Answer> {
        let state = &self.state;
        let described = Statements::Text(Arc::from(ALTER));
        let (request, admitted) = self.admit(asker, Work::of(described), None)?;
        let (own, graph) = (Arc::clone(state), self.graph_for(asker));
        let entry = admitted.entry();
        let work = move || {
            entry.note(Progress::Running);
            guarded(|| own.database.renew_graph(&graph, goes))
        };
        let done = state.executor.answer(asker.peer.client, work).await.flatten();
        let outcome = done.as_ref().map(drop).map_err(|error| error.kind);
        request.limits.trace.end(outcome);
        admitted.end(outcome);
        done?;
        let mut answer = Answer::new(prefix, &request.limits, state.database.memory());
        answer.take_json(DONE)?;
        Ok(answer)
    }
}
