//! The runs of a variant: users of the closed model, rates of the open model, crashes.

use std::sync::mpsc::channel;
use std::thread;
use std::time::{Duration, Instant};

use millrace_model::Result;
use millrace_model::random::SplitMix64;

use super::arguments::Settings;
use super::limits::{BEHIND_MAX, CRASH_AFTER, OPEN_USERS};
use super::outcome::{Arrival, Crash, Measurement, Run};
use super::stage::{RunningApp, Stage};
use super::users::{Sent, Target, closed, closed_until_gone, flush, open};
use super::variant::Variant;
use crate::load::latency::millis;
use crate::load::{Judgement, Measured, Schedule, Step, search};
use crate::machine::joined;

/// The first rate of a search, as a share of what the closed model reached.
const FIRST_RATE_SHARE: f64 = 0.5;

/// How often a first rate that is not kept is halved, at most.
const FIRST_RATES_MAX: usize = 5;

/// Says what is under way.
pub(super) type Progress<'a> = dyn FnMut(&str) + 'a;

/// Measures a variant.
pub(super) fn measure(
    stage: &Stage<'_>,
    settings: &Settings,
    variant: Variant,
    progress: &mut Progress<'_>,
) -> Result<Measurement> {
    let name = variant.name();
    if 0 < settings.warm_up {
        let users = settings.users;
        let requests = settings.warm_up.div_ceil(users as u64);
        run(stage, variant, &|target| closed(target, users, requests, settings.seed))?;
    }
    let mut runs = vec![(settings.users, settings.requests)];
    if 0 < settings.many_users {
        runs.push((settings.many_users, settings.requests_of_many()));
    }
    let mut finished = Vec::new();
    for (users, requests) in runs {
        progress(&format!("{name}: {users} users, {requests} requests each"));
        let (sent, arrival, processors) =
            run(stage, variant, &|target| closed(target, users, requests, settings.seed))?;
        finished.push(Run { users, requests, outcome: sent.outcome, arrival, processors });
    }
    let reached = finished.last().map_or(1.0, |run| run.outcome.rate());
    let open = match settings.step.is_zero() {
        true => None,
        false => Some(find_max(stage, settings, variant, reached, progress)?),
    };
    let mut random = SplitMix64::new(settings.seed);
    let mut crashes = Vec::new();
    for number in 1..=settings.crashes {
        let crash = crash(stage, settings, variant, &mut random)?;
        progress(&format!("{name}: crash {number} lost {} of {}", crash.lost, crash.answered));
        crashes.push(crash);
    }
    Ok(Measurement { variant, closed: finished, open, crashes })
}

/// What came of users, their nodes and the processes.
type Finished = (Sent, Arrival, Vec<(&'static str, f64)>);

/// Has users send requests to an app of their own, and waits for the nodes.
fn run(stage: &Stage<'_>, variant: Variant, users: &dyn Fn(Target) -> Sent) -> Result<Finished> {
    let RunningApp { address, worker, run } = stage.start_app(variant)?;
    let processes = stage.processes.with("app", worker.id());
    let before = processes.time();
    let sent = users(Target { app: address, variant });
    flush(address)?;
    let answered = sent.answered.len() as u64;
    let (found, last) = stage.wait_for((&run, variant), answered)?;
    let arrival = Arrival { answered, found, span: last.saturating_duration_since(sent.began) };
    let processors = processes.time().since(&before);
    worker.kill();
    stage.client().delete(&run)?;
    Ok((sent, arrival, processors))
}

/// The highest rate of the open model that is kept: latency, no errors, and nodes that arrive as fast.
fn find_max(
    stage: &Stage<'_>,
    settings: &Settings,
    variant: Variant,
    reached: f64,
    progress: &mut Progress<'_>,
) -> Result<Measured> {
    let seconds = settings.step.as_secs_f64();
    let mut at_rate = |rate: f64| {
        let schedule = Schedule::constant(rate, seconds);
        let (sent, arrival, _) =
            run(stage, variant, &|target| open(target, &schedule, OPEN_USERS, settings.step))?;
        let behind = arrival.span.saturating_sub(settings.step);
        let outcome = sent.outcome;
        let p99 = millis(outcome.latencies.percentile(99.0));
        let judgements = vec![
            Judgement::at_most("--p99-max-ms", settings.p99_max_ms, p99),
            Judgement::at_most("errors", 0.0, outcome.error_count() as f64),
            Judgement::at_most("nodes behind, s", BEHIND_MAX.as_secs_f64(), behind.as_secs_f64()),
        ];
        Ok(Measured::of(outcome, judgements))
    };
    let mut first = (reached * FIRST_RATE_SHARE).max(1.0);
    let mut on_step = |step: &Step| progress(&format!("{}: {}", variant.name(), step.line()));
    let mut steps = Vec::new();
    loop {
        let mut found = search(first, &mut at_rate, &mut on_step)?;
        steps.append(&mut found.steps);
        if found.rate_max.is_some() || FIRST_RATES_MAX <= steps.len() {
            return Ok(Measured { steps, ..found });
        }
        first = (first / 2.0).max(1.0);
    }
}

/// Kills the app with `kill -9` while users send requests, and compares what they were answered with what there is.
fn crash(
    stage: &Stage<'_>,
    settings: &Settings,
    variant: Variant,
    random: &mut SplitMix64,
) -> Result<Crash> {
    let RunningApp { address, worker, run } = stage.start_app(variant)?;
    let (least, most) = CRASH_AFTER;
    let after = least + Duration::from_micros(random.below((most - least).as_micros() as u64));
    let seed = random.next_u64();
    let target = Target { app: address, variant };
    let mut answered = thread::scope(|scope| {
        let (first_answers, first_answer) = channel();
        let users =
            scope.spawn(move || closed_until_gone(target, settings.users, seed, first_answers));
        // There is nothing to wait for once all users have ended.
        let _answered = first_answer.recv();
        let until = Instant::now() + after;
        thread::sleep(until.saturating_duration_since(Instant::now()));
        worker.kill();
        joined(users).answered
    });
    answered.sort_unstable();
    let found = stage.numbers_after_crash(&run, variant)?;
    stage.client().delete(&run)?;
    Ok(Crash::of(after, &answered, &found))
}
