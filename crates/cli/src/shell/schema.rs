//! What `:schema` asks.

/// Lua that gives a row for each label and each edge type; keys are sorted when they are written.
pub(crate) const SCHEMA: &str = r#"local rows = {}
local function add(element, names, counts, properties)
  for _, name in ipairs(names) do
    local declared = {}
    for key, type in pairs(properties(name)) do declared[#declared + 1] = key .. " " .. type end
    table.sort(declared)
    rows[#rows + 1] = {
      element = element, label = name, number = counts[name] or 0,
      properties = table.concat(declared, ", ")
    }
  end
end
add("vertex", NodeTypesGet(), AllNodesCounts(), NodeTypeGet)
add("edge", RelationshipTypesGet(), AllRelationshipsCounts(), RelationshipTypeGet)
rows"#;
