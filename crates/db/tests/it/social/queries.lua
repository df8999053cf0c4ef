--ALL
-- Questions of a social network, as LDBC's interactive workload asks them, in the shapes that RageDB's
-- scripts have: bulk tables keyed by id, sets of ids, timestamps by seconds and by text.
local MESSAGES = {"POST_HAS_CREATOR", "COMMENT_HAS_CREATOR"}

-- The table a sort orders by fields: descending ones begin with "-".
function sorted_by(list, ...)
  local fields = {...}
  table.sort(list, function(a, b)
    for _, field in ipairs(fields) do
      local name = field:match("^%-?(.+)$")
      if a[name] ~= b[name] then
        if field:sub(1, 1) == "-" then return a[name] > b[name] end
        return a[name] < b[name]
      end
    end
    return false
  end)
  return list
end

function first(list, count)
  return table.move(list, 1, count, 1, {})
end

function circle(node_id)
  local people, friends = Roar.new(), NodeGetNeighborIds(node_id, "KNOWS")
  people:addIds(friends)
  people:addValues(NodeIdsGetNeighborIds(friends, "KNOWS"))
  people:remove(node_id)
  return people
end

ldbc_snb_is02 = function(person_id)
  local ids = NodeGetNeighborIds("Person", person_id, Direction.IN, MESSAGES)
  local dates, numbers = NodeIdsGetProperty(ids, "creationDate"), NodeIdsGetProperty(ids, "id")
  local messages = {}
  for _, id in pairs(ids) do
    table.insert(messages, {node = id, date = dates[id], ["message.id"] = numbers[id]})
  end
  results = {}
  for i, message in pairs(first(sorted_by(messages, "-date", "-message.id"), 10)) do
    local post, reply = message.node, NodeGetLinks(message.node, Direction.OUT, "REPLY_OF")
    while #reply > 0 do
      post = reply[1]:getNodeId()
      reply = NodeGetLinks(post, Direction.OUT, "REPLY_OF")
    end
    local poster = NodeGetNeighbors(post, Direction.OUT, "POST_HAS_CREATOR")[1]
    results[i] = {
      ["message.id"] = message["message.id"],
      ["message.creationDate"] = DateToISO(message.date),
      ["post.id"] = NodeGetProperty(post, "id"),
      ["originalPoster.id"] = poster:getProperty("id"),
    }
  end
  return results
end

ldbc_snb_is03 = function(person_id)
  local knows = NodeGetLinks("Person", person_id, "KNOWS")
  local people = LinksGetNodeProperties(knows)
  local dates = LinksGetRelationshipProperty(knows, "creationDate")
  local friends = {}
  for _, link in pairs(knows) do
    local friend, since = people[link:getNodeId()], dates[link:getRelationshipId()]
    table.insert(friends, {
      ["friend.id"] = friend["id"], ["friend.firstName"] = friend["firstName"], since = since,
      ["knows.creationDate"] = DateToISO(since),
    })
  end
  return sorted_by(friends, "-since", "friend.id")
end

ldbc_snb_iq01 = function(person_id, name)
  local start = NodeGetId("Person", person_id)
  local seen, ring, found = Roar.new(), Roar.new(), {}
  seen:add(start)
  ring:add(start)
  for distance = 1, 3 do
    local reached = Roar.new()
    reached:addValues(NodeIdsGetNeighborIds(ring:getIds(), "KNOWS"))
    reached:inplace_difference(seen)
    seen:inplace_union(reached)
    ring = reached
    for _, person in pairs(FilterNodes(ring:getIds(), "Person", "firstName", Operation.EQ, name)) do
      table.insert(found, {["otherPerson.id"] = person:getProperty("id"),
        ["otherPerson.lastName"] = person:getProperty("lastName"), distanceFromPerson = distance})
    end
    if 20 <= #found then break end
  end
  return first(sorted_by(found, "distanceFromPerson", "otherPerson.lastName", "otherPerson.id"), 20)
end

ldbc_snb_iq02 = function(person_id, max_date)
  local friends = NodeGetNeighborIds("Person", person_id, "KNOWS")
  local people, results = NodeIdsGetProperties(friends), {}
  for friend, messages in pairs(NodeIdsGetNeighborIds(friends, Direction.IN, MESSAGES)) do
    local latest = FilterNodeProperties(messages, "Message", "creationDate", Operation.LT,
      max_date / 1000.0, 0, 20, Sort.DESC)
    for _, message in pairs(latest) do
      table.insert(results, {["friend.id"] = people[friend]["id"], ["message.id"] = message["id"],
        date = message["creationDate"]})
    end
  end
  return first(sorted_by(results, "-date", "message.id"), 20)
end

ldbc_snb_iq04 = function(person_id, start_date, days)
  local from = start_date / 1000.0
  local friends = NodeGetNeighborIds("Person", person_id, "KNOWS")
  local dates_of = {}
  for _, posts in pairs(NodeIdsGetNeighborIds(friends, Direction.IN, "POST_HAS_CREATOR")) do
    local early = FilterNodeIds(posts, "Message", "creationDate", Operation.LT, from + 86400 * days, 0, 1000)
    local tags = NodeIdsGetNeighborIds(early, Direction.OUT, "POST_HAS_TAG")
    for post, created in pairs(NodeIdsGetProperty(early, "creationDate")) do
      for i = 1, #tags[post] do
        dates_of[tags[post][i]] = dates_of[tags[post][i]] or {}
        table.insert(dates_of[tags[post][i]], created)
      end
    end
  end
  local results, ids = {}, {}
  for tag, dates in pairs(dates_of) do
    table.sort(dates)
    if dates[1] >= from then
      table.insert(ids, tag)
      table.insert(results, {tag = tag, postCount = #dates})
    end
  end
  local names = NodeIdsGetProperty(ids, "name")
  for _, result in ipairs(results) do result["tag.name"] = names[result.tag] end
  return first(sorted_by(results, "-postCount", "tag.name"), 10)
end

ldbc_snb_iq07 = function(person_id)
  local node_id = NodeGetId("Person", person_id)
  local friends, messages, likes = Roar.new(), Roar.new(), Roar.new()
  friends:addIds(NodeGetNeighborIds(node_id, "KNOWS"))
  messages:addIds(NodeGetNeighborIds(node_id, Direction.IN, MESSAGES))
  for _, links in pairs(LinksGetLinks(messages:getNodeHalfLinks(), Direction.IN, "LIKES")) do
    likes:addRelationshipIds(links)
  end
  local latest = FilterRelationships(likes:getIds(), "LIKES", "creationDate", Operation.GT, 0.0, 0, 20, Sort.DESC)
  local results = {}
  for i, like in pairs(latest) do
    local at = like:getProperty("creationDate")
    local message = NodeGetProperties(like:getEndingNodeId())
    results[i] = {
      ["friend.id"] = NodeGetProperty(like:getStartingNodeId(), "id"), ["message.id"] = message["id"],
      ["minutesLatency"] = math.floor((at - message["creationDate"]) / 60 + 0.5),
      ["isNew"] = friends:contains(like:getStartingNodeId()),
    }
  end
  return results
end

ldbc_snb_iq08 = function(person_id)
  local messages, comments = Roar.new(), Roar.new()
  messages:addIds(NodeGetNeighborIds("Person", person_id, Direction.IN, MESSAGES))
  comments:addValues(NodeIdsGetNeighborIds(messages:getIds(), Direction.IN, "REPLY_OF"))
  local latest = FilterNodes(comments:getIds(), "Message", "creationDate", Operation.GT, 0.0, 0, 20, Sort.DESC)
  local results = {}
  for i = 1, #latest do
    local author = NodeGetNeighbors(latest[i], Direction.OUT, "COMMENT_HAS_CREATOR")[1]
    results[i] = {["comment.id"] = latest[i]:getProperty("id"),
      ["commentAuthor.id"] = author:getProperty("id")}
  end
  return results
end

ldbc_snb_iq09 = function(person_id, max_date)
  local messages = Roar.new()
  local people = circle(NodeGetId("Person", person_id))
  messages:addValues(NodeIdsGetNeighborIds(people:getIds(), Direction.IN, MESSAGES))
  local latest = FilterNodes(messages:getIds(), "Message", "creationDate", Operation.LT,
    DateToISO(max_date / 1000.0), 0, 20, Sort.DESC)
  local results = {}
  for i, message in pairs(latest) do results[i] = {["message.id"] = message:getProperty("id")} end
  return results
end

ldbc_snb_iq13 = function(person1_id, person2_id)
  local target = NodeGetId("Person", person2_id)
  local seen, ring, length = Roar.new(), Roar.new(), 0
  ring:add(NodeGetId("Person", person1_id))
  while not ring:isEmpty() do
    if ring:contains(target) then return length end
    seen:inplace_union(ring)
    local reached = Roar.new()
    reached:addValues(NodeIdsGetNeighborIds(ring:getIds(), "KNOWS"))
    reached:inplace_difference(seen)
    ring, length = reached, length + 1
  end
  return -1
end
