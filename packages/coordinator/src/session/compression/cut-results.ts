import type { Message } from '@signalbox/core';
import type { RecordedCall } from '../recorded-call.ts';
import { tokensOf } from './context-size.ts';
import { messagesOf, type TurnGroup, turnGroupsOf, withResults } from './turn-groups.ts';

/** Shorter results stay: the line in their place would save nothing. */
const SHORTEST_CUT = 400;

/**
 * Replaces results of calls, oldest first, by a line that says how to read them again, until about `tokens` are saved.
 * Every call keeps a result, and the last `keepTurns` turns stay as they are.
 */
export function cutResults(
  messages: readonly Message[],
  {
    calls,
    tokens,
    keepTurns,
  }: { readonly calls: readonly RecordedCall[]; readonly tokens: number; readonly keepTurns: number },
): readonly Message[] {
  const { head, turns } = turnGroupsOf(messages);
  const byId = new Map(calls.map((call) => [call.callId, call]));
  let excess = tokens;
  const cut = turns.map((turn, at): TurnGroup => {
    if (excess <= 0 || at >= turns.length - keepTurns) return turn;
    const shorter = withResults(turn, ({ id }, text) =>
      text.length < SHORTEST_CUT ? undefined : cutLine(byId.get(id), text.length),
    );
    excess -= tokensOf(messagesOf(turn)) - tokensOf(messagesOf(shorter));
    return shorter;
  });
  return [...head, ...cut.flatMap(messagesOf)];
}

function cutLine(call: RecordedCall | undefined, chars: number): string {
  const size = `[${chars} characters left out to save context`;
  if (call === undefined || call.commandId === null) return `${size}]`;
  return (call.read ?? []).length > 0
    ? `${size}; read the file again if you need it (${call.commandId})]`
    : `${size}; read_output with command ${call.commandId} returns what it printed]`;
}
