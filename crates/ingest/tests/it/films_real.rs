//! The real film data, where it is: every line is read.

use millrace_ingest::load::{check_nquads, quiet};
use millrace_ingest::source::Source;
use millrace_testkit::{require, shared};

#[test]
fn the_real_film_data_is_read_to_its_last_line() {
    let file = shared().map(|folder| folder.join("data/films-real.rdf.gz"));
    let file = file.filter(|file| file.is_file());
    if !require("the real film data (../shared/data/films-real.rdf.gz)", file.is_some()) {
        return;
    }
    let source = Source::file(&file.unwrap()).unwrap();
    assert_eq!(check_nquads(vec![source], &mut quiet).unwrap(), 1_120_879);
}
