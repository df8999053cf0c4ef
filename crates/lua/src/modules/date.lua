-- Dates and times of the proleptic Gregorian calendar, in UTC: date(2023, 4, 14), date("2023-04-14"),
-- date(seconds since 1970), date{year = 2023, month = 4, day = 14}, date() for now.
local date = {}
local methods = {}
local SECONDS, MINUTES, HOURS = 86400, 60, 3600
local WEEKDAYS = { "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday" }
local MONTHS = { "January", "February", "March", "April", "May", "June", "July", "August",
  "September", "October", "November", "December" }

local function floor(number)
  return math.floor(number)
end

-- Days from 1970-01-01 to a civil date; months beyond 12 go on into other years.
local function days_of(year, month, day)
  year, month = year + (month - 1) // 12, (month - 1) % 12 + 1
  if month <= 2 then
    year = year - 1
  end
  local era, shifted = year // 400, (month + 9) % 12
  local of_era = year % 400
  local of_year = (153 * shifted + 2) // 5 + day - 1
  return era * 146097 + of_era * 365 + of_era // 4 - of_era // 100 + of_year - 719468
end

local function civil(days)
  days = days + 719468
  local era, of_era = days // 146097, days % 146097
  local year = (of_era - of_era // 1460 + of_era // 36524 - of_era // 146096) // 365
  local of_year = of_era - (365 * year + year // 4 - year // 100)
  local shifted = (5 * of_year + 2) // 153
  local month = shifted < 10 and shifted + 3 or shifted - 9
  year = year + era * 400
  return month <= 2 and year + 1 or year, month, of_year - (153 * shifted + 2) // 5 + 1
end

local made = { __index = methods, __name = "date" }

local function new(seconds)
  return setmetatable({ seconds = seconds }, made)
end

local function at(year, month, day, hours, minutes, seconds)
  local days = days_of(floor(year), floor(month), floor(day))
  return days * SECONDS + (hours or 0) * HOURS + (minutes or 0) * MINUTES + (seconds or 0)
end

local function seconds_of(value, ...)
  local kind = type(value)
  if kind == "nil" or kind == "boolean" then
    return os.time()
  elseif getmetatable(value) == made then
    return value.seconds
  elseif kind == "number" and select("#", ...) == 0 then
    return value
  elseif kind == "number" then
    return at(value, ...)
  elseif kind == "string" then
    return DateToDouble(value)
  elseif kind == "table" then
    return at(value.year, value.month, value.day, value.hour, value.min, value.sec)
  end
  error("date: a " .. kind .. " is no date", 3)
end

local function parts(self)
  local days = floor(self.seconds / SECONDS)
  local year, month, day = civil(days)
  return year, month, day, self.seconds - days * SECONDS, days
end

function methods:copy() return new(self.seconds) end
function methods:tosecs() return self.seconds end
function methods:getdate()
  local year, month, day = parts(self)
  return year, month, day
end
function methods:gettime()
  local _, _, _, rest = parts(self)
  return floor(rest / HOURS), floor(rest / MINUTES) % 60, floor(rest) % 60, rest % 1
end
function methods:getyear() return (parts(self)) end
function methods:getmonth() return (select(2, parts(self))) end
function methods:getday() return (select(3, parts(self))) end
function methods:gethours() return (self:gettime()) end
function methods:getminutes() return (select(2, self:gettime())) end
function methods:getseconds()
  local _, _, seconds, fraction = self:gettime()
  return seconds + fraction
end
function methods:getweekday() return (select(5, parts(self)) + 4) % 7 + 1 end
function methods:getisoweekday() return (self:getweekday() + 5) % 7 + 1 end
function methods:getyearday()
  local year, _, _, _, days = parts(self)
  return days - days_of(year, 1, 1) + 1
end
-- The week of the year's first Thursday is its first.
function methods:getisoyear()
  local _, _, _, _, days = parts(self)
  return (civil(days + 4 - self:getisoweekday()))
end
function methods:getisoweeknumber()
  local _, _, _, _, days = parts(self)
  local thursday = days + 4 - self:getisoweekday()
  return (thursday - days_of((civil(thursday)), 1, 1)) // 7 + 1
end

local function set(self, year, month, day, rest)
  self.seconds = days_of(year, month, day) * SECONDS + rest
  return self
end
function methods:setyear(year, month, day)
  local _, old_month, old_day, rest = parts(self)
  return set(self, floor(year), month or old_month, day or old_day, rest)
end
function methods:setmonth(month, day)
  local year, _, old_day, rest = parts(self)
  return set(self, year, floor(month), day or old_day, rest)
end
function methods:setday(day)
  local year, month, _, rest = parts(self)
  return set(self, year, month, floor(day), rest)
end
local function set_time(self, hours, minutes, seconds)
  local year, month, day = parts(self)
  local old_hours, old_minutes, old_seconds, fraction = self:gettime()
  return set(self, year, month, day, (hours or old_hours) * HOURS
    + (minutes or old_minutes) * MINUTES + (seconds or (old_seconds + fraction)))
end
function methods:sethours(hours, minutes, seconds) return set_time(self, hours, minutes, seconds) end
function methods:setminutes(minutes, seconds) return set_time(self, nil, minutes, seconds) end
function methods:setseconds(seconds) return set_time(self, nil, nil, seconds) end

function methods:addyears(years)
  local year, month, day, rest = parts(self)
  return set(self, year + floor(years), month, day, rest)
end
function methods:addmonths(months)
  local year, month, day, rest = parts(self)
  return set(self, year, month + floor(months), day, rest)
end
for name, seconds in pairs { adddays = SECONDS, addhours = HOURS, addminutes = MINUTES, addseconds = 1 } do
  methods[name] = function(self, count)
    self.seconds = self.seconds + count * seconds
    return self
  end
end
for name, seconds in pairs { spandays = SECONDS, spanhours = HOURS, spanminutes = MINUTES, spanseconds = 1 } do
  methods[name] = function(self) return self.seconds / seconds end
end
function methods:toutc() return self:copy() end
function methods:tolocal() return self:copy() end

local FORMATS = {
  ["%a"] = function(self) return WEEKDAYS[self:getweekday()]:sub(1, 3) end,
  ["%A"] = function(self) return WEEKDAYS[self:getweekday()] end,
  ["%b"] = function(self) return MONTHS[self:getmonth()]:sub(1, 3) end,
  ["%B"] = function(self) return MONTHS[self:getmonth()] end,
  ["%d"] = function(self) return ("%02d"):format(self:getday()) end,
  ["%F"] = function(self) return ("%04d-%02d-%02d"):format(self:getdate()) end,
  ["%H"] = function(self) return ("%02d"):format(self:gethours()) end,
  ["%I"] = function(self) return ("%02d"):format((self:gethours() + 11) % 12 + 1) end,
  ["%j"] = function(self) return ("%03d"):format(self:getyearday()) end,
  ["%m"] = function(self) return ("%02d"):format(self:getmonth()) end,
  ["%M"] = function(self) return ("%02d"):format(self:getminutes()) end,
  ["%p"] = function(self) return self:gethours() < 12 and "AM" or "PM" end,
  ["%S"] = function(self) return ("%02d"):format(floor(self:getseconds())) end,
  ["%T"] = function(self) return self:fmt("%H:%M:%S") end,
  ["%u"] = function(self) return tostring(self:getisoweekday()) end,
  ["%V"] = function(self) return ("%02d"):format(self:getisoweeknumber()) end,
  ["%w"] = function(self) return tostring(self:getweekday() - 1) end,
  ["%y"] = function(self) return ("%02d"):format(self:getyear() % 100) end,
  ["%Y"] = function(self) return ("%04d"):format(self:getyear()) end,
  ["%%"] = function() return "%" end,
}
local NAMED = { iso = "%FT%T", http = "%a, %d %b %Y %T GMT", rfc1123 = "%a, %d %b %Y %T GMT" }

function methods:fmt(format)
  format = (format or "%F %T"):gsub("%${(%w+)}", NAMED)
  return (format:gsub("%%.", function(code)
    local show = FORMATS[code]
    if not show then
      error("date: there is no format " .. code, 0)
    end
    return show(self)
  end))
end

made.__tostring = function(self) return self:fmt() end
made.__eq = function(a, b) return a.seconds == b.seconds end
made.__lt = function(a, b) return seconds_of(a) < seconds_of(b) end
made.__le = function(a, b) return seconds_of(a) <= seconds_of(b) end
made.__sub = function(a, b) return new(seconds_of(a) - seconds_of(b)) end
made.__add = function(a, b) return new(seconds_of(a) + seconds_of(b)) end
made.__concat = function(a, b) return tostring(a) .. tostring(b) end

function date.diff(a, b) return new(seconds_of(a) - seconds_of(b)) end
function date.epoch() return new(0) end
function date.isleapyear(year)
  if getmetatable(year) == made then
    year = year:getyear()
  end
  return year % 4 == 0 and (year % 100 ~= 0 or year % 400 == 0)
end

return setmetatable(date, { __call = function(_, ...) return new(seconds_of(...)) end })
