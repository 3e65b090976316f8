import type { Tool as ListedTool } from '@modelcontextprotocol/server';
import { WaitForCall } from '@signalbox/api';
import { toToolOffer, UsageError } from '@signalbox/core';
import type * as z from 'zod';
import type { McpOffer } from './mcp-house.ts';
import { TOOL_PREFIX } from './tool-prefix.ts';

/** The one tool that is no call of its own: it waits for another. */
export const WAIT = 'wait';

/** A tool as the protocol lists it. */
export function toListed({ name, title, description, inputSchema, hints, isBuiltIn }: McpOffer): ListedTool {
  return {
    name: TOOL_PREFIX + name,
    title,
    description,
    inputSchema: { ...inputSchema, type: 'object' },
    annotations: {
      title,
      readOnlyHint: hints.readOnly,
      destructiveHint: hints.destructive,
      idempotentHint: hints.idempotent,
      openWorldHint: hints.openWorld,
    },
    // Claude Code shows its model the names alone of other servers' tools, until it searches for one.
    ...(isBuiltIn ? { _meta: { 'anthropic/alwaysLoad': true } } : {}),
  };
}

const waitOffer = toToolOffer({
  name: WAIT,
  description:
    'Waits for a call that was answered with "waiting", and gives its result when it is done: for as long as the call itself would have waited.',
  args: WaitForCall,
});

export const LISTED_WAIT: ListedTool = toListed({
  ...waitOffer,
  title: 'Wait for a call',
  isBuiltIn: true,
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
});

/** @throws {UsageError} in words for the model. */
export function waitOfArgs(args: unknown): z.infer<typeof WaitForCall> {
  const parsed = WaitForCall.safeParse(args);
  if (parsed.success) return parsed.data;
  throw new UsageError(
    'invalid-arguments',
    `Cannot wait: ${parsed.error.issues[0]?.message ?? 'no arguments'}`,
    {
      next: [`Call ${LISTED_WAIT.name} with {"command": the id of the answer that said "waiting"}`],
    },
  );
}
