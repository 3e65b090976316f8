import { readFileSync } from 'node:fs';
import { Redis } from 'ioredis';
import { freePort, type RedisServer } from './redis-server.ts';

const PAGE = new URL('../../../../docs/redis.md', import.meta.url);
const PASSWORD = 'p@ss:word';

/** A server that lets in the user of docs/redis.md alone, who may do what stands there and no more. */
export type DocumentedUser = {
  /** With the user's name and password. */
  readonly url: string;
  /** What the user was refused, by name, each once. */
  refusals(): Promise<readonly string[]>;
  close(): void;
};

/** @param workspace what the pattern of keys is to name instead of `shop` */
export async function admitDocumentedUser(server: RedisServer, workspace = 'shop'): Promise<DocumentedUser> {
  const admin = new Redis(server.url, { disableClientInfo: true });
  const page = readFileSync(PAGE, 'utf8').replaceAll(/\s*\\\n\s*/g, ' ');
  const rights = /^ACL SETUSER signalbox on >PASSWORD (.*)$/m.exec(page)?.[1];
  if (rights === undefined) throw new Error('docs/redis.md says of no user what it needs');
  const words = rights.replaceAll('{shop}', `{${workspace}}`).split(' ');
  await admin.call('ACL', 'SETUSER', 'signalbox', 'on', `>${PASSWORD}`, ...words);
  const port = await freePort();
  await admin.config('SET', 'port', port);
  await admin.call('ACL', 'SETUSER', 'default', 'off');
  return {
    url: `redis://signalbox:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}`,
    async refusals() {
      const log = (await admin.call('ACL', 'LOG')) as readonly (readonly string[])[];
      return [...new Set(log.map((entry) => entry[entry.indexOf('object') + 1] ?? ''))];
    },
    close: () => admin.disconnect(),
  };
}
