import type { Message } from '@signalbox/core';
import type { RecordedCall } from '../recorded-call.ts';
import { isOwnNote } from '../own-notes.ts';
import { KEPT_TURNS } from './compression.ts';
import { tokensOf } from './context-size.ts';
import { readsToKeep } from './reads-to-keep.ts';
import { messagesOf, type TurnGroup, turnGroupsOf } from './turn-groups.ts';

/** What a compression removes and what it keeps. */
export type CompressionPlan = {
  /** Instructions, task, earlier knowledge, and messages of the person from removed turns; as they are. */
  readonly head: readonly Message[];
  /** Oldest first; at least one. */
  readonly removed: readonly TurnGroup[];
  /** Of the removed ones, those with the last read of a file that the session edits. */
  readonly reads: readonly TurnGroup[];
  /** The last turns, as they are. */
  readonly kept: readonly TurnGroup[];
};

/** Share of the target that kept reads may take. */
const READS_SHARE = 0.25;
const MAX_READS_TOKENS = 20_000;

/**
 * Decides what to remove from a conversation so that about `targetTokens` remain; null if there is nothing to remove.
 * Up to three last turns stay, fewer if they are too large, and always the last one.
 */
export function planCompression(
  { messages, calls }: { readonly messages: readonly Message[]; readonly calls: readonly RecordedCall[] },
  targetTokens: number,
): CompressionPlan | null {
  const { head, turns } = turnGroupsOf(messages);
  if (turns.length < 2) return null;
  const most = Math.min(KEPT_TURNS, turns.length - 1);
  let count = most;
  while (count > 1 && tokensOf(turns.slice(-count).flatMap(messagesOf)) > targetTokens) count -= 1;
  const removed = turns.slice(0, -count);
  return {
    head: [
      ...head,
      ...removed.flatMap(({ said }) =>
        said.filter((message) => message.role !== 'user' || !isOwnNote(message.text)),
      ),
    ],
    removed,
    reads: readsToKeep(removed, { calls, maxTokens: Math.min(targetTokens * READS_SHARE, MAX_READS_TOKENS) }),
    kept: turns.slice(-count),
  };
}

/** The planned conversation; `knowledge` stands for the removed turns. */
export function compressed(plan: CompressionPlan, knowledge: string): readonly Message[] {
  return [
    ...plan.head,
    { role: 'user', text: knowledge },
    ...plan.reads.flatMap(messagesOf),
    ...plan.kept.flatMap(messagesOf),
  ];
}
