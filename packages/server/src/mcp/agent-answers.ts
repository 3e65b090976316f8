import type { CallToolResult } from '@modelcontextprotocol/server';
import { type CommandId, SignalboxError } from '@signalbox/core';
import * as z from 'zod';
import type { CommandView } from '../views/command-view.ts';

/** Before each tool's name: agents keep their own tools apart from ours, and people see whose it is. */
export const TOOL_PREFIX = 'signalbox_';

/** What an agent's program may read of an answer; its model reads the text. */
export const Structured = z.object({
  command: z.string(),
  status: z.string(),
  outcome: z.string().nullable(),
  exit_code: z.number().nullable(),
  files: z.array(z.object({ path: z.string(), kind: z.string() })),
});

/** How a command stands: its result, or a handle while it has none. */
export function answerOf(view: CommandView): CallToolResult {
  const { id, result } = view;
  if (result === null) {
    return {
      content: [said(`status: waiting\ncommand: ${id}\n${upper(whatFor(view))}. ${ASK_AGAIN}`)],
      structuredContent: { ...structured(view), status: 'waiting' },
    };
  }
  return {
    isError: !result.success,
    content: [said(result.content)],
    structuredContent: structured(view),
  };
}

/** What a command without a result waits for, in words. */
export function whatFor({ state }: Pick<CommandView, 'state'>): string {
  if (state === 'awaiting_approval') return "it waits for a person's approval";
  return state === 'running' ? 'it is running' : 'it waits for what others hold';
}

/** Of a command that was sent and can't be looked at now: who read no more than a failure would send it again. */
export function outOfSight(id: CommandId, error: unknown): CallToolResult {
  return {
    isError: true,
    content: [said(`status: unknown\ncommand: ${id}\n${textOf(error)}\nThe call was sent. ${ASK_AGAIN}`)],
  };
}

/** What kept a call from being sent. */
export function notSent(error: unknown): CallToolResult {
  return { isError: true, content: [said(textOf(error))] };
}

const ASK_AGAIN = `Call ${TOOL_PREFIX}wait with this command id; do not repeat the call.`;

function textOf(error: unknown): string {
  return error instanceof SignalboxError
    ? [error.message, ...error.why, ...error.next].join('\n')
    : 'Signalbox failed inside; try again later';
}

function upper(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

function said(text: string): CallToolResult['content'][number] {
  return { type: 'text', text };
}

function structured({ id, status, result }: CommandView): z.infer<typeof Structured> {
  return {
    command: id,
    status,
    outcome: result?.outcome.kind ?? null,
    exit_code: result?.exitCode ?? null,
    files: (result?.files ?? []).map(({ path, kind }) => ({ path, kind })),
  };
}
