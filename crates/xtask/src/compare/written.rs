//! The outcome of a run of writing requests, and the check that the database holds its writes.

/// A run of requests that each add vertices.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Written {
    /// Requests that were acknowledged in the time measured, a second.
    pub(super) requests_per_second: f64,
    /// Vertices of all requests that were acknowledged, also those behind the time measured.
    pub(super) acknowledged: u64,
    /// Vertices of requests that failed: a server may have added them and failed to say so.
    pub(super) failed: u64,
    /// The message of the first failure.
    pub(super) first_failure: Option<String>,
}

impl Written {
    /// Fails unless the database holds the acknowledged vertices, at most the failed ones besides, and no others.
    pub(super) fn check(&self, before: u64, after: u64) -> Result<(), String> {
        let added = after.saturating_sub(before);
        let possible = self.acknowledged..=self.acknowledged + self.failed;
        if self.acknowledged == 0 {
            let why = self.first_failure.as_deref().unwrap_or("no request ended in time");
            return Err(format!("nothing was acknowledged: {why}"));
        }
        match possible.contains(&added) {
            true => Ok(()),
            false => Err(format!(
                "{} vertices were acknowledged and {} failed, but {added} were added",
                self.acknowledged, self.failed
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn acknowledged_vertices_are_there_and_failed_ones_may_be() {
        let clean = Written { acknowledged: 20, ..Written::default() };
        assert_eq!(clean.check(5, 25), Ok(()));
        assert!(clean.check(5, 24).unwrap_err().contains("19 were added"), "one is lost");
        assert!(clean.check(5, 26).is_err(), "one is too many");
        let unlucky = Written { failed: 10, ..clean };
        assert_eq!(unlucky.check(5, 35), Ok(()));
        assert!(unlucky.check(5, 36).is_err());
    }

    #[test]
    fn a_run_that_did_nothing_says_why() {
        let refused =
            Written { first_failure: Some("too many bindings".into()), ..Written::default() };
        assert!(refused.check(0, 0).unwrap_err().contains("too many bindings"));
    }
}
