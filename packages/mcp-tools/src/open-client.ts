import { randomUUID } from 'node:crypto';
import {
  type CallToolResult,
  Client,
  type FetchLike,
  type JsonSchemaValidatorResult,
  type jsonSchemaValidator,
  StreamableHTTPClientTransport,
  type Transport,
  type VersionNegotiationMode,
} from '@modelcontextprotocol/client';
import {
  type Clock,
  type CallEnd,
  errorText,
  type JsonObject,
  type McpAddress,
  type McpProgram,
  type McpServerSettings,
  type Service,
  type ServiceCall,
  type Services,
  UnavailableError,
} from '@signalbox/core';
import { boundedFetch } from './bounded-fetch.ts';
import type { RawTool } from './listed-tool.ts';
import { createMessageBudget } from './message-bounds.ts';
import { CLOSED, createStdioTransport } from './stdio-transport.ts';

/** A connection to a server that has said what tools it has. */
export type McpClient = {
  readonly tools: readonly RawTool[];
  /** Asks for the list anew. */
  list(signal: AbortSignal): Promise<readonly RawTool[]>;
  call(
    tool: string,
    args: JsonObject,
    options: { readonly signal: AbortSignal; readonly timeoutMs: number },
  ): Promise<CallToolResult>;
  /**
   * Lets it work for a call, as one that may write needs. What comes back ends that, and says what was taken back of what
   * it left for programs of the person, a line each.
   */
  begin(call: ServiceCall): Promise<CallEnd>;
  /** Settles with the reason when the connection is over; over HTTP nobody tells. */
  readonly closed: Promise<string>;
  close(): Promise<void>;
};

export type OpenClient = (options: {
  readonly reach: McpServerSettings['reach'];
  /** `legacy` for a server that died of being asked for its era. */
  readonly mode: VersionNegotiationMode;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** The server says that its list is another now. */
  readonly onChanged: () => void;
  /** What was taken back of what it left outside of calls, a line each. */
  readonly onTakenBack: (why: readonly string[]) => void;
}) => Promise<McpClient>;

/** What nobody but the person may leave in a workspace. */
export const FOREIGN = 'what programs outside of the sandbox run or read as settings';

/** Older programs never answer when they are asked for their era. */
const ERA_TIMEOUT_MS = 3000;
/** Of a list of tools: more than 200 tools are not offered anyway, and a list may have no end. */
const MOST_PAGES = 20;

/**
 * Opens connections to MCP servers: starts programs, and talks to addresses.
 *
 * No server gets more of us than calls: it can neither ask a model nor a person, nor read what roots there are.
 */
export function createOpenClient(parts: {
  readonly services: Services;
  /** Where variables are looked up by their names. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether programs can be confined; false only where a person switched the sandbox off. */
  readonly isConfined: boolean;
  readonly version: string;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** How long a program may be silent when it is asked for its era. Default: 3 s. */
  readonly eraTimeoutMs?: number;
}): OpenClient {
  const { services, env, version, eraTimeoutMs = ERA_TIMEOUT_MS } = parts;

  return async ({ reach, mode, signal, timeoutMs, onChanged, onTakenBack }) => {
    const { promise: closed, resolve } = Promise.withResolvers<string>();
    const client = new Client(
      { name: 'signalbox', version },
      {
        versionNegotiation: { mode, probe: { timeoutMs: Math.min(eraTimeoutMs, timeoutMs) } },
        listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged } },
        jsonSchemaValidator: TAKES_ALL,
        listMaxPages: MOST_PAGES,
      },
    );
    const { transport, because, service } = await transportTo(reach, () => void close());
    const begin = async (of: ServiceCall): Promise<CallEnd> =>
      (await service?.watch?.begin(of)) ?? (async () => []);
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a client of the SDK is no event target
    client.onclose = () => resolve(because());
    let isClosed = false;
    // The transport too: while the era is asked for, the client does not own it yet.
    async function close(): Promise<void> {
      await client.close().catch(() => undefined);
      await transport.close().catch(() => undefined);
      const left = (await service?.stop()) ?? [];
      if (left.length > 0 && !isClosed) onTakenBack(left);
      isClosed = true;
    }
    const stop = (): void => void close();
    signal.addEventListener('abort', stop, { once: true });
    try {
      await client.connect(transport, { signal, timeout: timeoutMs });
      const tools = await listed(signal);
      const left = (await service?.watch?.endStart()) ?? [];
      if (left.length > 0) throw new Error(`it left ${FOREIGN}: ${left.join('; ')}`);
      return { tools, list: listedAgain, call, begin, closed, close };
    } catch (error) {
      await close();
      throw new Error(sentence(error, because()), { cause: error });
    } finally {
      signal.removeEventListener('abort', stop);
    }

    async function listed(until: AbortSignal): Promise<readonly RawTool[]> {
      const { tools } = await client.listTools(undefined, {
        signal: until,
        timeout: timeoutMs,
        cacheMode: 'refresh',
      });
      return tools;
    }

    async function listedAgain(until: AbortSignal): Promise<readonly RawTool[]> {
      const end = await begin({ id: `tools-${randomUUID()}`, agreed: [] });
      try {
        return await listed(until);
      } finally {
        const left = await end();
        if (left.length > 0) onTakenBack(left);
      }
    }

    async function call(
      tool: string,
      args: JsonObject,
      options: { readonly signal: AbortSignal; readonly timeoutMs: number },
    ): Promise<CallToolResult> {
      return client.callTool(
        { name: tool, arguments: args },
        // What is called is what the person saw; its own answer is not checked against its own schema.
        { signal: options.signal, timeout: options.timeoutMs },
      );
    }
  };

  async function transportTo(
    reach: McpServerSettings['reach'],
    close: () => void,
  ): Promise<{ transport: Transport; because: () => string; service: Service | null }> {
    const budget = createMessageBudget(parts.clock);
    if (reach.kind === 'http') {
      let because = CLOSED;
      const fetch = boundedFetch(budget, (why) => {
        because = why;
        close();
      });
      return { transport: overHttp(reach, fetch), because: () => because, service: null };
    }
    const service = await services.start(programOf(reach));
    const transport = createStdioTransport(service, budget);
    return { transport, because: transport.closedBecause, service };
  }

  function programOf(reach: McpProgram): Parameters<Services['start']>[0] {
    return {
      argv: [reach.command, ...reach.args],
      cwd: reach.cwd,
      env: { ...Object.fromEntries(reach.envFrom.map((name) => [name, variable(name)])), ...reach.env },
      confined: reach.sandbox && parts.isConfined,
      workspace: reach.workspace,
      network: reach.network,
      limits: reach.limits,
    };
  }

  function overHttp(reach: McpAddress, fetch: FetchLike): Transport {
    const headers = {
      ...reach.headers,
      ...Object.fromEntries(Object.entries(reach.headersFrom).map(([name, from]) => [name, variable(from)])),
      ...(reach.tokenFrom === null ? {} : { authorization: `Bearer ${variable(reach.tokenFrom)}` }),
    };
    return new StreamableHTTPClientTransport(new URL(reach.url), {
      requestInit: { headers },
      fetch,
      // Another origin would be sent our headers.
      redirectPolicy: 'same-origin',
    });
  }

  function variable(name: string): string {
    const value = env[name];
    if (value !== undefined && value !== '') return value;
    throw new UnavailableError('missing-variable', `the variable ${name} is not set`);
  }
}

/** What failed, and what the program said last. */
function sentence(error: unknown, because: string): string {
  const message = errorText(error);
  return because === CLOSED ? message : `it ${because}`;
}

/** A schema of a server's own is not compiled: it could hold a pattern that keeps us busy for ever. */
const TAKES_ALL: jsonSchemaValidator = {
  getValidator:
    <T>() =>
    (input: unknown): JsonSchemaValidatorResult<T> => ({
      valid: true,
      data: input as T,
      errorMessage: undefined,
    }),
};
