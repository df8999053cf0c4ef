//! The reference page of settings, made from the table and the rows of the listeners.

use super::table::variable;
use super::{ListenerRow, SETTINGS, Settings};

/// The page, as Markdown.
pub fn reference_page(listeners: &[ListenerRow]) -> String {
    let mut page = String::from(
        "# Settings\n\nGenerated from the table of settings; do not edit. A flag wins over the \
         environment, which wins over\nthe file (`--config FILE`, TOML: `[scripts]`, then \
         `deadline-ms = 1000`), which wins over the default.\nAn unknown name is an error. \
         `millrace config print` shows each value and where it is from.\n",
    );
    let defaults = Settings::default();
    let of_table = SETTINGS.iter().map(|setting| {
        let kind = setting.kind.to_string();
        (setting.name.to_owned(), setting.about.to_owned(), kind, setting.show(&defaults))
    });
    let of_listeners = listeners.iter().map(|row| {
        (row.setting(), row.page_text(), "text".to_owned(), row.default_address.to_owned())
    });
    let mut all: Vec<_> = of_table.chain(of_listeners).collect();
    all.sort();
    for (name, about, kind, default) in all {
        page.push_str(&format!(
            "\n## `{name}`\n\n{about}\n\n{}; default `{default}`; environment `{}`.\n",
            capitalized(&kind),
            variable(&name),
        ));
    }
    page.push_str(
        "\n## `graphs.NAME`\n\nA graph that is created at startup if it does not exist. The value is a GraphSON 3 file \
         that is loaded if the graph is\nempty, or nothing. `[graphs]`, then `modern = \"modern.json\"`.\n\n\
         ## `graphs.NAME.isolation`\n\n`serializable`: all transactions of the graph are serializable; `snapshot`: each \
         request chooses. If it is not set, the graph stays\nas it is. The graph is created at startup if it does not \
         exist. `[graphs.bank]`, then `isolation = \"serializable\"` and, to load a file,\n`file = \"bank.json\"`.\n",
    );
    page
}

fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
