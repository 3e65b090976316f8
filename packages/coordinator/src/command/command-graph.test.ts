import { aCommandRecord } from '@signalbox/core/testing';
import { describe, expect, test } from 'vitest';
import { type ActorLogic, transition } from 'xstate';
import { getAdjacencyMap } from 'xstate/graph';
import { EVENTS, HASH, NAMES, pending, VERDICT } from '../testing/machine-events.ts';
import { advance, type CommandSnapshot, restore, stateName } from './advance.ts';
import type { CommandEvent } from './command-event.ts';
import { commandMachine } from './command.machine.ts';

const LOGIC: ActorLogic<CommandSnapshot, CommandEvent> = {
  getInitialSnapshot: () => restore(aCommandRecord()),
  getPersistedSnapshot: (snapshot) => snapshot,
  transition: (snapshot, event) => advance(snapshot, event)?.snapshot ?? snapshot,
};

/** Every snapshot that events lead to, told apart by what guards look at. */
function walk(fromState: CommandSnapshot) {
  return Object.values(
    getAdjacencyMap(LOGIC, {
      fromState,
      events: Object.values(EVENTS),
      serializeState: ({ value, context: { record, holding, closing } }) =>
        JSON.stringify([
          [value, record.state, holding.kind, closing, record.verdict !== null],
          [record.approval?.status, record.approval?.callHash, record.approval?.pausedAt],
        ]),
      limit: 100_000,
    }),
  );
}

type Arrows = Readonly<Record<string, { readonly event: CommandEvent; readonly state: CommandSnapshot }>>;

/** All leaves of the drawing. */
function leaves(
  states: Readonly<Record<string, { readonly key: string; states: object }>>,
  path = '',
): string[] {
  return Object.values(states).flatMap((node) => {
    const below = leaves(node.states as typeof states, `${path}${node.key}.`);
    return below.length === 0 ? [`${path}${node.key}`] : below;
  });
}

const GRAPH = [
  ...walk(restore(aCommandRecord())),
  ...(['awaiting_approval', 'approved', 'queued', 'running'] as const).flatMap((state) =>
    walk(restore(aCommandRecord({ state, approval: pending, verdict: VERDICT, callHash: HASH }))),
  ),
];

describe('the graph of the machine', () => {
  test('every state is reached, from a new call or from a stored record', () => {
    const reached = new Set(GRAPH.map(({ state }) => stateName(state)));
    expect([...reached].toSorted()).toEqual(leaves(commandMachine.states).toSorted());
  });

  test('a process that may live keeps its command running until it is dead, never began, or is another’s', () => {
    const LEAVES = new Set(['process.ended', 'execution.failed', 'command.orphaned', 'command.taken']);
    const alive = new Set(['running.orphaned', 'running.working', 'running.claiming', 'running.stopping']);
    const left = GRAPH.filter(({ state }) => alive.has(stateName(state))).flatMap(({ state, transitions }) =>
      Object.values(transitions as Arrows)
        .filter((to) => !alive.has(stateName(to.state)))
        .map(({ event }) => [stateName(state), event.type] as const),
    );
    expect(left.length).toBeGreaterThan(0);
    const wrong = left.filter(
      ([state, type]) => !LEAVES.has(type) && !(state === 'running.orphaned' && type === 'runner.failed'),
    );
    expect(wrong).toEqual([]);
  });

  test('a command that is done takes no event that does anything', () => {
    for (const { state } of GRAPH.filter((entry) => stateName(entry.state) === 'done')) {
      for (const name of NAMES) expect(advance(state, EVENTS[name])?.actions ?? []).toEqual([]);
    }
  });

  test('from every state but the last, something leads to the one result', () => {
    const byState = new Map<string, Set<string>>();
    for (const { state, transitions } of GRAPH) {
      const to = byState.get(stateName(state)) ?? new Set();
      for (const next of Object.values(transitions as Arrows)) to.add(stateName(next.state));
      byState.set(stateName(state), to);
    }
    const ends = new Set(['done']);
    for (let grown = 0; grown !== ends.size;) {
      grown = ends.size;
      for (const [state, to] of byState) if ([...to].some((next) => ends.has(next))) ends.add(state);
    }
    expect([...byState.keys()].filter((state) => !ends.has(state))).toEqual([]);
  });

  test('nothing is executed but with a lease in hand, and in the same step in which `running` is stored', () => {
    for (const { state } of GRAPH) {
      for (const name of NAMES) {
        const actions = advance(state, EVENTS[name])?.actions.map(({ type }) => type) ?? [];
        if (!actions.includes('execute')) continue;
        expect([stateName(state), state.context.holding.kind, actions]).toEqual([
          'queued.checking',
          'lease',
          ['store', 'execute'],
        ]);
      }
    }
  });

  test('an answer is given only when its record is stored, or another coordinator’s to store, or can’t be', () => {
    for (const { state } of GRAPH) {
      for (const name of NAMES) {
        const actions = advance(state, EVENTS[name])?.actions.map(({ type }) => type) ?? [];
        if (!actions.includes('answer')) continue;
        const first = { ending: 'store', collapsing: 'storeIfPossible', elsewhere: 'answer' }[
          stateName(state)
        ];
        expect([name, actions[0], actions.at(-1)]).toEqual([name, first, 'answer']);
      }
    }
  });

  test('what XState’s own transition() answers is the same', () => {
    for (const { state } of GRAPH.slice(0, 300)) {
      for (const name of NAMES) {
        const [next, actions] = transition(commandMachine, state, EVENTS[name]);
        const own = advance(state, EVENTS[name]);
        expect([
          own === null ? state.value : own.snapshot.value,
          own?.actions.map(({ type }) => type) ?? [],
        ]).toEqual([next.value, actions.map(({ type }) => type)]);
      }
    }
  });

  test('while it is closing nothing enters the queue and nothing starts', () => {
    for (const { state } of GRAPH.filter((entry) => entry.state.context.closing)) {
      for (const name of NAMES) {
        if (stateName(state) === 'running.claiming') continue;
        const actions = advance(state, EVENTS[name])?.actions.map(({ type }) => type) ?? [];
        expect(actions.filter((type) => type === 'enqueue' || type === 'check')).toEqual([]);
      }
    }
  });
});
