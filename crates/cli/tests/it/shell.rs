//! `millrace shell`: against a server and against a folder, from a pipe and on a terminal.

use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use millrace_testkit::require;

use crate::program::{Served, program, run, serve_both, serve_gremlin, start, text};
use crate::users::users_file;

/// Feeds a shell with a text on standard input.
pub(crate) fn feed(arguments: &[&str], input: &str) -> Output {
    let mut command = program(&[&["shell"], arguments].concat());
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("it starts");
    child.stdin.take().expect("it is piped").write_all(input.as_bytes()).expect("it reads");
    child.wait_with_output().expect("it ends")
}

/// The output, which must be without an error.
pub(crate) fn printed(output: &Output) -> String {
    assert!(output.status.success(), "{}{}", text(&output.stdout), text(&output.stderr));
    text(&output.stdout)
}

/// The same statements against a folder, against a server of it, and against one of Gremlin alone.
pub(crate) fn everywhere(check: impl Fn(&[&str])) {
    let folder = tempfile::tempdir().expect("there is room");
    let data = folder.path().join("data");
    let shown = data.to_str().expect("temporary folders have plain names");
    let server = serve_both(&data);
    check(&["--url", &server.admin_url()]);
    assert_eq!(server.terminate(), Some(0));
    check(&["--data", shown]);
    let server = serve_gremlin(&data, &[]);
    check(&["--url", &server.admin_url()]);
}

#[test]
fn a_pipe_of_statements_is_answered_in_both_languages() {
    everywhere(|at| {
        let input = "g.V().drop().iterate();\n\
            g.addV('P').property('name', 'ann')\n  .property('age', 7).iterate()\n\n\
            g.V().hasLabel('P')\n  .values('age')\n\
            :use lua\nlocal count = AllNodesCount('P')\ncount\n\
            for i = 1, 2 do\n\n  x = i\nend\nx\n\n:quit\nnever";
        let printed = printed(&feed(at, input));
        let lines: Vec<&str> = printed.lines().collect();
        assert_eq!(lines, ["[]", "[]", "[7]", "1", "2"], "{at:?}");
    });
}

#[test]
fn results_are_tables_json_or_csv() {
    everywhere(|at| {
        let made = "g.V().drop().iterate(); g.addV('P').property('name', 'a,b').property('n', 7).iterate()";
        let input = format!(
            "{made}\n:format csv\ng.V().valueMap('name', 'n')\n:format json\ng.V().count()\n\
             :format table\ng.V().values('n')\n"
        );
        let printed = printed(&feed(at, &input));
        assert!(printed.contains("name,n\r\n\"[\"\"a,b\"\"]\",[7]\r\n[1]\n value\n"), "{printed}");
        assert!(printed.contains("     7\n(1 row, "), "{printed}");
    });
}

#[test]
fn the_first_error_ends_a_script_and_says_where_it_is() {
    everywhere(|at| {
        for (input, place, words) in [
            ("g.V().count()\n\ng.V()\n  .out(\n", "stdin:", "stdin:"),
            ("g.V().count()\ng.V().out(1 2)\n1", "stdin:2:", "stdin:2:"),
            (":use lua\n1\nlocal x = 1\nlocal y = x.z.w\ny\n", "stdin:4:", "script:2:"),
            (":nope\n", "stdin:1: ", ":help"),
            ("\n:graph nope\n", "stdin:2: ", "graphs: g"),
            ("g.V()\n:use sql\n", "stdin:2: ", "gremlin, gremlin-lang, cypher, dql, lua"),
            (":format xml\n", "stdin:1: ", "table|json|csv"),
            (":quit now\n", "stdin:1: ", "no argument"),
        ] {
            let output = feed(at, input);
            let said = text(&output.stderr);
            assert_ne!(output.status.code(), Some(0), "{at:?} {input}: {said}");
            assert!(said.starts_with(&format!("millrace: {place}")), "{at:?} {input}: {said}");
            assert!(said.contains(words), "{at:?} {input}: {said}");
        }
    });
}

#[test]
fn a_command_of_the_command_line_runs_and_ends() {
    everywhere(|at| {
        let ask = |more: &[&str]| run(&[&["shell"], at, more].concat());
        assert_eq!(printed(&ask(&["-c", "g.V().count()", "--graph", "g"])), "[0]\n");
        let lua = ask(&["--language", "lua", "--command", "1 + 1", "--format", "csv"]);
        assert_eq!(printed(&lua), "value\r\n2\r\n");
        let failed = ask(&["-c", "g.V("]);
        assert_eq!(failed.status.code(), Some(65), "{failed:?}");
        assert!(text(&failed.stderr).starts_with("millrace: -c:1:"), "{failed:?}");
        assert_eq!(ask(&["--graph", "nope", "-c", "1"]).status.code(), Some(66));
        assert_eq!(ask(&["--language", "sql", "-c", "1"]).status.code(), Some(65));
    });
}

#[test]
fn rows_are_printed_before_the_last_is_known_and_a_reader_that_goes_ends_the_query() {
    everywhere(|at| {
        let made = "for i = 1, 300 do NodeAdd('P', 'n' .. i) end\n1";
        let made = format!("NodeTypeInsert('P')\n{made}");
        let fill = run(&[&["shell"], at, &["--language", "lua", "-c", &made]].concat());
        // The second target has the vertices of the first.
        assert!(fill.status.code().is_some(), "{fill:?}");
        let text = "g.V().as('a').V().as('b').V().as('c').project('x').by(id())";
        let mut command = program(&[&["shell"], at, &["-c", text]].concat());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("it starts");
        let mut out = child.stdout.take().expect("it is piped");
        let mut first = [0; 1_000];
        std::io::Read::read_exact(&mut out, &mut first).expect("rows come");
        assert!(first.starts_with(b"[{"), "{}", String::from_utf8_lossy(&first));
        drop(out);
        assert!(child.wait().expect("it ends").success());
    });
}

#[test]
fn an_error_has_its_line_with_a_mark_under_its_position() {
    everywhere(|at| {
        let failed = run(&[&["shell"], at, &["-c", "g.V()\n  .outt()"]].concat());
        let said = text(&failed.stderr);
        assert!(said.starts_with("millrace: -c:2:4: "), "{said}");
        assert!(said.ends_with("\n  .outt()\n   ^\n"), "{said}");
    });
}

#[test]
fn the_schema_and_a_profile_are_tables() {
    everywhere(|at| {
        let input = "g.V().drop().iterate()\ng.addV('P').as('a').addE('knows').to('a').iterate()\n\
            :format csv\n:schema\n:profile g.V().out('knows').count()\ng.V().count()\n:profile\n:graph\n";
        let printed = printed(&feed(at, input));
        assert!(printed.contains("element,label,number,properties\r\n"), "{printed}");
        assert!(printed.contains("vertex,P,1,") && printed.contains("edge,knows,1,"), "{printed}");
        assert_eq!(printed.matches("step,elements,traversers,ms,percent,operator\r\n").count(), 2);
        assert!(printed.contains("count,1,1,"), "{printed}");
        assert!(printed.contains("graph\r\ng\r\n"), "{printed}");
    });
}

#[test]
fn a_missing_target_is_reported_with_its_exit_code() {
    let folder = tempfile::tempdir().expect("there is room");
    let missing = folder.path().join("none");
    let missing = missing.to_str().expect("temporary folders have plain names");
    let refused = run(&["shell", "--data", missing, "-c", "1"]);
    assert_eq!(refused.status.code(), Some(66), "{refused:?}");
    assert!(!Path::new(missing).exists(), "a shell makes no data folder");
    for (url, code) in
        [("http://127.0.0.1:1", 69), ("https://127.0.0.1:1", 65), ("127.0.0.1:7243", 65)]
    {
        let refused = run(&["shell", "--url", url, "-c", "1"]);
        assert_eq!(refused.status.code(), Some(code), "{refused:?}");
    }
    let served = serve_both(&folder.path().join("data"));
    let data = folder.path().join("data");
    let taken = run(&["shell", "--data", data.to_str().expect("as above"), "-c", "1"]);
    assert_eq!(taken.status.code(), Some(75), "{taken:?}");
    drop(served);
}

#[test]
fn a_name_and_a_password_stand_in_the_url() {
    let folder = tempfile::tempdir().expect("there is room");
    let users = users_file(folder.path(), &[("ann", "s:x@y")]);
    let data = folder.path().join("data");
    let set = format!("users.file={users}");
    let data = data.to_str().expect("temporary folders have plain names");
    let server = start(&["serve", "--data", data, "--listen", "lua=127.0.0.1:0", "--set", &set]);
    let with = |login: &str| server.admin_url().replace("http://", &format!("http://{login}"));
    let ask = |url: &str| run(&["shell", "--url", url, "-c", "g.V().count()"]);
    assert_eq!(printed(&ask(&with("ann:s%3Ax%40y@"))), "[0]\n");
    for login in ["", "ann:wrong@"] {
        let refused = ask(&with(login));
        assert_eq!(refused.status.code(), Some(77), "{refused:?}");
    }
}

/// Presses Ctrl-C once a query runs. Returns the exit code and the errors of the shell.
fn interrupted(mut child: Child, runs: impl Fn() -> bool) -> (Option<i32>, String) {
    let began = Instant::now();
    while !runs() {
        assert!(began.elapsed() < Duration::from_secs(60), "no query runs");
        thread::sleep(Duration::from_millis(10));
    }
    let signalled = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(signalled.expect("kill runs").success());
    let mut said = String::new();
    std::io::Read::read_to_string(&mut child.stderr.take().expect("piped"), &mut said)
        .expect("text");
    (child.wait().expect("it ends").code(), said)
}

fn under_way(server: &Served) -> bool {
    !server.get_text("/metrics").contains("millrace_http_requests_under_way 0\n")
}

#[test]
fn control_c_cancels_the_query_that_runs() {
    let folder = tempfile::tempdir().expect("there is room");
    let spawn = |at: &[&str]| {
        let mut command = program(
            &[&["shell", "--language", "lua", "-c", "NodeTypeInsert('X')\nwhile true do end"], at]
                .concat(),
        );
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts")
    };
    let server = serve_both(&folder.path().join("served"));
    let child = spawn(&["--url", &server.admin_url(), "--graph", "g"]);
    let (code, said) = interrupted(child, || under_way(&server));
    assert!(code != Some(0) && said.contains("cancelled"), "{code:?} {said}");
    let began = Instant::now();
    while under_way(&server) {
        assert!(began.elapsed() < Duration::from_secs(20), "the server still runs it");
        thread::sleep(Duration::from_millis(10));
    }
    let data = folder.path().join("own");
    let shown = data.to_str().expect("temporary folders have plain names");
    drop(serve_both(&data));
    // The write of the first statement is in the log once the second runs.
    let mut command = program(&["shell", "--data", shown, "--language", "lua"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("it starts");
    let input = child.stdin.take().expect("it is piped");
    let mut lines = std::io::BufReader::new(child.stdout.take().expect("it is piped"));
    let mut input = input;
    input.write_all(b"42;\n").expect("it reads");
    // Answered although more may come.
    let mut first = String::new();
    std::io::BufRead::read_line(&mut lines, &mut first).expect("it answers");
    assert_eq!(first, "42\n");
    input.write_all(b"while true do\nend\n1\n").expect("it reads");
    let (code, said) = interrupted(child, || true);
    assert!(code != Some(0), "{said}");
}

/// A shell on a terminal of its own, which `script` makes.
pub(crate) struct Terminal {
    child: Child,
    input: std::process::ChildStdin,
    output: std::sync::mpsc::Receiver<u8>,
    shown: Vec<u8>,
}

impl Terminal {
    pub(crate) fn start(script: &Path, url: &str, state: &Path) -> Terminal {
        // A shell that waited for the program would end by the Ctrl-C that only the program should answer.
        let shell = format!("exec {} shell --url {url}", env!("CARGO_BIN_EXE_millrace"));
        let mut command = Command::new(script);
        command
            .args(["-qec", &shell, "/dev/null"])
            .env("SHELL", "/bin/sh")
            .env("XDG_STATE_HOME", state)
            .env("TERM", "xterm");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().expect("script starts");
        let (sender, output) = std::sync::mpsc::channel();
        let stdout = child.stdout.take().expect("it is piped");
        thread::spawn(move || {
            for byte in std::io::Read::bytes(stdout).map_while(Result::ok) {
                // The test may have ended.
                let _gone = sender.send(byte);
            }
        });
        let input = child.stdin.take().expect("it is piped");
        Terminal { child, input, output, shown: Vec::new() }
    }

    /// Waits until a text is shown, behind the texts waited for before, then types something.
    pub(crate) fn at(&mut self, wanted: &str, typed: &str) {
        let mut shown = Vec::new();
        while !text(&shown).contains(wanted) {
            let byte = self.output.recv_timeout(Duration::from_secs(60));
            let before = text(&self.shown);
            shown.push(
                byte.unwrap_or_else(|_| panic!("no {wanted}: {before}\n---\n{}", text(&shown))),
            );
        }
        self.shown.extend(shown);
        self.input.write_all(typed.as_bytes()).expect("it reads");
    }

    pub(crate) fn ends(mut self) {
        let status = self.child.wait().expect("it ends");
        self.shown.extend(self.output.iter());
        assert!(status.success(), "{status}: {}", text(&self.shown));
    }
}

#[test]
fn a_terminal_has_a_prompt_tables_and_a_history() {
    let script = Path::new("/usr/bin/script");
    if !require("shell on a terminal (script, of util-linux)", script.is_file()) {
        return;
    }
    let folder = tempfile::tempdir().expect("there is room");
    let server = serve_both(&folder.path().join("data"));
    let state = folder.path().join("state");
    let mut shell = Terminal::start(script, &server.admin_url(), &state);
    shell.at("g:gremlin> ", "g.V()\\\r");
    shell.at(".........> ", ".count()\r");
    shell.at("(1 row, ", "");
    shell.at("g:gremlin> ", "g.V().hasLa\t('x').cou\t()\r");
    shell.at("g.V().hasLabel('x').count", "");
    shell.at("(1 row, ", "");
    shell.at("g:gremlin> ", "g.V(\r");
    // A blank line ends an open statement.
    shell.at(".........> ", "\r");
    shell.at("line 1, column", "");
    shell.at("g:gremlin> ", ":use lua\r");
    shell.at("g:lua> ", "while true do\r");
    shell.at(".....> ", "end\r");
    shell.at(".....> ", "1\r");
    let began = Instant::now();
    while !under_way(&server) {
        assert!(began.elapsed() < Duration::from_secs(60), "no query runs");
        thread::sleep(Duration::from_millis(10));
    }
    // Ctrl-C ends the query, and the next drops a line.
    shell.at("", "\u{3}");
    shell.at("cancelled", "");
    shell.at("g:lua> ", "1 +\u{3}");
    shell.at("g:lua> ", "1 + 1\r");
    shell.at("     2", "");
    shell.at("g:lua> ", "\u{4}");
    shell.ends();
    let file = state.join("millrace/history");
    let kept = fs::read_to_string(&file).expect("it is kept");
    let typed = [
        "g.V()\n.count()",
        "g.V().hasLabel('x').count()",
        "g.V(",
        ":use lua",
        "while true do\nend\n1",
        "1 + 1",
    ];
    let typed: String = typed.map(|one| format!("{}\n", serde_json::json!(one))).concat();
    assert_eq!(kept, typed);
    assert_eq!(fs::metadata(&file).expect("it is there").permissions().mode() & 0o77, 0);
    let mut shell = Terminal::start(script, &server.admin_url(), &state);
    shell.at("g:gremlin> ", ":use lua\r");
    // Two up: the last statement of the session before.
    shell.at("g:lua> ", "\u{1b}[A\u{1b}[A\r");
    shell.at("     2", "");
    shell.at("g:lua> ", ":quit\r");
    shell.ends();
}
