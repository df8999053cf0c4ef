//! The examples, by name: `cargo run -p millrace --example tour -- NAME`.

#[path = "mod.rs"]
mod examples;

fn main() -> millrace::Result<()> {
    let asked: Vec<String> = std::env::args().skip(1).collect();
    let named = |name: &str| asked.is_empty() || asked.iter().any(|own| own == name);
    for (name, run) in examples::ALL.into_iter().filter(|(name, _)| named(name)) {
        println!("== {name}");
        run()?;
    }
    Ok(())
}
