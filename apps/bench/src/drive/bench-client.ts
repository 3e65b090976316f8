import type { CommandResult } from '@signalbox/core';
import type { PlannedCommand } from '../plan/planned-command.ts';

/** How a command ended, as its agent was told. */
export type BenchAnswer = Readonly<{
  commandId: string;
  /** `completed`, `failed`, `denied` … */
  outcome: string;
  /** Why, when it did not complete. */
  message: string | null;
}>;

/** A call that is on its way. */
export type Sent = Readonly<{
  /** When it is known to wait, to run or to be done; null where a client does not tell. */
  rested: Promise<unknown> | null;
  answer: Promise<BenchAnswer>;
  cancel(): Promise<void>;
}>;

/** How the fake agents call the coordinator. */
export type BenchClient = Readonly<{
  send(command: PlannedCommand): Sent;
  close(): Promise<void>;
  /** Where several processes coordinate: how many of them were killed. */
  killed?(): number;
}>;

export function answerOf(commandId: string, { outcome, failure }: CommandResult): BenchAnswer {
  return { commandId, outcome: outcome.kind, message: failure?.message ?? null };
}
