-- Elements of HTML by their names: html.li("text"), html.a{href = "x"}("text"). Text is escaped.
local ENTITIES = {
  ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ['"'] = "&quot;", ["'"] = "&#39;", ["/"] = "&#47;",
}

local function escape(text)
  return (tostring(text):gsub("[&<>\"'/]", ENTITIES))
end

local function attributes(given)
  local names, parts = {}, {}
  for name in pairs(given) do
    names[#names + 1] = name
  end
  table.sort(names, function(a, b) return tostring(a) < tostring(b) end)
  for _, name in ipairs(names) do
    local value = escape(given[name])
    if type(name) == "number" then
      parts[#parts + 1] = " " .. value
    else
      parts[#parts + 1] = " " .. name .. '="' .. value .. '"'
    end
  end
  return table.concat(parts)
end

local function element(name, given, content)
  local start = "<" .. name .. attributes(given)
  if content == nil then
    return start .. " />"
  end
  return start .. ">" .. escape(content) .. "</" .. name .. ">"
end

return setmetatable({}, {
  __index = function(_, name)
    return function(given)
      if type(given) ~= "table" then
        return element(name, {}, given)
      end
      return function(content)
        return element(name, given, content)
      end
    end
  end,
})
