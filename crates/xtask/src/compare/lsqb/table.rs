//! Counts side by side, and times in turn.

use super::super::measure::Runs;
use super::queries::Query;

/// Millrace may take as many times as long as Kuzu for one query, but not longer for all together.
const RATIO_MAX: f64 = 2.0;

/// An answer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Counted {
    pub(super) count: u64,
    pub(super) ms: f64,
}

/// A database that counts the matches of a pattern.
pub(super) trait Counter {
    fn count(&mut self, query: &Query) -> Result<Counted, String>;
}

/// The rows so far, printed as they come.
#[derive(Default)]
pub(super) struct Table {
    /// The times of all queries, in milliseconds: Kuzu's and Millrace's.
    sums: [f64; 2],
    slow: Vec<&'static str>,
    failures: Vec<String>,
}

impl Table {
    /// Prints the head.
    pub(super) fn begin() -> Table {
        println!("| query | count | Kuzu, ms | Millrace, ms | × |\n|---|---:|---:|---:|---:|");
        Table::default()
    }

    /// Adds a row. A query that fails, or that has two answers, has no times.
    pub(super) fn measure(
        &mut self,
        query: &Query,
        millrace: &mut dyn Counter,
        kuzu: Option<&mut dyn Counter>,
        runs: usize,
    ) {
        let name = query.name;
        match row(query, millrace, kuzu, runs) {
            Ok((count, [kuzu, millrace])) => {
                let ratio = millrace / kuzu;
                println!(
                    "| {name} | {count} | {} | {millrace:.1} | {} |",
                    shown(kuzu, 1),
                    shown(ratio, 2)
                );
                self.sums = [self.sums[0] + kuzu, self.sums[1] + millrace];
                self.slow.extend((RATIO_MAX < ratio).then_some(name));
            }
            Err(why) => {
                println!("| {name} | failed | – | – | – |");
                self.failures.push(format!("{name}: {why}"));
            }
        }
    }

    /// Prints the sums; an error if a row failed.
    pub(super) fn end(self) -> Result<(), String> {
        let [kuzu, millrace] = self.sums;
        println!("| all | | {} | {millrace:.1} | {} |", shown(kuzu, 1), shown(millrace / kuzu, 2));
        if !self.slow.is_empty() {
            eprintln!("more than {RATIO_MAX} times as long as Kuzu: {}", self.slow.join(", "));
        }
        if kuzu < millrace {
            eprintln!("all together take longer than Kuzu");
        }
        if self.failures.is_empty() { Ok(()) } else { Err(self.failures.join("\n")) }
    }
}

/// The count, and the median times of Kuzu and Millrace.
fn row(
    query: &Query,
    millrace: &mut dyn Counter,
    mut kuzu: Option<&mut dyn Counter>,
    runs: usize,
) -> Result<(u64, [f64; 2]), String> {
    let of_kuzu = |error| format!("Kuzu: {error}");
    let own = millrace.count(query).map_err(|error| format!("Millrace: {error}"))?.count;
    if let Some(kuzu) = kuzu.as_mut() {
        let right = kuzu.count(query).map_err(of_kuzu)?.count;
        if right != own {
            return Err(format!("Kuzu counts {right}, Millrace {own}"));
        }
    }
    let (mut own_runs, mut others) = (Vec::new(), Vec::new());
    for _ in 0..runs {
        own_runs.push(millrace.count(query)?.ms);
        if let Some(kuzu) = kuzu.as_mut() {
            others.push(kuzu.count(query).map_err(of_kuzu)?.ms);
        }
    }
    Ok((own, [others, own_runs].map(|runs| Runs(runs).median())))
}

/// A figure, or a dash if Kuzu was not there.
fn shown(figure: f64, digits: usize) -> String {
    if figure.is_nan() { "–".to_owned() } else { format!("{figure:.digits$}") }
}

#[cfg(test)]
mod tests {
    use super::super::queries::QUERIES;
    use super::*;

    /// Gives one answer, and counts the questions.
    struct Fake {
        answer: Result<u64, String>,
        asked: usize,
    }

    impl Counter for Fake {
        fn count(&mut self, _: &Query) -> Result<Counted, String> {
            self.asked += 1;
            Ok(Counted { count: self.answer.clone()?, ms: self.asked as f64 })
        }
    }

    fn counts(answer: u64) -> Fake {
        Fake { answer: Ok(answer), asked: 0 }
    }

    #[test]
    fn equal_counts_pass_and_are_measured_after_a_first_run() {
        let [mut own, mut kuzu] = [counts(7), counts(7)];
        let mut table = Table::begin();
        table.measure(&QUERIES[0], &mut own, Some(&mut kuzu), 3);
        assert_eq!((own.asked, kuzu.asked), (4, 4));
        assert_eq!(table.sums, [3.0, 3.0], "the median of the second to the fourth run");
        assert_eq!(table.end(), Ok(()));
    }

    #[test]
    fn a_count_that_differs_fails_behind_the_rows_after_it() {
        let mut table = Table::begin();
        table.measure(&QUERIES[2], &mut counts(7), Some(&mut counts(8)), 1);
        let mut own = counts(5);
        table.measure(&QUERIES[3], &mut own, Some(&mut counts(5)), 1);
        assert_eq!(own.asked, 2);
        assert_eq!(table.end(), Err("q3: Kuzu counts 8, Millrace 7".to_owned()));
    }

    #[test]
    fn a_database_that_fails_is_named() {
        let mut broken = Fake { answer: Err("no memory".to_owned()), asked: 0 };
        let mut table = Table::begin();
        table.measure(&QUERIES[0], &mut counts(7), Some(&mut broken), 1);
        table.measure(&QUERIES[1], &mut broken, None, 1);
        let failed = "q1: Kuzu: no memory\nq2: Millrace: no memory";
        assert_eq!(table.end(), Err(failed.to_owned()));
    }

    #[test]
    fn millrace_alone_is_measured() {
        let mut table = Table::begin();
        table.measure(&QUERIES[0], &mut counts(7), None, 1);
        assert!(table.sums[0].is_nan() && table.slow.is_empty());
        assert_eq!(table.end(), Ok(()));
    }
}
