import { describe, expect, test } from 'vitest';
import { transition } from 'xstate';
import { graphOf, LAWS } from '../testing/graph-laws.ts';
import { EVENTS, NAMES } from '../testing/machine-events.ts';
import { command } from './command-setup.ts';
import { commandMachine } from './command.machine.ts';

const GRAPH = graphOf(commandMachine);

describe('the graph of the machine', () => {
  test.each(Object.entries(LAWS))('%s', (_, law) => {
    expect(law(GRAPH)).toEqual([]);
  });

  test('XState’s own transition() returns the same snapshots (S003-35, U-05)', () => {
    for (const { state } of GRAPH.nodes.slice(0, 300)) {
      for (const name of NAMES) {
        const [next, actions] = transition(commandMachine, state, EVENTS[name]);
        const own = GRAPH.advance(state, EVENTS[name]);
        expect([
          own === null ? state.value : own.snapshot.value,
          own?.actions.map(({ type }) => type) ?? [],
        ]).toEqual([next.value, actions.map(({ type }) => type)]);
      }
    }
  });
});

type Part = Readonly<Record<string, unknown>>;

/** Plausible mistakes in one transition of the machine: its path, and the wrong version. */
const MUTATIONS: Readonly<Record<string, readonly [path: string, change: (part: never) => unknown]>> = {
  'a cancel ends a command whose process is alive': [
    'states running states working on cancel.requested target',
    () => '#command.ending',
  ],
  'a lost lease ends a command whose process is alive': [
    'states running states working on lease.lost target',
    () => '#command.ending',
  ],
  'a restart reruns a command': [
    'states running states orphaned on command.resumed',
    () => ({ target: '#command.queued.entering', actions: 'enqueue' }),
  ],
  'a program starts before its record says so': [
    'states queued states checking on start.allowed actions',
    ([keep, , execute]: readonly unknown[]) => [keep, execute],
  ],
  'a program starts although its lease was released': [
    'states queued states checking on start.allowed guard',
    () => undefined,
  ],
  'an answer is given before it is stored': [
    'states ending on audit.written 1 actions',
    (actions: readonly unknown[]) => [actions.at(-1), ...actions.slice(0, -1)],
  ],
  'a done command can be approved': ['states done on', () => ({ 'approval.granted': { actions: 'store' } })],
  'an ending takes no event': ['states ending on', () => ({})],
  'a yes during closing enters the queue': [
    'states awaiting_approval on approval.granted',
    ([, enters]: readonly unknown[]) => enters,
  ],
  'a lease granted during closing is used': [
    'states queued states waiting on lease.granted guard',
    () => undefined,
  ],
};

describe('an invariant is violated when', () => {
  test.each(Object.entries(MUTATIONS))('%s', (_, [path, change]) => {
    const config = changed(commandMachine.config as Part, path.split(' '), change);
    const graph = graphOf(command.createMachine(config as never) as unknown as typeof commandMachine);
    const broken = Object.values(LAWS).flatMap((law) => law(graph));
    expect(broken).not.toEqual([]);
  });
});

function changed(
  part: Part,
  [key = '', ...path]: readonly string[],
  change: (part: never) => unknown,
): unknown {
  const before = part[key];
  if (path.length > 0 && before === undefined) throw new Error(`The machine has no "${key}"`);
  const after = path.length === 0 ? change(before as never) : changed(before as Part, path, change);
  const copy: object = Array.isArray(part) ? [...(part as unknown[])] : { ...part };
  return Object.assign(copy, { [key]: after });
}
