import {
  type Clock,
  defineTool,
  type Facts,
  JsonObject as AnyArguments,
  type Logger,
  type McpServers,
  type McpServerSettings,
  type Tool,
  ToolFailure,
} from '@signalbox/core';
import { identityOf } from './identity-of.ts';
import { type ListedTool, readListing } from './listed-tool.ts';
import type { OpenClient } from './open-client.ts';
import { type ServerProcess, type ServerState, startServerProcess } from './server-process.ts';
import { createServerStore, storedLetRun, storedServer } from './stored-servers.ts';
import { prefixOf } from './tool-names.ts';
import { toTool } from './to-tool.ts';

/** The tools of MCP servers, while Signalbox runs. */
export type McpTools = {
  /** The tools currently offered. */
  list(): readonly Tool[];
  /** Also finds tools of an unavailable server; such a tool fails with the reason. */
  get(name: string): Tool | undefined;
  /** Calls `listener` when the offered list changes. Returns a function that unsubscribes. */
  onChanged(listener: () => void): () => void;
  /**
   * Resolves when the tools of each server are known, from storage or a first attempt, or after `ms`
   * milliseconds.
   */
  known(ms: number): Promise<void>;
  /** Resolves when every program is dead. */
  close(): Promise<void>;
};

/** Starts every server in the settings that a person agreed to, without waiting for them. */
export async function createMcpTools(parts: {
  readonly servers: McpServers;
  readonly open: OpenClient;
  readonly facts: Facts;
  readonly clock: Clock;
  readonly logger: Logger;
}): Promise<McpTools> {
  const { clock, facts, logger } = parts;
  const store = createServerStore(facts, logger);
  const listeners = new Set<() => void>();
  const all = await Promise.all(
    Object.entries(parts.servers)
      .filter(([, { enabled }]) => enabled)
      .map(([name, settings]) => startServer(name, settings)),
  );

  async function startServer(name: string, settings: McpServerSettings) {
    const identity = identityOf(settings);
    const kept = await storedServer(facts, name);
    const letRun = new Map(Object.entries(await storedLetRun(facts, name)));
    let listed: readonly ListedTool[] = kept?.identity === identity ? kept.tools : [];
    let leftOut: readonly string[] = kept?.identity === identity ? kept.leftOut : [];
    let tools: readonly Tool[] = [];
    let serverProcess: ServerProcess | null = null;

    function define(): void {
      tools = listed
        .filter(({ theirs }) => settings.tools[theirs]?.enabled !== false)
        .map((tool) => toTool(tool, isChanged(tool), server));
    }

    function isChanged({ name: tool, definition }: ListedTool): boolean {
      const before = letRun.get(tool);
      return before !== undefined && before !== definition;
    }

    function keep(): void {
      const state = settings.isAgreed ? stateInWords(serverProcess?.state()) : NOT_AGREED;
      store.keep(name, { identity, state, tools: listed, leftOut });
    }

    const server = {
      name,
      settings,
      client: (signal: AbortSignal) => started().client(signal),
      broken: (...lost: Parameters<ServerProcess['broken']>) => started().broken(...lost),
      takenBack: (why: readonly string[]) => started().takenBack(why),
      definitionOf: (tool: string) => listed.find((one) => one.name === tool)?.definition,
      letRun(tool: ListedTool) {
        if (letRun.get(tool.name) === tool.definition) return;
        letRun.set(tool.name, tool.definition);
        store.letRun(name, tool.name, tool.definition);
        define();
      },
    };

    function started(): ServerProcess {
      if (serverProcess !== null) return serverProcess;
      throw notAgreed(name);
    }

    if (settings.isAgreed) {
      define();
      serverProcess = startServerProcess({
        name,
        settings,
        open: parts.open,
        clock,
        logger,
        onListed(raw) {
          const before = definitionsOf(listed);
          ({ tools: listed, leftOut } = readListing({ server: name, identity }, raw));
          for (const why of leftOut) logger.warn({ mcpServer: name, why }, 'tool of an MCP server left out');
          define();
          keep();
          if (definitionsOf(listed) !== before) for (const tell of listeners) tell();
        },
        onState: keep,
      });
    }
    keep();
    return { name, settings, serverProcess, tools: () => tools, state: () => serverProcess?.state() };
  }

  const processes = all.flatMap(({ serverProcess }) => serverProcess ?? []);
  const list = (): readonly Tool[] => all.flatMap(({ tools }) => tools());

  return {
    list,
    get(name) {
      const found = list().find((tool) => tool.name === name);
      if (found !== undefined) return found;
      const server = all.find((one) => name.startsWith(prefixOf(one.name)));
      if (server === undefined || server.state()?.kind === 'ready') return undefined;
      return absentTool(name, () => absence(server.name, server.settings, server.state()));
    },
    onChanged(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async known(ms) {
      const unknown = all.flatMap(({ serverProcess, tools }) =>
        serverProcess === null || tools().length > 0 ? [] : serverProcess,
      );
      const { promise, resolve } = Promise.withResolvers<void>();
      const cancel = clock.timer(ms, resolve);
      await Promise.race([Promise.all(unknown.map(({ tried }) => tried)), promise]);
      cancel();
    },
    async close() {
      await Promise.all(processes.map((serverProcess) => serverProcess.stop()));
      await store.written();
    },
  };
}

const NOT_AGREED = 'not started: not trusted here';

function stateInWords(state: ServerState | undefined): string {
  switch (state?.kind) {
    case 'ready':
      return 'ready';
    case 'waiting':
      return `not available: ${state.why}`;
    case 'stopped':
      return 'not running';
    case 'connecting':
    case undefined:
      return 'connecting';
  }
}

function definitionsOf(tools: readonly ListedTool[]): string {
  return tools.map(({ name, definition }) => `${name} ${definition}`).join('\n');
}

/** A stand-in for a tool not known yet. It only fails with the reason, so it needs no approval. */
function absentTool(name: string, why: () => ToolFailure): Tool {
  return defineTool({
    name,
    description: 'A tool of an MCP server that is not available now.',
    kind: 'mcp',
    requestKind: 'other',
    category: 'internal',
    risk: 'low',
    args: AnyArguments,
    describe: () => '',
    effects: () => [],
    handle: () => Promise.reject(why()),
  }) as unknown as Tool;
}

function absence(name: string, settings: McpServerSettings, state: ServerState | undefined): ToolFailure {
  if (!settings.isAgreed) return notAgreed(name);
  return new ToolFailure({
    code: 'mcp-server-unavailable',
    category: 'ServerError',
    message: `Cannot reach the MCP server "${name}": ${stateInWords(state)}`,
    suggestion: 'Continue without it; it is retried automatically',
  });
}

function notAgreed(name: string): ToolFailure {
  return new ToolFailure({
    code: 'mcp-server-not-agreed',
    category: 'PolicyBlocked',
    message: `The MCP server "${name}" was not started: a shared file names it, and it is not trusted here`,
    suggestion: `Continue without it; a person can trust it: signalbox tools trust ${name}`,
  });
}
