import { readFileSync } from 'node:fs';
import { UsageError } from '@signalbox/core';
import {
  Cluster,
  Redis,
  type RedisOptions,
  type SentinelConnectionOptions,
  SentinelConnector,
} from 'ioredis';

/** A connection to one server, or to the cluster node that holds the workspace. */
export type RedisClient = Redis | Cluster;

/** Options shared by connections of every kind. */
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

/** Credentials, and how to verify the server. */
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

/** A parsed Redis address. */
export type ServerAddress =
  | { readonly kind: 'socket'; readonly path: string }
  | { readonly kind: 'server'; readonly url: string; readonly options: Access }
  | { readonly kind: 'cluster'; readonly hosts: readonly Host[]; readonly options: Access }
  | {
      readonly kind: 'sentinel';
      readonly hosts: readonly Host[];
      /** The master's name in the sentinels. */
      readonly name: string;
      readonly options: Access;
    };

const DEFAULT_PORT = { redis: 6379, sentinel: 26_379 } as const;

/** If a sentinel does not answer for this long, the next one is tried. */
const SENTINEL_TIMEOUT_MS = 5000;

const FORMS = [
  'One server: redis://USER:PASSWORD@HOST:6379, with TLS rediss://…, or the path of a unix socket',
  'A cluster: redis+cluster://USER:PASSWORD@HOST:6379,HOST:6379,…',
  'Behind sentinels: redis+sentinel://USER:PASSWORD@HOST:26379,HOST:26379,…/NAME-OF-THE-MASTER',
];

/**
 * Parses `redis://`, `redis+cluster://`, `redis+sentinel://`, each with TLS as `rediss…`, and the path of a unix
 * socket. `?ca=`, `cert=` and `key=` name files for TLS; `servername=` is used instead of the host's name;
 * `sentinelUsername=` and `sentinelPassword=` are for sentinels that need them.
 *
 * @throws {UsageError}
 */
export function parseServerAddress(text: string): ServerAddress {
  if (text.startsWith('/') || text.startsWith('.')) return { kind: 'socket', path: text };
  const parts = /^(rediss?)(\+cluster|\+sentinel)?:\/\/(?:([^@/]*)@)?([^@/?]+)(\/[^?]*)?(\?.*)?$/.exec(text);
  const [, scheme, how, user, hosts = '', path = '', query = ''] = parts ?? [];
  if (parts === null) throw refused('it is not a Redis address');
  const parameters = new URLSearchParams(query);
  const options = { ...credentialsOf(user), ...tlsOf(scheme === 'rediss', parameters) };
  if (how === undefined) return { kind: 'server', url: `redis://${hosts}${path}`, options };
  if (how === '+cluster') return { kind: 'cluster', hosts: hostsOf(hosts, DEFAULT_PORT.redis), options };
  const name = decodeURIComponent(path.slice(1));
  if (name === '') throw refused('it lacks the name that the sentinels use for the master');
  return {
    kind: 'sentinel',
    hosts: hostsOf(hosts, DEFAULT_PORT.sentinel),
    name,
    options: { ...options, ...sentinelOptionsOf(options, parameters) },
  };
}

/**
 * Connects at once unless `lazyConnect` is set. @param retryDelayMs delay after the nth consecutive try; null: give up
 */
export function createClient(
  address: ServerAddress,
  shared: SharedOptions,
  retryDelayMs: (times: number) => number | null,
): RedisClient {
  // Client info is sent only to servers newer than Redis 7.0, and would need one more permission.
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
        // A command whose reply was lost may have run: never send it twice.
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
        // A master that was demoted to a replica replies this; the sentinels know the new master.
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
    if (host === undefined) throw refused(`"${text}" is not a host with a port`);
    return { host: host.replace(/^\[|\]$/g, ''), port: Number(port ?? defaultPort) };
  });
}

/** Never includes the address: it may contain a password. */
function refused(why: string): UsageError {
  return new UsageError('redis-address', 'Cannot use the address of Redis', { why: [why], next: FORMS });
}

/**
 * Finds the master through its sentinels, for a connection and all made after it, as BullMQ does.
 *
 * With ioredis's own connector, a lost connection still receives master-switch messages. If one arrives while it
 * reconnects, it gives up for good, whatever its retry strategy.
 */
// A class, because ioredis constructs one per connection.
class SentinelReconnector extends SentinelConnector {
  /** ioredis requires a constructor that accepts anything. */
  constructor(options: unknown) {
    super(options as SentinelConnectionOptions);
  }

  override connect(
    tell: Parameters<SentinelConnector['connect']>[0],
  ): ReturnType<SentinelConnector['connect']> {
    const ofTheLost = Reflect.get(this, 'failoverDetector') as { cleanup(): void } | null;
    ofTheLost?.cleanup();
    return super.connect(tell);
  }
}
