-- Deadline checks for what a script could stay in for ever: natives that
-- loop by themselves or go through much in one instruction, finalizers (Lua swallows what they
-- raise), and coroutines that swallow errors.
local check, entries_max, large_bytes, large_entries = ...
local raw_setmetatable, rawget, getmetatable = setmetatable, rawget, getmetatable
local type, error, select = type, error, select
local rawlen, rawequal, tonumber = rawlen, rawequal, tonumber
local to_integer, integer_max = math.tointeger, math.maxinteger

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

-- A format that a native goes through letter by letter: a large one is refused.
local function of_format(library, name)
  local raw = library[name]
  library[name] = function(format, ...)
    if is_large(format) then
      error(name .. ": a format has at most " .. large_bytes .. " bytes", 2)
    end
    if type(format) == "string" and 64 < #format then check() end
    return raw(format, ...)
  end
end
for _, name in ipairs({"pack", "packsize", "unpack"}) do of_format(string, name) end
of_format(os, "date")

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

-- Entries that a native goes through between two checks.
local entries_a_part <const> = 1 << 14

-- Entries that `table.move` takes at most.
local moved_max <const> = 10000000

-- A number as the natives take it: a float and a text too, if it is whole.
local function whole(value)
  local kind = type(value)
  if kind == "string" then value = tonumber(value) end
  if kind ~= "string" and kind ~= "number" then return nil end
  return value and to_integer(value)
end

local raw_rep = string.rep
string.rep = function(text, count, separator)
  if text == "" and (separator == nil or separator == "") then
    return ""
  end
  if type(text) == "number" then text = text .. "" end
  local times = whole(count)
  if type(text) ~= "string" or times == nil or times <= 2 * entries_a_part then
    local made = raw_rep(text, count, separator)
    if is_large(made) then check() end
    return made
  end
  -- A text of long texts is copied faster than one of short ones.
  check()
  local made = raw_rep(raw_rep(text, entries_a_part, separator), times // entries_a_part, separator)
  local left = times % entries_a_part
  if 0 < left then made = made .. (separator or "") .. raw_rep(text, left, separator) end
  check()
  return made
end

local function check_if_long(list)
  if type(list) == "table" and large_entries < #list then check() end
end

-- A table with a metatable may say any length, and so may one with holes: then entries are moved in parts, with
-- deadline checks between.
local raw_insert, raw_remove, raw_move = table.insert, table.remove, table.move
local raw_sort = table.sort

local function is_short(list)
  return type(list) ~= "table" or rawlen(list) <= entries_max
end

-- Moves entries with checks between, one and so many more.
local function move(from, first, more, place, to)
  -- From behind, where entries would be overwritten before they are moved.
  local from_behind = first < place and place <= first + more and rawequal(from, to)
  local left = more + 1
  while 0 < left do
    local count = left < entries_a_part and left or entries_a_part
    left = left - count
    local before = from_behind and left or more + 1 - left - count
    check()
    raw_move(from, first + before, first + before + count - 1, place + before, to)
  end
end

table.move = function(from, first, last, place, ...)
  local start, stop, target = whole(first), whole(last), whole(place)
  local more = start and stop and start <= stop and stop - start or 0
  if more < 0 or moved_max <= more then
    error("table.move: at most " .. moved_max .. " entries at once", 2)
  end
  if more < entries_a_part or target == nil or integer_max - more < target then
    check()
    return raw_move(from, first, last, place, ...)
  end
  local to = ...
  if to == nil then to = from end
  move(from, start, more, target, to)
  return to
end

table.insert = function(list, ...)
  local count = select("#", ...)
  if getmetatable(list) == nil and (count ~= 2 or is_short(list)) then
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
  local place, value = ...
  local position, last = whole(place), #list + 1
  if position == nil or position < 1 or last < position then
    error("bad argument #2 to 'insert' (position out of bounds)", 2)
  end
  move(list, position, last - 1 - position, position + 1, list)
  list[position] = value
end

table.remove = function(list, ...)
  if getmetatable(list) == nil and ((...) == nil or is_short(list)) then
    if (...) ~= nil then check_if_long(list) end
    return raw_remove(list, ...)
  end
  local length = #list
  local position = whole((...) or length)
  if position == nil or position ~= length and (position < 1 or length + 1 < position) then
    error("bad argument #2 to 'remove' (position out of bounds)", 2)
  end
  local removed = list[position]
  move(list, position + 1, length - 1 - position, position, list)
  if position <= length then
    list[length] = nil
  end
  return removed
end

-- Texts of many entries are joined in parts, and then those.
local raw_concat = table.concat
table.concat = function(list, separator, first, last)
  local start, stop = 1, nil
  if first ~= nil then start = whole(first) end
  if last ~= nil then
    stop = whole(last)
  elseif type(list) == "table" or type(list) == "userdata" then
    stop = whole(#list)
  end
  if start == nil or stop == nil or stop < start
    or 0 <= stop - start and stop - start < entries_a_part then
    local text = raw_concat(list, separator, first, last)
    if is_large(text) then check() end
    return text
  end
  local parts, made = {}, 0
  while start <= stop do
    local more = stop - start
    local is_last = 0 <= more and more < entries_a_part
    check()
    made = made + 1
    parts[made] = raw_concat(list, separator, start, is_last and stop or start + entries_a_part - 1)
    if is_last then break end
    start = start + entries_a_part
  end
  if made == 1 then return parts[1] end
  return raw_concat(parts, separator)
end

local function plain_less(a, b)
  if is_large(a) then check() end
  return a < b
end

-- Whether the comparison of two entries may take long.
local function has_large(list, length)
  for place = 1, length do
    local entry = rawget(list, place)
    if type(entry) == "string" and large_bytes < #entry then return true end
  end
  return false
end

table.sort = function(list, less)
  local length = #list
  local is_plain = getmetatable(list) == nil and length <= entries_max / 10
    and (less ~= nil or not has_large(list, length))
  if is_plain then
    if large_entries < length then check() end
    return raw_sort(list, less)
  end
  local compare = less or plain_less
  return raw_sort(list, function(a, b) return compare(a, b) end)
end
