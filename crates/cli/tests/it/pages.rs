//! Reference pages that are made from tables are current.

use std::fs;
use std::path::Path;

use crate::program::{run, text};

fn check(name: &str, wanted: &str) {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference").join(name);
    if std::env::var("MILLRACE_REWRITE_GOLDENS").is_ok_and(|value| value == "1") {
        fs::write(&page, wanted).expect("the page can be written");
    }
    let found = fs::read_to_string(&page).unwrap_or_default();
    assert!(found == wanted, "docs/reference/{name}: MILLRACE_REWRITE_GOLDENS=1 mends it");
}

#[test]
fn the_page_of_settings_is_current() {
    let page = millrace_db::settings::reference_page(&millrace_server::listener_rows());
    check("settings.md", &(page + &millrace_queue::settings::reference_section()));
}

#[test]
fn the_page_of_the_metrics_of_queues_is_current() {
    check("queue-metrics.md", &millrace_queue::reference_page());
}

#[test]
fn the_page_of_the_log_is_current() {
    check("log.md", &millrace_db::log_events::reference_page());
}

#[test]
fn the_page_of_the_shell_is_current() {
    check("shell.md", &text(&run(&["shell", "--list-commands"]).stdout));
}

#[test]
fn the_page_of_exit_codes_is_current() {
    check("exit-codes.md", &text(&run(&["exit-codes"]).stdout));
}
