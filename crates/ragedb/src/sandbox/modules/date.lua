-- Dates and times of the proleptic Gregorian calendar, with the methods, functions and texts of the
-- module that RageDB ships: date(2023, 4, 14), date("2023-04-14T12:30:05Z"), date(seconds since 1970),
-- date{year = 2023, month = 4, day = 14}, date() for now. An object is a day number from the year 1
-- and ticks of the day, without a zone; its methods that set or add change it and give it back.
local date = { version = 20020000 }
local methods = {}
local DAY, HOUR, MINUTE = 86400, 3600, 60
local EPOCH = 719162
local WEEKDAYS = { "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday" }
local MONTHS = { "January", "February", "March", "April", "May", "June", "July", "August",
  "September", "October", "November", "December" }
-- Minutes west of UTC.
local ZONES = { utc = 0, gmt = 0, est = 300, edt = 240, cst = 360, cdt = 300, mst = 420, mdt = 360,
  pst = 480, pdt = 420 }
local ticks, century_flip, default_format = 1000000, 0, "%x %X"
local day_min, day_max = -365242500, 365242500
local floor, format = math.floor, string.format

-- A number, an integer where it is whole.
local function whole(number)
  local lower = floor(number)
  return lower == number and lower or number
end

local function number_of(value, default)
  local number = tonumber(value == nil and default or value)
  return number or error("date: invalid argument(s)", 0)
end

-- Cuts the fraction off.
local function fix(value, default)
  local number = number_of(value, default)
  return number < 0 and -floor(-number) or floor(number)
end

-- The number of the name that begins so.
local function named(names, text)
  text = text:lower()
  for number, name in ipairs(names) do
    if #text >= 2 and name:lower():sub(1, #text) == text then return number end
  end
end

local function month_of(value)
  if tonumber(value) then return fix(value) end
  return named(MONTHS, tostring(value)) or error("date: invalid argument(s)", 0)
end

-- Days from 0001-01-01 to a civil date; months beyond 12 go on into other years.
local function day_number(year, month, day)
  year, month = year + (month - 1) // 12, (month - 1) % 12 + 1
  if month <= 2 then year = year - 1 end
  local of_era = year % 400
  local of_year = (153 * ((month + 9) % 12) + 2) // 5 + day - 1
  return (year // 400) * 146097 + of_era * 365 + of_era // 4 - of_era // 100 + of_year - 306
end

local function civil(days)
  days = days + 306
  local era, of_era = days // 146097, days % 146097
  local year = (of_era - of_era // 1460 + of_era // 36524 - of_era // 146096) // 365
  local of_year = of_era - (365 * year + year // 4 - year // 100)
  local shifted = (5 * of_year + 2) // 153
  local month = shifted < 10 and shifted + 3 or shifted - 9
  year = year + era * 400
  return month <= 2 and year + 1 or year, month, of_year - (153 * shifted + 2) // 5 + 1
end

local function is_leap(year)
  return year % 4 == 0 and (year % 100 ~= 0 or year % 400 == 0)
end

-- The Monday of a year's first week, which has its first Thursday.
local function first_monday(year)
  local fourth = day_number(year, 1, 4)
  return fourth - fourth % 7
end

local made = { __index = methods, __name = "date" }
made.__metatable = made

local function normalized(self)
  local days = floor(self.dayfrc / (DAY * ticks))
  self.dayfrc = floor(self.dayfrc - days * DAY * ticks + 0.5)
  self.daynum = floor(self.daynum) + days
  if self.daynum < day_min or day_max < self.daynum then
    error("date: beyond imposed limits", 0)
  end
  return self
end

local function new(days, fraction)
  return normalized(setmetatable({ daynum = days, dayfrc = fraction }, made))
end

local function fraction(hours, minutes, seconds, more)
  return (hours * HOUR + minutes * MINUTE + seconds) * ticks + more
end

local function of_seconds(seconds)
  local days = floor(seconds / DAY)
  return new(EPOCH + days, (seconds - days * DAY) * ticks)
end

local function of_fields(year, month, day, hours, minutes, seconds, more)
  local time = fraction(number_of(hours, 0), number_of(minutes, 0), number_of(seconds, 0),
    number_of(more, 0))
  return new(day_number(fix(year), month_of(month), fix(day)), time)
end

local function of_table(fields)
  local year, month, day = fields.year, fields.month, fields.day
  local time = { fields.hour, fields.min, fields.sec, fields.ticks }
  if year == nil and month == nil and day == nil and next(time) ~= nil then
    year, month, day = 1, 1, 1
  end
  if year == nil or month == nil or day == nil then error("date: incomplete table", 0) end
  return of_fields(year, month, day, table.unpack(time, 1, 4))
end

-- The ISO 8601 forms: calendar, week and ordinal days, a time, a zone.
local function iso(text)
  local days, rest
  local year, dash, month, day, behind = text:match("^(%d%d%d%d)(%-?)(%d%d)(%-?%d%d)(.*)$")
  if year and (day:sub(1, 1) == "-") == (dash == "-") then
    local first, last = day_number(fix(year), fix(month), 1), fix(day:match("%d+"))
    if 0 < fix(month) and fix(month) <= 12 and 0 < last
      and last <= day_number(fix(year), fix(month) + 1, 1) - first then
      days, rest = first + last - 1, behind
    end
  end
  local week, weekday
  year, week, weekday, behind = text:match("^(%d%d%d%d)%-?[Ww](%d%d)%-?(%d?)(.*)$")
  if not days and year and 0 < fix(week) and fix(week) <= 53 then
    days = first_monday(fix(year)) + 7 * (fix(week) - 1) + (tonumber(weekday) or 1) - 1
    rest = behind
  end
  year, day, behind = text:match("^(%d%d%d%d)%-?(%d%d%d)(.*)$")
  if not days and year and not behind:find("^%d") and 0 < fix(day)
    and fix(day) <= (is_leap(fix(year)) and 366 or 365) then
    days, rest = day_number(fix(year), 1, fix(day)), behind
  end
  year, month, behind = text:match("^(%d%d%d%d)%-(%d%d)(.*)$")
  if not days and year and not behind:find("^[%-%d]") and 0 < fix(month) and fix(month) <= 12 then
    days, rest = day_number(fix(year), fix(month), 1), behind
  end
  if not days then return nil end
  local hours, minutes, seconds = 0, 0, 0
  local found, after = rest:match("^%s*[Tt]?(%d%d)(.*)$")
  if found then
    hours, rest = fix(found), after
    found, after = rest:match("^:?(%d%d)(.*)$")
    if found then
      minutes, rest = fix(found), after
      found, after = rest:match("^:?(%d%d%.?%d*)(.*)$")
      if found then seconds, rest = tonumber(found), after end
    end
  end
  local sign, zone_hours, zone_minutes = rest:match("^%s*([+-])(%d%d):?(%d?%d?)%s*[Zz]?%s*$")
  local zone = 0
  if sign then
    zone = (fix(zone_hours) * 60 + (tonumber(zone_minutes) or 0)) * (sign == "+" and 1 or -1)
  elseif not rest:find("^%s*[Zz]?%s*$") then
    return nil
  end
  if 24 <= hours or 60 <= minutes or 60 <= seconds then return nil end
  return new(days, fraction(hours, minutes - zone, seconds, 0))
end

-- One word of a date as people write it, into what is known of it; false if it means nothing.
local function word(known, text, rest)
  local month, zone = named(MONTHS, text), ZONES[text:lower()]
  if month then
    if known.month and not known.day and not known.year then
      known.day, known.month = known.month, nil
    end
    if known.month then return false end
    known.month = month
  elseif zone then
    known.zone = zone
  elseif not named(WEEKDAYS, text) then
    local letters = (text .. (rest:match("^[%.%a]+") or "")):gsub("%.", ""):lower()
    if letters == "bc" or letters == "bce" then
      known.before = true
    elseif letters == "am" or letters == "pm" or letters == "a" or letters == "p" then
      if not known.hours or known.hours > 12 then return false end
      known.hours = known.hours % 12 + (letters:sub(1, 1) == "p" and 12 or 0)
    elseif letters ~= "ad" and letters ~= "ce" then
      return false
    end
    return rest:gsub("^[%.%a]+", "")
  end
  return rest
end

local function digits(known, text)
  local number = tonumber(text)
  if 70 <= number or #text > 3 or known.month and known.day and not known.year then
    local short = number < 100 and #text <= 3
    known.year = number + (short and (number < century_flip and 2000 or 1900) or 0)
  elseif known.month then
    known.day = number
  else
    known.month = number
  end
end

-- Texts as people write them: words, numbers, times and zones in any order.
local function free(text)
  local known, rest = {}, text
  while rest and rest ~= "" do
    local hours, minutes, after = rest:match("^[tT:]?%s*(%d%d?)%s*:%s*(%d%d?)(.*)$")
    local sign, zone, zone_after = rest:match("^([+-])(%d%d?:?%d*)(.*)$")
    local number, number_after = rest:match("^(%d+)[/\\%s,-]?%s*(.*)$")
    local name, name_after = rest:match("^(%a+)[/\\%s,.-]?%s*(.*)$")
    if hours then
      known.hours, known.minutes, rest = tonumber(hours), tonumber(minutes), after
      local seconds, behind = rest:match("^%s*:%s*(%d%d?%.?%d*)(.*)$")
      if seconds then known.seconds, rest = tonumber(seconds), behind end
    elseif sign and (known.year or known.hours) then
      local hour, minute = zone:match("^(%d%d?):?(%d*)$")
      if #zone == 3 then hour, minute = zone:match("^(%d)(%d%d)$") end
      local west = (fix(hour) * 60 + (tonumber(minute) or 0)) * (sign == "+" and -1 or 1)
      known.zone, rest = west, zone_after
    elseif rest:find("^[Zz]%s*$") then
      rest = ""
    elseif number then
      digits(known, number)
      rest = number_after
    elseif name then
      rest = word(known, name, name_after)
    else
      rest = false
    end
    rest = rest and rest:match("^%s*(.*)$")
  end
  local year, month, day = known.year, known.month, known.day
  local has_date = year or month or day
  if not rest or has_date and not (year and month and day) or not (has_date or known.hours) then
    return nil
  end
  if known.before then year = 1 - year end
  local days = has_date and day_number(year, month, day) or 0
  return new(days, fraction(known.hours or 0, (known.minutes or 0) + (known.zone or 0),
    known.seconds or 0, 0))
end

local function of_text(text)
  local plain = text:gsub("%b()", ""):match("^%s*(.-)%s*$")
  return iso(plain) or free(plain) or error("date: this is no date: " .. text, 0)
end

-- The object of a value; a date is itself.
local function object(value)
  local kind = type(value)
  if getmetatable(value) == made then return value end
  if kind == "number" then return of_seconds(value) end
  if kind == "string" then return of_text(value) end
  if kind == "table" then return of_table(value) end
  if kind == "boolean" or kind == "nil" then return of_table(os.date(value and "!*t" or "*t")) end
  error("date: a " .. kind .. " is no date", 0)
end

local function seconds_of(self)
  return whole((self.daynum - EPOCH) * DAY + self.dayfrc / ticks)
end

function methods:todouble() return seconds_of(self) end
function methods:tosecs() return seconds_of(self) end
function methods:copy() return new(self.daynum, self.dayfrc) end
function methods:getdate() return civil(self.daynum) end
function methods:gettime()
  local seconds = self.dayfrc // ticks
  return seconds // HOUR, seconds // MINUTE % 60, seconds % 60, self.dayfrc % ticks
end
function methods:getyear() return (civil(self.daynum)) end
function methods:getmonth() return (select(2, civil(self.daynum))) end
function methods:getday() return (select(3, civil(self.daynum))) end
function methods:gethours() return (self:gettime()) end
function methods:getminutes() return (select(2, self:gettime())) end
function methods:getseconds() return (select(3, self:gettime())) end
function methods:getfracsec()
  local _, _, seconds, more = self:gettime()
  return whole(seconds + more / ticks)
end
function methods:getticks(unit)
  local more = self.dayfrc % ticks
  return unit and whole(more * unit / ticks) or more
end
function methods:getclockhour() return (self:gethours() + 11) % 12 + 1 end
function methods:getweekday() return (self.daynum + 1) % 7 + 1 end
function methods:getyearday() return self.daynum - day_number(self:getyear(), 1, 1) + 1 end
-- Weeks begin on Sunday, or on the weekday of that number; days before the first are in week 0.
function methods:getweeknumber(first)
  local weekday = (self:getweekday() - (first and number_of(first) or 1)) % 7
  return (self:getyearday() - 1 - weekday + 7) // 7
end
function methods:getisoweekday() return self.daynum % 7 + 1 end
function methods:getisoyear()
  return (civil(self.daynum - self:getisoweekday() + 4))
end
function methods:getisoweeknumber()
  return (self.daynum - first_monday(self:getisoyear())) // 7 + 1
end
function methods:getisodate()
  return self:getisoyear(), self:getisoweeknumber(), self:getisoweekday()
end

function methods:setyear(year, month, day)
  local old_year, old_month, old_day = civil(self.daynum)
  self.daynum = day_number(fix(year, old_year), month_of(month or old_month), fix(day, old_day))
  return normalized(self)
end
function methods:setmonth(month, day) return self:setyear(nil, month, day) end
function methods:setday(day) return self:setyear(nil, nil, day) end
function methods:setisoyear(year, week, weekday)
  local old_year, old_week, old_weekday = self:getisodate()
  self.daynum = first_monday(fix(year, old_year)) + 7 * (fix(week, old_week) - 1)
    + fix(weekday, old_weekday) - 1
  return normalized(self)
end
function methods:setisoweeknumber(week, weekday) return self:setisoyear(nil, week, weekday) end
function methods:setisoweekday(weekday) return self:setisoyear(nil, nil, weekday) end
function methods:sethours(hours, minutes, seconds, more)
  local old_hours, old_minutes, old_seconds, old_more = self:gettime()
  self.dayfrc = fraction(number_of(hours, old_hours), number_of(minutes, old_minutes),
    number_of(seconds, old_seconds), number_of(more, old_more))
  return normalized(self)
end
function methods:setminutes(minutes, seconds, more)
  return self:sethours(nil, minutes, seconds, more)
end
function methods:setseconds(seconds, more) return self:sethours(nil, nil, seconds, more) end
function methods:setticks(more) return self:sethours(nil, nil, nil, more) end

function methods:addyears(years, months, days)
  local year, month, day = civil(self.daynum)
  self.daynum = day_number(year + fix(years, 0), month + fix(months, 0), day + fix(days, 0))
  return normalized(self)
end
function methods:addmonths(months, days) return self:addyears(nil, months, days) end
for unit, seconds in pairs({ days = DAY, hours = HOUR, minutes = MINUTE, seconds = 1 }) do
  methods["add" .. unit] = function(self, count)
    self.dayfrc = self.dayfrc + number_of(count) * seconds * ticks
    return normalized(self)
  end
  methods["span" .. unit] = function(self)
    return whole(self.daynum * (DAY // seconds) + self.dayfrc / (seconds * ticks))
  end
end
function methods:addticks(count)
  self.dayfrc = self.dayfrc + number_of(count)
  return normalized(self)
end
function methods:spanticks() return self.daynum * DAY * ticks + self.dayfrc end

-- Seconds that local time is behind UTC, of a time that is local, or UTC.
local function bias(self, is_local)
  local seconds = floor(seconds_of(self))
  local fields = os.date(is_local and "!*t" or "*t", seconds)
  if not is_local then
    return seconds - floor(seconds_of(of_table(fields))), seconds
  end
  fields.isdst = nil
  local utc = os.time(fields)
  return utc - seconds, utc
end
function methods:tolocal() return self:addseconds(-bias(self, false)) end
function methods:toutc() return self:addseconds((bias(self, true))) end
function methods:getbias() return whole((bias(self, true)) / 60) end
function methods:gettzname() return os.date("%Z", (select(2, bias(self, true)))) end

-- A field as a number of so many digits.
local function digits_of(method, width, change)
  return function(self)
    local value = methods[method](self)
    return format("%0" .. width .. "d", change and change(value) or value)
  end
end
local function in_century(year) return year % 100 end

local FORMATS = {
  a = function(self) return WEEKDAYS[self:getweekday()]:sub(1, 3) end,
  A = function(self) return WEEKDAYS[self:getweekday()] end,
  b = function(self) return MONTHS[self:getmonth()]:sub(1, 3) end,
  B = function(self) return MONTHS[self:getmonth()] end,
  C = digits_of("getyear", 2, function(year) return fix(year / 100) end),
  d = digits_of("getday", 2),
  g = digits_of("getisoyear", 2, in_century),
  G = digits_of("getisoyear", 4),
  H = digits_of("gethours", 2),
  I = digits_of("getclockhour", 2),
  j = digits_of("getyearday", 3),
  m = digits_of("getmonth", 2),
  M = digits_of("getminutes", 2),
  p = function(self) return self:gethours() < 12 and "AM" or "PM" end,
  S = digits_of("getseconds", 2),
  u = digits_of("getisoweekday", 1),
  U = digits_of("getweeknumber", 2),
  V = digits_of("getisoweeknumber", 2),
  w = function(self) return tostring(self:getweekday() - 1) end,
  W = function(self) return format("%02d", self:getweeknumber(2)) end,
  y = digits_of("getyear", 2, in_century),
  Y = digits_of("getyear", 4),
  z = function(self)
    local east = floor(-self:getbias())
    local minutes = math.abs(east)
    return format("%s%02d%02d", east < 0 and "-" or "+", minutes // 60, minutes % 60)
  end,
  Z = methods.gettzname,
  ["\b"] = function(self)
    local year = self:getyear()
    return 0 < year and format("%04d", year) or format("%04d BCE", 1 - year)
  end,
  ["\f"] = function(self) return format("%06.3f", floor(self:getfracsec() * 1000) / 1000) end,
  ["%"] = function() return "%" end,
}
local GROUPS = {
  h = "%b", r = "%I:%M:%S %p", R = "%I:%M", T = "%H:%M:%\f", D = "%m/%d/%y", F = "%Y-%m-%d",
  c = "%x %X", x = "%a %b %d %\b", X = "%H:%M:%\f",
}
local NAMED = {
  iso = "%Y-%m-%dT%T+0000", http = "%a, %d %b %Y %T GMT", ctime = "%a %b %d %T GMT %Y",
  rfc850 = "%A, %d-%b-%y %T GMT", rfc1123 = "%a, %d %b %Y %T GMT", asctime = "%a %b %d %T %Y",
}

-- Writes the fields of a format; what is none stays as it is.
function methods:fmt0(text)
  return (text:gsub("%%([%a%%\b\f])", function(field)
    if GROUPS[field] then return self:fmt0(GROUPS[field]) end
    return FORMATS[field] and FORMATS[field](self)
  end))
end
function methods:fmt(text)
  return self:fmt0(((text or default_format):gsub("%${(%w+)}", NAMED)))
end

made.__tostring = methods.fmt
made.__concat = function(a, b) return tostring(a) .. tostring(b) end
made.__eq = function(a, b) return a.daynum == b.daynum and a.dayfrc == b.dayfrc end
made.__lt = function(a, b) return object(a):spanticks() < object(b):spanticks() end
made.__le = function(a, b) return object(a):spanticks() <= object(b):spanticks() end
made.__sub = function(a, b)
  a, b = object(a), object(b)
  return new(a.daynum - b.daynum, a.dayfrc - b.dayfrc)
end
made.__add = function(a, b)
  a, b = object(a), object(b)
  return new(a.daynum + b.daynum, a.dayfrc + b.dayfrc)
end

date.diff = made.__sub
function date.epoch() return new(EPOCH, 0) end
function date.time(hours, minutes, seconds, more)
  return new(0, fraction(number_of(hours, 0), number_of(minutes, 0), number_of(seconds, 0),
    number_of(more, 0)))
end
function date.isodate(year, week, weekday)
  return new(first_monday(fix(year)) + 7 * (fix(week, 1) - 1) + fix(weekday, 1) - 1, 0)
end
function date.isleapyear(year)
  return is_leap(tonumber(year) and fix(year) or object(year):getyear())
end
function date.setcenturyflip(year)
  if fix(year) ~= year or year < 0 or 100 < year then error("date: invalid argument(s)", 0) end
  century_flip = year
end
function date.getcenturyflip() return century_flip end
function date.fmt(text)
  default_format = text or default_format
  return default_format
end
function date.daynummin(days)
  day_min = days and days < day_max and days or day_min
  return days and day_min or new(day_min, 0)
end
function date.daynummax(days)
  day_max = days and day_min < days and days or day_max
  return days and day_max or new(day_max, 0)
end
function date.ticks(count)
  ticks = count or ticks
  return ticks
end

return setmetatable(date, {
  __call = function(_, first, ...)
    if select("#", ...) == 0 then
      local found = object(first)
      return found == first and found:copy() or found
    end
    return of_fields(first, ...)
  end,
})
