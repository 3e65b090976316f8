export { admitDocumentedUser, type DocumentedUser } from './documented-user.ts';
export { listKeys } from './list-keys.ts';
export { type RedisServer, startRedisServer } from './redis-server.ts';
export { shownJobs } from './shown-jobs.ts';
export { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';
