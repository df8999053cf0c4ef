//! Real data: the Freebase films of `../shared`, loaded by the program, asked, killed, asked again.

use millrace_testkit::{require, shared};

use crate::program::{Served, run, serve, text};

/// A director, the number of films, and one of them.
const DIRECTOR: (&str, &str, usize, &str) = ("m.0kft", "Akira Kurosawa", 33, "Seven Samurai");

#[test]
fn the_real_films_load_survive_kill_nine_and_answer() {
    let file = shared().map(|shared| shared.join("data/films-real.rdf.gz"));
    let file = file.filter(|file| file.is_file());
    if !require("the real film data (../shared/data/films-real.rdf.gz)", file.is_some()) {
        return;
    }
    let file = file.expect("required above");
    let folder = tempfile::tempdir().unwrap();
    let (data, file) = (folder.path().to_str().unwrap(), file.to_str().unwrap());
    let loaded = run(&["load", "--data", data, "--graph", "films", file]);
    assert_eq!(loaded.status.code(), Some(0), "{}", text(&loaded.stderr));
    let summary = text(&loaded.stdout);
    assert!(summary.contains("1120879 rows"), "{summary}");
    let server = serve(folder.path());
    check_director(&server);
    server.ask("films", "NodeSetProperty('Resource', 'm.0kft', 'seen', true)\n1");
    server.kill();
    let server = serve(folder.path());
    check_director(&server);
    assert_eq!(server.ask("films", "NodeGetProperty('Resource', 'm.0kft', 'seen')"), "[true]");
}

fn check_director(server: &Served) {
    let (xid, name, films, title) = DIRECTOR;
    let answer = server.ask(
        "films",
        &format!(
            "local films = NodeGetLinks('Resource', '{xid}', Direction.OUT, 'director.film')\n\
             local found = false\n\
             for _, name in pairs(LinksGetNodeProperty(films, 'name@en')) do\n\
               found = found or name == '{title}'\n\
             end\n\
             local back = NodeGetDegree('Resource', '{xid}', Direction.IN, 'directed_by')\n\
             NodeGetProperty('Resource', '{xid}', 'name@en'), #films, back, found"
        ),
    );
    assert_eq!(answer, format!("[\"{name}\", {films}, {films}, true]"));
}
