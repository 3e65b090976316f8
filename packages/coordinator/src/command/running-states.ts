import { command } from './command-setup.ts';
import {
  close,
  DEAD,
  END,
  enqueueWanted,
  FAIL,
  holdLease,
  holdNothing,
  interrupt,
  interruptClosing,
  interruptLost,
  keep,
  keepLease,
  release,
  resumeWith,
  resumeWithout,
  TAKEN,
  TAKEN_RUNNING,
  want,
} from './command-steps.ts';

/** Substates of `running`. A restart finds it `orphaned`; it is left only when nothing of its process is alive. */
export const RUNNING = command.createStateConfig({
  initial: 'orphaned',
  states: {
    orphaned: {
      on: { 'command.orphaned': END, 'command.taken': TAKEN, 'runner.failed': FAIL },
    },
    working: {
      on: {
        'cancel.requested': { target: 'stopping', actions: interrupt },
        'coordinator.closing': {
          target: 'stopping',
          actions: [close, interruptClosing],
        },
        'lease.lost': { guard: 'isHeld', target: 'stopping', actions: interruptLost },
        'claims.wanted': {
          target: 'claiming',
          actions: [want, release],
        },
        'process.ended': DEAD,
        'execution.failed': FAIL,
        'command.taken': TAKEN_RUNNING,
      },
    },
    claiming: {
      on: {
        'claims.released': { actions: enqueueWanted },
        'queue.answered': [
          { guard: 'isGranted', actions: [holdLease, keepLease] },
          { guard: 'isRefused', target: 'working', actions: resumeWithout },
          { target: 'claiming' },
        ],
        'lease.granted': { actions: [holdLease, keepLease] },
        'lease.exchanged': { guard: 'isHolding', target: 'working', actions: [keep, 'store', resumeWith] },
        'wait.expired': { target: 'working', actions: [holdNothing, resumeWithout] },
        'claims.dropped': { target: 'stopping', actions: [release, resumeWithout] },
        'runner.failed': {
          target: 'working',
          actions: { type: 'resumeFailed', params: ({ event }) => ({ cause: event.cause }) },
        },
        'cancel.requested': { actions: interrupt },
        'coordinator.closing': { actions: [close, interruptClosing] },
        'process.ended': DEAD,
        'command.taken': { ...TAKEN_RUNNING, actions: [...TAKEN_RUNNING.actions, resumeWithout] },
      },
    },
    stopping: {
      on: {
        'cancel.requested': { actions: interrupt },
        'claims.wanted': { actions: resumeWithout },
        'process.ended': DEAD,
        'execution.failed': FAIL,
        'command.taken': TAKEN_RUNNING,
      },
    },
    settling: {
      on: {
        'execution.ended': {
          target: '#command.ending',
          actions: { type: 'audit', params: ({ event }) => ({ result: event.result }) },
        },
        'runner.failed': FAIL,
        'command.taken': TAKEN,
      },
    },
  },
});
