-- Deadline checks for what a script could stay in for ever: natives that
-- loop by themselves or go through much in one instruction, finalizers (Lua swallows what they
-- raise), and coroutines that swallow errors.
local check, entries_max, large_bytes, large_entries = ...
local raw_setmetatable, rawget, getmetatable = setmetatable, rawget, getmetatable
local type, error, select = type, error, select

local function checked(...)
  check()
  return ...
end

function setmetatable(value, metatable)
  if type(metatable) == "table" and rawget(metatable, "__gc") ~= nil then
    error("setmetatable: __gc is not supported", 2)
  end
  return raw_setmetatable(value, metatable)
end

local raw_resume, raw_close = coroutine.resume, coroutine.close
coroutine.resume = function(...) return checked(raw_resume(...)) end
coroutine.close = function(...) return checked(raw_close(...)) end

local function is_large(text)
  return type(text) == "string" and large_bytes < #text
end

-- A native that goes through a whole text checks the deadline before a large one.
local function of_text(library, name)
  local raw = library[name]
  library[name] = function(text, ...)
    if is_large(text) then check() end
    return raw(text, ...)
  end
end
for _, name in ipairs({"reverse", "upper", "lower", "sub"}) do of_text(string, name) end
for _, name in ipairs({"len", "offset"}) do of_text(utf8, name) end

-- A native that makes a text checks the deadline after a large one.
local function to_text(library, name)
  local raw = library[name]
  library[name] = function(...)
    local text = raw(...)
    if is_large(text) then check() end
    return text
  end
end
for _, name in ipairs({"char", "format", "pack"}) do to_text(string, name) end
to_text(utf8, "char")
to_text(table, "concat")

-- A native that gives many values likewise.
local function checked_if_many(...)
  if large_entries < select("#", ...) then check() end
  return ...
end
local function to_many(library, name)
  local raw = library[name]
  library[name] = function(...) return checked_if_many(raw(...)) end
end
to_many(string, "byte")
to_many(string, "unpack")
to_many(utf8, "codepoint")
to_many(table, "unpack")
of_text(_G, "tonumber")

local raw_rep = string.rep
string.rep = function(text, count, separator)
  if text == "" and (separator == nil or separator == "") then
    return ""
  end
  local made = raw_rep(text, count, separator)
  if is_large(made) then check() end
  return made
end

local function check_if_long(list)
  if type(list) == "table" and large_entries < #list then check() end
end

-- A table with a metatable may say any length: then the loop is one of Lua, which has deadline checks.
local raw_insert, raw_remove, raw_move = table.insert, table.remove, table.move
local raw_sort = table.sort

table.insert = function(list, ...)
  local count = select("#", ...)
  if getmetatable(list) == nil then
    -- Those behind the place are moved.
    if count == 2 then check_if_long(list) end
    return raw_insert(list, ...)
  end
  if count == 1 then
    list[#list + 1] = (...)
    return
  elseif count ~= 2 then
    error("wrong number of arguments to 'insert'", 2)
  end
  local position, value = ...
  local last = #list + 1
  if position < 1 or last < position then
    error("bad argument #2 to 'insert' (position out of bounds)", 2)
  end
  for place = last, position + 1, -1 do
    list[place] = list[place - 1]
  end
  list[position] = value
end

table.remove = function(list, ...)
  if getmetatable(list) == nil then
    if (...) ~= nil then check_if_long(list) end
    return raw_remove(list, ...)
  end
  local length = #list
  local position = (...) or length
  if position ~= length and (position < 1 or length + 1 < position) then
    error("bad argument #2 to 'remove' (position out of bounds)", 2)
  end
  local removed = list[position]
  for place = position, length - 1 do
    list[place] = list[place + 1]
  end
  if position <= length then
    list[length] = nil
  end
  return removed
end

table.move = function(from, first, last, ...)
  if math.type(first) == "integer" and math.type(last) == "integer"
    and first <= last and (last - first < 0 or entries_max < last - first) then
    error("table.move: at most " .. entries_max .. " entries at once", 2)
  end
  check()
  return raw_move(from, first, last, ...)
end

local function plain_less(a, b) return a < b end

table.sort = function(list, less)
  local length = #list
  if length <= large_entries then
    return raw_sort(list, less)
  elseif length <= entries_max / 100 and getmetatable(list) == nil then
    check()
    return raw_sort(list, less)
  end
  local compare = less or plain_less
  return raw_sort(list, function(a, b) return compare(a, b) end)
end
