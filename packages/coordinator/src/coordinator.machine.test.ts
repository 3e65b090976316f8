import { createMemoryLogger } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { createActor, fromCallback, initialTransition, transition } from 'xstate';
import { getAdjacencyMap } from 'xstate/graph';
import { type CoordinatorEvent, coordinatorMachine } from './coordinator.machine.ts';
import { stateOf } from './actors/log-steps.ts';

const AT = 1000;
const EVENTS: readonly CoordinatorEvent[] = (
  ['recovery.ended', 'drain.requested', 'close.requested', 'parts.stopped'] as const
).map((type) => ({ type, at: AT }));

type Snapshot = ReturnType<typeof initialTransition<typeof coordinatorMachine>>[0];

type Arrows = Readonly<Record<string, { readonly event: CoordinatorEvent; readonly state: Snapshot }>>;

/** Every reachable state, with the target of each event. */
const GRAPH = Object.values(
  getAdjacencyMap(
    {
      getInitialSnapshot: () => initialTransition(coordinatorMachine, { at: AT })[0],
      getPersistedSnapshot: (snapshot: Snapshot) => snapshot as never,
      transition: (snapshot: Snapshot, event: CoordinatorEvent) =>
        transition(coordinatorMachine, snapshot, event)[0],
    },
    { events: [...EVENTS], serializeState: ({ value }) => JSON.stringify(value) },
  ),
).map(({ state, transitions }) => ({
  from: stateOf(state),
  to: Object.fromEntries(
    Object.values(transitions as Arrows).map(({ event, state: next }) => [event.type, stateOf(next)]),
  ),
}));

function alive({ children }: Snapshot): readonly string[] {
  return Object.entries(children).flatMap(([id, child]) =>
    child?.getSnapshot().status === 'active' ? [id] : [],
  );
}

test('the graph of a coordinator’s life cycle has these states and arrows', () => {
  expect(
    GRAPH.flatMap(({ from, to }) =>
      Object.entries(to).flatMap(([type, next]) => (next === from ? [] : [`${from} ${type} ${next}`])),
    ).toSorted(),
  ).toEqual([
    'closing parts.stopped closed',
    'open.draining close.requested closing',
    'open.leading close.requested closing',
    'open.leading drain.requested open.draining',
    'open.recovering.draining close.requested closing',
    'open.recovering.draining recovery.ended open.draining',
    'open.recovering.taking close.requested closing',
    'open.recovering.taking drain.requested open.recovering.draining',
    'open.recovering.taking recovery.ended open.leading',
  ]);
});

test('nothing leads back: a draining or closing coordinator never accepts anything new again', () => {
  const isOpen = (state: string): boolean => ['open.leading', 'open.recovering.taking'].includes(state);
  const back = GRAPH.filter(({ from }) => !isOpen(from)).flatMap(({ to }) =>
    Object.values(to).filter((next) => isOpen(next)),
  );
  expect(back).toEqual([]);
});

test.each(['mode', 'mode-watch', 'approvals', 'commands', 'sessions', 'nodes', 'settings'] as const)(
  'when child %s throws, the fault is reported, and the root and all others continue',
  (broken) => {
    const logger = createMemoryLogger();
    const throws = fromCallback(({ receive }) => {
      receive(({ type }) => {
        throw new Error(`no ${type}`);
      });
    });
    const names = { 'mode-watch': 'modeWatch' } as const;
    const src = broken === 'mode-watch' ? names[broken] : broken;
    const root = createActor(
      coordinatorMachine.provide({
        actors: { [src]: throws as never },
        actions: { reportFault: (_, { actor, error }) => logger.error({ actor, error }, 'failed') },
      }),
      { input: { at: AT } },
    );
    root.start();
    root.system.get(broken)?.send({ type: 'fault' });
    expect(logger.lines.map(({ facts }) => facts)).toEqual([{ actor: broken, error: new Error('no fault') }]);
    const living = alive(root.getSnapshot());
    expect([root.getSnapshot().status, living.length, living.includes(broken)]).toEqual(['active', 6, false]);
    root.send({ type: 'recovery.ended', at: AT });
    expect(stateOf(root.getSnapshot())).toBe('open.leading');
    root.send({ type: 'close.requested', at: AT });
    expect(alive(root.getSnapshot()).toSorted()).toEqual(
      ['commands', 'sessions'].filter((id) => id !== broken),
    );
  },
);
