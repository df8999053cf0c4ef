//! The experiments of the article about JanusGraph's write speed, as arguments.

use super::arguments::{Arguments, Script};

/// One of the article's experiments: ten vertices a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Preset {
    /// From 100 to 1,000 requests a second within five minutes, each text different.
    #[value(name = "article-1")]
    Article1,
    /// The same with variables.
    #[value(name = "article-2")]
    Article2,
    /// 1,750 requests a second for five minutes, with variables.
    #[value(name = "article-3")]
    Article3,
}

impl Preset {
    /// The arguments, where they do not say otherwise.
    pub(super) fn beside(self, given: &Arguments) -> Arguments {
        let (rate, ramp_to, script) = match self {
            Preset::Article1 => (100.0, Some(1_000.0), Script::Literal),
            Preset::Article2 => (100.0, Some(1_000.0), Script::Parameterized),
            Preset::Article3 => (1_750.0, None, Script::Parameterized),
        };
        let mut arguments = given.clone();
        let is_insert = given.query.is_none();
        arguments.batch = given.batch.or(is_insert.then_some(10));
        arguments.script = given.script.or(is_insert.then_some(script));
        arguments.seconds = given.seconds.or(Some(300.0));
        arguments.connections = given.connections.or(Some(8));
        if given.in_flight.is_none() {
            arguments.rate = given.rate.or(Some(rate));
            let keeps_ramp = given.rate.is_none() && !given.find_max;
            arguments.ramp_to = given.ramp_to.or(ramp_to.filter(|_| keeps_ramp));
        }
        arguments
    }

    /// Its name on the command line.
    pub(super) fn name(self) -> &'static str {
        match self {
            Preset::Article1 => "article-1",
            Preset::Article2 => "article-2",
            Preset::Article3 => "article-3",
        }
    }
}
