import type { Tool as ListedTool } from '@modelcontextprotocol/server';
import { type CommandView, WaitForCall } from '@signalbox/api';
import { CommandId, toToolOffer } from '@signalbox/core';
import type { McpOffer } from './mcp-runtime.ts';
import { oneLine } from './one-line.ts';
import { TOOL_PREFIX } from './tool-prefix.ts';

/** The one tool that creates no call: it waits for another. */
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
    // Claude Code shows its model only the names of other servers' tools until the model searches for one.
    ...(isBuiltIn ? { _meta: { 'anthropic/alwaysLoad': true } } : {}),
  };
}

const waitOffer = toToolOffer({
  name: WAIT,
  description:
    'Waits for a call that was answered with "waiting", and returns its result when it is done. Waits as long as the call itself would have waited.',
  args: WaitForCall,
});

export const LISTED_WAIT: ListedTool = toListed({
  ...waitOffer,
  title: 'Wait for a call',
  isBuiltIn: true,
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
});

/** The command to wait for, or an error text about the arguments. */
export function waitOfArgs(
  args: unknown,
): { readonly command: CommandId; readonly seconds: number | undefined } | { readonly why: string } {
  const parsed = WaitForCall.safeParse(args);
  if (parsed.success) {
    const { command, seconds } = parsed.data;
    const id = CommandId.safeParse(command.trim()).data;
    if (id !== undefined) return { command: id, seconds };
    return { why: `${JSON.stringify(command.slice(0, 40))} is not a command id` };
  }
  const [issue] = parsed.error.issues;
  const key = issue?.path.join('.') ?? '';
  const isMissing = args instanceof Object && key !== '' && !(key in args);
  return { why: isMissing ? `"${key}" is missing` : `"${key}": ${issue?.message ?? 'no arguments'}` };
}

/** With more, a list does not help to choose. */
const MAX_OPEN = 5;

/** Ids to wait for: calls whose end the agent has not received. */
export function waitsOpen(open: readonly Pick<CommandView, 'id' | 'title'>[]): readonly string[] {
  const [first] = open;
  if (first === undefined) return ['None of your calls is waiting; continue with other work'];
  const named = open.slice(0, MAX_OPEN).map(({ id, title }) => `${id} (${oneLine(title, 100)})`);
  const more = open.length > MAX_OPEN ? `, and ${open.length - MAX_OPEN} more` : '';
  return [
    `Your waiting calls: ${named.join(', ')}${more}`,
    `Call ${LISTED_WAIT.name} with ${JSON.stringify({ command: first.id })}`,
  ];
}
