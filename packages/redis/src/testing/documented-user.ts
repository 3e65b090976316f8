import { readFileSync } from 'node:fs';
import { Redis } from 'ioredis';
import { freePort, type RedisServer } from './redis-server.ts';

const PAGE = new URL('../../../../docs/redis.md', import.meta.url);
export const PASSWORD = 'p@ss:word';

/** Name and password of the documented user, as in an address. */
export const DOCUMENTED_USER = `signalbox:${encodeURIComponent(PASSWORD)}`;

/** The lines of docs/redis.md that create a user begin so. */
type Documented = 'ACL SETUSER signalbox' | 'ACL SETUSER signalbox-sentinel';

/** A server that admits only the user documented in docs/redis.md, with exactly the documented rights. */
export type DocumentedUser = {
  /** Contains the user's name and password. */
  readonly url: string;
  /** The commands refused to the user, each once. */
  refusals(): Promise<readonly string[]>;
  close(): void;
};

/** @param workspace name for the key pattern, instead of `shop` */
export async function admitDocumentedUser(server: RedisServer, workspace = 'shop'): Promise<DocumentedUser> {
  const admin = new Redis(server.url, { disableClientInfo: true });
  await setDocumentedUser(admin, { workspace });
  const port = await freePort();
  await admin.config('SET', 'port', port);
  await admin.call('ACL', 'SETUSER', 'default', 'off');
  return {
    url: `redis://${DOCUMENTED_USER}@127.0.0.1:${port}`,
    refusals: () => refusalsOf(admin),
    close: () => admin.disconnect(),
  };
}

/** Creates that user on one server. @param options.more additional rights, where the page says that they are needed */
export async function setDocumentedUser(
  admin: Redis,
  options: {
    readonly as?: Documented;
    readonly workspace?: string;
    readonly more?: 'In a cluster';
  } = {},
): Promise<void> {
  const { as = 'ACL SETUSER signalbox', workspace = 'shop', more } = options;
  const page = readFileSync(PAGE, 'utf8').replaceAll(/\s*\\\n\s*/g, ' ');
  const rights = new RegExp(`^${as} on >PASSWORD (.*)$`, 'm').exec(page)?.[1];
  const besides = more === undefined ? '' : new RegExp(`${more} it needs \`([^\`]+)\``).exec(page)?.[1];
  if (rights === undefined || besides === undefined)
    throw new Error('docs/redis.md says of no user what it needs');
  const words = `${rights} ${besides}`.replaceAll('{shop}', `{${workspace}}`).trim().split(' ');
  await admin.call('ACL', 'SETUSER', 'signalbox', 'on', `>${PASSWORD}`, ...words);
}

/** From Redis 7.2 on, clients also send their library's name; if refused, they continue without. */
const NEEDLESS = 'client|setinfo';

/** The commands that users were refused and need, each once. */
export async function refusalsOf(admin: Redis): Promise<readonly string[]> {
  const log = (await admin.call('ACL', 'LOG')) as readonly (readonly string[])[];
  const names = new Set(log.map((entry) => entry[entry.indexOf('object') + 1] ?? ''));
  return [...names].filter((name) => name !== NEEDLESS);
}
