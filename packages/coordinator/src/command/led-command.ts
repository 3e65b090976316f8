import type { CommandId, CommandRecord } from '@signalbox/core';
import type { ActorLogic, ActorSystem, ActorSystemInfo } from 'xstate';
import { type CommandSnapshot, restore } from './advance.ts';

/** A step that a command has taken: its next snapshot is stored, where it is one that is. */
export type MachineStep = {
  /** Of the event that led to it. */
  readonly type: string;
  readonly snapshot: CommandSnapshot;
  readonly actions: readonly string[];
};

/** Hears of each step that a command has taken, stored where it is one that is. */
export type StepListener = { stepped(id: CommandId, step: MachineStep): void };

/**
 * A led command as others see it: an actor whose snapshot is that of its machine. It decides nothing; the runner advances
 * the machine, stores, and then tells the step here.
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
