//! The experiment: servers are started, asked for uids, checked, and measured in turn.

use std::path::Path;
use std::thread;
use std::time::Duration;

use millrace_model::random::SplitMix64;
use millrace_model::{Error, ErrorKind, Result};

use super::check::{Checked, check};
use super::clients::{Asked, Clients};
use super::facts::{Fact, Statements};
use super::ids::{Films, Id};
use super::limits::{CHECKED, QUICK, QUICK_RUN_MIN, UIDS_ASKED};
use super::outcome::{Experiment, Figures, Row, Subject};
use super::own::Prepared;
use super::plan::{Conditions, Step, Varied};
use super::queries::{By, Query, Text};
use super::report::words;
use super::settings::{Databases, Settings, Time};
use super::target::Target;
use crate::machine::{Machine, joined, use_processors};
use crate::process::processor_seconds_in;

/// Hears what goes on.
pub(super) type Progress<'a> = dyn FnMut(&str) + Send + 'a;

/// What stays while servers come and go.
struct Stage<'a> {
    settings: &'a Settings,
    films: Films,
    samples: Vec<Sample>,
    /// The ways to name nodes.
    by: Vec<By>,
    prepared: Option<Prepared<'a>>,
    /// Of each target, once it was asked for uids.
    questions: Vec<Option<Vec<Question>>>,
    run: Duration,
    warm_up: Duration,
}

/// How many persons are asked about to check the answers of a query.
struct Sample {
    query: Query,
    /// Their places in the list.
    persons: Vec<usize>,
    facts: Vec<Fact>,
}

/// A query with all ids that it may begin at, in the order of the list.
struct Question {
    query: Query,
    by: By,
    text: Text,
    ids: Vec<Box<str>>,
}

/// Runs the experiment.
pub(super) fn experiment(settings: &Settings, progress: &mut Progress<'_>) -> Result<Experiment> {
    let mut stage = Stage::set(settings, progress)?;
    let varied = Varied { by: stage.by.clone(), ..settings.varied.clone() };
    let (steps, usual) = (varied.steps(), varied.usual());
    (stage.run, stage.warm_up) = stage.times(&steps);
    let mut rows = Vec::new();
    let is_same_servers = |step: &Step, next: &Step| {
        let servers = |step: &Step| (step.conditions.cores, step.conditions.endpoints);
        servers(step) == servers(next)
    };
    for group in steps.chunk_by(is_same_servers) {
        // A thread of its own may be given fewer processors; those it starts, and servers, have the same.
        let measured =
            thread::scope(|scope| joined(scope.spawn(|| stage.measure(group, progress))));
        rows.extend(measured?);
    }
    let notes = words::notes(settings, &rows);
    let conditions = words::conditions(settings, &stage.films_shown(), stage.run, stage.warm_up);
    Ok(Experiment { machine: Machine::here(), conditions, rows, notes, usual })
}

impl Stage<'_> {
    fn set<'a>(settings: &'a Settings, progress: &mut Progress<'_>) -> Result<Stage<'a>> {
        let prepared = match &settings.databases {
            Databases::Own(own) => Some(own.prepare()?),
            Databases::Others { .. } => None,
        };
        let (folder, targets) = match (&settings.databases, &prepared) {
            (Databases::Others { targets, films }, _) => (films.as_path(), targets.len()),
            (_, Some(prepared)) => (prepared.folders.files.as_path(), 1),
            (Databases::Own(_), None) => (Path::new(""), 1),
        };
        let films = Films::read(folder)?;
        let by = films.ways(&settings.by)?;
        progress(&format!("reading what {CHECKED} answers of each query have to be"));
        let statements = Statements::new(films.quads(), films.names);
        let sample = |query: &Query| Sample::choose(*query, &films, &statements, settings.seed);
        let samples = settings.queries.iter().map(sample).collect::<Result<_>>()?;
        let questions = (0..targets).map(|_| None).collect();
        let (run, warm_up) = (Duration::ZERO, Duration::ZERO);
        Ok(Stage { settings, films, samples, by, prepared, questions, run, warm_up })
    }

    /// How long a run and a warm-up are.
    fn times(&self, steps: &[Step]) -> (Duration, Duration) {
        match self.settings.time {
            Time::Each { run, warm_up } => (run, warm_up),
            Time::Quick => {
                let queries = self.settings.queries.len();
                let asked: usize = steps.iter().map(|step| 1 + queries * step.by.len()).sum();
                let runs = self.settings.runs as f64 + 0.5;
                let run = QUICK.div_f64((asked * self.questions.len()) as f64 * runs);
                let run = run.max(QUICK_RUN_MIN);
                (run, run / 2)
            }
        }
    }

    /// How many films there are, in words.
    fn films_shown(&self) -> String {
        let [actors, directors] = Query::ALL.map(|query| self.films.of(query).len());
        format!("{actors} actors, {directors} directors")
    }

    /// Measures steps that have the same servers.
    fn measure(&mut self, steps: &[Step], progress: &mut Progress<'_>) -> Result<Vec<Row>> {
        let Some(Step { conditions, .. }) = steps.first() else { return Ok(Vec::new()) };
        if let Some(cores) = conditions.cores {
            use_processors(cores)?;
        }
        let mut running = None;
        let targets: Vec<(usize, Target)> = match (&self.settings.databases, &mut self.prepared) {
            (Databases::Others { targets, .. }, _) => (0..)
                .zip(targets)
                .filter_map(|(at, target)| Some((at, target.of_endpoints(conditions.endpoints)?)))
                .collect(),
            (Databases::Own(_), Some(prepared)) => {
                let own = running.insert(prepared.serve(conditions.endpoints)?);
                vec![(0, own.target.clone())]
            }
            (Databases::Own(_), None) => Vec::new(),
        };
        for (at, target) in &targets {
            self.ask_for_uids(*at, target, progress)?;
            self.check(*at, target, progress)?;
        }
        let mut rows = Vec::new();
        for step in steps {
            rows.extend(self.step(step, &targets, progress)?);
        }
        Ok(rows)
    }

    /// The questions of a target, once: uids are its own unless the films have them.
    fn ask_for_uids(
        &mut self,
        at: usize,
        target: &Target,
        progress: &mut Progress<'_>,
    ) -> Result<()> {
        if self.questions[at].is_some() {
            return Ok(());
        }
        let mut questions = Vec::new();
        for &query in &self.settings.queries {
            for &by in &self.by {
                let listed = self.films.of(query);
                let ids = match by {
                    By::Uid if !self.films.has_uids() => {
                        progress(&format!("asking {} for {} uids", target.name, listed.len()));
                        uids(&mut Clients::open(target, 1, 1)?, &self.films, listed)?
                    }
                    By::Eq => listed.iter().map(|id| self.films.xid(id).into()).collect(),
                    By::Uid | By::Xid => listed.iter().map(|id| id.node.clone()).collect(),
                };
                let text = Text::new(query, by, self.films.names);
                questions.push(Question { query, by, text, ids });
            }
        }
        self.questions[at] = Some(questions);
        Ok(())
    }

    /// Compares answers of each endpoint with the facts.
    fn check(&self, at: usize, target: &Target, progress: &mut Progress<'_>) -> Result<()> {
        progress(&format!("comparing answers of {} with the films", target.name));
        for endpoint in &target.endpoints {
            let endpoint = Target { endpoints: vec![*endpoint], ..target.clone() };
            let mut clients = Clients::open(&endpoint, 1, 1)?;
            for question in self.questions[at].iter().flatten() {
                let own = self.samples.iter().find(|sample| sample.query == question.query);
                let Some(Sample { persons, facts, .. }) = own else { continue };
                let checked = persons
                    .iter()
                    .zip(facts)
                    .map(|(person, fact)| Checked { id: &question.ids[*person], fact });
                let checked: Vec<Checked<'_>> = checked.collect();
                check(&mut clients, (question.query, question.by), self.films.names, &checked)?;
            }
        }
        Ok(())
    }

    /// Measures all that is asked under some conditions, in turn.
    fn step(
        &self,
        step: &Step,
        targets: &[(usize, Target)],
        progress: &mut Progress<'_>,
    ) -> Result<Vec<Row>> {
        progress(&words::shown(&step.conditions));
        let mut lanes: Vec<Lane<'_>> =
            targets.iter().map(|own| self.lane(step, own)).collect::<Result<_>>()?;
        let mut seeds = SplitMix64::new(self.settings.seed);
        if !self.warm_up.is_zero() {
            for Lane { series, clients, .. } in &mut lanes {
                for one in series.iter() {
                    clients.drive(one.asked, self.warm_up, seeds.next_u64())?;
                }
            }
        }
        // Databases follow one another with the same question, so that both meet the same bursts of a busy machine.
        let count = lanes.iter().map(|lane| lane.series.len()).max().unwrap_or(0);
        for run in 0..self.settings.runs {
            for index in 0..count {
                // Backwards by turns, so that what precedes a question is not always the same.
                let index = if run % 2 == 0 { index } else { count - 1 - index };
                for Lane { series, clients, target, .. } in &mut lanes {
                    let Some(one) = series.get_mut(index) else { continue };
                    let seed = seeds.next_u64();
                    one.runs.push(timed(clients, target, one.asked, self.run, seed)?);
                }
            }
        }
        Ok(lanes.into_iter().flat_map(|lane| lane.rows(step.conditions)).collect())
    }

    /// A target with all that is asked of it in a step: the reference, then the queries.
    fn lane<'a>(&'a self, step: &Step, (at, target): &'a (usize, Target)) -> Result<Lane<'a>> {
        let one = |subject, asked| Series { subject, asked, runs: Vec::new() };
        let asked = self.questions[*at].iter().flatten();
        let asked = asked.filter(|question| step.by.contains(&question.by));
        let queries = asked.map(|Question { query, by, text, ids }| {
            one(Subject::Query(*query, *by), Asked::Query { text, ids })
        });
        let series = std::iter::once(one(Subject::Reference, Asked::Reference)).chain(queries);
        let (connections, threads) = (step.conditions.connections, self.settings.client_threads);
        let clients = Clients::open(target, connections, threads)?;
        Ok(Lane { at: *at, target, clients, series: series.collect() })
    }
}

/// A target, and what is asked of it in turn.
struct Lane<'a> {
    at: usize,
    target: &'a Target,
    clients: Clients,
    series: Vec<Series<'a>>,
}

/// What is asked, and the figures so far.
struct Series<'a> {
    subject: Subject,
    asked: Asked<'a>,
    runs: Vec<Figures>,
}

impl Lane<'_> {
    fn rows(self, conditions: Conditions) -> Vec<Row> {
        let Lane { at, target, series, .. } = self;
        let medians: Vec<Figures> = series.iter().map(|one| Figures::medians(&one.runs)).collect();
        let reference = medians.first().map_or(f64::NAN, |reference| reference.rate);
        let row = |(one, figures): (Series<'_>, Figures)| Row {
            target: target.name.clone(),
            target_number: at,
            protocol: target.protocol,
            subject: one.subject,
            conditions,
            of_reference: figures.rate / reference,
            figures,
            runs: one.runs,
        };
        series.into_iter().zip(medians).map(row).collect()
    }
}

fn timed(
    clients: &mut Clients,
    target: &Target,
    asked: Asked<'_>,
    time: Duration,
    seed: u64,
) -> Result<Figures> {
    let own = || processor_seconds_in(Path::new("/proc/self/stat"));
    let (server, client) = (target.processor_seconds(), own());
    let driven = clients.drive(asked, time, seed)?;
    let since = |after: Option<f64>, before: Option<f64>| Some(after? - before?);
    let (server, client) = (since(target.processor_seconds(), server), since(own(), client));
    Ok(Figures::of(&driven, time, server, client))
}

/// The uids of persons, in their order.
fn uids(clients: &mut Clients, films: &Films, persons: &[Id]) -> Result<Vec<Box<str>>> {
    let mut found = Vec::with_capacity(persons.len());
    for part in persons.chunks(UIDS_ASKED) {
        let xids: Vec<String> = part.iter().map(|id| format!("\"{}\"", films.xid(id))).collect();
        let query = format!("{{ q(func: eq(xid, [{}])) {{ uid xid }} }}", xids.join(", "));
        let answer = clients.ask(&query)?;
        let nodes = answer["q"].as_array().into_iter().flatten();
        let pairs = nodes.filter_map(|node| Some((node["xid"].as_str()?, node["uid"].as_str()?)));
        let uids: hashbrown::HashMap<&str, &str> = pairs.collect();
        for id in part {
            let xid = films.xid(id);
            let uid = uids.get(xid).ok_or_else(|| {
                let detail = format!("there is no node with the xid {xid}");
                let error = Error::new(ErrorKind::NotFound, detail);
                error.with_help("does the database have the films of --ids?")
            })?;
            found.push(Box::from(*uid));
        }
    }
    Ok(found)
}

impl Sample {
    /// Draws persons, each once, and reads what is right for them.
    fn choose(query: Query, films: &Films, statements: &Statements, seed: u64) -> Result<Sample> {
        let listed = films.of(query);
        let mut random = SplitMix64::new(seed);
        let mut persons: Vec<usize> =
            (0..CHECKED).map(|_| random.below(listed.len() as u64) as usize).collect();
        persons.sort_unstable();
        persons.dedup();
        let nodes: Vec<&str> = persons.iter().map(|person| &*listed[*person].node).collect();
        let facts = statements.facts(query, &nodes)?;
        match facts.iter().position(|fact| fact.films.is_empty()) {
            None => Ok(Sample { query, persons, facts }),
            Some(at) => {
                let (query, file) = (query.name(), films.quads());
                let detail = format!("{}: the {query} {} has no film", file.display(), nodes[at]);
                Err(Error::new(ErrorKind::BadInput, detail))
            }
        }
    }
}
