import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Facts, type McpServers, parseSettings, type Tool, type ToolContext } from '@signalbox/core';
import {
  createManualClock,
  createMemoryFacts,
  createMemoryLogger,
  type ManualClock,
  type MemoryLogger,
} from '@signalbox/core/testing';
import { expect, vi } from 'vitest';
import { createMcpTools, type McpTools } from '../create-mcp-tools.ts';
import { createOpenClient } from '../open-client.ts';
import { scriptedServerArgs } from './index.ts';
import { spawnedServices } from './spawned-services.ts';

type Behaviour = Parameters<typeof scriptedServerArgs>[0];
export type McpHarness = AsyncDisposable & {
  readonly tools: McpTools;
  readonly clock: ManualClock;
  readonly facts: Facts;
  readonly logger: MemoryLogger;
  /** Returns the handler's answer, or throws its failure. */
  call(tool: string, args?: object, signal?: AbortSignal): Promise<unknown>;
};

export const program = (behaviour: Behaviour = 'sound', calls?: string) => ({
  command: process.execPath,
  args: scriptedServerArgs(behaviour, calls),
});

export function serversOf(written: object): McpServers {
  const parsed = parseSettings({ mcp_servers: written });
  if (parsed.kind === 'invalid') throw new Error(JSON.stringify(parsed.problems));
  return parsed.settings.mcp_servers;
}

export async function start(
  servers: McpServers,
  { facts = createMemoryFacts(), env = {} }: { facts?: Facts; env?: Record<string, string> } = {},
): Promise<McpHarness> {
  const clock = createManualClock();
  const logger = createMemoryLogger();
  const open = createOpenClient({
    services: spawnedServices,
    env,
    isConfined: false,
    version: '1.0.0',
    clock,
    // Long, for a busy machine.
    eraTimeoutMs: 180_000,
  });
  const tools = await createMcpTools({ servers, open, facts, clock, logger });
  return {
    tools,
    clock,
    facts,
    logger,
    async call(name, args = {}, signal = new AbortController().signal) {
      const tool = tools.get(name);
      if (tool === undefined) throw new Error(`no tool ${name}`);
      return tool.handle(args, { signal } as unknown as ToolContext).then(
        ({ output }) => output,
        (error: unknown) => error,
      );
    },
    [Symbol.asyncDispose]: () => tools.close(),
  };
}

export function callsFile(): Disposable & { readonly path: string; readonly lines: () => string[] } {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-mcp-'));
  return {
    path: join(folder, 'calls'),
    lines: () => readFileSync(join(folder, 'calls'), 'utf8').trimEnd().split('\n'),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  };
}

/** Waits until the server has listed its tools. */
export async function ready({ tools }: McpHarness, name = 'mcp__a__echo'): Promise<Tool> {
  await vi.waitFor(() => expect(tools.list().map((tool) => tool.name)).toContain(name), 20_000);
  const tool = tools.get(name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  return tool;
}
