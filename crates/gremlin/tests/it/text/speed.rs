//! The speed of the parser: `cargo test -p millrace-gremlin --release -- speed --nocapture` prints it.

use std::time::Instant;

use millrace_gremlin::text::{Language, parse};

/// Nanoseconds a byte may take in a build without optimization on a busy machine.
const NANOS_A_BYTE_MAX: u128 = 5_000;

#[test]
fn the_insert_of_ten_vertices_is_read_in_microseconds() {
    let insert =
        |n: usize| format!(".addV('person').property('name','marko {n}').property('age',{n})");
    let text = format!("g{}", (20..30).map(insert).collect::<String>());
    let rounds = 2_000;
    let best = (0..5).map(|_| {
        let began = Instant::now();
        for _ in 0..rounds {
            let script = parse(std::hint::black_box(&text), Language::Gremlin);
            assert_eq!(std::hint::black_box(script).map(|script| script.statements.len()), Ok(1));
        }
        began.elapsed().as_nanos() / rounds
    });
    let nanos = best.min().unwrap_or_default();
    let bytes = text.len() as u128;
    println!("{bytes} bytes, 30 steps: {nanos} ns, {} ns a byte", nanos as f64 / bytes as f64);
    assert!(nanos / bytes < NANOS_A_BYTE_MAX);
}
