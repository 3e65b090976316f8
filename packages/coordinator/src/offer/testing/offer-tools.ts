import { defineTool, type Tool, toToolOffer } from '@signalbox/core';
import * as z from 'zod';
import type { Candidate } from '../filter-tools.ts';

/** A tool that does nothing. */
export function offerTool(name: string, more: Partial<Tool> = {}): Tool {
  return defineTool<unknown>({
    name,
    description: `Does what ${name} says, for tests.`,
    requestKind: 'other',
    category: 'internal',
    risk: 'low',
    args: z.strictObject({ path: z.string() }),
    describe: () => name,
    effects: () => [],
    handle: async () => ({ output: null }),
    kind: name.startsWith('mcp__') ? 'mcp' : 'builtin',
    ...more,
  });
}

export function candidatesOf(tools: readonly Tool[]): readonly Candidate[] {
  return tools.map((tool) => ({ tool, definition: toToolOffer(tool) }));
}
