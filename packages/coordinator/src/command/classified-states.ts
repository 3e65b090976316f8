import { command } from './command-setup.ts';
import { ALLOWED, ASK, close, keep, proceed, takeNote, UNSTARTED } from './command-steps.ts';

/**
 * Substates of `classified`. In `gated` the gates that ask a model are asked; it is stored, so that people see it, and a
 * restart asks them again.
 */
export const CLASSIFIED = command.createStateConfig({
  initial: 'ruling',
  on: UNSTARTED,
  states: {
    ruling: {
      on: {
        'ruling.allowed': ALLOWED,
        'approval.needed': ASK,
        'gates.needed': [
          { guard: 'isClosing', actions: [keep, 'store'] },
          { target: 'gated', actions: [keep, 'store', 'askGates'] },
        ],
        'command.resumed': { guard: 'isOpen', target: 'gated', actions: 'askGates' },
      },
    },
    gated: {
      on: {
        'gates.answered': { target: 'ruling', actions: [keep, takeNote, proceed] },
        'coordinator.closing': { target: 'ruling', actions: close },
      },
      exit: 'stopGates',
    },
  },
});
