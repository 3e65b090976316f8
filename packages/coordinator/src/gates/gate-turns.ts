import type { CommandId, CommandRecord, SessionId } from '@signalbox/core';

/** Calls of a session pass the gates in their order, whichever verdict arrives first. */
export type GateTurns = {
  /** Whether an earlier call of the session is still at the gates. */
  isBusy(session: SessionId): boolean;
  /** Resolves when all earlier calls of the session have left. Enters it if that was not done before. */
  enter(command: Entering): Promise<void>;
  /** May be repeated. */
  leave(id: CommandId): void;
};

type Entering = Pick<CommandRecord, 'id' | 'context'>;

export function createGateTurns(): GateTurns {
  const last = new Map<SessionId, Promise<void>>();
  const entered = new Map<CommandId, { readonly earlier: Promise<void>; readonly leave: () => void }>();

  async function forget(session: SessionId, turn: Promise<void>): Promise<void> {
    await turn;
    if (last.get(session) === turn) last.delete(session);
  }

  return {
    isBusy: (session) => last.has(session),
    enter({ id, context: { sessionId } }) {
      const known = entered.get(id);
      if (known !== undefined) return known.earlier;
      const earlier = last.get(sessionId) ?? Promise.resolve();
      const { promise, resolve } = Promise.withResolvers<void>();
      const turn = earlier.then(() => promise);
      entered.set(id, { earlier, leave: resolve });
      last.set(sessionId, turn);
      void forget(sessionId, turn);
      return earlier;
    },
    leave(id) {
      entered.get(id)?.leave();
      entered.delete(id);
    },
  };
}
