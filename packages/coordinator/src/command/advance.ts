import { type CommandRecord, CommandState } from '@signalbox/core';
import { type ActorScope, createActor, type SnapshotFrom } from 'xstate';
import type { CommandEvent } from './command-event.ts';
import type { CommandAction } from './command-setup.ts';
import { commandMachine } from './command.machine.ts';

export type CommandSnapshot = SnapshotFrom<typeof commandMachine>;

/** The snapshot that a stored record is. */
export function restore(record: CommandRecord): CommandSnapshot {
  return commandMachine.resolveState({
    value: record.state,
    context: { record, holding: { kind: 'nothing' }, wanted: null, note: null, closing: false },
  });
}

/** Its state and what is below it, as people read it: `running.working`. */
export function stateName({ value }: Pick<CommandSnapshot, 'value'>): string {
  if (typeof value === 'string') return value;
  return Object.entries(value).flat().join('.');
}

const actions: CommandAction[] = [];
let scope: ActorScope<CommandSnapshot, CommandEvent> | undefined;

/**
 * The snapshot after an event and the actions that it asks for; null when the event may not happen now, which is an
 * answer: a cancel that comes too late, a second approval.
 *
 * XState's `transition()` makes an actor at each call, which takes three times as long as the step; this is the same
 * with one that is made once (`command.machine.test.ts` compares them).
 */
export function advance(
  before: CommandSnapshot,
  event: CommandEvent,
): { readonly snapshot: CommandSnapshot; readonly actions: readonly CommandAction[] } | null {
  scope ??= inertScope(before);
  actions.length = 0;
  const snapshot = commandMachine.transition(before, event, scope);
  if (snapshot === before) {
    // XState answers the same snapshot also for what changes nothing of it.
    return actions.length > 0 || before.can(event) ? { snapshot, actions: [...actions] } : null;
  }
  const { record } = snapshot.context;
  const [top = ''] = stateName(snapshot).split('.');
  const isStored = actions.some(({ type }) => type === 'store' || type === 'storeIfPossible');
  const next = {
    ...record,
    state: CommandState.safeParse(top).data ?? record.state,
    revision: isStored ? record.revision + 1 : record.revision,
  };
  snapshot.context = { ...snapshot.context, record: next };
  return { snapshot, actions: [...actions] };
}

function inertScope({ context }: CommandSnapshot): NonNullable<typeof scope> {
  const self = createActor(commandMachine, { input: context });
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
