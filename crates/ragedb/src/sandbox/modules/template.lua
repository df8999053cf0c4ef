-- Templates of text: {{ expression, escaped }}, {* expression, raw *}, {% Lua %}, {# comment #},
-- {-raw-} … {-raw-}, {( another template )}. A backslash before a brace keeps it as text.
-- Views are texts: there are no files to read them from.
local template = { cache = {}, _VERSION = "1" }

local ENTITIES = {
  ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ['"'] = "&quot;", ["'"] = "&#39;", ["/"] = "&#47;",
}

function template.output(value)
  if value == nil then
    return ""
  end
  if type(value) == "function" then
    return template.output(value())
  end
  return tostring(value)
end

function template.escape(value)
  return (template.output(value):gsub("[&<>\"'/]", ENTITIES))
end

-- How each mark of a view ends, and the Lua it becomes.
local MARKS = {
  ["{"] = { "}}", function(inner) return "___[#___+1]=template.escape(" .. inner .. "\n)\n" end },
  ["*"] = { "*}", function(inner) return "___[#___+1]=template.output(" .. inner .. "\n)\n" end },
  ["%"] = { "%}", function(inner) return inner .. "\n", true end },
  ["#"] = { "#}", function() return "" end },
  ["("] = { ")}", function(inner)
    local view, context = inner:match("^(.-),(.*)$")
    return ("___[#___+1]=include(%q, %s)\n"):format(view or inner, context or "nil")
  end },
}

local function quoted(text)
  return ("___[#___+1]=%q\n"):format(text)
end

-- A view as the text of a Lua chunk.
function template.parse(view)
  assert(view, "view was not provided for template.parse(view)")
  local chunk = { "local context = ...\nlocal ___ = {}\n",
    "local function include(view, other) return template.process(view, other or context) end\n",
    "local function echo(...) for i = 1, select('#', ...) do ___[#___+1] = tostring((select(i, ...))) end end\n" }
  local place, from = 1, 1
  local function add(text)
    chunk[#chunk + 1] = text
  end
  while true do
    local at = view:find("{", from, true)
    if not at then
      break
    end
    local mark = view:sub(at + 1, at + 1)
    local rule = MARKS[mark]
    local raw_start, raw_end = view:find("^{%-raw%-}", at)
    if at > 1 and view:sub(at - 1, at - 1) == "\\" and (rule or raw_start) then
      add(quoted(view:sub(place, at - 2)))
      place, from = at, at + 1
    elseif raw_start then
      local close_start, close_end = view:find("{-raw-}", raw_end + 1, true)
      assert(close_start, "{-raw-} is not closed")
      add(quoted(view:sub(place, at - 1)))
      add(quoted(view:sub(raw_end + 1, close_start - 1)))
      place, from = close_end + 1, close_end + 1
    elseif rule then
      local close_start, close_end = view:find(rule[1], at + 2, true)
      if not close_start then
        from = at + 1
      else
        add(quoted(view:sub(place, at - 1)))
        local code, is_line = rule[2](view:sub(at + 2, close_start - 1))
        add(code)
        place = close_end + 1
        if is_line and view:sub(place, place) == "\n" then
          place = place + 1
        end
        from = place
      end
    else
      from = at + 1
    end
  end
  add(quoted(view:sub(place)))
  add("return table.concat(___)")
  return table.concat(chunk)
end

function template.compile(view, cache_key)
  cache_key = cache_key or view
  local known = cache_key ~= "no-cache" and template.cache[cache_key]
  if known then
    return known, true
  end
  local text = template.parse(view)
  local function render(context)
    context = context or {}
    local names = setmetatable({ template = template, context = context }, {
      __index = function(_, name)
        local value = context[name]
        if value == nil then
          value = _ENV[name]
        end
        return value
      end,
    })
    return assert(load(text, "=template", "t", names))(context)
  end
  if cache_key ~= "no-cache" then
    template.cache[cache_key] = render
  end
  return render, false
end

function template.process(view, context, cache_key)
  return template.compile(view, cache_key)(context)
end

template.render = template.process
template.parse_string = template.parse
template.compile_string = template.compile
template.process_string = template.process
template.render_string = template.process

for _, name in ipairs { "parse_file", "compile_file", "process_file", "render_file", "precompile" } do
  template[name] = function()
    error("template." .. name .. ": a script cannot reach files", 2)
  end
end

return template
