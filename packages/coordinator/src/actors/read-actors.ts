import type { Members, SessionId } from '@signalbox/core';
import type { Actor, SnapshotFrom } from 'xstate';
import { stateName } from '../command/advance.ts';
import type { ModeState } from '../coordinator-api.ts';
import type { coordinatorMachine } from '../coordinator.machine.ts';
import type { LedSession } from '../session/led-session.ts';
import type { ActorTree, CoordinatorState } from './actor-tree.ts';
import type { Keeper } from './keeper.ts';
import type { LedCommands } from './led-commands.ts';
import type { FaultRecord } from './tell-faults.ts';

/** Nobody reads more of them. */
const MOST_NAMED = 20;

export async function readActors(
  {
    actor,
    commands,
    sessions,
    faults,
  }: {
    readonly actor: Actor<typeof coordinatorMachine>;
    readonly commands: Pick<LedCommands, 'lives'>;
    readonly sessions: Pick<Keeper<LedSession, SessionId>, 'children'>;
    readonly faults: readonly FaultRecord[];
  },
  { mode, members }: { readonly mode: () => Promise<ModeState>; readonly members: Members | undefined },
): Promise<ActorTree> {
  const [{ since, by, mode: counts }, nodes] = await Promise.all([mode(), members?.living() ?? null]);
  const { value, context, children } = actor.getSnapshot();
  const sources = children.settings?.getSnapshot().context ?? {};
  const states = new Map<string, number>();
  for (const life of commands.lives.values()) {
    const state = stateName(life.actor.getSnapshot());
    states.set(state, (states.get(state) ?? 0) + 1);
  }
  return {
    coordinator: { state: coordinatorState(value), since: context.since },
    mode: { mode: counts, since, by, watched: children['mode-watch']?.getSnapshot().status === 'active' },
    approvals: { waiting: children.approvals?.getSnapshot().context.waiting ?? 0 },
    commands: {
      states: Object.fromEntries([...states].toSorted(([a], [b]) => a.localeCompare(b))),
      first: firstOf(commands.lives).map(([id, life]) => {
        const record = life.record();
        return {
          id,
          state: stateName(life.actor.getSnapshot()),
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
  return children.entries().take(MOST_NAMED).toArray();
}

function coordinatorState(value: SnapshotFrom<typeof coordinatorMachine>['value']): CoordinatorState {
  if (typeof value === 'string') return value;
  return typeof value.open === 'string' ? value.open : 'recovering';
}
