import { assign, fromPromise, setup } from 'xstate';
import { CUT_NOTE } from './own-notes.ts';
import {
  answerUnrun,
  beginTurn,
  BROKEN,
  endFailed,
  endUnextended,
  endWith,
  lastWords,
  type SessionContext,
  stopOf,
} from './session-context.ts';
import type { SessionStep } from './session-step.ts';
import type { SessionEvent, SessionSteps } from './session-steps.ts';

/** Steps, guards and actions of the machine of a session. Each step is stored before it begins. */
export function setUpSession(steps: SessionSteps) {
  const step = <Output>(
    at: SessionStep['at'],
    work: (context: SessionContext, signal: AbortSignal) => Promise<Output>,
  ) =>
    fromPromise<Output, SessionContext>(({ input, signal }) => {
      const saved = steps.save(at, input);
      return saved === undefined ? work(input, signal) : saved.then(() => work(input, signal));
    });

  return setup({
    types: {
      context: {} as SessionContext,
      events: {} as SessionEvent,
      input: {} as SessionContext,
      output: {} as SessionContext,
    },
    actors: {
      resume: fromPromise<string | null, SessionContext>(({ input }) => steps.resume(input)),
      prepare: step('preparing', steps.prepare),
      takeTurn: step('thinking', steps.takeTurn),
      backOff: step('backingOff', steps.backOff),
      runCalls: step('calling', steps.runCalls),
      extend: step('extending', steps.extend),
      compress: step('compressing', steps.compress),
      shorten: step('shortening', steps.compress),
      rest: step('resting', steps.rest),
      close: step('closing', steps.close),
    },
    guards: {
      isCancelled: ({ context }) => context.cancelReason !== null,
      isBudgetSpent: () => steps.isBudgetSpent(),
      isCompressionDue: ({ context }) => steps.isCompressionDue(context),
      hasFailedCritically: ({ context }) => context.criticalFailure !== null,
      isOutOfTurns: ({ context }) => context.endedTurns >= context.maxTurns,
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
  });
}
