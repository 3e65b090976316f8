export { createRedisBackend, type RedisBackend, type RedisBackendOptions } from './backend.ts';
