import type { CommandResult } from '@signalbox/core';
import type { PlannedCommand } from '../plan/planned-command.ts';

/** Outcome of a command as its agent received it. */
export type BenchAnswer = Readonly<{
  commandId: string;
  /** `completed`, `failed`, `denied` … */
  outcome: string;
  /** The reason when it did not complete. */
  message: string | null;
}>;

/** A call in progress. */
export type Sent = Readonly<{
  /** Settles when the call is known to wait, to run or to be done; null where a client can't tell. */
  rested: Promise<unknown> | null;
  answer: Promise<BenchAnswer>;
  cancel(): Promise<void>;
}>;

/** How the fake agents call the coordinator. */
export type BenchClient = Readonly<{
  send(command: PlannedCommand): Sent;
  close(): Promise<void>;
  /** With several coordinating processes: how many of them were killed. */
  killed?(): number;
}>;

export function answerOf(commandId: string, { outcome, failure }: CommandResult): BenchAnswer {
  return { commandId, outcome: outcome.kind, message: failure?.message ?? null };
}
