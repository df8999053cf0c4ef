//! A peer and Millrace in turn: one run of the one, one of the other, the first of a pair by turns.
//!
//! Both are there all the time and only one is at work. Before work other than a load is measured, each does the same
//! once for as long, so that a JVM has compiled the most of it.

use std::time::{Duration, Instant};

use super::likes::{self, Likes};
use super::options::Options;
use super::peers::Peer;

/// The work that is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Work {
    Load,
    Recommend,
    /// Requests that each add so many vertices.
    Write(u64),
}

impl Work {
    pub(super) const ALL: [Work; 4] =
        [Work::Write(10), Work::Write(1), Work::Recommend, Work::Load];

    /// As it is called in reports.
    pub(super) fn name(self) -> &'static str {
        match self {
            Work::Load => "loading CSV, s",
            Work::Recommend => "recommendation, ms",
            Work::Write(1) => "one vertex a request, requests/s",
            Work::Write(_) => "ten vertices a request, requests/s",
        }
    }

    /// Whether a higher figure is the better one.
    pub(super) fn is_rate(self) -> bool {
        matches!(self, Work::Write(_))
    }
}

/// The figures of all runs.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Runs(pub(super) Vec<f64>);

impl Runs {
    /// The figure in the middle; of an even number, the mean of the two.
    pub(super) fn median(&self) -> f64 {
        let mut sorted = self.0.clone();
        sorted.sort_by(f64::total_cmp);
        let middle = sorted.len() / 2;
        match sorted.len() % 2 {
            1 => sorted[middle],
            _ if sorted.is_empty() => f64::NAN,
            _ => sorted[middle - 1].midpoint(sorted[middle]),
        }
    }

    pub(super) fn least(&self) -> f64 {
        self.0.iter().copied().fold(f64::INFINITY, f64::min)
    }

    pub(super) fn most(&self) -> f64 {
        self.0.iter().copied().fold(f64::NEG_INFINITY, f64::max)
    }
}

/// The figures of a peer, and of Millrace in turn with it.
pub(super) struct Figures {
    pub(super) rows: Vec<Row>,
    /// Requests that failed, as a sentence for the page.
    pub(super) notes: Vec<String>,
}

/// One kind of work.
pub(super) struct Row {
    pub(super) work: Work,
    pub(super) peer: Runs,
    pub(super) millrace: Runs,
}

/// A peer, and Millrace beside it.
pub(super) type Pair = [Box<dyn Peer>; 2];

/// Measures all work. Loads come first: queries run on the loaded graph, and its servers take the writes.
pub(super) fn in_turn(
    pair: &mut Pair,
    likes: &Likes,
    options: &Options,
) -> Result<Figures, String> {
    let mut figures = Figures { rows: Vec::new(), notes: Vec::new() };
    let order = [Work::Load, Work::Recommend, Work::Write(10), Work::Write(1)];
    for work in order {
        if work == Work::Recommend {
            pair.iter_mut().try_for_each(|database| start(database.as_mut(), likes))?;
        }
        for database in pair.iter_mut() {
            let warmed = warm_up(database.as_mut(), work, likes, options);
            warmed.map_err(|error| format!("{}: {error}", work.name()))?;
        }
        figures.rows.push(row(work, pair, likes, options, &mut figures.notes)?);
    }
    figures.rows.sort_by_key(|row| Work::ALL.iter().position(|work| *work == row.work));
    Ok(figures)
}

/// Starts serving the graph that was loaded first, and checks all answers.
fn start(database: &mut dyn Peer, likes: &Likes) -> Result<(), String> {
    database.start()?;
    for (person, right) in &likes.asked {
        likes::check(person, database.recommend(person)?, right)?;
    }
    Ok(())
}

fn warm_up(
    database: &mut dyn Peer,
    work: Work,
    likes: &Likes,
    options: &Options,
) -> Result<(), String> {
    match work {
        Work::Write(vertices) => database.write(vertices, options.seconds).map(|_| ()),
        Work::Recommend => recommend(database, likes, options.seconds).map(|_| ()),
        // A load is measured as its user meets it.
        Work::Load => Ok(()),
    }
}

fn row(
    work: Work,
    pair: &mut Pair,
    likes: &Likes,
    options: &Options,
    notes: &mut Vec<String>,
) -> Result<Row, String> {
    let mut runs = [Vec::new(), Vec::new()];
    for run in 0..options.runs {
        for which in if run % 2 == 0 { [0, 1] } else { [1, 0] } {
            let figure = once(work, pair[which].as_mut(), likes, options, notes);
            runs[which].push(figure.map_err(|error| format!("{}: {error}", work.name()))?);
        }
    }
    let [peer, millrace] = runs.map(Runs);
    eprintln!("  {}: {:.3} (Millrace {:.3})", work.name(), peer.median(), millrace.median());
    Ok(Row { work, peer, millrace })
}

/// One run of one database, checked.
fn once(
    work: Work,
    database: &mut dyn Peer,
    likes: &Likes,
    options: &Options,
    notes: &mut Vec<String>,
) -> Result<f64, String> {
    match work {
        Work::Load => database.load(likes),
        Work::Recommend => recommend(database, likes, options.seconds),
        Work::Write(vertices) => {
            let before = database.count()?;
            let written = database.write(vertices, options.seconds)?;
            written.check(before, database.count()?)?;
            if let Some(why) = &written.first_failure {
                let requests = written.failed / vertices;
                notes.push(format!("{}: {requests} requests failed, such as: {why}", work.name()));
            }
            Ok(written.requests_per_second)
        }
    }
}

/// The median time of a question in milliseconds: all people by turns until the time is over, each once at least.
fn recommend(database: &mut dyn Peer, likes: &Likes, seconds: f64) -> Result<f64, String> {
    let end = Instant::now() + Duration::from_secs_f64(seconds);
    let mut times = Vec::new();
    for (person, _) in likes.asked.iter().cycle() {
        let began = Instant::now();
        database.recommend(person)?;
        times.push(began.elapsed().as_secs_f64() * 1e3);
        if likes.asked.len() <= times.len() && end <= Instant::now() {
            break;
        }
    }
    Ok(Runs(times).median())
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::rc::Rc;

    use super::super::likes::{Counted, Tables};
    use super::super::written::Written;
    use super::*;

    #[test]
    fn a_median_is_in_the_middle() {
        assert_eq!(Runs(vec![9.0, 1.0, 2.0]).median(), 2.0);
        assert_eq!(Runs(vec![4.0, 1.0, 2.0, 9.0]).median(), 3.0);
        let runs = Runs(vec![3.0, 1.0, 2.0]);
        assert_eq!((runs.least(), runs.most()), (1.0, 3.0));
    }

    /// Loses or adds vertices as the test asks for.
    struct Fake {
        vertices: u64,
        lost: u64,
        answer: Vec<Counted>,
        calls: Rc<RefCell<Vec<&'static str>>>,
    }

    impl Peer for Fake {
        fn load(&mut self, _: &Likes) -> Result<f64, String> {
            self.calls.borrow_mut().push("load");
            Ok(2.0)
        }
        fn start(&mut self) -> Result<(), String> {
            self.calls.borrow_mut().push("start");
            Ok(())
        }
        fn recommend(&mut self, _: &str) -> Result<Vec<Counted>, String> {
            Ok(self.answer.clone())
        }
        fn write(&mut self, vertices: u64, _: f64) -> Result<Written, String> {
            self.calls.borrow_mut().push("write");
            self.vertices += 5 * vertices - self.lost;
            let acknowledged = 5 * vertices;
            Ok(Written { requests_per_second: 50.0, acknowledged, ..Written::default() })
        }
        fn count(&mut self) -> Result<u64, String> {
            Ok(self.vertices)
        }
    }

    fn measured(lost: u64, count: u64) -> Result<(Figures, Vec<&'static str>), String> {
        let right = vec![("x".to_owned(), 3)];
        let asked = vec![("ann".to_owned(), right)];
        let files = ["", "", ""].map(Into::into);
        let likes = Likes { files, tables: Tables::default(), asked };
        let calls = [Rc::default(), Rc::default()];
        let fake = |lost, count, calls: &Rc<_>| -> Box<dyn Peer> {
            let answer = vec![("x".to_owned(), count)];
            Box::new(Fake { vertices: 0, lost, answer, calls: Rc::clone(calls) })
        };
        let mut pair = [fake(lost, count, &calls[0]), fake(0, 3, &calls[1])];
        let mut arguments = crate::arguments::Arguments::new(
            ["--runs", "3", "--seconds", "0.1"].map(str::to_owned).into_iter(),
        );
        let options = Options::take(&mut arguments)?;
        let figures = in_turn(&mut pair, &likes, &options)?;
        let calls = calls[0].borrow().clone();
        Ok((figures, calls))
    }

    #[test]
    fn every_work_is_measured_so_often_and_warmed_up_once() {
        let (figures, calls) = measured(0, 3).unwrap();
        let works: Vec<Work> = figures.rows.iter().map(|row| row.work).collect();
        assert_eq!(works, Work::ALL);
        assert!(figures.rows.iter().all(|row| row.peer.0.len() == 3 && row.millrace.0.len() == 3));
        let expected = ["load"; 3].iter().chain(&["start"]).chain(&["write"; 8]);
        assert!(calls.iter().eq(expected), "{calls:?}");
    }

    #[test]
    fn a_lost_vertex_and_a_wrong_answer_fail_the_comparison() {
        assert!(measured(1, 3).err().unwrap().contains("49 were added"));
        assert!(measured(0, 4).err().unwrap().contains("recommendations for ann"));
    }
}
