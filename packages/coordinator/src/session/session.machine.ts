import { assign, fromPromise, setup } from 'xstate';
import { isRefusedAsTooLong, noteCompression } from './compression/when-to-compress.ts';
import {
  answerCalls,
  answerUnrun,
  beginTurn,
  BROKEN,
  endFailed,
  endUnextended,
  endWith,
  extended,
  lastWords,
  noteTurn,
  type SessionContext,
  stopOf,
} from './session-context.ts';
import type { SessionEvent, SessionSteps } from './session-steps.ts';
import { CUT_NOTE } from './own-notes.ts';

/**
 *   preparing ─▶ choosing ─turns, money left─▶ thinking ─ended─▶ sorting ─calls─▶ calling ─┐
 *                 ▲  │                          ▲   │              │ │                     │
 *                 │  │                          │   └failed─▶ backing off                  │
 *                 │  │                          └──────────────────┘ (retry) │             │
 *                 ├──│──────── cut, paused, something was said ──────────────┘             │
 *                 └──│─────────────────────────────────────────────────────────────────────┘
 *                    ├─too large, requested─▶ compressing ─▶ choosing
 *                    ├─no turns left, or a call failed critically─▶ extending ─granted─▶ choosing
 *                    └▶ closing ─▶ done     ◀─ from extending and thinking too: failed, cancelled
 *
 *   sorting ─no calls─▶ resting ─told or said more─▶ choosing
 *                          └─nothing more─▶ closing
 *
 * A cancel is recorded at once and takes effect at the next transition: the caller aborts the turn, the wait and the
 * commands, so each state ends soon by itself. `calling` is never left before every call has its result, and no call is
 * submitted before its turn has ended well. A turn that its provider refuses as too long is repeated once, after
 * `shortening` the conversation; no call is open then, as in `compressing`.
 */
export function createSessionMachine(steps: SessionSteps) {
  const step = <Output>(work: (context: SessionContext, signal: AbortSignal) => Promise<Output>) =>
    fromPromise<Output, SessionContext>(({ input, signal }) => work(input, signal));

  return setup({
    types: {
      context: {} as SessionContext,
      events: {} as SessionEvent,
      input: {} as SessionContext,
      output: {} as SessionContext,
    },
    actors: {
      prepare: step(steps.prepare),
      takeTurn: step(steps.takeTurn),
      backOff: step(steps.backOff),
      runCalls: step(steps.runCalls),
      extend: step(steps.extend),
      compress: step(steps.compress),
      rest: step(steps.rest),
      close: step(steps.close),
    },
    guards: {
      isCancelled: ({ context }) => context.cancelReason !== null,
      isBudgetSpent: () => steps.isBudgetSpent(),
      isCompressionDue: ({ context }) => steps.isCompressionDue(context),
      hasFailedCritically: ({ context }) => context.criticalFailure !== null,
      isOutOfTurns: ({ context }) => context.turn >= context.maxTurns,
      isRefused: ({ context }) => stopOf(context) === 'refused',
      isCut: ({ context }) => stopOf(context) === 'length',
      isPaused: ({ context }) => stopOf(context) === 'paused',
      hasCalls: ({ context }) => context.openCalls.length > 0,
      hasMail: ({ context }) => context.inbox.length > 0,
    },
    actions: {
      beginTurn: assign(({ context }) => beginTurn(context)),
      beginAttempt: assign(({ context }) => ({ attempt: context.attempt + 1 })),
      endCancelled: assign(({ context }) =>
        endWith(context, 'cancelled', { message: context.cancelReason ?? 'cancelled' }),
      ),
      endOverBudget: assign(({ context }) =>
        endWith(context, 'budget', { message: 'The budget is used up' }),
      ),
      endUnextended: assign(({ context }) => endUnextended(context)),
      endRefused: assign(({ context }) => endWith(context, 'refused', { message: lastWords(context) })),
      endFinished: assign(({ context }) => endWith(context, 'finished', { message: lastWords(context) })),
      endTooLong: assign(({ context }) => endFailed(context, context.lastTurn)),
      endBroken: assign(({ context }) => endWith(context, 'failed', { message: BROKEN })),
      /** A cut turn without calls needs a note, or the model would repeat itself. */
      answerCut: assign(({ context }) =>
        context.openCalls.length > 0 ? answerUnrun(context, 'cut') : { inbox: [...context.inbox, CUT_NOTE] },
      ),
    },
  }).createMachine({
    id: 'session',
    context: ({ input }) => input,
    output: ({ context }) => context,
    initial: 'preparing',
    on: {
      'cancel.requested': {
        actions: assign(({ context, event }) => ({ cancelReason: context.cancelReason ?? event.reason })),
      },
      'message.said': {
        actions: assign(({ context, event }) => ({ inbox: [...context.inbox, event.text] })),
      },
      'compression.requested': {
        actions: assign(({ event: { method, reason } }) => ({ compressionRequest: { method, reason } })),
      },
    },
    states: {
      preparing: {
        invoke: {
          src: 'prepare',
          input: ({ context }) => context,
          onDone: 'choosing',
          onError: { target: 'closing', actions: 'endBroken' },
        },
      },
      choosing: {
        always: [
          { guard: 'isCancelled', target: 'closing', actions: 'endCancelled' },
          { guard: 'hasFailedCritically', target: 'extending' },
          { guard: 'isOutOfTurns', target: 'extending' },
          { guard: 'isBudgetSpent', target: 'closing', actions: 'endOverBudget' },
          { guard: 'isCompressionDue', target: 'compressing' },
          { target: 'thinking', actions: 'beginTurn' },
        ],
      },
      extending: {
        invoke: {
          src: 'extend',
          input: ({ context }) => context,
          onDone: [
            { guard: 'isCancelled', target: 'closing', actions: 'endCancelled' },
            {
              guard: ({ event }) => event.output > 0,
              target: 'choosing',
              actions: assign(({ context, event }) => extended(context, event.output)),
            },
            { target: 'closing', actions: 'endUnextended' },
          ],
          onError: { target: 'closing', actions: 'endBroken' },
        },
      },
      compressing: {
        invoke: {
          src: 'compress',
          input: ({ context }) => context,
          onDone: {
            target: 'choosing',
            actions: assign(({ context, event }) => noteCompression(context, event.output)),
          },
          onError: { target: 'closing', actions: 'endBroken' },
        },
      },
      shortening: {
        invoke: {
          src: 'compress',
          input: ({ context }) => context,
          onDone: [
            { guard: 'isCancelled', target: 'closing', actions: 'endCancelled' },
            {
              guard: ({ context, event }) => event.output.messages === context.messages,
              target: 'closing',
              actions: 'endTooLong',
            },
            {
              target: 'affording',
              actions: assign(({ context, event }) => ({
                ...noteCompression(context, event.output),
                shortenedTurn: context.turn,
              })),
            },
          ],
          onError: { target: 'closing', actions: 'endBroken' },
        },
      },
      affording: {
        always: [
          { guard: 'isBudgetSpent', target: 'closing', actions: 'endOverBudget' },
          { target: 'thinking', actions: 'beginAttempt' },
        ],
      },
      thinking: {
        invoke: {
          src: 'takeTurn',
          input: ({ context }) => context,
          onDone: [
            {
              guard: ({ event }) => event.output.kind === 'ended',
              target: 'sorting',
              actions: assign(({ context, event }) => noteTurn(context, event.output)),
            },
            { guard: 'isCancelled', target: 'closing', actions: 'endCancelled' },
            { guard: ({ event }) => event.output.kind === 'interrupted', target: 'choosing' },
            {
              guard: ({ context, event }) => isRefusedAsTooLong({ ...context, lastTurn: event.output }),
              target: 'shortening',
              actions: assign(({ context, event }) => noteTurn(context, event.output)),
            },
            {
              guard: ({ event }) => event.output.kind === 'failed' && event.output.retryInMs !== null,
              target: 'backingOff',
              actions: assign(({ context, event }) => noteTurn(context, event.output)),
            },
            { target: 'closing', actions: assign(({ context, event }) => endFailed(context, event.output)) },
          ],
          onError: { target: 'closing', actions: 'endBroken' },
        },
      },
      backingOff: {
        invoke: {
          src: 'backOff',
          input: ({ context }) => context,
          onDone: [
            { guard: 'isCancelled', target: 'closing', actions: 'endCancelled' },
            { guard: 'hasMail', target: 'choosing' },
            { target: 'thinking', actions: 'beginAttempt' },
          ],
          onError: { target: 'closing', actions: 'endBroken' },
        },
      },
      sorting: {
        always: [
          { guard: 'isRefused', target: 'closing', actions: 'endRefused' },
          { guard: 'isCancelled', target: 'closing', actions: 'endCancelled' },
          { guard: 'isCut', target: 'choosing', actions: 'answerCut' },
          { guard: 'hasCalls', target: 'calling' },
          { guard: 'isPaused', target: 'choosing' },
          { guard: 'hasMail', target: 'choosing' },
          { target: 'resting' },
        ],
      },
      resting: {
        always: { guard: 'hasMail', target: 'choosing' },
        invoke: {
          src: 'rest',
          input: ({ context }) => context,
          onDone: [
            { guard: ({ event }) => event.output === null, target: 'closing', actions: 'endFinished' },
            {
              target: 'choosing',
              actions: assign(({ context, event }) => ({ inbox: [...context.inbox, event.output ?? ''] })),
            },
          ],
          onError: { target: 'closing', actions: 'endBroken' },
        },
      },
      calling: {
        invoke: {
          src: 'runCalls',
          input: ({ context }) => context,
          onDone: {
            target: 'choosing',
            actions: assign(({ context, event }) => answerCalls(context, event.output)),
          },
          onError: { target: 'closing', actions: 'endBroken' },
        },
      },
      closing: {
        invoke: {
          src: 'close',
          input: ({ context }) => context,
          onDone: 'done',
          onError: 'done',
        },
      },
      done: { type: 'final' },
    },
  });
}
