import { Mode } from '@signalbox/core';
import { setup, transition } from 'xstate';

/** What may happen to the mode. */
export type ModeEvent =
  /** A person wants that mode, and said why. */
  | { readonly type: 'mode.set'; readonly to: Mode }
  /** Room or memory has run out, nothing can be confined, or too much fails. */
  | { readonly type: 'trouble.found' };

/**
 * The operational mode of a workspace (D1, D4, S000-66):
 *
 *   NORMAL ──┐
 *   ALERT ───┼── trouble ──▶ DEGRADED ──person──▶ RECOVERY ──person──▶ NORMAL
 *   RECOVERY ┘
 *
 * A person goes from any mode to any other. By itself the mode goes to DEGRADED alone, and never from LOCKDOWN,
 * which is stricter. From trouble that ends by itself (a full disk) it comes back to what a person had set before, and
 * to nothing looser. What a person sets for a time is theirs at its end too: what
 * comes back then lies below it in a stack (`mode-stack.ts`), and trouble reaches that as well.
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

/** The mode after an event; the same where the event changes nothing. */
export function nextMode(mode: Mode, event: ModeEvent): Mode {
  const [next] = transition(modeMachine, modeMachine.resolveState({ value: mode }), event);
  return Mode.parse(next.value);
}
