-- look: what the server that holds the workspace says of itself.
--
-- KEYS[1]   prefix of the workspace
--
-- Replies   the text of INFO

return redis.call('INFO')
