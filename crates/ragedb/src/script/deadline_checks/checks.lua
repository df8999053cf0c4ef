-- The functions that deadline checks call: made once for each sandbox, without a loop of its own.
local check_deadline, budget, genuine, behind = ...
local type, rawlen, math_type, floor, ceil = type, rawlen, math.type, math.floor, math.ceil
local error = error

-- Numbers between which differences and sums of two are integers, and steps that do not lead from
-- one end to the other.
local far <const>, small_step <const> = 1 << 61, 1 << 10

-- A step of floats that ends every loop behind its first round, one from infinity to infinity too.
local only_once <const> = 0.0 / 0.0

-- The entries of a loop over another iterator.
local nothing <const> = {}

local spent = 0

local function pay(tokens)
  spent = spent + tokens
  if budget < spent then
    spent = 0
    check_deadline()
  end
end

local function check()
  check_deadline()
  return budget
end

local function through(value)
  check_deadline()
  return value
end

-- A loop with a check at each step: its outer loop is the one that was written, so that says what is wrong
-- with the numbers, and its inner one runs once.
local function stepwise(first, last, step)
  if math_type(first) == "integer" and math_type(step) == "integer" then
    return first, last, step, 1
  end
  return first, last, step, only_once
end

-- A last number that is an integer, if that is the same.
local function whole(last, step)
  if math_type(last) == "integer" then
    if far <= last and 0 < step and step <= small_step then return far end
    if last <= -far and step < 0 and -small_step <= step then return -far end
    return last
  end
  if math_type(last) == nil or last ~= last then return nil end
  if 0 < step then
    if far <= last then return step <= small_step and far or nil end
    return -far < last and floor(last) or nil
  end
  if last <= -far then return -small_step <= step and -far or nil end
  return last < far and ceil(last) or nil
end

-- The bounds of a loop of loops: first, last and stride of the outer one, the step of the inner one, and how
-- far that goes at most from where it begins; without the last, it runs once.
local function by(steps, weight, first, last, step)
  if math_type(first) == "integer" and math_type(step) == "integer" and step ~= 0
    and -far < first and first < far and -far < step and step < far // steps then
    local to = whole(last, step)
    if to and -far <= to and to <= far and -far // steps < step then
      local count = (to - first) // step + 1
      if steps < count then count = steps end
      if 0 < count then pay(count * weight) end
      return first, to, step * steps, step, step * (steps - 1)
    end
  end
  pay(weight)
  return stepwise(first, last, step)
end

local function numbers(steps, weight, first, last)
  if math_type(first) == "integer" and math_type(last) == "integer"
    and -far < first and first < far and -far < last and last < far then
    local count = last - first + 1
    if steps < count then count = steps end
    if 0 < count then
      spent = spent + count * weight
      if budget < spent then
        spent = 0
        check_deadline()
      end
    end
    return first, last, steps, 1, steps - 1
  end
  return by(steps, weight, first, last, 1)
end

local function from_iterator(steps, weight, next, list, state, closing)
  if closing ~= nil then
    error("ipairs: one that was replaced may give three values, not four", 2)
  end
  local kind = type(next)
  if kind ~= "function" and kind ~= "table" and kind ~= "userdata" then
    error("attempt to call a " .. kind .. " value (for iterator 'for iterator')", 2)
  end
  pay(steps * weight)
  return steps, nothing, function(before) return next(list, before) end, state
end

-- How many entries may be gone through without a check, and what has them: a list where `ipairs` is the
-- one of the sandbox; else it has none, and what the other one gave is asked for each.
local function each(steps, weight, ipairs, ...)
  if ipairs == genuine then
    local list = ...
    if type(list) == "userdata" then list = behind(list) end
    if type(list) == "table" then
      local count = rawlen(list) + 1
      if steps < count then count = steps end
      pay(count * weight)
      return count, list
    end
  end
  return from_iterator(steps, weight, ipairs(...))
end

return function(globals)
  return {
    check = check, through = through, numbers = numbers, by = by, each = each, globals = globals,
  }
end
