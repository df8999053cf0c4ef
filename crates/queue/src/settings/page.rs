//! The section of the reference page of settings about queues.

use super::{PREFIX, QUEUE_KEYS, readable};

/// The section, as Markdown.
pub fn reference_section() -> String {
    let mut page = String::from(
        "\n## `queue.NAME`\n\nA queue of an AMQP broker whose messages the server applies: `[queue.NAME]`, then the keys below. \
         NAME has small letters,\ndigits and `-`. In the environment, `MILLRACE_QUEUE__NAME__BATCH_MESSAGES`. The guide \
         `queues.md` shows how they go together.\n",
    );
    for key in QUEUE_KEYS {
        let default = match key.default {
            "" => "no default".to_owned(),
            default => match readable(&format!("{PREFIX}name.{}", key.name), default) {
                Some(readable) => format!("default `{default}` ({readable})"),
                None => format!("default `{default}`"),
            },
        };
        let kind = key.kind.to_string();
        // The head of the page has the units.
        let kind = kind.split(" or with a unit").next().unwrap_or_default();
        let (first, rest) = kind.split_at(1);
        page.push_str(&format!(
            "\n### `{PREFIX}NAME.{}`\n\n{}\n\n{}{rest}; {default}.\n",
            key.name,
            key.about,
            first.to_uppercase(),
        ));
    }
    page
}
