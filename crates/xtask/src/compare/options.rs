//! The options of `cargo xtask compare`.

use std::path::PathBuf;

use crate::arguments::Arguments;

use super::peers::{self, Description};

/// The page of the documentation.
const PAGE: &str = "docs/benchmarks.md";

/// Where the page goes if it does not show every peer.
const PARTIAL_PAGE: &str = "target/compare/benchmarks.md";

/// The bounds of `--scale`: below, there are fewer people than are asked about; above, `millrace generate` refuses.
const SCALE: (f64, f64) = (0.0005, 100.0);

/// The options of the command.
pub(super) struct Options {
    /// How often each figure is measured; the median is shown.
    pub(super) runs: usize,
    /// How long a figure is measured that is not a load.
    pub(super) seconds: f64,
    /// The size of generated graphs, 1 for 10 million likes; of the social graph, its benchmark's scale factor.
    pub(super) scale: f64,
    /// In the order of the page.
    pub(super) peers: Vec<&'static Description>,
    /// Whether the counting queries of LSQB are compared instead.
    pub(super) lsqb: bool,
    /// Whether patterns of variable length are compared instead.
    pub(super) paths: bool,
    /// Whether scans of properties are compared instead.
    pub(super) scan: bool,
    /// Whether queries on films are compared instead.
    pub(super) films: bool,
    /// Where the figures of these are written for programs.
    pub(super) json: Option<PathBuf>,
    /// The program to measure, if it is not built first.
    pub(super) program: Option<PathBuf>,
    /// From the root of the workspace.
    pub(super) out: PathBuf,
}

impl Options {
    pub(super) fn take(arguments: &mut Arguments) -> Result<Options, String> {
        let runs = arguments.take_number("--runs")?.unwrap_or(5);
        let seconds = arguments.take_decimal("--seconds")?.unwrap_or(10.0);
        let lsqb = arguments.take_flag("--lsqb");
        let paths = arguments.take_flag("--paths");
        let scan = arguments.take_flag("--scan");
        let films = arguments.take_flag("--films");
        let usual = match (lsqb, scan, films) {
            (_, _, true) => 0.05,
            (_, true, _) => 1.0,
            (true, ..) => 0.1,
            (false, false, false) => 0.01,
        };
        let scale = arguments.take_decimal("--scale")?.unwrap_or(usual);
        let only = arguments.take_value("--only")?;
        let program = arguments.take_value("--program")?.map(PathBuf::from);
        let out = arguments.take_value("--out")?;
        let json = arguments.take_value("--json")?.map(PathBuf::from);
        if 1 < [lsqb, paths, scan, films].into_iter().filter(|chosen| *chosen).count() {
            return Err("--lsqb, --paths, --scan or --films, not several".to_owned());
        }
        if json.is_some() && !scan && !films {
            return Err("--json is for --scan and --films".to_owned());
        }
        if runs == 0 {
            return Err("--runs wants at least 1".to_owned());
        }
        if !(SCALE.0..=SCALE.1).contains(&scale) {
            return Err(format!("--scale is between {} and {}", SCALE.0, SCALE.1));
        }
        if !(0.1..=3600.0).contains(&seconds) {
            return Err("--seconds is between 0.1 and 3600".to_owned());
        }
        let out = out.unwrap_or_else(|| match only {
            None => PAGE.to_owned(),
            Some(_) => PARTIAL_PAGE.to_owned(),
        });
        let peers = chosen(only.as_deref())?;
        let runs = usize::try_from(runs).map_err(|_| "--runs is too large".to_owned())?;
        Ok(Options {
            runs,
            seconds,
            scale,
            peers,
            lsqb,
            paths,
            scan,
            films,
            json,
            program,
            out: out.into(),
        })
    }
}

/// All peers, or those that are named.
fn chosen(only: Option<&str>) -> Result<Vec<&'static Description>, String> {
    let Some(only) = only else { return Ok(peers::ALL.iter().collect()) };
    let find = |name: &str| {
        let found = peers::ALL.iter().find(|peer| peer.name == name);
        found.ok_or_else(|| {
            let names: Vec<&str> = peers::ALL.iter().map(|peer| peer.name).collect();
            format!("--only {name}: there are {}", names.join(", "))
        })
    };
    only.split(',').map(find).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(text: &str) -> Result<Options, String> {
        Options::take(&mut Arguments::new(text.split_whitespace().map(str::to_owned)))
    }

    #[test]
    fn every_peer_is_measured_and_the_page_written_unless_some_are_named() {
        let all = options("").unwrap();
        assert_eq!(all.peers.len(), peers::ALL.len());
        assert_eq!(all.out, PathBuf::from(PAGE));
        let two = options("--only kuzu,neo4j --runs 3 --seconds 0.5").unwrap();
        let names: Vec<&str> = two.peers.iter().map(|peer| peer.name).collect();
        assert_eq!(names, ["kuzu", "neo4j"]);
        assert_eq!(
            two.out,
            PathBuf::from(PARTIAL_PAGE),
            "half a page must not replace the whole one"
        );
        assert_eq!((two.runs, two.seconds), (3, 0.5));
        assert_eq!(options("--only kuzu --out a.md").unwrap().out, PathBuf::from("a.md"));
    }

    #[test]
    fn the_subgraph_benchmark_begins_at_its_own_least_scale() {
        let lsqb = options("--lsqb").unwrap();
        assert_eq!((lsqb.lsqb, lsqb.scale), (true, 0.1));
        assert_eq!(options("").unwrap().scale, 0.01);
        assert_eq!(options("--lsqb --scale 0.03").unwrap().scale, 0.03);
        let scan = options("--scan --json a.json").unwrap();
        assert_eq!((scan.scan, scan.scale, scan.json), (true, 1.0, Some(PathBuf::from("a.json"))));
    }

    #[test]
    fn a_peer_or_a_size_that_does_not_exist_is_refused_by_name() {
        let refused = options("--only neo5j").err().unwrap();
        assert!(refused.contains("neo5j") && refused.contains("gremlin-server"), "{refused}");
        assert!(options("--scale 1000").err().unwrap().contains("--scale"));
        assert!(options("--lsqb --paths").err().unwrap().contains("not several"));
        assert!(options("--films --scan").err().unwrap().contains("not several"));
        assert_eq!(options("--films --json x").unwrap().scale, 0.05);
        assert!(options("--paths --json x").err().unwrap().contains("--scan"));
        assert!(options("--runs 0").err().unwrap().contains("--runs"));
    }
}
