//! The reference page of settings, made from the table and the rows of the listeners.

use super::table::variable;
use super::{Kind, ListenerRow, SETTINGS, Settings};

/// The page, as Markdown.
pub fn reference_page(listeners: &[ListenerRow]) -> String {
    let mut page = String::from(
        "# Settings\n\nGenerated from the table of settings; do not edit. A flag wins over the \
         environment, which wins over\nthe file (`--config FILE`, TOML: `[scripts]`, then \
         `deadline-ms = 1000`), which wins over the default.\nAn unknown name is an error. \
         `millrace config print` shows each value and where it is from; `millrace config check` finds all that `serve` \
         would refuse.\n\n\
         Sizes and times are numbers in the unit that the setting names, or numbers with a unit, also in variables and \
         flags:\n`memory.max = \"8GB\"`, `--set log.slow-ms=1.5s`. Units of sizes are `B`, `kB`, `MB`, `GB`, `TB`, each 1,024 \
         of the one before, as\nin Neo4j, PostgreSQL and Java; `KiB`, `MiB`, `GiB`, `TiB` and `k`, `M`, `G`, `T` are the \
         same. Units of times are `us`, `ms`, `s`,\n`min` or `m`, `h`, `d`. Capitals do not matter. `config check` and \
         `config print` show what was understood.\n",
    );
    let defaults = Settings::default();
    let of_table = SETTINGS.iter().map(|setting| {
        let shown = setting.show(&defaults);
        let default = match setting.readable(&shown) {
            Some(readable) => format!("`{shown}` ({readable})"),
            None => format!("`{shown}`"),
        };
        (setting.name.to_owned(), setting.about.to_owned(), words_of(setting.kind), default)
    });
    let of_listeners = listeners.iter().map(|row| {
        let default = format!("`{}`", row.default_address);
        (row.setting(), row.page_text(), "text".to_owned(), default)
    });
    let mut all: Vec<_> = of_table.chain(of_listeners).collect();
    all.sort();
    for (name, about, kind, default) in all {
        page.push_str(&format!(
            "\n## `{name}`\n\n{about}\n\n{}; default {default}; environment `{}`.\n",
            capitalized(&kind),
            variable(&name),
        ));
    }
    page.push_str(
        "\n## `graphs.NAME`\n\nA graph that is created at startup if it does not exist. The value is a GraphSON 3 file \
         that is loaded if the graph is\nempty, or nothing. `[graphs]`, then `modern = \"modern.json\"`.\n\n\
         ## `graphs.NAME.isolation`\n\n`serializable`: all transactions of the graph are serializable; `snapshot`: each \
         request chooses. If it is not set, the graph stays\nas it is. The graph is created at startup if it does not \
         exist. `[graphs.bank]`, then `isolation = \"serializable\"` and, to load a file,\n`file = \"bank.json\"`.\n\n\
         ## `graphs.NAME.indexes`\n\nIndexes that are made at startup where they are not there, behind the load of a \
         file, and before the server listens: a list, each\nas `--index` of `millrace load` has it. `[graphs.films]`, then \
         `indexes = [\"Film(title) trigrams\", \"User(name) unique\"]`; in the\nenvironment and with `--set` as one text with semicolons. \
         Taken out of the list, an index stays: it is dropped by name. The graph is created at startup\nif it does not \
         exist.\n",
    );
    page
}

/// What a kind takes, without the units, which the head of the page has.
fn words_of(kind: Kind) -> String {
    let words = kind.to_string();
    match kind.measure() {
        Some(_) => words.split(" or with a unit").next().unwrap_or_default().to_owned(),
        None => words,
    }
}

fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
