//! Acknowledged writes are there when the folder is opened again.

pub(super) fn main() -> millrace::Result<()> {
    let folder = tempfile::tempdir().expect("a folder for temporary files");
    {
        let database = millrace::open(folder.path())?;
        let graph = database.graph("notes")?;
        graph.gremlin("g.addV('note').property('text', text)").bind("text", "remember").run()?;
    }
    let database = millrace::open(folder.path())?;
    let graph = database.graph("notes")?;
    let mut rows = graph.gremlin("g.V().hasLabel('note').values('text')").rows()?;
    let row = rows.next().expect("the note is there")?;
    assert_eq!(row.value().as_str(), Some("remember"));
    println!("{:?}", row.value());
    Ok(())
}
