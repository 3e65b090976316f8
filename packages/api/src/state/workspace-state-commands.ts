import type { CommandState } from '@signalbox/core';
import type { CommandSummary } from '../command-summary.ts';
import type { WorkspaceState } from './workspace-state.ts';

type Commands = Pick<WorkspaceState, 'commands'>;

/** Unfinished commands, oldest first. */
export function openCommands({ commands }: Commands): readonly CommandSummary[] {
  return [...commands.values()].filter(({ state }) => state !== 'done');
}

export function commandsIn({ commands }: Commands, wanted: CommandState): readonly CommandSummary[] {
  return [...commands.values()].filter(({ state }) => state === wanted);
}

/** Queued commands, longest wait first. */
export function longestWaiting(state: Commands): readonly CommandSummary[] {
  return commandsIn(state, 'queued').toSorted((a, b) => sinceOf(a) - sinceOf(b));
}

/** Commands that it still waits for; ended ones no longer block. */
export function blockersOf({ blockers }: CommandSummary, { commands }: Commands): readonly CommandSummary[] {
  return blockers.flatMap((id) => {
    const blocker = commands.get(id);
    return blocker === undefined || blocker.state === 'done' ? [] : [blocker];
  });
}

/** Since when it is in its state, in epoch milliseconds. */
export function sinceOf(command: CommandSummary): number {
  const { state, submittedAt, askedAt, queuedAt, startedAt, endedAt } = command;
  switch (state) {
    case 'awaiting_approval':
      return askedAt ?? submittedAt;
    case 'queued':
      return queuedAt ?? submittedAt;
    case 'running':
      return startedAt ?? submittedAt;
    case 'done':
      return endedAt ?? submittedAt;
    case 'submitted':
    case 'classified':
    case 'approved':
      return submittedAt;
  }
}
