-- Sorting of lists: stable, and in the way of the standard library.
local sort = {}

local function default_less(a, b)
  return a < b
end

-- Moves each entry to its place among those before it; good for short lists.
local function insert_from(list, first, last, less)
  for i = first + 1, last do
    local entry, j = list[i], i - 1
    while j >= first and less(entry, list[j]) do
      list[j + 1] = list[j]
      j = j - 1
    end
    list[j + 1] = entry
  end
end

function sort.insertion_sort(list, less)
  insert_from(list, 1, #list, less or default_less)
  return list
end

local function merge(from, into, low, middle, high, less)
  local left, right = low, middle + 1
  for place = low, high do
    if right > high or (left <= middle and not less(from[right], from[left])) then
      into[place] = from[left]
      left = left + 1
    else
      into[place] = from[right]
      right = right + 1
    end
  end
end

local SHORT = 16

function sort.stable_sort(list, less)
  less = less or default_less
  local length = #list
  for low = 1, length, SHORT do
    insert_from(list, low, math.min(low + SHORT - 1, length), less)
  end
  local from, into, width = list, {}, SHORT
  while width < length do
    for low = 1, length, 2 * width do
      local middle = math.min(low + width - 1, length)
      merge(from, into, low, middle, math.min(low + 2 * width - 1, length), less)
    end
    from, into, width = into, from, 2 * width
  end
  if from ~= list then
    for place = 1, length do
      list[place] = from[place]
    end
  end
  return list
end

function sort.unstable_sort(list, less)
  table.sort(list, less)
  return list
end

sort.sort = sort.stable_sort

return sort
