//! A result as columns, one for each name of `project`.

use millrace::Value;

pub(super) fn main() -> millrace::Result<()> {
    let database = millrace::in_memory()?;
    let graph = database.graph("films")?;
    graph.write(|writer| {
        let titles = ["Alien", "Brazil", "Cube"];
        let years = [1979_i64, 1985, 1997];
        writer.vertices("film", &[("title", titles.into()), ("year", years.into())]).map(drop)
    })?;
    let text =
        "g.V().hasLabel('film').order().by('year').project('title', 'year').by('title').by('year')";
    let columns = graph.gremlin(text).columns()?;
    let years = columns.column("year").expect("project named it");
    assert_eq!(years.get(0), Some(Value::I64(1979)));
    println!("{} rows of {}", columns.len(), columns.names().join(", "));
    Ok(())
}
