//! The reference page of settings, made from the table.

use super::{SETTINGS, Settings};

/// The page, as Markdown.
pub fn reference_page() -> String {
    let mut page = String::from(
        "# Settings\n\nGenerated from the table of settings; do not edit. A flag wins over the \
         environment, which wins over\nthe file (`--config FILE`, TOML: `[scripts]`, then \
         `deadline-ms = 1000`), which wins over the default.\nAn unknown name is an error. \
         `millrace config print` shows each value and where it is from.\n",
    );
    let defaults = Settings::default();
    for setting in SETTINGS {
        page.push_str(&format!(
            "\n## `{}`\n\n{}\n\n{}; default `{}`; environment `{}`.\n",
            setting.name,
            setting.about,
            capitalized(&setting.kind.to_string()),
            setting.show(&defaults),
            setting.variable(),
        ));
    }
    page.push_str(
        "\n## `graphs.NAME`\n\nA graph that is made at the start if it is not there. The value is a file of \
         GraphSON 3 that fills it while it is\nempty, or empty. `[graphs]`, then `modern = \"modern.json\"`.\n\n\
         ## `graphs.NAME.isolation`\n\n`serializable`: every transaction of the graph is; `snapshot`: as each \
         request asks. Without it, a graph stays as it\nis. The graph is made at the start if it is not there. \
         `[graphs.bank]`, then `isolation = \"serializable\"` and, if it is to be\nfilled, `file = \"bank.json\"`.\n",
    );
    page
}

fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
