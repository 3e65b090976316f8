import { and, not } from 'xstate';

import { CLASSIFIED } from './classified-states.ts';
import { command } from './command-setup.ts';
import { RUNNING } from './running-states.ts';
import {
  ALLOWED,
  answer,
  ask,
  ASK,
  check,
  close,
  END,
  enqueue,
  FAIL,
  failReply,
  holdLease,
  holdNothing,
  keep,
  keepHeld,
  release,
  releaseIfPossible,
  replyCounted,
  replyGranted,
  replyVoid,
  REUSED,
  TAKEN,
  takeNote,
  UNSTARTED,
} from './command-steps.ts';

/**
 * The life cycle of a command, and the only place that decides which state follows which. The diagram in
 * docs/internals/commands.md is generated from here.
 *
 * The stored record is the snapshot: its `state` is the state here, or the last one before `asking`, `ending` and
 * `collapsing`, which are never stored. Substates are not stored either; a restart begins at the first.
 *
 * `running` is left only by `process.ended` (the process is dead), `execution.failed` (it never began) and
 * `command.orphaned` (no process is left); or another coordinator leads the command and settles it.
 *
 * Nothing is performed here. A step's actions are data; `command-runner.ts` stores the record and its events first, and
 * only then performs the others; their results return as events.
 */
export const commandMachine = command.createMachine({
  id: 'command',
  initial: 'submitted',
  context: ({ input }) => input,
  on: {
    'claims.released': { actions: holdNothing },
    'coordinator.closing': { actions: close },
  },
  states: {
    submitted: {
      on: {
        ...UNSTARTED,
        'call.received': {
          actions: { type: 'judge', params: ({ event }) => ({ call: event.call }) },
        },
        'call.rejected': END,
        'call.classified': {
          target: 'classified',
          actions: [keep, takeNote],
        },
      },
    },
    classified: CLASSIFIED,
    asking: {
      on: {
        ...UNSTARTED,
        'answer.void': replyVoid,
        'ruling.asked': [
          { guard: 'isAnswered', target: 'awaiting_approval', actions: keep },
          {
            target: 'awaiting_approval',
            actions: [
              keep,
              'store',
              'wait',
              { type: 'reply', params: ({ event }) => ({ answer: event.reply }) },
            ],
          },
        ],
        'runner.failed': [
          {
            guard: 'isAnswering',
            target: 'awaiting_approval',
            actions: failReply,
          },
          FAIL,
        ],
      },
    },
    awaiting_approval: {
      on: {
        ...UNSTARTED,
        'command.resumed': [{ guard: 'isAnsweredQuestion', ...END }, { actions: 'wait' }],
        'approval.due': [
          { guard: and(['isRunningOut', 'isDue', 'isClosing']) },
          { guard: and(['isRunningOut', 'isDue', 'pauses']), actions: [keep, 'store'] },
          { guard: and(['isRunningOut', 'isDue']), ...END },
          { guard: 'isRunningOut', actions: 'wait' },
        ],
        'question.answered': {
          guard: and(['isToThis', 'isQuestion']),
          target: 'ending',
          actions: [keep, 'store', ...END.actions],
        },
        'approval.given': {
          guard: and(['isToThis', not('isQuestion')]),
          actions: {
            type: 'consider',
            params: ({ event }) => ({ by: event.by, changed: event.changed }),
          },
        },
        'answer.void': replyVoid,
        'call.changed': { actions: keep },
        'approval.counted': {
          actions: [keep, 'store', 'wait', replyCounted],
        },
        'approval.granted': [
          {
            guard: 'isClosing',
            target: 'approved',
            actions: [keep, 'store', 'noteGrant', replyGranted],
          },
          {
            target: 'approved.entering',
            actions: [keep, 'store', 'noteGrant', replyGranted, ...enqueue],
          },
        ],
        'approval.extended': { guard: 'isToThis', actions: [keep, 'store', 'wait'] },
        'approval.refused': {
          guard: 'isToThis',
          target: 'ending',
          actions: [{ type: 'noteRefusal', params: ({ event }) => ({ by: event.by }) }, ...END.actions],
        },
        'policy.changed': { guard: 'isReconsidered', actions: 'reconsider' },
        'approval.needed': ASK,
        'ruling.allowed': ALLOWED,
        'runner.failed': [
          {
            guard: 'isAnswering',
            actions: failReply,
          },
          FAIL,
        ],
        'coordinator.closing': { actions: [close, 'stopWaiting'] },
      },
      exit: 'stopWaiting',
    },
    approved: {
      initial: 'idle',
      on: UNSTARTED,
      states: {
        idle: {
          on: { 'command.resumed': { guard: 'isOpen', target: 'entering', actions: enqueue } },
        },
        entering: {
          on: {
            'result.reused': REUSED,
            'queue.answered': [
              { guard: 'isRefused', ...END },
              { guard: and(['isGranted', 'isClosing']), target: 'idle', actions: [holdLease, release] },
              {
                guard: 'isGranted',
                target: '#command.queued.checking',
                actions: [keep, holdLease, check],
              },
              { target: '#command.queued.waiting', actions: [keep, 'store'] },
            ],
          },
        },
      },
    },
    queued: {
      initial: 'restored',
      on: UNSTARTED,
      states: {
        restored: {
          on: { 'command.resumed': { guard: 'isOpen', target: 'entering', actions: enqueue } },
        },
        entering: {
          on: {
            'result.reused': REUSED,
            'queue.answered': [
              { guard: 'isRefused', ...END },
              { guard: and(['isGranted', 'isClosing']), target: 'restored', actions: [holdLease, release] },
              { guard: 'isGranted', target: 'checking', actions: [holdLease, check] },
              { target: 'waiting' },
            ],
          },
        },
        waiting: {
          on: {
            'lease.granted': { guard: 'isOpen', target: 'checking', actions: [holdLease, check] },
            'wait.expired': { guard: 'isOpen', ...END },
          },
        },
        checking: {
          on: {
            'start.allowed': {
              guard: 'isHolding',
              target: '#command.running.working',
              actions: [keep, 'store', { type: 'execute', params: ({ event }) => ({ lease: event.lease }) }],
            },
            'approval.needed': { target: '#command.asking', actions: [release, ask] },
            'lease.lost': { guard: 'isHeld', ...END },
            'coordinator.closing': {
              target: 'restored',
              actions: [close, release],
            },
          },
        },
      },
    },
    running: RUNNING,
    ending: {
      on: {
        'audit.written': [
          {
            guard: 'isPartlyApplied',
            target: 'done',
            actions: [keep, 'store', keepHeld, 'forget', answer],
          },
          {
            target: 'done',
            actions: [keep, 'store', releaseIfPossible, 'forget', answer],
          },
        ],
        'runner.failed': FAIL,
        'command.taken': TAKEN,
      },
    },
    collapsing: {
      on: {
        'audit.written': {
          target: 'done',
          actions: [keep, 'storeIfPossible', releaseIfPossible, 'forget', answer],
        },
        'command.taken': TAKEN,
      },
    },
    elsewhere: {
      on: { 'result.elsewhere': { target: 'done', actions: [keep, answer] } },
    },
    done: {},
  },
});
