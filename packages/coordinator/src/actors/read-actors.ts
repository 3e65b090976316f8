import type { Nodes, SessionId } from '@signalbox/core';
import type { Actor, SnapshotFrom } from 'xstate';
import { stateName } from '../command/advance.ts';
import type { ModeState } from '../coordinator-api.ts';
import type { coordinatorMachine } from '../coordinator.machine.ts';
import type { LedSession } from '../session/led-session.ts';
import type { ActorSnapshotTree, CoordinatorPhase } from './actor-tree.ts';
import type { ActorGroup } from './actor-group.ts';
import type { LedCommands } from './led-commands.ts';
import type { FaultRecord } from './fault-log.ts';

/** A longer list would not be read. */
const MAX_NAMED = 20;

export async function readActors(
  {
    actor,
    commands,
    sessions,
    faults,
  }: {
    readonly actor: Actor<typeof coordinatorMachine>;
    readonly commands: Pick<LedCommands, 'runners'>;
    readonly sessions: Pick<ActorGroup<LedSession, SessionId>, 'children'>;
    readonly faults: readonly FaultRecord[];
  },
  { mode, members }: { readonly mode: () => Promise<ModeState>; readonly members: Nodes | undefined },
): Promise<ActorSnapshotTree> {
  const [{ since, by, mode: counts }, nodes] = await Promise.all([mode(), members?.living() ?? null]);
  const { value, context, children } = actor.getSnapshot();
  const sources = children.settings?.getSnapshot().context ?? {};
  const states = new Map<string, number>();
  for (const runner of commands.runners.values()) {
    const state = stateName(runner.actor.getSnapshot());
    states.set(state, (states.get(state) ?? 0) + 1);
  }
  return {
    coordinator: { state: coordinatorState(value), since: context.since },
    mode: { mode: counts, since, by, watched: children['mode-watch']?.getSnapshot().status === 'active' },
    approvals: { waiting: children.approvals?.getSnapshot().context.waiting ?? 0 },
    commands: {
      states: Object.fromEntries([...states].toSorted(([a], [b]) => a.localeCompare(b))),
      first: firstOf(commands.runners).map(([id, runner]) => {
        const record = runner.record();
        return {
          id,
          state: stateName(runner.actor.getSnapshot()),
          since: record.path?.at(-1)?.at ?? record.submittedAt,
        };
      }),
    },
    sessions: {
      count: sessions.children.size,
      first: firstOf(sessions.children).map(([id, session]) => ({
        id: id,
        provider: session.provider,
        state: session.state(),
        since: session.startedAt,
      })),
    },
    nodes,
    settings: { files: sources.files ?? null, mcp_servers: sources.mcp_servers ?? null },
    faults,
  };
}

function firstOf<Id, Child>(children: ReadonlyMap<Id, Child>): readonly (readonly [Id, Child])[] {
  return children.entries().take(MAX_NAMED).toArray();
}

function coordinatorState(value: SnapshotFrom<typeof coordinatorMachine>['value']): CoordinatorPhase {
  if (typeof value === 'string') return value;
  return typeof value.open === 'string' ? value.open : 'recovering';
}
