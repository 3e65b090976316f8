export { type RedisServer, startRedisServer } from './redis-server.ts';
