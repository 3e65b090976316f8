import type { Logger } from '@signalbox/core';
import type { AnyActor, InspectionEvent } from 'xstate';

/** Longer names of states and events are truncated to keep a line readable. */
const LONGEST = 200;

/** Logs one line for each step of each actor below the root: actor, event, old state and new state. */
export function logSteps(logger: Logger): (inspected: InspectionEvent) => void {
  const states = new WeakMap<object, string>();
  const performed = new WeakMap<object, string[]>();

  return (inspected) => {
    // XState's type is narrower than the value.
    const actorRef = inspected.actorRef as AnyActor;
    if (inspected.type === '@xstate.action') {
      const types = performed.get(actorRef) ?? [];
      performed.set(actorRef, [...types, inspected.action.type]);
      return;
    }
    if (inspected.type === '@xstate.actor') states.set(actorRef, 'none');
    if (inspected.type !== '@xstate.snapshot') return;
    const { event, snapshot } = inspected;
    const from = states.get(actorRef) ?? 'none';
    const state = stateOf(snapshot);
    states.set(actorRef, state);
    const actions = performed.get(actorRef) ?? ('actions' in event ? event['actions'] : []);
    performed.delete(actorRef);
    const actor = nameOf(actorRef).slice(0, LONGEST);
    const who = actor.startsWith('cmd_') ? { commandId: actor } : { actor };
    logger.debug(
      { ...who, event: event.type.slice(0, LONGEST), from, state, actions },
      actor.startsWith('cmd_') ? 'command step' : 'actor step',
    );
  };
}

/**
 * The actor's id below the root: `mode`, `cmd_…`. Actors invoked by a session, such as a turn, have XState's own id.
 */
function nameOf({ _parent, systemId, id }: AnyActor): string {
  return _parent === undefined ? 'coordinator' : (systemId ?? id);
}

/** A machine's state; for other logic its context or status. */
export function stateOf(snapshot: object): string {
  if ('value' in snapshot) return stateName({ value: snapshot.value });
  if ('context' in snapshot && snapshot.context !== undefined)
    return JSON.stringify(snapshot.context).slice(0, LONGEST);
  return 'status' in snapshot ? String(snapshot.status) : 'none';
}

/** Example: `running.working`. */
function stateName({ value }: { readonly value: unknown }): string {
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.entries(value)
    .map(([name, below]) => `${name}.${stateName({ value: below })}`)
    .join(', ');
}
