import { basename } from 'node:path';
import { type BackendCall, type BackendCalls, type Clock, type Logger, UsageError } from '@signalbox/core';
import { loadScript, type RedisScript } from '../script.ts';
import { createPresence, type Presence } from './presence.ts';
import { addressOf, isRefusal, isTimeout, toSignalboxError } from './redis-failure.ts';
import { type RedisClient, createClient, parseServerAddress, type SharedOptions } from './server-address.ts';
import { createSubscriptions, type Subscriptions } from './subscriptions.ts';

export type ConnectionOptions = {
  /** See `parseServerAddress`. */
  readonly url: string;
  /** Name of the workspace, the same in every process that shares its tree. */
  readonly workspace: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Milliseconds after which an unanswered command counts as failed. Default 5,000. */
  readonly commandTimeoutMs?: number;
  /** Name of this connection in the server's client list. */
  readonly name?: string | undefined;
};

/** Connection to one workspace in Redis. */
export type RedisConnection = {
  /** Prefix of every key. Its hash tag keeps a workspace in one slot of a cluster. */
  readonly prefix: string;
  /** The server's address, in quotes, without user and password. */
  readonly where: string;
  /** @throws {UnavailableError} when Redis is unreachable or refuses. If unreachable, the script may still have run. */
  run<Input, Reply>(script: RedisScript<Input, Reply>, input: Input): Promise<Reply>;
  /** Sends single commands. @throws as `run` */
  ask<Reply>(command: (redis: RedisClient) => Promise<Reply>): Promise<Reply>;
  /** Called each time commands are accepted again, before any other is sent, or are accepted by another node. */
  onRestored(callback: () => void): void;
  readonly subscriptions: Subscriptions;
  /** Whether Redis answers; updated by every command and when the connection ends. */
  readonly presence: Presence;
  /** Reports every script that was run. */
  readonly calls: BackendCalls;
  close(): void;
};

const COMMAND_TIMEOUT_MS = 5000;
const LONGEST_RETRY_MS = 2000;

/** Braces, spaces and colons would break the keys. */
const WORKSPACE_NAME = /^[\w.-]{1,64}$/;

/**
 * Connects or throws. After that, a lost connection is restored automatically. Meanwhile every command fails at once
 * and none is queued, because the caller must know.
 *
 * @throws {UsageError} for a workspace name that can't be part of a key
 * @throws {UnavailableError}
 */
export async function openConnection(options: ConnectionOptions): Promise<RedisConnection> {
  const { url, workspace, clock, logger } = options;
  if (!WORKSPACE_NAME.test(workspace))
    throw new UsageError('workspace-name', `Cannot use "${workspace}" as the name of a workspace in Redis`, {
      next: ['Use up to 64 letters, digits, dots, dashes and underscores'],
    });
  const where = addressOf(url);
  const prefix = `{${workspace}}:`;
  let connected = false;
  const listeners = new Set<(call: BackendCall) => void>();
  const address = parseServerAddress(url);
  const { commandTimeoutMs = COMMAND_TIMEOUT_MS } = options;
  const shared: SharedOptions = {
    lazyConnect: true,
    protocol: 2,
    connectTimeout: commandTimeoutMs,
    commandTimeout: commandTimeoutMs,
    enableOfflineQueue: false,
    // A command whose reply was lost may have run: never send it twice.
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    autoResubscribe: false,
  };
  const retryDelayMs = (times: number): number | null =>
    connected ? Math.min(25 * 2 ** times, LONGEST_RETRY_MS) : null;
  const named = options.name === undefined ? shared : { ...shared, connectionName: options.name };
  const redis = createClient(address, named, retryDelayMs);
  const subscriber = createClient(address, shared, retryDelayMs);
  const newestError = watch(redis, 'commands', logger);
  const errors = [newestError, watch(subscriber, 'events', logger)];

  const presence = createPresence(clock);
  redis.on('close', () => {
    if (connected) presence.record(clock.now(), toSignalboxError(new Error('the connection ended'), where));
  });

  const ask: RedisConnection['ask'] = async (command) => {
    const sentAt = clock.now();
    try {
      const answer = await command(redis);
      presence.record(sentAt);
      return answer;
    } catch (error) {
      // The reason why it can't reconnect is more useful than "not connected".
      const refusal = redis.status === 'ready' ? undefined : newestError();
      const known = toSignalboxError(isRefusal(refusal) ? refusal : error, where);
      presence.record(sentAt, known);
      if (isTimeout(error)) void checkLink();
      throw known;
    }
  };

  let isChecking = false;
  /** Replaces a link that died silently. One late reply proves nothing: this process itself may have been slow. */
  async function checkLink(): Promise<void> {
    if (isChecking) return;
    isChecking = true;
    await redis.ping().catch((error: unknown) => {
      if (connected && isTimeout(error)) redis.disconnect(true);
    });
    isChecking = false;
  }

  const close = (): void => {
    connected = false;
    subscriptions.close();
    redis.disconnect();
    subscriber.disconnect();
  };

  const subscriptions = createSubscriptions({
    redis: subscriber,
    where,
    clock,
    logger,
    changesInSilence: address.kind === 'cluster',
  });
  presence.onChange(() => {
    if (presence.away() === null) subscriptions.beginAgain();
  });
  try {
    await Promise.all([redis.connect(), subscriber.connect()]);
    connected = true;
  } catch (error) {
    close();
    // The error from `connect` says only that there is no connection.
    const cause = errors.map((newest) => newest()).find((known) => known !== undefined);
    throw toSignalboxError(cause ?? error, where);
  }

  return {
    prefix,
    where,
    ask,
    subscriptions,
    presence,
    close,
    onRestored(callback) {
      redis.on('ready', callback);
      if (address.kind === 'cluster') for (const change of ['+node', '-node']) redis.on(change, callback);
    },
    calls: {
      listen(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    async run(script, input) {
      const { text, sha } = loadScript(script);
      const values = ['1', prefix, ...script.argv(input).map(String)];
      const askedAt = clock.monotonic();
      const tell = (ok: boolean): void => {
        const seconds = (clock.monotonic() - askedAt) / 1000;
        for (const listener of listeners)
          listener({ name: basename(script.url.pathname, '.lua'), seconds, ok });
      };
      const reply: unknown = await ask((client) =>
        client.call('EVALSHA', sha, ...values).catch((error: unknown) => {
          if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error;
          return client.call('EVAL', text, ...values);
        }),
      ).catch((error: unknown) => {
        tell(false);
        throw error;
      });
      tell(true);
      return script.reply.parse(reply);
    },
  };
}

/**
 * Logs one line when a connection is lost and one when it is restored, whatever the number of retries. Returns a
 * function that returns the latest error since the last restore.
 */
function watch(redis: RedisClient, use: string, logger: Logger): () => unknown {
  let lost = false;
  let error: unknown;
  redis.on('error', (newest: unknown) => {
    error = newest;
  });
  redis.on('node error', (newest: unknown) => {
    error = newest;
  });
  redis.on('reconnecting', () => {
    if (!lost) logger.warn({ use, error }, 'connection to Redis lost');
    lost = true;
  });
  redis.on('ready', () => {
    if (lost) logger.info({ use }, 'connection to Redis restored');
    lost = false;
    error = undefined;
  });
  return () => error;
}
