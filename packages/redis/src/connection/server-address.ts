import { readFileSync } from 'node:fs';
import { UsageError } from '@signalbox/core';
import { Cluster, Redis, type RedisOptions } from 'ioredis';
import { SentinelReconnector } from './sentinel-connector.ts';

/** A connection to one server, or to whichever node of a cluster holds the workspace. */
export type RedisClient = Redis | Cluster;

/** How a connection behaves, wherever it leads. */
export type SharedOptions = Readonly<
  Pick<
    RedisOptions,
    | 'lazyConnect'
    | 'protocol'
    | 'connectTimeout'
    | 'commandTimeout'
    | 'socketTimeout'
    | 'connectionName'
    | 'enableOfflineQueue'
    | 'maxRetriesPerRequest'
    | 'autoResendUnfulfilledCommands'
    | 'autoResubscribe'
  >
>;

/** Who we are, and how to trust the other side. */
type Access = {
  readonly username?: string;
  readonly password?: string;
  readonly tls?: TlsFiles;
  readonly sentinelUsername?: string;
  readonly sentinelPassword?: string;
  readonly enableTLSForSentinelMode?: true;
  readonly sentinelTLS?: TlsFiles;
};
type TlsFiles = {
  readonly ca?: Buffer;
  readonly cert?: Buffer;
  readonly key?: Buffer;
  readonly servername?: string;
};

type Host = { readonly host: string; readonly port: number };

/** Where Redis is, parsed. */
export type ServerAddress =
  | { readonly kind: 'socket'; readonly path: string }
  | { readonly kind: 'server'; readonly url: string; readonly options: Access }
  | { readonly kind: 'cluster'; readonly hosts: readonly Host[]; readonly options: Access }
  | {
      readonly kind: 'sentinel';
      readonly hosts: readonly Host[];
      /** What the sentinels call the master. */
      readonly name: string;
      readonly options: Access;
    };

const DEFAULT_PORT = { redis: 6379, sentinel: 26_379 } as const;

/** Of sentinels that answer nothing for so long the next one is asked. */
const SENTINEL_TIMEOUT_MS = 5000;

const FORMS = [
  'One server: redis://USER:PASSWORD@HOST:6379, with TLS rediss://…, or the path of a unix socket',
  'A cluster: redis+cluster://USER:PASSWORD@HOST:6379,HOST:6379,…',
  'Behind sentinels: redis+sentinel://USER:PASSWORD@HOST:26379,HOST:26379,…/NAME-OF-THE-MASTER',
];

/**
 * Understands `redis://`, `redis+cluster://`, `redis+sentinel://`, each with TLS as `rediss…`, and the path of a
 * unix socket. `?ca=`, `cert=` and `key=` name files for TLS, `servername=` another name than the host's;
 * `sentinelUsername=` and `sentinelPassword=` are for sentinels that ask for them.
 *
 * @throws {UsageError}
 */
export function parseServerAddress(text: string): ServerAddress {
  if (text.startsWith('/') || text.startsWith('.')) return { kind: 'socket', path: text };
  const parts = /^(rediss?)(\+cluster|\+sentinel)?:\/\/(?:([^@/]*)@)?([^@/?]+)(\/[^?]*)?(\?.*)?$/.exec(text);
  const [, scheme, how, user, hosts = '', path = '', query = ''] = parts ?? [];
  if (parts === null) throw refused('it is no address of Redis');
  const parameters = new URLSearchParams(query);
  const options = { ...credentialsOf(user), ...tlsOf(scheme === 'rediss', parameters) };
  if (how === undefined) return { kind: 'server', url: `redis://${hosts}${path}`, options };
  if (how === '+cluster') return { kind: 'cluster', hosts: hostsOf(hosts, DEFAULT_PORT.redis), options };
  const name = decodeURIComponent(path.slice(1));
  if (name === '') throw refused('it does not say what the sentinels call the master');
  return {
    kind: 'sentinel',
    hosts: hostsOf(hosts, DEFAULT_PORT.sentinel),
    name,
    options: { ...options, ...sentinelOptionsOf(options, parameters) },
  };
}

/** Connects at once unless it is told to be lazy. @param retryDelayMs after the so-manieth try in a row; null: it is not tried again */
export function createClient(
  address: ServerAddress,
  shared: SharedOptions,
  retryDelayMs: (times: number) => number | null,
): RedisClient {
  // What a client is called is told to servers newer than Redis 7.0 alone, and a right more to ask for.
  const options = { ...shared, disableClientInfo: true, retryStrategy: retryDelayMs };
  switch (address.kind) {
    case 'socket':
      return new Redis(address.path, options);
    case 'server':
      return new Redis(address.url, { ...options, ...address.options });
    case 'cluster':
      return new Cluster([...address.hosts], {
        lazyConnect: shared.lazyConnect ?? false,
        enableOfflineQueue: shared.enableOfflineQueue ?? true,
        // A command whose answer got lost may have been done: never send it twice.
        retryDelayOnFailover: 0,
        retryDelayOnClusterDown: 0,
        maxRedirections: 3,
        clusterRetryStrategy: retryDelayMs,
        redisOptions: { ...shared, disableClientInfo: true, ...address.options },
      });
    case 'sentinel':
      return new Redis({
        ...options,
        ...address.options,
        sentinels: [...address.hosts],
        name: address.name,
        Connector: SentinelReconnector,
        failoverDetector: true,
        sentinelRetryStrategy: retryDelayMs,
        sentinelReconnectStrategy: retryDelayMs,
        sentinelCommandTimeout: SENTINEL_TIMEOUT_MS,
        // The master that was made a replica says so: the sentinels know the new one.
        reconnectOnError: (error: Error) => error.message.startsWith('READONLY'),
      });
  }
}

function credentialsOf(user: string | undefined): Access {
  if (user === undefined) return {};
  const [name = '', ...password] = user.split(':');
  return {
    ...(name === '' ? {} : { username: decodeURIComponent(name) }),
    ...(password.length === 0 ? {} : { password: decodeURIComponent(password.join(':')) }),
  };
}

function tlsOf(on: boolean, parameters: URLSearchParams): Pick<Access, 'tls'> {
  if (!on) return {};
  const fileOf = (name: string): Record<string, Buffer> => {
    const path = parameters.get(name);
    return path === null ? {} : { [name]: readKeyFile(path) };
  };
  const servername = parameters.get('servername');
  return {
    tls: {
      ...fileOf('ca'),
      ...fileOf('cert'),
      ...fileOf('key'),
      ...(servername === null ? {} : { servername }),
    },
  };
}

function readKeyFile(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw new UsageError('redis-address', `Cannot read "${path}", which the address of Redis names`, {
      cause,
    });
  }
}

function sentinelOptionsOf({ tls }: Access, parameters: URLSearchParams): Access {
  const [username, password] = [parameters.get('sentinelUsername'), parameters.get('sentinelPassword')];
  return {
    ...(username === null ? {} : { sentinelUsername: username }),
    ...(password === null ? {} : { sentinelPassword: password }),
    ...(tls === undefined ? {} : { enableTLSForSentinelMode: true, sentinelTLS: tls }),
  };
}

function hostsOf(list: string, defaultPort: number): readonly Host[] {
  return list.split(',').map((text) => {
    const [, host, port] = /^(\[[^\]]+\]|[^:]+)(?::(\d{1,5}))?$/.exec(text) ?? [];
    if (host === undefined) throw refused(`"${text}" is no host with a port`);
    return { host: host.replace(/^\[|\]$/g, ''), port: Number(port ?? defaultPort) };
  });
}

/** Never with the address itself: it may hold a password. */
function refused(why: string): UsageError {
  return new UsageError('redis-address', 'Cannot use the address of Redis', { why: [why], next: FORMS });
}
