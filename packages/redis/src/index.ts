export {
  createRedisBackend,
  openRedisRecords,
  type RedisBackend,
  type RedisBackendOptions,
  type RedisRecords,
} from './backend.ts';
