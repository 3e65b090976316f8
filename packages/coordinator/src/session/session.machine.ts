import { assign } from 'xstate';
import { isRefusedAsTooLong, noteCompression } from './compression/when-to-compress.ts';
import { answerCalls, endFailed, extended, noteResumed, noteTurn } from './session-context.ts';
import { setUpSession } from './session-setup.ts';
import type { SessionStep } from './session-step.ts';
import type { SessionSteps } from './session-steps.ts';

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
 *
 * The state is stored before each step. A session that another process has left begins in `resuming`, and goes on in the
 * state of the stored step; with `sorting` the model's answer is stored, before any of its calls is submitted.
 */
export function createSessionMachine(steps: SessionSteps, resumedAt?: SessionStep['at']) {
  return setUpSession(steps).createMachine({
    id: 'session',
    context: ({ input }) => input,
    output: ({ context }) => context,
    initial: resumedAt === undefined || resumedAt === 'preparing' ? 'preparing' : 'resuming',
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
      resuming: {
        invoke: {
          src: 'resume',
          input: ({ context }) => context,
          onDone: [
            {
              guard: ({ context }) => context.cancelReason !== null && context.ending === null,
              target: 'closing',
              actions: 'endCancelled',
            },
            {
              target: resumedAt ?? 'preparing',
              actions: assign(({ context, event }) =>
                noteResumed(context, { at: resumedAt ?? 'preparing', note: event.output }),
              ),
            },
          ],
          onError: { target: 'closing', actions: 'endBroken' },
        },
      },
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
          src: 'shorten',
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
