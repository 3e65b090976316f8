import { aCommandRecord } from '@signalbox/core/testing';
import {
  advance,
  type CommandSnapshot,
  type MachineAdvance,
  restore,
  stateName,
} from '../command/advance.ts';
import type { CommandEvent } from '../command/command-event.ts';
import { after, type EventName, EVENTS, HASH, pending, VERDICT } from './machine-events.ts';

/** The step of a new command at an event, after others; null if it is not possible then. */
export function step(names: readonly EventName[], event: EventName): MachineAdvance | null {
  return advance(after(...names), EVENTS[event]);
}

/** `state: actions` of the last event; `impossible` if it is not possible now. */
export function steps(...names: readonly EventName[]): string {
  const last = names.at(-1);
  if (last === undefined) throw new Error('no event');
  return read(step(names.slice(0, -1), last));
}

export function read(next: MachineAdvance | null): string {
  if (next === null) return 'impossible';
  return [`${stateName(next.snapshot)}:`, ...next.actions.map(({ type }) => type)].join(' ');
}

/** The steps of a stored record after a restart. */
export function restored(
  state: 'classified' | 'awaiting_approval' | 'approved' | 'queued',
  names: readonly EventName[],
): string {
  const record = aCommandRecord({ state, approval: pending, verdict: VERDICT, callHash: HASH });
  const events = names.map((name): CommandEvent => EVENTS[name]);
  const last = events.pop();
  if (last === undefined) throw new Error('no event');
  const before = events.reduce<CommandSnapshot>((snapshot, event) => {
    return advance(snapshot, event)?.snapshot ?? snapshot;
  }, restore(record));
  return read(advance(before, last));
}

/** The parameters of the last event’s actions, by type. */
export function params(names: readonly EventName[], event: EventName): Readonly<Record<string, unknown>> {
  const actions = step(names, event)?.actions ?? [];
  return Object.fromEntries(actions.map((action) => [action.type, action.params]));
}
