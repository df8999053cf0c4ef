//! Layers: defaults, then file, environment, flags; each value remembers where it is from.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::PathBuf;

use millrace_model::{Error, ErrorKind};
use millrace_plan::nearest;

use super::table::SETTINGS;
use super::{ListenerRow, Setting, Settings};

/// How the settings begin that each make a graph.
pub(super) const GRAPHS_PREFIX: &str = "graphs.";

/// How the settings of queues begin; the crate of queues reads what follows.
const QUEUES_PREFIX: &str = "queue.";

/// How the settings of a graph end that say more of it than a file.
const ISOLATION_SUFFIX: &str = ".isolation";
const INDEXES_SUFFIX: &str = ".indexes";
const FILE_SUFFIX: &str = ".file";

/// Settings that have another name now.
const RENAMED: [(&str, &str); 1] = [("scripts.deadline-ms-max", "query.deadline-max")];

/// Where a value is from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The table.
    Default,
    /// A settings file.
    File(PathBuf),
    /// A variable of the environment.
    Environment,
    /// A flag of the command.
    Flag(String),
}

/// Names and values from one origin, as text.
#[derive(Clone, Debug)]
pub struct Layer {
    /// Where they are from.
    pub origin: Origin,
    /// `section.key` and value.
    pub entries: Vec<(String, String)>,
}

/// Settings, and where each is from.
#[derive(Clone, Debug)]
pub struct Resolved {
    /// The settings.
    pub settings: Settings,
    /// Name, value and origin of each, by name; named graphs last.
    pub values: Vec<(String, String, Origin)>,
    /// Names that are unknown, and values that their settings do not take.
    pub faults: Vec<Error>,
    /// Settings whose values are not those that were meant.
    wrong: BTreeSet<&'static str>,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Default => f.write_str("default"),
            Origin::File(path) => write!(f, "{}", path.display()),
            Origin::Environment => f.write_str("environment"),
            Origin::Flag(flag) => f.write_str(flag),
        }
    }
}

/// Puts layers over the defaults, the last one on top; each of the listeners has a setting for its address. What is wrong is
/// left at its default, and all of it is among the faults.
pub fn resolve(layers: &[Layer], listeners: &[ListenerRow]) -> Resolved {
    let mut settings = Settings::default();
    let (mut faults, mut wrong) = (Vec::new(), BTreeSet::new());
    let mut origins = vec![Origin::Default; SETTINGS.len()];
    let (mut graphs, mut isolations) = (BTreeMap::new(), BTreeMap::new());
    let mut indexes = BTreeMap::new();
    let (mut addresses, mut queues) = (BTreeMap::new(), BTreeMap::new());
    for layer in layers {
        for (name, value) in &layer.entries {
            if name.starts_with(QUEUES_PREFIX) {
                queues.insert(name, (value, &layer.origin));
                continue;
            }
            if let Some(graph) = name.strip_prefix(GRAPHS_PREFIX) {
                let isolation = graph.strip_suffix(ISOLATION_SUFFIX);
                let declared = graph.strip_suffix(INDEXES_SUFFIX);
                let (known, graph) = match (isolation, declared) {
                    (Some(graph), _) => (&mut isolations, graph),
                    (None, Some(graph)) => (&mut indexes, graph),
                    (None, None) => (&mut graphs, graph.strip_suffix(FILE_SUFFIX).unwrap_or(graph)),
                };
                known.insert(graph, (value, &layer.origin));
                continue;
            }
            if let Some(listener) = ListenerRow::find(listeners, name) {
                settings.listen.set(listener.name, value);
                addresses.insert(listener.name, (value, &layer.origin));
                continue;
            }
            let Some(at) = SETTINGS.iter().position(|setting| setting.name == name) else {
                faults.push(unknown(name, &layer.origin, listeners));
                continue;
            };
            match SETTINGS[at].set(&mut settings, value) {
                Ok(()) => origins[at] = layer.origin.clone(),
                Err(why) => {
                    let detail = format!("{}: {name} {why}", layer.origin);
                    faults.push(Error::new(ErrorKind::BadInput, detail));
                    wrong.insert(SETTINGS[at].name);
                }
            }
        }
    }
    let values = SETTINGS.iter().zip(origins);
    let values =
        values.map(|(setting, origin)| (setting.name.to_owned(), setting.show(&settings), origin));
    let mut values: Vec<_> = values.collect();
    values.extend(listeners.iter().map(|row| match addresses.get(row.name) {
        Some((address, origin)) => (row.setting(), (*address).clone(), (*origin).clone()),
        None => (row.setting(), row.default_address.to_owned(), Origin::Default),
    }));
    values.sort_by(|(one, ..), (other, ..)| one.cmp(other));
    for (graph, (file, origin)) in graphs {
        settings.graphs.push((graph.to_owned(), file.clone()));
        values.push((format!("{GRAPHS_PREFIX}{graph}"), file.clone(), origin.clone()));
    }
    for (graph, (word, origin)) in isolations {
        settings.isolations.push((graph.to_owned(), word.clone()));
        let name = format!("{GRAPHS_PREFIX}{graph}{ISOLATION_SUFFIX}");
        values.push((name, word.clone(), origin.clone()));
    }
    for (graph, (list, origin)) in indexes {
        settings.indexes.push((graph.to_owned(), list.clone()));
        let name = format!("{GRAPHS_PREFIX}{graph}{INDEXES_SUFFIX}");
        values.push((name, list.clone(), origin.clone()));
    }
    for (name, (value, origin)) in queues {
        settings.queues.push((name.clone(), value.clone()));
        values.push((name.clone(), without_password(value), origin.clone()));
    }
    Resolved { values, settings, faults, wrong }
}

/// A value as logs and `config print` show it: without the password of a URL.
fn without_password(value: &str) -> String {
    let Some((scheme, rest)) = value.split_once("://") else { return value.to_owned() };
    let authority = rest.split('/').next().unwrap_or_default();
    let Some((login, _)) = authority.rsplit_once('@') else { return value.to_owned() };
    let Some((user, _)) = login.split_once(':') else { return value.to_owned() };
    format!("{scheme}://{user}:***{}", &rest[login.len()..])
}

fn unknown(name: &str, origin: &Origin, listeners: &[ListenerRow]) -> Error {
    let error = Error::new(ErrorKind::BadInput, format!("{origin}: there is no setting `{name}`"));
    if let Some((_, new)) = RENAMED.iter().find(|(old, _)| *old == name) {
        return error.with_help(format!("its name is `{new}` now"));
    }
    let of_listeners: Vec<String> = listeners.iter().map(ListenerRow::setting).collect();
    let known = SETTINGS.iter().map(|setting| setting.name);
    match nearest(name, known.chain(of_listeners.iter().map(String::as_str))) {
        Some(nearest) => error.with_help(format!("did you mean `{nearest}`?")),
        None => error.with_help("`millrace config print` lists all settings"),
    }
}

/// The layer of an environment: variables `MILLRACE_SECTION__KEY`. Others of ours, without the
/// two underscores, steer tests and are no settings.
pub fn of_environment(variables: impl Iterator<Item = (String, String)>) -> Layer {
    let entries = variables.filter_map(|(variable, value)| {
        let name = variable.strip_prefix("MILLRACE_").filter(|name| name.contains("__"))?;
        let known = SETTINGS.iter().find(|setting| setting.variable() == variable);
        let guessed = || name.to_ascii_lowercase().replace("__", ".").replace('_', "-");
        Some((known.map_or_else(guessed, |setting| setting.name.to_owned()), value))
    });
    Layer { origin: Origin::Environment, entries: entries.collect() }
}

/// The layer of one flag.
pub fn of_flag(flag: &str, setting: &str, value: &str) -> Layer {
    let entries = vec![(setting.to_owned(), value.to_owned())];
    Layer { origin: Origin::Flag(flag.to_owned()), entries }
}

impl Resolved {
    /// The setting's value and origin.
    pub fn find(&self, name: &str) -> Option<(&str, &Origin)> {
        let value = self.values.iter().find(|(known, _, _)| known == name)?;
        Some((&value.1, &value.2))
    }

    /// Where a setting is from, if it has a value that was set and is right.
    pub(super) fn origin_if_set(&self, name: &str) -> Option<&Origin> {
        let (_, origin) = self.find(name)?;
        (*origin != Origin::Default && !self.wrong.contains(name)).then_some(origin)
    }

    /// Whether a setting has the value that was meant for it.
    pub(super) fn is_meant(&self, name: &str) -> bool {
        !self.wrong.contains(name)
    }

    /// The value of a setting with a unit that fits, if it is a size or a time.
    pub fn readable(&self, name: &str) -> Option<String> {
        Setting::find(name)?.readable(self.find(name)?.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str, value: &str) -> Layer {
        let origin = Origin::File("millrace.toml".into());
        Layer { origin, entries: vec![(name.to_owned(), value.to_owned())] }
    }

    fn variable(name: &str, value: &str) -> Layer {
        of_environment([(name.to_owned(), value.to_owned())].into_iter())
    }

    const LUA: ListenerRow = ListenerRow {
        name: "lua",
        default_address: "127.0.0.1:7243",
        usual_address: "127.0.0.1:7243",
        about: "the tests' own",
        is_administration: false,
    };

    /// The settings of layers, or the first fault.
    fn resolve(layers: &[Layer]) -> Result<Resolved, Error> {
        let resolved = super::resolve(layers, &[LUA]);
        match resolved.faults.first() {
            Some(fault) => Err(fault.clone()),
            None => Ok(resolved),
        }
    }

    #[test]
    fn a_listener_has_a_setting_among_the_others() {
        let resolved = resolve(&[]).unwrap();
        assert_eq!(resolved.find("listen.lua").unwrap(), ("127.0.0.1:7243", &Origin::Default));
        assert_eq!(resolved.settings.listen.address("lua"), None, "the server has its default");
        assert!(resolved.values.is_sorted_by_key(|(name, ..)| name.clone()));
        let resolved = resolve(&[variable("MILLRACE_LISTEN__LUA", "off")]).unwrap();
        assert_eq!(resolved.settings.listen.address("lua"), Some("off"));
        let near = resolve(&[file("listen.lau", "x")]).unwrap_err().to_string();
        assert!(near.contains("did you mean `listen.lua`?"), "{near}");
        assert!(resolve(&[file("listen.bolt", "x")]).is_err());
    }

    #[test]
    fn a_later_layer_wins_and_is_remembered() {
        let layers = [
            file("scripts.deadline-ms", "1000"),
            variable("MILLRACE_SCRIPTS__DEADLINE_MS", "2000"),
            of_flag("--listen", "listen.lua", "127.0.0.1:0"),
        ];
        let resolved = resolve(&layers).unwrap();
        assert_eq!(resolved.settings.scripts.deadline_ms, 2000);
        assert_eq!(resolved.find("scripts.deadline-ms").unwrap().1, &Origin::Environment);
        assert_eq!(
            resolved.find("listen.lua").unwrap(),
            ("127.0.0.1:0", &Origin::Flag("--listen".into()))
        );
        assert_eq!(resolved.find("listen.allow-open").unwrap(), ("false", &Origin::Default));
    }

    #[test]
    fn an_unknown_name_is_reported_by_its_layer_with_a_similar_name() {
        let error = resolve(&[file("scripts.dedline-ms", "1")]).unwrap_err().to_string();
        assert_eq!(
            error,
            "millrace.toml: there is no setting `scripts.dedline-ms` \
             (did you mean `scripts.deadline-ms`?)"
        );
        let error = resolve(&[variable("MILLRACE_LISTEN__LUAA", "x")]).unwrap_err().to_string();
        assert!(error.contains("environment: there is no setting `listen.luaa`"), "{error}");
        assert!(resolve(&[variable("MILLRACE_REQUIRE_ALL", "1")]).is_ok());
    }

    #[test]
    fn a_wrong_value_reports_the_allowed_values() {
        let error = resolve(&[file("scripts.deadline-ms", "soon")]).unwrap_err().to_string();
        assert!(
            error.contains(
                "scripts.deadline-ms is `soon`, which is no number; it must be a time from 1 ms"
            ),
            "{error}"
        );
        assert!(resolve(&[file("scripts.interpreters-max", "0")]).is_err());
        assert!(resolve(&[file("listen.allow-open", "yes")]).is_err());
    }

    #[test]
    fn every_fault_of_every_layer_is_named_and_the_rest_is_read() {
        let layers = [
            file("memory.max", "8XB"),
            file("scripts.dedline-ms", "1"),
            file("query.bytes-max", "2GB"),
            variable("MILLRACE_LOG__SLOW_MS", "-1s"),
        ];
        let resolved = super::resolve(&layers, &[LUA]);
        let faults: Vec<String> = resolved.faults.iter().map(Error::to_string).collect();
        assert_eq!(faults.len(), 3, "{faults:?}");
        assert!(faults[0].contains("memory.max is `8XB`, which has the unknown unit `XB`"));
        assert!(faults[2].contains("environment: log.slow-ms is `-1s`, which is negative"));
        assert_eq!(resolved.settings.query.bytes_max, 2 << 30);
        assert_eq!(resolved.readable("query.bytes-max").as_deref(), Some("2 GiB"));
        assert_eq!(resolved.origin_if_set("memory.max"), None);
        assert!(!resolved.is_meant("memory.max") && resolved.is_meant("query.bytes-max"));
    }

    #[test]
    fn sizes_and_times_are_read_in_every_layer() {
        let layers = [
            file("memory.max", "8GB"),
            variable("MILLRACE_LOG__SLOW_MS", "100ms"),
            of_flag("--set", "scripts.deadline-ms", "1.5 min"),
            of_flag("--set", "log.group-commit-delay-us", "2ms"),
        ];
        let settings = resolve(&layers).unwrap().settings;
        assert_eq!((settings.memory.max, settings.log.slow_ms), (8 << 30, Some(100)));
        assert_eq!(
            (settings.scripts.deadline_ms, settings.log.group_commit_delay_us),
            (90_000, 2_000)
        );
        for (name, value) in [("memory.max", "2000TB"), ("scripts.deadline-ms", "366d")] {
            let refused = resolve(&[file(name, value)]).unwrap_err().to_string();
            assert!(refused.contains(&format!("is `{value}`, and must be a ")), "{refused}");
        }
    }

    #[test]
    fn graphs_have_names_of_their_own() {
        let layers = [
            file("graphs.modern", "a.json"),
            file("graphs.empty", ""),
            file("graphs.modern", "b.json"),
        ];
        let resolved = resolve(&layers).unwrap();
        let graphs = [("empty", ""), ("modern", "b.json")];
        assert_eq!(resolved.settings.graphs, graphs.map(|(name, file)| (name.into(), file.into())));
        assert_eq!(resolved.find("graphs.modern").unwrap().0, "b.json");
    }

    #[test]
    fn a_graph_has_a_table_of_its_own_with_a_file_and_an_isolation() {
        let layers =
            [file("graphs.bank.isolation", "serializable"), file("graphs.modern.file", "a.json")];
        let resolved = resolve(&layers).unwrap();
        assert_eq!(resolved.settings.isolations, [("bank".into(), "serializable".into())]);
        assert_eq!(resolved.settings.graphs, [("modern".into(), "a.json".into())]);
        assert_eq!(resolved.settings.faults(), []);
        let wrong = resolve(&[file("graphs.bank.isolation", "strict")]).unwrap().settings.faults();
        assert!(wrong[0].to_string().contains("snapshot or serializable"), "{wrong:?}");
    }

    #[test]
    fn the_indexes_of_a_graph_are_a_list_each_named_where_it_is_wrong() {
        let of = |list: &str| resolve(&[file("graphs.films.indexes", list)]).unwrap().settings;
        let settings = of("Film(title) trigrams; User(name) unique");
        assert_eq!((settings.indexes.len(), settings.faults()), (1, Vec::new()));
        for (list, told) in [
            ("Film; Film(title)", "graphs.films.indexes: `Film` is no index"),
            ("Film(title) trigramz", "`trigramz`"),
        ] {
            let faults = of(list).faults();
            assert!(faults.len() == 1 && faults[0].to_string().contains(told), "{faults:?}");
        }
    }

    #[test]
    fn settings_of_queues_are_as_they_came_and_show_no_password() {
        let layers = [
            file("queue.people.url", "amqp://ann:s:cr@t@broker:5672/%2f"),
            file("queue.people.queue", "people"),
            variable("MILLRACE_QUEUE__PEOPLE__BATCH_MESSAGES", "10"),
        ];
        let resolved = resolve(&layers).unwrap();
        let (shown, _) = resolved.find("queue.people.url").unwrap();
        assert_eq!(shown, "amqp://ann:***@broker:5672/%2f");
        let queues = &resolved.settings.queues;
        assert_eq!(queues[0], ("queue.people.batch-messages".into(), "10".into()));
        assert_eq!(queues[2].1, "amqp://ann:s:cr@t@broker:5672/%2f");
        assert_eq!(resolved.find("queue.people.queue").unwrap().0, "people");
    }

    #[test]
    fn a_setting_with_another_name_now_is_refused_by_that_name() {
        let error = resolve(&[file("scripts.deadline-ms-max", "1")]).unwrap_err().to_string();
        assert!(error.contains("its name is `query.deadline-max` now"), "{error}");
    }

    #[test]
    fn every_setting_accepts_the_text_that_it_shows() {
        let defaults = Settings::default();
        for setting in SETTINGS {
            let mut settings = Settings::default();
            setting.set(&mut settings, &setting.show(&defaults)).expect(setting.name);
            assert_eq!(settings, defaults, "{}", setting.name);
        }
        assert!(SETTINGS.is_sorted_by_key(|setting| setting.name));
    }
}
