//! A file of GraphSON, loaded as one transaction.

use std::fs;

pub(super) fn main() -> millrace::Result<()> {
    let folder = tempfile::tempdir().expect("a folder for temporary files");
    let file = folder.path().join("two.graphml");
    let text = r#"<?xml version="1.0"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="name" for="node" attr.name="name" attr.type="string"/>
  <graph edgedefault="directed">
    <node id="1"><data key="name">ann</data></node>
    <node id="2"><data key="name">ben</data></node>
    <edge id="3" source="1" target="2" label="knows"/>
  </graph>
</graphml>"#;
    fs::write(&file, text).expect("the folder is there");
    let database = millrace::in_memory()?;
    let loaded = database.graph("loaded")?.load(&file)?;
    assert_eq!((loaded.vertices, loaded.edges), (2, 1));
    println!("{} vertices, {} edges", loaded.vertices, loaded.edges);
    Ok(())
}
