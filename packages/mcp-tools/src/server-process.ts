import { type Clock, errorText, type Logger, type McpServerSettings, ToolFailure } from '@signalbox/core';
import { cleanText } from './clean-text.ts';
import type { RawTool } from './listed-tool.ts';
import type { McpClient, OpenClient } from './open-client.ts';

export type ServerState =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'ready' }
  /** Retried automatically and by the next call. */
  | { readonly kind: 'waiting'; readonly why: string; readonly retryAt: number }
  | { readonly kind: 'stopped' };

export type ServerProcess = {
  state(): ServerState;
  /**
   * Returns a working connection, at once or when the one in progress is ready.
   *
   * @throws {ToolFailure} `mcp-server-unavailable`
   */
  client(signal: AbortSignal): Promise<McpClient>;
  /** Reports that a call found the connection closed. */
  broken(client: McpClient, why: string): void;
  /** Reports reverted files that a call left for the user's programs. */
  takenBack(why: readonly string[]): void;
  /** Resolves when the first attempt has ended, successful or not. */
  readonly tried: Promise<void>;
  stop(): Promise<void>;
};

const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 60_000;
/** A connection that lasts this long resets the count of failures. */
const SOUND_AFTER_MS = 30_000;
/** Minimum time between two requests for the list, for a server that keeps reporting changes. */
const LIST_EVERY_MS = 1000;
const LONGEST_WHY = 500;

/**
 * Keeps a connection to one server.
 *
 *   connecting ──listed──▶ ready ──closed, broken──▶ waiting ──time, or a call──▶ connecting
 *       └───────────failed, too slow───────────────────▲
 *
 * `stop` ends it from every state. The wait doubles from 1 s to 60 s while attempts fail.
 */
export function startServerProcess(parts: {
  readonly name: string;
  readonly settings: McpServerSettings;
  readonly open: OpenClient;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Called with each tool list received. */
  readonly onListed: (tools: readonly RawTool[]) => void;
  readonly onState: () => void;
}): ServerProcess {
  const { name, settings, clock } = parts;
  const logger = parts.logger.child({ mcpServer: name });
  const stopping = new AbortController();
  let state: ServerState = { kind: 'connecting' };
  let current: McpClient | null = null;
  let failures = 0;
  let readyAt = 0;
  let failedAt = 0;
  /** Since it died for the first time: a call need not wait for it, so that a retry finds it. */
  let startsAtOnce = false;
  let cancelRetry = (): void => undefined;
  let connecting = connect();
  const tried = connecting.then(() => undefined);

  function become(next: ServerState): void {
    state = next;
    parts.onState();
  }

  /** Null when it failed. */
  async function connect(): Promise<McpClient | null> {
    const attempt = new AbortController();
    const stop = (): void => attempt.abort();
    stopping.signal.addEventListener('abort', stop, { once: true });
    const tooSlow = Promise.withResolvers<never>();
    const cancel = clock.timer(settings.startTimeoutMs, () => {
      attempt.abort();
      tooSlow.reject(new Error(`it was not ready within ${settings.startTimeoutMs} ms`));
    });
    const opening = parts.open({
      reach: settings.reach,
      // A program that died on the era request uses the older protocol.
      mode: settings.reach.kind === 'stdio' && failures % 2 === 1 ? 'legacy' : 'auto',
      signal: attempt.signal,
      timeoutMs: settings.startTimeoutMs,
      onChanged: () => refresh(),
      onTakenBack: takenBack,
    });
    try {
      const client = await Promise.race([opening, tooSlow.promise]);
      if (!stopping.signal.aborted) return welcome(client);
      await client.close();
      return null;
    } catch (error) {
      // Its program must be dead before another one starts.
      await opening.then((late) => late.close()).catch(() => undefined);
      lost(errorText(error));
      return null;
    } finally {
      cancel();
      stopping.signal.removeEventListener('abort', stop);
    }
  }

  function takenBack(why: readonly string[]): void {
    logger.warn({ why }, 'MCP server left what programs of the person read: taken back');
  }

  function welcome(client: McpClient): McpClient {
    current = client;
    readyAt = clock.now();
    parts.onListed(client.tools);
    become({ kind: 'ready' });
    logger.info({ tools: client.tools.length }, 'MCP server ready');
    void client.closed.then((why) => broken(client, `it ${why}`));
    return client;
  }

  function broken(client: McpClient, why: string): void {
    if (current !== client) return;
    current = null;
    client.close().catch(() => undefined);
    if (clock.now() - readyAt >= SOUND_AFTER_MS) failures = 0;
    startsAtOnce = failures === 0;
    lost(why);
  }

  function lost(why: string): void {
    if (stopping.signal.aborted) return;
    const waitMs = Math.min(FIRST_WAIT_MS * 2 ** failures, LONGEST_WAIT_MS);
    failures += 1;
    failedAt = clock.now();
    const reported = cleanText(why, LONGEST_WHY);
    logger.warn({ why: reported, waitMs }, 'MCP server not available');
    become({ kind: 'waiting', why: reported, retryAt: clock.now() + waitMs });
    cancelRetry = clock.timer(waitMs, again);
  }

  function again(): void {
    if (state.kind !== 'waiting') return;
    startsAtOnce = false;
    cancelRetry();
    become({ kind: 'connecting' });
    connecting = connect();
  }

  let isListing = false;
  let isChanged = false;

  function refresh(): void {
    isChanged = true;
    const client = current;
    if (isListing || client === null) return;
    isListing = true;
    isChanged = false;
    void listAgain(client);
  }

  async function listAgain(client: McpClient): Promise<void> {
    try {
      const tools = await client.list(stopping.signal);
      if (current === client) parts.onListed(tools);
    } catch (error) {
      logger.warn({ error }, 'list of tools not read');
    }
    clock.timer(LIST_EVERY_MS, () => {
      isListing = false;
      if (isChanged) refresh();
    });
  }

  function unavailable(): ToolFailure {
    const why = state.kind === 'waiting' ? state.why : 'Signalbox is stopping';
    return new ToolFailure({
      code: 'mcp-server-unavailable',
      category: 'ServerError',
      message: `Cannot reach the MCP server "${name}": ${why}`,
      suggestion: 'Continue without it; it is retried automatically',
    });
  }

  return {
    state: () => state,
    tried,
    broken,
    takenBack,
    async client(signal) {
      if (current !== null) return current;
      if (startsAtOnce || clock.now() - failedAt >= FIRST_WAIT_MS) again();
      const client = await until(connecting, signal);
      if (client === null || current === null) throw unavailable();
      return current;
    },
    async stop() {
      stopping.abort();
      cancelRetry();
      state = { kind: 'stopped' };
      const client = current;
      current = null;
      await Promise.all([client?.close(), connecting]);
      parts.onState();
    },
  };
}

/** The result of the work, or null if the caller gives up first. */
async function until<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value | null> {
  if (signal.aborted) return null;
  const { promise, resolve } = Promise.withResolvers<null>();
  const stop = (): void => resolve(null);
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
