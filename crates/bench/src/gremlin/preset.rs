//! The experiments of the article about JanusGraph's write speed, as values of arguments.

use super::workload::Script;

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
    /// The first rate, the last if it is another, and where values stand.
    pub(super) fn rates_and_script(self) -> (f64, Option<f64>, Script) {
        match self {
            Preset::Article1 => (100.0, Some(1_000.0), Script::Literal),
            Preset::Article2 => (100.0, Some(1_000.0), Script::Parameterized),
            Preset::Article3 => (1_750.0, None, Script::Parameterized),
        }
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
