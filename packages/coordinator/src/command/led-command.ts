import type { CommandId, CommandRecord } from '@signalbox/core';
import type { ActorLogic, ActorSystem, ActorSystemInfo } from 'xstate';
import { type CommandSnapshot, restore } from './advance.ts';

/** A step that a command has taken; its snapshot is already stored, if its state is stored at all. */
export type MachineStep = {
  /** Type of the event that caused it. */
  readonly type: string;
  readonly snapshot: CommandSnapshot;
  readonly actions: readonly string[];
};

/** Called for each step that a command has taken, after it was stored, if its state is stored at all. */
export type StepListener = { stepped(id: CommandId, step: MachineStep): void };

/**
 * A led command as seen by others: an actor whose snapshot is that of its machine. It decides nothing; the runner
 * advances the machine, stores, and then reports the step here.
 */
export const ledCommand: ActorLogic<CommandSnapshot, MachineStep, CommandRecord> = {
  getInitialSnapshot: (_, record) => restore(record),
  getPersistedSnapshot: (snapshot) => snapshot,
  start(snapshot, { system }) {
    if (isAsking(snapshot)) tell(system, 'approval.requested', snapshot);
  },
  transition(before, { type, snapshot }, { system }) {
    if (type === 'xstate.stop') return before;
    if (isAsking(snapshot) !== isAsking(before))
      tell(system, isAsking(snapshot) ? 'approval.requested' : 'approval.closed', snapshot);
    return snapshot;
  },
};

function isAsking({ value }: CommandSnapshot): boolean {
  return value === 'awaiting_approval';
}

function tell(system: ActorSystem<ActorSystemInfo>, type: string, { context }: CommandSnapshot): void {
  system.get('approvals')?.send({ type, commandId: context.record.id });
}
