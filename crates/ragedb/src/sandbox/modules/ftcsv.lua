-- CSV in texts: parse, parseLine and encode. A text is given with the option loadFromString; without
-- it the first argument names a file of the folder that the settings open for scripts.
local read_file = ...
local ftcsv = {}

-- The fields of the row that starts at a place, and the place of the next row; nil at the end.
local function row_at(text, place, delimiter)
  local length = #text
  if place > length then
    return nil
  end
  local fields = {}
  while true do
    local field
    if text:sub(place, place) == '"' then
      local parts, from = {}, place + 1
      while true do
        local close = text:find('"', from, true)
        if not close then
          error("ftcsv: can't find closing quote in row that starts with a quote", 0)
        end
        parts[#parts + 1] = text:sub(from, close - 1)
        if text:sub(close + 1, close + 1) ~= '"' then
          place = close + 1
          break
        end
        parts[#parts + 1] = '"'
        from = close + 2
      end
      field = table.concat(parts)
    else
      local stop = text:find("[\r\n" .. delimiter .. "]", place) or length + 1
      field = text:sub(place, stop - 1)
      place = stop
    end
    fields[#fields + 1] = field
    local after = text:sub(place, place)
    if after == "\r" and text:sub(place + 1, place + 1) == "\n" then
      return fields, place + 2
    elseif after == "\r" or after == "\n" or after == "" then
      return fields, place + 1
    end
    place = place + 1
  end
end

local function checked(delimiter, options)
  delimiter = delimiter or ","
  if type(delimiter) == "table" then
    delimiter, options = ",", delimiter
  end
  assert(type(delimiter) == "string" and #delimiter == 1,
    "the delimiter must be of string type and exactly one character")
  return delimiter, options or {}
end

local function text_of(input, options)
  if options.loadFromString then
    return input
  end
  return read_file(input)
end

-- What makes a table of a row's fields, and where the first row is.
local function shape(text, delimiter, options)
  local escaped = delimiter:gsub("[%^%]%-%%]", "%%%0")
  if text:sub(1, 3) == "\239\187\191" then
    text = text:sub(4)
  end
  local first, place = row_at(text, 1, escaped)
  local names = {}
  if options.headers == false then
    place = 1
    for i = 1, #(first or {}) do names[i] = i end
  else
    names = first or {}
  end
  local kept
  if options.fieldsToKeep then
    kept = {}
    for _, name in ipairs(options.fieldsToKeep) do kept[name] = true end
  end
  local shown = {}
  for i, name in ipairs(names) do
    if options.headerFunc and type(name) == "string" then name = options.headerFunc(name) end
    if options.rename and options.rename[name] then name = options.rename[name] end
    shown[i] = name
  end
  local function make(fields, number)
    if #fields ~= #shown then
      error("ftcsv: row " .. number .. " has " .. #fields .. " fields, the first has " .. #shown, 0)
    end
    local made = {}
    for i, name in ipairs(shown) do
      if not kept or kept[name] then made[name] = fields[i] end
    end
    return made
  end
  return text, escaped, place, make, shown
end

local function rows(input, delimiter, options)
  delimiter, options = checked(delimiter, options)
  local text, escaped, place, make, names = shape(text_of(input, options), delimiter, options)
  local number = 0
  local function next_row()
    local fields
    repeat
      if not place or place > #text then return nil end
      fields, place = row_at(text, place, escaped)
    until not (#fields == 1 and fields[1] == "" and #names ~= 1)
    number = number + 1
    return number, make(fields, number)
  end
  return next_row, names
end

function ftcsv.parse(input, delimiter, options)
  local parsed = {}
  local next_row, names = rows(input, delimiter, options)
  for number, row in next_row do
    parsed[number] = row
  end
  return parsed, names
end

function ftcsv.parseLine(input, delimiter, options)
  return (rows(input, delimiter, options))
end

function ftcsv.encode(list, delimiter, options)
  delimiter, options = checked(delimiter, options)
  local names = options.fieldsToKeep
  if not names then
    names = {}
    for name in pairs(list[1] or {}) do names[#names + 1] = name end
    table.sort(names)
  end
  local function field(value)
    return '"' .. tostring(value):gsub('"', '""') .. '"'
  end
  local function line(value_of)
    local fields = {}
    for i, name in ipairs(names) do fields[i] = field(value_of(name)) end
    return table.concat(fields, delimiter) .. "\r\n"
  end
  local lines = { line(function(name) return name end) }
  for i, row in ipairs(list) do
    lines[i + 1] = line(function(name)
      local value = row[name]
      if value == nil then return "" end
      return value
    end)
  end
  return table.concat(lines)
end

return ftcsv
