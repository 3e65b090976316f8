-- server-info: INFO of the server that holds the workspace.
--
-- KEYS[1]   prefix of the workspace
--
-- Replies   the text of INFO

return redis.call('INFO')
