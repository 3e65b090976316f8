import type { AssistantMessage, Message, ToolCall } from '@signalbox/core';
import { callsOf } from '../turn-outcome.ts';

type ToolMessage = Extract<Message, { role: 'tool' }>;

/** A turn with the results of its calls: never split, since a provider refuses one without the other. */
export type TurnGroup = {
  readonly assistant: AssistantMessage;
  readonly results: ToolMessage | null;
  /** Messages to the model after it, before the next turn. */
  readonly said: readonly Message[];
};

/** A conversation by turns; `head`: everything before the first turn. */
export type TurnGroups = { readonly head: readonly Message[]; readonly turns: readonly TurnGroup[] };

export function turnGroupsOf(messages: readonly Message[]): TurnGroups {
  const head: Message[] = [];
  const turns: { assistant: AssistantMessage; results: ToolMessage | null; said: Message[] }[] = [];
  for (const message of messages) {
    const last = turns.at(-1);
    if (message.role === 'assistant') turns.push({ assistant: message, results: null, said: [] });
    else if (last === undefined) head.push(message);
    else if (message.role === 'tool') last.results = message;
    else last.said.push(message);
  }
  return { head, turns };
}

export function messagesOf({ assistant, results, said }: TurnGroup): readonly Message[] {
  return [assistant, ...(results === null ? [] : [results]), ...said];
}

/** Its calls with the text of their results, in call order. */
export function answeredCalls({ assistant, results }: TurnGroup): readonly {
  readonly call: ToolCall;
  readonly text: string;
  readonly isError: boolean;
}[] {
  const byId = new Map(results?.results.map((result) => [result.callId, result]));
  return callsOf(assistant).map((call) => {
    const result = byId.get(call.id);
    return { call, text: result?.text ?? '', isError: result?.isError ?? false };
  });
}

/** The same turn, with the result of each call replaced by `replace`, where that returns a text. */
export function withResults(
  turn: TurnGroup,
  replace: (call: ToolCall, text: string) => string | undefined,
): TurnGroup {
  if (turn.results === null) return turn;
  const calls = new Map(callsOf(turn.assistant).map((call) => [call.id, call]));
  const results = turn.results.results.map((result) => {
    const call = calls.get(result.callId);
    const text = call === undefined ? undefined : replace(call, result.text);
    if (text === undefined) return result;
    const { callId, isError } = result;
    return { callId, text, isError };
  });
  return { ...turn, results: { role: 'tool', results } };
}
