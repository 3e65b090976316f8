import { aCommandRecord } from '@signalbox/core/testing';
import type { ActorLogic } from 'xstate';
import { getAdjacencyMap } from 'xstate/graph';
import {
  type AdvanceMachine,
  type CommandSnapshot,
  createAdvance,
  restore,
  stateName,
} from '../command/advance.ts';
import type { CommandEvent } from '../command/command-event.ts';
import type { commandMachine } from '../command/command.machine.ts';
import { EVENTS, HASH, NAMES, pending, VERDICT } from './machine-events.ts';

type Machine = typeof commandMachine;
type Arrows = Readonly<Record<string, { readonly event: CommandEvent; readonly state: CommandSnapshot }>>;

type Node = Readonly<{ state: CommandSnapshot; transitions: Arrows }>;

/** The actions of an event in a state. */
type Step = Readonly<{ from: string; state: CommandSnapshot; event: string; actions: readonly string[] }>;

export type CommandGraph = Readonly<{
  machine: Machine;
  advance: AdvanceMachine;
  nodes: readonly Node[];
  steps: readonly Step[];
}>;

/** Everything events lead to, from a new call and from each stored record. */
export function graphOf(machine: Machine): CommandGraph {
  const advance = createAdvance(machine);
  const stored = (['classified', 'awaiting_approval', 'approved', 'queued', 'running'] as const).map(
    (state) =>
      restore(aCommandRecord({ state, approval: pending, verdict: VERDICT, callHash: HASH }), machine),
  );
  const starts = [restore(aCommandRecord(), machine), ...stored];
  const steps: Step[] = [];
  const seen = new Set<string>();
  const nodes = starts.flatMap((fromState) => walk(advance, fromState, { steps, seen }));
  return { machine, advance, nodes, steps };
}

/**
 * Every snapshot that events lead to, told apart by what guards look at.
 *
 * @param known `steps` gets what each event asks for. Snapshots that are `seen` are not walked again, and new ones added.
 */
function walk(
  advance: AdvanceMachine,
  fromState: CommandSnapshot,
  { steps, seen }: { readonly steps: Step[]; readonly seen: Set<string> },
): readonly Node[] {
  const logic: ActorLogic<CommandSnapshot, CommandEvent> = {
    getInitialSnapshot: () => fromState,
    getPersistedSnapshot: (snapshot) => snapshot,
    transition(state, event) {
      const next = advance(state, event);
      const actions = next?.actions.map(({ type }) => type) ?? [];
      steps.push({ from: stateName(state), state, event: event.type, actions });
      return next?.snapshot ?? state;
    },
  };
  const found = getAdjacencyMap(logic, {
    fromState,
    events: Object.values(EVENTS),
    serializeState,
    serializeEvent: (event) => NAME_OF.get(event) ?? JSON.stringify(event),
    stopWhen: (state) => seen.has(serializeState(state)),
    limit: 100_000,
  });
  for (const key of Object.keys(found)) seen.add(key);
  return Object.values(found);
}

function serializeState({ value, context: { record, holding, closing } }: CommandSnapshot): string {
  return JSON.stringify([
    [value, record.state, holding.kind, closing, record.verdict !== null],
    [record.approval?.status, record.approval?.callHash, record.approval?.pausedAt],
  ]);
}

const NAME_OF: ReadonlyMap<CommandEvent, string> = new Map(NAMES.map((name) => [EVENTS[name], name]));

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

/** States in which something of the process may be alive. */
const ALIVE = new Set(['running.orphaned', 'running.working', 'running.claiming', 'running.stopping']);
const MAY_LEAVE = new Set(['process.ended', 'execution.failed', 'command.orphaned', 'command.taken']);

/** Invariants of a command; each returns its violations. */
export const LAWS: Readonly<Record<string, (graph: CommandGraph) => readonly string[]>> = {
  'every state is reached, from a new call or from a stored record'({ nodes, machine }) {
    const reached = new Set(nodes.map(({ state }) => stateName(state)));
    return leaves(machine.states).filter((state) => !reached.has(state));
  },

  'a command with a possibly live process stays running until the process is dead, never began, or is another’s'({
    nodes,
  }) {
    return nodes
      .filter(({ state }) => ALIVE.has(stateName(state)))
      .flatMap(({ state, transitions }) =>
        Object.values(transitions)
          .filter((to) => !ALIVE.has(stateName(to.state)) && !MAY_LEAVE.has(to.event.type))
          .filter(
            ({ event: { type } }) => stateName(state) !== 'running.orphaned' || type !== 'runner.failed',
          )
          .map(({ event }) => `${stateName(state)} by ${event.type}`),
      );
  },

  'an event causes no action in a done command': (graph) =>
    wrong(graph, ({ from, actions }) => from === 'done' && actions.length > 0),

  'every state but the last has a path to the result'({ nodes }) {
    const byState = new Map<string, Set<string>>();
    for (const { state, transitions } of nodes) {
      const to = byState.get(stateName(state)) ?? new Set();
      for (const next of Object.values(transitions)) to.add(stateName(next.state));
      byState.set(stateName(state), to);
    }
    const ends = new Set(['done']);
    for (let grown = 0; grown !== ends.size;) {
      grown = ends.size;
      for (const [state, to] of byState) if ([...to].some((next) => ends.has(next))) ends.add(state);
    }
    return [...byState.keys()].filter((state) => !ends.has(state));
  },

  'execution starts only with a lease, in the same step in which `running` is stored': (graph) =>
    wrong(
      graph,
      ({ from, state, actions }) =>
        actions.includes('execute') &&
        (from !== 'queued.checking' ||
          state.context.holding.kind !== 'lease' ||
          actions.join() !== 'store,execute'),
    ),

  'an answer is given only if its record is stored, is another coordinator’s to store, or can’t be stored': (
    graph,
  ) =>
    wrong(
      graph,
      ({ from, actions }) =>
        actions.includes('answer') &&
        (actions.at(-1) !== 'answer' || actions[0] !== FIRST_OF_AN_ANSWER[from]),
    ),

  'during closing nothing enters the queue and nothing starts': (graph) =>
    wrong(
      graph,
      ({ from, state, actions }) =>
        state.context.closing &&
        from !== 'running.claiming' &&
        actions.some((type) => type === 'enqueue' || type === 'check'),
    ),
};

const FIRST_OF_AN_ANSWER: Readonly<Record<string, string>> = {
  ending: 'store',
  collapsing: 'storeIfPossible',
  elsewhere: 'answer',
};

function wrong({ steps }: CommandGraph, isWrong: (step: Step) => boolean): readonly string[] {
  return steps.filter(isWrong).map(({ from, event, actions }) => `${from} by ${event}: ${actions.join()}`);
}
