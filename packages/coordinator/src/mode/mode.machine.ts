import { Mode } from '@signalbox/core';
import { setup, transition } from 'xstate';

/** Events of the mode. */
export type ModeEvent =
  /** A person sets the mode, with a reason. */
  | { readonly type: 'mode.set'; readonly to: Mode }
  /** Disk or memory has run out, confinement is impossible, or too much fails. */
  | { readonly type: 'trouble.found' };

/**
 * The operational mode of a workspace (D1, D4, S000-66):
 *
 *   NORMAL ──┐
 *   ALERT ───┼── trouble ──▶ DEGRADED ──person──▶ RECOVERY ──person──▶ NORMAL
 *   RECOVERY ┘
 *
 * A person can set any mode from any other. Automatically the mode only changes to DEGRADED, and never from LOCKDOWN,
 * which is stricter. After trouble that ends by itself (a full disk) the mode set by a person before comes back, and
 * nothing looser. When a timed mode ends, the mode below it in the stack (`mode-stack.ts`) comes back; trouble affects
 * the stack too.
 */
export const modeMachine = setup({ types: { events: {} as ModeEvent } }).createMachine({
  id: 'mode',
  initial: 'NORMAL',
  on: {
    'mode.set': Mode.options.map((mode) => ({
      guard: ({ event }: { event: ModeEvent }) => event.type === 'mode.set' && event.to === mode,
      target: `.${mode}`,
    })),
  },
  states: {
    NORMAL: { on: { 'trouble.found': 'DEGRADED' } },
    ALERT: { on: { 'trouble.found': 'DEGRADED' } },
    RECOVERY: { on: { 'trouble.found': 'DEGRADED' } },
    DEGRADED: {},
    LOCKDOWN: {},
  },
});

/** The mode after an event; unchanged if the event has no effect. */
export function nextMode(mode: Mode, event: ModeEvent): Mode {
  const [next] = transition(modeMachine, modeMachine.resolveState({ value: mode }), event);
  return Mode.parse(next.value);
}
