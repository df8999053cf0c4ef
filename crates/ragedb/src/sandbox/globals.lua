-- The globals of one sandbox, fresh for each script. A script writes into `globals`, which is emptied when it
-- ends; what it does not find there is in `defined`. Libraries are copied when a script names one,
-- and modules run again, so that a script may change them for itself only.
local globals, defined, libraries, modules = ...
local next, rawset, setmetatable, type, pairs = next, rawset, setmetatable, type, pairs

local function copy(library)
  local copied = {}
  for name, value in next, library do
    copied[name] = type(value) == "table" and copy(value) or value
  end
  return copied
end

local function made(name)
  if libraries[name] ~= nil then return copy(libraries[name]) end
  if modules[name] ~= nil then return modules[name]() end
end

setmetatable(defined, {
  __index = function(_, name)
    local value = made(name)
    if value ~= nil then rawset(globals, name, value) end
    return value
  end,
})

setmetatable(globals, {
  __index = defined,
  __metatable = false,
  __pairs = function()
    for _, names in next, { libraries, modules } do
      for name in next, names do local _ = globals[name] end
    end
    local all = {}
    for _, names in next, { defined, globals } do
      for name, value in next, names do all[name] = value end
    end
    return pairs(all)
  end,
})

-- Empties the globals, and says how many there were.
local function clear()
  local count = 0
  for name in next, globals do
    globals[name] = nil
    count = count + 1
  end
  return count
end

-- Whether a script added names to a library or changed some.
local function is_changed(name, library)
  if type(library) ~= "table" then return true end
  local plain = made(name)
  for key in next, library do
    if plain[key] == nil then return true end
  end
  -- Functions of a module are made anew with it, so only a library's can be compared.
  if libraries[name] ~= nil then
    for key, value in next, plain do
      if type(value) ~= "table" and library[key] ~= value then return true end
    end
  end
  return false
end

-- Keeps the globals for all scripts to come.
local function keep()
  for name, value in next, globals do
    local known = libraries[name] ~= nil or modules[name] ~= nil
    if not known then
      rawset(defined, name, value)
    elseif is_changed(name, value) then
      if type(value) == "table" then libraries[name] = value else rawset(defined, name, value) end
    end
  end
  return clear()
end

return clear, keep
