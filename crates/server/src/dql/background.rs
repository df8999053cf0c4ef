//! Changes of the schema that go on after their answer: `runInBackground`. One at a time, as in Dgraph; what it builds is
//! named in the health of the server, and a failure in its log, as its client has its answer by then. The memory for bodies ends
//! with the answer, so the text of one that goes on takes its own.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use millrace_db::dql::DqlSchema;
use millrace_db::languages::dql::changes::{Alter, bytes_of_query};
use millrace_model::{Error, ErrorKind, Result};

use super::mutations::reserved;
use super::{Asker, Dql};
use crate::executor::guarded;
use crate::limits::DQL_STATE_PREDICATES_MAX;

/// What a change of the schema builds in the background.
#[derive(Default)]
pub(super) struct Building(Mutex<Option<Vec<String>>>);

impl Building {
    fn now(&self) -> MutexGuard<'_, Option<Vec<String>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The predicates that are indexed now.
    pub(super) fn predicates(&self) -> Vec<String> {
        self.now().clone().unwrap_or_default()
    }

    /// Begins one; it is over once what this returns is dropped. Refused while there is another, with the words on which
    /// clients try again.
    fn begin(self: &Arc<Building>, mut predicates: Vec<String>) -> Result<Begun> {
        let mut now = self.now();
        if now.is_some() {
            let detail = "errIndexingInProgress. Please retry";
            return Err(Error::new(ErrorKind::Failed, detail));
        }
        predicates.truncate(DQL_STATE_PREDICATES_MAX);
        *now = Some(predicates);
        Ok(Begun(Arc::clone(self)))
    }
}

/// A change that goes on.
struct Begun(Arc<Building>);

impl Drop for Begun {
    fn drop(&mut self) {
        *self.0.now() = None;
    }
}

impl Dql {
    /// Changes the schema after the caller has its answer, if the text of the schema is right. What removes data goes
    /// on at once: `false` says that nothing was begun.
    pub(crate) async fn alter_in_background(
        self: &Arc<Dql>,
        asker: &Asker,
        alter: &Alter,
    ) -> Result<bool> {
        let Alter::Schema(text) = alter else { return Ok(false) };
        let memory = reserved(bytes_of_query(text), self.state.database.memory())?;
        let own = text.clone();
        let read = move || guarded(|| DqlSchema::parse(&own).map(|read| read.indexed()));
        let indexed = self.state.executor.answer(asker.peer.client, read).await??;
        let begun = self.building.begin(indexed)?;
        let (own, mut asker, alter) = (Arc::clone(self), asker.clone(), alter.clone());
        // No client waits for it.
        asker.limits.deadline = None;
        tokio::spawn(async move {
            let done = own.alter(&asker, alter, "").await;
            drop((begun, memory));
            if let Err(error) = done {
                tracing::warn!(name: "alter-failed", %error, "a change of the schema in the background failed");
            }
        });
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_goes_on_at_a_time() {
        let building = Arc::new(Building::default());
        let begun = building.begin(vec!["name".to_owned()]).unwrap();
        assert_eq!(building.predicates(), ["name"]);
        let second = building.begin(Vec::new()).err().unwrap();
        assert!(second.detail.ends_with("Please retry"), "{second}");
        drop(begun);
        assert!(building.predicates().is_empty());
        let many = (0..DQL_STATE_PREDICATES_MAX + 1).map(|number| format!("p{number}"));
        let _begun = building.begin(many.collect()).unwrap();
        assert_eq!(building.predicates().len(), DQL_STATE_PREDICATES_MAX);
    }
}
