import type { ProviderId, SessionId } from '@signalbox/core';
import type { SessionJournal } from '../session-journal.ts';
import type { TurnQuestion } from '../session-options.ts';

/** Sessions that have used their turns, or whose call failed critically, and wait for an answer from any client. */
export type TurnRequests = {
  /** Number of turns granted to the session; 0 if the signal aborts first. */
  ask(
    of: { readonly sessionId: SessionId; readonly provider: ProviderId },
    asked: TurnQuestion,
  ): Promise<number>;
  /** False if that session does not wait for an answer. The first answer counts. */
  answer(id: SessionId, options: Readonly<{ turns: number; by: string }>): Promise<boolean>;
};

export function createTurnRequests(journal: SessionJournal): TurnRequests {
  type Open = { readonly provider: ProviderId; readonly settle: (turns: number) => void };
  const open = new Map<SessionId, Open>();

  return {
    async ask({ sessionId, provider }, { turns, failure, signal }) {
      if (signal.aborted) return 0;
      const { promise, resolve } = Promise.withResolvers<number>();
      const drop = (): void => resolve(0);
      signal.addEventListener('abort', drop, { once: true });
      open.set(sessionId, { provider, settle: resolve });
      const reason = failure === undefined ? {} : { failure };
      await journal.tell({ type: 'turns_requested', sessionId, provider, turns, ...reason });
      return promise.finally(() => {
        open.delete(sessionId);
        signal.removeEventListener('abort', drop);
      });
    },
    async answer(sessionId, { turns, by }) {
      const asked = open.get(sessionId);
      if (asked === undefined) return false;
      open.delete(sessionId);
      await journal.tell({ type: 'turns_granted', sessionId, provider: asked.provider, turns, by });
      asked.settle(turns);
      return true;
    },
  };
}
