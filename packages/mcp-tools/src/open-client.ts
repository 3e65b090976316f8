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

/** A connection to a server that has listed its tools. */
export type McpClient = {
  readonly tools: readonly RawTool[];
  /** Requests the list again. */
  list(signal: AbortSignal): Promise<readonly RawTool[]>;
  call(
    tool: string,
    args: JsonObject,
    options: { readonly signal: AbortSignal; readonly timeoutMs: number },
  ): Promise<CallToolResult>;
  /**
   * Resumes a server that may write, for a call. The returned function ends the call and lists reverted files
   * the user's programs would have read, one per line.
   */
  begin(call: ServiceCall): Promise<CallEnd>;
  /** Resolves with the reason when the connection is closed; never over HTTP. */
  readonly closed: Promise<string>;
  close(): Promise<void>;
};

export type OpenClient = (options: {
  readonly reach: McpServerSettings['reach'];
  /** `legacy` for a server that died when asked for its protocol era. */
  readonly mode: VersionNegotiationMode;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** Called when the server reports a changed list. */
  readonly onChanged: () => void;
  /** Called with files reverted outside of calls, one per line. */
  readonly onTakenBack: (why: readonly string[]) => void;
}) => Promise<McpClient>;

/** The files only the user may write, in words. */
export const FOREIGN = 'files that programs outside the sandbox run or read as settings';

/** Older programs never answer the request for their protocol era. */
const ERA_TIMEOUT_MS = 3000;
/** Upper bound on pages of a tool list: over 200 tools are not offered anyway, and a list may be endless. */
const MAX_PAGES = 20;

/**
 * Creates a function that opens connections to MCP servers: programs and addresses.
 *
 * Servers only get calls: no sampling, no elicitation, no roots.
 */
export function createOpenClient(parts: {
  readonly services: Services;
  /** The environment for variables named in settings. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether programs can be confined; false only if a person turned the sandbox off. */
  readonly isConfined: boolean;
  readonly version: string;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** How long to wait for the answer about the protocol era. Default: 3 s. */
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
        listMaxPages: MAX_PAGES,
      },
    );
    const { transport, because, service } = await transportTo(reach, () => void close());
    const begin = async (of: ServiceCall): Promise<CallEnd> =>
      (await service?.watch?.begin(of)) ?? (async () => []);
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a client of the SDK is no event target
    client.onclose = () => resolve(because());
    let isClosed = false;
    // The transport too: during the era request, the client doesn't own it yet.
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
        // Output is not checked against the server's own output schema.
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
      // Another origin would receive our headers.
      redirectPolicy: 'same-origin',
    });
  }

  function variable(name: string): string {
    const value = env[name];
    if (value !== undefined && value !== '') return value;
    throw new UnavailableError('missing-variable', `the variable ${name} is not set`);
  }
}

/** The error, and the last words of the program. */
function sentence(error: unknown, because: string): string {
  const message = errorText(error);
  return because === CLOSED ? message : `it ${because}`;
}

/** Server schemas are not compiled: a pattern could block us forever. */
const TAKES_ALL: jsonSchemaValidator = {
  getValidator:
    <T>() =>
    (input: unknown): JsonSchemaValidatorResult<T> => ({
      valid: true,
      data: input as T,
      errorMessage: undefined,
    }),
};
