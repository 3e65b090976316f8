import { type CommandRecord, CommandState } from '@signalbox/core';
import { type ActorScope, createActor, type SnapshotFrom } from 'xstate';
import type { CommandEvent } from './command-event.ts';
import type { CommandAction } from './command-setup.ts';
import { commandMachine } from './command.machine.ts';

export type CommandSnapshot = SnapshotFrom<typeof commandMachine>;

/** The machine snapshot of a stored record. */
export function restore(record: CommandRecord, machine = commandMachine): CommandSnapshot {
  return machine.resolveState({
    value: record.state,
    context: { record, holding: { kind: 'nothing' }, wanted: null, note: null, closing: false },
  });
}

/** The state with its substates in readable form: `running.working`. */
export function stateName({ value }: Pick<CommandSnapshot, 'value'>): string {
  if (typeof value === 'string') return value;
  return Object.entries(value).flat().join('.');
}

/** A snapshot, with the actions requested by its step. */
export type MachineAdvance = {
  readonly snapshot: CommandSnapshot;
  readonly actions: readonly CommandAction[];
};

/** Bound, since an approval may be requested again any number of times. */
const LONGEST_PATH = 50;

/** Adds the step to the record's path, if it changed the state or is stored. */
export function withStep(
  { snapshot, actions: asked }: MachineAdvance,
  { from, event, at }: { readonly from: string; readonly event: CommandEvent; readonly at: number },
): CommandRecord {
  const { record } = snapshot.context;
  const state = stateName(snapshot);
  if (state === from && !asked.some(isStore)) return record;
  const path = [...(record.path ?? []), { event: event.type, state, at }].slice(-LONGEST_PATH);
  snapshot.context = { ...snapshot.context, record: { ...record, path } };
  return snapshot.context.record;
}

/**
 * The snapshot after an event and its actions. Null if the event is not possible now, which is a valid answer: a cancel
 * that comes too late, a second approval.
 */
export type AdvanceMachine = (before: CommandSnapshot, event: CommandEvent) => MachineAdvance | null;

export const advance: AdvanceMachine = createAdvance(commandMachine);

/**
 * Steps a machine that has our states and events.
 *
 * XState's `transition()` creates an actor at each call, which takes three times as long as the step itself. This
 * creates it once; `command-graph.test.ts` compares the two.
 */
export function createAdvance(machine: typeof commandMachine): AdvanceMachine {
  const actions: CommandAction[] = [];
  let scope: ActorScope<CommandSnapshot, CommandEvent> | undefined;
  return (before, event) => {
    scope ??= inertScope(machine, actions, before);
    actions.length = 0;
    const snapshot = machine.transition(before, event, scope);
    if (snapshot === before) {
      // XState returns the same snapshot for an event that changes nothing.
      return actions.length > 0 || before.can(event) ? { snapshot, actions: [...actions] } : null;
    }
    const { record } = snapshot.context;
    const [top = ''] = stateName(snapshot).split('.');
    const next = {
      ...record,
      state: CommandState.safeParse(top).data ?? record.state,
      revision: actions.some(isStore) ? record.revision + 1 : record.revision,
    };
    snapshot.context = { ...snapshot.context, record: next };
    return { snapshot, actions: [...actions] };
  };
}

function isStore({ type }: CommandAction): boolean {
  return type === 'store' || type === 'storeIfPossible';
}

function inertScope(
  machine: typeof commandMachine,
  actions: CommandAction[],
  { context }: CommandSnapshot,
): ActorScope<CommandSnapshot, CommandEvent> {
  const self = createActor(machine, { input: context });
  return {
    self,
    system: self.system,
    id: '',
    sessionId: '',
    logger: () => undefined,
    defer: () => undefined,
    emit: () => undefined,
    stopChild: () => undefined,
    actionExecutor: (action) => void actions.push(action as CommandAction),
  };
}
